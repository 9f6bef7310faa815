# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The page, as a user finds it: by the parts that are agreed on."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from server import BUILD

RUNNING: Final = "Classifying…"
_WINDOW: Final = (900, 800)
PHONE: Final = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
_SECONDS: Final = 60
_POLL_SECONDS: Final = 0.05
# How far Tab is pressed before the page counts as one that the keyboard can't use.
_MOST_STOPS: Final = 20

# Drops a file as a hand with a mouse does. Arguments: the zone, the file's name, its type, its bytes in base64.
_DROP: Final = """
    const [zone, name, type, content] = arguments;
    const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    for (const kind of ["dragenter", "dragover", "drop"]) {
        zone.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
"""

# Pastes a file as the keyboard does. Arguments: the file's name, its type, its bytes in base64.
_PASTE: Final = """
    const [name, type, content] = arguments;
    const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }));
"""


def start_browser() -> webdriver.Chrome:
    """Debian's Chromium, without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # Root has no sandbox, and a container's shared memory is small. The page is our own.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--window-size={_WINDOW[0]},{_WINDOW[1]}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


class Page:
    """The page in a browser."""

    def __init__(self, browser: webdriver.Chrome, address: str) -> None:
        self.browser = browser
        self.address = address
        # The browser's log is emptied by reading it: what other pages wrote is not of interest.
        browser.get_log("browser")
        browser.get(address)

    def part(self, name: str) -> WebElement:
        """The part with this id."""
        return self.browser.find_element(By.ID, name)

    def choose(self, *files: Path) -> None:
        """Chooses files, as if in the browser's dialogue."""
        self.part("file").send_keys("\n".join(map(str, files)))

    def drop(self, file: Path, kind: str) -> None:
        """Drops a file of this type on the zone."""
        content = base64.b64encode(file.read_bytes()).decode()
        self.browser.execute_script(_DROP, self.part("drop"), file.name, kind, content)

    def paste(self, file: Path, kind: str) -> None:
        """Pastes a file of this type."""
        content = base64.b64encode(file.read_bytes()).decode()
        self.browser.execute_script(_PASTE, file.name, kind, content)

    def samples(self) -> dict[str, WebElement]:
        """The buttons of the pictures that the page offers, by their names for a screen reader."""
        buttons = self.part("samples").find_elements(By.TAG_NAME, "button")
        return {button.accessible_name: button for button in buttons}

    @property
    def note(self) -> str:
        """What has happened that is no problem."""
        return self.part("note").text

    @property
    def caption(self) -> str:
        """What the page says of the picture."""
        return self.part("caption").text

    @property
    def problem(self) -> str:
        """What the page says is wrong; empty if nothing is."""
        return self.part("problem").text

    @property
    def earlier(self) -> list[str]:
        """What the page said of the pictures before, the last one first."""
        return [entry.text for entry in self.part("earlier").find_elements(By.TAG_NAME, "li")]

    @property
    def candidates(self) -> list[str]:
        """The labels that it may be, with how probable each is."""
        return [entry.text for entry in self.part("candidates").find_elements(By.TAG_NAME, "li")]

    def classified(self) -> int:
        """How many pictures the page has sent and got an answer for, since it was loaded."""
        script = "return performance.getEntriesByType('resource').filter(e => e.name.endsWith('/classify')).length"
        return self.browser.execute_script(script)

    def count_requests(self) -> None:
        """From now on, counts what the page begins to send."""
        self.browser.execute_script("""
            window.begun = 0;
            const send = XMLHttpRequest.prototype.send;
            XMLHttpRequest.prototype.send = function (body) { window.begun += 1; send.call(this, body); };
        """)

    def requests(self) -> int:
        """How many requests have begun since they are counted."""
        return self.browser.execute_script("return window.begun")

    def picture_size(self) -> tuple[int, int]:
        """The width and the height in which the picture is shown; 0 if none is."""
        script = """
            const [picture] = arguments;
            const shown = picture.complete && picture.naturalWidth > 0;
            return shown ? [picture.clientWidth, picture.clientHeight] : [0, 0];
        """
        width, height = self.browser.execute_script(script, self.part("picture"))
        return width, height

    def wait(self, what: str, holds: Any) -> None:
        """Waits until it holds, and fails after a minute."""
        waiting = WebDriverWait(self.browser, _SECONDS, poll_frequency=_POLL_SECONDS)
        waiting.until(lambda _: holds(), f"{what}; the caption is {self.caption!r}, the problem {self.problem!r}")

    def wait_for_caption(self, label: str) -> None:
        """Waits until the caption begins with the label."""
        self.wait(f"the caption should begin with {label!r}", lambda: self.caption.startswith(label))

    def stops(self) -> list[WebElement]:
        """The parts that Tab leads to, from the page's beginning, each once."""
        self.browser.execute_script("document.activeElement.blur()")
        self.browser.execute_script("getSelection().removeAllRanges(); scrollTo(0, 0)")
        stops: list[WebElement] = []
        for _ in range(_MOST_STOPS):
            self.press(Keys.TAB)
            active = self.browser.switch_to.active_element
            if active.tag_name == "body" or active in stops:
                break
            stops.append(active)
        return stops

    def press(self, key: str) -> None:
        """Presses a key, wherever the focus is."""
        webdriver.ActionChains(self.browser).send_keys(key).perform()

    def become_phone(self, width: int = PHONE["width"]) -> None:
        """From now on, the window is that of a small phone, with a screen that is touched."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE | {"width": width})
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def become_desktop(self) -> None:
        """Back to the window that the browser was started with."""
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def upload_slowly(self, bytes_per_second: int) -> None:
        """From now on, what the page sends takes its time; -1 for as fast as can be."""
        conditions = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second}
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    def keep_screenshot(self, name: str) -> None:
        """Keeps what the page looks like, in the example's .build."""
        BUILD.mkdir(parents=True, exist_ok=True)
        self.browser.save_screenshot(str(BUILD / f"{name}.png"))

# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The page in a real browser: what a user sees and hears of it. Run by `check`."""

from __future__ import annotations

import json
import time
import unittest
from pathlib import Path
from typing import ClassVar, Final

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from page import PHONE, RUNNING, Page, start_browser
from server import BUILD, Server, wait_until
from slow_model import LABELS, write_slow_model

_PICTURES: Final = Path(__file__).resolve().parent.parent / "Pictures"
_CAPTIONS: Final[dict[str, str]] = json.loads((_PICTURES / "captions.json").read_text(encoding="utf-8"))
_NOTHING: Final = "none of these"
_DOG: Final = _PICTURES / "dog-face.png"
_GUITAR: Final = _PICTURES / "guitar.jpg"
_ON_ITS_SIDE: Final = _PICTURES / "snowman-on-its-side.jpg"
# More than the server takes, unless it is told to take more.
_TOO_LARGE: Final = 17 << 20
# The smallest side that a finger hits, in CSS pixels (WCAG 2.2, 2.5.8).
_TARGET: Final = 24
# What a page must fit in, in CSS pixels, with text at 200 % (WCAG 2.2, 1.4.4 and 1.4.10).
_NARROW: Final = 320


def _garbage(name: str, content: bytes) -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / name
    path.write_bytes(content)
    return path


class PageTest(unittest.TestCase):
    """One browser and one server for all tests of a class; each test loads the page anew."""

    browser: ClassVar[webdriver.Chrome]
    server: ClassVar[Server]
    options: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = cls.enterClassContext(Server(cls.__name__, *cls.options))
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self) -> None:
        self.page = Page(self.browser, self.server.address)

    def assert_idle(self) -> None:
        """Nothing runs and nothing waits in the server."""
        health = self.server.health()
        self.assertEqual((health["running"], health["waiting"]), (0, 0), health)


class EmbeddedModel(PageTest):
    """With the model that the program brings."""

    def test_names_each_picture_that_ships(self) -> None:
        for name, label in _CAPTIONS.items():
            with self.subTest(name):
                self.page.choose(_PICTURES / name)
                self.page.wait_for_caption(label)
                self.assertEqual(self.page.problem, "")
                self.page.wait("the picture should be shown", lambda: min(self.page.picture_size()) > 0)
                self.page.keep_screenshot(f"caption-{Path(name).stem}")

    def test_names_candidates_the_best_one_first(self) -> None:
        self.page.choose(_GUITAR)
        self.page.wait_for_caption("guitar")
        candidates = self.page.candidates
        self.assertGreaterEqual(len(candidates), 3, candidates)
        self.assertIn("guitar", candidates[0])
        self.assertRegex(candidates[0], r"\d\s*%")

    def test_chooses_again_and_the_same_file_too(self) -> None:
        choices = ((_DOG, "dog face"), (_GUITAR, "guitar"), (_GUITAR, "guitar"), (_DOG, "dog face"))
        for count, (file, label) in enumerate(choices, 1):
            self.page.choose(file)
            self.page.wait("the picture should be sent", lambda count=count: self.page.classified() == count)
            self.page.wait_for_caption(label)

    def test_classifies_several_pictures_in_their_order(self) -> None:
        self.page.choose(_DOG, _garbage("notes.png", b"This is no picture."), _ON_ITS_SIDE, _GUITAR)
        self.page.wait_for_caption("guitar")
        self.assertEqual(self.page.classified(), 4)
        self.assertEqual([text.split(": ")[0] for text in self.page.earlier], [_ON_ITS_SIDE.name, _DOG.name])
        self.assertIn("snowman", self.page.earlier[0])
        self.assertIn("dog face", self.page.earlier[1])
        self.assertTrue(self.page.problem.startswith("notes.png: "), self.page.problem)
        self.page.keep_screenshot("several")

    def test_says_what_is_wrong_with_each_of_several(self) -> None:
        self.page.choose(*(_garbage(name, b"no picture") for name in ("one.png", "two.png")))
        self.page.wait("both should be named", lambda: len(self.page.problem.splitlines()) == 2)
        self.assertEqual([line.split(": ")[0] for line in self.page.problem.splitlines()], ["one.png", "two.png"])
        self.assertEqual(self.page.earlier, [])

    def test_leaves_out_of_several_what_is_too_large(self) -> None:
        self.page.choose(_garbage("large.png", bytes(_TOO_LARGE)), _DOG)
        self.page.wait_for_caption("dog face")
        self.assertTrue(self.page.problem.startswith("large.png: "), self.page.problem)
        self.assertEqual(self.page.classified(), 1)

    def test_shows_how_much_has_been_sent(self) -> None:
        self.page.upload_slowly(20_000)
        self.addCleanup(self.page.upload_slowly, -1)
        self.page.choose(_garbage("long.png", bytes(400_000)))
        upload = self.page.part("upload")
        self.page.wait("the progress should be shown", upload.is_displayed)
        whole = 400_000
        self.page.wait("some should have been sent", lambda: 0 < float(upload.get_property("value")) < whole)
        self.assertEqual(float(upload.get_property("max")), whole)
        self.page.keep_screenshot("uploading")
        self.page.part("cancel").click()
        self.page.wait("the progress should be gone", lambda: not upload.is_displayed())
        self.assertEqual(self.page.note, "Cancelled")

    def test_offers_the_camera_of_a_phone(self) -> None:
        camera = self.page.part("camera")
        self.assertFalse(camera.is_displayed(), "there is no camera at hand")
        self.page.become_phone()
        self.addCleanup(self.page.become_desktop)
        self.assertTrue(camera.is_displayed())
        self.assertEqual(camera.get_attribute("capture"), "environment")
        camera.send_keys(str(_GUITAR))
        self.page.wait_for_caption("guitar")

    def test_takes_a_dropped_file(self) -> None:
        self.page.choose(_DOG)
        self.page.wait_for_caption("dog face")
        self.page.drop(_GUITAR, "image/jpeg")
        self.page.wait_for_caption("guitar")
        self.assertEqual(self.page.problem, "")

    def test_takes_a_pasted_file(self) -> None:
        self.page.paste(_GUITAR, "image/jpeg")
        self.page.wait_for_caption("guitar")
        self.assertEqual(self.page.problem, "")

    def test_offers_the_pictures_that_ship(self) -> None:
        samples = self.page.samples()
        self.assertEqual(len(samples), len(_CAPTIONS), list(samples))
        for name in ("guitar", "dog face"):
            samples[name].click()
            self.page.wait_for_caption(name)
            self.assertEqual(self.page.problem, "")

    def test_says_what_it_knows(self) -> None:
        self.assertRegex(self.page.part("try").text, "75 drawings")

    def test_names_the_file_of_a_problem(self) -> None:
        self.page.choose(_garbage("notes.png", b"This is no picture."))
        self.page.wait("the problem should name the file", lambda: self.page.problem.startswith("notes.png: "))

    def test_shows_a_picture_upright(self) -> None:
        self.page.choose(_ON_ITS_SIDE)
        self.page.wait_for_caption("snowman")
        width, height = self.page.picture_size()
        self.assertGreater(height, width)

    def test_says_in_words_that_a_file_is_no_picture(self) -> None:
        files = {
            "text.png": b"This is no picture.",
            "empty.jpg": b"",
            "cut.png": _DOG.read_bytes()[:1000],
            "cut.jpg": _GUITAR.read_bytes()[:2000],
            "large.png": bytes(_TOO_LARGE),
        }
        for name, content in files.items():
            with self.subTest(name):
                self.page.choose(_garbage(name, content))
                self.page.wait("the problem should be said", lambda: self.page.problem != "")
                self.assertNotIn("{", self.page.problem, "that is JSON, not words")
                self.assertNotEqual(self.page.caption, RUNNING)
                self.page.keep_screenshot(f"problem-{name.replace('.', '-')}")
                self.page.choose(_DOG)
                self.page.wait_for_caption("dog face")
                self.assertEqual(self.page.problem, "", "the problem should be gone")

    def test_takes_a_name_for_a_name(self) -> None:
        hostile = _garbage("<img src=x onerror=window.hostile=1>.png", _DOG.read_bytes())
        self.page.choose(hostile)
        self.page.wait_for_caption("dog face")
        self.assertIsNone(self.browser.execute_script("return window.hostile ?? null"))

    def test_loads_nothing_from_elsewhere_and_logs_no_error(self) -> None:
        self.page.choose(_DOG)
        self.page.wait_for_caption("dog face")
        script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
        for address in self.browser.execute_script(script):
            self.assertTrue(address.startswith((self.server.address, "blob:", "data:")), address)
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])

    def test_has_landmarks_and_names_for_a_screen_reader(self) -> None:
        script = """
            return { language: document.documentElement.lang, title: document.title,
                     mains: document.querySelectorAll("main").length, heads: document.querySelectorAll("h1").length };
        """
        facts = self.browser.execute_script(script)
        self.assertEqual((facts["mains"], facts["heads"]), (1, 1), facts)
        self.assertTrue(facts["language"] and facts["title"], facts)
        self.assertEqual(self.page.part("caption").aria_role, "status")
        self.assertEqual(self.page.part("caption").get_attribute("aria-live"), "polite")
        self.assertEqual(self.page.part("problem").get_dom_attribute("role"), "alert")
        # A name of its own: the browser's, "Choose File", does not say what for.
        named = "return arguments[0].labels.length > 0 || arguments[0].ariaLabel || arguments[0].ariaLabelledByElements"
        self.assertTrue(self.browser.execute_script(named, self.page.part("file")))
        self.page.choose(_DOG)
        self.page.wait_for_caption("dog face")
        self.assertTrue(self.page.part("picture").get_attribute("alt"))

    def test_leads_the_keyboard_to_the_file_chooser_and_shows_where_it_is(self) -> None:
        stops = self.page.stops()
        self.assertTrue(stops, "Tab leads nowhere")
        self.assertTrue(any(self._chooses_a_file(stop) for stop in stops), [stop.tag_name for stop in stops])
        # Where the focus is, somebody must see: an outline or a shadow, of the part or of the label around it.
        script = """
            const drawn = part => {
                const style = getComputedStyle(part);
                const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
                return outlined || style.boxShadow !== "none";
            };
            const active = document.activeElement;
            return drawn(active) || [...(active.labels ?? [])].some(drawn) || drawn(active.parentElement);
        """
        self.page.stops()
        self.page.press(Keys.TAB)
        if self.browser.switch_to.active_element.tag_name == "body":
            self.page.press(Keys.TAB)
        self.assertTrue(self.browser.execute_script(script), "the focus can't be seen")

    def _chooses_a_file(self, part: object) -> bool:
        """Whether the part is the file chooser, or something that opens it when Enter is pressed."""
        if part == self.page.part("file"):
            return True
        script = """
            const [part, chooser] = arguments;
            let opened = false;
            const note = event => { opened = true; event.preventDefault(); };
            chooser.addEventListener("click", note);
            part.click();
            chooser.removeEventListener("click", note);
            return opened;
        """
        return self.browser.execute_script(script, part, self.page.part("file"))

    def test_fits_a_phone(self) -> None:
        self.page.become_phone()
        self.addCleanup(self.page.become_desktop)
        self._assert_fits("before a picture")
        self.page.choose(_ON_ITS_SIDE)
        self.page.wait_for_caption("snowman")
        self._assert_fits("with a picture")
        self.page.keep_screenshot("phone")
        self.page.choose(_garbage("long" * 40 + ".png", b"no picture"))
        self.page.wait("the problem should be said", lambda: self.page.problem != "")
        self._assert_fits("with a problem and a long name")

    def test_fits_the_smallest_phone_with_text_twice_as_large(self) -> None:
        self.page.become_phone(_NARROW)
        self.addCleanup(self.page.become_desktop)
        self.browser.execute_script("document.documentElement.style.fontSize = '200%'")
        self._assert_fits("before a picture", _NARROW)
        self.page.choose(_DOG, _garbage("long" * 40 + ".png", b"no picture"), _GUITAR)
        self.page.wait_for_caption("guitar")
        self._assert_fits("with pictures and a problem", _NARROW)
        self.page.keep_screenshot("narrow")

    def _assert_fits(self, when: str, width: int = PHONE["width"]) -> None:
        # Not `innerWidth`: a phone makes a page smaller that is too wide, and then has more pixels.
        needed = self.browser.execute_script("return document.scrollingElement.scrollWidth")
        self.assertLessEqual(needed, width, f"{when}, the page scrolls sideways")


class SlowModel(PageTest):
    """With a model that takes seconds, so that there is time to cancel."""

    # Half of what a run takes: a cancelled one must have ended sooner.
    patience: ClassVar[float]

    @classmethod
    def setUpClass(cls) -> None:
        files = write_slow_model(BUILD)
        cls.options = ("--model", str(files.model), "--labels", str(files.labels), "--manifest", str(files.manifest))
        super().setUpClass()
        began = time.monotonic()
        cls.server.classify(_DOG)
        cls.patience = (time.monotonic() - began) / 2

    def start_a_run(self) -> None:
        """Chooses a picture, and waits until the model works on it."""
        self.page.choose(_DOG)
        wait_until("the model runs", lambda: self.server.health()["running"] == 1, 20)
        self.assertEqual(self.page.caption, RUNNING)

    def assert_cancelled(self) -> None:
        """The run has ended long before its time, and the page says nothing more of it."""
        self.wait_for_the_end()
        self.page.wait("the page should be at rest", lambda: self.page.caption != RUNNING)
        self.assertEqual(self.page.problem, "", "to cancel is no problem")
        self.assertEqual(self.page.note, "Cancelled")
        for label in LABELS:
            self.assertNotIn(label, self.page.caption)
        self.assert_idle()

    def wait_for_the_end(self) -> None:
        """Waits until the server says that nothing runs, and fails if that takes as long as half a run."""
        wait_until("the run has ended in the server", lambda: self.server.health()["running"] == 0, self.patience)

    def test_cancels_the_run_in_the_server_and_classifies_the_next(self) -> None:
        self.start_a_run()
        self.page.keep_screenshot("classifying")
        self.page.part("cancel").click()
        self.assert_cancelled()
        self.page.choose(_GUITAR)
        self.page.wait_for_caption(_NOTHING)
        self.assert_idle()

    def test_cancels_those_whose_turn_has_not_come(self) -> None:
        self.page.count_requests()
        self.page.choose(_DOG, _GUITAR, _ON_ITS_SIDE)
        wait_until("the model runs", lambda: self.server.health()["running"] == 1, 20)
        self.assertEqual(self.page.caption, f"{RUNNING} 1 of 3")
        self.page.part("cancel").click()
        self.wait_for_the_end()
        self.assertEqual(self.page.note, "Cancelled")
        self.assertEqual(self.page.problem, "")
        self.assertEqual(self.page.requests(), 1)
        self.assertFalse(self.page.caption.startswith(RUNNING))
        self.assert_idle()

    def test_cancels_by_keyboard(self) -> None:
        self.start_a_run()
        cancel = self.page.part("cancel")
        self.assertIn(cancel, self.page.stops())
        self.browser.execute_script("arguments[0].focus()", cancel)
        self.page.press(Keys.ENTER)
        self.assert_cancelled()

    def test_cancels_by_escape(self) -> None:
        self.start_a_run()
        self.page.press(Keys.ESCAPE)
        self.assert_cancelled()

    def test_a_file_that_is_too_large_ends_the_run_that_it_replaces(self) -> None:
        self.start_a_run()
        self.page.choose(_garbage("large.png", bytes(_TOO_LARGE)))
        self.page.wait("the problem should be said", lambda: self.page.problem.startswith("large.png: "))
        self.assertFalse(self.page.caption.startswith(RUNNING))
        self.wait_for_the_end()

    def test_says_what_one_shows_while_the_next_is_classified(self) -> None:
        self.page.choose(_DOG, _GUITAR)
        self.page.wait("the second should have its turn", lambda: self.page.caption == f"{RUNNING} 2 of 2")
        self.assertTrue(self.page.note.startswith(f"{_DOG.name}: {_NOTHING}"), self.page.note)
        self.page.part("cancel").click()
        self.wait_for_the_end()

    def test_has_a_cancel_button_that_a_finger_hits(self) -> None:
        self.page.become_phone()
        self.addCleanup(self.page.become_desktop)
        self.start_a_run()
        size = self.page.part("cancel").size
        self.assertGreaterEqual(min(size["width"], size["height"]), _TARGET, size)
        self.page.part("cancel").click()
        self.assert_cancelled()

    def test_ends_the_run_of_a_page_that_is_closed(self) -> None:
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        try:
            self.page = Page(self.browser, self.server.address)
            self.start_a_run()
        finally:
            self.browser.close()
            self.browser.switch_to.window(first)
        self.wait_for_the_end()

    def test_ends_the_run_of_a_picture_that_is_replaced(self) -> None:
        self.start_a_run()
        self.page.drop(_GUITAR, "image/jpeg")
        # Cancels the second run; had the first gone on, it would still.
        self.page.part("cancel").click()
        self.assert_cancelled()


if __name__ == "__main__":
    unittest.main(verbosity=2)

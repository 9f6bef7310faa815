# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The tables of the model card, made from the numbers of the evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from files import CARD
from sets import SEEN_FONT, UNSEEN_FONT

_BEGIN: Final = "<!-- Tables: written by `make`, from evaluation.json. -->\n"
_END: Final = "<!-- End of the tables. -->\n"


def update_card(numbers: dict[str, Any]) -> None:
    """Puts the tables into the card."""
    head, _, tail = _parts()
    CARD.write_text(head + _BEGIN + _tables(numbers) + _END + tail, encoding="utf-8")


def card_is_current(numbers: dict[str, Any]) -> bool:
    """Whether the card has the tables of these numbers."""
    return _parts()[1] == _tables(numbers)


def _parts() -> tuple[str, str, str]:
    head, found, rest = CARD.read_text(encoding="utf-8").partition(_BEGIN)
    tables, ended, tail = rest.partition(_END)
    if not found or not ended:
        raise ValueError(f"{CARD.name} has no place for the tables: it needs the lines {_BEGIN!r} and {_END!r}")
    return head, tables, tail


def _tables(numbers: dict[str, Any]) -> str:
    return "\n".join(
        [
            "",
            *_summary(numbers),
            *_things(numbers["things"]),
            *_junk(numbers["junk"]),
            *_threshold(numbers["threshold"]),
            *_confusions(numbers["confusions"]),
        ]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows)]
    return [*lines, ""]


def _percent(rate: float) -> str:
    return f"{rate:.1%}"


def _summary(numbers: dict[str, Any]) -> list[str]:
    training, model = numbers["training"], numbers["model"]
    return [
        f"{training['parameters']:,} parameters, {model['bytes'] / 1e6:.2f} MB.",
        f"Trained on {training['pictures']:,} drawn pictures in {training['steps']:,} steps of {training['batch']}:",
        f"{training['core minutes']} minutes of one core.",
        "",
    ]


def _things(tests: dict[str, Any]) -> list[str]:
    columns = ("top-1", "top-5", "called rightly", "called something else", "called nothing")
    rows = [(name, test["pictures"], *(_percent(test[column]) for column in columns)) for name, test in tests.items()]
    return ["### Drawings of the 75 things", "", *_table(("Test", "Pictures", *columns), rows)]


def _junk(tests: dict[str, Any]) -> list[str]:
    columns = ("best label is something", "called something")
    rows = [
        (
            name,
            test["used for"],
            test["pictures"],
            *(_percent(test[column]) for column in columns),
            ", ".join(test["most often"]) or "–",
        )
        for name, test in tests.items()
    ]
    head = ("Kind", "Used before for", "Pictures", "Without threshold", "Called something", "Most often called")
    return ["### Pictures of none of them", "", *_table(head, rows)]


def _threshold(choice: dict[str, Any]) -> list[str]:
    steps = sorted([*choice["others"], choice["chosen"]], key=lambda step: step["threshold"])
    rows = [
        (
            f"**{step['threshold']:.2f}**" if step == choice["chosen"] else f"{step['threshold']:.2f}",
            _percent(step["things called rightly"]),
            _percent(step["junk called something"]),
        )
        for step in steps
    ]
    head = ("Threshold", "Things called rightly", "Junk called something")
    return [f"### The threshold, on {choice['pictures']:,} other pictures", "", *_table(head, rows)]


def _confusions(tables: dict[str, dict[str, dict[str, int]]]) -> list[str]:
    """A row for each thing: how often it was right in both tests, and what it was most often taken for."""
    rows = [
        (label, *_confusion(label, tables[SEEN_FONT][label]), *_confusion(label, tables[UNSEEN_FONT][label]))
        for label in tables[SEEN_FONT]
    ]
    head = ("Thing", "Noto", "Taken for", "Symbola", "Taken for")
    return ["### Confusions", "", *_table(head, rows)]


def _confusion(label: str, counts: dict[str, int]) -> tuple[str, str]:
    wrong = [f"{name} {count}" for name, count in counts.items() if name != label]
    return f"{counts.get(label, 0)} of {sum(counts.values())}", ", ".join(wrong[:3]) or "–"

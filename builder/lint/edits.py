"""Changes to a dashboard's text that leave everything else in it as it was, down to the blanks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builder.lint.finding import Place
from builder.lint.positions import Positions


@dataclass(frozen=True)
class Edit:
    """The value at a place is to be this one, whether something stands there or not."""

    place: Place
    value: Any


def edited(source: str, edits: Sequence[Edit]) -> str | None:
    """The text with the edits made; None where the result is not exactly what was meant.

    Of several edits of one place the first counts.
    """
    chosen = {edit.place: edit for edit in reversed(edits)}.values()
    positions = Positions(source)
    changes: list[tuple[int, int, str]] = []
    for edit in chosen:
        span = positions.span(edit.place)
        value = json.dumps(edit.value, ensure_ascii=False)
        if span is not None:
            changes.append((span.start, span.end, value))
            continue
        parent = positions.span(edit.place[:-1])
        if parent is None or source[parent.start] != "{":
            return None
        changes.append((parent.start + 1, parent.start + 1, _member(source, parent.start + 1, edit, value)))
    text = source
    for start, end, value in sorted(changes, reverse=True):
        text = text[:start] + value + text[end:]
    return text if _is(text, _meant(json.loads(source), list(chosen))) else None


def _member(source: str, at: int, edit: Edit, value: str) -> str:
    """A new first member of an object, set off like the one that was first so far."""
    rest = source[at:].lstrip()
    blank = source[at : len(source) - len(rest)]
    if rest.startswith("}"):
        return f"{json.dumps(edit.place[-1])}: {value}"
    return f"{blank}{json.dumps(edit.place[-1])}: {value},"


def _meant(data: Any, edits: Sequence[Edit]) -> Any:
    for edit in edits:
        node = data
        for step in edit.place[:-1]:
            node = node[step]
        node[edit.place[-1]] = edit.value
    return data


def _is(text: str, meant: Any) -> bool:
    try:
        return bool(json.loads(text) == meant)
    except ValueError:
        return False

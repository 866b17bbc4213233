"""The report on a change, as values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from builder.diff import BoardDiff, Part
from builder.diff.panels import panels_of
from builder.lint import Finding


@dataclass(frozen=True)
class Size:
    """How large a board is: bytes of JSON without blanks, panels that are no rows, and their queries."""

    bytes: int = 0
    panels: int = 0
    queries: int = 0


def size_of(board: Mapping[str, Any] | None) -> Size:
    """A board's size; nothing for no board."""
    if board is None:
        return Size()
    panels = [placed.data for placed in panels_of(board) if not placed.is_row]
    queries = sum(len(found) for panel in panels if isinstance(found := panel.get("targets"), list))
    text = json.dumps(board, ensure_ascii=False, separators=(",", ":"))
    return Size(len(text.encode("utf-8", "replace")), len(panels), queries)


@dataclass(frozen=True)
class BoardReview:
    """One board that differs.

    ``findings`` are those of ``check`` that the change brought, ``gone`` how many it took away.
    """

    diff: BoardDiff
    findings: tuple[Finding, ...] = ()
    gone: int = 0

    @property
    def sizes(self) -> tuple[Size, Size]:
        """Before and after."""
        return size_of(self.diff.before), size_of(self.diff.after)


@dataclass(frozen=True)
class Review:
    """A change as a whole.

    ``base`` is the revision compared with, as it was asked for, and ``commit`` its 40 digits. ``compared`` counts the
    boards that were looked at, whether they differ or not. ``notes`` say what could not be done as usual. ``live`` is
    what a running Prometheus had to say, where one was asked, and ``unread`` what is wrong with files that the change
    left unreadable.
    """

    base: str
    commit: str
    boards: tuple[BoardReview, ...]
    compared: int
    notes: tuple[str, ...] = ()
    live: tuple[Finding, ...] = ()
    unread: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that the change brought."""
        return (*self.unread, *(finding for board in self.boards for finding in board.findings), *self.live)


@dataclass(frozen=True)
class Picture:
    """How a panel looks: an image's media type and bytes, and what it shows, for those who cannot see it."""

    media_type: str
    content: bytes
    description: str


Draw = Callable[[Mapping[str, Any], Mapping[str, Any]], Picture | None]
"""A picture of a panel of a board; None where there is none to be had."""


def pictures(diff: BoardDiff, part: Part, draw: Draw) -> tuple[Picture | None, Picture | None]:
    """A panel before and after, as far as it was there."""
    sides = ((diff.before, part.before), (diff.after, part.after))
    before, after = (draw(board, panel) if board is not None and panel is not None else None for board, panel in sides)
    return before, after

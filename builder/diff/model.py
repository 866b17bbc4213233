"""What a comparison says, as values. Nothing is shortened here: that is for whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

Path = tuple[str, ...]
"""Where in a part something is: members by name, elements of a list by what they are called."""


class _Absent(Enum):
    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent.ABSENT
"""Stands for what is not there; null in a dashboard means the same."""


class Kind(Enum):
    """What kind of change a Change is."""

    SET = "set"  # a value, an added member or a removed one
    QUERY = "query"  # an expression
    RENAMED = "renamed"
    MOVED = "moved"  # to another place on the grid
    SHIFTED = "shifted"  # down or up, since something above it grew, came or went
    RESIZED = "resized"
    ROW = "row"  # into another row
    ORDER = "order"  # of the elements of a list


@dataclass(frozen=True)
class Change:
    """One thing that is different; ``before`` and ``after`` are as they stand in the dashboards, or ABSENT.

    ``ahead_of`` is the element that an added one was put in front of; empty for the end of its list.
    """

    kind: Kind
    path: Path
    before: Any = ABSENT
    after: Any = ABSENT
    ahead_of: str = ""


class Status(Enum):
    """What became of a board, a panel or another part."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class Part:
    """A panel, variable, link or annotation that differs, or the board's own settings.

    ``what`` is board, panel, row, variable, link or annotation. ``before`` and ``after`` are the whole part, None
    where it is not there. ``changes`` is empty for a part that was added or removed. ``ahead_of`` is as in Change.
    """

    what: str
    name: str
    status: Status
    changes: tuple[Change, ...] = ()
    before: Mapping[str, Any] | None = field(default=None, repr=False)
    after: Mapping[str, Any] | None = field(default=None, repr=False)
    ahead_of: str = ""


@dataclass(frozen=True)
class BoardDiff:
    """How a board differs; no parts where it does not.

    ``before`` and ``after`` are the dashboards compared, None where there is none. For a board that was added or
    removed, ``parts`` are all its panels, variables, links and annotations.
    """

    uid: str
    title: str
    status: Status
    parts: tuple[Part, ...]
    before: Mapping[str, Any] | None = field(default=None, repr=False)
    after: Mapping[str, Any] | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return bool(self.parts) or self.status is not Status.CHANGED

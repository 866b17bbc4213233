"""Many dashboards against many: which became which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.diff.compare import compare
from builder.diff.model import BoardDiff


@dataclass(frozen=True)
class Stored:
    """A dashboard, what its file is called, and the folder that it lies in; None where that is not known."""

    name: str
    data: Mapping[str, Any]
    folder: str | None = None


def compare_all(before: Sequence[Stored], after: Sequence[Stored], *, alone: bool = False) -> list[BoardDiff]:
    """Each board of both sides once, whether it differs or not, in the order of the new ones, then those gone.

    Boards are matched by uid, then by the name of their file, then by title. ``alone`` says that somebody named one
    board on each side, so that they are a pair whatever they are called.
    """
    pairs = {0: 0} if alone and len(before) == len(after) == 1 else dict(_pairs(before, after))
    back = {new: old for old, new in pairs.items()}
    found = [_compared(before[back[n]] if n in back else None, board) for n, board in enumerate(after)]
    return found + [_compared(board, None) for n, board in enumerate(before) if n not in pairs]


def _compared(before: Stored | None, after: Stored | None) -> BoardDiff:
    folders = [side.folder if side else None for side in (before, after)]
    known = (str(folders[0]), str(folders[1])) if None not in folders else ("", "")
    return compare(before.data if before else None, after.data if after else None, folders=known)


_KEYS: tuple[Callable[[Stored], object], ...] = (
    lambda board: board.data.get("uid"),
    lambda board: board.name,
    lambda board: board.data.get("title"),
)


def _pairs(before: Sequence[Stored], after: Sequence[Stored]) -> Iterator[tuple[int, int]]:
    left, right = set(range(len(before))), set(range(len(after)))
    for key in _KEYS:
        waiting: dict[str, list[int]] = {}
        for number in sorted(right):
            waiting.setdefault(str(key(after[number]) or ""), []).append(number)
        for number in sorted(left):
            name = str(key(before[number]) or "")
            if name and waiting.get(name):
                found = waiting[name].pop(0)
                left.discard(number)
                right.discard(found)
                yield number, found

"""The series that our rules can record, by name: those of every profile, and those above the device."""

from __future__ import annotations

from functools import cache

from builder.catalog.model import Scope
from builder.catalog.profiles import TRAINING_PROFILES
from builder.queries.records import (
    LAST_SAMPLE,
    Record,
    device_record,
    node_record,
    pod_record,
    process_record,
    signals_of,
)
from builder.rules.recording import STORE

_LEAST = 5
"""Letters of a word that one may be wrong in; in one of twice as many letters two. Short words are often both real."""


@cache
def names() -> frozenset[str]:
    """Every name that a rule of ours can record under."""
    found: list[Record | None] = []
    for signal in signals_of(*Scope):
        found += [device_record(signal), pod_record(signal), node_record(signal)]
        found += [process_record(signal, training) for training in TRAINING_PROFILES.values()]
    return frozenset((*(record.name for record in found if record), LAST_SAMPLE, *STORE.kept))


def slip(name: str) -> str:
    """The recorded name that this one, with the same level before the colon, is a slip of the pen away from; or "".

    Teams record series of their own beside ours: an operation that differs, or a short word, is no slip.
    """
    if name in names():
        return ""
    level = name.partition(":")[0]
    return min((one for one in names() if one.startswith(f"{level}:") and _near(name, one)), default="")


def _near(one: str, other: str) -> bool:
    if one.casefold().replace("_", "") == other.casefold().replace("_", ""):
        return True
    words = [name.casefold().replace(":", "_:_").split("_") for name in (one, other)]
    if len(words[0]) != len(words[1]):
        return False
    wrong = [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    return len(wrong) == 1 and _misspelt(*wrong[0])


def _misspelt(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    allowed = min(longest // _LEAST, 2)
    if not one.isalpha() or not other.isalpha() or abs(len(one) - len(other)) > allowed:
        return False
    return edits(one, other) <= allowed


def edits(one: str, other: str) -> int:
    """Letters to add, drop, change or swap with their neighbour to make one word of the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for n, a in enumerate(one, 1):
        above, row, older = row, [n], before
        for m, b in enumerate(other, 1):
            row.append(min(above[m] + 1, row[m - 1] + 1, above[m - 1] + (a != b)))
            if older and m > 1 and (a, one[n - 2]) == (other[m - 2], b):
                row[m] = min(row[m], older[m - 2] + 1)
        before = above
    return row[-1]

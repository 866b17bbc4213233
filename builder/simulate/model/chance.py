"""Numbers that look random and are the same on every machine, in every process, in any order of asking."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def chance(*key: object) -> float:
    """A number from 0 up to but not including 1 that belongs to the key."""
    return int(hexadecimal(13, *key), 16) / 16**13


def between(low: float, high: float, *key: object) -> float:
    """A number from ``low`` to ``high`` that belongs to the key."""
    return low + (high - low) * chance(*key)


def pick(options: Sequence[T], *key: object) -> T:
    """One of the options, as the key has it."""
    return options[int(chance(*key) * len(options))]


def hexadecimal(digits: int, *key: object) -> str:
    """So many (up to 128) lower-case hexadecimal digits that belong to the key."""
    return blake2b("/".join(map(str, key)).encode(), digest_size=(digits + 1) // 2).hexdigest()[:digits]

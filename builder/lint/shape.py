"""Reading JSON of unknown make: whatever stands there, the answer has the type that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from builder.lint.finding import Place


def text(value: Any) -> str:
    """The value where it is text, else nothing."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def whole(value: Any) -> int | None:
    """The value where it is a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == value and abs(value) < 2**53 and value == int(value) else None


def below(value: Any, *keys: str) -> Any:
    """What stands under these keys, or None."""
    for key in keys:
        value = mapping(value).get(key)
    return value


def texts(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every text below a value with its place, in order. Depth is no limit, as nothing here recurses."""
    waiting: list[tuple[Place, Any]] = [(place, value)]
    while waiting:
        at, node = waiting.pop()
        if isinstance(node, str):
            yield at, node
        elif isinstance(node, Mapping):
            waiting.extend(((*at, key), child) for key, child in reversed(list(node.items())))
        elif isinstance(node, list):
            waiting.extend(((*at, index), child) for index, child in reversed(list(enumerate(node))))


def named(value: Any) -> str:
    """The JSON type of a value, in words."""
    if value is None:
        return "null"
    kinds = {bool: "a flag", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), type(value).__name__)

"""Queries broken into lines, as a person would write them.

Works on tokens alone, so that variables of Grafana, other query languages and half a query are laid out too, and
nothing but the blanks between tokens changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

WIDTH = 100
_INDENT = "  "
_TOKEN = re.compile(
    r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|\#[^\n]*"""  # strings and comments
    r"""|\$\{[^}]*\}|\[\[\w+\]\]|[\w$.:@]+|[=!<>]=|[=!]~|\|[=~>]|\S"""
)
_OPEN, _CLOSE = {"(": ")", "{": "}", "[": "]"}, frozenset(")}]")
_BINARY = frozenset(
    ("+", "-", "*", "/", "%", "^", "==", "!=", "<", ">", "<=", ">=", "and", "or", "unless", "atan2", "|", "|=", "|~")
)
_WORDS = frozenset(("by", "without", "on", "ignoring", "group_left", "group_right", "offset", "bool"))
_BINDING = {
    token: strength
    for strength, binding in enumerate(
        (
            ("|", "|=", "|~"),
            ("or",),
            ("and", "unless"),
            ("==", "!=", "<", ">", "<=", ">="),
            ("+", "-"),
            ("*", "/", "%"),
        ),
        1,
    )
    for token in binding
}
"""How strongly operators bind, the weakest first (PromQL; a pipe of LogQL binds less than all of them)."""
_DEEPEST = 150


def tokens(query: str) -> list[str]:
    """The query's words, strings, operators and brackets."""
    return _TOKEN.findall(query)


def laid_out(query: str, width: int = WIDTH) -> list[str]:
    """The lines of a query, none longer than ``width`` where it can be broken."""
    found = tokens(query)
    if len(_joined(found)) <= width and not any(token.startswith("#") for token in found):
        return [_joined(found)] if found else []
    return list(_lines(found, "", width, 0))


def _lines(found: Sequence[str], indent: str, width: int, depth: int) -> Iterator[str]:
    line = _joined(found)
    comment = any(token.startswith("#") for token in found[:-1])
    if (len(indent) + len(line) <= width and not comment) or depth > _DEEPEST:
        yield from [indent + line] if found else []
        return
    pieces = _pieces(found)
    if len(pieces) > 1:
        for piece in pieces:
            yield from _lines(piece, indent, width, depth + 1)
        return
    opened = next((number for number in range(len(found)) if _breakable(found, number)), None)
    if opened is None:
        yield indent + line
        return
    end = _closing(found, opened)
    yield indent + _joined(found[: opened + 1])
    yield from _arguments(found[opened + 1 : end], indent + _INDENT, width, depth + 1)
    yield from _lines(found[end:], indent, width, depth + 1)


def _arguments(found: Sequence[str], indent: str, width: int, depth: int) -> Iterator[str]:
    """What stands between brackets: a line for each element at least."""
    start = level = 0
    for number, token in enumerate(found):
        level += (token in _OPEN) - (token in _CLOSE)
        if token == "," and level == 0:
            yield from _with_comma(found[start:number], indent, width, depth)
            start = number + 1
    yield from _lines(found[start:], indent, width, depth)


def _with_comma(found: Sequence[str], indent: str, width: int, depth: int) -> Iterator[str]:
    lines = list(_lines(found, indent, width, depth)) or [indent]
    yield from (*lines[:-1], f"{lines[-1]},")


def _pieces(found: Sequence[str]) -> list[Sequence[str]]:
    """Split behind comments, else in front of the operators that bind least, as far as they stand outside brackets."""
    level = 0
    places: dict[int, list[int]] = {}
    for number, token in enumerate(found):
        level += (token in _OPEN) - (token in _CLOSE)
        if token.startswith("#"):
            places.setdefault(0, []).append(number + 1)
        elif level == 0 and number and token in _BINDING and _is_binary(found, number):
            places.setdefault(_BINDING[token], []).append(number)
    cuts = [0, *(places[min(places)] if places else []), len(found)]
    return [found[start:end] for start, end in pairwise(cuts) if start < end]


def _is_binary(found: Sequence[str], number: int) -> bool:
    before = found[number - 1]
    return before not in _BINARY and before not in _OPEN and before != ","


def _breakable(piece: Sequence[str], number: int) -> bool:
    """An opening bracket with something large in it; selectors and label lists stay on their line."""
    if piece[number] != "(" or (number and piece[number - 1] in _WORDS):
        return False
    return _closing(piece, number) > number + 1


def _closing(found: Sequence[str], opened: int) -> int:
    level = 0
    for number in range(opened, len(found)):
        level += (found[number] in _OPEN) - (found[number] in _CLOSE)
        if level == 0:
            return number
    return len(found)


def _joined(found: Sequence[str]) -> str:
    text, before, braces = "", "", 0
    for number, token in enumerate(found):
        text += (" " if number and _blank(before, token, braces, found, number) else "") + token
        braces += (token == "{") - (token == "}")
        before = token
    return text


def _blank(before: str, token: str, braces: int, found: Sequence[str], number: int) -> bool:
    if braces > 0:
        return before == ","
    if before in _OPEN or token in _CLOSE or token == "," or token == "[":
        return False
    if token == "(":
        return before in _BINARY or before in _WORDS or before in _CLOSE or before == ","
    if token == "{":
        return before in _CLOSE or before in _BINARY or before == ","
    is_sign = before in ("-", "+") and (number < 2 or not _is_binary(found, number - 1))
    return not is_sign

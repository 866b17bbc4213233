"""Dashboard JSON as bytes: the same bytes for the same dashboard, laid out for ``git diff``.

Python's json is slow where it indents (it leaves C), so the layout is made here. Panels repeat much of each
other, so a part that was written before, of equal content and at equal depth, is not written again.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any, TypeVar

from builder.errors import DefinitionError, short

K = TypeVar("K")
V = TypeVar("V")
_STEP = "  "
_REMEMBERED: dict[tuple[str, bytes], str] = {}
_HEADS: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
_MOST_REMEMBERED = 512


def encode(dashboard: Mapping[str, Any]) -> bytes:
    """Sorted keys, two spaces a level, UTF-8, a final newline; whole floats as integers.

    Raises DefinitionError for NaN and infinity, which JSON does not have, and for what is not plain data.
    """
    try:
        return _encoded(dashboard)
    except DefinitionError as error:
        panel = _panel_at_fault(dashboard)
        raise (error.at(panel) if panel else error) from None


def _encoded(value: Mapping[str, Any]) -> bytes:
    parts: list[str] = []
    try:
        _write(value, "\n", parts.append)
        parts.append("\n")
        return "".join(parts).encode()
    except TypeError as error:
        raise DefinitionError(f"a key that is not a string: {error}") from None
    except UnicodeEncodeError as error:
        raise DefinitionError(f"half a character: {short(error.object[error.start : error.end])}") from None
    except RecursionError:
        raise DefinitionError("nested too deeply", fix="does it contain itself?") from None


def _panel_at_fault(dashboard: Mapping[str, Any]) -> str:
    """The panel that cannot be written, as messages call it; empty where it is none of them."""
    panels = [each for panel in dashboard.get("panels", ()) for each in (*panel.get("panels", ()), panel)]
    for panel in panels:
        try:
            _encoded(panel)
        except DefinitionError:
            return f"panel {short(panel.get('title', ''))}"
    return ""


def _write(value: Any, margin: str, put: Any) -> None:
    kind = value.__class__
    if kind is dict:
        if not value:
            put("{}")
            return
        inner = margin + _STEP
        lead = "{" + inner
        for key, head in _heads(value):
            member = value[key]
            member_kind = member.__class__
            if member_kind is str:
                put(f"{lead}{head}{encode_basestring(member)}")
            elif member_kind is dict:
                put(f"{lead}{head}{_remembered(member, inner)}")
            elif member_kind is int:
                put(f"{lead}{head}{member}")
            elif member_kind is list:
                put(lead + head)
                _write(member, inner, put)
            else:
                put(f"{lead}{head}{_scalar(member)}")
            lead = "," + inner
        put(margin + "}")
    elif kind is list:
        if not value:
            put("[]")
            return
        inner = margin + _STEP
        lead = "[" + inner
        for member in value:
            put(lead)
            _write(member, inner, put)
            lead = "," + inner
        put(margin + "]")
    else:
        put(_scalar(value))


def _heads(value: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The keys in order, each with how its line begins; dicts of one purpose have the same keys."""
    keys = tuple(value)
    heads = _HEADS.get(keys)
    if heads is None:
        heads = tuple((key, f"{encode_basestring(key)}: ") for key in sorted(keys))
        _remember(_HEADS, keys, heads)
    return heads


def _remembered(value: dict[str, Any], margin: str) -> str:
    try:
        # Version 2 of the format tells every type from every other, and nothing else than types and values.
        content = (margin, marshal.dumps(value, 2))
    except ValueError:  # not plain data; what is wrong with it is said where it is written
        content = None
    text = _REMEMBERED.get(content) if content else None
    if text is None:
        parts: list[str] = []
        _write(value, margin, parts.append)
        text = "".join(parts)
        if content:
            _remember(_REMEMBERED, content, text)
    return text


def _remember(memory: dict[K, V], key: K, value: V) -> None:
    if len(memory) >= _MOST_REMEMBERED:
        memory.clear()
    memory[key] = value


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise DefinitionError(f"{value} in a dashboard", fix="JSON has no NaN and no infinity")
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else float.__repr__(value)
    raise DefinitionError(f"{short(value)} in a dashboard is not plain data")

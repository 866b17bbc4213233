"""Dashboard JSON as bytes: the same bytes for the same dashboard, laid out for ``git diff``.

Python's json is slow where it indents (it leaves C), so the layout is made here. Panels repeat much of each
other, so a part that was written before, of equal content and at equal depth, is not written again.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

from builder.errors import DefinitionError

_STEP = "  "
_REMEMBERED: dict[tuple[str, bytes], str] = {}
_MOST_REMEMBERED = 512


def encode(dashboard: Mapping[str, Any]) -> bytes:
    """Sorted keys, two spaces a level, UTF-8, a final newline; whole floats as integers.

    Raises DefinitionError for NaN and infinity, which JSON does not have, and for what is not plain data.
    """
    parts: list[str] = []
    try:
        _write(dashboard, "\n", parts.append)
        parts.append("\n")
        return "".join(parts).encode()
    except TypeError as error:
        raise DefinitionError(f"a dashboard with a key that is not a string: {error}") from None
    except UnicodeEncodeError as error:
        raise DefinitionError(f"a dashboard with half a character: {error.object[error.start : error.end]!r}") from None


def _write(value: Any, margin: str, put: Any) -> None:
    kind = value.__class__
    if kind is dict:
        if not value:
            put("{}")
            return
        inner = margin + _STEP
        lead = "{" + inner
        for key in sorted(value):
            member = value[key]
            member_kind = member.__class__
            if member_kind is str:
                put(f"{lead}{encode_basestring(key)}: {encode_basestring(member)}")
            elif member_kind is dict:
                put(f"{lead}{encode_basestring(key)}: {_remembered(member, inner)}")
            elif member_kind is list:
                put(f"{lead}{encode_basestring(key)}: ")
                _write(member, inner, put)
            else:
                put(f"{lead}{encode_basestring(key)}: {_scalar(member)}")
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
            if len(_REMEMBERED) >= _MOST_REMEMBERED:
                _REMEMBERED.clear()
            _REMEMBERED[content] = text
    return text


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
    raise DefinitionError(f"{value!r} in a dashboard is not plain data")

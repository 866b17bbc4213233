"""Template variables as a dashboard declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from builder.lint.finding import Place
from builder.lint.model import Variable
from builder.lint.shape import below, items, mapping, text

BUILT_IN = re.compile(r"__\w+|timeFilter|interval_ms|__interval")
"""Names that Grafana itself replaces."""

_COMMA = re.compile(r"(?<!\\),")


def variable_of(data: Mapping[str, Any], place: Place) -> Variable:
    """The variable that this JSON declares."""
    kind = text(data.get("type"))
    query = data.get("query")
    written = text(query) or text(below(query, "query")) or text(data.get("definition"))
    return Variable(
        text(data.get("name")),
        kind,
        data,
        place,
        written,
        _values(kind, written, data),
        data.get("multi") is True or data.get("includeAll") is True,
    )


def _values(kind: str, query: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    if kind in ("custom", "interval"):
        parts = (part.strip().replace("\\,", ",") for part in _COMMA.split(query))
        values = [part.partition(" : ")[2].strip() or part for part in parts if part]
        return tuple(values) or tuple(text(below(option, "value")) for option in items(data.get("options")))
    if kind in ("constant", "textbox"):
        current = text(mapping(data.get("current")).get("value"))
        return tuple(dict.fromkeys(value for value in (query, current) if value))
    return ()

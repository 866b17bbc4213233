"""PromQL that reached a panel as JSON, not as an answer of the catalogue: it is parsed like any other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from builder.errors import QueryError, short
from builder.promql.parse import check_query

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Inf|NaN")
_COMMA = re.compile(r"(?<!\\),")


def number_variables(variables: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Names of the variables (as JSON) that stand for one number, whichever of their values is chosen."""
    return frozenset(variable["name"] for variable in variables if _is_number(variable))


def _is_number(variable: Mapping[str, Any]) -> bool:
    kind, query = variable.get("type"), variable.get("query")
    if variable.get("multi") or variable.get("includeAll") or not isinstance(query, str):
        return False
    if kind == "interval":  # Prometheus takes 5m for 300 where it wants a number
        return True
    if kind == "custom":
        values = [word.rpartition(" : ")[2].strip() for word in _COMMA.split(query)]
        return all(map(_NUMBER.fullmatch, values))
    return kind in ("constant", "textbox") and bool(_NUMBER.fullmatch(query))


def check_target(target: Any, source: Mapping[str, Any], numbers: frozenset[str]) -> None:
    """Parse the PromQL of a target (as JSON), ``source`` being the data source of its panel. Raises QueryError."""
    if not isinstance(target, Mapping) or not isinstance(target.get("expr"), str):
        return
    asked = target.get("datasource") or source
    if asked.get("type", "prometheus") == "prometheus":
        check_query(target["expr"], numbers)


def check_queries(panel: Mapping[str, Any], numbers: frozenset[str]) -> None:
    """Parse the PromQL of a panel and of what it folds away. Raises QueryError with the panel's title."""
    for target in panel.get("targets", ()):
        try:
            check_target(target, panel.get("datasource", {}), numbers)
        except QueryError as error:
            raise error.at(f"panel {short(panel.get('title', ''))}") from None
    for child in panel.get("panels", ()):
        check_queries(child, numbers)

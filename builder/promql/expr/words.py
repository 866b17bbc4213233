"""The words and signs of PromQL: operators and how tightly they bind, numbers, strings, names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from builder.catalog.model import Match
from builder.errors import QueryError

OPEN: frozenset[str] = frozenset({"*"})
"""The label set of raw series: nobody knows which labels they carry."""

RATE_INTERVAL = "$__rate_interval"
"""Grafana's window: four times the scrape interval or more."""

ATOM, MUL, ADD, COMPARE, AND, OR = 9, 5, 4, 3, 2, 1
PRECEDENCE = {"*": MUL, "/": MUL, "%": MUL, "+": ADD, "-": ADD, "and": AND, "unless": AND, "or": OR}
PRECEDENCE |= dict.fromkeys(("==", "!=", ">", "<", ">=", "<="), COMPARE)
SET_OPERATORS = ("and", "or", "unless")

_UNITS = "".join(rf"(\d+{unit})?" for unit in ("y", "w", "d", "h", "m", "s", "ms"))
_DURATION = re.compile(rf"(?=.*[1-9]){_UNITS}|\$\w+")
_METRIC_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_MATCHERS = r'\{([^"}]|"([^"\\]|\\.)*")*\}'
_SELECTOR = re.compile(rf"[a-zA-Z_:][a-zA-Z0-9_:]*({_MATCHERS})?|{_MATCHERS}")
_LABEL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


def quote(value: str) -> str:
    """A PromQL string literal."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def number(value: float) -> str:
    """A PromQL number; whole ones without a decimal point."""
    if not math.isfinite(value):
        raise QueryError(f"{value!r} is not a number that a query can use", fix="write a finite number")
    whole = int(value) if value == int(value) and abs(value) < 1e15 else None
    return str(whole) if whole is not None else repr(value)


def duration(text: str) -> str:
    """The duration, or one of Grafana's variables for one."""
    if not _DURATION.fullmatch(text):
        raise QueryError(f"{text!r} is not a duration", fix='write it like "5m", or use RATE_INTERVAL')
    return text


def label_name(name: str) -> str:
    """The label's name, if it can be one."""
    if not _LABEL_NAME.fullmatch(name):
        raise QueryError(f"{name!r} is not a label name", fix="letters, digits and _ only")
    return name


def metric_name(name: str) -> str:
    """The metric's name, if it can be one."""
    if not _METRIC_NAME.fullmatch(name):
        raise QueryError(f"{name!r} is not a metric name", fix="letters, digits, _ and : only")
    return name


def matchers_text(matchers: Iterable[Match]) -> str:
    """Label matchers as they stand between the braces of a selector."""
    return ",".join(f"{label_name(m.label)}{m.op}{quote(m.value)}" for m in matchers)


def is_selector(text: str) -> bool:
    """True for the selector of raw series, which alone takes a range without a subquery."""
    return bool(_SELECTOR.fullmatch(text))

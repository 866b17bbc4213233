"""Grafana's variable interpolation, as its data sources do it.

What a variable turns into depends on the variable and on where it is used: the Prometheus data source
escapes a plain variable for ``=``, and a variable that can hold several values for ``=~``. The rules are
those of Grafana 12 (packages/grafana-prometheus/src/escaping.ts; formats: @grafana/scenes formatRegistry).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from builder.errors import QueryError

Style = Literal["prometheus", "loki", "text"]

REFERENCE = re.compile(
    r"\$(?P<plain>\w+)"
    r"|\[\[(?P<bracket>\w+?)(?::(?P<bracket_format>\w+))?\]\]"
    r"|\$\{(?P<brace>\w+)(?:\.[^:}]+)?(?::(?P<brace_format>[^}]+))?\}",
    re.ASCII,
)
"""A variable in a text: ``$name``, ``[[name]]``, ``${name}``, ``${name:format}``."""


@dataclass(frozen=True)
class All:
    """The choice "All": ``all_value`` as it is where one is set, else every option."""

    options: tuple[str, ...] = ()
    all_value: str = ""


Value = str | Sequence[str] | All
"""A plain string belongs to a variable that is neither multi nor includeAll, a sequence to one that is."""


@dataclass(frozen=True)
class Window:
    """The time range of a panel and what Grafana derives from it; all in seconds (start, end: Unix time)."""

    interval: float
    rate_interval: float
    range: float
    start: float = 0.0
    end: float = 0.0

    def values(self) -> dict[str, str]:
        """The built-in variables of the Prometheus data source."""
        return {
            "__interval": duration(self.interval),
            "__interval_ms": str(round(self.interval * 1000)),
            "__rate_interval": duration(self.rate_interval),
            "__rate_interval_ms": str(round(self.rate_interval * 1000)),
            "__range": f"{round(self.range)}s",
            "__range_s": str(round(self.range)),
            "__range_ms": str(round(self.range * 1000)),
            "__from": str(round(self.start * 1000)),
            "__to": str(round(self.end * 1000)),
        }


def substitute(
    text: str,
    values: Mapping[str, Value],
    *,
    window: Window | None = None,
    style: Style = "prometheus",
    quotes: bool = False,
) -> str:
    """Replace every known variable; unknown names stay as they are (``$1`` of label_replace among them).

    ``style`` says who interpolates: the Prometheus or the Loki data source, or a title or link (``text``).
    ``quotes`` is Grafana's toggle prometheusSpecialCharsInLabelValues: without it (the default up to
    Grafana 13) a double quote in a value is not escaped and breaks the expression, as it does in Grafana.
    """
    built_in = window.values() if window else {}

    def replace(match: re.Match[str]) -> str:
        name = match["plain"] or match["bracket"] or match["brace"]
        fmt = match["bracket_format"] or match["brace_format"] or ""
        if name in values:
            return _insert(name, values[name], fmt, style, quotes)
        return built_in.get(name, match[0])

    return REFERENCE.sub(replace, text)


def references(text: str) -> tuple[str, ...]:
    """Names of the variables in a text, in order of appearance, each once; numbers are groups, not names."""
    found = (m["plain"] or m["bracket"] or m["brace"] for m in REFERENCE.finditer(text))
    return tuple(dict.fromkeys(name for name in found if not name.isdigit()))


def unresolved(text: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Names of variables that a substituted text still holds, apart from the known ones."""
    allowed = set(known)
    return tuple(name for name in references(text) if name not in allowed)


def duration(seconds: float) -> str:
    """A PromQL duration: whole seconds, or milliseconds where there is a fraction."""
    return f"{round(seconds)}s" if seconds == int(seconds) else f"{round(seconds * 1000)}ms"


def _insert(name: str, value: Value, fmt: str, style: Style, quotes: bool) -> str:
    if fmt == "queryparam":
        chosen = ["$__all"] if isinstance(value, All) else _chosen(value)
        return "&".join(f"var-{name}={_percent(v)}" for v in chosen)
    if isinstance(value, All):
        if fmt == "text":
            return "All"
        if value.all_value:
            return _percent(value.all_value) if fmt == "percentencode" else value.all_value
    if fmt:
        return _format(fmt, _chosen(value))
    if style == "text":
        return _glob(_chosen(value))
    if isinstance(value, str):
        return _plain(value, style, quotes)
    escaped = [_regex(v, quotes and style == "prometheus") for v in _chosen(value)]
    if len(escaped) == 1:
        return escaped[0]
    joined = "|".join(escaped)
    return f"({joined})" if style == "prometheus" else joined


def _chosen(value: Value) -> list[str]:
    if isinstance(value, str):
        return [value]
    return list(value.options if isinstance(value, All) else value)


def _plain(value: str, style: Style, quotes: bool) -> str:
    if style == "loki":
        return value.replace("\\", "\\\\").replace("'", "\\\\'")
    if quotes:
        if re.fullmatch(r'\w+(=|!=|=~|!~)".*"', value):
            return value  # a whole matcher held in a variable keeps its quotes
        return value.replace("\\", "\\\\").replace('"', '\\"')
    return value.replace("\\", "\\\\").replace("'", "\\\\'")


def _regex(value: str, quotes: bool) -> str:
    """For a regular expression inside a double-quoted string, hence the doubled backslashes."""
    escaped = value.replace("\\", "\\\\\\\\")
    if quotes:
        return re.sub(r"[$^*{}\[\]'+?.()|]", r"\\\\\g<0>", escaped.replace('"', '\\\\\\"'))
    return re.sub(r"[$^*{}\[\]+?.()|]", r"\\\\\g<0>", escaped)


def _format(fmt: str, values: list[str]) -> str:
    name = fmt.split(":", 1)[0]
    if name in _UNSUPPORTED:
        raise QueryError(f"the variable format {fmt!r} is not supported here", fix="use one of " + ", ".join(_FORMATS))
    return _FORMATS.get(name, _glob)(values)  # Grafana, too, takes an unknown format for glob


def _glob(values: list[str]) -> str:
    return values[0] if len(values) == 1 else "{" + ",".join(values) + "}" if values else ""


def _format_regex(values: list[str]) -> str:
    escaped = [re.sub(r"[\\^$*+?.()|\[\]{}/]", r"\\\g<0>", v) for v in values]
    return escaped[0] if len(escaped) == 1 else f"({'|'.join(escaped)})"


def _format_json(values: list[str]) -> str:
    return json.dumps(values[0] if len(values) == 1 else values, ensure_ascii=False, separators=(",", ":"))


def _percent(text: str) -> str:
    return quote(text, safe="-_.~")


_UNSUPPORTED = frozenset({"date", "lucene", "distributed", "join", "customqueryparam"})
_FORMATS: dict[str, Callable[[list[str]], str]] = {
    "raw": ",".join,
    "csv": ",".join,
    "pipe": "|".join,
    "glob": _glob,
    "regex": _format_regex,
    "json": _format_json,
    "text": " + ".join,
    "percentencode": lambda values: _percent(_glob(values)),
    "uriencode": lambda values: quote(_glob(values), safe="-_.~!*'();,/?:@&=+$#"),
    "singlequote": lambda values: ",".join("'" + v.replace("'", "\\'") + "'" for v in values),
    "doublequote": lambda values: ",".join('"' + v.replace('"', '\\"') + '"' for v in values),
    "sqlstring": lambda values: ",".join("'" + v.replace("'", "''") + "'" for v in values),
}
FORMATS = frozenset({*_FORMATS, *_UNSUPPORTED, "queryparam"})
"""What may follow the colon in ``${name:format}``; Grafana takes any other word for glob, without a word about it."""

"""Log selectors: the same selector text for a logs panel and for a jump to Explore.

    LogSelector('{namespace="{namespace}",pod="{pod}",container="{container}"}')

``{pod}`` inside a quoted value stands for the canonical label of that name. A panel fills it from the board's
variables; an Explore link from the labels or columns of what was clicked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from builder.catalog.model import LABELS
from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.links import Link, Where, placeholder

_MATCH = re.compile(r'(?P<op>\|=|\|~|=~|!~|!=|=)(?P<space>\s*)(?P<value>"(?:[^"\\]|\\.)*"|`[^`]*`)')
_STREAM = re.compile(r'\{((?:[^"`}]|"(?:[^"\\]|\\.)*"|`[^`]*`)*)\}')
_STREAM_MATCHER = re.compile(r'\w+\s*(?:=~|!~|!=|=)\s*(?P<value>"(?:[^"\\]|\\.)*"|`[^`]*`)')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
_FIELD = re.compile(r"\{([a-z]+)\}")
_REGEX_OF = {"=": "=~", "!=": "!~", "|=": "|~"}
_REGEX_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
_FIRST_MARK = 0xE000  # private use: marks a placeholder while the text around it is escaped and encoded


@dataclass(frozen=True)
class LogSelector:
    """A LogQL selector, and a pipeline if wanted, whose quoted values may name canonical labels."""

    template: str

    def __post_init__(self) -> None:
        text = self.template.strip()
        matches = list(_MATCH.finditer(text))
        outside = _STRING.sub("", _MATCH.sub("", text))
        if not re.match(r"\{[^{}]*\}", outside) or not matches or '"' in outside or "`" in outside:
            raise DefinitionError(
                f"{short(self.template)} is not a log selector",
                fix='write it like {namespace="{namespace}",pod="{pod}"}',
            )
        if any(ord(character) >= _FIRST_MARK and ord(character) <= 0xF8FF for character in text):
            raise DefinitionError("a private-use character in a log selector")
        for name in self.fields:
            if name not in LABELS:
                raise UnknownName("label", name, LABELS, where=f"log selector {self.template}")

    @property
    def fields(self) -> tuple[str, ...]:
        """The canonical labels it needs, in order of first use."""
        found = (name for match in _MATCH.finditer(self.template) for name in _FIELD.findall(match["value"]))
        return tuple(dict.fromkeys(found))

    def within(self, known: Collection[str]) -> LogSelector | None:
        """The selector without the matchers whose label is not known; None where nothing would be left."""
        if set(self.fields) <= set(known):
            return self
        stream = _STREAM.match(self.template.strip())
        if stream is None:
            return None
        rest = self.template.strip()[stream.end() :]
        kept = [
            matcher[0]
            for matcher in _STREAM_MATCHER.finditer(stream[1])
            if set(_FIELD.findall(matcher["value"])) <= set(known)
        ]
        if not kept or not set(_FIELD.findall(rest)) <= set(known):
            return None
        return LogSelector("{" + ",".join(kept) + "}" + rest)

    def for_panel(
        self, variables: Mapping[str, str] | None = None, *, multi: Collection[str] = (), rest: str = ""
    ) -> str:
        """LogQL for a logs panel. ``variables`` maps canonical labels to board variables (else same name).

        ``multi`` names the variables that may hold several values or All: Grafana writes those as a regular
        expression, so their matcher becomes one.
        """
        names = dict(variables or {})

        def fill(field: str) -> str:
            return f"${{{names.get(field, field)}}}"

        several = {field for field in self.fields if names.get(field, field) in multi}
        return self._fill(fill, several, lambda text: text) + rest

    def _fill(self, fill: Callable[[str], str], several: Collection[str], mark: Callable[[str], str]) -> str:
        """The text with every field filled; matchers of a field with ``several`` values become patterns."""

        def replace(match: re.Match[str]) -> str:
            op, value = match["op"], _unquoted(match["value"])
            fields = _FIELD.findall(value)
            if not fields:
                return match[0]
            regular = op in _REGEX_OF and any(field in several for field in fields)
            literal = _regex_escaped if regular else str
            parts = _FIELD.split(value)  # literal, field, literal, field, ..., literal
            filled = "".join(
                mark(fill(part)) if place % 2 else _logql_escaped(literal(part)) for place, part in enumerate(parts)
            )
            return f'{_REGEX_OF[op] if regular else op}{match["space"]}"{filled}"'

        return _MATCH.sub(replace, self.template.strip())


def explore_logs(
    selector: LogSelector,
    *,
    title: str = "Logs in Explore",
    datasource: str = "loki",
    where: Where = "labels",
    sources: Mapping[str, str] | None = None,
    multi: Collection[str] = (),
    new_tab: bool = True,
) -> Link:
    """A link to Explore: the selector's logs in the board's time range.

    ``datasource`` is the board's Loki variable. ``sources`` maps canonical labels to the labels, columns or
    variables (by ``where``) that hold their values, else the same name; ``multi`` names the variables that
    may hold several values. Every character of a value arrives as it is, except ``"``, ``\\`` and control
    characters, which would end the JSON that Explore reads: no name of a host, pod or container has them.
    """
    names = dict(sources or {})
    marks: list[str] = []

    def mark(text: str) -> str:
        marks.append(text)
        return chr(_FIRST_MARK + len(marks) - 1)

    several = {field for field in selector.fields if where == "variables" and names.get(field, field) in multi}

    def fill(field: str) -> str:
        return placeholder(names.get(field, field), where, "pipe" if field in several else "percentencode")

    expr = selector._fill(fill, several, mark)
    source = mark(f"${{{datasource}:percentencode}}")
    query: dict[str, Any] = {
        "refId": "A",
        "datasource": {"type": "loki", "uid": source},
        "editorMode": "code",
        "expr": expr,
        "queryType": "range",
    }
    span = {"from": mark("${__from}"), "to": mark("${__to}")}
    panes = {"gpu": {"datasource": source, "queries": [query], "range": span}}
    encoded = json.dumps(panes, ensure_ascii=False, separators=(",", ":"))
    url = "".join(
        marks[ord(character) - _FIRST_MARK]
        if 0 <= ord(character) - _FIRST_MARK < len(marks)
        else quote(character, safe="")
        for character in encoded
    )
    return Link(title, f"/explore?schemaVersion=1&panes={url}", new_tab)


def _unquoted(literal: str) -> str:
    if literal.startswith("`"):
        return literal[1:-1]
    try:
        value = json.loads(literal)
    except json.JSONDecodeError:
        raise DefinitionError(f"{literal} is not a quoted value", fix=r"write \\ for a backslash") from None
    return str(value)


def _logql_escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _regex_escaped(text: str) -> str:
    return _REGEX_SPECIAL.sub(lambda match: "\\" + match[0], text)

"""From dashboard JSON of any age and make to the model that rules look at.

Reads schemaVersion 12 (``rows``) to 42, bare or wrapped (``{"dashboard": ...}``, a Kubernetes resource's
``spec``). What has the wrong type is noted as an oddity and read as if it were not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from builder.errors import QueryError
from builder.lint.finding import Place
from builder.lint.links import board_links
from builder.lint.model import Board, Oddity, Panel, Query, Row, Subject, Variable
from builder.lint.promql.reading import read
from builder.lint.shape import below, items, mapping, named, text, whole
from builder.lint.sources import Sources
from builder.lint.variables import variable_of

_MAX_ROWS_DEEP = 5  # Grafana has one level; a file may pretend to more


def unwrapped(data: Any) -> tuple[Place, Mapping[str, Any]] | None:
    """Where in a document the dashboard is, and the dashboard; None where there is none."""
    if isinstance(data, Mapping):
        for place, candidate in (((), data), (("dashboard",), data.get("dashboard")), (("spec",), data.get("spec"))):
            if isinstance(candidate, Mapping) and _KEYS & candidate.keys():
                return place, candidate
    return None


_KEYS = {"panels", "rows", "templating", "schemaVersion"}


def board_of(subject: Subject) -> Board:
    """The dashboard of a subject."""
    place, data = unwrapped(subject.data) or ((), mapping(subject.data))
    return _Reader(subject, place, data).board()


@dataclass
class _Reader:
    subject: Subject
    root: Place
    data: Mapping[str, Any]
    oddities: list[Oddity] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def board(self) -> Board:
        variables = tuple(self._variables())
        inputs = frozenset(text(below(i, "name")) for i in items(self.data.get("__inputs")) if below(i, "name"))
        self.sources = Sources(variables, items(self.data.get("__inputs")))
        self.numbers = frozenset(variable.name for variable in variables if variable.numeric)
        self._panels(self._list(self.data, "panels", self.root), (*self.root, "panels"), _Row())
        for index, row in self._objects(self._list(self.data, "rows", self.root), (*self.root, "rows")):
            self._old_row(row, (*self.root, "rows", index))
        for key in ("title", "uid"):
            self._expect(self.data, key, str, self.root)
        board = Board(
            self.subject,
            text(self.data.get("uid")),
            text(self.data.get("title")),
            self.data,
            variables,
            tuple(self.panels),
            tuple(self.rows),
            inputs=inputs,
            oddities=tuple(self.oddities),
            wrapped=self.root,
        )
        return replace(board, links=tuple(board_links(board)))

    def _variables(self) -> Iterator[Variable]:
        templating = self.data.get("templating")
        place = (*self.root, "templating")
        if templating is not None and not isinstance(templating, Mapping):
            self._odd(place, "an object", templating)
        listed = self._list(mapping(templating), "list", place)
        for index, model in self._objects(listed, (*place, "list")):
            self._expect(model, "name", str, (*place, "list", index))
            yield variable_of(model, (*place, "list", index))

    def _panels(self, listed: list[Any], place: Place, row: _Row) -> None:
        current = row
        for index, data in self._objects(listed, place):
            at = (*place, index)
            if data.get("type") == "row":
                current = self._row(data, at, row)
            else:
                self._panel(data, at, current)

    def _row(self, data: Mapping[str, Any], at: Place, outer: _Row) -> _Row:
        self.rows.append(Row(text(data.get("title")), whole(data.get("id")), at))
        repeats = outer.repeats | {name for name in (text(data.get("repeat")),) if name}
        inside = self._list(data, "panels", at)
        if inside and outer.depth >= _MAX_ROWS_DEEP:
            self.oddities.append(Oddity(at, f"rows inside rows, {_MAX_ROWS_DEEP} deep and more"))
        elif inside:
            row = _Row(text(data.get("title")), repeats, at, bool(data.get("collapsed")), outer.depth + 1)
            self._panels(inside, (*at, "panels"), row)
        return _Row(text(data.get("title")), repeats, outer.grid, outer.asleep, outer.depth)

    def _old_row(self, data: Mapping[str, Any], at: Place) -> None:
        self.rows.append(Row(text(data.get("title")), None, at))
        repeats = frozenset(name for name in (text(data.get("repeat")),) if name)
        row = _Row(text(data.get("title")), repeats, at, bool(data.get("collapse")), 1)
        self._panels(self._list(data, "panels", at), (*at, "panels"), row)

    def _panel(self, data: Mapping[str, Any], at: Place, row: _Row) -> None:
        for key in ("type", "title", "description"):
            self._expect(data, key, str, at)
        queries = [
            self._query(target, data, (*at, "targets", index))
            for index, target in self._objects(self._list(data, "targets", at), (*at, "targets"))
        ]
        own = text(data.get("repeat"))
        self.panels.append(
            Panel(
                text(data.get("title")),
                text(data.get("description")),
                text(data.get("type")),
                whole(data.get("id")),
                data,
                at,
                tuple(queries),
                row.title,
                row.repeats | ({own} if own else frozenset()),
                row.grid,
                row.asleep,
            )
        )

    def _query(self, data: Mapping[str, Any], panel: Mapping[str, Any], at: Place) -> Query:
        self._expect(data, "expr", str, at)
        expr = text(data.get("expr"))
        query = Query(
            text(data.get("refId")),
            expr,
            text(data.get("legendFormat")),
            self.sources.language(data, panel),
            data,
            at,
            bool(data.get("hide")),
        )
        if query.language != "prometheus" or not expr.strip():
            return query
        try:
            return replace(query, tree=read(expr, self.numbers))
        except QueryError as error:
            return replace(query, error=error)

    def _list(self, data: Mapping[str, Any], key: str, place: Place) -> list[Any]:
        value = data.get(key)
        if value is not None and not isinstance(value, list):
            self._odd((*place, key), "a list", value)
        return items(value)

    def _objects(self, listed: list[Any], place: Place) -> Iterator[tuple[int, Mapping[str, Any]]]:
        for index, item in enumerate(listed):
            if isinstance(item, Mapping):
                yield index, item
            else:
                self._odd((*place, index), "an object", item)

    def _expect(self, data: Mapping[str, Any], key: str, kind: type, place: Place) -> None:
        value = data.get(key)
        if value is not None and not isinstance(value, kind):
            self._odd((*place, key), "text", value)

    def _odd(self, place: Place, wanted: str, value: Any) -> None:
        self.oddities.append(Oddity(place, f"{place[-1]} should be {wanted} and is {named(value)}"))


@dataclass(frozen=True)
class _Row:
    """The row that the next panels belong to."""

    title: str = ""
    repeats: frozenset[str] = frozenset()
    grid: Place = ()
    asleep: bool = False
    depth: int = 0

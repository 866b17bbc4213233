"""A dashboard as rules see it: parts of the right type, each with its place in the JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from builder.errors import QueryError
from builder.lint.finding import Place
from builder.lint.promql.tree import Node


@dataclass(frozen=True)
class Subject:
    """A dashboard to look at: where it came from, its JSON, and its text where there is one.

    ``folder`` is what Grafana's folder would be: titles are unique in it. ``line`` is where it is defined,
    for a dashboard that was never a file.
    """

    file: str
    data: Any
    source: str = ""
    folder: str = ""
    line: int = 0


@dataclass(frozen=True)
class Oddity:
    """A part of the wrong type; it was read as if it were not there."""

    place: Place
    summary: str


@dataclass(frozen=True)
class Variable:
    """A template variable. ``values`` are those known from the dashboard; a query's are not."""

    name: str
    type: str
    data: Mapping[str, Any]
    place: Place
    query: str = ""
    values: tuple[str, ...] = ()
    several: bool = False

    @property
    def numeric(self) -> bool:
        """True where every known value is a number."""
        return bool(self.values) and all(_is_number(value) for value in self.values)


@dataclass(frozen=True)
class Query:
    """A query of a panel. ``language`` is prometheus, loki or something else; ``tree`` is for the first alone."""

    ref_id: str
    expr: str
    legend: str
    language: str
    data: Mapping[str, Any]
    place: Place
    hidden: bool = False
    tree: Node | None = None
    error: QueryError | None = None

    @property
    def parsed(self) -> Node:
        """The tree of a query that has one; rules on queries see no other."""
        if self.tree is None:
            raise ValueError(f"not read: {self.expr!r}")
        return self.tree


@dataclass(frozen=True)
class Panel:
    """A panel that is not a row. ``grid`` tells which panels share one grid; ``asleep`` is a collapsed row's."""

    title: str
    description: str
    type: str
    id: int | None
    data: Mapping[str, Any]
    place: Place
    queries: tuple[Query, ...] = ()
    row: str = ""
    repeats: frozenset[str] = frozenset()
    grid: Place = ()
    asleep: bool = False

    @property
    def asked(self) -> tuple[Query, ...]:
        """Its Prometheus queries that are not switched off."""
        return tuple(query for query in self.queries if query.language == "prometheus" and not query.hidden)


@dataclass(frozen=True)
class Row:
    """A row: a heading for the panels below it."""

    title: str
    id: int | None
    place: Place


@dataclass(frozen=True)
class Link:
    """A link to another board, from a panel, a series or the board's header."""

    url: str
    place: Place
    panel: Panel | None = None
    carries_variables: bool = False
    carries_time: bool = False


@dataclass(frozen=True)
class Board:
    """A dashboard with all its parts in reading order."""

    subject: Subject
    uid: str
    title: str
    data: Mapping[str, Any]
    variables: tuple[Variable, ...] = ()
    panels: tuple[Panel, ...] = ()
    rows: tuple[Row, ...] = ()
    links: tuple[Link, ...] = ()
    inputs: frozenset[str] = frozenset()
    oddities: tuple[Oddity, ...] = ()
    wrapped: Place = field(default=())

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        """Its variables by name; of two with one name Grafana takes the last."""
        return {variable.name: variable for variable in self.variables}

    @property
    def name(self) -> str:
        """What to call it."""
        return self.title or self.uid or self.subject.file


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True

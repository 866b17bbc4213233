"""What preview needs of query results. Whoever runs the queries gives objects of this shape; preview runs none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from builder.promql.substitute import Value


class Series(Protocol):
    """One time series: labels, points (Unix time, value), and its name in the legend."""

    @property
    def labels(self) -> Mapping[str, str]: ...
    @property
    def points(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def legend(self) -> str: ...


class Answer(Protocol):
    """The answer to one query of a panel, or the server's error; ``step`` and ``end`` in seconds."""

    @property
    def ref_id(self) -> str: ...
    @property
    def expr(self) -> str: ...
    @property
    def instant(self) -> bool: ...
    @property
    def step(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def series(self) -> Sequence[Series]: ...
    @property
    def error(self) -> str: ...


class Unasked(Protocol):
    """A query to another kind of data source, with the variables put in."""

    @property
    def ref_id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def expr(self) -> str: ...


class PanelAnswers(Protocol):
    """The answers of one panel, or of one copy of a repeated panel (``scope``: for which values)."""

    @property
    def id(self) -> int: ...
    @property
    def scope(self) -> Mapping[str, str]: ...
    @property
    def targets(self) -> Sequence[Answer]: ...
    @property
    def not_run(self) -> Sequence[Unasked]: ...


class Variable(Protocol):
    """A variable: every chosen value, with "All" spelled out; what stands in its place; the error of its query."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> Sequence[str]: ...
    @property
    def inserted(self) -> Value: ...
    @property
    def error(self) -> str: ...


class Opened(Protocol):
    """A dashboard that was opened: its variables by name, and the answers of all panels."""

    @property
    def variables(self) -> Mapping[str, Variable]: ...
    @property
    def panels(self) -> Sequence[PanelAnswers]: ...

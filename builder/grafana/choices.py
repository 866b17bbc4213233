"""A board's variables as Grafana takes them, each narrowed by those before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.errors import SignalMissing
from builder.grafana.board import Board, Values
from builder.grafana.context import PROMETHEUS, Context, Note
from builder.grafana.layout import Row
from builder.grafana.query import LogQuery, LogsLink
from builder.grafana.standard import datasource, loki
from builder.grafana.variables import QueryVariable
from builder.queries.source import Choices, Filter


def variables_of(board: Board, context: Context, notes: list[Note]) -> list[Any]:
    """The variables, the data sources that the board needs first; those the profile cannot fill drop out."""
    given = {getattr(variable, "name", "") for variable in board.variables}
    made: list[Any] = [] if "datasource" in given else [datasource]
    if "loki" not in given and _wants_logs(board):
        made.append(loki)
    filters: list[Filter] = []
    for variable in board.variables:
        if not isinstance(variable, Values):
            made.append(variable)
            continue
        try:
            choices = context.source(tuple(filters)).choices(variable.of)
        except SignalMissing as missing:
            notes.append(Note(board.uid, f"${variable.name}", f"the variable drops out: {missing}", missing.fix))
            continue
        # Also by variables that do not narrow the queries: $namespace shortens the list of $pod.
        filters.append(Filter(variable.of, f"${variable.name}"))
        made.append(_query_variable(variable, choices, context))
    return made


def _query_variable(variable: Values, choices: Choices, context: Context) -> QueryVariable:
    hidden = variable.of == "cluster" and not context.show_cluster
    return QueryVariable(
        variable.name,
        choices.query,
        label=variable.label,
        description=variable.description,
        hide="variable" if hidden else variable.hide,
        multi=variable.multi,
        include_all=variable.include_all,
        all_value=variable.all_value if variable.include_all else "",
        regex=choices.regex,
        sort=variable.sort,
        datasource=PROMETHEUS,
    )


def _wants_logs(board: Board) -> bool:
    for panel in _panels(board):
        if any(isinstance(query, LogQuery) for query in getattr(panel, "targets", None) or ()):
            return True
        if any(isinstance(link, LogsLink) for link in _links(panel)):
            return True
    return False


def _links(panel: Any) -> Iterator[Any]:
    yield from getattr(panel, "links", None) or ()
    yield from getattr(panel, "data_links", None) or ()
    for override in getattr(panel, "overrides", None) or ():
        for name, value in getattr(override, "properties", ()):
            if name == "links":
                yield from value


def _panels(board: Board) -> Iterator[Any]:
    for item in board.panels:
        yield from item.panels if isinstance(item, Row) else (item,)

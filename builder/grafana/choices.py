"""A board's variables as Grafana takes them, each narrowed by those before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.errors import DefinitionError, SignalMissing
from builder.grafana.board import Board, Values
from builder.grafana.context import LOKI, PROMETHEUS, Context, Note
from builder.grafana.layout import Row
from builder.grafana.normalise import clean_variable
from builder.grafana.query import LogQuery, LogsLink
from builder.grafana.standard import datasource, loki
from builder.grafana.variables import LokiQueryVariable, QueryVariable
from builder.queries.source import Choices, Filter


def variables_of(board: Board, context: Context, notes: list[Note]) -> list[dict[str, Any]]:
    """The variables' JSON, the data sources that the board needs first; those the profile cannot fill drop out.

    A variable that asks a data source and names none asks the board's.
    """
    return [_json(variable) for variable in _variables(board, context, notes)]


def _json(variable: Any) -> dict[str, Any]:
    data = clean_variable(variable, LOKI if isinstance(variable, LokiQueryVariable) else PROMETHEUS)
    kind = (data["type"], data.get("query"))
    for name, plugin in (("datasource", "prometheus"), ("loki", "loki")):
        if data["name"] == name and kind != ("datasource", plugin):
            raise DefinitionError(
                f"the variable {name} is not a data source of the type {plugin}",
                fix=f'call it something else: every board asks its {plugin} through "${name}"',
            )
    return data


def _variables(board: Board, context: Context, notes: list[Note]) -> list[Any]:
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
            notes.append(Note(board.uid, f"${variable.name}", True, (missing.signal,), missing.fix, variable=True))
            continue
        # Also by variables that do not narrow the queries: $namespace shortens the list of $pod.
        filters.append(variable.filter)
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
    if any(isinstance(variable, LokiQueryVariable) and variable.datasource is None for variable in board.variables):
        return True
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

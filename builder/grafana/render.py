"""From a board to dashboard JSON: questions become queries, names become checked references.

What the source cannot answer drops out with a note; a panel that would stay silently empty is never written.
"""

from __future__ import annotations

import collections
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

from builder.errors import DefinitionError, NothingLeft, UnknownName, short
from builder.grafana.alerts import AlertAnnotations, annotation_json
from builder.grafana.answers import Answers
from builder.grafana.board import BOARD_TAG, Board, Values
from builder.grafana.choices import variables_of
from builder.grafana.context import Context, Note
from builder.grafana.declared import is_number
from builder.grafana.frame import dashboard_json
from builder.grafana.ids import assign_ids
from builder.grafana.layout import pack, walk
from builder.grafana.normalise import clean_panel
from builder.grafana.panels.base import ModernPanel
from builder.grafana.panels.row import RowPanel
from builder.grafana.references import check_references
from builder.grafana.wording import with_thresholds
from builder.grafana.written import check_queries, number_variables


def render(board: Board, context: Context) -> tuple[dict[str, Any], list[Note]]:
    """The dashboard's JSON, and notes on what was left out."""
    notes: list[Note] = []
    variables = variables_of(board, context, notes)
    numbers = number_variables(variables)
    answers = Answers(board, context, notes, {variable["name"] for variable in variables}, numbers)
    items = list(answers.items(board.panels))
    if not items and not notes:
        raise DefinitionError("rows without a panel", fix="add a panel to one of them")
    if not items:
        missing = dict.fromkeys(name for note in notes if not note.variable for name in note.missing)
        raise NothingLeft(
            f"no panel is left: nothing exports {', '.join(missing)}", notes, fix="build it for another profile"
        )
    panels = assign_ids(pack(items))
    made_at = {panel.id: panel.made_at for _, panel in walk(panels) if isinstance(panel, ModernPanel)}
    data = dashboard_json(
        board.uid,
        board.title,
        board.question,
        sorted({BOARD_TAG, *board.tags}),
        [_panel_json(panel, numbers) for panel in panels],
        variables=variables,
        annotations=_annotations(board, context, {variable["name"] for variable in variables}),
        links=board.links,
        time_from=board.time_from or context.time_from,
        time_to=board.time_to,
        refresh=board.refresh or context.refresh,
    )
    for panel in data["panels"]:
        for each in (*panel.get("panels", ()), panel):
            try:
                _resolve_thresholds(each, context.thresholds)
            except DefinitionError as error:
                error.made_at = made_at.get(each.get("id"))
                raise error.at(f"panel {short(each.get('title', ''))}") from None
            if "description" in each:
                each["description"] = with_thresholds(each["description"], context.thresholds)
    check_references(data, made_at)
    return data, notes


def lacking(board: Board, context: Context) -> list[Note]:
    """What ``render`` would leave out."""
    notes: list[Note] = []
    variables = variables_of(board, context, notes)
    answers = Answers(board, context, notes, {v["name"] for v in variables}, number_variables(variables))
    collections.deque(answers.items(board.panels), maxlen=0)
    return notes


def _annotations(board: Board, context: Context, declared: Collection[str]) -> list[Any]:
    """The board's annotations; alerts are narrowed by the variables that narrow its queries."""
    narrowing = (v for v in board.variables if isinstance(v, Values) and v.narrow and v.name in declared)
    filters = [variable.filter for variable in narrowing]
    return [
        annotation_json(each, filters, context.alerts) if isinstance(each, AlertAnnotations) else each
        for each in board.annotations
    ]


def _panel_json(panel: Any, numbers: frozenset[str]) -> dict[str, Any]:
    if not isinstance(panel, ModernPanel):
        stock = clean_panel(panel)
        check_queries(stock, numbers)
        return stock
    if isinstance(panel, RowPanel) and panel.panels:
        panel = panel.with_(panels=[_panel_json(child, numbers) for child in panel.panels])
    data: dict[str, Any] = panel.to_json_data()
    _name_single_value_column(data)
    if panel.extra:
        check_queries(data, numbers)
    return data


def _name_single_value_column(panel: dict[str, Any]) -> None:
    """Grafana calls a value column ``Value #A`` only where there are several queries, else ``Value``."""
    if len(panel.get("targets", ())) != 1:
        return
    for step in panel.get("transformations", ()):
        if step["id"] == "organize":
            for names in (step.get("options", {}).get(key, {}) for key in ("renameByName", "indexByName")):
                for column in [name for name in names if name.startswith("Value #")]:
                    names["Value"] = names.pop(column)


def _resolve_thresholds(node: Any, known: Mapping[str, float]) -> None:
    """Names of configured thresholds become their values, wherever thresholds stand."""
    if isinstance(node, dict):
        steps = node.get("steps")
        if isinstance(steps, list):
            for step in steps:
                name = step.get("value") if isinstance(step, dict) else None
                if isinstance(name, str):
                    if name not in known:
                        raise UnknownName("threshold", name, known)
                    step["value"] = known[name]
            values = [step["value"] for step in steps if isinstance(step, dict) and step.get("value") is not None]
            if not all(map(is_number, values)):
                raise DefinitionError(f"thresholds that are no numbers: {short(values)}")
            if any(low >= high for low, high in pairwise(values)):
                raise DefinitionError(
                    f"thresholds do not ascend: {', '.join(f'{value:g}' for value in values)}",
                    fix="change the thresholds of the configuration, or the order of the steps",
                )
    for value in node.values() if isinstance(node, dict) else node:
        if isinstance(value, dict | list):
            _resolve_thresholds(value, known)

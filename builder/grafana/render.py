"""From a board to dashboard JSON: questions become queries, names become checked references.

What the source cannot answer drops out with a note; a panel that would stay silently empty is never written.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from builder.errors import DefinitionError, UnknownName
from builder.grafana.answers import Answers
from builder.grafana.board import TAG, Board
from builder.grafana.choices import variables_of
from builder.grafana.context import Context, Note
from builder.grafana.frame import dashboard_json
from builder.grafana.ids import assign_ids
from builder.grafana.layout import pack
from builder.grafana.normalise import clean_panel
from builder.grafana.panels.base import ModernPanel
from builder.grafana.references import check_references


def render(board: Board, context: Context) -> tuple[dict[str, Any], list[Note]]:
    """The dashboard's JSON, and notes on what was left out."""
    notes: list[Note] = []
    variables = variables_of(board, context, notes)
    answers = Answers(board, context, notes, {variable.name for variable in variables})
    items = list(answers.items(board.panels))
    if not items:
        raise DefinitionError(
            "no panel is left: the profile exports none of its signals", fix="build it for another profile"
        )
    data = dashboard_json(
        board.uid,
        board.title,
        board.question,
        sorted({TAG, *board.tags}),
        [_panel_json(panel) for panel in assign_ids(pack(items))],
        variables=variables,
        annotations=board.annotations,
        links=board.links,
        time_from=board.time_from or context.time_from,
        time_to=board.time_to,
        refresh=board.refresh or context.refresh,
    )
    _resolve_thresholds(data["panels"], context.thresholds)
    check_references(data)
    return data, notes


def _panel_json(panel: Any) -> dict[str, Any]:
    data: dict[str, Any] = panel.to_json_data()
    if not isinstance(panel, ModernPanel):
        return clean_panel(data)
    for child in [data, *data.get("panels", ())]:
        _name_single_value_column(child)
    return data


def _name_single_value_column(panel: dict[str, Any]) -> None:
    """Grafana calls a value column ``Value #A`` only where there are several queries, else ``Value``."""
    if len(panel.get("targets", ())) != 1:
        return
    for step in panel.get("transformations", ()):
        if step["id"] == "organize":
            for names in (step["options"]["renameByName"], step["options"]["indexByName"]):
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
            if any(low >= high for low, high in pairwise(values)):
                raise DefinitionError(
                    f"thresholds do not ascend: {', '.join(f'{value:g}' for value in values)}",
                    fix="change the thresholds of the configuration, or the order of the steps",
                )
    for value in node.values() if isinstance(node, dict) else node:
        if isinstance(value, dict | list):
            _resolve_thresholds(value, known)

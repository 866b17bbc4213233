"""missing-unit: a bare number."""

from __future__ import annotations

from builder.catalog.model import Unit
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.promql.quantity import measure
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below, items
from builder.lint.units import SILENT, unit_of, units_of
from builder.lint.world import World

_SHOWS_VALUES = frozenset(
    [
        "stat",
        "gauge",
        "bargauge",
        "timeseries",
        "graph",
        "singlestat",
        "barchart",
        "trend",
        "piechart",
        "histogram",
        "heatmap",
    ]
)
_UNITLESS = (Unit.NONE, Unit.COUNT, Unit.PER_SECOND)


def _check(panel: Panel, _board: Board, world: World) -> Hits:
    if panel.type not in _SHOWS_VALUES or items(below(panel.data, "fieldConfig", "defaults", "mappings")):
        return
    for query in panel.asked:
        quantity = measure(query.tree, world.facts) if query.tree else None
        if quantity is None or quantity.neutral or quantity.unit in _UNITLESS or units_of(panel, query) - SILENT:
            continue
        unit = unit_of(quantity)
        yield Hit(
            f"no unit for a value in {quantity.unit.value}",
            (),
            fix=f"set the unit {unit}" if unit else f"bring the value to {quantity.unit.value} and set the unit",
        )
        return


RULE = Rule(
    "missing-unit",
    Severity.WARNING,
    why="Exporters mix units: 70837 may be MiB, 1410 may be MHz, 0.9 may be 90 %. A bare number leaves the reader to "
    "guess. Counts, states and codes need none.",
    fix="set the unit of the field",
    on_panel=_check,
)

"""unit-mismatch: the panel's unit is not that of the numbers."""

from __future__ import annotations

from builder.catalog.model import Unit
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.quantity import Quantity, measure
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.units import MEANINGS, SILENT, fits, unit_of, units_of
from builder.lint.world import World

_WITHOUT_VALUES = ("heatmap", "text", "logs", "state-timeline", "status-history")


def _check(query: Query, panel: Panel, _board: Board, world: World) -> Hits:
    if panel.type in _WITHOUT_VALUES:
        return
    quantity = measure(query.parsed, world.facts)
    if quantity is None or quantity.neutral or quantity.unit is Unit.NONE:
        return
    units = sorted(units_of(panel, query))
    if any(unit in SILENT or fits(quantity, unit) is not False for unit in units):
        return  # one of the units that it may be shown in is right, or says nothing
    better = unit_of(quantity)
    fix = f"show it as {better}" if better else f"bring it to {quantity.unit.value} first"
    yield Hit(
        f"the value is {worded(quantity)}, shown as {' or '.join(units)}", ("expr",), fix, _worse(quantity, units)
    )


def _worse(quantity: Quantity, units: list[str]) -> Severity:
    """A few percent off (MiB shown as MB) misleads; another quantity or order of magnitude is wrong."""
    meanings = [MEANINGS[unit] for unit in units if unit in MEANINGS]
    near = any(
        m.unit is quantity.unit and m.zero == quantity.zero and 0.8 < m.factor / quantity.factor < 1.25
        for m in meanings
    )
    return Severity.WARNING if near else Severity.BUG


def worded(quantity: Quantity) -> str:
    """A quantity in words, such as ``in bytes``, ``in units of 1048576 bytes``."""
    if quantity.unit is Unit.COUNT:
        return "a count"
    if quantity.unit is Unit.RATIO:
        return {1.0: "a ratio from 0 to 1", 0.01: "a percentage from 0 to 100"}.get(
            round(quantity.factor, 12), f"a ratio, 1 / {quantity.factor:g} of it"
        )
    if quantity.unit is Unit.CELSIUS and (scale := unit_of(quantity)):
        return f"in {scale}"
    if quantity.factor == 1:
        return f"in {quantity.unit.value}"
    if quantity.unit is Unit.BYTES and quantity.factor == 1024.0**2:
        return "in MiB"
    return f"in units of {quantity.factor:.12g} {quantity.unit.value}"


RULE = Rule(
    "unit-mismatch",
    Severity.BUG,
    why="Exporters mix units: MiB, MHz, millijoules, ratios beside percentages. A unit that does not match the number "
    "shows a wrong value with a straight face.",
    fix="choose the unit that the number is in",
    on_query=_check,
)

"""Grafana's units as physical quantities, and which units a panel shows its values in.

Unit ids and what they mean: packages/grafana-data/src/valueFormats/categories.ts of Grafana.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.catalog.model import Unit
from builder.lint.promql.quantity import Quantity
from builder.lint.shape import below, items, mapping, text

if TYPE_CHECKING:
    from builder.lint.model import Panel, Query

KI, MI, GI, TI, PI = (1024.0**n for n in range(1, 6))


def _family(unit: Unit, **factors: float) -> dict[str, Quantity]:
    return {name: Quantity(unit, factor) for name, factor in factors.items()}


MEANINGS: dict[str, Quantity] = {
    **_family(Unit.RATIO, percentunit=1, percent=0.01, ppm=1e-6, conppb=1e-9),
    **_family(Unit.BYTES, bytes=1, kbytes=KI, mbytes=MI, gbytes=GI, tbytes=TI, pbytes=PI, bits=1 / 8, decbits=1 / 8),
    **_family(Unit.BYTES, decbytes=1, deckbytes=1e3, decmbytes=1e6, decgbytes=1e9, dectbytes=1e12, decpbytes=1e15),
    **_family(Unit.BYTES_PER_SECOND, Bps=1, KBs=1e3, MBs=1e6, GBs=1e9, TBs=1e12, PBs=1e15),
    **_family(Unit.BYTES_PER_SECOND, binBps=1, KiBs=KI, MiBs=MI, GiBs=GI, TiBs=TI, PiBs=PI),
    **_family(Unit.BYTES_PER_SECOND, bps=1 / 8, Kbits=125.0, Mbits=125e3, Gbits=125e6, Tbits=125e9, Pbits=125e12),
    **_family(Unit.BYTES_PER_SECOND, binbps=1 / 8, Kibits=KI / 8, Mibits=MI / 8, Gibits=GI / 8, Tibits=TI / 8),
    **_family(Unit.BYTES_PER_SECOND, Pibits=PI / 8),
    **_family(Unit.CELSIUS, celsius=1),
    **{name: Quantity(Unit.CELSIUS, 5 / 9, zero=32.0) for name in ("fahrenheit", "farenheit")},
    "kelvin": Quantity(Unit.CELSIUS, zero=273.15),
    **_family(Unit.WATTS, watt=1, kwatt=1e3, megwatt=1e6, gwatt=1e9, mwatt=1e-3),
    **_family(Unit.HERTZ, hertz=1, rotmhz=1e6, rotkhz=1e3, rothz=1, rotghz=1e9),
    **_family(Unit.JOULES, joule=1, watth=3600, kwatth=3.6e6, kwattm=60e3),
    **_family(Unit.SECONDS, s=1, ms=1e-3, ns=1e-9, m=60, h=3600, d=86_400, dtdurations=1, dtdurationms=1e-3),
    **_family(Unit.SECONDS, µs=1e-6, clocks=1, clockms=1e-3, dthms=1, dtdhms=1, timeticks=1e-2),
    **_family(Unit.PER_SECOND, cps=1, ops=1, reqps=1, rps=1, wps=1, iops=1, eps=1, mps=1, recps=1, rowsps=1, pps=1),
    **_family(Unit.PER_SECOND, cpm=1 / 60, opm=1 / 60, reqpm=1 / 60, rpm=1 / 60, wpm=1 / 60, recpm=1 / 60),
    **_family(Unit.PER_SECOND, epm=1 / 60, mpm=1 / 60, rowspm=1 / 60),
}
"""Units that say what a number is. ``hertz`` also serves for anything per second."""

FOREIGN = frozenset(
    (
        *("volt", "kvolt", "mvolt", "amp", "kamp", "mamp", "amph", "kamph", "mamph", "ohm", "kohm", "Mohm", "ev"),
        *("farad", "henry", "lumens", "lux", "dB", "dBm", "humidity", "radian", "rotrpm", "Hs", "KHs", "MHs", "GHs"),
        *("flops", "mflops", "gflops", "tflops", "pflops", "massmg", "massg", "masskg", "lengthmm", "lengthm"),
        *("pressurebar", "pressurepa", "mlitre", "litre", "velocityms", "velocitykmh", "pixel"),
    )
)
"""Units of what nothing in the catalogue measures: a number that is in a unit of its own is not in one of these.

One that is in none may have been converted by some constant, as watts to amperes by the voltage.
"""

SILENT = frozenset(("", "none", "short", "sishort", "locale", "string"))
"""Units that say nothing of what a number is."""

PREFERRED: dict[Unit, str] = {
    Unit.RATIO: "percentunit",
    Unit.BYTES: "bytes",
    Unit.BYTES_PER_SECOND: "Bps",
    Unit.CELSIUS: "celsius",
    Unit.WATTS: "watt",
    Unit.HERTZ: "hertz",
    Unit.JOULES: "joule",
    Unit.SECONDS: "s",
}
"""The unit for a value in the base unit."""


def fits(quantity: Quantity, unit: str) -> bool | None:
    """Whether a value of this quantity may be shown in the unit; None where the unit tells nothing."""
    meaning = MEANINGS.get(unit)
    if meaning is None:
        return False if unit in FOREIGN and unit_of(quantity) else None
    if quantity.unit in (Unit.PER_SECOND, Unit.HERTZ) and meaning.unit in (Unit.PER_SECOND, Unit.HERTZ):
        return quantity.factor == meaning.factor
    alike = quantity.unit is meaning.unit and abs(quantity.factor / meaning.factor - 1) < 1e-6
    return alike and _same_zero(quantity.zero, meaning.zero or 0.0)


def _same_zero(one: float | None, other: float) -> bool:
    """Whether numbers may count from the same zero: a sensor that is corrected by some degrees still does."""
    known = {meaning.zero for meaning in MEANINGS.values() if meaning.zero is not None}
    return one is None or min(known, key=lambda zero: abs(zero - one)) == other or all(abs(z - one) > 10 for z in known)


def unit_of(quantity: Quantity) -> str:
    """The Grafana unit that shows this quantity as it is, or nothing where there is none."""
    preferred = PREFERRED.get(quantity.unit, "")
    if preferred and fits(quantity, preferred):
        return preferred
    if quantity.unit is Unit.CELSIUS:
        return next((name for name in ("celsius", "fahrenheit", "kelvin") if fits(quantity, name)), "")
    return next((name for name, meaning in MEANINGS.items() if meaning == quantity), "")


def default_unit(panel: Panel) -> str:
    """The unit that a panel gives all its values, in the present form or one of the older ones."""
    data = panel.data
    if panel.type == "graph":
        axes = items(data.get("yaxes"))
        return text(below(axes[0], "format")) if axes else ""
    if panel.type == "singlestat":
        return text(data.get("format"))
    for keys in (("fieldConfig", "defaults", "unit"), ("options", "fieldOptions", "defaults", "unit")):
        if unit := text(below(data, *keys)):
            return unit
    if panel.type == "heatmap":
        present = below(data, "options", "yAxis", "unit"), below(data, "options", "cellValues", "unit")
        return next((text(unit) for unit in (*present, below(data, "yAxis", "format")) if text(unit)), "")
    return ""


def units_of(panel: Panel, query: Query) -> frozenset[str]:
    """Every unit in which this query's values may be shown: overrides cannot always be told apart."""
    found = {default_unit(panel)}
    for override in items(below(panel.data, "fieldConfig", "overrides")):
        unit = next((text(p.get("value")) for p in map(mapping, items(below(override, "properties")))
                     if p.get("id") == "unit"), "")  # fmt: skip
        if not unit:
            continue
        matcher, options = text(below(override, "matcher", "id")), below(override, "matcher", "options")
        if (matcher == "byFrameRefID" and options == query.ref_id) or (matcher == "byName" and options == query.legend):
            return frozenset((unit,))
        found.add(unit)
    if panel.type == "graph":
        found |= {text(below(axis, "format")) for axis in items(panel.data.get("yaxes"))[1:] if _has_right_axis(panel)}
    return frozenset(found)


def _has_right_axis(panel: Panel) -> bool:
    return any(below(override, "yaxis") == 2 for override in items(panel.data.get("seriesOverrides")))

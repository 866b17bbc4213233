"""The fixed names of Grafana that a dashboard may use: units, colours, reducers, colour modes.

Facts: grafanalib.formatunits for the units; @grafana/data 10.4 (Apache-2.0) for the rest. A name that
only a later Grafana knows is left out, so that a board looks the same from 10.4 on.
"""

from __future__ import annotations

import re

from grafanalib import formatunits

from builder.errors import DefinitionError, UnknownName, short
from builder.promql.substitute import REFERENCE

UNITS: frozenset[str] = frozenset(
    value for name, value in vars(formatunits).items() if name.isupper() and isinstance(value, str)
) | {"recps", "rowsps", "eps", "mps", "epm", "mpm", "recpm", "rowspm", "reqpm", "mwatth", "mohm"}
"""Unit ids. Those listed here in full are the ones Grafana 10.4 knows and grafanalib lacks."""

UNIT_FORMS = ("suffix:", "prefix:", "time:", "si:", "count:", "currency:", "bool:")
"""Free forms: what follows the colon is up to the author."""

COLOUR_MODES: frozenset[str] = frozenset(
    (
        "thresholds",
        "palette-classic",
        "palette-classic-by-name",
        "continuous-GrYlRd",
        "continuous-RdYlGr",
        "continuous-BlYlRd",
        "continuous-YlRd",
        "continuous-BlPu",
        "continuous-YlBl",
        "continuous-blues",
        "continuous-reds",
        "continuous-greens",
        "continuous-purples",
    )
)
"""Ways to colour a field by its value or place, other than one fixed colour."""

COLOURS: frozenset[str] = frozenset(
    f"{shade}{hue}"
    for hue in ("red", "orange", "yellow", "green", "blue", "purple")
    for shade in ("super-light-", "light-", "", "semi-dark-", "dark-")
) | {"transparent", "text", "white", "black", "gray"}

REDUCERS: frozenset[str] = frozenset(
    (
        "lastNotNull",
        "last",
        "firstNotNull",
        "first",
        "min",
        "max",
        "mean",
        "variance",
        "stdDev",
        "sum",
        "count",
        "range",
        "delta",
        "step",
        "diff",
        "diffperc",
        "logmin",
        "allIsZero",
        "allIsNull",
        "changeCount",
        "distinctCount",
        "allValues",
        "uniqueValues",
    )
)
"""Reductions of a field to one value that Grafana 10.4 knows (p1..p99 came with 11.1, median with 11.2)."""

HEATMAP_SCHEMES: frozenset[str] = frozenset(
    [
        "BrBG",
        "PiYG",
        "PRGn",
        "PuOr",
        "RdBu",
        "RdGy",
        "RdYlBu",
        "RdYlGn",
        "Spectral",
        "Blues",
        "Greens",
        "Greys",
        "Oranges",
        "Purples",
        "Reds",
        "Turbo",
        "Cividis",
        "Viridis",
        "Magma",
        "Inferno",
        "Plasma",
        "Warm",
        "Cool",
        "Cubehelix",
        "BuGn",
        "BuPu",
        "GnBu",
        "OrRd",
        "PuBuGn",
        "PuBu",
        "PuRd",
        "RdPu",
        "YlGnBu",
        "YlGn",
        "YlOrBr",
        "YlOrRd",
        "Rainbow",
        "Sinebow",
    ]
)

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NUMBER = r"\s*[0-9.]+%?\s*"
_RGB = re.compile(rf"rgb\({_NUMBER},{_NUMBER},{_NUMBER}\)|rgba\({_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}\)")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")


def check_unit(unit: object) -> None:
    """Refuse what is neither a unit id nor one of the free forms."""
    if isinstance(unit, str) and (unit in UNITS or unit.startswith(UNIT_FORMS)):
        return
    raise UnknownName("unit", unit, UNITS)


def check_colour(colour: object) -> None:
    """Refuse what is neither a name of Grafana's palette nor #hex nor rgb(a)."""
    if isinstance(colour, str) and (colour in COLOURS or _HEX.fullmatch(colour) or _RGB.fullmatch(colour)):
        return
    raise UnknownName("colour", colour, COLOURS)


def check_colour_or_mode(colour: object) -> None:
    """Refuse what is neither a colour nor a way to choose one."""
    if not isinstance(colour, str) or colour not in COLOUR_MODES:
        try:
            check_colour(colour)
        except UnknownName:
            raise UnknownName("colour or colour mode", colour, COLOURS | COLOUR_MODES) from None


def check_reducer(reducer: object) -> None:
    """Refuse what Grafana 10.4 cannot reduce with."""
    if not isinstance(reducer, str) or reducer not in REDUCERS:
        raise UnknownName("reducer", reducer, REDUCERS)


def check_heatmap_scheme(scheme: object) -> None:
    """Refuse what is not a colour scheme of the heatmap."""
    if not isinstance(scheme, str) or scheme not in HEATMAP_SCHEMES:
        raise UnknownName("heatmap colour scheme", scheme, HEATMAP_SCHEMES)


def check_variable_name(name: object) -> None:
    """Refuse what Grafana cannot substitute; names that start with __ are Grafana's own."""
    if not isinstance(name, str) or not _VARIABLE.fullmatch(name) or name.startswith("__"):
        raise DefinitionError(
            f"{short(name)} is not a variable name",
            fix="letters, digits and _, not starting with a digit or with __",
        )


def variable_named(text: str) -> str:
    """The name in what may be written ``node``, ``$node``, ``${node}`` or ``[[node]]``."""
    written = REFERENCE.fullmatch(text)
    return written["plain"] or written["bracket"] or written["brace"] if written else text


def colour_json(colour: str) -> dict[str, str]:
    """Grafana's ``color`` of a field: a mode, or one fixed colour."""
    return {"mode": colour} if colour in COLOUR_MODES else {"mode": "fixed", "fixedColor": colour}

"""The one place where looks are decided: colours by meaning, legends, sizes, units.

Good and bad are blue and red, not green and red, so that readers who cannot tell those apart see it too. The
colours of lines are from the palette of Okabe and Ito (2008), made for the same reason.
"""

from __future__ import annotations

from builder.catalog.model import Unit

# Meaning ----------------------------------------------------------------------------------------

GOOD = "semi-dark-blue"
WARNING = "yellow"
BAD = "dark-red"
NEUTRAL = "text"
MISSING = "#808080"

# What a line stands for -------------------------------------------------------------------------

UTILISATION = "#56B4E9"
MEMORY = "#0072B2"
TEMPERATURE = "#E69F00"
POWER = "#CC79A7"
FRAMEWORK = "#009E73"
GAP = "#D55E00"
LIMIT = "#999999"

# Scales -----------------------------------------------------------------------------------------

TEMPERATURE_SCHEME = "Inferno"
"""Heatmap scheme for temperatures: brightness rises with heat, so it reads without colour too."""
COUNT_SCHEME = "Blues"

# Legends. Override names rest on these, so both come from here -------------------------------------

CARD = "{{node}} gpu {{gpu}}"
INSTANCE = "{{node}} gpu {{gpu}} {{mig}}"
NODE = "{{node}}"
POD = "{{namespace}}/{{pod}}"

# Sizes: columns of 24, lines of 30 pixels ---------------------------------------------------------

FULL, HALF, THIRD = 24, 12, 8

_UNITS = {
    Unit.RATIO: "percentunit",
    Unit.BYTES: "bytes",
    Unit.BYTES_PER_SECOND: "Bps",
    Unit.CELSIUS: "celsius",
    Unit.WATTS: "watt",
    Unit.HERTZ: "hertz",
    Unit.JOULES: "joule",
    Unit.SECONDS: "s",
    Unit.COUNT: "short",
    Unit.PER_SECOND: "cps",
    Unit.NONE: "none",
}


def grafana_unit(unit: Unit) -> str:
    """Grafana's id for a unit of the catalogue."""
    return _UNITS[unit]

"""Numbers as Grafana writes them: unit, scale and decimals.

Rules: Grafana's packages/grafana-data/src/valueFormats.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime

from builder.preview.scaled import Scaled
from builder.preview.scaled import unit as named

_COUNT = Scaled("", prefixes=("", "K", "M", "B", "T"), start=0)
_COUNTED = {
    "cps": "c/s",
    "ops": "ops/s",
    "reqps": "req/s",
    "rps": "rd/s",
    "wps": "wr/s",
    "iops": "io/s",
    "eps": "evt/s",
    "mps": "msg/s",
    "recps": "rec/s",
    "rowsps": "rows/s",
    "cpm": "c/m",
    "opm": "ops/m",
    "reqpm": "req/m",
    "rpm": "rd/m",
    "wpm": "wr/m",
    "epm": "evts/m",
    "mpm": "msgs/m",
    "recpm": "rec/m",
    "rowspm": "rows/m",
}
_FIXED = {
    "celsius": " °C",
    "fahrenheit": " °F",
    "kelvin": " K",
    "percent": "%",
    "humidity": " %H",
    "none": "",
    "string": "",
    "rotrpm": " rpm",
    "dB": " dB",
    "ppm": " ppm",
    "currencyUSD": " $",
    "degree": "°",
    "locale": "",
}
_OWN = {"ns": "ns", "µs": "µs", "ms": "ms", "m": "min", "h": "hour", "d": "day"}
"""What a time of less than one of its unit is called: only seconds become something smaller."""

_SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPANS = (
    (60, 1, " s"),
    (3600, 60, " mins"),
    (86400, 3600, " hours"),
    (604800, 86400, " days"),
    (31536000, 604800, " weeks"),
)
_BELOW_A_SECOND = ((1e-6, 1e-9, " ns"), (1e-3, 1e-6, " µs"), (1, 1e-3, " ms"))


def format_value(value: float, unit: str = "", decimals: int | None = None) -> str:
    """A value in a unit, by Grafana's id of the unit; an unknown id is written behind the number.

    Without ``decimals`` there are as many as Grafana finds fit.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if unit == "percentunit":
        return _fixed(value * 100, decimals) + "%"
    if unit in _OWN and abs(value) < 1:
        return f"{_fixed(value, decimals)} {_OWN[unit]}"
    if unit in _SECONDS:
        return _span(value * _SECONDS[unit], decimals)
    if unit in ("dtdurations", "dtdurationms"):
        return _words(value if unit == "dtdurations" else value / 1000)
    if unit.startswith("dateTime"):
        return datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    if unit in ("bool", "bool_yes_no", "bool_on_off"):
        return {"bool": ("True", "False"), "bool_yes_no": ("Yes", "No"), "bool_on_off": ("On", "Off")}[unit][not value]
    if scaled := named(unit):
        number, suffix = scaled.scaled(value)
        return f"{_fixed(number, decimals)} {suffix}".rstrip()
    if unit in _COUNTED or unit.startswith("count:"):
        number, suffix = _COUNT.scaled(value)
        return f"{_fixed(number, decimals)}{suffix} {_COUNTED.get(unit) or unit.removeprefix('count:')}"
    if unit.startswith("prefix:"):
        return unit.removeprefix("prefix:") + _fixed(value, decimals)
    if unit in _FIXED or not unit:
        return _fixed(value, decimals) + _FIXED.get(unit, "")
    return f"{_fixed(value, decimals)} {unit.removeprefix('suffix:').strip()}"


def step_base(unit: str) -> float:
    """What steps of an axis are counted in powers of: 1024 for bytes, 60 for seconds of minutes, else 1000."""
    scaled = named(unit)
    return float(scaled.factor) if scaled else 1000.0


def _span(seconds: float, decimals: int | None) -> str:
    for limit, size, name in _BELOW_A_SECOND:
        if 0 < abs(seconds) < limit:
            return _fixed(seconds / size, decimals) + name
    for limit, size, name in _SPANS:
        if abs(seconds) < limit:
            return _fixed(seconds / size, decimals) + (name[:-1] if size > 1 and seconds == size else name)
    return _fixed(seconds / 31556900, decimals) + " years"


def _words(seconds: float) -> str:
    parts = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count:.0f} {name}{'' if count == 1 else 's'}")
    return ", ".join(parts) or "0 seconds"


def _fixed(value: float, decimals: int | None) -> str:
    text = f"{value:.{_decimals(value) if decimals is None else max(0, min(decimals, 15))}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def _decimals(value: float) -> int:
    """Three digits that say something (getDecimalsForValue), none for a whole number."""
    if not value or value == int(value):
        return 0
    return min(max(0, 2 - math.floor(math.log10(abs(value)))), 15)

"""Numbers as Grafana writes them: unit, scale and decimals.

Rules: Grafana's packages/grafana-data/src/valueFormats.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime

_SI = ("f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y")
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi")
_SHORT = ("", " K", " Mil", " Bil", " Tri", " Quadr", " Quint", " Sext", " Sept")

_SCALED_SI = {
    "watt": "W",
    "watth": "Wh",
    "kwatt": "kW",
    "joule": "J",
    "hertz": "Hz",
    "volt": "V",
    "amp": "A",
    "rothz": "Hz",
    "decbytes": "B",
    "decbits": "b",
    "bps": "b/s",
    "Bps": "B/s",
    "binBps": "B/s",
    "pps": "p/s",
    "flops": "FLOPS",
    "hashs": "H/s",
}
_SCALED_BINARY = {
    "bytes": "B",
    "bits": "b",
    "binBps": "B/s",
    "binbps": "b/s",
    "kbytes": "B",
    "mbytes": "B",
    "gbytes": "B",
}
_START = {"kbytes": 1, "mbytes": 2, "gbytes": 3}
_SIMPLE_COUNT = {
    "cps": "c/s",
    "ops": "ops/s",
    "reqps": "req/s",
    "rps": "rd/s",
    "wps": "wr/s",
    "iops": "io/s",
    "eps": "evt/s",
    "mps": "mess/s",
    "recps": "rec/s",
    "rowsps": "rows/s",
    "cpm": "c/m",
    "opm": "ops/m",
    "rpm": "rd/m",
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
    if unit in _SECONDS:
        return _span(value * _SECONDS[unit], decimals)
    if unit in ("dtdurations", "dtdurationms"):
        return _words(value if unit == "dtdurations" else value / 1000)
    if unit.startswith("dateTime"):
        return datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    if unit in ("bool", "bool_yes_no", "bool_on_off"):
        return {"bool": ("True", "False"), "bool_yes_no": ("Yes", "No"), "bool_on_off": ("On", "Off")}[unit][not value]
    if unit in _SCALED_BINARY:
        return _scaled(value, 1024, _BINARY, _START.get(unit, 0), _SCALED_BINARY[unit], decimals)
    if unit in _SCALED_SI:
        return _scaled(value, 1000, _SI, 6 if unit == "kwatt" else 5, _SCALED_SI[unit], decimals)
    if unit in _SIMPLE_COUNT or unit in ("short", "sishort"):
        text = _scaled(value, 1000, _SHORT, 0, "", decimals)
        return f"{text} {_SIMPLE_COUNT[unit]}" if unit in _SIMPLE_COUNT else text
    if unit in _FIXED or not unit:
        return _fixed(value, decimals) + _FIXED.get(unit, "")
    return f"{_fixed(value, decimals)} {unit.removeprefix('suffix:').strip()}"


def step_base(unit: str) -> float:
    """What steps of an axis are counted in powers of: 1024 for bytes, 60 for seconds of minutes, else 1000."""
    return 1024.0 if unit in _SCALED_BINARY else 1000.0


def _scaled(value: float, factor: int, prefixes: tuple[str, ...], start: int, symbol: str, decimals: int | None) -> str:
    n = start
    while abs(value) >= factor and n < len(prefixes) - 1:
        value, n = value / factor, n + 1
    while 0 < abs(value) < 1 and n > 0 and factor == 1000 and prefixes is _SI:
        value, n = value * factor, n - 1
    suffix = prefixes[n] + symbol
    return _fixed(value, decimals) + (f" {suffix}" if suffix and not suffix.startswith(" ") else suffix)


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

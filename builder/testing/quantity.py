"""A number with its unit, in few characters, as a reader of a terminal wants it."""

from __future__ import annotations

_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_DECIMAL = ("", "k", "M", "G", "T", "P")
_SCALED = {"watt": "W", "joule": "J", "watth": "Wh", "hertz": "Hz", "Bps": "B/s"}


def quantity(value: float, unit: str) -> str:
    """The value in Grafana's ``unit``: ``quantity(0.8685, "percentunit")`` is ``86.9 %``."""
    match unit:
        case "percentunit":
            return f"{value * 100:.1f} %"
        case "percent":
            return f"{value:.1f} %"
        case "celsius":
            return f"{value:g} °C"
        case "bytes":
            return _scaled(value, 1024, _BINARY)
        case _ if unit in _SCALED:
            return _scaled(value, 1000, tuple(f"{prefix}{_SCALED[unit]}" for prefix in _DECIMAL))
        case _:
            return f"{value:g}"


def _scaled(value: float, base: int, names: tuple[str, ...]) -> str:
    step = 0
    while abs(value) >= base and step < len(names) - 1:
        value /= base
        step += 1
    return f"{value:.4g} {names[step]}" if abs(value) < 10_000 else f"{value:.0f} {names[step]}"

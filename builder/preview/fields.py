"""How one series or column is shown: a panel's defaults, with the overrides that fit it laid on top.

Rules: Grafana's fieldOverrides.ts (order: defaults, then overrides as listed) and matchers/nameMatcher.ts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.preview.colours import CONTINUOUS, TEXT, between, classic, resolve
from builder.preview.mappings import mapped
from builder.preview.units import format_value

_IN_TURN = ("timeseries", "graph", "histogram", "piechart", "barchart", "trend", "xychart")
"""The kinds of panel that colour series in turn, where nothing else is said; the others go by thresholds."""
_THRESHOLDS = {"steps": [{"color": "green", "value": None}, {"color": "red", "value": 80}]}


@dataclass(frozen=True)
class Field:
    """Everything that decides how a value looks. ``custom`` holds what is particular to a kind of panel."""

    name: str = ""
    unit: str = ""
    decimals: int | None = None
    min: float | None = None
    max: float | None = None
    no_value: str = ""
    colour: Mapping[str, Any] = field(default_factory=dict)
    mappings: Sequence[Mapping[str, Any]] = ()
    steps: tuple[tuple[float, str], ...] = ()
    percentage: bool = False
    links: int = 0
    custom: Mapping[str, Any] = field(default_factory=dict)

    def text(self, value: float | str | None) -> str:
        """The value as Grafana writes it: by mapping, else number and unit."""
        found = mapped(value, self.mappings)
        if found and found.text:
            return found.text
        if value is None:
            return self.no_value
        return value if isinstance(value, str) else format_value(value, self.unit, self.decimals)

    def paint(self, value: float | str | None, number: int = 0, *, low: float = 0.0, high: float = 100.0) -> str:
        """The colour of a value: by mapping, threshold or scheme, else that of the series with this number.

        ``low`` and ``high`` stand in for a minimum and a maximum that the field does not set.
        """
        found = mapped(value, self.mappings)
        if found and found.colour:
            return resolve(found.colour)
        mode = str(self.colour.get("mode") or "thresholds")
        if mode in ("fixed", "shades"):
            return resolve(self.colour.get("fixedColor") or TEXT)
        if mode.startswith("palette"):
            return classic(number)
        if value is None or isinstance(value, str) or math.isnan(value):
            return self.steps[0][1] if self.steps else TEXT
        if mode in CONTINUOUS:
            return between(CONTINUOUS[mode], self.share(value, low, high))
        return self.step(value, low, high)

    def step(self, value: float, low: float = 0.0, high: float = 100.0) -> str:
        """The colour of the highest threshold that the value reaches."""
        compared = self.share(value, low, high) * 100 if self.percentage else value
        reached = [colour for limit, colour in self.steps if compared >= limit]
        return reached[-1] if reached else self.steps[0][1] if self.steps else TEXT

    def share(self, value: float, low: float = 0.0, high: float = 100.0) -> float:
        """Where a value lies between minimum and maximum, from 0 to 1."""
        bottom = low if self.min is None else self.min
        top = high if self.max is None else self.max
        if not math.isfinite(value):
            return float(value > 0)
        return min(max((value - bottom) / (top - bottom), 0.0), 1.0) if top > bottom else 0.0


def field_of(panel: Mapping[str, Any], name: str, *, ref_id: str = "", kind: str = "number") -> Field:
    """How the series or column of this name is shown; ``kind`` is ``number``, ``string`` or ``time``."""
    config = panel.get("fieldConfig") or {}
    palette = {"color": {"mode": "palette-classic"}} if panel.get("type") in _IN_TURN else {}
    merged = _Merged({"thresholds": _THRESHOLDS, **palette, **(config.get("defaults") or {})})
    for override in config.get("overrides") or ():
        if _fits(override.get("matcher") or {}, name, ref_id, kind):
            for prop in override.get("properties") or ():
                merged.put(str(prop.get("id")), prop.get("value"))
    return merged.field(name)


class _Merged:
    def __init__(self, defaults: Mapping[str, Any]) -> None:
        self._plain = {key: value for key, value in defaults.items() if key != "custom"}
        self._custom = dict(defaults.get("custom") or {})

    def put(self, key: str, value: Any) -> None:
        place, name = (self._custom, key.removeprefix("custom.")) if key.startswith("custom.") else (self._plain, key)
        place[name] = value

    def field(self, name: str) -> Field:
        plain = self._plain
        thresholds = plain.get("thresholds") or {}
        return Field(
            name=str(plain.get("displayName") or name),
            unit=str(plain.get("unit") or ""),
            decimals=None if plain.get("decimals") is None else int(plain["decimals"]),
            min=_number(plain.get("min")),
            max=_number(plain.get("max")),
            no_value=str(plain.get("noValue") or ""),
            colour=plain.get("color") or {},
            mappings=plain.get("mappings") or (),
            steps=tuple(_steps(thresholds)),
            percentage=thresholds.get("mode") == "percentage",
            links=len(plain.get("links") or ()),
            custom=self._custom,
        )


def _steps(thresholds: Mapping[str, Any]) -> Iterator[tuple[float, str]]:
    for step in thresholds.get("steps") or ():
        value = _number(step.get("value"))
        yield (-math.inf if value is None else value), resolve(step.get("color"))


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _fits(matcher: Mapping[str, Any], name: str, ref_id: str, kind: str) -> bool:
    options = matcher.get("options")
    match matcher.get("id"):
        case "byName":
            return bool(options == name)
        case "byNames":
            listed = options or {}
            return (name in (listed.get("names") or ())) != (listed.get("mode") == "exclude")
        case "byRegexp":
            return _regex(str(options), name)
        case "byType":
            return bool(options == kind)
        case "byFrameRefID":
            return bool(options == ref_id)
        case "numeric":
            return kind == "number"
        case "time":
            return kind == "time"
    return False


def _regex(written: str, name: str) -> bool:
    """``/pattern/flags`` as JavaScript writes it, searched; without slashes it has to fit as a whole."""
    delimited = re.fullmatch(r"/(.*)/([a-z]*)", written, re.DOTALL)
    pattern, flags = (delimited[1], delimited[2]) if delimited else (f"^(?:{written})$", "")
    try:
        return bool(re.search(pattern, name, re.IGNORECASE if "i" in flags else 0))
    except re.error:
        return False

"""Panels of single values: stat, gauge and bar gauge."""

from __future__ import annotations

from typing import Any, ClassVar

from builder.grafana import transforms
from builder.grafana.names import check_reducer
from builder.grafana.panels.base import ModernPanel, changed
from builder.grafana.parameters import choice, flag, parameter, parameters, text, whole

_REDUCE = (("fields", "fields", ""), ("all_values", "values", False), ("limit", "limit", None))


@parameters
class _Reduced(ModernPanel):
    """A panel that reduces each series to one value, or shows each row's (``all_values``)."""

    own_colour: ClassVar[str] = "thresholds"

    calc: str = parameter(default="lastNotNull", check=check_reducer)
    fields: str = text(default="")
    all_values: bool = flag(default=False)
    limit: int | None = whole(default=None, at_least=1)
    orientation: str = choice("auto", "horizontal", "vertical", default="auto")

    @property
    def shows_the_last_only(self) -> bool:
        """True where nothing but the newest value is shown, so that a query of one moment is enough."""
        return self.calc == "lastNotNull" and getattr(self, "graph_mode", "none") == "none"

    def _field_colour(self) -> str:
        return self.color or "thresholds"

    def _reduced(self) -> dict[str, Any]:
        data: dict[str, Any] = {"reduceOptions": {"calcs": [self.calc], **changed(self, _REDUCE)}}
        if self.orientation != "auto":
            data["orientation"] = self.orientation
        return data


_STAT = (
    ("justify", "justifyMode", "auto"),
    ("text_mode", "textMode", "auto"),
    ("show_percent_change", "showPercentChange", False),
)


@parameters
class Stat(_Reduced):
    """One or a few big numbers, with a small graph behind them if wanted."""

    kind: ClassVar[str] = "stat"
    size: ClassVar[tuple[int, int]] = (4, 4)

    color_mode: str = choice("none", "value", "background", "background_solid", default="value")
    graph_mode: str = choice("none", "line", "area", default="none")
    justify: str = choice("auto", "center", default="auto")
    text_mode: str = choice("auto", "value", "value_and_name", "name", "none", default="auto")
    show_percent_change: bool = flag(default=False)
    title_size: int | None = whole(default=None, at_least=1)
    value_size: int | None = whole(default=None, at_least=1)

    def _options(self) -> dict[str, Any]:
        data = self._reduced() | {
            "colorMode": self.color_mode,
            "graphMode": self.graph_mode,
            **changed(self, _STAT),
        }
        sizes = changed(self, (("title_size", "titleSize", None), ("value_size", "valueSize", None)))
        if sizes:
            data["text"] = sizes
        return data


@parameters
class Gauge(_Reduced):
    """A dial from ``min`` to ``max``."""

    kind: ClassVar[str] = "gauge"
    size: ClassVar[tuple[int, int]] = (4, 6)

    show_threshold_labels: bool = flag(default=False)
    show_threshold_markers: bool = flag(default=True)

    def _options(self) -> dict[str, Any]:
        return self._reduced() | {
            "showThresholdLabels": self.show_threshold_labels,
            "showThresholdMarkers": self.show_threshold_markers,
        }


@parameters
class BarGauge(_Reduced):
    """One bar a series, from ``min`` to ``max``; good for many cards side by side.

    ``sort_by_name`` puts the bars in the order of their names: Prometheus gives the series of one moment in none. The
    bars are then rows of a table, which overrides by name and a link's labels do not reach.
    """

    kind: ClassVar[str] = "bargauge"
    size: ClassVar[tuple[int, int]] = (8, 8)

    orientation: str = choice("auto", "horizontal", "vertical", default="horizontal")
    display_mode: str = choice("basic", "lcd", "gradient", default="gradient")
    value_mode: str = choice("color", "text", "hidden", default="color")
    name_placement: str = choice("auto", "top", "left", default="auto")
    show_unfilled: bool = flag(default=True)
    sort_by_name: bool = flag(default=False)

    def to_json_data(self) -> dict[str, Any]:
        """As every panel; the steps that sort come after its own transformations."""
        data = super().to_json_data()
        if self.sort_by_name:
            # One row a series with its legend as Field, as Grafana's reduce and sortBy have done since version 7.
            steps = (transforms.reduce(self.calc), transforms.sort_by("Field"))
            data["transformations"] = [*data.get("transformations", ()), *steps]
            data["options"]["reduceOptions"]["values"] = True
        return data

    def _options(self) -> dict[str, Any]:
        return self._reduced() | {
            "displayMode": self.display_mode,
            "namePlacement": self.name_placement,
            "showUnfilled": self.show_unfilled,
            "valueMode": self.value_mode,
        }

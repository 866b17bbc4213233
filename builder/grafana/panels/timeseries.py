"""Lines, bars or points over time."""

from __future__ import annotations

from typing import Any, ClassVar

from builder.errors import DefinitionError, short
from builder.grafana.declared import is_number
from builder.grafana.panels.base import changed
from builder.grafana.panels.custom import CUSTOM
from builder.grafana.panels.legend import WithLegend
from builder.grafana.parameters import choice, flag, number, parameter, parameters, text, whole


def _span(value: object) -> None:
    if not isinstance(value, bool) and not (isinstance(value, int) and is_number(value) and value > 0):
        raise DefinitionError(f"{short(value)} is neither True nor False nor milliseconds")


@parameters
class TimeSeries(WithLegend):
    """Lines, bars or points over time.

    ``span_nulls`` joins over gaps: always, never, or over gaps shorter than so many milliseconds.
    ``log_base`` 2 or 10 makes the axis logarithmic. ``color`` is the classic palette unless given.
    """

    kind: ClassVar[str] = "timeseries"

    draw_style: str = choice("line", "bars", "points", default="line")
    line_interpolation: str = choice("linear", "smooth", "stepBefore", "stepAfter", default="linear")
    line_width: int = whole(default=1, at_least=0, at_most=10)
    line_style: str = choice("solid", "dash", "dot", default="solid")
    fill_opacity: int = whole(default=0, at_least=0, at_most=100)
    gradient_mode: str = choice("none", "opacity", "hue", "scheme", default="none")
    span_nulls: bool | int = parameter(default=False, check=_span)
    show_points: str = choice("auto", "always", "never", default="auto")
    point_size: int = whole(default=5, at_least=1, at_most=40)
    bar_alignment: str = choice("before", "center", "after", default="center")
    stacking: str = choice("none", "normal", "percent", default="none")
    axis_placement: str = choice("auto", "left", "right", "hidden", default="auto")
    axis_label: str = text(default="")
    axis_color_mode: str = choice("text", "series", default="text")
    axis_soft_min: float | None = number(default=None)
    axis_soft_max: float | None = number(default=None)
    axis_width: int | None = whole(default=None, at_least=1)
    axis_grid: bool = flag(default=True)
    axis_centered_zero: bool = flag(default=False)
    log_base: int | None = whole(default=None, at_least=2, at_most=10)
    thresholds_style: str = choice("off", "line", "dashed", "area", "line+area", "dashed+area", default="off")

    def _field_colour(self) -> str:
        return self.color or "palette-classic"

    def _custom(self) -> dict[str, Any]:
        data = changed(self, CUSTOM)
        if self.bar_alignment != "center":
            data["barAlignment"] = -1 if self.bar_alignment == "before" else 1
        if self.line_style != "solid":
            data["lineStyle"] = {"fill": self.line_style}
        if self.stacking != "none":
            data["stacking"] = {"group": "A", "mode": self.stacking}
        if self.log_base is not None:
            data["scaleDistribution"] = {"log": self.log_base, "type": "log"}
        if self.thresholds_style != "off":
            data["thresholdsStyle"] = {"mode": self.thresholds_style}
        return data

    def _options(self) -> dict[str, Any]:
        return {"legend": self._legend(), "tooltip": self._tooltip()}

"""States over time: state timeline and status history."""

from __future__ import annotations

from typing import Any, ClassVar

from builder.grafana.panels.legend import WithLegend
from builder.grafana.parameters import choice, flag, number, parameters, whole


@parameters
class StateTimeline(WithLegend):
    """One band a series; a new colour where its state changes. From Grafana 11.3 on pages of ``per_page``."""

    kind: ClassVar[str] = "state-timeline"
    size: ClassVar[tuple[int, int]] = (24, 8)

    merge_values: bool = flag(default=True)
    show_value: str = choice("auto", "always", "never", default="auto")
    align_value: str = choice("left", "center", "right", default="left")
    row_height: float = number(default=0.9, at_least=0, at_most=1)
    line_width: int = whole(default=0, at_least=0, at_most=10)
    fill_opacity: int = whole(default=70, at_least=0, at_most=100)
    per_page: int | None = whole(default=None, at_least=1)

    def _field_colour(self) -> str:
        return self.color or "thresholds"

    def _custom(self) -> dict[str, Any]:
        return {"fillOpacity": self.fill_opacity, "lineWidth": self.line_width}

    def _options(self) -> dict[str, Any]:
        data = {
            "alignValue": self.align_value,
            "legend": self._legend(),
            "mergeValues": self.merge_values,
            "rowHeight": self.row_height,
            "showValue": self.show_value,
            "tooltip": self._tooltip(),
        }
        return data if self.per_page is None else data | {"perPage": self.per_page}


@parameters
class StatusHistory(WithLegend):
    """One row a series, one cell a sample. Grafana 11.6 and later show ``per_page`` rows."""

    kind: ClassVar[str] = "status-history"
    size: ClassVar[tuple[int, int]] = (24, 8)

    show_value: str = choice("auto", "always", "never", default="auto")
    row_height: float = number(default=0.9, at_least=0, at_most=1)
    col_width: float = number(default=0.9, at_least=0, at_most=1)
    line_width: int = whole(default=1, at_least=0, at_most=10)
    fill_opacity: int = whole(default=70, at_least=0, at_most=100)
    per_page: int | None = whole(default=None, at_least=1)

    def _field_colour(self) -> str:
        return self.color or "thresholds"

    def _custom(self) -> dict[str, Any]:
        return {"fillOpacity": self.fill_opacity, "lineWidth": self.line_width}

    def _options(self) -> dict[str, Any]:
        data = {
            "colWidth": self.col_width,
            "legend": self._legend(),
            "rowHeight": self.row_height,
            "showValue": self.show_value,
            "tooltip": self._tooltip(),
        }
        return data if self.per_page is None else data | {"perPage": self.per_page}

"""Legend and tooltip, which most panels over time share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builder.grafana.names import check_reducer
from builder.grafana.panels.base import ModernPanel
from builder.grafana.parameters import choice, each, flag, parameters, text, whole


@parameters
class WithLegend(ModernPanel):
    """A panel with a legend and a tooltip.

    ``legend_mode`` hidden takes the legend away; ``legend_sort`` is one of ``legend_calcs`` as Grafana shows
    its name ("Last *", "Mean", "Max", "Min").
    """

    legend_mode: str = choice("list", "table", "hidden", default="list")
    legend_placement: str = choice("bottom", "right", default="bottom")
    legend_calcs: Sequence[str] = each(check_reducer, default=())
    legend_sort: str = text(default="")
    legend_sort_desc: bool = flag(default=True)
    legend_width: int | None = whole(default=None, at_least=1)
    tooltip_mode: str = choice("single", "multi", "none", default="multi")
    tooltip_sort: str = choice("none", "asc", "desc", default="desc")

    def _legend(self) -> dict[str, Any]:
        hidden = self.legend_mode == "hidden"
        data: dict[str, Any] = {
            "calcs": list(self.legend_calcs),
            "displayMode": "list" if hidden else self.legend_mode,
            "placement": self.legend_placement,
            "showLegend": not hidden,
        }
        if self.legend_sort:
            data["sortBy"] = self.legend_sort
            data["sortDesc"] = self.legend_sort_desc
        if self.legend_width is not None:
            data["width"] = self.legend_width
        return data

    def _tooltip(self) -> dict[str, Any]:
        return {"mode": self.tooltip_mode, "sort": self.tooltip_sort}

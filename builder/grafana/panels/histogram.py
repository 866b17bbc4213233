"""Histograms."""

from __future__ import annotations

from typing import Any, ClassVar

from builder.grafana.panels.legend import WithLegend
from builder.grafana.parameters import choice, flag, number, parameters, whole


@parameters
class Histogram(WithLegend):
    """How often which values occur in the time range; ``combine`` counts all series together.

    Grafana takes whole numbers for ``bucket_size``; for ratios give ``bucket_count``.
    """

    kind: ClassVar[str] = "histogram"

    bucket_size: int | None = whole(default=None, at_least=1)
    bucket_count: int | None = whole(default=None, at_least=1)
    bucket_offset: float = number(default=0)
    combine: bool = flag(default=False)
    fill_opacity: int = whole(default=80, at_least=0, at_most=100)
    line_width: int = whole(default=1, at_least=0, at_most=10)
    gradient_mode: str = choice("none", "opacity", "hue", "scheme", default="none")

    def _field_colour(self) -> str:
        return self.color or "palette-classic"

    def _custom(self) -> dict[str, Any]:
        return {
            "fillOpacity": self.fill_opacity,
            "gradientMode": self.gradient_mode,
            "lineWidth": self.line_width,
        }

    def _options(self) -> dict[str, Any]:
        data = {
            "bucketOffset": self.bucket_offset,
            "combine": self.combine,
            "legend": self._legend(),
            "tooltip": self._tooltip(),
        }
        if self.bucket_size is not None:
            data["bucketSize"] = self.bucket_size
        if self.bucket_count is not None:
            data["bucketCount"] = self.bucket_count
        return data

"""The settings of a time series that are one value each."""

from __future__ import annotations

CUSTOM = (
    ("draw_style", "drawStyle", "line"),
    ("line_interpolation", "lineInterpolation", "linear"),
    ("line_width", "lineWidth", 1),
    ("fill_opacity", "fillOpacity", 0),
    ("gradient_mode", "gradientMode", "none"),
    ("span_nulls", "spanNulls", False),
    ("show_points", "showPoints", "auto"),
    ("point_size", "pointSize", 5),
    ("axis_placement", "axisPlacement", "auto"),
    ("axis_label", "axisLabel", ""),
    ("axis_color_mode", "axisColorMode", "text"),
    ("axis_soft_min", "axisSoftMin", None),
    ("axis_soft_max", "axisSoftMax", None),
    ("axis_width", "axisWidth", None),
    ("axis_grid", "axisGridShow", True),
    ("axis_centered_zero", "axisCenteredZero", False),
)
"""Attribute, its key in ``fieldConfig.defaults.custom``, and the value that Grafana 10.4 to 13 give it by itself."""

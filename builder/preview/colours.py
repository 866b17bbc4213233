"""Grafana's colours by name, and the colours of the two themes.

Values: Grafana's packages/grafana-data/src/themes/createVisualizationColors.ts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

TEXT = "text"
"""The colour of text: the one that differs between the themes."""

_SHADES = {
    "red": ("#FFA6B0", "#FF7383", "#F2495C", "#E02F44", "#C4162A"),
    "orange": ("#FFCB7D", "#FFB357", "#FF9830", "#FF780A", "#FA6400"),
    "yellow": ("#FFF899", "#FFEE52", "#FADE2A", "#F2CC0C", "#E0B400"),
    "green": ("#C8F2C2", "#96D98D", "#73BF69", "#56A64B", "#37872D"),
    "blue": ("#C0D8FF", "#8AB8FF", "#5794F2", "#3274D9", "#1F60C4"),
    "purple": ("#DEB6F2", "#CA95E5", "#B877D9", "#A352CC", "#8F3BB8"),
}
_NAMED = {
    f"{shade}{hue}": colour
    for hue, colours in _SHADES.items()
    for shade, colour in zip(("super-light-", "light-", "", "semi-dark-", "dark-"), colours, strict=True)
} | {"transparent": "transparent", "white": "#FFFFFF", "black": "#000000", "gray": "#808080", "grey": "#808080"}

CLASSIC = (
    *("green", "semi-dark-yellow", "light-blue", "semi-dark-orange", "red", "blue", "purple", "#705DA0"),
    *("dark-green", "yellow", "#447EBC", "#C15C17", "#890F02", "#0A437C", "#6D1F62", "#584477"),
    *("#B7DBAB", "#F4D598", "#70DBED", "#F9BA8F", "#F29191", "#82B5D8", "#E5A8E2", "#AEA2E0"),
)
"""What series are coloured with in turn (palette-classic)."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_RGB = re.compile(r"rgba?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)[^)]*\)")


def resolve(colour: object) -> str:
    """``#RRGGBB``, ``transparent`` or TEXT for what a dashboard calls a colour; TEXT for what nobody knows."""
    name = str(colour)
    if name in _NAMED:
        return _NAMED[name]
    if _HEX.fullmatch(name):
        return (name if len(name) == 7 else "#" + "".join(2 * c for c in name[1:])).upper()
    if match := _RGB.fullmatch(name):
        return "#" + "".join(f"{min(int(part), 255):02X}" for part in match.groups())
    return TEXT


def classic(number: int) -> str:
    """The colour of the series with this number."""
    return resolve(CLASSIC[number % len(CLASSIC)])


def ink_on(background: str) -> str:
    """Black or white, whichever reads better on a colour (relative luminance, WCAG 2.1)."""
    if not _HEX.fullmatch(background):
        return TEXT
    channels = [int(background[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#FFFFFF"


def between(colours: Sequence[str], share: float) -> str:
    """The colour at a share (0 to 1) of the way through several colours."""
    where = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    n = min(int(where), len(colours) - 2)
    left, right = (resolve(colours[i]) for i in (n, n + 1))
    mixed = (
        round(int(left[i : i + 2], 16) * (n + 1 - where) + int(right[i : i + 2], 16) * (where - n)) for i in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02X}" for part in mixed)


CONTINUOUS = {
    "continuous-GrYlRd": ("green", "yellow", "red"),
    "continuous-RdYlGr": ("red", "yellow", "green"),
    "continuous-BlYlRd": ("dark-blue", "super-light-yellow", "dark-red"),
    "continuous-YlRd": ("super-light-yellow", "dark-red"),
    "continuous-BlPu": ("blue", "purple"),
    "continuous-YlBl": ("super-light-yellow", "dark-blue"),
    "continuous-blues": ("#1A2A4A", "dark-blue", "super-light-blue"),
    "continuous-reds": ("#4A1A22", "dark-red", "super-light-red"),
    "continuous-greens": ("#16301A", "dark-green", "super-light-green"),
    "continuous-purples": ("#2A1A3A", "dark-purple", "super-light-purple"),
}
"""The colour modes that run through several colours from a field's minimum to its maximum."""


@dataclass(frozen=True)
class Theme:
    """The colours that are not data's: text, weaker text, grid lines, a panel, and the page behind it."""

    name: str
    text: str
    muted: str
    grid: str
    panel: str
    page: str
    border: str


DARK = Theme("dark", "#CCCCDC", "#9D9DAB", "#2C3038", "#181B1F", "#111217", "#24272E")
LIGHT = Theme("light", "#24292E", "#5F6670", "#E2E4E8", "#FFFFFF", "#F4F5F5", "#DCDDE0")
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}

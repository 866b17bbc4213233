"""How wide a text is, in the font that pictures are drawn with."""

from __future__ import annotations

from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, get_font

_AT = 100


@lru_cache(maxsize=4096)
def _units(text: str, bold: bool) -> float:
    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")))
    font.set_size(_AT, 72)
    font.set_text(text, 0.0)
    return float(font.get_width_height()[0]) / 64 / _AT


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a text takes in a size."""
    return _units(text, bold) * size


def fitted(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """The text, cut with an ellipsis where it is wider than so many pixels."""
    text = " ".join(text.split())
    if width_of(text, size, bold=bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(text[:middle] + "…", size, bold=bold) <= width else (low, middle - 1)
    return text[:low] + "…" if low else ""


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The text in lines no wider than so many pixels, broken between words."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and width_of(longer, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines

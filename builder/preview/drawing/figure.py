"""Figures: their size in pixels, their colours, and what becomes of them as SVG or PNG."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D, Transform

from builder.preview.colours import TEXT, Theme

DPI = 72
"""A point is a pixel, so that sizes are those of the page."""
SMALL, NORMAL = 11.0, 12.0
"""Sizes of text in pixels: of axes, and of everything else."""

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # a label's value may be any Unicode

_SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that pictures are the same everywhere
    "svg.fonttype": "none",
    "svg.hashsalt": "gpuboards",
    "text.parse_math": False,  # a dollar sign in a label is a dollar sign
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
    "axes.unicode_minus": False,
}


@contextmanager
def settings() -> Iterator[None]:
    """Our own settings for as long as something is drawn, whatever the user's matplotlibrc says."""
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # boxes, in a PNG only
        yield


def figure(width: float, height: float, background: str = "none") -> Figure:
    """An empty figure of so many pixels."""
    return Figure(figsize=(max(width, 1) / DPI, max(height, 1) / DPI), dpi=DPI, facecolor=background)


def axes(
    figure: Figure, left: float, bottom: float, right: float, top: float, theme: Theme, *, twin: Axes | None = None
) -> Axes:
    """Axes between four edges in pixels from the lower left corner, with the theme's colours and no frame."""
    width, height = figure.get_size_inches() * DPI
    right, top = max(right, left + 1), max(top, bottom + 1)
    if twin is not None:
        found = twin.twinx()
    else:
        found = figure.add_axes((left / width, bottom / height, (right - left) / width, (top - bottom) / height))
    found.set_facecolor("none")
    for spine in found.spines.values():
        spine.set_visible(False)
    found.tick_params(length=0, pad=4, labelsize=SMALL, labelcolor=theme.muted, color=theme.grid)
    return found


def pixels(figure: Figure) -> Transform:
    """From pixels, counted from the lower left corner, to the figure, however large its pixels are."""
    return Affine2D().scale(1 / DPI) + figure.dpi_scale_trans


def ink(colour: str, theme: Theme) -> str:
    """A colour for matplotlib: the theme's own where it is the text's."""
    return theme.text if colour == TEXT else "none" if colour == "transparent" else colour


def svg(figure: Figure, name: str) -> str:
    """The figure as an ``<svg>`` element; ``name`` keeps its inner ids apart from those of other figures."""
    buffer = io.StringIO()
    mpl.rcParams["svg.hashsalt"] = name
    FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})  # type: ignore[no-untyped-call]
    text = buffer.getvalue()
    text = _NOT_IN_XML.sub("\ufffd", text[text.index("<svg ") :])
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", text))

    def tidy(tag: str) -> str:
        tag = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "", tag)
        tag = re.sub(r'(?<= d=")[^"]+', lambda m: re.sub(r"-?\d+\.\d+", _shortened, m[0]).replace("\n", ""), tag)
        return tag.replace(' version="1.1"', "").replace('pt"', '"')

    return in_tags(text, tidy)


def in_tags(markup: str, change: Callable[[str], str]) -> str:
    """The markup with every tag changed, and the texts between them as they were."""
    return re.sub(r"<[^>]*>", lambda m: change(m[0]), markup)


def _shortened(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def png(figure: Figure, scale: float = 1.0) -> bytes:
    """The figure as PNG, every pixel ``scale`` wide."""
    buffer = io.BytesIO()
    figure.set_dpi(DPI * scale)
    FigureCanvasAgg(figure).print_png(buffer, metadata={"Software": None})  # type: ignore[no-untyped-call]
    return buffer.getvalue()

"""Thresholds against the number of alerts, drawn: one chart of bars each, below one another."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from builder.rules.backtest.report import Report, Varied
from builder.rules.backtest.text import suggested
from builder.rules.thresholds import SETTINGS

_WIDTH, _LEFT, _RIGHT, _HEAD, _ROW, _GAP = 720, 90, 60, 46, 22, 26


def svg(report: Report) -> str:
    """A picture of every threshold that was varied; the present value has the stronger colour."""
    parts: list[str] = []
    top = 10
    for varied in report.varied:
        parts += _chart(varied, report.wanted, top)
        top += _HEAD + _ROW * len(varied.tried) + _GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{top}" '
        f'viewBox="0 0 {_WIDTH} {top}" font-family="sans-serif" font-size="13">'
    )
    return "\n".join([head, f'<rect width="{_WIDTH}" height="{top}" fill="#fff"/>', *parts, "</svg>\n"])


def _chart(varied: Varied, wanted: float, top: int) -> Iterator[str]:
    setting = SETTINGS[varied.threshold]
    yield _text(10, top + 14, f"{varied.alert}: {varied.threshold} against the number of alerts", "bold")
    yield _text(10, top + 32, suggested(varied, wanted))
    most = max(max(each.outcome.count for each in varied.tried), 1)
    for n, each in enumerate(varied.tried):
        y = top + _HEAD + n * _ROW
        length = (_WIDTH - _LEFT - _RIGHT) * each.outcome.count / most
        colour = "#3274d9" if each.value == varied.present else "#a9c7f2"
        yield _text(_LEFT - 8, y + 13, setting.shown(each.value), anchor="end")
        yield f'<rect x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_ROW - 6}" fill="{colour}"/>'
        yield _text(_LEFT + length + 6, y + 13, str(each.outcome.count))


def _text(x: float, y: float, text: str, weight: str = "normal", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y}" font-weight="{weight}" text-anchor="{anchor}">{escape(text)}</text>'

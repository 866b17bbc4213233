"""Bar gauges: a bar a series, filled as far as its value reaches, or a bar a row of a table."""

from __future__ import annotations

from collections.abc import Sequence

from builder.preview import calcs
from builder.preview.asked import Asked
from builder.preview.contents import Bar, Bars, Note
from builder.preview.fields import Field, field_of
from builder.preview.frames import Frame, frame_of, frame_of_series, transformed

_MOST_ROWS = 25
"""Bars that rows become, where the panel does not say: Grafana's own limit."""


def content(asked: Asked) -> Bars | Note:
    """A bar a series or a row; without a minimum or maximum, the values of all of them set it."""
    found = _rows(asked) if asked.option("reduceOptions.values") is True else _series(asked)
    if not found:
        return Note(asked.nothing)
    values = [value for _, _, value in found]
    low, high = min(values), max(values)
    bars = tuple(
        Bar(name, field.text(value), field.share(value, low, high), field.paint(value, number, low=low, high=high))
        for number, (name, field, value) in enumerate(found)
    )
    return Bars(bars, upright=asked.option("orientation") == "vertical")


def _series(asked: Asked) -> Sequence[tuple[str, Field, float]]:
    calc = (asked.option("reduceOptions.calcs", ()) or ("lastNotNull",))[0]
    reached = [(n.field, calcs.reduce(n.series.points, calc)) for n in asked.named()]
    return [(field.name, field, value) for field, value in reached if value is not None]


def _rows(asked: Asked) -> Sequence[tuple[str, Field, float]]:
    """Each number of the table that the transformations leave, called by the texts of its row."""
    frames, _ = transformed(_frames(asked), asked.panel.get("transformations") or ())
    found: list[tuple[str, Field, float]] = []
    for frame in frames:
        for column in (one for one in frame.columns if one.kind == "number"):
            field = field_of(asked.panel, column.name, ref_id=column.ref_id, kind=column.kind)
            for row in frame.rows:
                texts = [str(row[one.name]) for one in frame.columns if one.kind == "string" and row.get(one.name)]
                if isinstance(value := row.get(column.name), float):
                    found.append((" ".join(texts) or field.name, field, value))
    return found[: int(asked.option("reduceOptions.limit") or _MOST_ROWS)]


def _frames(asked: Asked) -> list[Frame]:
    tables = {t.get("refId") for t in asked.panel.get("targets") or () if t.get("format") == "table"}
    answers = [answer for answer in asked.shown if answer.series]
    found = [frame_of(answer, len(answers) == 1) for answer in answers if answer.ref_id in tables]
    return found + [
        frame_of_series(one.field.name, one.series.points) for one in asked.named() if one.answer.ref_id not in tables
    ]

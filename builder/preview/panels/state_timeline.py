"""State timelines and status histories: what was when, a band a series."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from builder.preview.asked import Asked, Named
from builder.preview.contents import Bands, Chart, Entry, Legend, Note, Span
from builder.preview.summary import MOST, clock, counted, more


def content(asked: Asked) -> Chart | Note:
    """A state timeline: neighbours of the same state are one span."""
    return _bands(asked, "State timeline", _merged if asked.option("mergeValues", True) else _samples)


def history(asked: Asked) -> Chart | Note:
    """A status history: one cell a sample."""
    return _bands(asked, "Status history", _samples)


def _bands(asked: Asked, kind: str, spans_of: Callable[[Named], Iterator[Span]]) -> Chart | Note:
    named = asked.named()
    if not named:
        return Note(asked.nothing)
    rows = tuple((n.field.name, tuple(spans_of(n))) for n in named)
    opacity = float(asked.defaults.custom.get("fillOpacity", 70)) / 100
    shown = asked.option("showValue", "auto") != "never" and kind == "State timeline"
    bands = Bands(asked.begin, asked.end, rows, float(asked.option("rowHeight", 0.9)), opacity, shown)
    words = [
        f"{kind} of {counted(len(rows), 'series', 'series')}",
        *(_told(name, spans) for name, spans in rows[:MOST]),
    ]
    return Chart(bands, "; ".join(words) + more(len(rows)), _legend(rows, asked))


def _samples(named: Named) -> Iterator[Span]:
    step = named.answer.step
    for t, value in named.series.points:
        yield Span(t - step / 2, t + step / 2, named.field.paint(value, named.number), named.field.text(value))


def _merged(named: Named) -> Iterator[Span]:
    """Each state until the next begins; the last sample before a gap lasts one step."""
    step, points = named.answer.step, named.series.points
    begin = 0
    for n in range(1, len(points) + 1):
        ended = n == len(points) or points[n][0] - points[n - 1][0] > 1.5 * step
        if ended or points[n][1] != points[begin][1]:
            end = points[n - 1][0] + step if ended else points[n][0]
            value = points[begin][1]
            yield Span(points[begin][0], end, named.field.paint(value, named.number), named.field.text(value))
            begin = n


def _legend(rows: Sequence[tuple[str, Sequence[Span]]], asked: Asked) -> Legend | None:
    if not asked.option("legend.showLegend", True):
        return None
    states = dict.fromkeys((span.text, span.colour) for _, spans in rows for span in spans)
    return Legend(tuple(Entry(text, colour) for text, colour in states))


def _told(name: str, spans: Sequence[Span]) -> str:
    if not spans:
        return f"{name}: nothing"
    last = spans[-1]
    since = next(
        (spans[n].begin for n in range(len(spans) - 1, -1, -1) if n == 0 or spans[n - 1].text != last.text), last.begin
    )
    states = dict.fromkeys(span.text for span in spans)
    before = f", earlier {', '.join(text for text in list(states)[:4] if text != last.text)}" if len(states) > 1 else ""
    return f"{name}: {last.text} since {clock(since)}{before}"

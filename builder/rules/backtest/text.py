"""A backtest's report for people: a table of alerts, and thresholds plotted against the number of alerts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from builder.rules.backtest.outcome import Firing, Outcome
from builder.rules.backtest.report import Report, Varied
from builder.rules.thresholds import SETTINGS

_BAR = 40
_WIDTH = 80
_SHOWN = 5
_HEAD = ("alert", "severity", "alerts", "a week", "places", "firing", "longest")


def lines(report: Report) -> Iterator[str]:
    """The report, line by line."""
    begin, end = (moment(at) for at in report.known)
    yield f"{begin} to {end} ({span(report.seconds)}), {report.profile}, {report.server}"
    yield ""
    if report.fired:
        yield from _table([_HEAD, *(_row(alert, report) for alert in report.fired)])
        for alert in report.fired:
            yield ""
            yield f"{alert}:"
            yield from _firings(report.outcomes[alert])
    quiet = [alert for alert in report.outcomes if alert not in report.fired and alert not in report.refused]
    if quiet:
        yield ""
        yield from textwrap.wrap(f"would not have fired: {', '.join(quiet)}", _WIDTH, subsequent_indent="  ")
    for alert, said in report.refused.items():
        yield ""
        yield f"{alert} cannot be evaluated: {said}"
    for varied in report.varied:
        yield ""
        yield from _plot(varied, report)


def moment(at: float) -> str:
    """A time as people write it, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def span(seconds: float) -> str:
    """A length of time in its two largest units: ``1 h 30 min``."""
    rest, parts = round(seconds), []
    for size, name in ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        if rest >= size:
            parts.append(f"{rest // size} {name}")
            rest %= size
    return " ".join(parts[:2]) or "0 s"


def suggested(varied: Varied, wanted: float) -> str:
    """What to set in gpuboards.yaml for so many alerts a week, in words."""
    said = SETTINGS[varied.threshold].said
    found = varied.suggested(wanted)
    if found is None:
        least = min(varied.tried, key=lambda each: each.outcome.count)
        return (
            f"no value that was tried gives {wanted:g} a week or fewer; the least is "
            f"{least.outcome.a_week:.3g} with {said(least.value)}"
        )
    kept = "keep" if found.value == varied.present else "set"
    return f"for at most {wanted:g} a week {kept} {said(found.value)} (it gives {found.outcome.a_week:.3g})"


def _row(alert: str, report: Report) -> tuple[str, ...]:
    outcome = report.outcomes[alert]
    numbers = (str(outcome.count), f"{outcome.a_week:.3g}", str(len(outcome.places)))
    return (alert, report.severities[alert], *numbers, span(outcome.firing_seconds), span(outcome.longest))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _firings(outcome: Outcome) -> Iterator[str]:
    width = max(len(firing.place) for firing in outcome.firings[:_SHOWN])
    for firing in outcome.firings[:_SHOWN]:
        yield f"  {firing.place:<{width}}  {_when(firing)}"
    if outcome.count > _SHOWN:
        yield f"  and {outcome.count - _SHOWN} more"


def _when(firing: Firing) -> str:
    incident = firing.incident
    begin = "before the period" if incident.before else moment(incident.fired)
    end = "still firing" if incident.open else moment(incident.ended)
    return f"{begin} to {end} ({span(incident.seconds)})"


def _plot(varied: Varied, report: Report) -> Iterator[str]:
    setting = SETTINGS[varied.threshold]
    yield f"{varied.alert}: {varied.threshold} against the number of alerts"
    names = [setting.shown(each.value) for each in varied.tried]
    width, most = max(map(len, names)), max(each.outcome.count for each in varied.tried)
    for name, each in zip(names, varied.tried, strict=True):
        mark = ">" if each.value == varied.present else " "
        bar = "#" * -(-_BAR * each.outcome.count // max(most, _BAR // 4))
        places = f"on {len(each.outcome.places)}, {span(each.outcome.firing_seconds)}" if each.outcome.count else ""
        yield f"{mark} {name:>{width}} |{bar} {each.outcome.count} {places}".rstrip()
    yield f"  {suggested(varied, report.wanted)}"

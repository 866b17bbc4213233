"""What a push did, in words and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from builder.errors import printable

if TYPE_CHECKING:
    from builder.targets.grafana.report import Outcome, Report

_SHOWN_CHANGES = 10
_NOT_BEGUN = "run it again for what was not begun: what is done is kept"


def in_words(report: Report) -> str:
    """The report as text: what was done to each board, why not, and where it can be opened."""
    return "\n".join(map(printable, [*_lines(report, _SHOWN_CHANGES), _summary(report)]))


def as_difference(report: Report) -> str:
    """A dry run as text, for somebody who wants to know what differs and not to push."""
    counts = Counter("equal" if outcome.action == "unchanged" else "differ" for outcome in report.outcomes)
    told = ", ".join(f"{counts[what]} {what}" for what in ("equal", "differ") if counts[what])
    return "\n".join(map(printable, [*_lines(report, None), told or "no boards"]))


def _lines(report: Report, at_most: int | None) -> Iterator[str]:
    version = report.version or "of unknown version"
    yield f"{report.url}: Grafana {version}, {report.api}, folder {report.folder}"
    yield from (f"note: {note}" for note in report.notes)
    for step in report.folders:
        yield f"{'would ' if report.dry_run else ''}{step}"
    yield from _table(report.outcomes)
    for outcome in report.outcomes:
        yield from _explained(outcome, at_most)


def _table(outcomes: tuple[Outcome, ...]) -> Iterator[str]:
    rows = [(outcome.action, _result(outcome), outcome.uid, outcome.link) for outcome in outcomes]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        yield f"  {'  '.join([*cells, row[3]])}".rstrip()


def _result(outcome: Outcome) -> str:
    return "" if outcome.action == "unchanged" else outcome.result


def _explained(outcome: Outcome, at_most: int | None) -> Iterator[str]:
    refused = outcome.result == "refused"
    if outcome.result == "not begun":
        return  # all for one reason, which the last line says
    if not (outcome.detail or outcome.fix or (outcome.changes and (refused or outcome.result == "planned"))):
        return
    yield f"{outcome.uid} ({outcome.title}): {outcome.detail or outcome.action}"
    if refused or outcome.result == "planned":
        if outcome.changes and refused:
            yield "  a push would change in Grafana:"
        yield from (f"    {line}" for line in outcome.changes[:at_most])
        if at_most is not None and len(outcome.changes) > at_most:
            yield f"    and {len(outcome.changes) - at_most} more"
    if outcome.fix:
        yield f"  fix: {outcome.fix}"


def _summary(report: Report) -> str:
    counts = Counter(
        outcome.action if outcome.result in ("done", "planned") else outcome.result for outcome in report.outcomes
    )
    parts = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    start = "dry run, nothing written: " if report.dry_run else "interrupted: " if report.interrupted else ""
    end = f"; {_NOT_BEGUN}" if counts["not begun"] else ""
    return f"{start}{parts or 'no boards'}{end}"

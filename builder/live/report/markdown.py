"""A live report for a pull request or a ticket."""

from __future__ import annotations

from collections.abc import Iterator

from builder.lint import Severity
from builder.lint.report.summary import printable
from builder.live.outcome import BoardOutcome, LiveReport
from builder.live.report.figures import count, duration, moment, size


def render(report: LiveReport, least: Severity) -> str:
    """A table of panels for each board, and one of what the server lacks."""
    return "\n".join(_lines(report, least))


def _lines(report: LiveReport, least: Severity) -> Iterator[str]:
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in report.counts.items())
    yield f"**{verdicts or 'no panels'}** on {_cell(report.url)} at {moment(report.at)}"
    for note in report.notes:
        yield from ("", f"Note: {_cell(note)}.")
    for board in report.boards:
        yield from _board(board, least)
    if report.lacks:
        yield from ("", "### Not on this server", "", "| signal | metrics | fix |", "|---|---|---|")
        for lack in report.lacks:
            yield f"| {_cell(lack.name)} | {_cell(', '.join(lack.metrics))} | {_cell(lack.fix)} |"


def _board(board: BoardOutcome, least: Severity) -> Iterator[str]:
    yield from ("", f"### {_cell(board.title or board.name)}", "")
    errors = [board.error] if board.error else []
    errors += [f"variable ${variable.name}: {variable.error}" for variable in board.variables if variable.error]
    for error in errors:
        yield from (f"Error: {_cell(error)}", "")
    yield "| panel | verdict | series | samples | bytes | time | why |"
    yield "|---|---|--:|--:|--:|--:|---|"
    for panel in board.panels:
        if panel.verdict.severity >= least:
            cost = f"{count(panel.series)} | {count(panel.samples)} | {size(panel.size)} | {duration(panel.seconds)}"
            yield f"| {_cell(panel.title)} | {panel.verdict.value} | {cost} | {_cell(panel.why)} |"


def _cell(text: str) -> str:
    """Text that stays in its cell and shows as it is written."""
    text = printable(text)
    for sign in ("\\", "`", "|", "<", "*", "_", "["):
        text = text.replace(sign, f"\\{sign}")
    return text

"""A live report for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.lint import Severity
from builder.lint.report.summary import printable
from builder.live.outcome import BoardOutcome, Lack, LiveReport, PanelOutcome, Verdict, total
from builder.live.report.figures import count, duration, moment, plural, size

_WIDTH = 42
_WANTED = 3


def render(report: LiveReport, least: Severity) -> str:
    """One line a panel, those that are at least so bad, then what the server lacks, and sums."""
    return "\n".join(_lines(report, least))


def _lines(report: LiveReport, least: Severity) -> Iterator[str]:
    yield printable(f"{report.url}: Prometheus {report.version or 'of unknown version'}, {moment(report.at)}")
    yield from (printable(f"note: {note}") for note in report.notes)
    for board in report.boards:
        told = list(_board(board, least))
        if told or least == Severity.INFO:
            yield from map(printable, (_heading(board), *told))
    if report.lacks:
        yield f"not on this server: {plural(len(report.lacks), 'signal')}"
        yield from map(printable, _lacks(report.lacks))
    yield _sums(report)


def _heading(board: BoardOutcome) -> str:
    """The board, and what the columns are below it; a row of them fits into 80 characters."""
    name = f"{board.name}  {board.title}"
    return f"{name:<{_WIDTH + 13}} {'series':>6} {'samples':>7} {'time':>8}" if board.panels else name


def _board(board: BoardOutcome, least: Severity) -> Iterator[str]:
    if board.error:
        yield f"  error      {board.error}"
    for variable in board.variables:
        if variable.error:
            yield f"  error      variable ${variable.name}: {variable.error}"
    for panel in board.panels:
        if panel.verdict.severity >= least:
            yield from _panel(panel)
    if board.left_out:
        yield f"  {board.left_out} more of repeated panels not asked"


def _panel(panel: PanelOutcome) -> Iterator[str]:
    title = panel.title or "(no title)"
    if others := [value for value in panel.scope.values() if value not in title]:
        title = f"{title} [{', '.join(others)}]"
    title = title if len(title) <= _WIDTH else f"{title[: _WIDTH - 1]}…"
    if panel.verdict is Verdict.NOT_ASKED:
        yield f"  {panel.verdict.value:<9}  {title:<{_WIDTH}}  {panel.why}".rstrip()
        return
    cost = f"{count(panel.series):>6} {count(panel.samples):>7} {duration(panel.seconds):>8}"
    yield f"  {panel.verdict.value:<9}  {title:<{_WIDTH}} {cost}"
    if panel.why:
        yield f"             {panel.why}"
    if panel.fix:
        yield f"             fix: {panel.fix}"
    for warning in dict.fromkeys(warning for query in panel.queries for warning in query.warnings):
        yield f"             the server says: {warning}"


def _lacks(lacks: Sequence[Lack]) -> Iterator[str]:
    """What is lacking, below what is to be done about it."""
    for fix in dict.fromkeys(lack.fix for lack in lacks):
        yield f"  {fix}"
        for lack in lacks:
            if lack.fix == fix:
                names = ", ".join(name for name in lack.metrics if name != lack.name)
                more = f" and {len(lack.wanted_by) - _WANTED} more" if len(lack.wanted_by) > _WANTED else ""
                yield f"    {lack.name}{f' ({names})' if names else ''}"
                yield f"      wanted by {'; '.join(lack.wanted_by[:_WANTED])}{more}"


def _sums(report: LiveReport) -> str:
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in report.counts.items())
    samples = count(total([panel.samples for panel in report.panels]))
    answers = size(sum(panel.size for panel in report.panels))
    boards = plural(len(report.boards), "board")
    return f"{verdicts or 'no panels'} in {boards}; {samples} samples read, {answers}, {duration(report.seconds)}"

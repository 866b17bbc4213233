"""The live check of a review: what the change touches, opened on a running Prometheus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from builder.cli.check_live import options
from builder.cli.progress import progress
from builder.cli.prometheus_options import JOBS, TIMEOUT, the_prometheus
from builder.cli.stopping import finishing_first
from builder.config import Config, resolve_profile
from builder.lint import Finding, Severity, Subject
from builder.live.outcome import BoardOutcome, PanelOutcome, Verdict
from builder.review.model import BoardReview, Review
from builder.targets.prometheus.check import check
from builder.targets.prometheus.client import Client

_SAID = {
    Verdict.ERROR: "the panel fails",
    Verdict.MISSING: "the panel is empty",
    Verdict.EMPTY: "the panel is empty",
    Verdict.SLOW: "the panel is slow",
}


def asked(review: Review, said: Mapping[str, Any], config: Config, *, files: bool) -> tuple[Review, str]:
    """The report with what the server says, and what kept it from saying all.

    Raises ServerError where there is no Prometheus, and UsageError where it is named wrongly.
    """
    changed = [board for board in review.boards if board.diff.after is not None]
    interval = 15 if files else resolve_profile(config).interval
    chosen, address = options(said, interval), the_prometheus(said["prometheus"], said)
    if not changed:
        return review, ""
    subjects = [Subject(board.diff.uid or board.diff.title, board.diff.after) for board in changed]
    seconds, jobs = said["timeout"] or TIMEOUT, said["jobs"] or JOBS
    with finishing_first() as stop, Client(address, seconds, jobs, stop) as client:
        report = check(subjects, client, chosen, progress())
    found = [
        finding
        for board, outcome in zip(changed, report.boards, strict=False)  # trouble leaves boards out at the end
        for finding in _findings(board, outcome)
    ]
    notes = [f"Prometheus: {note}" for note in report.notes]
    if report.trouble:
        notes.append(f"not all boards could be asked: {report.trouble}")
    return replace(review, live=tuple(found), notes=(*review.notes, *notes)), report.trouble


def _findings(board: BoardReview, outcome: BoardOutcome) -> Iterator[Finding]:
    name = board.diff.uid or board.diff.title
    errors = [outcome.error] if outcome.error else []
    errors += [f"variable ${one.name}: {one.error}" for one in outcome.variables if one.error]
    yield from (Finding("live", Severity.BUG, name, error, board=board.diff.title) for error in errors)
    concerned = _touched(board)
    for panel in outcome.panels:
        if panel.verdict in _SAID and (concerned is None or panel.id in concerned):
            yield _finding(board, panel)


def _finding(board: BoardReview, panel: PanelOutcome) -> Finding:
    return Finding(
        "live",
        panel.verdict.severity,
        board.diff.uid or board.diff.title,
        f"{_SAID[panel.verdict]}: {panel.why}" if panel.why else _SAID[panel.verdict],
        fix=panel.fix,
        board=board.diff.title,
        panel=panel.title,
        panel_id=panel.id,
    )


def _touched(board: BoardReview) -> set[int] | None:
    """The ids of the panels that the change touched; None for all of them, as a variable may be in any."""
    parts = board.diff.parts
    if board.diff.before is None or any(part.what == "variable" for part in parts):
        return None
    return {_id(part.after) for part in parts if part.what == "panel" and part.after is not None}


def _id(panel: Mapping[str, Any]) -> int:
    number = panel.get("id")
    return number if isinstance(number, int) else 0

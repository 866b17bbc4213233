"""From the boards of both sides to what is to be said about the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from builder.diff import BoardDiff
from builder.diff.pairing import Stored, compare_all
from builder.lint import Exemption, Finding, LintConfig, Subject, lint
from builder.lint.changed import Changes
from builder.lint.reading import board_of
from builder.lint.shape import text, whole
from builder.review.model import BoardReview

Likeness = tuple[str, int | str | None, str]


def assessed(
    before: Sequence[Stored],
    after: Sequence[Stored],
    config: LintConfig,
    exemptions: Sequence[Exemption] = (),
    files: Mapping[str, Subject] | None = None,
    past: LintConfig | None = None,
) -> list[BoardReview]:
    """The boards that differ, with the findings that the change brought and those that it took away.

    ``files`` are the new boards as ``check`` knows them, by the name in ``after``; without them names are all that
    findings can tell. ``past`` is what the old boards are checked with, where that is not ``config``: against another
    exporter than they were built for they would be wrong from end to end.
    """
    diffs = [diff for diff in compare_all(before, after) if diff]
    subjects = {id(board.data): (files or {}).get(board.name) or Subject(board.name, board.data) for board in after}
    changed = [subjects[id(diff.after)] for diff in diffs if diff.after is not None]
    old = [Subject(diff.uid, diff.before) for diff in diffs if diff.before is not None]
    found = _by_file(_without_stale(lint(changed, config, exemptions)))
    known = _by_file(_without_stale(lint(old, past or config, exemptions)))
    return [_review(diff, subjects, found, known) for diff in diffs]


def _review(
    diff: BoardDiff,
    subjects: Mapping[int, Subject],
    found: Mapping[str, Sequence[Finding]],
    past: Mapping[str, Sequence[Finding]],
) -> BoardReview:
    known = [_as_now(finding, diff) for finding in past.get(diff.uid, ())] if diff.before is not None else []
    if diff.after is None:
        return BoardReview(diff, (), len(known))
    subject = subjects[id(diff.after)]
    board = board_of(subject)
    now = [finding for finding in found.get(subject.file, ()) if finding.board in ("", board.name)]
    changes = Changes(board_of(Subject(diff.uid, diff.before)) if diff.before is not None else None, board)
    new = [finding for finding in _added(known, now) if changes.concern(finding)]
    return BoardReview(diff, tuple(new), len(_added(now, known)))


def _added(old: Sequence[Finding], new: Sequence[Finding]) -> Sequence[Finding]:
    """The findings that have no like among the old ones, in a panel of the same id or, given anew, the same title."""
    for likeness in (_by_id, _by_title):
        left, unlike = Counter(map(likeness, old)), list[Finding]()
        for finding in new:
            if left[likeness(finding)]:
                left[likeness(finding)] -= 1
            else:
                unlike.append(finding)
        old = _unmatched(old, left, likeness)
        new = unlike
    return new


def _as_now(finding: Finding, diff: BoardDiff) -> Finding:
    """A finding of the old board, told of the panel as it is called now: a new name makes no new finding."""
    for part in diff.parts:
        if part.what != "panel" or part.before is None or part.after is None:
            continue
        if _name(part.before) == (finding.panel_id, finding.panel):
            number, title = _name(part.after)
            summary = finding.summary.replace(finding.panel, title) if finding.panel else finding.summary
            return replace(finding, panel_id=number, panel=title, summary=summary)
    return finding


def _name(panel: Mapping[str, Any]) -> tuple[int | None, str]:
    """A panel's id and title as findings give them, whatever stands there."""
    return whole(panel.get("id")), text(panel.get("title"))


def _unmatched(
    old: Sequence[Finding], left: Counter[Likeness], likeness: Callable[[Finding], Likeness]
) -> list[Finding]:
    kept: list[Finding] = []
    for finding in old:
        if left[likeness(finding)]:
            left[likeness(finding)] -= 1
            kept.append(finding)
    return kept


def _by_id(finding: Finding) -> Likeness:
    return finding.rule, finding.panel_id, finding.summary


def _by_title(finding: Finding) -> Likeness:
    return finding.rule, finding.panel, finding.summary


def _without_stale(findings: Sequence[Finding]) -> list[Finding]:
    """Without what is said about exemptions: of some boards alone nobody knows whether they are used."""
    return [finding for finding in findings if finding.rule not in ("unused-exemption", "expired-exemption")]


def _by_file(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.file, []).append(finding)
    return found

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
from builder.lint.model import Board
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
    names = {id(board.data): board.name for board in before}
    changed = [subjects[id(diff.after)] for diff in diffs if diff.after is not None]
    # An old board is checked as if it lay where the new one does: some findings tell about files.
    old = {
        number: replace(subjects[id(diff.after)], data=diff.before, source="", line=0)
        if diff.after is not None
        else Subject(names[id(diff.before)], diff.before)
        for number, diff in enumerate(diffs)
        if diff.before is not None
    }
    found = _by_file(_without_stale(lint(changed, config, exemptions)))
    known = _by_file(_without_stale(lint([*old.values()], past or config, exemptions)))
    return [
        _review(diff, subjects.get(id(diff.after)), old.get(number), found, known) for number, diff in enumerate(diffs)
    ]


def _review(
    diff: BoardDiff,
    new: Subject | None,
    old: Subject | None,
    found: Mapping[str, Sequence[Finding]],
    past: Mapping[str, Sequence[Finding]],
) -> BoardReview:
    before, after = (board_of(subject) if subject is not None else None for subject in (old, new))
    known = _as_now(_of(before, past), diff)
    if after is None:
        return BoardReview(diff, (), len(known))
    now = _of(after, found)
    changes = Changes(before, after)
    added = [finding for finding in _added(known, now) if changes.concern(finding)]
    return BoardReview(diff, tuple(added), len(_added(now, known)))


def _of(board: Board | None, found: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """A board's own findings, of a file that may define several."""
    if board is None:
        return []
    return [finding for finding in found.get(board.subject.file, ()) if finding.board in ("", board.name)]


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


def _as_now(known: Sequence[Finding], diff: BoardDiff) -> list[Finding]:
    """Findings of the old board, told of panels as they are called now: a new name makes no new finding."""
    names = {
        _name(part.before): _name(part.after)
        for part in reversed(diff.parts)  # of panels that are called alike, the first counts
        if part.what == "panel" and part.before is not None and part.after is not None
    }
    return [_renamed(finding, *names.get(was := (finding.panel_id, finding.panel), was)) for finding in known]


def _renamed(finding: Finding, number: int | None, title: str) -> Finding:
    if (number, title) == (finding.panel_id, finding.panel):
        return finding
    summary = finding.summary.replace(finding.panel, title) if finding.panel else finding.summary
    return replace(finding, panel_id=number, panel=title, summary=summary)


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

"""Exemptions: findings that somebody looked at and accepted, with the reason and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from builder.lint.finding import Finding
from builder.lint.model import Board
from builder.lint.rule import Rule
from builder.lint.rules import expired_exemption, unused_exemption
from builder.lint.world import LintConfig


@dataclass(frozen=True)
class Exemption:
    """One accepted kind of finding.

    ``board`` is a uid or title, ``panel`` a title or id; empty means any. ``folder`` limits it to
    the boards of one folder. ``ours`` is False for what another linter's file says: it was not written for this
    one, so nobody minds when it covers nothing.
    """

    rule: str
    reason: str
    board: str = ""
    panel: str = ""
    until: date | None = None
    file: str = ""
    line: int = 0
    folder: str | None = None
    ours: bool = True

    def covers(self, finding: Finding, board: Board) -> bool:
        """True where the finding is of this kind."""
        return (
            finding.rule == self.rule
            and self.concerns(board)
            and (not self.panel or self.panel in (finding.panel, str(finding.panel_id)))
        )

    def concerns(self, board: Board) -> bool:
        """True where the board is one that this is good for."""
        in_folder = self.folder is None or self.folder == board.subject.folder
        return in_folder and (not self.board or self.board in (board.uid, board.title))

    @property
    def shown(self) -> str:
        """What it exempts, in a few words."""
        parts = [self.rule]
        parts += [f"board {self.board}"] if self.board else []
        parts += [f"panel {self.panel}"] if self.panel else []
        return ", ".join(parts)


def exempt(
    findings: Sequence[Finding], exemptions: Sequence[Exemption], boards: Sequence[Board], config: LintConfig
) -> list[Finding]:
    """The findings that no exemption covers, and what is wrong with the exemptions."""
    by_file = {board.subject.file: board for board in boards}
    live = [each for each in exemptions if each.until is None or each.until >= config.today]
    used: set[int] = set()
    kept = []
    for finding in findings:
        covering = [n for n, each in enumerate(live) if each.covers(finding, by_file[finding.file])]
        used.update(covering)
        if not covering:
            kept.append(finding)
    kept += [_expired(each) for each in exemptions if each not in live and each.ours]
    for number, each in enumerate(live):
        # With some of the boards alone, an exemption for another one is not to blame.
        in_sight = config.whole or (each.board and any(each.concerns(board) for board in boards))
        if number not in used and each.ours and in_sight:
            kept.append(_unused(each))
    return kept


def _expired(exemption: Exemption) -> Finding:
    return _about(exemption, expired_exemption.RULE, f"expired on {exemption.until}")


def _unused(exemption: Exemption) -> Finding:
    return _about(exemption, unused_exemption.RULE, "covers nothing")


def _about(exemption: Exemption, rule: Rule, what: str) -> Finding:
    summary = f"the exemption of {exemption.shown} {what}"
    return Finding(rule.id, rule.severity, exemption.file, summary, rule.why, rule.fix, line=exemption.line)

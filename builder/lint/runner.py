"""Dashboards in, findings out. Pure: no file, no network, no clock but the configured day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.lint.exemptions import Exemption, exempt
from builder.lint.finding import Finding, Place
from builder.lint.model import Board, Panel, Subject
from builder.lint.positions import Positions
from builder.lint.reading import board_of
from builder.lint.rule import Hit, Rule
from builder.lint.rules import RULES
from builder.lint.world import LintConfig, World


def lint(
    subjects: Sequence[Subject], config: LintConfig | None = None, exemptions: Sequence[Exemption] = ()
) -> list[Finding]:
    """Everything that the rules find in the dashboards, in the order of the files.

    What an exemption covers is left out; exemptions that have expired or cover nothing are findings themselves.
    """
    config = config or LintConfig()
    boards = [board_of(subject) for subject in subjects]
    world = World(config, boards)
    found = [finding for board in boards for finding in _in_order(_findings(board, world))]
    return exempt(found, exemptions, boards, config)


def _findings(board: Board, world: World) -> Iterator[Finding]:
    report = _Reporter(board)
    for rule in RULES:
        if rule.on_board:
            for hit in rule.on_board(board, world):
                yield report(rule, hit, ())
    for panel in board.panels:
        for rule in RULES:
            if rule.on_panel:
                for hit in rule.on_panel(panel, board, world):
                    yield report(rule, hit, panel.place, panel)
            if rule.on_query:
                for query in panel.asked:
                    if query.tree is not None:
                        for hit in rule.on_query(query, panel, board, world):
                            yield report(rule, hit, query.place, panel)


class _Reporter:
    """Makes findings of hits: who and where."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._positions = Positions(board.subject.source) if board.subject.source else None
        self._panels = {panel.place: panel for panel in board.panels}

    def __call__(self, rule: Rule, hit: Hit, start: Place, panel: Panel | None = None) -> Finding:
        place = (*start, *hit.at)
        panel = panel or self._panel_at(place)
        line, column = self._positions.line_and_column(place) if self._positions else (self._board.subject.line, 0)
        return Finding(
            rule.id,
            hit.severity or rule.severity,
            self._board.subject.file,
            hit.summary,
            rule.why,
            hit.fix or rule.fix,
            self._board.name,
            panel.title if panel else "",
            panel.id if panel else None,
            place,
            line,
            column,
            hit.edits,
        )

    def _panel_at(self, place: Place) -> Panel | None:
        """The panel that a place is in; rules that look at a whole board name places alone."""
        return next((self._panels[place[:n]] for n in range(len(place), 0, -1) if place[:n] in self._panels), None)


def _in_order(findings: Iterator[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (f.line, f.column, [str(step).zfill(6) for step in f.place], f.rule))

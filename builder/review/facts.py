"""The report as data, whole."""

from __future__ import annotations

from typing import Any

from builder.diff.show.facts import facts as of_diff
from builder.lint import Finding
from builder.review.model import BoardReview, Review


def facts(review: Review) -> dict[str, Any]:
    """Everything that the report knows."""
    return {
        "base": review.base,
        "commit": review.commit,
        "compared": review.compared,
        "notes": list(review.notes),
        "boards": [_board(board) for board in review.boards],
        "unread": [_finding(found) for found in review.unread],
        "live": [_finding(found) for found in review.live],
    }


def _board(board: BoardReview) -> dict[str, Any]:
    before, after = board.sizes
    return {
        **of_diff(board.diff),
        "size": {"before": vars(before), "after": vars(after)},
        "findings": [_finding(found) for found in board.findings],
        "findings_gone": board.gone,
    }


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "severity": found.severity.word,
        "where": found.where,
        "summary": found.summary,
        "fix": found.fix,
        "board": found.board,
        "panel": found.panel,
        "panel_id": found.panel_id,
        "path": found.path,
    }

"""A live report for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from builder.lint import Severity
from builder.live.outcome import LiveReport, PanelOutcome


def render(report: LiveReport, least: Severity) -> str:
    """Everything, apart from panels that are less bad than asked for."""
    boards = [
        {
            **asdict(board),
            "severity": board.severity.word,
            "panels": [_panel(panel) for panel in board.panels if panel.verdict.severity >= least],
        }
        for board in report.boards
    ]
    document = {**asdict(report), "boards": boards, "counts": report.counts, "severity": report.severity.word}
    return json.dumps(document, indent=2, ensure_ascii=True)


def _panel(panel: PanelOutcome) -> dict[str, Any]:
    sums = {"series": panel.series, "samples": panel.samples, "size": panel.size, "seconds": panel.seconds}
    verdict = {"verdict": panel.verdict.value, "severity": panel.verdict.severity.word}
    return {**asdict(panel), **verdict, **sums}

"""Findings for programs."""

from __future__ import annotations

import json
from typing import Any

from builder.lint.finding import Finding
from builder.lint.report.summary import Report


def render(report: Report) -> str:
    """One JSON object: ``findings``, ``counts`` by severity, ``dashboards``, and ``unread`` files."""
    content = {
        "findings": [_finding(finding) for finding in report.findings],
        "counts": report.counts,
        "dashboards": report.dashboards,
        "unread": list(report.unread),
    }
    return json.dumps(content, indent=2)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "board": finding.board,
        "panel": finding.panel,
        "panel_id": finding.panel_id,
        "path": finding.path,
        "summary": finding.summary,
        "why": finding.details,
        "fix": finding.fix,
        "fixable": bool(finding.edits),
    }

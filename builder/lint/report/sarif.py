"""Findings as SARIF 2.1.0, which code hosts show beside the changed lines.

Format: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" of OASIS.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from builder.lint.finding import Finding, Severity
from builder.lint.report.summary import Report
from builder.lint.rules import RULES

_LEVELS = {Severity.BUG: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report) -> str:
    """A SARIF log with one run."""
    driver: dict[str, Any] = {"name": "gpuboards", "rules": [_rule(rule) for rule in RULES]}
    if report.version:
        driver["version"] = report.version
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": _results(report)}
    if report.unread:
        notes = [{"level": "error", "message": {"text": text}} for text in report.unread]
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": notes}]
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2)


def _rule(rule: Any) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.id.replace("-", " ")},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\nTo do: {rule.fix}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _results(report: Report) -> list[dict[str, Any]]:
    numbers = {rule.id: number for number, rule in enumerate(RULES)}
    alike: Counter[str] = Counter()
    results = []
    for finding in report.findings:
        print_ = _fingerprint(finding)
        alike[print_] += 1
        results.append(_result(finding, numbers[finding.rule], f"{print_}:{alike[print_]}"))
    return results


def _result(finding: Finding, number: int, fingerprint: str) -> dict[str, Any]:
    panel = f'panel "{finding.panel}": ' if finding.panel else ""
    text = f"{panel}{finding.summary}" + (f"\nTo do: {finding.fix}" if finding.fix else "")
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.file)}}
    if finding.line:
        physical["region"] = {"startLine": finding.line, **({"startColumn": finding.column} if finding.column else {})}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.place:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.path}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"gpuboards/v1": fingerprint},
    }


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _fingerprint(finding: Finding) -> str:
    """Stays when lines move: the rule, the board, the panel and what was found."""
    parts = (finding.rule, Path(finding.file).name, finding.board, finding.panel, finding.summary)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:20]

"""Findings as annotations of a GitHub pull request.

Format: "Workflow commands for GitHub Actions" on docs.github.com.
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.lint.finding import Finding, Severity
from builder.lint.report.summary import Report, printable

_COMMANDS = {Severity.BUG: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """One workflow command a finding."""
    return "\n".join(_command(finding) for finding in report.findings)


def _command(finding: Finding) -> str:
    properties = ",".join(f"{key}={_property(value)}" for key, value in _properties(finding))
    panel = f'panel "{finding.panel}": ' if finding.panel else ""
    message = f"{panel}{finding.summary}\n{finding.fix}" if finding.fix else f"{panel}{finding.summary}"
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(message)}"


def _properties(finding: Finding) -> Iterator[tuple[str, str]]:
    yield "file", finding.file
    if finding.line:
        yield "line", str(finding.line)
    if finding.column:
        yield "col", str(finding.column)
    yield "title", finding.rule


def _data(text: str) -> str:
    return "%0A".join(printable(line).replace("%", "%25") for line in text.split("\n"))


def _property(text: str) -> str:
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")

"""Findings for people."""

from __future__ import annotations

from collections.abc import Iterator

from builder.lint.finding import Finding
from builder.lint.report.summary import Report, printable

_NOUNS = {"bug": "bug", "warning": "warning", "info": "hint"}


def render(report: Report) -> str:
    """One finding after the other, with the reason at the first of each rule, and a count at the end."""
    explained: set[str] = set()
    lines: list[str] = []
    for finding in report.findings:
        lines += _finding(finding, finding.rule not in explained)
        explained.add(finding.rule)
    return "\n".join([*lines, _count(report)])


def _finding(finding: Finding, explain: bool) -> Iterator[str]:
    yield printable(f"{finding.where}: {finding.severity.word}: {finding.summary} [{finding.rule}]")
    if finding.board:
        panel = f', panel "{finding.panel}"' if finding.panel else ""
        number = f" (id {finding.panel_id})" if finding.panel_id is not None else ""
        at = f", {finding.path}" if finding.place else ""
        yield printable(f'    in "{finding.board}"{panel}{number}{at}')
    if explain and finding.details:
        yield f"    why: {finding.details}"
    if finding.fix:
        yield printable(f"    fix: {finding.fix}")


def _count(report: Report) -> str:
    found = [f"{n} {_NOUNS[word]}{'' if n == 1 else 's'}" for word, n in report.counts.items() if n]
    boards = f"{report.dashboards} dashboard{'' if report.dashboards == 1 else 's'}"
    return f"{', '.join(found) or 'nothing found'} in {boards}"

"""What all formats need: what was looked at, and text that is safe to print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from builder.lint.finding import Finding, Severity

# Control characters, halves of characters, line ends, and what turns the direction of writing.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]+")


@dataclass(frozen=True)
class Report:
    """The findings to show, and how many dashboards they are of.

    ``unread`` says what could not be looked at, ``version`` which gpuboards looked.
    """

    findings: Sequence[Finding]
    dashboards: int
    unread: Sequence[str] = ()
    version: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity, worst first."""
        found = Counter(finding.severity for finding in self.findings)
        return {severity.word: found[severity] for severity in sorted(Severity, reverse=True)}


def printable(text: str) -> str:
    """The text in one line: a title may hold line breaks, terminal codes and halves of characters."""
    return _UNPRINTABLE.sub(" ", text)

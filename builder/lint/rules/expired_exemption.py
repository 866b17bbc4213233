"""expired-exemption: its date is over. Found where exemptions are applied (``builder.lint.exemptions``)."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.rule import Rule

RULE = Rule(
    "expired-exemption",
    Severity.WARNING,
    why="What was accepted for a time is a fault again; its findings are reported as if there were no exemption.",
    fix="mend what it covered and remove it, or give it a new date and a reason that still holds",
)

"""unused-exemption: it covers nothing. Found where exemptions are applied (``builder.lint.exemptions``)."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.rule import Rule

RULE = Rule(
    "unused-exemption",
    Severity.WARNING,
    why="The fault is gone, or the exemption names something that does not exist and would hide the next one.",
    fix="remove it, or correct the names in it",
)

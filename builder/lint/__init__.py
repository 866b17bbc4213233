"""Lint: what is wrong with a dashboard, ours or anybody's, told without asking a server.

``lint`` takes dashboards as values and gives findings as values. A rule is one module in ``rules``.
"""

from __future__ import annotations

from builder.lint.exemptions import Exemption
from builder.lint.finding import Finding, Severity
from builder.lint.model import Subject
from builder.lint.runner import lint
from builder.lint.world import Limits, LintConfig

__all__ = ["Exemption", "Finding", "Limits", "LintConfig", "Severity", "Subject", "lint"]

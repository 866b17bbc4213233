"""``gpuboards rules``: alerting rules, explained and tested."""

from __future__ import annotations

import click

from builder.cli import rules_explain, rules_test


@click.group("rules")
def command() -> None:
    """Alerting rules: what each says and when, and proof that it does."""


command.add_command(rules_explain.command)
command.add_command(rules_test.command)

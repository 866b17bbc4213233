"""Groups of alerting rules as the YAML of a Prometheus rule file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from builder.rules.encode import duration
from builder.rules.model import AlertRule, Group


def render(groups: Iterable[Group], *, texts: bool = True) -> str:
    """A rule file; without ``texts`` the rules have no annotations, which a test of firing times does not look at."""
    import yaml

    written = [
        {
            "name": group.name,
            "interval": duration(group.interval),
            "rules": [_rule(rule, texts) for rule in group.rules if isinstance(rule, AlertRule)],
        }
        for group in groups
    ]
    return yaml.safe_dump({"groups": written}, sort_keys=False, allow_unicode=True, width=100_000)


def _rule(rule: AlertRule, texts: bool) -> dict[str, Any]:
    written: dict[str, Any] = {"alert": rule.alert, "expr": rule.expr.text}
    if rule.hold:
        written["for"] = duration(rule.hold)
    if rule.keep:
        written["keep_firing_for"] = duration(rule.keep)
    written["labels"] = {"severity": rule.severity.value, **rule.labels}
    if texts and rule.annotations:
        written["annotations"] = dict(rule.annotations)
    return written

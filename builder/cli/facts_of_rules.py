"""What is known about a name of the rules, as plain data: an alert, a recorded series, a setting of the alerts."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from builder.alerting import source_of
from builder.cli import rules_explain
from builder.config import Config, Thresholds
from builder.rule_files import rule_groups
from builder.rules.alerts import ALERTS
from builder.rules.alerts.facts import needs
from builder.rules.model import RecordingRule
from builder.rules.recording import meanings
from builder.rules.thresholds import SETTINGS

_ALERTS = "alerts."
_BOARDS = "thresholds."


def names() -> set[str]:
    """Every name that can be explained here."""
    boards = {f"{_BOARDS}{f.name}" for f in fields(Thresholds)}
    return {*ALERTS, *meanings(), *(f"{_ALERTS}{name}" for name in SETTINGS), *boards}


def found(name: str, config: Config) -> dict[str, Any] | None:
    """What the name means in the rules of this configuration; None where it is none of theirs."""
    if name in ALERTS:
        return {"explains": "alert", **rules_explain.facts(name, config)}
    return _recorded(name, config) or _of_alerts(name, config) or _of_boards(name, config)


def _recorded(name: str, config: Config) -> dict[str, Any] | None:
    held = meanings().get(name)
    if held is None:
        return None
    groups = [group for level in rule_groups(config).values() for group in level]
    rules = [
        rule for group in groups for rule in group.rules if isinstance(rule, RecordingRule) and rule.record == name
    ]
    return {
        "explains": "recorded series",
        "name": name,
        "help": held,
        "profile": config.profile,
        "rules": [{"expr": rule.expr.text, "labels": sorted({*rule.expr.labels, *rule.labels})} for rule in rules],
    }


def _of_alerts(name: str, config: Config) -> dict[str, Any] | None:
    setting = SETTINGS.get(name.removeprefix(_ALERTS)) if name.startswith(_ALERTS) else None
    if setting is None:
        return None
    thresholds, source = config.alerts.thresholds, source_of(config)
    value = thresholds.named(setting.name)
    return {
        "explains": "setting",
        "name": name,
        "help": setting.help,
        "value": value,
        "shown": setting.shown(value),
        "default": setting.shown(setting.default),
        "low": setting.low,
        "high": setting.high,
        "alerts": [a for a, alert in ALERTS.items() if setting.name in needs(alert, source, thresholds).thresholds],
        "namesake": _namesake(_BOARDS, setting.name),
    }


def _of_boards(name: str, config: Config) -> dict[str, Any] | None:
    of = name.removeprefix(_BOARDS)
    if not name.startswith(_BOARDS) or of not in (f.name for f in fields(Thresholds)):
        return None
    value, default = (f"{getattr(each, of):g}" for each in (config.thresholds, Thresholds()))
    return {
        "explains": "setting",
        "name": name,
        "help": "from where boards colour a value; no alert reads it",
        "value": getattr(config.thresholds, of),
        "shown": value,
        "default": default,
        "alerts": [],
        "namesake": _namesake(_ALERTS, of),
    }


def _namesake(section: str, name: str) -> str:
    """The setting of the same name in the other section, which is another one."""
    return f"{section}{name}" if f"{section}{name}" in names() else ""

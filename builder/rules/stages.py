"""Alerts are switched on step by step: observed first, then told in the chat, then to the pager.

The stage is a label of the alerts, so the rules alone change from stage to stage: Alertmanager's routes read it
and stay as they are. It is part of an alert's identity: what fires while the stage changes resolves and fires anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum

from builder.errors import UnknownName
from builder.rules.labels import MUTES, MUTING, STAGE
from builder.rules.model import AlertRule, Group, RecordingRule


class Stage(Enum):
    """How far alerts go; the value is the ``stage`` label."""

    OBSERVE = "observe"
    """Recorded by Prometheus (the series ``ALERTS``) and shown by Alertmanager; nobody is told."""
    WARN = "warn"
    """Told in the chat, the critical ones too; nobody is called."""
    FULL = "full"
    """Told by severity."""


_ORDER = tuple(Stage)


def marked(groups: Iterable[Group], stage: Stage, at_most: Mapping[str, Stage] | None = None) -> tuple[Group, ...]:
    """The groups with the labels that Alertmanager routes by: the stage on each alert, and what an alert silences.

    ``at_most`` keeps single alerts, by name, at an earlier stage than the rest. Raises UnknownName for a name that
    no alert has.
    """
    groups, limits = tuple(groups), at_most or {}
    names = {rule.alert for group in groups for rule in group.rules if isinstance(rule, AlertRule)}
    for name in limits:
        if name not in names:
            raise UnknownName("alert", name, names)
    return tuple(replace(group, rules=tuple(_marked(rule, stage, limits) for rule in group.rules)) for group in groups)


def _marked(rule: RecordingRule | AlertRule, stage: Stage, limits: Mapping[str, Stage]) -> RecordingRule | AlertRule:
    if not isinstance(rule, AlertRule):
        return rule
    reached = min(stage, limits.get(rule.alert, stage), key=_ORDER.index)
    muting = {MUTES: MUTING[rule.alert].value} if rule.alert in MUTING else {}
    return replace(rule, labels={**rule.labels, STAGE: reached.value, **muting})

"""What is wrong with groups of rules that Prometheus would take without a word, or refuse at the next restart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.errors import QueryError
from builder.promql.parse import check_query
from builder.rules.labels import THRESHOLDS
from builder.rules.model import AlertRule, Group, RecordingRule

MOST_RULES = 25
"""Of one group: they are evaluated one after the other, and what takes longer than its interval is skipped."""
LONGEST_INTERVAL = 140
"""Seconds between evaluations: a series that is written more rarely than twice in five minutes has gaps."""

_RECORD = re.compile(r"[a-z]+(:[a-z][a-z0-9_]*){1,2}")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_RECORDED = re.compile(r"(?<![\w:])[a-z]+(?::[a-z]\w*)+", re.ASCII)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: in which group and rule, what, and what to do about it."""

    group: str
    rule: str
    what: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.group}: {self.rule}" if self.rule else self.group
        return f"{place}: {self.what}\n  fix: {self.fix}"


def check(groups: Sequence[Group]) -> list[Finding]:
    """Everything that is wrong with groups that one Prometheus evaluates."""
    return [*_groups(groups), *_names(groups), *_expressions(groups)]


def _groups(groups: Sequence[Group]) -> Iterator[Finding]:
    for name, count in Counter(group.name for group in groups).items():
        if count > 1:
            yield Finding(name, "", f"{count} groups have this name", "give each its own")
    for group in groups:
        if len(group.rules) > MOST_RULES:
            yield Finding(group.name, "", f"{len(group.rules)} rules in one group", f"at most {MOST_RULES}: split it")
        records = any(isinstance(rule, RecordingRule) for rule in group.rules)
        if records and group.interval > LONGEST_INTERVAL:
            what = f"recorded every {group.interval} s: the series has gaps"
            yield Finding(group.name, "", what, f"at most {LONGEST_INTERVAL} s")


def _names(groups: Sequence[Group]) -> Iterator[Finding]:
    known: set[tuple[str, ...]] = set()
    for group, rule in _rules(groups):
        name = _name(rule)
        # Two recording rules may write one name if a label tells their series apart. An alert's name is its own, but
        # for the parts of a fleet that have other thresholds.
        apart = rule.labels if isinstance(rule, RecordingRule) else {THRESHOLDS: rule.labels.get(THRESHOLDS, "")}
        told = tuple(f"{k}={v}" for k, v in sorted(apart.items()))
        kind = type(rule).__name__
        if (kind, name, *told) in known:
            yield Finding(group.name, name, "a second rule of this name", "keep one, or give them a label that differs")
        known.add((kind, name, *told))
        if isinstance(rule, RecordingRule) and not _RECORD.fullmatch(name):
            yield Finding(group.name, name, "not a recorded name", "level:signal_unit or level:signal_unit:operation")


def _expressions(groups: Sequence[Group]) -> Iterator[Finding]:
    recorded = {_name(rule) for _, rule in _rules(groups) if isinstance(rule, RecordingRule)}
    for group, rule in _rules(groups):
        text = _STRING.sub('""', rule.expr.text)
        if "$" in text:
            yield Finding(
                group.name, _name(rule), "a variable of Grafana in a rule", "write the window or value itself"
            )
            continue
        try:
            check_query(rule.expr.text)
        except QueryError as error:
            yield Finding(group.name, _name(rule), error.what, error.fix)
            continue
        for name in sorted(set(_RECORDED.findall(text)) - recorded):
            yield Finding(
                group.name, _name(rule), f"reads {name}, which no rule records", "record it, or ask otherwise"
            )


def _rules(groups: Sequence[Group]) -> Iterator[tuple[Group, RecordingRule | AlertRule]]:
    return ((group, rule) for group in groups for rule in group.rules)


def _name(rule: RecordingRule | AlertRule) -> str:
    return rule.record if isinstance(rule, RecordingRule) else rule.alert

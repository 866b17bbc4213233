"""Scenarios as unit tests for ``promtool test rules``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.catalog.model import Profile
from builder.promql.expr import quote
from builder.queries.source import Source
from builder.rules.alerts import ALERTS
from builder.rules.alerts.definition import told_by
from builder.rules.alerts.words import filled_in
from builder.rules.labels import SEVERITY, Scope
from builder.rules.model import AlertRule
from builder.rules.scenarios.courses import STEP
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.timeline import Change, Moments, Samples, Series, moments, played
from builder.rules.scenarios.world import World

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_GAP = 2 * STEP
_OFF = 2 * 86_400
"""By how much the clock of a host is wrong in a test: more than any time that a job may take for a step."""


@dataclass(frozen=True)
class Case:
    """One test: its name, what happens, and at which moments the alert fires (True) or is silent."""

    name: str
    trouble: tuple[Input, ...]
    change: Change
    looks: tuple[tuple[int, bool], ...]


def cases(scenario: Scenario, at: Moments, hold: int) -> Iterator[Case]:
    """Fires and clears, does not fire, survives a gap, new labels and a change of pods; a new card, a wrong clock."""
    firing = ((at.fires, True), (at.last, True))
    early = ((at.begin - STEP, False), (max(at.early, at.begin - STEP), False))
    yield Case("fires and clears", scenario.trouble, Change(), (*early, *firing, (at.clear, False)))
    yield Case("does not fire", scenario.near, Change(), tuple((t, False) for t, _ in (*firing, (at.clear, False))))
    later = at.fires + 2 * STEP
    gaps = ((at.middle, at.middle + _GAP),) if hold >= 2 * _GAP else ()
    gaps = (*gaps, (later, later + _GAP)) if later + _GAP < at.last else gaps
    held = tuple((t, True) for t in (at.fires, later, later + STEP, later + _GAP) if t <= at.last)
    yield Case("survives a scrape gap", scenario.trouble, Change(gaps=gaps), (*held, *firing))
    yield Case("survives a label scheme change", scenario.trouble, Change(renamed=at.middle), firing)
    yield Case("survives a change of pods", scenario.trouble, Change(moved=at.middle), firing)
    if scenario.replaceable:
        yield Case("clears with a new card", scenario.trouble, Change(replaced=at.end), (*firing, (at.clear, False)))
        yield Case("does not fire for a new card", (), Change(replaced=at.begin), ((at.fires, False), (at.last, False)))
    if scenario.by_clock:
        yield Case("does not fire by a slow clock", (), Change(clock=-_OFF), tuple((t, False) for t, _ in firing))
        yield Case("fires by a fast clock", scenario.trouble, Change(clock=_OFF), (*early, *firing, (at.clear, False)))


def unit_tests(
    rule: AlertRule, scenario: Scenario, world: World, source: Source, profiles: Sequence[Profile], rules: str
) -> str:
    """The test file of one alert; ``rules`` is the name of the rule file that holds it."""
    import yaml

    at = moments(scenario, rule)
    expected = [{"exp_labels": labels} for labels in _expected(rule, scenario, world, source)]
    names = set(_NAME.findall(" ".join((rule.expr.text, *rule.annotations.values()))))
    tests: list[dict[str, Any]] = []
    for case in cases(scenario, at, rule.hold):
        series = played(profiles, world, scenario, at, case.trouble, case.change, names)
        tests.append(
            {
                "name": f"{rule.alert} {case.name}",
                "interval": f"{STEP}s",
                "input_series": list(_input(series)),
                "alert_rule_test": [
                    {"eval_time": f"{when}s", "alertname": rule.alert, "exp_alerts": expected if fires else []}
                    for when, fires in sorted(set(case.looks))
                ],
            }
        )
    content = {"rule_files": [rules], "evaluation_interval": f"{STEP}s", "tests": tests}
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # in C where PyYAML has it, which is ten times as fast
    return str(yaml.dump(content, Dumper=dumper, sort_keys=False, allow_unicode=True, width=100_000))


def _expected(rule: AlertRule, scenario: Scenario, world: World, source: Source) -> Iterator[Mapping[str, str]]:
    """The labels of the alerts that fire."""
    scope = ALERTS[rule.alert].scope
    told = {label: filled_in(value) for label, value in rule.labels.items()}
    fixed = {SEVERITY: rule.severity.value, **told, **scenario.labels}
    kind = {Scope.CARD: "card", Scope.NODE: "host", Scope.JOB: "process"}[scope]
    struck = [e for e in world.entities() if e.kind == kind and (e.number == 0 or scenario.everywhere)]
    labels = told_by(scope, source)
    found = [{label: entity.labels[label] for label in labels} for entity in struck]
    for each in {tuple(sorted(one.items())): one for one in found}.values():
        yield {**each, **fixed}


def _input(series: Series) -> Iterator[dict[str, str]]:
    for (name, labels), samples in sorted(series.items()):
        shown = ",".join(f"{label}={quote(value)}" for label, value in labels)
        yield {"series": f"{name}{{{shown}}}", "values": " ".join(notation(samples))}


def notation(samples: Samples) -> Iterator[str]:
    """The samples in promtool's notation: runs of one difference are one word, and what ends is marked stale."""
    index = 0
    while index < len(samples):
        first = samples[index]
        if first is None:
            length = _run(samples, index)
            ended = index > 0
            if ended:
                yield "stale"
            if length > ended:
                yield f"_x{length - ended}"
            index += length
            continue
        length, difference = _progression(samples, index)
        if length == 1:
            yield _number(first)
        else:
            step = "" if difference == 0 else f"{'+' if difference > 0 else '-'}{_number(abs(difference))}"
            yield f"{_number(first)}{step}x{length - 1}"
        index += length


def _run(samples: Samples, index: int) -> int:
    end = index
    while end < len(samples) and samples[end] is None:
        end += 1
    return end - index


def _progression(samples: Samples, index: int) -> tuple[int, float]:
    """How many samples from here differ by the same, and by how much."""
    values = samples[index:]
    if len(values) < 2 or values[1] is None or values[0] is None:
        return 1, 0.0
    difference = values[1] - values[0]
    length = 2
    while length < len(values):
        one, other = values[length - 1], values[length]
        if one is None or other is None or round(other - one, 6) != round(difference, 6):
            break
        length += 1
    return length, difference


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e18 else repr(round(value, 9))

"""Everything that the own check finds, and that it finds nothing in what is built."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, Recording
from builder.promql.expr import Expr, selector
from builder.rule_files import rule_groups
from builder.rules.check import MOST_RULES, check
from builder.rules.model import AlertRule, Group, RecordingRule, Severity

RULE = RecordingRule("gpu:power_watts", selector("x"))
ALERT = AlertRule("GpuHot", selector("gpu:power_watts"), Severity.WARNING)


def asks(text: str) -> RecordingRule:
    return RecordingRule("gpu:x", Expr(text))


@pytest.mark.parametrize(
    ("groups", "what"),
    [
        ([Group("a", (RULE,)), Group("a", ())], "2 groups have this name"),
        (
            [Group("a", tuple(replace(RULE, record=f"gpu:x{n}") for n in range(MOST_RULES + 1)))],
            "26 rules in one group",
        ),
        ([Group("a", (RULE,), interval=300)], "recorded every 300 s: the series has gaps"),
        ([Group("a", (RULE, RULE))], "a second rule of this name"),
        (
            [Group("a", (RULE, ALERT)), Group("b", (replace(ALERT, labels={"team": "x"}),))],
            "a second rule of this name",
        ),
        ([Group("a", (RecordingRule("power", selector("x")),))], "not a recorded name"),
        ([Group("a", (asks("rate(x[$__rate_interval])"),))], "a variable of Grafana in a rule"),
        ([Group("a", (asks("sum(x"),))], "not a PromQL expression"),
        ([Group("a", (asks("gpu:powr_watts > 1"),))], "reads gpu:powr_watts, which no rule records"),
    ],
)
def test_it_is_found(groups: list[Group], what: str) -> None:
    found = check(groups)
    assert len(found) == 1 and what in found[0].what and found[0].fix, found


@pytest.mark.parametrize(
    "groups",
    [
        [Group("a", (RULE, replace(RULE, labels={"from": "a"})))],  # told apart by a label
        [Group("a", (RULE, ALERT), interval=60)],
        [
            Group("a", (RULE, ALERT, replace(ALERT, labels={"thresholds": "NVIDIA H200"})))
        ],  # the same alert of other cards
        [Group("a", (asks('label_replace(x{a="gpu:not_a_name"}, "node", "$1", "host", "(.+)")'),))],
    ],
)
def test_it_is_fine(groups: list[Group]) -> None:
    assert check(groups) == []


@pytest.mark.parametrize("profile", GPU_PROFILES)
@pytest.mark.parametrize("also", [(), tuple(GPU_PROFILES)])
def test_what_is_built_is_fine(profile: str, also: tuple[str, ...]) -> None:
    config = Config(profile=profile, recording=Recording(also=also))
    assert check([group for level in rule_groups(config).values() for group in level]) == []

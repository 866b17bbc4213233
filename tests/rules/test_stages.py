"""The stage on each alert, and on nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.alerting import alert_groups
from builder.config import Config
from builder.errors import UnknownName
from builder.promql.expr import selector
from builder.rules.model import AlertRule, Group, RecordingRule, Severity
from builder.rules.settings import AlertSettings
from builder.rules.stages import Stage, marked

UP = selector("up")
HOT = AlertRule("GpuHot", UP, Severity.WARNING, labels={"scope": "card"})
LOST = AlertRule("GpuLost", UP, Severity.CRITICAL)
GROUPS = (Group("a", (RecordingRule("gpu:up", UP), HOT)), Group("b", (LOST,)))


def stages(groups: tuple[Group, ...]) -> dict[str, str]:
    return {rule.alert: rule.labels["stage"] for g in groups for rule in g.rules if isinstance(rule, AlertRule)}


@pytest.mark.parametrize("stage", Stage)
def test_every_alert_carries_the_stage(stage: Stage) -> None:
    assert stages(marked(GROUPS, stage)) == {"GpuHot": stage.value, "GpuLost": stage.value}


def test_nothing_else_changes() -> None:
    first, second = marked(GROUPS, Stage.OBSERVE)
    assert first.rules[0] == GROUPS[0].rules[0]
    assert first.rules[1] == AlertRule("GpuHot", UP, Severity.WARNING, labels={"scope": "card", "stage": "observe"})
    assert (first.name, first.interval, second.name) == ("a", 30, "b")


def test_an_alert_about_what_is_gone_says_what_it_silences() -> None:
    _, second = marked(GROUPS, Stage.FULL)
    assert second.rules == (replace(LOST, labels={"stage": "full", "mutes": "card"}),)


def test_one_alert_may_stay_behind_but_not_run_ahead() -> None:
    late = marked(GROUPS, Stage.FULL, {"GpuHot": Stage.OBSERVE})
    assert stages(late) == {"GpuHot": "observe", "GpuLost": "full"}
    early = marked(GROUPS, Stage.OBSERVE, {"GpuHot": Stage.FULL})
    assert stages(early) == {"GpuHot": "observe", "GpuLost": "observe"}


def test_marking_again_replaces_the_stage() -> None:
    assert marked(marked(GROUPS, Stage.OBSERVE), Stage.WARN) == marked(GROUPS, Stage.WARN)


def test_an_alert_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown alert 'GpuHotter'") as refused:
        marked(GROUPS, Stage.FULL, {"GpuHotter": Stage.WARN})
    assert refused.value.fix == "did you mean GpuHot or GpuLost?"


def test_the_configuration_keeps_single_alerts_behind() -> None:
    behind = {"GpuLost": Stage.OBSERVE, "GpuXidCritical": Stage.WARN}
    config = Config(profile="nv-gpu", alerts=AlertSettings(stage=behind))
    found = stages(alert_groups(config, Stage.FULL))
    assert found["GpuLost"] == "observe" and "GpuXidCritical" not in found, "which this exporter cannot answer"
    assert {stage for alert, stage in found.items() if alert != "GpuLost"} == {"full"}

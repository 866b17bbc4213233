"""What Grafana is told to evaluate, rule by rule."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from builder.config import parse
from builder.errors import DefinitionError
from builder.promql.expr import selector
from builder.provisioning.grafana_alerting import grafana_alerting_files
from builder.rules.grafana_managed import alert_rules
from builder.rules.model import AlertRule, Group, RecordingRule, Severity

IDLE = AlertRule(
    "GpuIdleButAllocated",
    selector("x", ()).below(0.1),
    Severity.CRITICAL,
    hold=600,
    keep=300,
    labels={"scope": "card", "team": "{{ $labels.namespace }}"},
    annotations={"summary": "{{ $labels.node }} at {{ $value | humanizePercentage }}, {{ $values.B }}, ${node}"},
)
GROUPS = (
    Group("a", (RecordingRule("gpu:x", selector("x", ())), IDLE), interval=60),
    Group("recorded", (RecordingRule("gpu:y", selector("y", ())),), interval=7),
)


def content(*groups: Group) -> dict[str, Any]:
    return alert_rules(groups or GROUPS, datasource="metrics", folder="GPU")


def rules(*groups: Group) -> list[dict[str, Any]]:
    return [rule for group in content(*groups)["groups"] for rule in group["rules"]]


def test_groups_without_alerts_stay_with_prometheus() -> None:
    (group,) = content()["groups"]
    assert (group["name"], group["folder"], group["interval"], len(group["rules"])) == ("a", "GPU", "60s", 1)


def test_a_rule() -> None:
    (rule,) = rules()
    assert (rule["uid"], rule["title"]) == ("gpuboards-gpuidlebutallocated", "GpuIdleButAllocated")
    assert (rule["for"], rule["keepFiringFor"], rule["isPaused"]) == ("600s", "300s", False)
    assert rule["labels"] == {"scope": "card", "team": "{{ $labels.namespace }}", "severity": "critical"}


def test_an_empty_answer_is_well_and_an_error_is_told() -> None:
    (rule,) = rules()
    assert (rule["noDataState"], rule["execErrState"]) == ("OK", "Error")


def test_the_condition_holds_wherever_there_is_a_value_be_it_zero() -> None:
    """The expression compares already: what is left is wrong, and 0 is the worst value of an idle card."""
    (rule,) = rules()
    query, reduced, condition = rule["data"]
    assert rule["condition"] == condition["refId"] == "C"
    assert query["model"]["expr"] == "x < 0.1"
    assert (query["model"]["instant"], query["model"]["range"], query["datasourceUid"]) == (True, False, "metrics")
    assert (reduced["model"]["expression"], reduced["model"]["reducer"]) == ("A", "last")
    assert condition["model"]["expression"] == "is_null($B) == 0"
    assert {step["datasourceUid"] for step in (reduced, condition)} == {"__expr__"}


def test_the_value_in_texts_is_the_number() -> None:
    (rule,) = rules()
    assert rule["annotations"]["summary"] == (
        "{{ $labels.node }} at {{ $values.B.Value | humanizePercentage }}, {{ $values.B }}, ${node}"
    )


def test_uids_and_titles_are_unique_and_uids_are_short() -> None:
    part = AlertRule("GpuHot", selector("x", ()), Severity.WARNING, labels={"thresholds": "NVIDIA H100 80GB HBM3 west"})
    group = Group("a", (IDLE, IDLE, AlertRule("GpuHot", selector("x", ()), Severity.WARNING), part, part))
    found = rules(group)
    assert [rule["title"] for rule in found] == [
        "GpuIdleButAllocated",
        "GpuIdleButAllocated 2",
        "GpuHot",
        "GpuHot (NVIDIA H100 80GB HBM3 west)",
        "GpuHot (NVIDIA H100 80GB HBM3 west) 2",
    ]
    uids = [rule["uid"] for rule in found]
    assert len(set(uids)) == len(uids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", uid) for uid in uids)


def test_an_interval_that_grafana_cannot_keep_is_refused() -> None:
    with pytest.raises(DefinitionError, match="group a: Grafana cannot evaluate a group every 15 s"):
        content(Group("a", (IDLE,), interval=15))


def test_the_file_doubles_dollars_where_grafana_expands_them_and_nowhere_else() -> None:
    config = parse("datasources: {prometheus: {uid: metrics}}\nfolder: {title: 'GPU $1'}", "f")
    ((path, text),) = grafana_alerting_files(GROUPS, config).items()
    assert path == "alerting/gpuboards.yaml"
    group = yaml.safe_load(text)["groups"][0]
    (rule,) = group["rules"]
    assert group["folder"] == "GPU $$1"
    assert rule["labels"]["team"] == "{{ $$labels.namespace }}"
    assert "$labels" in rule["annotations"]["summary"] and "$$" not in rule["annotations"]["summary"]
    assert rule["data"][2]["model"]["expression"] == "is_null($B) == 0"
    assert rule["data"][0]["datasourceUid"] == "metrics"

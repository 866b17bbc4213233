"""Alerting rules: what every one carries, which profile has which, and their parts by model and cluster."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from builder.alerting import alerts_of, source_of
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, Override, parse
from builder.errors import ConfigError
from builder.promql.parse import parse as parse_promql
from builder.rules.alerts import ALERTS, FAMILIES
from builder.rules.alerts.definition import told_by
from builder.rules.encode import rule_file
from builder.rules.labels import Scope
from builder.rules.model import AlertRule, Group, Severity
from builder.rules.settings import AlertSettings, Changes
from builder.testing.promtool import promtool
from tests.promql.tree import labels_of

each_profile = pytest.mark.parametrize("profile", GPU_PROFILES)
H200 = "NVIDIA H200"


def rules_of(config: Config) -> tuple[AlertRule, ...]:
    return tuple(variant.rule for variant in alerts_of(config).variants)


def configured(**alerts: object) -> Config:
    return Config(alerts=AlertSettings(**alerts))  # type: ignore[arg-type]


def named(rules: tuple[AlertRule, ...], name: str) -> list[AlertRule]:
    return [rule for rule in rules if rule.alert == name]


@each_profile
def test_every_alert_carries_the_labels_that_inhibition_names(profile: str) -> None:
    config = Config(profile=profile)
    source = source_of(config)
    for rule in rules_of(config):
        scope = ALERTS[rule.alert].scope
        assert rule.labels == {"scope": scope.value}, rule.alert
        carried = labels_of(parse_promql(rule.expr.text))
        assert carried is not None and set(told_by(scope, source)) <= carried, rule.alert


@each_profile
def test_no_rule_holds_a_variable_of_a_board(profile: str) -> None:
    assert [rule.alert for rule in rules_of(Config(profile=profile)) if "$__" in rule.expr.text] == []


@each_profile
def test_promtool_takes_all_rules_with_their_texts(profile: str) -> None:
    built = alerts_of(Config(profile=profile))
    verdict = promtool(
        ["check", "rules", "--lint=all", "--lint-fatal"], {"a.yml": rule_file(built.groups)}, on=["a.yml"]
    )
    assert verdict.passed and f"{len(built.variants)} rules found" in verdict.said, verdict.said


@each_profile
def test_an_alert_is_left_out_only_where_its_signal_is_missing(profile: str) -> None:
    built = alerts_of(Config(profile=profile))
    made = [variant.rule.alert for variant in built.variants]
    assert sorted([*made, *(each.alert for each in built.left_out)]) == sorted(ALERTS)
    assert {"GpuTemperatureHigh", "GpuUtilisationDropped", "GpuLost", "GpuExporterDown"} <= set(made)


def test_dcgm_has_every_alert() -> None:
    assert alerts_of(Config()).left_out == ()


def test_names_are_unique() -> None:
    names = [alert.name for alerts in FAMILIES.values() for alert in alerts]
    assert sorted(names) == sorted(ALERTS)


def test_every_alert_says_what_to_do() -> None:
    for rule in rules_of(Config()):
        said = rule.annotations
        assert {"summary", "description", "command", "dashboard_url", "runbook_url"} <= set(said), rule.alert
        assert said["runbook_url"] == f"docs/runbooks/{rule.alert}.md"
        assert said["dashboard_url"].startswith("/d/gpu-")
        if ALERTS[rule.alert].scope is Scope.CARD:
            assert "var-node=" in said["dashboard_url"] and "var-gpu_id=" in said["dashboard_url"]
            assert "Held by" in said["description"] and "/explore?" in said["logs_url"]


def test_links_begin_with_the_urls_of_the_configuration() -> None:
    text = "alerts: {grafana_url: 'https://grafana.example/', runbook_url: 'https://wiki.example/{alert}'}"
    (rule,) = named(rules_of(parse(text, "gpuboards.yaml")), "GpuLost")
    assert rule.annotations["dashboard_url"].startswith("https://grafana.example/d/gpu-node?")
    assert rule.annotations["runbook_url"] == "https://wiki.example/GpuLost"
    assert "https://grafana.example/explore?" in rule.annotations["logs_url"]


@pytest.mark.parametrize(
    ("preset", "alert", "selector"),
    [
        ("kubernetes", "GpuLost", "%7Bnamespace%3D%5C%22{{ .Labels.namespace | urlquery }}%5C%22%2Cpod%3D%5C%22"),
        ("kubernetes", "TrainingHung", "%7Bnamespace%3D%5C%22{{ $labels.namespace | urlquery }}%5C%22%7D"),
        ("kubernetes", "HostClockOff", ""),
        ("bare-metal", "GpuLost", "%7Bhost%3D%5C%22{{ $labels.node | urlquery }}%5C%22%7D"),
        ("bare-metal", "HostClockOff", "%7Bhost%3D%5C%22{{ $labels.node | urlquery }}%5C%22%7D"),
        ("bare-metal", "TrainingHung", ""),
    ],
)
def test_the_logs_are_those_of_what_the_alert_is_about(preset: str, alert: str, selector: str) -> None:
    (rule,) = named(rules_of(parse(f"logs: {{preset: {preset}}}", "gpuboards.yaml")), alert)
    assert selector in rule.annotations.get("logs_url", "")
    assert ("logs_url" in rule.annotations) == bool(selector)


# parts by model and cluster -------------------------------------------------------------------


def test_what_differs_for_a_model_is_a_rule_of_its_own_and_the_rest_leaves_the_model_out() -> None:
    rules = rules_of(configured(models={H200: Changes({"temperature_critical": 88.0})}))
    others, own = named(rules, "GpuTemperatureCritical")
    assert (others.labels, own.labels) == ({"scope": "card"}, {"scope": "card", "thresholds": H200})
    assert "> 90 unless on (cluster, node, gpu, uuid)" in others.expr.text
    assert "> 88 and on (cluster, node, gpu, uuid)" in own.expr.text
    assert len(rules) == len(ALERTS) + 1


def test_a_job_has_no_model_so_that_its_alerts_are_not_split_by_it() -> None:
    rules = rules_of(configured(models={H200: Changes({"stall_after": 1200})}))
    assert len(rules) == len(ALERTS)


def test_models_and_clusters_part_the_fleet_without_overlap() -> None:
    settings = {
        "models": {H200: Changes({"temperature_critical": 88.0})},
        "clusters": {"lab": Changes({"temperature_critical": 87.0})},
    }
    parts = named(rules_of(configured(**settings)), "GpuTemperatureCritical")
    words = [re.findall(r"> (\d+)|(and|unless) on \(([a-z, ]+)\)", part.expr.text) for part in parts]
    assert [[value or f"{op} {on.split(',')[-1].strip()}" for value, op, on in found] for found in words] == [
        ["90", "unless uuid", "unless cluster"],
        ["87", "unless uuid", "and cluster"],
        ["88", "and uuid", "unless cluster"],
        ["88", "and uuid", "and cluster"],
    ]


def test_a_severity_may_differ_and_may_be_off() -> None:
    settings = {
        "severity": {"GpuTemperatureNotice": "off"},
        "clusters": {"lab": Changes({}, {"TrainingHung": "warning", "GpuLost": "off"})},
    }
    rules = rules_of(configured(**settings))
    assert named(rules, "GpuTemperatureNotice") == []
    assert [rule.severity for rule in named(rules, "TrainingHung")] == [Severity.CRITICAL, Severity.WARNING]
    (lost,) = named(rules, "GpuLost")
    assert "unless on (cluster)" in lost.expr.text


def test_no_window_is_shorter_than_four_intervals() -> None:
    config = Config(profiles={"dcgm": Override(interval=120)})
    (slow,) = named(rules_of(config), "GpuThermalSlowdown")
    assert "[8m:120s]" in slow.expr.text
    (hot,) = named(rules_of(config), "GpuTemperatureHigh")
    assert "[8m:30s]" in hot.expr.text


# bad input ------------------------------------------------------------------------------------


def test_an_alert_that_there_is_not_cannot_have_a_severity() -> None:
    with pytest.raises(ConfigError, match="no alert GpuTemperatureHgh") as caught:
        alerts_of(configured(severity={"GpuTemperatureHgh": "info"}))
    assert "GpuTemperatureHigh" in caught.value.fix


def test_a_profile_without_models_cannot_be_told_apart_by_them() -> None:
    config = replace(configured(models={H200: Changes({"headroom": 5.0}, where="a.yaml:2")}), profile="nvidia-gpu")
    with pytest.raises(ConfigError, match=r"a.yaml:2: alerts.models: profile nvidia-gpu"):
        alerts_of(config)


def test_an_override_that_breaks_an_expression_is_named_with_its_line() -> None:
    text = """\
profiles:
  dcgm:
    labels:
      node: {label: Hostname, pattern: "(.+)-.*", replacement: "node-$1"}
"""
    with pytest.raises(ConfigError, match=r"gpuboards\.yaml:4: profiles\.dcgm\.labels\.node"):
        alerts_of(parse(text, "gpuboards.yaml"))


def test_what_a_site_names_is_no_template() -> None:
    """Prometheus fills in labels and annotations alike: a name that changed with the value would be a new alert."""
    odd = "{{ $value }}"
    settings = f"""
        alerts:
          runbook_url: 'https://wiki.example/{odd}/{{alert}}'
          models: {{'{odd}': {{temperature_critical: 95, unlisted: true}}}}
        """
    rules = named(rules_of(parse(settings, "gpuboards.yaml")), "GpuTemperatureCritical")
    quoted = '{{ "{{" }} $value }}'
    assert [rule.labels.get("thresholds") for rule in rules] == [None, quoted]
    assert {rule.annotations["runbook_url"] for rule in rules} == {f"https://wiki.example/{quoted}/{rules[0].alert}"}
    verdict = promtool(["check", "rules"], {"a.yml": rule_file([Group("odd", tuple(rules))])}, on=["a.yml"])
    assert verdict.passed, verdict.said

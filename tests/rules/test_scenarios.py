"""Every alert on made-up data, judged by promtool; and proof that promtool's verdict means something."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import yaml

from builder.alerting import UnitTests, alerts_of, profiles_of, source_of, unit_tests_of
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config
from builder.promql.expr import Expr
from builder.rules.alerts import ALERTS
from builder.rules.encode import rule_file
from builder.rules.labels import Scope
from builder.rules.model import AlertRule, Group
from builder.rules.scenarios import scenarios
from builder.rules.scenarios.promtool import unit_tests
from builder.rules.scenarios.world import World
from builder.rules.settings import AlertSettings, Changes
from builder.rules.thresholds import Thresholds
from builder.testing.promtool import promtool

CASES = (
    "fires and clears",
    "does not fire",
    "survives a scrape gap",
    "survives a label scheme change",
    "survives a change of pods",
)
OWN_CASES = {
    "GpuLost": ("clears with a new card", "does not fire for a new card"),
    "TrainingHung": ("does not fire by a slow clock", "fires by a fast clock"),
}


@cache
def made(profile: str) -> dict[str, UnitTests]:
    config = Config(profile=profile)
    return {each.alert: each for each in unit_tests_of(config, alerts_of(config))}


def having(profile: str) -> list[str]:
    return [variant.rule.alert for variant in alerts_of(Config(profile=profile)).variants]


EACH = [pytest.param(p, a, id=f"{p}-{a}") for p in GPU_PROFILES for a in having(p)]


@pytest.mark.parametrize(("profile", "alert"), EACH)
def test_promtool_agrees(profile: str, alert: str) -> None:
    files = made(profile)[alert]
    names = [test["name"] for test in yaml.safe_load(files.tests[1])["tests"]]
    assert names == [f"{alert} {case}" for case in (*CASES, *OWN_CASES.get(alert, ()))]
    verdict = promtool(["test", "rules"], dict([files.rules, files.tests]), on=[files.tests[0]])
    assert verdict.passed, verdict.said


# the tests can fail ---------------------------------------------------------------------------


def judged(rule: AlertRule, changed: AlertRule) -> list[str]:
    """The cases that fail where the rule's tests judge another rule."""
    config = Config()
    scenario = scenarios(Thresholds())[rule.alert]
    tests = unit_tests(rule, scenario, World(), source_of(config), profiles_of(config), "a.yml")
    files = {"a.yml": rule_file([Group("g", (replace(changed, annotations={}),))]), "a.test.yml": tests}
    said = promtool(["test", "rules"], files, on=["a.test.yml"]).said
    return list(dict.fromkeys(re.findall(rf"name: {rule.alert} ([a-z ]+),", said)))


def rule_of(alert: str, config: Config | None = None) -> AlertRule:
    return next(v.rule for v in alerts_of(config or Config()).variants if v.rule.alert == alert)


def with_text(change: Callable[[str], str]) -> Callable[[AlertRule], AlertRule]:
    return lambda rule: replace(rule, expr=Expr(change(rule.expr.text)))


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        (with_text(lambda text: text.replace("> 85", "> 87")), {"fires and clears", *CASES[2:]}),
        (with_text(lambda text: text.replace("> 85", "> 84")), {"does not fire"}),
        (with_text(lambda text: text.replace("> 85", "> 20")), set(CASES)),
        (lambda rule: replace(rule, hold=1200), {"fires and clears", *CASES[2:]}),
        (lambda rule: replace(rule, hold=300), {"fires and clears"}),
        (lambda rule: replace(rule, keep=7200), {"fires and clears"}),
        (with_text(lambda text: text.replace("[3m:30s]", "[1m:30s]")), {"survives a scrape gap"}),
        (with_text(lambda text: text.replace('"hostname"', '"gone"')), {"survives a label scheme change"}),
        (
            with_text(lambda text: text.replace("gpu, uuid)", "gpu, uuid, exported_pod)")),
            set(CASES) - {"does not fire"},
        ),
    ],
)  # fmt: skip
def test_a_rule_that_is_wrong_fails(change: Callable[[AlertRule], AlertRule], failing: set[str]) -> None:
    rule = rule_of("GpuTemperatureHigh")
    assert judged(rule, change(rule)) == [case for case in CASES if case in failing]


# thresholds of a site -------------------------------------------------------------------------


def test_the_tests_follow_the_thresholds_of_a_site() -> None:
    settings = AlertSettings(
        thresholds=replace(Thresholds(), temperature_warning=70.0, temperature_notice=65.0, idle_utilisation=0.3),
        models={"NVIDIA H200": Changes({"temperature_warning": 75.0})},
        clusters={"lab": Changes({"idle_memory": 0.2})},
    )
    config = Config(alerts=settings)
    wanted = ("GpuTemperatureHigh", "GpuIdleButAllocated")
    tests = [each for each in unit_tests_of(config, alerts_of(config)) if each.alert in wanted]
    assert [each.name for each in tests] == [
        "GpuTemperatureHigh",
        "GpuTemperatureHigh-NVIDIA_H200",
        "GpuIdleButAllocated",
        "GpuIdleButAllocated-lab",
    ]
    for each in tests:
        verdict = promtool(["test", "rules"], dict([each.rules, each.tests]), on=[each.tests[0]])
        assert verdict.passed, verdict.said


def test_clusters_of_any_name_have_tests_of_their_own() -> None:
    names = ("east", "west", "other", "a.b", "a b", "{{ x }}")
    config = Config(alerts=AlertSettings(clusters={name: Changes({"temperature_warning": 82.0}) for name in names}))
    tests = [each for each in unit_tests_of(config, alerts_of(config)) if each.alert == "GpuTemperatureHigh"]
    assert [each.name.removeprefix("GpuTemperatureHigh") for each in tests] == [
        *("", "-east", "-west", "-other", "-a_b", "-a_b-2", "-___x___")
    ]
    last = tests[-1]
    verdict = promtool(["test", "rules"], dict([last.rules, last.tests]), on=[last.tests[0]])
    assert verdict.passed, verdict.said


def test_a_models_rule_is_silent_about_other_models() -> None:
    config = Config(alerts=AlertSettings(models={"NVIDIA H200": Changes({"temperature_warning": 82.0})}))
    own = next(v.rule for v in alerts_of(config).variants if v.model and v.rule.alert == "GpuTemperatureHigh")
    assert judged(rule_of("GpuTemperatureHigh"), replace(own, labels={"scope": "card"})) == [
        case for case in CASES if case != "does not fire"
    ]


# texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alert", "said"),
    [
        ("GpuTemperatureHigh", ["GPU 0 on gpu-node-1 is hot: 86 °C", "above 85 °C for 10 min"]),
        ("GpuIdleButAllocated", ["GPU 0 on gpu-node-1 is idle and holds 72.5% of its memory"]),
        ("GpuXidCritical", ["XID 79 on GPU 0 on gpu-node-1: GPU has fallen off the bus", "power-cycle it"]),
        ("TrainingStraggler", ["Rank 0 of research/resnet is 34% slower"]),
        ("GpuExporterDown", ["gpu-node-1 has gone silent"]),
        ("HostClockOff", ["The clock of gpu-node-1 is off by 45s"]),
    ],
)
def test_the_texts_name_node_card_pod_and_number(alert: str, said: list[str]) -> None:
    """promtool tells what it got where nothing is expected: the texts as Prometheus fills them in."""
    rule, files = rule_of(alert), made("dcgm")[alert]
    tests = yaml.safe_load(files.tests[1])
    first = tests["tests"][0]
    looks = first["alert_rule_test"]
    first["alert_rule_test"] = [{**next(look for look in looks if look["exp_alerts"]), "exp_alerts": []}]
    content = yaml.safe_dump({**tests, "tests": [first]}, width=100_000)
    rules = rule_file([Group("g", (rule,))])
    verdict = promtool(["test", "rules"], {files.rules[0]: rules, "t.yml": content}, on=["t.yml"])
    got = verdict.said.partition("got:")[2]
    assert "error" not in got.lower().replace("errors", "") and "<no value>" not in got
    for words in said:
        assert words in got
    if ALERTS[alert].scope is Scope.CARD:
        assert "Held by research/train-0." in got
        assert "var-node=gpu-node-1&var-gpu_id=0" in got
        assert "pod%3D%5C%22train-0" in got

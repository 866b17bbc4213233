"""The labels that inhibition compares: what must be found before Alertmanager silences a fleet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from builder.promql.expr import aggregate, selector
from builder.rules.alertmanager import INHIBITIONS, unguaranteed
from builder.rules.labels import IDENTITY, Scope
from builder.rules.model import AlertRule, Group, RecordingRule, Severity
from builder.rules.stages import Stage, marked

CARD = IDENTITY[Scope.CARD]


def alert(name: str, by: Sequence[str], scope: str | None = "card", **labels: str) -> AlertRule:
    found = aggregate("max", selector("x"), by=by)
    return AlertRule(name, found, Severity.WARNING, labels={**({"scope": scope} if scope else {}), **labels})


def findings(*rules: AlertRule | RecordingRule) -> list[tuple[str, str]]:
    return [(found.alert, found.label) for found in unguaranteed(marked((Group("g", rules),), Stage.FULL))]


def test_complete_rules_have_no_findings() -> None:
    rules = (
        RecordingRule("gpu:x", selector("x")),
        alert("Card", (*CARD, "pod")),
        alert("Node", ("cluster", "node"), "node"),
        alert("Job", ("cluster", "namespace", "training_job"), "job"),
    )
    assert findings(*rules) == []


def test_a_label_that_the_rule_itself_adds_counts() -> None:
    assert findings(alert("Card", ("cluster", "node", "gpu"), uuid="{{ $labels.id }}"), alert("Other", CARD)) == []


@pytest.mark.parametrize("identity", [("node", "gpu"), ("cluster", "node", "gpu"), ("cluster", "node", "uuid")])
def test_an_exporter_without_a_label_lacks_it_on_all_alerts(identity: tuple[str, ...]) -> None:
    assert findings(alert("A", identity), alert("B", identity)) == []


def test_a_label_that_only_others_have_is_missing() -> None:
    assert findings(alert("A", ("cluster", "node", "gpu")), alert("B", CARD)) == [("A", "uuid")]


def test_a_card_needs_its_node_and_a_name_of_its_own() -> None:
    assert findings(alert("A", ("cluster", "gpu"))) == [("A", "node")]
    assert findings(alert("A", ("cluster", "node"))) == [("A", "gpu"), ("A", "uuid")]


def test_a_job_needs_its_name() -> None:
    assert findings(alert("A", ("cluster", "namespace"), "job")) == [("A", "training_job")]


def test_labels_of_a_raw_series_are_no_guarantee() -> None:
    rule = AlertRule("A", selector("x"), Severity.WARNING, labels={"scope": "node"})
    assert findings(rule) == [("A", "node")]


def test_two_alerts_of_one_name_are_both_looked_at() -> None:
    good, bad = alert("A", ("cluster", "node", "uuid")), alert("A", ("cluster", "uuid"))
    assert findings(good, bad) == findings(bad, good) == [("A", "node")]


@pytest.mark.parametrize("scope", [None, "rack"])
def test_a_scope_is_needed(scope: str | None) -> None:
    assert findings(alert("A", CARD, scope)) == [("A", "scope")]


def test_a_stage_is_needed() -> None:
    (found,) = unguaranteed([Group("g", (alert("A", CARD),))])
    assert (found.alert, found.label) == ("A", "stage")
    assert str(found).startswith("A: no stage\n  fix: ")


def test_what_is_compared_is_what_is_guaranteed() -> None:
    """An inhibition by any other label would rest on nothing."""
    known = {*(label for labels in IDENTITY.values() for label in labels), "stage"}
    for rule in INHIBITIONS:
        assert set(rule.equal) <= known, rule.name
        assert "stage" in rule.equal, rule.name


def test_a_rule_never_silences_itself() -> None:
    """Where source and target could be the same alert, one matcher tells them apart."""
    for rule in INHIBITIONS:
        contradictory = [m for m in rule.source if m.replace('="', '!="') in rule.target]
        severities = any(m.startswith("severity=~") and "critical" not in m for m in rule.target)
        assert contradictory or severities, rule.name

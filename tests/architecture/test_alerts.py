"""An alert is a definition, a scenario and a runbook."""

from __future__ import annotations

import re

import pytest

from builder.alerting import source_of
from builder.config import Config
from builder.rules.alerts import ALERTS, FAMILIES
from builder.rules.alerts.facts import needs
from builder.rules.labels import MUTING
from builder.rules.scenarios import scenarios
from builder.rules.thresholds import SETTINGS, Thresholds
from tests.architecture.sources import ROOT

RUNBOOKS = ROOT / "docs/runbooks"
PARTS = ("What it means", "First command", "How to tell what it is", "What to do", "How to silence it")
GENERAL = {"scrape_gap", "keep"}
"""Thresholds that are the same for all alerts."""


def test_every_alert_has_a_scenario_and_every_scenario_an_alert() -> None:
    assert set(scenarios(Thresholds())) == set(ALERTS)


def test_a_name_is_given_once() -> None:
    assert [alert.name for alerts in FAMILIES.values() for alert in alerts] == list(ALERTS)


def test_what_silences_its_symptoms_is_an_alert_about_that() -> None:
    assert {name: ALERTS[name].scope for name in MUTING} == MUTING


def test_every_alert_has_a_runbook_and_every_runbook_an_alert() -> None:
    assert {path.stem for path in RUNBOOKS.glob("*.md")} == {*ALERTS, "README"}


@pytest.mark.parametrize("alert", ALERTS)
def test_a_runbook_says_what_an_operator_asks(alert: str) -> None:
    text = (RUNBOOKS / f"{alert}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {alert}\n")
    assert tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)) == PARTS
    needed = set(needs(ALERTS[alert], source_of(Config()), Thresholds()).thresholds)
    assert needed - GENERAL - {"leak_keep"} <= set(re.findall(r"`(\w+)`", text))


@pytest.mark.parametrize("alert", ALERTS)
def test_a_runbook_gives_thresholds_as_they_are(alert: str) -> None:
    text = (RUNBOOKS / f"{alert}.md").read_text(encoding="utf-8")
    for name, said in re.findall(r"`(\w+)` \(([^)]+)\)", text):
        if name in SETTINGS:
            assert SETTINGS[name].shown(SETTINGS[name].default) in said or said in (
                f"{SETTINGS[name].default * 100:g} points",
                f"{SETTINGS[name].default:g} s",
            )


def test_the_list_of_runbooks_names_them_all_by_family() -> None:
    text = (RUNBOOKS / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\[(\w+)\]\(\1\.md\)", text) == [alert.name for family in FAMILIES.values() for alert in family]

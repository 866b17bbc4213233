"""Exemptions: what they cover, what is wrong with them, and how they are written."""

from __future__ import annotations

from datetime import date

import pytest

from builder.errors import ConfigError
from builder.lint import Exemption, Finding, LintConfig, Subject, lint
from builder.lint.exemption_file import COUNTERPARTS, exemptions, foreign_exemptions
from builder.lint.rules import BY_ID

TODAY = date(2026, 10, 1)
BOARD = {
    "uid": "hall",
    "title": "Hall",
    "panels": [
        {"id": 1, "title": "One", "type": "graph"},
        {"id": 2, "title": "Two", "type": "graph"},
    ],
}


def _lint(*given: Exemption, whole: bool = True, folder: str = "") -> list[Finding]:
    config = LintConfig(whole=whole, today=TODAY)
    return lint([Subject("hall.json", BOARD, folder=folder)], config, given)


def _rules(findings: list[Finding]) -> list[str]:
    return [finding.rule for finding in findings]


def test_without_any_both_panels_are_found() -> None:
    assert _rules(_lint()) == ["removed-panel-type", "removed-panel-type"]


@pytest.mark.parametrize("panel", ["One", "1"])
@pytest.mark.parametrize("board", ["hall", "Hall", ""])
def test_one_covers_a_panel_by_title_or_id_of_a_board_by_uid_or_title(board: str, panel: str) -> None:
    found = _lint(Exemption("removed-panel-type", "because", board, panel))
    assert [finding.panel for finding in found] == ["Two"]


def test_without_a_panel_it_covers_the_board() -> None:
    assert _lint(Exemption("removed-panel-type", "because", "hall")) == []


def test_another_rule_board_or_panel_is_not_covered_and_said_to_be_unused() -> None:
    for wrong in (
        Exemption("missing-unit", "because", "hall", "One", file="x.yaml", line=3),
        Exemption("removed-panel-type", "because", "gpu-node", file="x.yaml", line=3),
        Exemption("removed-panel-type", "because", "hall", "Three", file="x.yaml", line=3),
    ):
        found = _lint(wrong)
        assert _rules(found) == ["removed-panel-type", "removed-panel-type", "unused-exemption"]
        assert found[-1].where == "x.yaml:3"
        assert "covers nothing" in found[-1].summary


def test_with_some_of_the_boards_alone_an_exemption_for_others_is_not_to_blame() -> None:
    elsewhere = Exemption("removed-panel-type", "because", "gpu-node")
    assert "unused-exemption" not in _rules(_lint(elsewhere, whole=False))
    here = Exemption("missing-unit", "because", "hall")
    assert "unused-exemption" in _rules(_lint(here, whole=False))


def test_the_last_day_counts_and_the_day_after_does_not() -> None:
    assert _lint(Exemption("removed-panel-type", "because", until=TODAY)) == []
    found = _lint(Exemption("removed-panel-type", "because", until=date(2026, 9, 30), file="x.yaml", line=2))
    assert _rules(found) == ["removed-panel-type", "removed-panel-type", "expired-exemption"]
    assert "expired on 2026-09-30" in found[-1].summary


def test_our_file_is_read() -> None:
    text = """\
exemptions:
  - rule: removed-panel-type
    board: hall
    panel: 1
    reason: converted next week
    until: 2026-12-31
  - {rule: missing-unit, reason: dimensionless}
"""
    first, second = exemptions(text, "f.yaml", BY_ID)
    assert first == Exemption("removed-panel-type", "converted next week", "hall", "1", date(2026, 12, 31), "f.yaml", 2)
    assert second == Exemption("missing-unit", "dimensionless", file="f.yaml", line=7)


@pytest.mark.parametrize("text", ["", "exemptions:\n", "exemptions: []\n", "# nothing\nexemptions:\n"])
def test_an_empty_file_exempts_nothing(text: str) -> None:
    assert exemptions(text, "f.yaml", BY_ID) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("exemptions: [{rule: missing-unit}]", "without a reason"),
        ("exemptions: [{rule: missing-unit, reason: ' '}]", "without a reason"),
        ("exemptions: [{reason: x}]", "without a rule"),
        ("exemptions: [{rule: missing-unti, reason: x}]", "unknown rule 'missing-unti'"),
        ("exemptions: [{rule: missing-unit, reason: x, until: soon}]", "'soon' is not a date"),
        ("exemptions: [{rule: missing-unit, reason: x, bord: y}]", "unknown key 'bord'"),
        ("exemption: []", "unknown key 'exemption'"),
        ("exemptions: [7]", "expected keys and values"),
        ("- a", "expected keys and values"),
        ("exemptions: [", "not readable as YAML"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(text: str, what: str) -> None:
    with pytest.raises(ConfigError, match=what) as refused:
        exemptions(text, "f.yaml", BY_ID)
    assert refused.value.where.startswith("f.yaml:1")


FOREIGN = """\
exclusions:
  template-job-rule:
  panel-units-rule:
    reason: a name
    entries:
      - dashboard: Hall
        panel: One
  panel-title-description-rule:
    entries:
      - panel: One
warnings:
  target-rate-interval-rule:
"""


def test_the_other_linters_file_is_understood_in_its_folder() -> None:
    found = foreign_exemptions(FOREIGN, ".lint", "boards")
    assert [(each.rule, each.board, each.panel, each.folder) for each in found] == [
        ("missing-unit", "Hall", "One", "boards"),
        ("missing-title", "", "One", "boards"),
        ("missing-description", "", "One", "boards"),
        ("fixed-range-in-rate", "", "", "boards"),
    ]


def test_it_covers_its_own_folder_and_is_never_called_unused() -> None:
    foreign = Exemption("removed-panel-type", "none given", folder="boards", ours=False)
    assert _lint(foreign, folder="boards") == []
    assert _rules(_lint(foreign, folder="others")) == ["removed-panel-type", "removed-panel-type"]


def test_its_rules_have_counterparts_that_exist() -> None:
    assert {ours for names in COUNTERPARTS.values() for ours in names} <= BY_ID.keys()


@pytest.mark.parametrize("text", ["exclusions: 7", "exclusions: {panel-units-rule: [a]}", "- a"])
def test_what_that_linter_would_not_read_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected keys and values"):
        foreign_exemptions(text, ".lint", "")

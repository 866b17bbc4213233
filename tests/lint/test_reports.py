"""The four formats: what each says, and that nothing in a dashboard can break out of it."""

from __future__ import annotations

import json
import re

import pytest

from builder.lint import Finding, Severity
from builder.lint.report import github, sarif, text
from builder.lint.report import json as as_json
from builder.lint.report.summary import Report
from builder.lint.rules import RULES

PLAIN = Finding(
    "rate-on-gauge",
    Severity.BUG,
    "boards/a.json",
    "rate() of a gauge",
    "Because.",
    "Plot it.",
    "Hall",
    "Load",
    3,
    ("panels", 0, "targets", 1, "expr"),
    12,
    7,
)
HOSTILE = Finding(
    "missing-unit",
    Severity.INFO,
    "a b,c:d%.json",
    "no unit\n::error::gotcha",
    "Because.",
    "Set\r\n::error::it \x1b[31m",
    "B\ud800",
    '"\x00\n<!--',
    None,
    ("panels", 1),
    1,
)
REPORT = Report([PLAIN, HOSTILE], 2)


def test_text_for_people() -> None:
    assert (
        text.render(Report([PLAIN, PLAIN], 1))
        == """\
boards/a.json:12:7: bug: rate() of a gauge [rate-on-gauge]
    in "Hall", panel "Load" (id 3), panels[0].targets[1].expr
    why: Because.
    fix: Plot it.
boards/a.json:12:7: bug: rate() of a gauge [rate-on-gauge]
    in "Hall", panel "Load" (id 3), panels[0].targets[1].expr
    fix: Plot it.
2 bugs in 1 dashboard"""
    )


def test_text_when_there_is_nothing_to_say() -> None:
    assert text.render(Report([], 3)) == "nothing found in 3 dashboards"


def test_text_is_one_line_a_statement_whatever_a_title_holds() -> None:
    written = text.render(REPORT)
    assert written.encode()
    assert "\x1b" not in written
    assert [line for line in written.splitlines() if line.startswith("::")] == []


def test_json_for_programs() -> None:
    content = json.loads(as_json.render(Report([PLAIN], 1, ["x.json: not JSON"])))
    assert content["counts"] == {"bug": 1, "warning": 0, "info": 0}
    assert content["unread"] == ["x.json: not JSON"]
    assert content["findings"][0] == {
        "rule": "rate-on-gauge",
        "severity": "bug",
        "file": "boards/a.json",
        "line": 12,
        "column": 7,
        "board": "Hall",
        "panel": "Load",
        "panel_id": 3,
        "path": "panels[0].targets[1].expr",
        "summary": "rate() of a gauge",
        "why": "Because.",
        "fix": "Plot it.",
        "fixable": False,
    }


def test_github_annotations() -> None:
    assert github.render(Report([PLAIN], 1)) == (
        '::error file=boards/a.json,line=12,col=7,title=rate-on-gauge::panel "Load": rate() of a gauge%0APlot it.'
    )


def test_no_title_makes_an_annotation_of_its_own() -> None:
    lines = github.render(REPORT).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("::notice file=a b%2Cc%3Ad%25.json,line=1,title=missing-unit::")


def test_sarif_names_rules_places_and_levels() -> None:
    log = json.loads(sarif.render(Report([PLAIN, HOSTILE], 2, version="0.1.0")))
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["version"] == "0.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.id for rule in RULES]
    first, second = run["results"]
    assert RULES[first["ruleIndex"]].id == first["ruleId"] == "rate-on-gauge"
    assert (first["level"], second["level"]) == ("error", "note")
    location = first["locations"][0]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "boards/a.json"},
        "region": {"startLine": 12, "startColumn": 7},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "panels[0].targets[1].expr"}]
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b%2Cc%3Ad%25.json"


def test_sarif_fingerprints_stay_when_lines_move_and_tell_twins_apart() -> None:
    from dataclasses import replace

    def prints(*findings: Finding) -> list[str]:
        results = json.loads(sarif.render(Report(findings, 1)))["runs"][0]["results"]
        return [result["partialFingerprints"]["gpuboards/v1"] for result in results]

    assert prints(PLAIN) == prints(replace(PLAIN, line=99, place=("panels", 5)))
    assert len(set(prints(PLAIN, PLAIN, HOSTILE))) == 3


def test_sarif_says_what_could_not_be_read() -> None:
    invocation = json.loads(sarif.render(Report([], 0, ["x.json: not JSON"])))["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "x.json: not JSON"


@pytest.mark.parametrize("severity", Severity)
def test_every_severity_has_a_place_in_every_format(severity: Severity) -> None:
    finding = Finding("missing-unit", severity, "a.json", "no unit")
    for render in (text.render, as_json.render, github.render, sarif.render):
        assert re.search("no unit", render(Report([finding], 1)))

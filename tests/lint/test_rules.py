"""Every rule against its cases, its page, and the examples on its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.lint.rules import BY_ID, RULES
from tests.docs.markdown import blocks
from tests.lint.cases import findings

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "lint"
OF_EXEMPTIONS = {"unused-exemption", "expired-exemption"}
"""Found where exemptions are applied: test_exemptions.py has their cases."""


def _cases() -> list[Any]:
    return [
        pytest.param(file.stem, case, id=f"{file.stem}: {case['case']}")
        for file in sorted((HERE / "rules").glob("*.yaml"))
        for case in yaml.safe_load(file.read_text())
    ]


def _examples() -> list[Any]:
    return [
        pytest.param(page.stem, block.text, _heading(page, block.line), id=f"{page.stem}:{block.line}")
        for page in sorted(PAGES.glob("*.md"))
        for block in blocks(page)
        if page.stem in BY_ID and block.language == "yaml"
    ]


def _heading(page: Path, line: int) -> str:
    above = [text for text in page.read_text().splitlines()[:line] if text.startswith("## ")]
    return above[-1].removeprefix("## ")


@pytest.mark.parametrize(("rule", "case"), _cases())
def test_a_case_finds_what_it_says(rule: str, case: dict[str, Any]) -> None:
    found = findings(case, rule)
    summaries = [finding.summary for finding in found]
    assert len(summaries) == len(case["finds"]), summaries
    for summary, expected in zip(summaries, case["finds"], strict=True):
        assert expected in summary
    for finding in found:
        assert case.get("fix", "") in finding.fix
        assert case.get("severity", finding.severity.word) == finding.severity.word


@pytest.mark.parametrize(("rule", "example", "heading"), _examples())
def test_the_examples_of_a_page_are_true(rule: str, example: str, heading: str) -> None:
    found = findings(yaml.safe_load(example), rule)
    assert bool(found) == {"Found": True, "Left alone": False}[heading], [f.summary for f in found]


@pytest.mark.parametrize("rule", [rule.id for rule in RULES if rule.id not in OF_EXEMPTIONS])
def test_every_rule_has_cases_of_both_kinds(rule: str) -> None:
    cases = yaml.safe_load((HERE / "rules" / f"{rule}.yaml").read_text())
    assert any(case["finds"] for case in cases)
    assert any(not case["finds"] for case in cases)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_page_that_says_how_bad_it_is(rule: Any) -> None:
    text = (PAGES / f"{rule.id}.md").read_text()
    assert text.startswith(f"# {rule.id}\n")
    assert f"Severity: {rule.severity.word}" in text
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == ["Why", "Found", "Left alone", "What to do"]


def test_an_id_is_the_name_of_the_module_the_page_and_the_cases() -> None:
    modules = {file.stem.replace("_", "-") for file in Path(str(rules_path())).glob("*.py") if file.stem != "__init__"}
    assert modules == BY_ID.keys()
    assert {page.stem for page in PAGES.glob("*.md")} == {*BY_ID, "README"}
    assert {file.stem for file in (HERE / "rules").glob("*.yaml")} == BY_ID.keys() - OF_EXEMPTIONS


def rules_path() -> Path:
    import builder.lint.rules

    return Path(builder.lint.rules.__path__[0])


def test_the_list_of_rules_is_whole() -> None:
    listed = re.findall(r"^\| \[([\w-]+)\]\(\1\.md\) \| (\w+) \|", (PAGES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted((rule.id, rule.severity.word) for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_why_and_what_to_do(rule: Any) -> None:
    assert rule.why.endswith(".")
    assert rule.fix and not rule.fix.endswith(".")

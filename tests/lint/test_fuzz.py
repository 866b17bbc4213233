"""Whatever a file holds, lint answers with findings or a message: never an exception, never a dead process."""

from __future__ import annotations

import copy
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.errors import UsageError
from builder.lint import Subject, lint
from builder.lint.changed import Changes
from builder.lint.edits import edited
from builder.lint.reading import board_of
from builder.lint.report import github, sarif, text
from builder.lint.report import json as as_json
from builder.lint.report.summary import Report
from builder.targets.dashboard_files import load, load_all
from tests.lint.cases import subjects

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "rules"
FORMATS = (text, as_json, github, sarif)
MUTATIONS = 2_400
SHARES = 8

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**70, 1e308, -0.5, "", " ", "$", "${", "${x}", "$__", "[[a]]", "\ud800", "\x1b[31m\n",
    "x" * 5000, "{{gpu}}", "((((", "a" + "+a" * 3000, "(" * 9000, "rate(x[$__interval", 'x{a=~"("}', "topk($n, x)",
    "/d/../d/x?var-a=", [], {}, [[]], [None], {"a": None}, {"type": "row"}, [{"type": "row", "panels": [{}]}],
    {"list": 1}, {"uid": []}, {"type": {}}, {"": ""}, ["A"], 10**400,
)  # fmt: skip


def _bases() -> list[Any]:
    """Dashboards of many kinds: every case of the rules, and pieces of our own boards."""
    cases = [case for file in sorted(CASES.glob("*.yaml")) for case in yaml.safe_load(file.read_text())]
    bases = [subject.data for case in cases for subject in subjects(case)]
    for file in sorted((ROOT / "provisioning/dashboards/gpuboards").glob("*.json")):
        board = json.loads(file.read_text())
        for start in range(0, len(board["panels"]), 4):
            bases.append({**board, "panels": board["panels"][start : start + 4]})
    return bases


def _places(node: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield (*place, key)
        yield from _places(child, (*place, key))


def _mutated(base: Any, chance: random.Random) -> Any:
    data = copy.deepcopy(base)
    for _ in range(chance.randint(1, 4)):
        places = list(_places(data))
        if not places:
            break
        *above, last = chance.choice(places)
        parent = data
        for step in above:
            parent = parent[step]
        match chance.randrange(5):
            case 0:
                del parent[last]
            case 1 if isinstance(parent, list):
                parent.append(copy.deepcopy(parent[last]))
            case 2:
                parent[last] = {"panels": [parent[last]], "type": "row"}
            case 3:
                parent[last] = [parent[last]]
            case _:
                parent[last] = copy.deepcopy(chance.choice(STRANGE))
    return data


@pytest.mark.parametrize("share", range(SHARES))
def test_mutated_dashboards_are_answered(share: int) -> None:
    chance = random.Random(share)
    bases = _bases()
    found = 0
    for number in range(MUTATIONS // SHARES):
        data = _mutated(chance.choice(bases), chance)
        source = json.dumps(data, indent=chance.choice((None, 2)))
        findings = lint([Subject("a.json", data, source), Subject("b.json", data)])
        found += len(findings)
        report = Report(findings, 2)
        assert FORMATS[number % len(FORMATS)].render(report).encode() or not findings
        assert all(finding.line >= 1 for finding in findings if finding.file == "a.json")
        edits = [edit for finding in findings if finding.file == "a.json" for edit in finding.edits]
        if edits:
            json.loads(edited(source, edits) or "null")
    assert found > 500


FORMS = (
    "sum by (gpu) (%s)", "rate(%s[5m])", "%s + on (gpu) %s", "%s / 0", "%s > bool 3", "floor(%s / 8) %% 2", "-%s",
    "max_over_time(%s[5m:])", "(%s or %s)", "%s * NaN", "%s ^ 2", 'label_replace(%s, "a", "$1", "b", "(.*)")',
    "topk($n, %s)", 'count_values("x", %s)', "%s unless %s", "avg(%s) - 1", "%s * on (uuid) group_right (a) %s",
    "absent(%s)", "time() - %s", "Inf * %s", "%s / Inf", "%s * 1e400", "%s offset NaN", "%s[1e30]", "%s @ 1e400",
)  # fmt: skip
LEAVES = (
    "DCGM_FI_DEV_GPU_TEMP", 'DCGM_FI_DEV_XID_ERRORS{gpu="0"}', "nvidia_smi_gpu_info", "train_steps_total", "our_own",
    "1", 'DCGM_FI_DEV_FB_USED{Hostname=~"$n"}', "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
    '{__name__=~"a|DCGM_FI_DEV_FB_USED"}',
)  # fmt: skip


def _expression(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice(LEAVES)
    form = chance.choice(FORMS)
    return form % tuple(_expression(chance, chance.randrange(depth)) for _ in range(form.count("%s")))


def test_expressions_of_any_shape_are_answered(capfd: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(3)
    read = 0
    for number in range(2_000):
        expr = _expression(chance, chance.randrange(1, 6))
        panel = {
            "id": 1,
            "title": "Efficiency",
            "type": ("timeseries", "stat", "graph", "table")[number % 4],
            "targets": [{"refId": "A", "expr": expr, "legendFormat": "{{gpu}}"}],
            "fieldConfig": {"defaults": {"unit": chance.choice(("bytes", "percent", "", "watt"))}},
        }
        rules = {finding.rule for finding in lint([Subject("a.json", {"title": "T", "panels": [panel]})])}
        read += "promql-parses" not in rules
    assert read > 500
    assert capfd.readouterr().err == ""  # the parser itself panicked nowhere


def test_two_versions_of_a_mutated_dashboard_are_compared() -> None:
    chance = random.Random(99)
    bases = _bases()
    for _ in range(100):
        base = chance.choice(bases)
        before, after = board_of(Subject("a", base)), board_of(Subject("a", _mutated(base, chance)))
        changes = Changes(before, after)
        for finding in lint([after.subject]):
            assert changes.concern(finding) in (True, False)


def test_truncated_files_are_refused_with_a_place(tmp_path: Path) -> None:
    chance = random.Random(7)
    source = (ROOT / "provisioning/dashboards/gpuboards/gpu-node.json").read_text()
    for _ in range(200):
        file = tmp_path / "half.json"
        file.write_text(source[: chance.randrange(1, len(source) - 3)])
        with pytest.raises(UsageError, match=r"half\.json:\d+:\d+: not JSON") as refused:
            load(file)
        assert "half-written" in refused.value.fix or "Unterminated" in refused.value.what
    for end in ("tru", "f", "nul", "-", "0.", "1e", "1e-", '"', '"x', ""):
        file.write_text('{"a": [1, ' + end)
        with pytest.raises(UsageError, match="not JSON") as refused:
            load(file)
        assert "half-written" in refused.value.fix or "Unterminated" in refused.value.what
    file.write_text('{"a": nope}')
    with pytest.raises(UsageError, match="not JSON") as refused:
        load(file)
    assert not refused.value.fix


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe{", "not UTF-8"),
        (b'{"panels": NaN}', "NaN is not a JSON number"),
        (b'{"panels": [{"min": -1e999}]}', "not JSON: '-1e999' is too large a number"),
        (b'{"panels": [' + b"9" * 5000 + b"]}", "not JSON: Exceeds the limit"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"panels": ' + b"[" * 150 + b"]" * 150 + b"}", "nested deeper than 100"),
        (b'{"a": 1}', "not a classic dashboard"),
        (b"[]", "not a classic dashboard"),
        (b'{"elements": {}, "layout": {}, "spec": {}}', "not a classic dashboard"),
    ],
)
def test_what_is_no_dashboard_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    found, problems, _ = load_all([str(file)])
    assert found == []
    assert [message in str(problem) for problem in problems] == [True]


def test_what_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "pipe.json")
    (tmp_path / "board.json").write_text('{"title": "T", "panels": []}')
    found, problems, _ = load_all([str(tmp_path)])
    assert [subject.file for subject in found] == [str(tmp_path / "board.json")] and problems == []
    with pytest.raises(UsageError, match="more than a dashboard has"):
        load(Path("/dev/zero"))


def test_rows_that_hold_each_other_are_answered() -> None:
    panels: list[Any] = []
    for _ in range(90):
        panels = [{"type": "row", "title": "R", "panels": panels}]
    findings = lint([Subject("a.json", {"title": "T", "panels": panels})])
    assert "malformed" in {finding.rule for finding in findings}


def test_a_dashboard_of_two_thousand_panels_is_looked_at_in_seconds() -> None:
    panel = json.loads((ROOT / "provisioning/dashboards/gpuboards/gpu-node.json").read_text())["panels"][5]
    panels = [{**panel, "id": 7, "gridPos": {"x": 0, "y": 0, "w": 24, "h": 9}} for _ in range(2_000)]
    data = {"uid": "many", "title": "Many", "panels": panels}
    start = time.monotonic()
    findings = lint([Subject("many.json", data, json.dumps(data, indent=2))])
    assert time.monotonic() - start < 20
    assert sum(finding.rule == "duplicate-id" for finding in findings) == 1_999
    assert sum(finding.rule == "overlap" for finding in findings) == 1_999

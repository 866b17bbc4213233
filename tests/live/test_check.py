"""``gpuboards check --prometheus`` on real servers: what it says of every panel is what the exposition makes true."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from builder.cli import run
from builder.lint import Subject
from builder.live.outcome import LiveReport, PanelOutcome, Verdict
from builder.simulate import Fleet
from builder.simulate import history as simulated
from builder.targets.prometheus.address import Access, address
from builder.targets.prometheus.check import check
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.opened import Options
from builder.testing import AT, Prometheus, history, static_target
from tests.live.fleets import FLEETS
from tests.live.opened import boards_of

pytestmark = pytest.mark.live

AN_HOUR = Options(at=AT, range_seconds=3600, scrape_interval=30)
NOW = f"{datetime.fromtimestamp(AT, UTC):%Y-%m-%dT%H:%M:%SZ}"


def checked(prometheus: Prometheus, *boards: Mapping[str, Any], options: Options = AN_HOUR) -> LiveReport:
    subjects = [Subject("board.py", board) for board in boards]
    with Client(address(Access(prometheus.url), {}), seconds=60) as client:
        return check(subjects, client, options, lambda _doing, _done, _total: None)


def board(*queries: str, **panel: Any) -> dict[str, Any]:
    """A board with one panel a query."""
    panels = [
        {"id": n, "type": "timeseries", "title": query, "targets": [{"refId": "A", "expr": query}], **panel}
        for n, query in enumerate(queries, 1)
    ]
    return {"uid": "b", "title": "B", "panels": panels}


def by_title(report: LiveReport) -> dict[str, PanelOutcome]:
    return {panel.title: panel for panel in report.panels}


def test_our_boards_on_an_exporter_that_exports_all(prometheus_of: Callable[[str], Prometheus]) -> None:
    fleet = FLEETS["dcgm-extended"]
    report = checked(prometheus_of("dcgm-extended"), *boards_of(fleet)[0].values())
    assert (report.trouble, [b.error for b in report.boards if b.error], len(report.boards)) == ("", [], 7)
    assert [v for b in report.boards for v in b.variables if v.error] == []
    assert [p.why for p in report.panels if p.verdict is Verdict.ERROR] == []
    # Four cards on two nodes, of which the hot one is on gpu-node-02.
    fleet_board = {panel.title: panel for panel in report.boards[1].panels}
    assert report.boards[1].name == "gpu-fleet" and fleet_board["Cards"].series == 1
    node = {v.name: v for v in report.boards[1].variables}["node"]
    assert (node.options, node.chosen) == (2, ("gpu-node-01", "gpu-node-02"))
    assert all(panel.samples for panel in report.panels if panel.series)
    assert all(panel.size > 0 for panel in report.panels if panel.queries)
    assert report.lacks == () and report.severity.word == "info", report.counts


def test_what_a_chart_leaves_out_is_named_with_what_switches_it_on(
    prometheus_of: Callable[[str], Prometheus],
) -> None:
    """The fleet's exporters have the default counters and those of the Helm chart: no SM activity, no power limit."""
    report = checked(prometheus_of("dcgm"), *boards_of(FLEETS["dcgm"])[0].values())
    lacking = {lack.name: lack for lack in report.lacks}
    assert lacking["sm_activity"].metrics == ("DCGM_FI_PROF_SM_ACTIVE",)
    assert lacking["sm_activity"].fix == "add DCGM_FI_PROF_SM_ACTIVE to the exporter's counters file (-f)"
    assert "gpu-detail: GPU 0: how well it is used" in lacking["sm_activity"].wanted_by
    assert not {"utilisation", "memory_used", "temperature", "power"} & lacking.keys()
    gone = [panel for panel in report.panels if panel.verdict is Verdict.MISSING]
    assert gone and all(not panel.series and "the server has no " in panel.why for panel in gone)


def test_verdicts(prometheus_of: Callable[[str], Prometheus]) -> None:
    queries = {
        "DCGM_FI_DEV_GPU_TEMP": Verdict.OK,
        "DCGM_FI_DEV_GPU_TEMP > 200": Verdict.QUIET,
        "DCGM_FI_DEV_GPU_TEMP > bool 200": Verdict.OK,
        "DCGM_FI_DEV_GPU_TEMP unless DCGM_FI_DEV_FB_USED": Verdict.QUIET,
        "absent(up)": Verdict.QUIET,
        'DCGM_FI_DEV_GPU_TEMP{Hostname="nowhere"}': Verdict.EMPTY,
        "DCGM_FI_DEV_GPU_TEMPERATURE": Verdict.MISSING,
        "DCGM_FI_DEV_GPU_TEMPERATURE or DCGM_FI_DEV_GPU_TEMP": Verdict.OK,
        "DCGM_FI_DEV_GPU_TEMPERATURE > 200": Verdict.MISSING,
        '{__name__=~"nvidia_smi_.+"}': Verdict.MISSING,
        '{__name__=~"DCGM_.+"}': Verdict.OK,
        "DCGM_FI_DEV_GPU_TEMP * on() DCGM_FI_DEV_GPU_TEMP": Verdict.ERROR,
        "DCGM_FI_DEV_GPU_TEMP * on(job) DCGM_FI_DEV_FB_USED{x='y'}": Verdict.EMPTY,
        "sum(DCGM_FI_DEV_GPU_TEMP": Verdict.ERROR,
        "DCGM_FI_DEV_GPU_TEMP + $nothing": Verdict.ERROR,
        "": Verdict.ERROR,
        "42": Verdict.OK,
    }
    report = checked(prometheus_of("dcgm"), board(*queries))
    assert {panel.title: panel.verdict for panel in report.panels} == queries
    found = by_title(report)
    assert found["DCGM_FI_DEV_GPU_TEMP"].series == 4
    assert found["DCGM_FI_DEV_GPU_TEMP + $nothing"].why == "query A: unknown variable $nothing"
    assert "parse error" in found["sum(DCGM_FI_DEV_GPU_TEMP"].why
    assert {lack.name: lack.fix for lack in report.lacks} == {
        "DCGM_FI_DEV_GPU_TEMPERATURE": "no exporter of the catalogue has it",
        "nvidia_smi_.+": "no exporter of the catalogue has it",
    }


def test_a_rate_that_has_too_few_samples_is_told_so(prometheus_of: Callable[[str], Prometheus]) -> None:
    """Samples come every 30 s, so that no window of 10 s holds two."""
    panel, other = checked(prometheus_of("dcgm"), board("rate(up[10s])", 'up{job="nobody"}')).panels
    assert panel.verdict is other.verdict is Verdict.EMPTY
    assert "has its window two samples?" in panel.fix and "window" not in other.fix


def test_a_panel_that_says_what_empty_means_is_quiet(prometheus_of: Callable[[str], Prometheus]) -> None:
    query = 'DCGM_FI_DEV_GPU_TEMP{Hostname="nowhere"}'
    said = board(query, fieldConfig={"defaults": {"noValue": "nobody there"}})
    (panel,) = checked(prometheus_of("dcgm"), said).panels
    assert (panel.verdict, panel.why) == (Verdict.QUIET, 'shows "nobody there"')


@pytest.mark.parametrize(("training", "verdict"), [("probe", Verdict.QUIET), ("none", Verdict.MISSING)])
def test_a_counter_of_the_probe_is_born_with_the_first_failure(training: str, verdict: Verdict) -> None:
    fleet = Fleet(nodes=1, cards=1, start=AT - 600, training=training)
    with Prometheus(history=simulated(fleet, begin=AT - 600, end=AT, interval=30)) as server:
        (panel,) = checked(server, board("train_probe_errors_total > 0")).panels
    assert panel.verdict is verdict, panel.why


def test_what_is_slow_is_told(prometheus_of: Callable[[str], Prometheus]) -> None:
    any_time = Options(at=AT, range_seconds=3600, slow=1e-9)
    (panel,) = checked(prometheus_of("dcgm"), board("up"), options=any_time).panels
    assert panel.verdict is Verdict.SLOW and "query A took" in panel.why and "rule" in panel.fix


def test_samples_and_series_are_the_servers(prometheus_of: Callable[[str], Prometheus]) -> None:
    """An hour in steps of 15 s is 241 looks at each of four cards, at a sample each."""
    (panel,) = checked(prometheus_of("dcgm"), board("DCGM_FI_DEV_GPU_TEMP", maxDataPoints=240)).panels
    assert panel.series == 4 and panel.samples is not None
    (instant,) = checked(
        prometheus_of("dcgm"),
        {"uid": "b", "panels": [{"targets": [{"expr": "DCGM_FI_DEV_GPU_TEMP", "instant": True}]}]},
    ).panels
    assert (instant.series, instant.samples) == (4, 4)
    steps = 3600 // 30 + 1
    assert panel.samples == 4 * steps


def test_only_what_is_shown_is_asked_and_repeats_are_bounded(prometheus_of: Callable[[str], Prometheus]) -> None:
    variables = [
        {"name": "card", "type": "custom", "query": ",".join(map(str, range(40))), "includeAll": True, "multi": True}
    ]
    panels = [
        {"title": "hidden", "targets": [{"expr": "nonsense(", "hide": True}]},
        {"title": "logs", "datasource": {"type": "loki"}, "targets": [{"expr": '{a="b"}'}]},
        {"title": "text", "type": "text"},
        {"title": "many", "repeat": "card", "targets": [{"expr": 'DCGM_FI_DEV_GPU_TEMP{gpu="$card"}'}]},
        {"title": "odd", "repeat": "nobody", "targets": [{"expr": "up"}]},
    ]
    report = checked(prometheus_of("dcgm"), {"uid": "b", "templating": {"list": variables}, "panels": panels})
    assert [report.boards[0].left_out, len(report.panels)] == [30, 14]
    found = by_title(report)
    assert [found[title].verdict for title in ("hidden", "logs", "text")] == [Verdict.NOT_ASKED] * 3
    assert found["logs"].why == "asks loki"
    assert "repeats over nobody" in found["odd"].why and found["odd"].verdict is Verdict.ERROR
    shown = [panel.series for panel in report.panels if panel.title == "many"]
    assert shown == [2, 2, *[0] * 8], "cards 0 and 1 of two nodes"


def test_variables_fail_on_their_own(prometheus_of: Callable[[str], Prometheus]) -> None:
    listed = [
        {"name": "a", "type": "query", "query": "label_values(up{, job)"},
        {"name": "b", "type": "query", "query": "label_values(DCGM_FI_DEV_GPU_TEMP, Hostname)"},
        {"name": "c", "type": "query", "query": 'label_values(DCGM_FI_DEV_GPU_TEMP{Hostname="$b"}, gpu)'},
        {"name": "none", "type": "query", "query": "label_values(DCGM_FI_DEV_GPU_TEMP, rack)"},
    ]
    panels = [
        {"title": "p", "targets": [{"expr": 'DCGM_FI_DEV_GPU_TEMP{Hostname="$b",gpu="$c",rack="$none"} * 0 + 1'}]}
    ]
    panels[0]["targets"][0]["expr"] = 'DCGM_FI_DEV_GPU_TEMP{Hostname="$b", rack=~"$none.+"}'  # type: ignore[index]
    report = checked(prometheus_of("dcgm"), {"uid": "b", "templating": {"list": listed}, "panels": panels})
    a, b, c, none = report.boards[0].variables
    assert "bad_data" in a.error and report.boards[0].severity.word == "bug"
    assert (b.options, b.chosen, c.options, c.chosen) == (2, ("gpu-node-01",), 2, ("0",))
    assert (none.options, none.error) == (0, "")
    assert "$none has no value" in report.panels[0].why and report.panels[0].verdict is Verdict.EMPTY


def test_variables_that_turn_in_a_circle_stop_their_board_alone(prometheus_of: Callable[[str], Prometheus]) -> None:
    circle = [
        {"name": "a", "type": "query", "query": 'label_values(up{x="$b"}, job)'},
        {"name": "b", "type": "query", "query": 'label_values(up{x="$a"}, job)'},
    ]
    report = checked(prometheus_of("dcgm"), {"uid": "x", "templating": {"list": circle}}, board("up"))
    assert "circle: a -> b -> a" in report.boards[0].error
    assert report.boards[1].panels[0].verdict is Verdict.OK


def test_boards_for_another_exporter_and_no_exporter_at_all(prometheus_of: Callable[[str], Prometheus]) -> None:
    boards = boards_of(FLEETS["dcgm"])[0]
    report = checked(prometheus_of("nvidia-smi"), boards["gpu-thermal"])
    assert report.notes == ("the boards ask for another exporter than this server has: try --profile nvidia-smi",)
    host = static_target('node_load1{instance="x"} 1\n', job="node", instance="a:9100")
    with Prometheus(history=history([host])) as bare:
        report = checked(bare, boards["gpu-thermal"])
    assert report.notes == ("this server has no GPU metric that is known here: does it scrape a GPU exporter?",)
    assert report.counts.keys() <= {"missing", "not asked", "ok"} and report.counts["missing"] > 5


def test_exporters_that_fell_silent(prometheus_of: Callable[[str], Prometheus]) -> None:
    boards = boards_of(FLEETS["dcgm-silent"])[0]
    report = checked(prometheus_of("dcgm-silent"), boards["gpu-fleet"])
    assert "no GPU exporter has reported for five minutes" in report.notes[0] and len(report.notes) == 1
    cards = by_title(report)["Cards"]
    assert cards.verdict is Verdict.EMPTY and "DCGM_FI_DEV_FB_USED is there" in cards.why
    assert "$cluster" not in cards.why, "it has no values, and stands for all"


def test_two_label_spellings_on_one_server_are_one_fleet(prometheus_of: Callable[[str], Prometheus]) -> None:
    report = checked(prometheus_of("dcgm-b-and-c"), boards_of(FLEETS["dcgm-b-and-c"])[0]["gpu-node"])
    assert {v.name: v.options for v in report.boards[0].variables}["node"] == 2
    assert by_title(report)["Core temperature"].verdict is Verdict.OK


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.json").write_text(json.dumps(board("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_MEM_CLOCK_MAX|", "nothing")))
    return tmp_path


@pytest.mark.usefixtures("written")
def test_formats_and_exit_codes(prometheus_of: Callable[[str], Prometheus], capsys: pytest.CaptureFixture[str]) -> None:
    server = ("--prometheus", prometheus_of("dcgm").url, "--at", NOW, "--range", "1h")
    assert run(["check", "b.json", *server]) == 1
    text = capsys.readouterr().out
    assert "ok         DCGM_FI_DEV_GPU_TEMP" in text and "1 ok, 1 missing, 1 error in 1 board" in text
    assert "the server has no nothing" in text and "no exporter of the catalogue has it" in text
    assert run(["check", "b.json", *server, "--min-severity", "bug"]) == 1
    text = capsys.readouterr().out
    assert "DCGM_FI_DEV_GPU_TEMP " not in text and "parse error" in text
    assert run(["check", "b.json", *server, "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [p["verdict"] for p in told["boards"][0]["panels"]] == ["ok", "error", "missing"]
    assert told["counts"] == {"ok": 1, "missing": 1, "error": 1} and told["at"] == AT
    assert told["boards"][0]["panels"][0]["queries"][0]["series"] == 4
    assert run(["check", "b.json", *server, "--format", "markdown"]) == 1
    assert "| DCGM\\_FI\\_DEV\\_GPU\\_TEMP | ok | 4 |" in capsys.readouterr().out


@pytest.mark.parametrize("seconds", [7, 33.3, 45.67, 3600])
def test_a_server_is_told_a_time_limit_that_it_understands(
    prometheus_of: Callable[[str], Prometheus], seconds: float
) -> None:
    with Client(address(Access(prometheus_of("dcgm-extended").url), {}), seconds=seconds) as client:
        assert client.query("vector(1)", AT).count == 1


def test_our_own_boards_from_the_command_line(
    prometheus_of: Callable[[str], Prometheus],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    server = ("--prometheus", prometheus_of("dcgm-extended").url, "--at", NOW, "--range", "1h")
    assert run(["check", *server, "--var", "node=gpu-node-02", "--fail-on", "bug", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["boards"]) == 7 and told["trouble"] == ""
    chosen = {v["name"]: v["chosen"] for v in told["boards"][4]["variables"]}
    assert (told["boards"][4]["name"], chosen["node"]) == ("gpu-node", ["gpu-node-02"])


def test_dashboards_of_others(prometheus_of: Callable[[str], Prometheus], capsys: pytest.CaptureFixture[str]) -> None:
    reference = os.environ.get("GPUBOARDS_REFERENCE")
    if not reference:
        pytest.skip("GPUBOARDS_REFERENCE is not set: dashboards of others are not here")
    folder = str(Path(reference) / "data/dashboards")
    server = ("--prometheus", prometheus_of("dcgm-extended").url, "--at", NOW, "--range", "1h")
    assert run(["check", folder, *server, "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    verdicts = {Path(b["name"]).name: {p["verdict"] for p in b["panels"]} for b in told["boards"]}
    assert all("error" not in found for found in verdicts.values())
    assert verdicts["dcgm-exporter__HEAD__dcgm-exporter-dashboard.json"] == {"ok"}
    assert verdicts["nvidia_gpu_exporter__v0.3.0__dashboard.json"] == {"missing"}
    assert len(verdicts) == 5

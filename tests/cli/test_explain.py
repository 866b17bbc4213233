"""What a name means: in the catalogue, on a board and in the rules, by the name or a part of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.catalog.model import LABELS
from builder.cli import facts_of_rules
from builder.queries.listed import questions
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD, refused

# questions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["busy_share", "utilisation.busy_share", "busy_shar"])
def test_a_question_by_its_name_with_its_module_or_by_a_part(gpuboards: Run, name: str) -> None:
    done = gpuboards("explain", name, "--profile", "nvidia-gpu")
    assert (done.returncode, done.stderr) == (0, "")
    first, *more = done.stdout.splitlines()
    assert first == (
        "utilisation.busy_share is a question: Share of the cards that are busier than the idle threshold."
    )
    assert more[0] == "  asks for: utilisation"
    query = more[more.index("nvidia-gpu:") + 1 :]
    assert query[0] == "  avg(" and "nvidia_gpu_utilization" in "".join(query)
    assert max(map(len, query)) <= 80


def test_a_question_that_the_exporter_cannot_answer(gpuboards: Run) -> None:
    said = gpuboards("explain", "last_xid", "--profile", "nv-gpu").stdout
    assert said.splitlines()[-1] == "nv-gpu cannot answer it: needs xid"
    facts = json.loads(gpuboards("explain", "last_xid", "--profile", "nv-gpu", "--format", "json").stdout)
    assert (facts["expression"], facts["missing"]) == (None, ["xid"])


def test_a_question_names_the_labels_of_its_answer(gpuboards: Run) -> None:
    facts = json.loads(gpuboards("explain", "card_utilisation", "--format", "json").stdout)
    assert facts["labels"] == ["cluster", "gpu", "node", "uuid"]
    assert facts["profile"] == "dcgm" and facts["signals"] == ["utilisation"]


def test_a_signal_says_that_there_is_a_question_of_that_name(gpuboards: Run) -> None:
    said = gpuboards("explain", "power").stdout
    assert said.startswith("power is a signal: ")
    assert said.splitlines()[-1] == "also a question: power.power"
    assert gpuboards("explain", "power.power").stdout.startswith("power.power is a question: ")


def test_all_questions_by_module(gpuboards: Run) -> None:
    said = gpuboards("list", "--questions").stdout.splitlines()
    assert "utilisation: How busy the cards are, and how well." in said
    share = "  utilisation.busy_share: Share of the cards that are busier than the idle threshold."
    assert said.index("utilisation: How busy the cards are, and how well.") < said.index(share)
    assert any(line.startswith("  extremes.highest(of, count, each, by): ") for line in said)
    listed = json.loads(gpuboards("list", "--questions", "--format", "json").stdout)
    assert {entry["name"] for entry in listed} > set(questions())
    assert all(entry["help"] for entry in listed)


@pytest.mark.parametrize("name", [*LABELS, *questions()])
def test_every_label_and_question_can_be_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from builder.cli import run

    for output in ("text", "json"):
        assert run(["explain", name, "--format", output]) == 0
        assert name in capsys.readouterr().out


# labels --------------------------------------------------------------------------------------


def test_a_label_and_how_each_exporter_spells_it(gpuboards: Run) -> None:
    said = gpuboards("explain", "pod").stdout.splitlines()
    assert said[0] == "pod is a label, spelled"
    assert said[1].startswith("dcgm: exported_pod, or pod_name, or pod where pod!~")
    assert said[-1] == "not exported by nvidia-smi, nvidia-gpu"
    assert "dcgm: GPU_I_ID, written mig-$1" in gpuboards("explain", "mig").stdout
    facts = json.loads(gpuboards("explain", "node", "--format", "json").stdout)
    assert [spelling["label"] for spelling in facts["profiles"]["dcgm"]] == ["Hostname", "hostname"]


# parts of names ------------------------------------------------------------------------------


def test_a_part_of_one_name_is_enough_whatever_its_case(gpuboards: Run) -> None:
    assert gpuboards("explain", "fb_free", "--profile", "dcgm").stdout.startswith("DCGM_FI_DEV_FB_FREE is a metric")


def test_a_part_of_several_names_gives_them_all(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("explain", "nvlink")
    refused(done, tmp_path, "'nvlink'", "nvlink_throughput", "traffic.nvlink_throughput", "DCGM_FI_DEV_NVLINK_")


def test_a_part_of_very_many_names_gives_twenty(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("explain", "_")
    refused(done, tmp_path, " more?")
    assert done.stderr.count(", ") < 30


def test_what_is_spelled_alike_comes_first(gpuboards: Run, tmp_path: Path) -> None:
    refused(gpuboards("explain", "utilization"), tmp_path, "did you mean utilisation, nv_gpu_utilization_ratio, ")
    refused(gpuboards("explain", "temperatur3"), tmp_path, "did you mean temperature")


def test_what_is_like_nothing_says_where_to_look(gpuboards: Run, tmp_path: Path) -> None:
    refused(gpuboards("explain", "zzzz"), tmp_path, "`gpuboards list --questions`")


def test_a_board_by_a_part_of_its_uid(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=GOOD.replace('"mine"', '"team-rack-7"'))
    assert gpuboards("explain", "rack-7", "--dashboards", "boards").stdout.startswith("team-rack-7 is a board")


# names of the rules --------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(facts_of_rules.names()))
def test_every_alert_recorded_name_and_setting_can_be_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from builder.cli import run

    assert run(["explain", name]) == 0
    assert capsys.readouterr().out.startswith(name)


def test_an_alert_is_explained_as_by_rules_explain(gpuboards: Run) -> None:
    said = gpuboards("explain", "GpuTemperatureHigh").stdout
    assert said.startswith("GpuTemperatureHigh: warning") and said == gpuboards("rules", "explain", said[:18]).stdout


def test_a_recorded_series_and_its_rule(gpuboards: Run) -> None:
    said = gpuboards("explain", "gpu:temperature_celsius", "--profile", "nv-gpu").stdout
    assert "is a recorded series: Temperature of the GPU core.\n" in said
    assert "  labels: cluster, gpu, model, node, uuid\nnv-gpu:\n" in said and "nv_gpu_temperature_celsius" in said
    assert (
        "no rule for nv-gpu records it" in gpuboards("explain", "gpu:sm_activity_ratio", "--profile", "nv-gpu").stdout
    )


def test_a_setting_of_alerts_and_its_namesake_of_boards(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text("alerts: {temperature_warning: 83}\n")
    assert gpuboards("explain", "alerts.temperature_warning").stdout.splitlines() == [
        "alerts.temperature_warning is a setting: core temperature of the warning",
        "  83 °C (default 85 °C, may be 20 to 150)",
        "  decides about GpuTemperatureHigh: see `gpuboards rules explain`",
        "  thresholds.temperature_warning is another setting",
    ]
    said = gpuboards("explain", "thresholds.temperature_warning").stdout
    assert "  80 (default 80)\n  alerts.temperature_warning is another setting\n" in said
    refused(gpuboards("explain", "GpuTemperatureHgh"), tmp_path, "did you mean GpuTemperatureHigh or ")

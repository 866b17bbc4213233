"""The commands as a user runs them: what they print, what they exit with, how quickly help is there."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.catalog.profiles import PROFILES
from builder.catalog.signals import SIGNALS
from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD


@pytest.fixture
def mine(boards: Callable[..., Path]) -> tuple[str, str]:
    """The flags that choose one small board of our own."""
    boards(mine=GOOD)
    return ("--dashboards", "boards")


# build ---------------------------------------------------------------------------------------


def test_build_then_check_then_build_again(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    done = gpuboards("build", *mine)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "1 board, 1 panel for dcgm, source raw"
    written = sorted(
        p.relative_to(tmp_path / "provisioning").as_posix() for p in (tmp_path / "provisioning").rglob("*.*")
    )
    assert "dashboards/gpuboards/mine.json" in written and "compose.yaml" in written

    done = gpuboards("build", *mine, "--check")
    assert (done.returncode, done.stdout) == (0, "provisioning is what the definitions say\n")

    done = gpuboards("build", *mine)
    assert done.stdout.splitlines()[-1].startswith("provisioning: 0 written, 0 removed, ")


def test_build_in_json(gpuboards: Run, mine: tuple[str, str]) -> None:
    said = json.loads(gpuboards("build", *mine, "--format", "json", "--out", "out").stdout)
    assert (said["profile"], said["out"], said["removed"], said["dropped"]) == ("dcgm", "out", [], [])
    assert "dashboards/gpuboards/mine.json" in said["written"]


def test_the_standard_boards_are_the_default(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("build")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "provisioning/dashboards/gpuboards/gpu-fleet.json").exists()


def test_several_directories(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "other.py").write_text(GOOD.replace('"mine"', '"other"').replace("My board", "Other"))
    done = gpuboards("build", *mine, "--dashboards", "more")
    assert done.stdout.startswith("2 boards, 2 panels")


def test_a_grafanalib_dashboard_is_built_too(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    directory = boards()
    (directory / "stock.dashboard.py").write_text(
        "from grafanalib.core import Dashboard, Target, TimeSeries\n"
        "panel = TimeSeries(title='Up', targets=[Target(expr='up', refId='A')])\n"
        "dashboard = Dashboard(title='Stock', uid='stock', panels=[panel])\n"
    )
    done = gpuboards("build", "--dashboards", "boards")
    assert done.returncode == 0, done.stderr
    built = json.loads((tmp_path / "provisioning/dashboards/gpuboards/stock.json").read_text())
    assert [panel["title"] for panel in built["panels"]] == ["Up"]


def test_a_definition_that_prints_does_not_spoil_the_json(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=GOOD + "print('hello')\n")
    done = gpuboards("build", "--dashboards", "boards", "--format", "json")
    assert json.loads(done.stdout)["written"]
    assert done.stderr == "hello\n"


def test_flag_beats_environment_beats_file(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    def profile(*flags: str, **environment: str) -> str:
        done = gpuboards("build", *mine, *flags, "--format", "json", environment=environment)
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)["profile"])

    assert profile() == "dcgm"
    (tmp_path / "gpuboards.yaml").write_text("profile: nvidia-smi\n")
    (tmp_path / "other.yaml").write_text("profile: nv-gpu\n")
    assert profile() == "nvidia-smi"
    assert profile(GPUBOARDS_CONFIG="other.yaml") == "nv-gpu"
    assert profile("--config", "gpuboards.yaml", GPUBOARDS_CONFIG="other.yaml") == "nvidia-smi"
    assert profile(GPUBOARDS_PROFILE="dcgm-4.9") == "dcgm-4.9"
    assert profile("--profile", "nvidia-gpu", GPUBOARDS_PROFILE="dcgm-4.9") == "nvidia-gpu"


# list and explain ----------------------------------------------------------------------------


def test_list(gpuboards: Run, mine: tuple[str, str]) -> None:
    done = gpuboards("list", *mine)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "mine  My board  (boards/mine.py:4, 1 panel)"


def test_list_counts_the_panels_that_drop_out(gpuboards: Run, boards: Callable[..., Path]) -> None:
    power = 'Stat("Power", [Query(power.power), Query(power.power_limit)])'
    nodes = 'Stat("Nodes", [Query(power.node_power)])'
    text = GOOD.replace("panels=[", f"panels=[{power}, {nodes}, ")
    boards(mine=text.replace("import utilisation", "import power, utilisation"))
    said = gpuboards("list", "--dashboards", "boards").stdout.splitlines()
    assert said[1:] == ["  2 of 3 panels drop out for nv-gpu"], "panels, not what they lack; in part is not out"


def test_list_in_json(gpuboards: Run) -> None:
    listed = json.loads(gpuboards("list", "--format", "json").stdout)
    fleet = next(board for board in listed if board["uid"] == "gpu-fleet")
    assert fleet["question"] and fleet["panels"] > 10 and ":" in fleet["file"]
    assert fleet["dropped"].keys() == {"dcgm", "dcgm-4.9", "nvidia-smi", "nv-gpu", "nvidia-gpu"}
    assert len(fleet["dropped"]["nv-gpu"]) > len(fleet["dropped"]["dcgm"])


def test_explain_a_signal(gpuboards: Run) -> None:
    said = gpuboards("explain", "power_limit").stdout
    assert "power_limit is a signal: Power limit in force." in said
    assert "gauge in watts, one value per board" in said
    assert "  DCGM_FI_DEV_ENFORCED_POWER_LIMIT (not exported by default)" in said
    assert "to switch on: add DCGM_FI_DEV_ENFORCED_POWER_LIMIT to the exporter's counters file" in said
    assert "nvidia_smi_enforced_power_limit_watts" in said
    assert "not exported by" in said and "nv-gpu" in said


def test_explain_with_an_override(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text("profiles: {dcgm: {signals: {power: {name: site_power, factor: 1000}}}}")
    said = gpuboards("explain", "power", "--profile", "dcgm").stdout
    assert "site_power * 1000" in said and "nvidia" not in said


def test_explain_a_metric(gpuboards: Run) -> None:
    said = json.loads(gpuboards("explain", "DCGM_FI_DEV_FB_FREE", "--format", "json", "--profile", "dcgm").stdout)
    free = next(use for use in said["uses"] if use["signal"] == "memory_free")
    assert (free["profile"], free["unit"], free["factor"]) == ("dcgm", "bytes", 1024 * 1024)
    assert "memory_total" in [use["signal"] for use in said["uses"]]


def test_explain_a_profile(gpuboards: Run) -> None:
    said = gpuboards("explain", "nv-gpu").stdout
    assert "nv-gpu is a profile" in said
    assert "  temperature: nv_gpu_temperature_celsius" in said
    missing = next(line for line in said.splitlines() if line.startswith("not exported: "))
    assert "power" in missing and "steps" not in missing


def test_explain_a_board(gpuboards: Run, mine: tuple[str, str]) -> None:
    said = gpuboards("explain", "mine", *mine).stdout
    assert said.splitlines()[0] == "mine is a board: My board (boards/mine.py:4)"
    assert "Utilisation [stat]" in said


@pytest.mark.parametrize("name", [*SIGNALS, *PROFILES])
def test_everything_in_the_catalogue_can_be_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from builder.cli import run

    for output in ("text", "json"):
        assert run(["explain", name, "--format", output]) == 0
        assert name in capsys.readouterr().out


# what holds for all --------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["build"], ["list"], ["explain"]])
def test_help(gpuboards: Run, arguments: list[str]) -> None:
    done = gpuboards(*arguments, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: gpuboards")


def test_version(gpuboards: Run) -> None:
    assert gpuboards("--version").stdout.strip()


def test_a_bug_is_reported_ready_to_paste(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    breaking = "import builder.build\ndef broken(*_): raise RuntimeError('broken')\nbuilder.build.build = broken\n"
    (tmp_path / "sitecustomize.py").write_text(breaking)
    done = gpuboards("build", *mine, environment={"PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert done.returncode == 70
    assert "This is a bug in gpuboards" in done.stderr
    assert "command: gpuboards build --dashboards boards" in done.stderr
    assert "RuntimeError: broken" in done.stderr and "grafanalib " in done.stderr
    assert not (tmp_path / "provisioning").exists()


def test_nobody_reads_the_output(gpuboards: Run) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "builder.cli", "explain", "dcgm"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=environment, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_help_costs_little_more_than_importing_click() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def seconds(*command: str) -> float:
        """Of the processor: what else the machine does takes none of it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], env=environment, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    rounds = [(seconds("-m", "builder.cli", "--help"), seconds("-c", "import click")) for _ in range(11)]
    assert min(ours for ours, _ in rounds) < 2 * min(clicks for _, clicks in rounds)  # 1.5 is the benchmark's


def test_help_names_every_command_in_a_line(gpuboards: Run) -> None:
    told = gpuboards("--help").stdout.partition("Commands:\n")[2].splitlines()
    named = {line.split()[0] for line in told}
    modules = (ROOT / "builder/cli").glob("*.py")
    defined = {m.stem for m in modules if re.search(rf'^@click\.(command|group)\("{m.stem}"', m.read_text(), re.M)}
    assert named == defined
    assert all(line.endswith(".") and len(line) <= 80 for line in told)


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from builder.cli import run; run(['--help'])\n"
        "heavy = {'yaml', 'grafanalib', 'attr', 'requests', 'promql_parser', 'builder.build'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stderr == "[]\n"

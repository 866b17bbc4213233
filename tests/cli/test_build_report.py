"""What a build says: what it left out and why, which files it removed, and how a directory differs."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD

BOARDS = "dashboards/gpuboards"

TRAFFIC = """\
from builder import Board, Query, Stat, TimeSeries, Values
from builder.queries import memory, power, traffic, utilisation

board = Board(
    uid="mine",
    title="My board",
    variables=[Values("pod", "pod")],
    panels=[
        Stat("Utilisation", [Query(utilisation.fleet_utilisation)]),
        TimeSeries("Traffic", [Query(traffic.pcie_receive), Query(traffic.nvlink_throughput)]),
        TimeSeries("Power", [Query(power.power), Query(power.power_limit), Query(power.power)]),
        TimeSeries("Gap", [Query(memory.card_memory_used), Query(memory.framework_in_use)]),
    ],
)
"""


@pytest.fixture
def mine(boards: Callable[..., Path]) -> tuple[str, str]:
    """The flags that choose one small board of our own."""
    boards(mine=GOOD)
    return ("--dashboards", "boards")


# what is left out ----------------------------------------------------------------------------


def test_one_line_a_panel_under_the_exporter_that_lacks_it(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=TRAFFIC)
    said = gpuboards("build", "--dashboards", "boards", "--profile", "nvidia-smi").stdout.splitlines()
    assert said[:-1] == [
        "1 board, 4 panels for nvidia-smi, source raw",
        "left out, because nvidia-smi does not export what they need:",
        "  mine: $pod: gone, needs the label pod",
        "  mine: Traffic: without nvlink_throughput",
    ]
    said = gpuboards("build", "--dashboards", "boards", "--profile", "nv-gpu").stdout.splitlines()
    assert "  mine: Power: gone, needs power, power_limit" in said, "each signal once"


def test_a_training_side_that_nobody_wants_is_not_the_cards_exporters_fault(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path
) -> None:
    boards(mine=TRAFFIC)
    (tmp_path / "gpuboards.yaml").write_text("training: none\n")
    said = gpuboards("build", "--dashboards", "boards").stdout.splitlines()
    assert said[:-1] == [
        "1 board, 4 panels for dcgm, source raw",
        "left out, because the configuration says training: none:",
        "  mine: Gap: without framework_memory_in_use",
    ]


def test_json_has_it_all(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=TRAFFIC)
    done = gpuboards("build", "--dashboards", "boards", "--profile", "nvidia-smi", "--format", "json")
    common = {"board": "mine", "fix": ""}
    assert json.loads(done.stdout)["dropped"] == [
        {**common, "panel": "$pod", "gone": True, "missing": ["the label pod"], "variable": True},
        {**common, "panel": "Traffic", "gone": False, "missing": ["nvlink_throughput"], "variable": False},
    ]


def test_what_could_be_switched_on_is_said_once(gpuboards: Run) -> None:
    said = gpuboards("build", "--profile", "nvidia-smi").stdout.splitlines()
    fixes = [line for line in said if "fix" in line]
    assert fixes == ["  fix for Logs: set logs.selector in gpuboards.yaml, for instance to the preset bare-metal"]
    assert sum(": Logs: gone, needs the labels namespace, pod, container" in line for line in said) > 1


def test_a_terminal_gets_twenty_lines_and_a_pipe_all(gpuboards: Run, tmp_path: Path) -> None:
    piped = _left_out(gpuboards("build", "--profile", "nv-gpu").stdout)
    assert len(piped) > 40
    shown = _on_a_terminal(tmp_path, "build", "--profile", "nv-gpu")
    assert _left_out(shown) == piped[:20]
    assert f"  {len(piped) - 20} more: --verbose" in shown.splitlines()
    assert _left_out(_on_a_terminal(tmp_path, "build", "--profile", "nv-gpu", "--verbose")) == piped


def _left_out(said: str) -> list[str]:
    return [line for line in said.splitlines() if re.match(r"  gpu-[a-z]+: ", line)]


def _on_a_terminal(directory: Path, *arguments: str) -> str:
    """What the command writes where its output is a terminal."""
    words = [sys.executable, "-m", "builder.cli", *arguments]
    process, terminal = pty.fork()
    if not process:
        os.chdir(directory)
        os.environ["PYTHONPATH"] = str(ROOT)
        os.execv(sys.executable, words)
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side has closed
            break
        if not part:
            break
        said += part
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0, said.decode()
    return said.decode().replace("\r\n", "\n")


# what is removed -----------------------------------------------------------------------------


def test_removed_files_are_named(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    gpuboards("build", "--dashboards", "standard", *mine)
    done = gpuboards("build", *mine)
    removed = next(line for line in done.stdout.splitlines() if line.startswith("removed: "))
    files = removed.removeprefix("removed: ").split(", ")
    assert f"{BOARDS}/gpu-fleet.json" in files and f"{BOARDS}/mine.json" not in files
    assert done.stdout.splitlines()[-1].startswith(f"provisioning: 0 written, {len(files)} removed, ")
    assert "removed: " not in gpuboards("build", *mine).stdout


def test_of_many_removed_files_twenty_are_named(gpuboards: Run, boards: Callable[..., Path]) -> None:
    many = GOOD.replace("board = Board(", "boards = [Board(").replace('uid="mine"', 'uid=f"mine-{n}"')
    many = many.replace('"My board"', 'f"Mine {n}"').rstrip().removesuffix(")") + ") for n in range(22)]\n"
    boards(many=many)
    assert gpuboards("build", "--dashboards", "boards").stdout.startswith("22 boards")
    boards(many=GOOD.replace('"mine"', '"mine-0"'))
    removed = gpuboards("build", "--dashboards", "boards").stdout.splitlines()[-2]
    assert removed.count(".json") == 20 and removed.endswith(" and 1 more")


# how a directory differs ---------------------------------------------------------------------


def test_check_names_what_differs_and_the_command_that_mends_it(
    gpuboards: Run, mine: tuple[str, str], tmp_path: Path
) -> None:
    gpuboards("build", *mine)
    (tmp_path / "provisioning/compose.yaml").write_text("edited")
    (tmp_path / "provisioning/loki/loki.yaml").unlink()
    done = gpuboards("build", *mine, "--check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "provisioning differs from what the definitions say:",
        "  changed  compose.yaml",
        "  missing  loki/loki.yaml",
        "fix: run `gpuboards build --dashboards boards`",
    ]
    done = gpuboards("build", *mine, "--check", "--format", "json")
    assert done.returncode == 1
    made = {"profile": "dcgm", "source": "raw", "training": "auto", "host": "node-exporter", "dashboards": ["boards"]}
    assert json.loads(done.stdout) == {
        "changed": ["compose.yaml"],
        "missing": ["loki/loki.yaml"],
        "stale": [],
        "unknown": [],
        "built_with": made,
        "compared_with": made,
    }


def test_check_with_something_else_than_the_build_says_so(
    gpuboards: Run, mine: tuple[str, str], tmp_path: Path
) -> None:
    gpuboards("build", *mine, "--profile", "nvidia-smi", "--out", "out")
    done = gpuboards("build", "--check", "--out", "out")
    assert done.returncode == 1
    told, fix = done.stdout.splitlines()[-2:]
    then, now = "profile nvidia-smi, dashboards boards", "profile dcgm, dashboards standard"
    assert told == f"it was built with {then}, and is compared with {now}"
    mend, as_it_was = re.findall(r"`gpuboards ([^`]+)`", fix)
    assert mend == "build --out out"
    done = gpuboards(*shlex.split(as_it_was))
    assert (done.returncode, done.stdout) == (0, "out is what the definitions say\n")


def test_other_settings_that_give_the_same_files_are_no_difference(
    gpuboards: Run, mine: tuple[str, str], tmp_path: Path
) -> None:
    gpuboards("build", *mine)
    (tmp_path / "gpuboards.yaml").write_text("training: probe\n")
    assert gpuboards("build", *mine, "--check").returncode == 0


def test_the_manifest_does_not_hang_on_where_the_command_runs(
    gpuboards: Run, mine: tuple[str, str], tmp_path: Path
) -> None:
    gpuboards("build", *mine)
    manifest = tmp_path / "provisioning/.gpuboards-manifest.json"
    before = manifest.read_bytes()
    gpuboards("build", "--dashboards", str(tmp_path / "boards"))
    assert manifest.read_bytes() == before
    assert str(tmp_path) not in before.decode()


def test_check_finds_boards_that_no_build_wrote(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    gpuboards("build", *mine)
    folder = tmp_path / "provisioning" / BOARDS
    for name in ("stray.json", "deep/stray.json", ".hidden/stray.json", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")
    (tmp_path / "provisioning/prometheus/targets.json").write_text("[]")  # not where Grafana looks for boards
    done = gpuboards("build", *mine, "--check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "provisioning differs from what the definitions say:",
        f"  unknown  {BOARDS}/deep/stray.json",
        f"  unknown  {BOARDS}/stray.json",
        "fix: move the unknown files away, since Grafana would load them, or define them as boards",
    ]


def test_check_where_nothing_was_built_is_one_line(gpuboards: Run, mine: tuple[str, str], tmp_path: Path) -> None:
    done = gpuboards("build", *mine, "--check")
    assert done.returncode == 1
    assert done.stdout == "provisioning does not exist: run `gpuboards build --dashboards boards`\n"
    assert not (tmp_path / "provisioning").exists()

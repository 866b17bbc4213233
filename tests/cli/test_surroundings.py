"""What surrounds a run and is not as usual: standard streams, files that are none, the directory, odd names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD

Boards = Callable[..., Path]


def shell(line: str, here: Path) -> subprocess.CompletedProcess[str]:
    """A line of shell, in which ``$gpuboards`` is the program."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUBOARDS_")}
    environment = {**clean, "PYTHONPATH": str(ROOT), "gpuboards": f"{sys.executable} -m builder.cli"}
    return subprocess.run(["bash", "-c", line], cwd=here, env=environment, capture_output=True, text=True, timeout=60)


# streams ------------------------------------------------------------------------------------------


def test_no_room_for_the_answer(boards: Boards, tmp_path: Path) -> None:
    boards(mine=GOOD)
    done = shell("$gpuboards build --dashboards boards > /dev/full", tmp_path)
    assert done.returncode == 2
    assert "provisioning is written" in done.stderr
    assert "standard output: cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert (tmp_path / "provisioning/dashboards/gpuboards/mine.json").exists()
    done = shell("$gpuboards list --dashboards boards > /dev/full", tmp_path)
    assert (done.returncode, "is written" in done.stderr) == (2, False)


def test_nobody_listens(boards: Boards, tmp_path: Path) -> None:
    boards(mine=GOOD)
    done = shell("$gpuboards build --dashboards boards >&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = shell("$gpuboards build --dashboards boards --out other >&- 2>&-", tmp_path)
    assert done.returncode == 0
    plain, other = tmp_path / "provisioning", tmp_path / "other"
    assert [p.relative_to(plain) for p in sorted(plain.rglob("*"))] == [
        p.relative_to(other) for p in sorted(other.rglob("*"))
    ]


def test_the_reader_leaves(boards: Boards, tmp_path: Path) -> None:
    boards(mine=GOOD)
    done = shell('$gpuboards list --questions | head -0; echo "${PIPESTATUS[0]}"', tmp_path)
    assert (done.stdout, done.stderr) == ("141\n", "")


# the directory --------------------------------------------------------------------------------------


def test_the_directory_is_gone(boards: Boards, tmp_path: Path) -> None:
    directory = boards(mine=GOOD)
    there = f"mkdir gone; cd gone; rmdir {tmp_path / 'gone'};"
    done = shell(f"{there} $gpuboards build --dashboards {directory} --out here", tmp_path)
    assert (done.returncode, done.stderr.split("\n")[0]) == (
        2,
        "error: here: cannot be written: No such file or directory",
    )
    done = shell(f"{there} $gpuboards build --dashboards boards --out {tmp_path / 'out'}", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: boards: cannot read the board directory")
    done = shell(f"{there} $gpuboards build --dashboards {directory} --out {tmp_path / 'out'}", tmp_path)
    assert done.returncode == 0, done.stderr


def test_names_that_are_no_text(boards: Boards, tmp_path: Path) -> None:
    boards(mine=GOOD)
    odd = os.fsdecode(b"b\xff")
    (tmp_path / "boards").rename(tmp_path / odd)
    done = shell("$gpuboards build --dashboards $'b\\xff' --out $'o\\xff'", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "o\\udcff: " in done.stdout
    done = shell("$gpuboards build --dashboards $'b\\xff' --out $'o\\xff' --check", tmp_path)
    assert (done.returncode, done.stdout) == (0, "o\\udcff is what the definitions say\n")
    done = shell("$gpuboards list --dashboards $'b\\xff' --format json", tmp_path)
    assert json.loads(done.stdout)[0]["file"] == f"{odd}/mine.py:4"


@pytest.mark.parametrize(
    "command",
    ["build --out", "build --dashboards", "pull x --out", "diff --dashboards", "simulate backfill --hours 1 --out"],
)
def test_a_directory_without_a_name(gpuboards: Run, tmp_path: Path, command: str) -> None:
    done = gpuboards(*command.split(), "")
    assert done.returncode == 2
    assert "a path without a name; for the current directory write ." in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_definition_that_moves_elsewhere(gpuboards: Run, boards: Boards, tmp_path: Path) -> None:
    boards(mine=f"import os\nos.chdir('/')\n{GOOD}")
    assert gpuboards("build", "--dashboards", "boards").returncode == 0
    assert (tmp_path / "provisioning").is_dir()


# a configuration that is none --------------------------------------------------------------------------


def test_a_configuration_that_leads_nowhere(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").symlink_to("nowhere.yaml")
    done = gpuboards("build")
    assert done.returncode == 2
    assert done.stderr.startswith("error: gpuboards.yaml: cannot be read: No such file or directory")
    assert not (tmp_path / "provisioning").exists()


def test_a_configuration_that_one_would_wait_at_for_ever(gpuboards: Run, boards: Boards, tmp_path: Path) -> None:
    boards(mine=GOOD)
    os.mkfifo(tmp_path / "gpuboards.yaml")
    done = gpuboards("build", timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("error: gpuboards.yaml: is not a plain file")
    done = gpuboards("build", "--config", "/dev/zero", timeout=60)
    assert (done.returncode, "/dev/zero: is not a plain file" in done.stderr) == (2, True)
    done = shell("$gpuboards build --dashboards boards --config <(echo 'profile: nvidia-smi')", tmp_path)
    assert "for nvidia-smi" in done.stdout, done.stderr


def test_whatever_a_question_raises(gpuboards: Run, boards: Boards) -> None:
    asked = "from builder.queries.question import question\n\n@question\ndef mine(source):\n    raise GeneratorExit\n\n"
    boards(mine=asked + GOOD.replace("utilisation.fleet_utilisation", "mine"))
    done = gpuboards("build", "--dashboards", "boards")
    assert done.returncode == 2
    assert done.stderr.startswith("error: boards/mine.py:5: raised GeneratorExit")

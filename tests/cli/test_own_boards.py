"""Boards of one's own: from a directory, from one file, beside the standard ones, in a repository of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD, refused, say

BOARDS = "provisioning/dashboards/gpuboards"


def test_the_standard_boards_by_name_from_anywhere(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD).rename(tmp_path / "dashboards")  # a directory called like the one that holds the standard boards
    done = gpuboards("build", "--dashboards", "standard", "--dashboards", "dashboards")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / BOARDS / "gpu-fleet.json").exists() and (tmp_path / BOARDS / "mine.json").exists()


def test_a_directory_called_standard(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "standard").mkdir()
    (tmp_path / "standard/mine.py").write_text(GOOD)
    done = gpuboards("build", "--dashboards", "./standard")
    assert done.stdout.startswith("1 board,"), done.stderr


def test_one_file(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    directory = boards(mine=say("Query(utilisation", "Query(shared.utilisation"), other="1 / 0\n", shared="")
    text = (directory / "mine.py").read_text()
    (directory / "mine.py").write_text(text.replace("from builder.queries import utilisation", "import shared"))
    (directory / "shared.py").write_text("from builder.queries import utilisation\n")
    done = gpuboards("build", "--dashboards", "boards/mine.py")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / BOARDS / "mine.json").exists()
    (directory / "mine.py").write_text("x = 1\n")
    done = gpuboards("build", "--dashboards", "boards/mine.py", "--out", "none")
    assert done.stderr.startswith("error: boards/mine.py: no board found (read mine.py)")


def test_a_file_that_is_no_definition(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "boards.yaml").write_text("")
    refused(gpuboards("build", "--dashboards", "boards.yaml"), tmp_path, "boards.yaml", "directory", "*.py file")


def test_sub_directories_are_not_looked_into_and_that_is_said(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path
) -> None:
    directory = boards()
    (directory / "team").mkdir()
    (directory / "team/mine.py").write_text(GOOD)
    done = gpuboards("build", "--dashboards", "boards")
    refused(done, tmp_path, "boards: no board found", "sub-directories are not looked into", "fix: name boards/team")


@pytest.mark.parametrize("command", ["build", "list"])
def test_a_board_that_only_some_exporters_can_fill_is_listed(
    gpuboards: Run, boards: Callable[..., Path], command: str
) -> None:
    boards(mine=GOOD.replace("utilisation", "power"))
    done = gpuboards(command, "--dashboards", "boards")
    assert done.returncode == 0, done.stderr
    if command == "list":
        assert done.stdout.splitlines()[1] == "  1 of 1 panel drops out for nv-gpu"


def test_a_board_that_an_exporter_cannot_fill_says_what_it_lacks(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path
) -> None:
    boards(mine=GOOD.replace("utilisation", "power"))
    done = gpuboards("build", "--dashboards", "boards", "--profile", "nv-gpu")
    refused(done, tmp_path, "boards/mine.py:4", "no panel is left: nothing exports power", "another profile")


# the uid of a standard board -----------------------------------------------------------------


def test_the_uid_of_a_standard_board_is_warned_of(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=say('"mine"', '"gpu-fleet"'))
    done = gpuboards("build", "--dashboards", "boards")
    assert done.returncode == 0
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("warning: boards/mine.py:4: 'gpu-fleet' is the uid of a standard board")


def test_the_standard_boards_themselves_are_not(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD)
    for flags in ((), ("--dashboards", "boards"), ("--dashboards", str(ROOT / "dashboards"), "--dashboards", "boards")):
        assert gpuboards("build", *flags).stderr == ""


def test_beside_the_standard_boards_it_is_an_error(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=say('"mine"', '"gpu-fleet"'))
    done = gpuboards("build", "--dashboards", "standard", "--dashboards", "boards")
    refused(done, tmp_path, "two boards have the uid 'gpu-fleet'", "boards/mine.py:4")

"""Everything a user can get wrong: exit code 2, what and where and how to mend it, and nothing written."""

from __future__ import annotations

import ctypes
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = """\
from builder import Board, Query, Stat
from builder.queries import utilisation

board = Board(
    uid="mine",
    title="My board",
    panels=[Stat("Utilisation", [Query(utilisation.fleet_utilisation)], unit="percentunit")],
)
"""


def say(what: str, instead: str) -> str:
    """The good board with one thing said wrongly."""
    assert what in GOOD
    return GOOD.replace(what, instead)


DEFINITIONS = {
    "unknown signal": (
        say("utilisation.fleet_utilisation", "my_question").replace(
            "board =",
            "from builder.queries.question import question\n\n"
            "@question\ndef my_question(source):\n    return source.level('utilization')\n\nboard =",
        ),
        ["boards/mine.py:8", "unknown signal 'utilization'", "did you mean utilisation"],
    ),
    "unknown question": (
        say("fleet_utilisation", "fleet_utilization"),
        ["boards/mine.py:7", "fleet_utilization", "did you mean fleet_utilisation"],
    ),
    "unknown unit": (
        say('"percentunit"', '"percentunits"'),
        ["boards/mine.py:7", "unknown unit 'percentunits'", "percentunit"],
    ),
    "unknown colour": (
        say('unit="percentunit"', 'color="grene"'),
        ["boards/mine.py:7", "unknown colour", "green"],
    ),
    "unknown variable": (
        say('"Utilisation"', '"Utilisation of $nod"').replace("panels=", "variables=[], panels="),
        ["boards/mine.py:7", "nod"],
    ),
    "unknown parameter": (
        say("unit=", "units="),
        ["boards/mine.py:7", "units", "did you mean unit"],
    ),
    "uid too long": (say('"mine"', f'"{"x" * 41}"'), ["boards/mine.py:4", "41 characters", "shorten"]),
    "panel too wide": (
        say('unit="percentunit"', "width=25"),
        ["boards/mine.py:7", 'Stat "Utilisation"', "25", "24"],
    ),
    "raises": (GOOD + "\n1 / 0\n", ["boards/mine.py:10", "ZeroDivisionError: division by zero"]),
    "import error": (
        say("from builder import Board,", "from builder import Bord,"),
        ["boards/mine.py:1", "builder has no 'Bord' to import", "did you mean Board"],
    ),
    "missing module": ("import numpyy_\n" + GOOD, ["boards/mine.py:1", "there is no module 'numpyy_'"]),
    "not imported": (
        say("from builder import Board, Query, Stat", "from builder import Board, Query"),
        ["boards/mine.py:7", "'Stat' is not defined", "from builder import Stat"],
    ),
    "not Python": (say("uid=", "uid"), ["boards/mine.py:5", "not Python"]),
    "bad PromQL": (
        say("utilisation.fleet_utilisation", '"sum(rate(x[5m])"'),
        ["boards/mine.py:7", "Utilisation", "unclosed left parenthesis", "fix: close what is open"],
    ),
    "unknown threshold": (
        say("from builder import", "from builder import thresholds as t,").replace(
            'unit="percentunit"', 'thresholds=t("green", ("memory_warnin", "red"))'
        ),
        ["boards/mine.py:7", "panel 'Utilisation'", "unknown threshold", "memory_warning"],
    ),
    "one panel over another": (
        say("],\n)", ',\n        Stat("Other", [Query("up")], x=0, y=0)],\n)'),
        ["boards/mine.py:8", 'Stat "Other"', "covers 'Stat \"Utilisation\"'", "leave x and y out"],
    ),
    "the command's name for the package": (
        say("from builder import", "from gpuboards import"),
        ["boards/mine.py:1", "there is no module 'gpuboards'", "imported as builder: from builder import"],
    ),
    "a question called": (
        say("fleet_utilisation)", "fleet_utilisation())"),
        ["boards/mine.py:7", "a question is not called", "leave out the parentheses"],
    ),
    "a query without brackets": (
        say("[Query(utilisation.fleet_utilisation)]", "Query(utilisation.fleet_utilisation)"),
        ["boards/mine.py:7", "Query(<question fleet_utilisation>) is not a list", "write [ ] around it"],
    ),
    "a question without a query": (
        say("[Query(utilisation.fleet_utilisation)]", "[utilisation.fleet_utilisation]"),
        ["boards/mine.py:7", "<question fleet_utilisation> is not a query", "write Query(...) around it"],
    ),
    "a ratio in percent": (
        say('"percentunit"', '"percent"'),
        ["boards/mine.py:7", "questions answer ratios from 0 to 1", 'fix: unit="percentunit"'],
    ),
    "a column in percent": (
        say("from builder import", "from builder import Column, table,").replace(
            "Stat(", 'table("T", [Column("C", utilisation.busy_share, {"unit": "percent"})], labels={}), Stat('
        ),
        ["boards/mine.py:7", 'Column "C"', "questions answer ratios from 0 to 1", 'fix: unit="percentunit"'],
    ),
    "no board": ("x = 1\n", ["boards: no board found (read mine.py)", "assign a Board"]),
}


def refused(done: object, tmp_path: Path, *expected: str) -> None:
    stderr: str = done.stderr  # type: ignore[attr-defined]
    assert done.returncode == 2, stderr  # type: ignore[attr-defined]
    assert stderr.startswith("error: ")
    assert "Traceback" not in stderr
    for text in expected:
        assert text in stderr
    assert done.stdout == ""  # type: ignore[attr-defined]
    assert not (tmp_path / "provisioning").exists()


def test_the_good_board_is_good(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD)
    done = gpuboards("build", "--dashboards", "boards")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "provisioning/dashboards/gpuboards/mine.json").exists()


@pytest.mark.parametrize("mistake", DEFINITIONS)
def test_definitions(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path, mistake: str) -> None:
    text, expected = DEFINITIONS[mistake]
    boards(mine=text)
    refused(gpuboards("build", "--dashboards", "boards"), tmp_path, *expected)


def test_two_boards_with_one_uid(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(a=GOOD, b=say('"My board"', '"Another"'))
    done = gpuboards("build", "--dashboards", "boards")
    refused(done, tmp_path, "boards/a.py:4", "boards/b.py:4", "two boards have the uid 'mine'")


def test_no_such_directory(gpuboards: Run, tmp_path: Path) -> None:
    refused(gpuboards("build", "--dashboards", "nowhere"), tmp_path, "nowhere: cannot read the board directory")


def test_an_empty_directory(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards()
    refused(gpuboards("build", "--dashboards", "boards"), tmp_path, "there is no *.py file in it")


# configuration and flags ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"profil: dcgm\n", ["gpuboards.yaml:1: unknown key 'profil'", "did you mean profile"]),
        (b"profile: dcgn\n", ["gpuboards.yaml:1", "unknown profile 'dcgn'", "dcgm"]),
        (b"profiles: {dcgm: {signals: {utilization: x}}}\n", ["unknown key 'utilization'", "utilisation"]),
        (b"folder: {title: GPU,\n", ["gpuboards.yaml:2", "ends in the middle", "half-written"]),
        (b"profile: dcgm\nfolder: {title: \xff}\n", ["gpuboards.yaml:2: not UTF-8 text"]),
        (b"", ["gpuboards.yaml: the configuration is empty"]),
        (b"logs: bare-metal\n", ["gpuboards.yaml:1", "fix: write `logs: {preset: bare-metal}`"]),
        (b"thresholds: {temperature_warning: 75C}\n", ["gpuboards.yaml:1", "fix: write 75, without the unit"]),
    ],
)
def test_configuration(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path, content: bytes, expected: list[str]
) -> None:
    boards(mine=GOOD)
    (tmp_path / "gpuboards.yaml").write_bytes(content)
    refused(gpuboards("build", "--dashboards", "boards"), tmp_path, *expected)


def test_a_configuration_that_is_not_there_or_no_file(gpuboards: Run, tmp_path: Path) -> None:
    refused(gpuboards("build", "--config", "other.yaml"), tmp_path, "other.yaml: cannot be read: No such file")
    (tmp_path / "gpuboards.yaml").mkdir()
    refused(gpuboards("build"), tmp_path, "gpuboards.yaml: cannot be read: Is a directory")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--profile", "dcgn"], ["--profile: unknown profile 'dcgn'", "did you mean dcgm"]),
        (["--source", "row"], ["--source: 'row' is none of raw, recorded"]),
    ],
)
def test_flags(gpuboards: Run, tmp_path: Path, flags: list[str], expected: list[str]) -> None:
    refused(gpuboards("build", *flags), tmp_path, *expected)


@pytest.mark.parametrize("arguments", [["bild"], ["build", "--profle", "x"], ["build", "extra"], ["explain"]])
def test_usage(gpuboards: Run, tmp_path: Path, arguments: list[str]) -> None:
    done = gpuboards(*arguments)
    assert done.returncode == 2
    assert "Usage: gpuboards" in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


# where it cannot be written ------------------------------------------------------------------


def obey_permissions() -> None:
    """Take from root, in the child process, the right to write where the mode says no (CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


def test_a_read_only_directory(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD)
    (tmp_path / "out").mkdir(mode=0o555)
    command = ("build", "--dashboards", "boards", "--out")
    for out in ("out", "out/new"):
        done = gpuboards(*command, out, preexec_fn=obey_permissions)
        refused(done, tmp_path, "out", "cannot be written: Permission denied", "--out")
    assert not list((tmp_path / "out").iterdir())


def test_a_full_directory(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    """A limit on file size fails a write half-way, as a full disk does."""
    boards(mine=GOOD)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = gpuboards("build", "--dashboards", "boards", preexec_fn=limited)
    refused(done, tmp_path, "cannot be written: File too large", "free some space")


def test_somebody_elses_file(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "compose.yaml").write_text("mine")
    done = gpuboards("build", "--dashboards", "boards", "--out", "out")
    refused(done, tmp_path, "out/compose.yaml: exists, differs, and no earlier build wrote it", "--force")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["compose.yaml"]

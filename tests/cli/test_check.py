"""``gpuboards check`` as a person or a pipeline runs it."""

from __future__ import annotations

import json
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

GRAPH = {"id": 1, "title": "Load", "type": "graph", "targets": [{"refId": "A", "expr": "up"}]}


def _board(*panels: dict[str, Any], **more: Any) -> str:
    return json.dumps({"uid": "hall", "title": "Hall", "schemaVersion": 39, "panels": list(panels), **more}, indent=2)


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A dashboard with a warning (removed-panel-type) and a hint (missing-description)."""
    file = tmp_path / "hall.json"
    file.write_text(_board(GRAPH))
    return file


# what it says and how it exits ---------------------------------------------------------------


def test_our_boards_have_nothing_to_say(gpuboards: Run) -> None:
    run = gpuboards("check")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("nothing found in ")


def test_findings_exit_with_one(gpuboards: Run, hall: Path) -> None:
    run = gpuboards("check", "hall.json")
    assert run.returncode == 1
    assert run.stderr == ""
    assert "hall.json:6:" in run.stdout
    assert "warning: the panel type graph is gone since Grafana 12 [removed-panel-type]" in run.stdout
    assert run.stdout.endswith("1 warning, 1 hint in 1 dashboard\n")


def test_what_is_shown_and_what_fails_are_two_things(gpuboards: Run, hall: Path) -> None:
    assert gpuboards("check", "hall.json", "--fail-on", "bug").returncode == 0
    assert gpuboards("check", "hall.json", "--fail-on", "info").returncode == 1
    run = gpuboards("check", "hall.json", "--min-severity", "bug")
    assert run.returncode == 1
    assert run.stdout == "nothing found in 1 dashboard\n"
    assert "--fail-on warning may fail for what --min-severity bug hides" in run.stderr


def test_machines_get_json_on_stdout_alone(gpuboards: Run, hall: Path) -> None:
    (hall.parent / "broken.json").write_text("{")
    run = gpuboards("check", ".", "--format", "json")
    content = json.loads(run.stdout)
    assert run.returncode == 2
    assert content["counts"] == {"bug": 0, "warning": 1, "info": 1}
    assert [finding["file"] for finding in content["findings"]] == ["hall.json", "hall.json"]
    assert len(content["unread"]) == 1
    assert "broken.json:1:2: not JSON" in run.stderr


def test_annotations_and_sarif(gpuboards: Run, hall: Path) -> None:
    lines = gpuboards("check", "hall.json", "--format", "github").stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::warning"]
    log = json.loads(gpuboards("check", "hall.json", "--format", "sarif").stdout)
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["missing-description", "removed-panel-type"]


def test_the_rules_are_listed(gpuboards: Run) -> None:
    run = gpuboards("check", "--list-rules")
    assert run.returncode == 0
    assert len(run.stdout.splitlines()) >= 36
    assert "rate-on-gauge" in run.stdout


def test_a_profile_narrows_what_is_known(gpuboards: Run, tmp_path: Path) -> None:
    query = {"refId": "A", "expr": "avg(DCGM_FI_DEV_GPU_TEMP)"}
    (tmp_path / "x.json").write_text(_board({**GRAPH, "type": "timeseries", "targets": [query]}))
    assert "unknown-metric" not in gpuboards("check", "x.json").stdout
    run = gpuboards("check", "x.json", "--profile", "nvidia-smi")
    assert "is exported by dcgm and dcgm-4.9, not by nvidia-smi" in run.stdout


def test_own_definitions_are_pointed_at(gpuboards: Run, boards: Any) -> None:
    boards(hall='from builder import Board, Query, Stat\n\nboard = Board(uid="hall", title="Hall", question="?", '
                'panels=[Stat("Hot", [Query("max(DCGM_FI_DEV_GPU_TEMP)")], unit="watt")])\n')  # fmt: skip
    run = gpuboards("check", "--dashboards", "boards")
    assert run.returncode == 1
    assert "boards/hall.py:3: bug: the value is in celsius, shown as watt [unit-mismatch]" in run.stdout


# files ---------------------------------------------------------------------------------------


def test_directories_are_searched_and_other_json_is_passed_over_and_said(gpuboards: Run, hall: Path) -> None:
    (hall.parent / ".hidden").mkdir()
    (hall.parent / ".hidden" / "x.json").write_text("{")
    (hall.parent / "package.json").write_text('{"name": "x"}')
    run = gpuboards("check", ".")
    assert run.returncode == 1
    assert "passed over: 1 JSON files that are no classic dashboards" in run.stderr


@pytest.mark.parametrize("beside", [(), ("hall.json",)])
def test_a_directory_without_a_dashboard_is_an_error(
    gpuboards: Run, hall: Path, tmp_path: Path, beside: tuple[str, ...]
) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "package.json").write_text('{"name": "x"}')
    run = gpuboards("check", "none", *beside)
    assert run.returncode == 2
    assert "error: none: there is no dashboard\n  fix: name dashboard files, or directories" in run.stderr


@pytest.mark.parametrize("path", ["boards", "boards/mine.py"])
def test_definitions_are_told_from_dashboards(gpuboards: Run, tmp_path: Path, path: str) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "mine.py").write_text("x = 1\n")
    run = gpuboards("check", path)
    assert run.returncode == 2
    assert (
        f"error: {path}: Python, not the JSON of a dashboard\n  fix: name definitions with --dashboards {path}\n"
        in (run.stderr)
    )


def test_a_directory_of_which_no_dashboard_can_be_read_has_one(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.json").write_text("{")
    run = gpuboards("check", "mine")
    assert run.returncode == 2
    assert "mine/a.json:1:2: not JSON" in run.stderr and "there is no dashboard" not in run.stderr


def test_wrapped_dashboards_are_read(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"dashboard": json.loads(_board(GRAPH)), "meta": {}}))
    run = gpuboards("check", "x.json")
    assert "dashboard.panels[0].type" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.json"], "there is no nowhere.json"),
        (["package.json"], "not a classic dashboard"),
        (["hall.json", "--profile", "dgcm"], "did you mean dcgm"),
        (["hall.json", "--only-changed", "main"], "is not in a Git repository"),
        (["--fix"], "--fix needs files"),
        (["--only-changed", "main"], "--only-changed needs files"),
        (["hall.json", "--exemptions", "nowhere.yaml"], "cannot be read"),
        (["hall.json", "--format", "xml"], "Invalid value for '--format'"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments: list[str], message: str, gpuboards: Run, hall: Path) -> None:
    (hall.parent / "package.json").write_text('{"name": "x"}')
    run = gpuboards("check", *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr


def test_a_file_that_cannot_be_read(gpuboards: Run) -> None:
    run = gpuboards("check", "/proc/self/mem")
    assert run.returncode == 2
    assert "/proc/self/mem: cannot be read: Input/output error" in run.stderr


def test_fifty_megabytes_are_refused_at_once(gpuboards: Run, tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("w") as file:
        file.write('{"panels": [')
        for _ in range(500):
            file.write(json.dumps({"title": "x" * 100_000}) + ",")
        file.write("{}]}")
    start = time.monotonic()
    run = gpuboards("check", "huge.json")
    assert run.returncode == 2
    assert "50 MB are more than a dashboard has" in run.stderr
    assert time.monotonic() - start < 5


# exemptions ----------------------------------------------------------------------------------


def test_our_exemptions_are_taken_from_here(gpuboards: Run, hall: Path) -> None:
    (hall.parent / ".gpuboards-lint.yaml").write_text(
        "exemptions:\n"
        "  - {rule: removed-panel-type, board: hall, reason: converted with the next Grafana}\n"
        "  - {rule: missing-unit, board: hall, reason: once it had none}\n"
        "  - {rule: missing-description, board: hall, reason: a draft, until: 2020-01-01}\n"
    )
    run = gpuboards("check", "hall.json")
    assert run.returncode == 1
    assert "[removed-panel-type]" not in run.stdout
    assert ".gpuboards-lint.yaml:3: warning: the exemption of missing-unit, board hall covers nothing" in run.stdout
    assert ".gpuboards-lint.yaml:4: warning: the exemption of missing-description, board hall expired" in run.stdout


def test_the_other_linters_file_beside_the_dashboard_counts(gpuboards: Run, hall: Path) -> None:
    (hall.parent / ".lint").write_text(
        "exclusions:\n  panel-title-description-rule:\n    entries:\n      - {panel: Load}\n"
    )
    run = gpuboards("check", "hall.json")
    assert "missing-description" not in run.stdout


# only what changed, and mending --------------------------------------------------------------


def _git(directory: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(hall: Path) -> Path:
    """A repository whose only commit has the dashboard."""
    _git(hall.parent, "init", "-q", "-b", "main")
    _git(hall.parent, "add", "hall.json")
    _git(hall.parent, "commit", "-q", "-m", "x")
    return hall.parent


def test_only_panels_that_differ_from_a_revision(gpuboards: Run, repository: Path) -> None:
    assert gpuboards("check", "hall.json", "--only-changed", "main").stdout == "nothing found in 1 dashboard\n"
    (repository / "hall.json").write_text(_board(GRAPH, {**GRAPH, "id": 2, "title": "New"}))
    run = gpuboards("check", "hall.json", "--only-changed", "main")
    assert run.returncode == 1
    assert '"New"' in run.stdout
    assert '"Load"' not in run.stdout


def test_a_file_that_is_new_is_looked_at_whole(gpuboards: Run, repository: Path) -> None:
    (repository / "new.json").write_text(_board(GRAPH, uid="new", title="New"))
    run = gpuboards("check", ".", "--only-changed", "HEAD")
    assert "new.json" in run.stdout
    assert "hall.json" not in run.stdout


@pytest.mark.parametrize("revision", ["nowhere", "--help", ""])
def test_a_revision_that_is_not_there(revision: str, gpuboards: Run, repository: Path) -> None:
    (repository / "hall.json").write_text(_board())
    run = gpuboards("check", "hall.json", f"--only-changed={revision}")
    assert run.returncode == 2
    assert f"there is no revision {revision!r}" in run.stderr


def test_mending_changes_what_it_must_and_nothing_else(gpuboards: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    before = "\ufeff" + _board({**GRAPH, "type": "stat"}, {**GRAPH, "type": "stat", "title": "Other"})
    file.write_text(before, encoding="utf-8")
    file.chmod(0o640)
    run = gpuboards("check", "x.json", "--fix")
    assert run.returncode == 0
    assert "mended 1 findings in 1 files" in run.stderr
    first, _, second = before.rpartition('"id": 1')
    assert file.read_text(encoding="utf-8") == f'{first}"id": 2{second}'
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert gpuboards("check", "x.json", "--fix").stderr == "mended 0 findings in 0 files\n"


def test_what_cannot_be_written_is_said_and_left(gpuboards: Run, tmp_path: Path) -> None:
    file = tmp_path / f"{'x' * 240}.json"  # beside it there is no room for a longer name
    file.write_text(_board(GRAPH, GRAPH))
    run = gpuboards("check", file.name, "--fix")
    assert run.returncode == 2
    assert "cannot be written: File name too long" in run.stderr
    assert json.loads(file.read_text())["panels"] == [GRAPH, GRAPH]
    assert [path.name for path in tmp_path.iterdir()] == [file.name]

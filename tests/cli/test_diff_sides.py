"""``gpuboards diff A B`` and ``review``: files, directories, revisions, and everything that can be wrong with them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from builder.testing import FakeGrafana
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

MINE = ("--dashboards", "boards")
BOARD = {"uid": "mine", "title": "Mine", "schemaVersion": 39, "panels": [{"id": 1, "type": "stat", "title": "Load"}]}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., CompletedProcess[str]]:
    def git(*arguments: str) -> CompletedProcess[str]:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        )

    return git


@pytest.fixture
def project(git: Callable[..., Any], boards: Callable[..., Path]) -> Path:
    """A project of two boards, committed."""
    directory = boards(mine=GOOD, other=GOOD.replace('"mine"', '"other"').replace("My board", "Other board"))
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "--message=boards")
    return directory


def renamed(directory: Path) -> None:
    file = directory / "mine.py"
    file.write_text(file.read_text(encoding="utf-8").replace('"Utilisation"', '"Busy"'), encoding="utf-8")


# files and directories ---------------------------------------------------------------------------


def test_two_files(gpuboards: Run, write: Callable[..., Path]) -> None:
    write("a.json", BOARD)
    write("b.json", {"dashboard": {**BOARD, "refresh": "5m", "version": 9}, "meta": {"folderTitle": "GPU"}})
    differ = gpuboards("diff", "a.json", "b.json")
    assert (differ.returncode, differ.stderr) == (1, "")
    assert differ.stdout.splitlines() == ["~ Mine (mine): settings", "  ~ settings", "      refresh: empty → 5m"]
    equal = gpuboards("diff", "a.json", "a.json", "--format", "json")
    assert equal.returncode == 0 and json.loads(equal.stdout)["equal"] is True
    painted = gpuboards("diff", "a.json", "b.json", "--color", "always").stdout
    assert "\x1b[1;33m" in painted


def test_two_directories(gpuboards: Run, write: Callable[..., Path]) -> None:
    write("old/one.json", BOARD)
    write("old/gone.json", {**BOARD, "uid": "gone", "title": "Gone"})
    write("new/sub/renamed-file.json", {**BOARD, "title": "<b>New</b>"})
    write("new/added.json", {**BOARD, "uid": "added", "title": "Added"})
    differ = gpuboards("diff", "old", "new", "--format", "markdown")
    assert differ.returncode == 1
    assert [line.split("<b>")[0] for line in differ.stdout.splitlines() if line.startswith("<details>")] == [
        "<details><summary>➕ ",
        "<details><summary>✏️ ",
        "<details><summary>➖ ",
    ]
    assert "&lt;b&gt;New&lt;/b&gt;" in differ.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "b.json:1: not UTF-8 text"),
        ('{"panels": [', "b.json:1:13: not JSON"),
        ("[]", "JSON, but not a classic dashboard"),
        ("", "not JSON"),
        ('{"panels": [NaN]}', "NaN is not a JSON number"),
    ],
)
def test_what_is_no_dashboard(gpuboards: Run, write: Callable[..., Path], content: Any, said: str) -> None:
    write("a.json", BOARD)
    write("b.json", content)
    done = gpuboards("diff", "a.json", "b.json")
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr


V2 = {"apiVersion": "dashboard.grafana.app/v2beta1", "kind": "Dashboard", "spec": {"title": "Mine", "elements": {}}}


@pytest.mark.parametrize(("name", "now"), [("mine.json", V2), ("mine.json", "{"), ("", V2), ("", "{")])
def test_a_board_that_can_no_longer_be_read_is_not_gone(
    gpuboards: Run, write: Callable[..., Path], name: str, now: Any
) -> None:
    write("old/mine.json", BOARD)
    write("new/mine.json", now)
    write("new/package.json", {"name": "no dashboard, and never was"})
    done = gpuboards("diff", f"old/{name}", f"new/{name}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("error: new/mine.json") == 1 and "package" not in done.stderr
    back = gpuboards("diff", f"new/{name}", f"old/{name}")
    assert back.returncode == 2 and back.stdout.startswith("+ Mine") and back.stderr.count("error:") == 1


def test_what_is_nothing_at_all(gpuboards: Run, write: Callable[..., Path]) -> None:
    write("a.json", BOARD)
    done = gpuboards("diff", "a.json", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'nowhere' is neither a file or directory nor a revision" in done.stderr
    assert gpuboards("diff", "a.json", "a.json", "a.json").returncode == 2


# revisions ---------------------------------------------------------------------------------------


def test_the_definitions_against_a_revision(
    gpuboards: Run, project: Path, git: Callable[..., Any], tmp_path: Path
) -> None:
    equal = gpuboards("diff", "main", *MINE)
    assert (equal.returncode, equal.stdout, equal.stderr) == (0, "", "")
    renamed(project)
    differ = gpuboards("diff", "main", *MINE)
    assert differ.returncode == 1
    assert "renamed: Utilisation → Busy" in differ.stdout
    git("commit", "--all", "--quiet", "--message=renamed")
    assert gpuboards("diff", "HEAD~1", "HEAD", *MINE).stdout == differ.stdout
    assert gpuboards("build", "--out", "out", *MINE).returncode == 0
    one = gpuboards("diff", "out/dashboards/gpuboards/mine.json", *MINE)
    assert (one.returncode, one.stdout) == (0, ""), "the other board is not asked about"
    shutil.rmtree(tmp_path / "out")
    assert gpuboards("diff", "HEAD", *MINE).returncode == 0
    assert git("worktree", "list").stdout.count("\n") == 1
    assert git("status", "--porcelain").stdout == ""


def test_what_was_committed_against_what_is_there(
    gpuboards: Run, project: Path, git: Callable[..., Any], write: Callable[..., Path]
) -> None:
    write("json/mine.json", BOARD)
    write("json/broken.json", "{")
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    write("json/broken.json", {**BOARD, "uid": "mended"})
    write("json/mine.json", {**BOARD, "title": "Ours"})
    differ = gpuboards("diff", "HEAD", "json")
    assert differ.returncode == 2, "one side could not be read as a whole"
    assert "HEAD:broken.json:1:2: not JSON" in differ.stderr and "renamed: Mine → Ours" in differ.stdout
    assert gpuboards("diff", "HEAD:json/mine.json", "json/mine.json").returncode == 1
    absent = gpuboards("diff", "HEAD", "boards/mine.py")
    assert absent.returncode == 2 and "not JSON" in absent.stderr


def test_a_revision_whose_definitions_do_not_build(gpuboards: Run, project: Path, git: Callable[..., Any]) -> None:
    good = (project / "mine.py").read_text(encoding="utf-8")
    (project / "mine.py").write_text(good.replace("Stat(", "Stats("), encoding="utf-8")
    git("commit", "--all", "--quiet", "--message=broken")
    (project / "mine.py").write_text(good, encoding="utf-8")
    done = gpuboards("diff", "HEAD", *MINE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: HEAD: the definitions do not build: boards/mine.py:")
    assert "gpuboards diff HEAD provisioning" in done.stderr

    review = gpuboards("review", "--base", "HEAD", *MINE)
    assert review.returncode == 0, review.stderr
    assert "note: HEAD: the definitions do not build" in review.stdout
    assert "there is nothing to compare with: every board counts as new" in review.stdout


def test_outside_of_a_repository(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> None:
    boards(mine=GOOD)
    outside = {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    done = gpuboards("review", "--base", "main", *MINE, environment=outside)
    assert done.returncode == 2 and "not in a Git repository" in done.stderr
    assert gpuboards("diff", "main", *MINE, environment=outside).returncode == 2


# a Grafana ---------------------------------------------------------------------------------------


def test_a_grafana_against_files_and_against_the_definitions(
    gpuboards: Run, boards: Callable[..., Path], write: Callable[..., Path]
) -> None:
    boards(mine=GOOD)
    with FakeGrafana(version="12.2.0", search_lag=0) as grafana:
        write("gpuboards.yaml", f"contexts:\n  it:\n    url: {grafana.url}\n    auth: {{token_env: IT}}\n")
        environment = {"IT": grafana.token}
        assert gpuboards("push", "--context", "it", *MINE, environment=environment).returncode == 0
        assert gpuboards("build", "--out", "out", *MINE).returncode == 0
        same = gpuboards("diff", "context:it", "out", environment=environment)
        assert (same.returncode, same.stdout, same.stderr) == (0, "", "")
        assert gpuboards("diff", "context:it", *MINE, environment=environment).stdout.endswith("1 equal\n")
        grafana.edit_in_ui("mine", lambda board: {**board, "refresh": "17s"}, user="alice")
        differ = gpuboards("diff", "out", "context:it", environment=environment)
        assert differ.returncode == 1 and "→ 17s" in differ.stdout
    gone = gpuboards("diff", "out", "context:it", environment=environment)
    assert (gone.returncode, gone.stdout) == (3, "")

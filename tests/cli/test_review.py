"""``gpuboards review`` as a pull request's job runs it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD
from tests.cli.test_diff_sides import BOARD, MINE, git, project, renamed, write
from tests.targets.forge.fake import TOKEN, FakeForge, forge

__all__ = ["git", "project", "write"]
"""Fixtures."""


@pytest.fixture
def hub() -> Iterator[FakeForge]:
    with forge() as running:
        yield running


def github(hub: FakeForge, **more: str) -> dict[str, str]:
    return {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": hub.url, "GITHUB_RUN_ID": "", **more}


def test_only_what_the_change_touches_is_built(gpuboards: Run, project: Path, tmp_path: Path) -> None:
    (project / "other.py").write_text(GOOD.replace("mine", "other").replace("My", "Other") + "\nprint('built')\n")
    renamed(project)
    both = gpuboards("review", "--base", "main", *MINE)
    assert "built" in both.stderr and both.stdout.splitlines()[-1].startswith("1 board differs of 2")
    (project / "other.py").write_text(GOOD.replace("mine", "other").replace("My", "Other"))
    one = gpuboards("review", "--base", "main", *MINE)
    assert one.returncode == 0, one.stderr
    assert one.stdout.splitlines()[-1] == "1 board differs of 1, no new findings"
    assert "renamed: Utilisation → Busy" in one.stdout


def test_a_module_beside_the_boards_passes_a_change_on(gpuboards: Run, project: Path, tmp_path: Path, git: Any) -> None:
    (tmp_path / "wording.py").write_text("TITLE = 'Busy'\n", encoding="utf-8")
    (tmp_path / "library.py").write_text("from wording import TITLE\n", encoding="utf-8")
    board = (project / "mine.py").read_text(encoding="utf-8").replace('"Utilisation"', "TITLE")
    (project / "mine.py").write_text(f"from library import TITLE\n{board}", encoding="utf-8")
    git("add", ".")
    git("commit", "--quiet", "--message=library")
    (tmp_path / "wording.py").write_text("TITLE = 'Idle'\n", encoding="utf-8")
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    assert "renamed: Busy → Idle" in gpuboards("review", "--base", "HEAD", *MINE, environment=path).stdout


def test_a_board_that_is_gone_and_one_that_is_new(gpuboards: Run, project: Path) -> None:
    (project / "mine.py").unlink()
    (project / "third.py").write_text(GOOD.replace("mine", "third").replace("My", "Third"), encoding="utf-8")
    told = gpuboards("review", "--base", "main", *MINE, "--format", "json")
    assert told.returncode == 0, told.stderr
    boards = json.loads(told.stdout)["boards"]
    assert [(board["uid"], board["status"]) for board in boards] == [("third", "added"), ("mine", "removed")]


def test_a_configuration_touches_every_board(gpuboards: Run, project: Path, write: Callable[..., Path]) -> None:
    write("gpuboards.yaml", "refresh: 5m\n")
    told = gpuboards("review", "--base", "main", *MINE)
    assert told.stdout.splitlines()[-1].startswith("2 boards differ of 2")


def test_the_old_boards_are_checked_against_the_exporter_that_they_were_for(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any
) -> None:
    write("gpuboards.yaml", "profile: nvidia-smi\n")
    told = gpuboards("review", "--base", "main", *MINE)
    assert told.stdout.splitlines()[-1] == "2 boards differ of 2, no new findings"
    git("add", ".")
    git("commit", "--quiet", "--message=exporter")
    write("gpuboards.yaml", "profile: nv-gpu\n")
    told = gpuboards("review", "--base", "HEAD", *MINE)
    assert told.stdout.splitlines()[-1] == "2 boards differ of 2, no new findings"


def test_what_came_to_the_base_meanwhile_is_no_change_of_ours(
    gpuboards: Run, project: Path, git: Callable[..., Any]
) -> None:
    git("switch", "--quiet", "--create", "topic")
    git("switch", "--quiet", "main")
    renamed(project)
    git("commit", "--all", "--quiet", "--message=theirs")
    git("switch", "--quiet", "topic")
    assert gpuboards("review", "--base", "main", *MINE).stdout == "no board differs\n"


@pytest.mark.parametrize("path", ["boards", "boards/mine.py"])
def test_definitions_are_not_compared_as_json(gpuboards: Run, project: Path, path: str) -> None:
    told = gpuboards("review", "--base", "main", path)
    assert (told.returncode, told.stdout) == (2, "")
    assert (
        f"{path}: Python, not the JSON of a dashboard\n  fix: name definitions with --dashboards {path}\n"
        in told.stderr
    )


def test_a_directory_that_lost_its_dashboards_is_a_removal_and_one_that_had_none_an_error(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any
) -> None:
    file = write("json/mine.json", BOARD)
    write("json/notes.txt", "x")
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    file.unlink()
    gone = gpuboards("review", "--base", "HEAD", "json", "--format", "json")
    assert gone.returncode == 0
    assert [board["status"] for board in json.loads(gone.stdout)["boards"]] == ["removed"]
    assert gpuboards("diff", "HEAD", "json").returncode == 1
    git("commit", "--all", "--quiet", "--message=gone")
    for never in (gpuboards("review", "--base", "HEAD", "json"), gpuboards("diff", "HEAD", "json")):
        assert (never.returncode, never.stdout) == (2, "")
        assert "there is no dashboard" in never.stderr


def test_new_findings_decide_the_exit_status(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any
) -> None:
    target = {"refId": "A", "expr": "up", "datasource": {"type": "prometheus", "uid": "x"}}
    write("json/mine.json", BOARD)
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    write("json/mine.json", {**BOARD, "panels": [{**BOARD["panels"][0], "targets": [{**target, "expr": "sum("}]}]})
    bad = gpuboards("review", "--base", "HEAD", "json")
    assert bad.returncode == 1 and "! bug:" in bad.stdout
    assert "(promql-parses, json/mine.json:1:" in bad.stdout, "where in the file it is"
    write("more/mine.json", {**BOARD, "uid": "twin", "title": "Twin"})
    both = gpuboards("review", "--base", "HEAD", "json", "more")
    assert "all of it counts as new" in both.stdout and "2 boards differ of 2" in both.stdout
    assert gpuboards("review", "--base", "HEAD", "json", "--fail-on", "never").returncode == 0


def test_a_file_that_the_change_broke_is_a_finding(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any, tmp_path: Path
) -> None:
    for name in ("broken", "mine"):
        write(f"json/{name}.json", {**BOARD, "uid": name})
    (tmp_path / "json/old.json").write_text("[", encoding="utf-8")
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    assert gpuboards("review", "--base", "HEAD", "json").returncode == 0, "what was broken before is no one's now"
    (tmp_path / "json/broken.json").write_text('{"panels": [', encoding="utf-8")
    (tmp_path / "json/binary.json").write_bytes(b"\0\1\xff")
    done = gpuboards("review", "--base", "HEAD", "json", "--out", "report", "--no-pictures")
    assert done.returncode == 1, done.stderr
    assert "  ! bug: not JSON: Expecting value (unreadable, json/broken.json:1:13)\n      fix: " in done.stdout
    assert "not UTF-8 text (unreadable, json/binary.json:1)" in done.stdout
    assert "old.json" not in done.stdout.split("!", 1)[1]
    for form in ("md", "html", "json"):
        assert "json/broken.json:1:13" in (tmp_path / f"report/review.{form}").read_text(encoding="utf-8")


def test_files_that_are_gone_or_no_dashboards_any_more(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any, tmp_path: Path
) -> None:
    write("json/mine.json", BOARD)
    write("more/twin.json", {**BOARD, "uid": "twin", "title": "Twin"})
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    write("json/mine.json", {"kind": "Dashboard", "spec": {"elements": {}}})
    (tmp_path / "more/twin.json").unlink()
    (tmp_path / "more").rmdir()
    done = gpuboards("review", "--base", "HEAD", "json", "more")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 board differs of 0, 1 new finding")
    assert "- Twin (twin): removed" in done.stdout and "Mine" not in done.stdout
    assert "! bug: JSON, but not a classic dashboard (unreadable, json/mine.json)" in done.stdout
    nowhere = gpuboards("review", "--base", "HEAD", "nowhere")
    assert nowhere.returncode == 2 and "there is no nowhere" in nowhere.stderr


def test_the_files_of_a_report_are_all_there_or_none(gpuboards: Run, project: Path, tmp_path: Path) -> None:
    renamed(project)
    done = gpuboards(
        "review", "--base", "main", *MINE, "--out", "report", "--no-pictures", "--artifact-url", "https://ci.example/1"
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["review.html", "review.json", "review.md"]
    assert "(https://ci.example/1)" in (tmp_path / "report/review.md").read_text(encoding="utf-8")
    (project / "mine.py").write_text("board = ", encoding="utf-8")
    broken = gpuboards("review", "--base", "main", *MINE, "--out", "second")
    assert (broken.returncode, broken.stdout) == (2, "") and "boards/mine.py:1" in broken.stderr
    assert not (tmp_path / "second").exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    renamed(project)
    assert gpuboards("review", "--base", "HEAD", *MINE, "--out", "file", "--no-pictures").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing says what to compare with"),
        (("--base", "nowhere"), "there is no revision 'nowhere'"),
        (("--base", "--all"), "there is no revision '--all'"),
        (("--base", "main", "--artifact-url", "javascript:x"), "not a URL that can be linked to"),
        (("--from", "report"), "--from only posts"),
        (("--from", "report", "--post", "github"), "report/review.md: cannot be read"),
        (("--base", "main", "--post", "github"), "no token for GitHub"),
        (("--base", "main", "missing.json"), "there is no missing.json"),
    ],
)
def test_what_is_asked_wrongly(gpuboards: Run, project: Path, arguments: tuple[str, ...], said: str) -> None:
    done = gpuboards("review", *arguments, *MINE, environment={"GITHUB_TOKEN": "", "GITHUB_REPOSITORY": ""})
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr


def test_one_comment_that_is_renewed(gpuboards: Run, project: Path, hub: FakeForge, tmp_path: Path) -> None:
    renamed(project)
    run = ("review", "--base", "main", *MINE, "--post", "github", "--number", "3")
    first = gpuboards(*run, environment=github(hub))
    assert (first.returncode, first.stderr) == (0, "comment created: https://forge/1\n")
    assert "renamed: `Utilisation` → `Busy`" in hub.comments[0]["body"]
    (project / "mine.py").write_text(GOOD.replace('"Utilisation"', '"Busier"'), encoding="utf-8")
    assert gpuboards(*run, environment=github(hub)).stderr.startswith("comment updated")
    assert len(hub.comments) == 1 and "Busier" in hub.comments[0]["body"]

    assert gpuboards("review", "--base", "main", *MINE, "--out", "report", "--no-pictures").returncode == 0
    (project / "mine.py").unlink()
    later = gpuboards("review", "--from", "report", "--post", "github", "--number", "3", environment=github(hub))
    assert (later.returncode, len(hub.comments)) == (0, 1), later.stderr


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_forge_that_refuses(gpuboards: Run, project: Path, hub: FakeForge, tmp_path: Path, status: int) -> None:
    renamed(project)
    hub.refuse = {("POST", "/comments"): (status, {"message": "No"})}
    run = ("review", "--base", "main", *MINE, "--out", "report", "--no-pictures", "--post", "github", "--number", "3")
    done = gpuboards(*run, environment=github(hub))
    assert done.returncode == 3
    assert f"cannot post the comment: GitHub answers {status}: No" in done.stderr and "fix: " in done.stderr
    assert (tmp_path / "report" / "review.html").read_text(encoding="utf-8").rstrip().endswith("</html>")

"""``gpuboards review`` with pictures and with a running Prometheus."""

from __future__ import annotations

import base64
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.cli import review_pictures
from builder.cli.prometheus_options import NAMES
from builder.cli.review_pictures import MOST, Wanted, drawing
from builder.config import Config
from builder.diff import compare
from builder.errors import UsageError
from builder.review.model import BoardReview, Review
from builder.simulate import Fleet, history
from builder.testing import Prometheus
from tests.cli.conftest import Run
from tests.cli.test_diff_sides import BOARD, MINE, git, project, renamed, write

__all__ = ["git", "project", "write"]
"""Fixtures."""

HOSTILE = '<script>alert(1)</script>" onerror="x'
TARGET = {"refId": "A", "expr": "count(up)", "datasource": {"type": "prometheus", "uid": "x"}, "instant": True}
STAT = {"id": 1, "type": "stat", "title": "Hosts", "gridPos": {"x": 0, "y": 0, "w": 6, "h": 4}, "targets": [TARGET]}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    fleet = Fleet(nodes=1, cards=2, training="none", host=False)
    with Prometheus(history=history(fleet, begin=fleet.start, end=fleet.start + 600, interval=30)) as running:
        yield running.url


def pictures(page: str) -> list[tuple[str, str]]:
    """What is under each picture, and what it says for those who cannot see it."""
    found = re.findall(r'<figcaption>([^<]*)</figcaption><img src="([^"]*)" alt="([^"]*)"', page)
    assert all(base64.b64decode(source.split(",")[1]).startswith(b"\x89PNG") for _, source, _ in found)
    return [(side, words) for side, _, words in found]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("hot:node-9/gpu-0", "no such card: 'node-9/gpu-0'"),
        ("hott:node-1/gpu-0", "hott"),
        ("hot", "fix: "),
    ],
)
def test_a_fault_that_the_fleet_cannot_have_is_refused_before_anything_is_written(
    gpuboards: Run, project: Path, tmp_path: Path, fault: str, words: str
) -> None:
    renamed(project)
    done = gpuboards("review", "--base", "main", *MINE, "--fault", fault, "--out", "report")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert not (tmp_path / "report").exists()


@pytest.mark.live
def test_a_simulated_fleet_before_and_after(gpuboards: Run, project: Path, tmp_path: Path) -> None:
    renamed(project)
    done = gpuboards("review", "--base", "main", *MINE, "--out", "report")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report/review.html").read_text(encoding="utf-8")
    (before, was), (after, now) = pictures(page)
    assert (before, after) == ("before", "after")
    share = was.removeprefix("Utilisation: ")
    assert share.endswith("%") and now == f"Busy: {share}", "the same data for both"
    assert "a preview and not Grafana" in page and "a simulated fleet of 2 nodes" in page


@pytest.mark.live
def test_a_running_prometheus(
    gpuboards: Run, project: Path, write: Callable[..., Path], git: Any, server: str, tmp_path: Path
) -> None:
    empty = {**STAT, "id": 2, "title": "Gone", "targets": [{**TARGET, "expr": "nothing_has_this_name"}]}
    untouched = {**empty, "id": 4, "title": "Empty before, too"}
    write("json/mine.json", {**BOARD, "panels": [STAT, untouched]})
    git("add", ".")
    git("commit", "--quiet", "--message=json")
    moved = {**STAT, "description": "a word", "gridPos": {"x": 6, "y": 0, "w": 6, "h": 4}}
    new = {**STAT, "id": 3, "title": HOSTILE, "gridPos": {"x": 0, "y": 8, "w": 6, "h": 4}}
    odd = {**STAT, "id": 5, "title": "Odd", "gridPos": {"y": 12}, "targets": [{**TARGET, "interval": "soon"}]}
    write("json/mine.json", {**BOARD, "panels": [moved, new, {**empty, "gridPos": {"y": 9}}, odd, untouched]})
    at = ("--prometheus", server, "--at", "2026-01-01T00:10:00Z")
    done = gpuboards("review", "--base", "HEAD", "json", "--format", "json", "--out", "report", "--pictures", *at)
    assert done.returncode == 1, done.stderr
    gone, failing = json.loads(done.stdout)["live"]
    assert (gone["panel"], gone["severity"], gone["rule"]) == ("Gone", "warning", "live")
    assert "nothing_has_this_name" in gone["summary"]
    assert (failing["panel"], failing["severity"]) == ("Odd", "bug")
    page = (tmp_path / "report/review.html").read_text(encoding="utf-8")
    assert "<script" not in page and 'onerror="' not in page
    told = [words for side, words in pictures(page) if side == "before and after, looking the same"]
    assert told == ["Hosts: 1"], "a description is in no picture"
    after = [words for side, words in pictures(page) if side == "after"]
    assert len(after) == 3 and any(words.startswith("Odd: ") and "not a duration" in words for words in after)
    assert server in page


def test_what_is_in_the_way_of_pictures(gpuboards: Run, project: Path, tmp_path: Path) -> None:
    renamed(project)
    bare = {"PATH": str(Path(sys.executable).parent) + ":" + str(_without_prometheus(tmp_path))}
    note = gpuboards("review", "--base", "main", *MINE, "--out", "report", environment=bare)
    assert note.returncode == 0, note.stderr
    assert "no pictures: " in note.stderr and "apt-get install" in note.stderr
    page = (tmp_path / "report/review.html").read_text(encoding="utf-8")
    assert "no pictures: " in page and "<img" not in page
    demanded = gpuboards("review", "--base", "main", *MINE, "--out", "second", "--pictures", environment=bare)
    assert demanded.returncode == 3 and "apt-get install" in demanded.stderr
    assert not (tmp_path / "second").exists()


def _without_prometheus(tmp_path: Path) -> Path:
    """A directory with git alone."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to(shutil.which("git") or "")
    return folder


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--pictures",), 2, "--out review"),
        (("--fault", "hot:node-1/gpu-0"), 2, "--out review"),
        (("--timeout", "3"), 2, "add --prometheus URL"),
        (("--fault", "nonsense", "--out", "r", "--pictures"), 2, "nonsense"),
        (("--prometheus", "http://127.0.0.1:9", "--out", "r"), 3, "127.0.0.1:9"),
        (("--prometheus", "ftp://x", "--out", "r"), 2, "not the URL of a Prometheus"),
    ],
)
def test_what_is_asked_wrongly(
    gpuboards: Run, project: Path, tmp_path: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    renamed(project)
    done = gpuboards("review", "--base", "main", *MINE, *arguments)
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "r").exists()


def test_the_number_of_pictures_is_bounded() -> None:
    panels = [{**STAT, "id": n, "title": f"Panel {n}", "gridPos": {"x": 0, "y": 4 * n}} for n in range(1, MOST + 6)]
    diff = compare({**BOARD, "panels": []}, {**BOARD, "panels": panels})
    sides, left_out = review_pictures._sides(Review("main", "0" * 40, (BoardReview(diff),), 1))
    assert [len(side.panels) for side in sides] == [MOST] and left_out == 5


def test_a_prometheus_that_needs_a_token_gives_no_pictures() -> None:
    panel = {**STAT, "title": "New"}
    found = Review("main", "0" * 40, (BoardReview(compare({**BOARD, "panels": []}, {**BOARD, "panels": [panel]})),), 1)
    live = {"prometheus": "http://127.0.0.1:9", "token_env": "TOKEN", **dict.fromkeys(set(NAMES) - {"token_env"})}
    with drawing(found, Wanted(Config(), False, (), live)) as drawn:
        assert drawn.draw is None and "needs --token-env" in drawn.notes[0]
    with pytest.raises(UsageError, match="needs --token-env"), drawing(found, Wanted(Config(), True, (), live)):
        pass


def test_a_panel_of_a_repeated_row_is_repeated_itself() -> None:
    panel = {**STAT, "gridPos": {"x": 6, "y": 1, "w": 6, "h": 4}}
    row = {"type": "row", "id": 9, "title": "$node", "repeat": "node", "gridPos": {"x": 0, "y": 0, "w": 24, "h": 1}}
    alone = review_pictures._alone({"panels": [row, panel]}, 0, panel)
    assert (alone["repeat"], alone["repeatDirection"], alone["gridPos"]["w"]) == ("node", "v", 6)
    assert "repeat" not in review_pictures._alone({"panels": [panel]}, 0, panel)

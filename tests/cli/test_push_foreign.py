"""What other people's boards may hold: texts that steer a terminal, uids that are paths, values that no file has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.testing import FakeGrafana
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

STEERING = "\x1b[2J\x07\r\n\u202e"


@pytest.fixture
def grafana() -> Iterator[FakeGrafana]:
    with FakeGrafana("11.6.0") as grafana:
        grafana.add_folder("gpuboards", "GPU")
        yield grafana


@pytest.fixture
def said(grafana: FakeGrafana) -> dict[str, str]:
    return {"GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token}


def test_texts_of_others_do_not_steer_the_terminal(
    gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana, said: dict[str, str]
) -> None:
    directory = boards(mine=GOOD).parent
    (directory / "gpuboards.yaml").write_text("project: p")
    foreign = {"title": f"A{STEERING}B", "tags": ["gpuboards", "gpuboards:p"], STEERING: STEERING}
    grafana.add_board({**foreign, "uid": "mine"}, "gpuboards", user=f"eve{STEERING}")
    grafana.add_board({**foreign, "uid": "gone"}, "gpuboards")
    mine = ("--dashboards", "boards")
    done = gpuboards("push", *mine, "--prune", "--dry-run", environment=said)
    assert done.returncode == 1 and "eve" in done.stdout and "A" in done.stdout
    texts = [done.stdout, gpuboards("diff", *mine, environment=said).stdout]
    texts.append(gpuboards("push", *mine, "--prune", "--yes", "--force", environment=said).stderr)
    assert "gone" in texts[2] and set(grafana.boards) == {"mine"}
    assert not [c for text in texts for line in text.split("\n") for c in line if not c.isprintable()]


def test_pull_writes_nowhere_else_and_lets_no_board_stop_the_others(
    gpuboards: Run, grafana: FakeGrafana, said: dict[str, str], tmp_path: Path
) -> None:
    for uid in ("../../outside", "a/b", "..", "x?y"):
        grafana.add_board({"uid": uid, "title": uid}, "gpuboards")
    grafana.add_board({"uid": "number", "title": "N", "x": float("nan")}, "gpuboards")
    grafana.add_board({"uid": "half", "title": "half \ud800 a character"}, "gpuboards")
    grafana.add_board({"uid": "good", "title": "Good"}, "gpuboards")
    done = gpuboards("pull", "--folder", "gpuboards", "--out", "in/here", environment=said)
    assert done.returncode == 3 and "1 written, 0 unchanged, 6 failed" in done.stdout, done
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["good.json"]
    assert json.loads((tmp_path / "in/here/good.json").read_text())["title"] == "Good"
    assert "half a character" in done.stdout and "nan in a dashboard" in done.stdout
    assert not any("outside" in request.path for request in grafana.requests)

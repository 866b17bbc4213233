"""``gpuboards diff``: drift between a Grafana and the code, as a user sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from builder.testing import FakeGrafana
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

Against = Callable[..., "CompletedProcess[str]"]
MINE = ("--dashboards", "boards")


@pytest.fixture(params=["10.4.19", "12.2.0", "13.0.0"])
def grafana(request: pytest.FixtureRequest) -> Iterator[FakeGrafana]:
    with FakeGrafana(version=request.param, search_lag=0) as grafana:
        yield grafana


@pytest.fixture
def against(gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana) -> Against:
    boards(mine=GOOD)

    def run(*arguments: str) -> CompletedProcess[str]:
        return gpuboards(*arguments, environment={"GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token})

    return run


def test_what_is_not_there_differs_and_what_was_pushed_does_not(against: Against, grafana: FakeGrafana) -> None:
    absent = against("diff", *MINE)
    assert (absent.returncode, absent.stdout.splitlines()[-1], absent.stderr) == (1, "1 differ", "")
    assert not grafana.boards, "a diff only reads"

    assert against("push", *MINE).returncode == 0
    same = against("diff", *MINE)
    assert (same.returncode, same.stdout.splitlines()[-1]) == (0, "1 equal")


def test_an_edit_in_the_browser_is_drift_and_named(against: Against, grafana: FakeGrafana) -> None:
    assert against("push", *MINE).returncode == 0
    grafana.edit_in_ui("mine", lambda board: {**board, "title": "Better"}, user="alice")
    text = against("diff", *MINE)
    assert text.returncode == 1
    assert "alice" in text.stdout and "Better" in text.stdout
    assert text.stdout.splitlines()[-1] == "1 differ"

    told = json.loads(against("diff", *MINE, "--format", "json").stdout)
    assert told["equal"] is False
    assert told["outcomes"][0]["action"] == "conflict"


def test_a_board_that_is_no_longer_defined_differs(
    against: Against, gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana, tmp_path: Path
) -> None:
    (tmp_path / "gpuboards.yaml").write_text("project: ours\n", encoding="utf-8")
    boards(other=GOOD.replace("mine", "other").replace("My board", "Other board"))
    pushed = against("push", *MINE)
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    (tmp_path / "boards" / "other.py").unlink()
    gone = against("diff", *MINE)
    assert gone.returncode == 1, gone.stdout + gone.stderr
    assert [line.split()[0] for line in gone.stdout.splitlines() if " other " in line] == ["remove"]
    assert len(grafana.boards) == 2


def test_no_grafana_is_exit_status_3(gpuboards: Run, boards: Callable[..., Path]) -> None:
    boards(mine=GOOD)
    done = gpuboards("diff", *MINE, environment={"GRAFANA_URL": "http://127.0.0.1:9", "GRAFANA_TOKEN": "t"})
    assert (done.returncode, done.stdout) == (3, "")
    assert "127.0.0.1:9" in done.stderr

"""``gpuboards preview`` as one runs it, and what one can get wrong with it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

from builder.cli import run
from builder.simulate import Fleet, history
from builder.testing import Prometheus
from tests.cli.conftest import ROOT, Run

SMALL = ["--nodes", "1", "--cards", "2", "--range", "30m"]
BOARD = """
from builder import Board, Query, Row, Stat, TimeSeries
from builder.queries import power, thermal

board = Board(
    uid="team",
    title="Team",
    question="What is it?",
    panels=[
        Row(
            "Now",
            [
                Stat("{title}", [Query(power.fleet_power)], description="Power."),
                TimeSeries("Heat", [Query(thermal.temperature)], description="Heat."),
            ],
        )
    ],
)
"""


@pytest.mark.live
def test_a_board_is_drawn_from_a_simulated_fleet(gpuboards: Run, tmp_path: Path) -> None:
    options = [*SMALL, "--fault", "hot:node-0/gpu-0", "--pictures", "svg", "--format", "json"]
    done = gpuboards("preview", "gpu-thermal", *options)
    assert (done.returncode, done.stderr) == (0, "simulating a fleet ...\n")
    (made,) = json.loads(done.stdout)["boards"]
    assert made["title"] == "GPU heat and power"
    assert made["problems"] == []
    assert len(made["files"]) == made["panels"] + 2
    files = {file.relative_to(tmp_path / "preview").as_posix() for file in (tmp_path / "preview").rglob("*.*")}
    assert files == set(made["files"])
    markup = (tmp_path / "preview" / "gpu-thermal.html").read_text()
    assert "a simulated fleet of 1 node with 2 cards each, with hot:node-0/gpu-0" in markup
    assert "88 °C" in markup


@pytest.mark.live
def test_files_and_boards_are_drawn_from_a_prometheus_with_chosen_variables(gpuboards: Run, tmp_path: Path) -> None:
    board = json.loads((ROOT / "provisioning/dashboards/gpuboards/gpu-node.json").read_text())
    (tmp_path / "mine.json").write_text(json.dumps({**board, "uid": "../mine", "title": "Mine <b>"}))
    fleet = Fleet(nodes=2, cards=2)
    text = history(fleet, begin=fleet.start, end=fleet.start + 1800, interval=60)
    with Prometheus(history=text) as prometheus:
        url = prometheus.url.replace("//", "//somebody:secret@")
        options = ["--prometheus", url, "--at", "2026-01-01T00:30:00Z", "--range", "20m", "--scrape-interval", "60s"]
        done = gpuboards("preview", "mine.json", "gpu-fleet", *options, "--var", "node=node-1", "--out", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["_mine.html", "gpu-fleet.html", "index.html"]
    assert "out/_mine.html: Mine <b>, " in done.stdout
    markup = (tmp_path / "out" / "_mine.html").read_text()
    assert "<dt>Node</dt><dd>node-1</dd>" in markup
    assert "node-0" not in markup
    assert "2026-01-01 00:10 to 2026-01-01 00:30 UTC" in markup
    assert "secret" not in markup
    assert "<b>" not in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.live
def test_a_value_that_a_variable_does_not_have_is_warned_of(gpuboards: Run) -> None:
    done = gpuboards("preview", "gpu-node", *SMALL, "--var", "node=node-7")
    assert done.returncode == 0
    assert "warning: gpu-node: node=node-7 is none of its values: node-0" in done.stderr
    assert re.search(r"panels, \d+ of them without data \([^,]+(, [^,]+){4} and \d+ more\)", done.stdout)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["gpu-flet"], 2, "did you mean gpu-fleet"),
        (["absent.json"], 2, "there is no absent.json"),
        (["mine.py"], 2, "fix: name definitions with --dashboards mine.py"),
        (["none/"], 2, "there is no dashboard"),
        (["broken.json"], 2, "broken.json:1:2: not JSON"),
        (["other.json"], 2, "not a classic dashboard"),
        (["rows.json"], 2, "rows.json: Old: the dashboard has no panels"),
        (["gpu-node", "--var", "node"], 2, "fix: write it like node=node-1"),
        (["gpu-node", "--var", "nod=x"], 2, "no dashboard has the variable nod"),
        (["gpu-node", "--range", "soon"], 2, "--range: 'soon' is not a duration"),
        (["gpu-node", "--range", "5s"], 2, "fix: at least 1m"),
        (["gpu-node", "--at", "noon", "--prometheus", "http://127.0.0.1:9"], 2, "--at: not a time"),
        (["gpu-node", "--at", "2026-01-01"], 2, "a simulated fleet has its own time"),
        (["gpu-node", "--simulate", "--prometheus", "http://127.0.0.1:9"], 2, "leave out --prometheus"),
        (["gpu-node", "--fault", "hot:node-9"], 2, "fix: "),
        (["gpu-node", "--prometheus", "http://127.0.0.1:9"], 3, "fix: is it running?"),
        (["gpu-node", "--prometheus", "http://127.0.0.1:9", "--scrape-interval", "often"], 2, "is not a duration"),
        (["gpu-node", "--profile", "dcm"], 2, "did you mean dcgm"),
    ],
)
def test_a_mistake_is_said_and_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GPUBOARDS_CONFIG", "GPUBOARDS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "none").mkdir()
    (tmp_path / "mine.py").write_text("x = 1\n")
    (tmp_path / "broken.json").write_text("{]")
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "rows.json").write_text('{"title": "Old", "rows": []}')
    assert run(["preview", *arguments]) == code
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert not (tmp_path / "preview").exists()


def test_without_a_prometheus_installed_the_message_says_what_to_install(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("preview", "gpu-node", *SMALL, environment={"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert (
        "promtool is not installed\n  fix: on Debian: apt-get install --no-install-recommends prometheus" in done.stderr
    )


def test_without_the_extra_the_message_names_it(gpuboards: Run, tmp_path: Path) -> None:
    hide = "import sys\nsys.modules['matplotlib'] = sys.modules['markdown_it'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(hide)
    done = gpuboards("preview", "gpu-node", environment={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"})
    assert done.returncode == 2
    assert "preview draws with matplotlib and markdown-it-py, which are not installed" in done.stderr
    assert 'fix: pip install "gpuboards[preview]"' in done.stderr


@pytest.mark.live
def test_a_directory_that_cannot_be_written_is_said(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = gpuboards("preview", "gpu-node", *SMALL, "--out", "file")
    assert done.returncode == 2
    assert "file: " in done.stderr and "fix: name another directory with --out" in done.stderr
    assert (tmp_path / "file").read_text() == ""


@pytest.mark.live
def test_a_served_page_follows_what_is_saved(boards: Callable[..., Path], tmp_path: Path) -> None:
    directory = boards(team=BOARD.replace("{title}", "Power"))
    command = [sys.executable, "-m", "builder.cli", "preview", "--serve", "--port", "0", *SMALL]
    with subprocess.Popen(
        [*command, "--dashboards", str(directory)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        ending = threading.Timer(120, process.kill)
        ending.start()
        try:
            assert process.stderr is not None
            said = [line := process.stderr.readline()]
            while "serving on" not in line:
                assert line, said
                said.append(line := process.stderr.readline())
            url = re.search(r"http://\S+/", line)
            assert url, line
            served = _Served(url[0])
            assert "Power" in served.page and '<script src="/reload.js"' in served.page
            boards(team=BOARD.replace("{title}", "Watts <i>"))
            served.until("Watts &lt;i&gt;")
            boards(team="board = ")
            served.until("This does not build")
            assert "team.py" in served.page
            boards(team=BOARD.replace("{title}", "Mended"))
            served.until("Mended")
            process.send_signal(signal.SIGTERM)
            assert process.stderr.read().endswith("ended\n")
            assert process.wait() == 0
        finally:
            ending.cancel()
            process.kill()


class _Served:
    """A page and its successors, as its own script would load them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.trust_env = False
        self.page = self._ask("team.html")

    def until(self, words: str) -> None:
        """Load successors until one has these words; a file may be looked at while it is being written."""
        while words not in self.page:
            match = re.search(r'data-version="(\d+)"', self.page)
            assert match
            while self._ask("version", path="/team.html", after=match[1]) == match[1]:
                pass  # the server answers after some seconds in any case
            self.page = self._ask("team.html")

    def _ask(self, page: str, **query: Any) -> str:
        with self._session.get(self._url + page, params=query, timeout=60) as answer:
            answer.raise_for_status()
            return answer.text

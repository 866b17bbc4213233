"""``gpuboards push`` and ``pull`` as a user runs them, against a Grafana on real sockets."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.testing import FakeGrafana
from builder.testing.grafana import faults
from tests.cli.conftest import ROOT, Run
from tests.cli.test_bad_input import GOOD

Push = Callable[..., "subprocess.CompletedProcess[str]"]
MINE = ("--dashboards", "boards")


@pytest.fixture
def grafana() -> Iterator[FakeGrafana]:
    with FakeGrafana(version="12.2.0", search_lag=0) as grafana:
        yield grafana


@pytest.fixture
def gpuboards_at(gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana) -> Push:
    """Runs a command with one small board of our own and the Grafana in the environment."""
    boards(mine=GOOD)

    def run(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
        environment = {"GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token}
        return gpuboards(*arguments, environment=environment, **more)

    return run


def test_push_edit_conflict_force(gpuboards_at: Push, grafana: FakeGrafana) -> None:
    done = gpuboards_at("push", *MINE, "--dry-run")
    assert done.returncode == 0 and not grafana.boards
    assert done.stdout.splitlines()[-1] == "dry run, nothing written: 1 create"

    done = gpuboards_at("push", *MINE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"{grafana.url}: Grafana 12.2.0, dashboard.grafana.app/v1beta1, folder GPU"
    assert lines[1] == "create folder 'GPU' (gpuboards) at the top"
    assert lines[2].split() == ["create", "done", "mine", f"{grafana.url}/d/mine"]
    assert lines[3] == "1 create"

    done = gpuboards_at("push", *MINE)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 unchanged")

    grafana.edit_in_ui("mine", lambda b: {**b, "title": "Better"}, user="alice")
    done = gpuboards_at("push", *MINE)
    assert done.returncode == 1
    assert "alice" in done.stdout and "title: 'Better' to " in done.stdout and "--force" in done.stdout
    assert grafana.boards["mine"].title == "Better"

    done = gpuboards_at("push", *MINE, "--force")
    assert done.returncode == 0 and grafana.boards["mine"].title != "Better"


def test_json_says_the_same(gpuboards_at: Push, grafana: FakeGrafana) -> None:
    done = gpuboards_at("push", *MINE, "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["exit_code"], report["writes"]) == (0, 0, 2)
    assert report["outcomes"][0]["uid"] == "mine" and report["outcomes"][0]["action"] == "create"
    assert report["url"] == grafana.url and report["folders"][0]["uid"] == "gpuboards"


def test_a_context_of_the_configuration(gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana) -> None:
    directory = boards(mine=GOOD).parent
    (directory / "gpuboards.yaml").write_text(
        f"""\
project: fleet
contexts:
  production:
    url: {grafana.url}/
    folder:
      - {{title: Team, uid: team}}
      - {{title: Cards, uid: cards}}
    auth: {{token_command: "cat secret"}}
  other: {{url: "http://127.0.0.1:1"}}
"""
    )
    (directory / "secret").write_text(f"{grafana.token}\n")
    done = gpuboards("push", *MINE, "--context", "production")
    assert done.returncode == 0, done.stderr
    assert (grafana.boards["mine"].folder, grafana.folders["cards"].parent) == ("cards", "team")
    assert "gpuboards:fleet" in grafana.boards["mine"].tags

    done = gpuboards("push", *MINE)
    assert done.returncode == 2 and "--context other | production" in done.stderr
    done = gpuboards("push", *MINE, "--context", "prodution")
    assert done.returncode == 2 and "did you mean production?" in done.stderr


@pytest.mark.parametrize("way", ["password", "user info", "file", "environment of a context"])
def test_ways_to_say_who_asks(
    way: str, gpuboards: Run, boards: Callable[..., Path], grafana: FakeGrafana, tmp_path: Path
) -> None:
    boards(mine=GOOD)
    environment = {"GRAFANA_URL": grafana.url}
    if way == "password":
        environment |= {"GRAFANA_USER": grafana.user, "GRAFANA_PASSWORD": grafana.password}
    elif way == "user info":
        environment["GRAFANA_URL"] = grafana.url.replace("//", f"//{grafana.user}:{grafana.password}@")
    else:
        auth = "{token_file: token}" if way == "file" else "{token_env: PROD_TOKEN}"
        (tmp_path / "gpuboards.yaml").write_text(f"contexts: {{it: {{url: '{grafana.url}', auth: {auth}}}}}")
        (tmp_path / "token").write_text(grafana.token)
        environment = {"PROD_TOKEN": grafana.token, "GRAFANA_TOKEN": "glsa_of_another_grafana"}
    done = gpuboards("push", *MINE, environment=environment)
    assert done.returncode == 0, done.stderr


def test_prune_asks_for_a_yes_where_nobody_can_be_asked(
    gpuboards_at: Push, grafana: FakeGrafana, tmp_path: Path
) -> None:
    (tmp_path / "gpuboards.yaml").write_text("project: fleet")
    (tmp_path / "boards" / "gone.py").write_text(GOOD.replace('"mine"', '"gone"').replace("My board", "Gone"))
    assert gpuboards_at("push", *MINE).returncode == 0 and "gone" in grafana.boards
    (tmp_path / "boards" / "gone.py").unlink()
    grafana.forget_requests()

    done = gpuboards_at("push", *MINE, "--prune", stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and "--yes" in done.stderr and not grafana.requests
    done = gpuboards_at("push", *MINE, "--prune", "--dry-run")
    assert "remove" in done.stdout and "gone" in grafana.boards and done.returncode == 0
    done = gpuboards_at("push", *MINE, "--prune", "--yes")
    assert done.returncode == 0 and set(grafana.boards) == {"mine"}


def test_prune_without_a_project_is_refused(gpuboards_at: Push, grafana: FakeGrafana) -> None:
    done = gpuboards_at("push", *MINE, "--prune", "--yes")
    assert done.returncode == 2 and "project: NAME" in done.stderr and not grafana.writes


def test_pull_writes_what_can_be_compared(gpuboards_at: Push, grafana: FakeGrafana, tmp_path: Path) -> None:
    gpuboards_at("push", *MINE)
    done = gpuboards_at("pull", "--tag", "gpuboards", "--out", "pulled")
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "pulled" / "mine.json"
    content = file.read_bytes()
    assert not {"id", "version"} & json.loads(content).keys() and json.loads(content)["uid"] == "mine"

    gpuboards_at("push", *MINE, "--force")
    done = gpuboards_at("pull", "mine", "--out", "pulled", "--format", "json")
    assert json.loads(done.stdout)["unchanged"] == ["mine.json"] and file.read_bytes() == content
    done = gpuboards_at("pull", "--folder", "gpuboards", "--out", "again")
    assert (tmp_path / "again" / "mine.json").read_bytes() == content


def test_pull_overwrites_nothing_else(gpuboards_at: Push, tmp_path: Path) -> None:
    gpuboards_at("push", *MINE)
    (tmp_path / "mine.json").write_text('{"uid": "another"}')
    done = gpuboards_at("pull", "mine", "--out", ".")
    assert done.returncode == 2 and "not an earlier state" in done.stderr
    assert (tmp_path / "mine.json").read_text() == '{"uid": "another"}'
    assert gpuboards_at("pull", "mine", "--out", ".", "--force").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        ((), 2, "nothing says which boards"),
        (("../mine",), 2, "is not a uid"),
        (("nowhere",), 3, "there is no such board"),
        (("--tag", "nothing-has-it"), 3, "no board found"),
    ],
)
def test_pull_says_what_is_wrong(gpuboards_at: Push, arguments: tuple[str, ...], code: int, what: str) -> None:
    done = gpuboards_at("pull", *arguments)
    assert done.returncode == code and what in done.stdout + done.stderr


def _wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_ctrl_c_finishes_what_is_in_flight(grafana: FakeGrafana, boards: Callable[..., Path]) -> None:
    text = (
        "from builder import Board, Text\nboards = [Board(f'b{n}', f'B {n}', [Text(content='x')]) for n in range(60)]\n"
    )
    directory = boards(many=text)
    process = subprocess.Popen(
        [sys.executable, "-m", "builder.cli", "push", *MINE, "--jobs", "2"],
        cwd=directory.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    grafana.faults.add(faults.latency(0.02))
    _wait_until(lambda: len(grafana.boards) >= 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130 and "stopping" in err and "Traceback" not in err
    assert out.count("create  done") == len(grafana.boards) < 60 and "not begun" in out
    assert out.splitlines()[-1].startswith("interrupted: ")


def test_ctrl_c_ends_what_only_reads(grafana: FakeGrafana, tmp_path: Path) -> None:
    for number in range(200):
        grafana.add_board({"uid": f"b{number}", "title": f"B {number}", "tags": ["many"]})
    grafana.settle()
    grafana.faults.add(faults.latency(0.1), path="dashboards/b|uid/b")
    process = subprocess.Popen(
        [sys.executable, "-m", "builder.cli", "pull", "--tag", "many", "--jobs", "2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    read = re.compile("/b[0-9]+$")
    _wait_until(lambda: any(read.search(request.path) for request in grafana.requests))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted") and not list(tmp_path.iterdir())
    assert sum(1 for request in grafana.requests if read.search(request.path)) < 200


def test_ctrl_c_before_anything_is_written_claims_nothing(grafana: FakeGrafana, boards: Callable[..., Path]) -> None:
    directory = boards(mine=GOOD)
    for fault, path, tells in (
        (faults.too_many_requests(50), "^/api/health", "interrupted before another try"),
        (faults.latency(1.5), "^/api/folders/", "interrupted: 1 not begun; run it again"),
    ):
        grafana.faults.clear()
        grafana.forget_requests()
        grafana.faults.add(fault, path=path)
        seen = "/api/health" if "health" in path else "/apis"  # answered right before what is held up
        process = subprocess.Popen(
            [sys.executable, "-m", "builder.cli", "push", *MINE],
            cwd=directory.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT), "GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _wait_until(lambda seen=seen: any(request.path == seen for request in grafana.requests))  # type: ignore[misc]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130 and tells in out + err and "Traceback" not in err
        assert "create folder" not in out and not grafana.writes and not grafana.folders


@pytest.mark.parametrize(("answer", "code", "left"), [(b"y\n", 0, {"mine"}), (b"n\n", 2, {"mine", "gone"})])
def test_prune_asks_on_a_terminal(
    gpuboards_at: Push, grafana: FakeGrafana, tmp_path: Path, answer: bytes, code: int, left: set[str]
) -> None:
    (tmp_path / "gpuboards.yaml").write_text("project: fleet")
    gone = tmp_path / "boards" / "gone.py"
    gone.write_text(GOOD.replace('"mine"', '"gone"').replace("My board", "Gone"))
    gpuboards_at("push", *MINE)
    gone.unlink()
    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer)
        done = gpuboards_at("push", *MINE, "--prune", stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == code and "gone" in done.stderr and "Remove 1?" in done.stderr
    assert set(grafana.boards) == left


def test_ctrl_c_twice_ends_at_once(boards: Callable[..., Path]) -> None:
    boards(mine=GOOD)
    with FakeGrafana() as grafana:
        grafana.faults.add(faults.latency(600), path="^/api/frontend")
        process = subprocess.Popen(
            [sys.executable, "-m", "builder.cli", "push", *MINE, "--timeout", "600"],
            cwd=boards().parent,
            env={**os.environ, "PYTHONPATH": str(ROOT), "GRAFANA_URL": grafana.url, "GRAFANA_TOKEN": grafana.token},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr
        _wait_until(lambda: bool(grafana.requests))
        process.send_signal(signal.SIGINT)
        assert "stopping" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        process.stderr.close()

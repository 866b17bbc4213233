"""``gpuboards init`` without a server, in a pipe and at a terminal, and whatever can go wrong on the way."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.catalog.profiles import GPU_PROFILES
from builder.cli import run
from builder.cli.init import PROFILES
from builder.config import Config, parse
from builder.testing import FakeGrafana
from tests.cli.conftest import ROOT, Run
from tests.targets.prometheus import played
from tests.targets.prometheus.played import Played

Init = Callable[..., tuple[int, str, str]]


@pytest.fixture
def init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Init:
    for name in ("PROMETHEUS_TOKEN", "PROMETHEUS_USER", "GRAFANA_URL", "GRAFANA_TOKEN", "GRAFANA_USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("builder.targets.prometheus.client._PAUSE", 0.01)
    monkeypatch.chdir(tmp_path)

    def init(*arguments: str) -> tuple[int, str, str]:
        code = run(["init", *arguments])
        return code, *capsys.readouterr()

    return init


def written(tmp_path: Path) -> Config:
    return parse((tmp_path / "gpuboards.yaml").read_text(), "gpuboards.yaml")


def refused(done: tuple[int, str, str], code: int, *words: str) -> None:
    assert done[0] == code and done[1] == "" and done[2].startswith("error: "), done
    assert "  fix: " in done[2] and "Traceback" not in done[2]
    for word in words:
        assert word in done[2], done[2]


def test_the_profiles_are_the_catalogues() -> None:
    """They are written out, so that --help need not load the catalogue."""
    assert tuple(GPU_PROFILES) == PROFILES


def test_without_a_server_nothing_is_said_to_be_there(init: Init) -> None:
    code, said, _ = init("--profile", "nvidia-smi", "--bare-metal", "--training", "none", "--out", "-")
    assert code == 0 and "host: node-exporter" in said
    assert "nobody looked" in said and "is there." not in said


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("where", ["--kubernetes", "--bare-metal"])
def test_flags_alone_are_enough(init: Init, tmp_path: Path, profile: str, where: str) -> None:
    assert init("--profile", profile, where)[0] == 0
    config = written(tmp_path)
    assert (config.profile, config.training, config.host) == (profile, "auto", "node-exporter")
    assert ("{pod}" in config.logs.selector) == (where == "--kubernetes")


def test_what_is_written_from_flags_builds(init: Init, tmp_path: Path) -> None:
    assert init("--profile", "nvidia-smi", "--training", "none", "--out", "mine.yaml")[0] == 0
    assert run(["build", "--config", "mine.yaml", "--out", "built"]) == 0
    assert len(list((tmp_path / "built/dashboards/gpuboards").glob("*.json"))) == 7


def test_nobody_is_asked_in_a_pipe(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("init", input="dcgm\n", timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nobody is there to be asked" in done.stderr and "--profile" in done.stderr
    assert not (tmp_path / "gpuboards.yaml").exists()


def test_somebody_at_a_terminal_is_asked(tmp_path: Path) -> None:
    """Answers are given as the questions come; an answer that is none is asked again."""
    said = _at_a_terminal(tmp_path, b"\n", b"nonsense\n", b"nvidia-smi\n", b"none\n")
    assert "URL of your Prometheus" in said
    assert "Which exporter do the cards have?" in said and "is not one of" in said
    assert "Do pods of Kubernetes" not in said, "this exporter does not know pods"
    assert (written(tmp_path).profile, written(tmp_path).training) == ("nvidia-smi", "none")


def test_a_server_named_at_a_terminal_is_asked(tmp_path: Path) -> None:
    with Played(lambda h, _p, _a: h.reply(200, "<!doctype html>")) as page:
        said = _at_a_terminal(tmp_path, page.url.encode() + b"\n", code=3)
    assert "a web page" in said and "Which exporter" not in said
    assert not (tmp_path / "gpuboards.yaml").exists()


def _at_a_terminal(directory: Path, *answers: bytes, code: int = 0) -> str:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "builder.cli", "init"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    said, waiting, deadline = b"", list(answers), time.monotonic() + 60
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(ours, 4096)
            except OSError:  # how the end of a terminal reads on Linux
                break
            said += piece
            if waiting and said.endswith((b"]: ", b"): ")):
                os.write(ours, waiting.pop(0))
        assert process.wait(timeout=30) == code, said
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return said.decode()


@pytest.mark.parametrize(("out", "words"), [("no/such/folder.yaml", "No such file"), ("", "without a name")])
def test_places_that_cannot_be_written(init: Init, out: str, words: str) -> None:
    code, shown, err = init("--profile", "dcgm", "--out", out)
    assert (code, shown) == (2, "") and words in err and "Traceback" not in err


def test_a_folder_without_permission(gpuboards: Run, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        target = "/proc/gpuboards.yaml"  # where even root may not create a file
    else:
        (tmp_path / "locked").mkdir(mode=0o500)
        target = "locked/gpuboards.yaml"
    done = gpuboards("init", "--profile", "dcgm", "--out", target)
    assert (done.returncode, done.stdout) == (2, "") and "cannot be written" in done.stderr


def test_what_is_there_is_left_alone_whatever_it_is(init: Init, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").symlink_to("nowhere")
    refused(init("--profile", "dcgm"), 2, "is there already", "--force")
    assert (tmp_path / "gpuboards.yaml").is_symlink() and not (tmp_path / "nowhere").exists()
    (tmp_path / "folder").mkdir()
    refused(init("--profile", "dcgm", "--out", "folder", "--force"), 2, "cannot be written")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_two_answers_to_one_output(init: Init) -> None:
    refused(init("--profile", "dcgm", "--out", "-", "--format", "json"), 2, "standard output")


def test_servers_that_are_none(init: Init, tmp_path: Path) -> None:
    refused(init("--prometheus", "prometheus"), 2, "http://prometheus:9090")
    refused(init("--prometheus", "http://127.0.0.1:1"), 3, "out of reach")
    with Played(lambda h, _p, _a: h.reply(200, "<!doctype html>")) as page:
        refused(init("--prometheus", page.url), 3, "a web page")
    with Played(played.silent) as slow:
        refused(init("--prometheus", slow.url, "--timeout", "0.5"), 3, "within 0.5 s")
    refused(init("--profile", "dcgm", "--grafana", "http://127.0.0.1:1"), 2, "no credentials for Grafana")
    assert not (tmp_path / "gpuboards.yaml").exists()


def test_a_server_that_lies_in_the_middle(init: Init, tmp_path: Path) -> None:
    """Names are there; what their labels are is answered with nonsense."""

    def play(handler: played.Handler, path: str, asked: played.Asked) -> None:
        if path == "label/__name__/values":
            handler.data(["DCGM_FI_DEV_FB_USED"])
        elif path == "labels":
            handler.data({"a": 1})
        else:
            played.prometheus(handler, path, asked)

    with Played(play) as server:
        refused(init("--prometheus", server.url), 3, "not what Prometheus answers")
    assert not (tmp_path / "gpuboards.yaml").exists()


def test_an_answer_that_is_too_large_names_the_server(init: Init) -> None:
    def play(handler: played.Handler, path: str, asked: played.Asked) -> None:
        (played.huge if path.startswith("label") else played.prometheus)(handler, path, asked)

    with Played(play) as server:
        refused(init("--prometheus", server.url), 3, f"{server.url}: the answer is larger than 64 MiB")


def test_ctrl_c_ends_it_after_what_is_in_flight(init: Init, tmp_path: Path) -> None:
    def play(handler: played.Handler, path: str, asked: played.Asked) -> None:
        if path == "label/__name__/values":
            handler.data(["DCGM_FI_DEV_FB_USED"])
        elif path == "labels":
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            handler.data(["Hostname"])
        else:
            played.prometheus(handler, path, asked)

    with Played(play) as server:
        code, out, err = init("--prometheus", server.url)
        asked = [path for _, path, _, _ in server.requests]
    assert (code, out) == (130, "") and "interrupted; nothing was written" in err
    assert asked[-1] == "labels" and not (tmp_path / "gpuboards.yaml").exists()


def test_a_grafana_that_refuses(init: Init, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAFANA_TOKEN", "glsa_of_another_one")
    with FakeGrafana() as grafana:
        done = init("--profile", "dcgm", "--grafana", grafana.url)
    refused(done, 3, "the credentials are refused")
    assert "glsa_of_another_one" not in done[2] and not (tmp_path / "gpuboards.yaml").exists()


def test_data_sources_whose_uids_do_not_fit(init: Init, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from builder.testing.grafana import DataSource

    with FakeGrafana(datasources=[DataSource("Odd", "o" * 60, "prometheus")]) as grafana:
        monkeypatch.setenv("GRAFANA_TOKEN", grafana.token)
        assert init("--profile", "dcgm", "--grafana", grafana.url)[0] == 0
    assert written(tmp_path).datasources.prometheus.uid == "prometheus"
    assert "no data source of type Prometheus that can be named here" in (tmp_path / "gpuboards.yaml").read_text()

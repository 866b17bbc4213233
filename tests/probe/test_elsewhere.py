"""What the probe writes elsewhere, a file for Prometheus and a Pushgateway's group, and that it is gone afterwards."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from builder.probe.gateway import group
from builder.testing import parse_exposition
from tests.probe.conftest import Start, errors, samples_of


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for the condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)


# file_sd ---------------------------------------------------------------------------------------


def test_the_file_names_the_endpoint_and_the_job_and_goes_with_the_probe(begin: Start, tmp_path: Path) -> None:
    probe = begin(file_sd=str(tmp_path), job="resnet")
    address = probe.url.removeprefix("http://").removesuffix("/metrics")
    (file,) = tmp_path.iterdir()
    assert file.name == f"gpuboards-{address.replace(':', '-')}.json"
    assert json.loads(file.read_text()) == [
        {"targets": [address], "labels": {"job": "training", "training_job": "resnet"}}
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o644  # Prometheus is another user
    probe.stop()
    assert list(tmp_path.iterdir()) == []


def test_the_address_is_the_machines_name_where_the_endpoint_is_open_to_the_network(
    begin: Start, tmp_path: Path
) -> None:
    probe = begin(file_sd=str(tmp_path), host="0.0.0.0")
    (file,) = tmp_path.glob("*.json")
    (target,) = json.loads(file.read_text())[0]["targets"]
    assert target.rsplit(":", 1)[0] == socket.gethostname()
    probe.stop()
    begin(file_sd=str(tmp_path), host="0.0.0.0", advertise="fd00::1")
    (file,) = tmp_path.glob("*.json")
    assert json.loads(file.read_text())[0]["targets"][0].startswith("[fd00::1]:")


def test_a_restarted_ranks_file_outlives_the_clean_up_of_the_one_before(begin: Start, tmp_path: Path) -> None:
    probe = begin(file_sd=str(tmp_path))
    (file,) = tmp_path.iterdir()
    new = tmp_path / "new"
    new.write_text(file.read_text())
    new.replace(file)
    probe.stop()
    assert list(tmp_path.iterdir()) == [file]


def test_a_clean_up_that_fails_is_counted_and_the_end_does_not_wait_for_it(
    begin: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.probe.exposure.CLOSE_SECONDS", 0.2)
    with silent_server() as address:  # takes the connection and never answers
        probe = begin(gateway=address)
        since = time.monotonic()
        probe.stop()
        assert time.monotonic() - since < 3
    assert probe.faults.counts["stop"] >= 1


# Pushgateway -----------------------------------------------------------------------------------


@contextmanager
def silent_server() -> Iterator[str]:
    """A server that accepts and says nothing."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def pushgateway() -> Iterator[str]:
    """The real one (Debian's package prometheus-pushgateway)."""
    binary = shutil.which("prometheus-pushgateway")
    assert binary, "prometheus-pushgateway is not installed; on Debian: apt-get install prometheus-pushgateway"
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([binary, f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"

            def ready() -> bool:
                try:
                    with urllib.request.urlopen(f"{url}/-/ready", timeout=1):
                        return True
                except OSError:
                    return False

            until(ready)
            yield url
        finally:
            process.terminate()
            process.wait()


@pytest.mark.live
def test_a_real_pushgateway_holds_the_numbers_while_the_job_runs_and_nothing_after(begin: Start) -> None:
    def pushed() -> list[dict[str, str]]:
        with urllib.request.urlopen(f"{url}/metrics") as answer:
            text = answer.read().decode()
        return [dict(s.labels) for s in parse_exposition(text) if s.name == "train_steps_total" and s.value == 1]

    with pushgateway() as url:
        probe = begin(port=None, gateway=url, gateway_interval=0.1, job="a/b", rank=3, framework="tensorflow")
        probe.step(records=8)
        until(lambda: bool(pushed()))
        own = {
            "job": "training",
            "training_job": "a/b",
            "instance": f"{socket.gethostname()}:{os.getpid()}",
            "rank": "3",
        }
        assert pushed() == [{**own, "framework": "tensorflow"}]
        assert not probe.faults.counts
        probe.stop()
        assert pushed() == []


def test_user_and_password_of_the_address_are_sent_and_not_shown(begin: Start) -> None:
    seen: list[tuple[str, str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            seen.append((self.command, self.path, self.headers["Authorization"]))
            self.send_response(200)
            self.end_headers()

        def do_DELETE(self) -> None:
            seen.append((self.command, self.path, self.headers["Authorization"]))
            self.send_response(202)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        probe = begin(port=None, gateway=f"http://me:s%40cret@127.0.0.1:{server.server_port}/gw/", job="j")
        until(lambda: bool(seen))
        probe.stop()
        server.shutdown()
    assert [command for command, _, _ in seen] == ["PUT", "DELETE"]
    assert {path for _, path, _ in seen} == {seen[0][1]}
    assert seen[0][1].startswith("/gw/metrics/job@base64/dHJhaW5pbmc=/training_job@base64/ag==/")
    assert {login for _, _, login in seen} == {"Basic bWU6c0BjcmV0"}
    assert "s%40cret" not in repr(group("http://me:s%40cret@h/", {"job": "j"}))


def test_a_gateway_out_of_reach_is_counted_and_the_training_is_unharmed(begin: Start) -> None:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        probe = begin(gateway=f"http://127.0.0.1:{found.getsockname()[1]}", gateway_interval=0.05)
        probe.step()
        until(lambda: errors(samples_of(probe)).get("gateway", 0) >= 2)
        assert probe.loop.steps == 1


def test_without_a_child_process_the_file_goes_all_the_same(
    begin: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object, **named: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    probe = begin(file_sd=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1
    assert probe.faults.counts == {"start": 1}
    probe.stop()
    assert list(tmp_path.iterdir()) == []


def test_what_opens_after_the_stop_is_closed_again(
    begin: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    hostname = socket.gethostname
    monkeypatch.setattr("builder.probe.launch._START_SECONDS", 0.1)
    monkeypatch.setattr(socket, "gethostname", lambda: released.wait(10) and hostname())
    probe = begin(file_sd=str(tmp_path))
    assert probe.url == ""
    probe.stop()
    released.set()
    until(lambda: not [t for t in threading.enumerate() if t.name.startswith("gpuboards-probe")])
    assert (probe.url, list(tmp_path.iterdir())) == ("", [])

"""Forks, spawns, notebooks and ends of all kinds, each in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.probe.conftest import ROOT, Start, run_script, samples_of, values


def test_starting_twice_gives_the_same_probe(begin: Start, caplog: pytest.LogCaptureFixture) -> None:
    probe = begin(job="a")
    assert begin(job="a") is probe
    assert not caplog.records
    assert begin(job="b") is probe
    assert [record.message for record in caplog.records] == [
        "the probe runs already: other options than at its start have no effect"
    ]


def test_after_a_stop_it_can_start_again(begin: Start) -> None:
    first = begin()
    first.stop()
    first.stop()
    second = begin()
    assert second is not first
    assert values(samples_of(second), "train_job_info") == [1]


def test_importing_it_brings_no_framework_and_nothing_else_of_this_project() -> None:
    code = """
import sys
from builder.probe import start
start(port=0)
ours = {n for n in sys.modules if n.split(".")[0] == "builder" and not n.startswith("builder.probe")}
foreign = {"grafanalib", "click", "yaml", "requests", "promql_parser", "tensorflow", "torch", "jax", "keras", "numpy"}
print(sorted(ours | foreign & set(sys.modules)))
"""
    done = run_script(code)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "['builder']", "")


def test_a_forked_child_counts_for_itself_and_leaves_the_parents_port_and_file_alone(tmp_path: Path) -> None:
    code = """
import os, sys, urllib.request
from builder.probe import start
probe = start(port=0, file_sd=sys.argv[1])
probe.step()
child = os.fork()
if child == 0:
    probe.step()
    assert probe.loop.steps == 2 and probe.url == ""
    probe.stop()
    sys.exit(0)                     # runs what is registered for the end
assert os.waitpid(child, 0)[1] == 0
assert len(os.listdir(sys.argv[1])) == 1
text = urllib.request.urlopen(probe.url).read().decode()
assert "train_steps_total{" in text and "} 1.0" in text.split("train_steps_total{")[1].splitlines()[0]
port = int(probe.url.split(":")[2].split("/")[0])
child = os.fork()
if child == 0:
    import time
    time.sleep(2)                   # a data loader's worker that outlives the probe does not hold the port
    os._exit(0)
probe.stop()
import socket
with socket.socket() as other:
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    other.bind(("127.0.0.1", port))
os.waitpid(child, 0)
"""
    done = run_script(code, str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_a_launcher_that_forks_its_ranks_gets_a_probe_in_each() -> None:
    code = """
import os, urllib.request
from builder.probe import start
parent = start(port=0)
child = os.fork()
if child == 0:
    probe = start(port=0)
    assert probe is not parent and probe.url
    urllib.request.urlopen(probe.url).read()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
urllib.request.urlopen(parent.url).read()
"""
    done = run_script(code)
    assert (done.returncode, done.stderr) == (0, "")


_SPAWNING = """
import multiprocessing, os
from builder.probe import start
probe = start(port=0)               # not under __main__, as in many a training script

def work(_):
    imported = bool(probe.url)      # of the copy that the import of this script has started
    return imported, bool(start(port=0).url)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(probe.url != "", pool.map(work, [1, 2], chunksize=1))
"""


def test_a_spawned_worker_serves_nothing_until_it_starts_a_probe_itself(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(_SPAWNING)
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("True [(False, True), (False, True)]", "")


_ENDING = """
import os, sys, time
from builder.probe import start
probe = start(port=0, file_sd=sys.argv[1])
how = sys.argv[2]
with probe.training():
    probe.step()
    print(probe.url, flush=True)
    if how == "exception":
        raise ValueError("the loss is NaN")
    if how == "exit":
        sys.exit(3)
    if how == "_exit":
        os._exit(4)
    if how == "wait":
        time.sleep(60)
"""


@pytest.mark.parametrize(("how", "code"), [("end", 0), ("exception", 1), ("exit", 3), ("_exit", 4)])
def test_the_end_is_the_scripts_own_and_leaves_nothing_behind(tmp_path: Path, how: str, code: int) -> None:
    done = run_script(_ENDING, str(tmp_path), how)
    assert done.returncode == code
    assert ("ValueError: the loss is NaN" in done.stderr) == (how == "exception")
    _gone(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_a_signal_ends_the_training_as_without_a_probe_and_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _ENDING, str(tmp_path), "wait"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://")
        assert len(list(tmp_path.glob("*.json"))) == 1
        since = time.monotonic()
        process.send_signal(number)
        assert process.wait(10) == -number
        assert time.monotonic() - since < 5
    _gone(tmp_path)


def test_the_scripts_own_handler_of_a_signal_stays_its_own() -> None:
    code = """
import os, signal
seen = []
signal.signal(signal.SIGTERM, lambda *_: seen.append(1))
from builder.probe import start
start(port=0)
os.kill(os.getpid(), signal.SIGTERM)
print(seen, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    assert run_script(code).stdout.strip() == "[1] True"


def _gone(directory: Path) -> None:
    deadline = time.monotonic() + 10
    while list(directory.iterdir()):
        assert time.monotonic() < deadline, "the file is still there"
        time.sleep(0.05)

"""Environments, arguments and surroundings that nobody plans for: the training goes on, and all that can be told is."""

from __future__ import annotations

import json
import logging
import os
import shutil
import socket
import ssl
import sys
import urllib.request
from math import inf, nan
from pathlib import Path
from threading import Barrier, Thread

import pytest

from builder.probe import endpoint, identity, launch, sweeper
from builder.probe.certificate import Certificate
from builder.probe.sweeper import Sweeper
from tests.probe.conftest import Start, errors, run_script, samples_of, text_of, values

CERTIFICATES = Path(__file__).with_name("certificates")


class _Raising(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise RuntimeError("made to fail")


def test_a_log_handler_that_raises_ends_no_training(begin: Start) -> None:
    logger, handler = logging.getLogger("gpuboards.probe"), _Raising()
    logger.addHandler(handler)
    try:
        probe = begin(colour="blue")  # which is told
        assert begin(port=1) is probe  # and so is this
        probe.step(records="many")  # type: ignore[arg-type]
        assert errors(samples_of(probe)) == {"options": 1, "loop": 1}
    finally:
        logger.removeHandler(handler)


@pytest.mark.parametrize("name", ["MODEL_VERSION", "SLURM_JOB_ID"])
def test_bytes_that_are_no_text_are_told_as_a_question_mark(
    begin: Start, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(os.environ, name, os.fsdecode(b"v\xff1"))
    (job,) = (s for s in samples_of(begin()) if s.name == "train_job_info")
    assert "v?1" in job.labels.values()


def test_a_host_without_a_name(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise OSError("no name")

    monkeypatch.setattr(identity.socket, "gethostname", nameless)
    told = samples_of(begin())
    assert values(told, "train_job_info") == [1]
    assert errors(told) == {"identity": 1}


@pytest.mark.parametrize("text", ["9" * 5000, "-1", "1.0", "\uff11"])
def test_a_rank_that_is_no_number_is_told_and_ignored(
    begin: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    monkeypatch.setenv("RANK", text)
    assert values(samples_of(begin()), "train_job_info", rank="0") == [1]
    (record,) = caplog.records
    assert "is not a number" in record.message
    assert len(record.message) < 200


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [
        ({"worker": "host:2222"}, None),
        ({"worker": {"0": "a-worker-0:1", "3": "a-worker-3:1"}}, (1, 2, "a")),
        ({"worker": {"three": "a-worker-3:1"}}, None),
        ({"worker": [], "chief": []}, (0, None, "")),
        ({"chief": [None]}, (0, 1, "")),
    ],
)
def test_clusters_of_all_kinds(
    begin: Start, monkeypatch: pytest.MonkeyPatch, cluster: object, expected: tuple[int, int | None, str] | None
) -> None:
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 3}}))
    probe = begin()
    found = probe.collector.identity
    if expected is None:
        assert errors(samples_of(probe)) == {"identity": 1}
    else:
        assert (found.rank, found.world_size, found.job) == expected
        assert not errors(samples_of(probe))


def test_a_port_beyond_the_last_one_is_any_free_one(
    begin: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LOCAL_RANK", "60000")
    assert values(samples_of(begin(port=9410)), "train_job_info") == [1]
    assert "(port 69410 does not exist)" in caplog.records[0].message


def test_no_free_port_is_told_with_the_ports_that_were_tried(
    begin: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(endpoint, "_PORTS", 0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        probe = begin(port=port)
    assert probe.url == ""
    assert f"all ports from {port} to {port} are in use" in caplog.records[0].message


def test_a_port_that_no_thread_can_serve_is_given_back(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Thread.start

    def refuse(thread: Thread) -> None:
        if thread.name == "gpuboards-probe-endpoint":
            raise RuntimeError("can't start new thread")
        start(thread)

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    monkeypatch.setattr(Thread, "start", refuse)
    probe = begin(port=port)
    assert (probe.url, dict(probe.faults.counts)) == ("", {"endpoint": 1})
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_ipv6_address_with_and_without_brackets(begin: Start, host: str) -> None:
    if not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    probe = begin(host=host)
    assert probe.url.startswith("http://[::1]:")
    assert "train_job_info" in text_of(probe)


@pytest.mark.parametrize("option", ["timeout", "gateway_interval"])
def test_no_wait_is_longer_than_a_system_can_wait(begin: Start, option: str) -> None:
    probe = begin(**{option: 1e12})
    assert (probe.settings.timeout, probe.settings.gateway_interval) == (2, 15)
    assert errors(samples_of(probe)) == {"options": 1}


def test_cards_may_have_spaces_between_them(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    uuid = "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"
    monkeypatch.setenv("GPUBOARDS_PROBE_CARDS", f"GPU:0={uuid}, GPU:1={uuid} ,")
    assert begin().settings.cards == {"GPU:0": uuid, "GPU:1": uuid}


def test_options_that_cannot_be_compared_are_other_options(begin: Start) -> None:
    class Array(list[float]):
        def __eq__(self, other: object) -> bool:
            raise ValueError("ambiguous")

        __hash__ = None  # type: ignore[assignment]

    probe = begin(buckets=Array([1.0]))
    assert begin(buckets=Array([1.0])) is probe


@pytest.mark.parametrize("seconds", [inf, nan, -1.0, "1"])
def test_a_duration_that_is_none_is_not_added_up(begin: Start, seconds: object) -> None:
    probe = begin()
    probe.begin()
    probe.step(seconds=seconds)  # type: ignore[arg-type]
    probe.step(seconds=2.0)
    told = samples_of(probe)
    assert values(told, "train_step_duration_seconds_sum") == [2]
    assert errors(told) == {"loop": 1}


def test_trainings_around_each_other_end_with_the_outer_one(begin: Start) -> None:
    probe = begin()
    with probe.training():
        with pytest.raises(KeyError), probe.training():
            raise KeyError
        assert probe.loop.active
    assert not probe.loop.active


@pytest.mark.parametrize("framework", ["mx\udcffnet", 5])
def test_any_name_of_a_framework_can_be_told(begin: Start, framework: object) -> None:
    probe = begin()
    probe.begin(framework)  # type: ignore[arg-type]
    assert values(samples_of(probe), "train_in_progress") == [1]


def test_batches_without_a_length_are_true(begin: Start) -> None:
    probe = begin()
    assert probe.batches(iter([]))
    assert not probe.batches([])


@pytest.mark.parametrize("accept", ["application/openmetrics-text; version=abc", "text/plain;version=", "a;;=;", "*/*"])
def test_a_client_may_accept_what_it_likes(begin: Start, accept: str) -> None:
    probe = begin()
    assert "train_job_info" in text_of(probe, Accept=accept)
    assert not errors(samples_of(probe))


def test_a_broken_renewal_keeps_the_certificate_in_use(begin: Start, tmp_path: Path) -> None:
    certificate, key = tmp_path / "tls.pem", tmp_path / "key.pem"
    shutil.copy(CERTIFICATES / "valid.pem", certificate)
    shutil.copy(CERTIFICATES / "key.pem", key)
    used = Certificate(str(certificate), str(key))
    noted: list[object] = []

    def context() -> ssl.SSLContext:
        return used.context(lambda op, error: noted.append((op, type(error))))

    first = context()
    for broken in (b"half a certificate", (CERTIFICATES / "README.md").read_bytes()):
        certificate.write_bytes(broken)
        os.utime(certificate, ns=(len(broken), len(broken)))
        assert context() is context() is first
    assert noted == [("certificate", ssl.SSLError)] * 2  # once for each, not at every connection
    certificate.unlink()
    assert context() is first
    shutil.copy(CERTIFICATES / "renewed.pem", certificate)
    assert context() is not first


def test_a_program_that_is_no_python_is_not_started_again(
    begin: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sweeper.subprocess, "Popen", lambda *_, **__: pytest.fail("started"))
    with pytest.raises(OSError, match="no Python"):
        Sweeper([], [])
    probe = begin(file_sd=str(tmp_path))
    assert errors(samples_of(probe)) == {"start": 1}
    assert len(list(tmp_path.iterdir())) == 1
    probe.stop()
    assert not list(tmp_path.iterdir())


def test_a_sweeper_that_was_killed_leaves_the_file_to_the_probe(begin: Start, tmp_path: Path) -> None:
    probe = begin(file_sd=str(tmp_path))
    process = probe._exposure._sweeper._process  # type: ignore[union-attr]
    process.kill()
    process.wait(60)
    probe.stop()
    assert not list(tmp_path.iterdir())
    assert probe.faults.counts == {"stop": 1}


def test_a_forked_child_tells_its_own_numbers_alone_in_a_shared_registry() -> None:
    code = """
import os, urllib.request
from prometheus_client import CollectorRegistry
from builder.probe import start
registry = CollectorRegistry()
probe = start(port=0, registry=registry)
probe.step()
child = os.fork()
if child == 0:
    own = start(port=0, registry=registry)
    text = urllib.request.urlopen(own.url).read().decode()
    os._exit(text.count("train_job_info{") * 10 + text.count("train_steps_total{"))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(urllib.request.urlopen(probe.url).read().decode().count("train_steps_total{"))
"""
    done = run_script(code)
    assert (done.stdout.split(), done.stderr) == (["10", "1"], "")


@pytest.mark.parametrize("inode", [0xEFFFFFFC, 4026532281])
def test_the_process_id_is_told_only_where_it_is_the_hosts(
    begin: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, inode: int
) -> None:
    link = tmp_path / "pid"
    link.symlink_to(f"pid:[{inode}]")
    monkeypatch.setattr(identity, "_PID_NAMESPACE", link)
    assert begin().collector.identity.host_pid == (os.getpid() if inode == 0xEFFFFFFC else None)


def test_without_prometheus_client_the_training_goes_on() -> None:
    code = """
import sys
sys.modules["prometheus_client"] = None
from builder.probe import start
probe = start()
with probe.training():
    probe.step()
probe.stop()
print(probe.loop.steps, repr(probe.url))
"""
    done = run_script(code)
    assert (done.returncode, done.stdout.split()) == (0, ["1", "''"])
    assert "prometheus_client" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("environment", [{"HOME": "", "TMPDIR": "/missing", "LANG": "C", "PYTHONUTF8": "0"}, {}])
def test_no_home_no_temporary_directory_and_no_utf_8(environment: dict[str, str]) -> None:
    code = """
import urllib.request
from builder.probe import start
probe = start(port=0)
probe.step(records=3)
assert "train_records_total" in urllib.request.urlopen(probe.url).read().decode()
"""
    done = run_script(code, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_warnings_that_are_errors_change_nothing() -> None:
    code = """
import os, urllib.request, warnings
warnings.simplefilter("error")
from builder.probe import start
probe = start(port=0, file_sd=os.path.dirname(os.path.abspath(os.sys.argv[1])))
probe.step()
assert "train_steps_total" in urllib.request.urlopen(probe.url).read().decode()
probe.stop()
"""
    done = run_script(code, __file__)
    assert (done.returncode, done.stderr) == (0, "")


def test_two_threads_that_start_at_once_get_one_probe(begin: Start) -> None:
    barrier, found = Barrier(8), []

    def both() -> None:
        barrier.wait(60)
        found.append(launch.start(port=0))

    threads = [Thread(target=both) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {id(probe) for probe in found} == {id(begin())}
    with urllib.request.urlopen(found[0].url, timeout=10) as answer:
        assert answer.status == 200

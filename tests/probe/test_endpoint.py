"""The endpoint: its port, what protects it, what it does while nobody asks."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from base64 import b64encode
from pathlib import Path

import pytest

from builder.probe import Probe, endpoint
from tests.probe.conftest import Start, errors, samples_of, text_of, values
from tests.probe.scraping import until

CERTIFICATES = Path(__file__).with_name("certificates")


def scrape_over_tls(url: str, trusted: Path) -> str:
    """The common name of the certificate that a verifying scrape was shown."""
    context = ssl.create_default_context(cafile=str(trusted))
    host, port = url.removeprefix("https://").removesuffix("/metrics").split(":")
    with (
        socket.create_connection((host, int(port)), timeout=10) as raw,
        context.wrap_socket(raw, server_hostname="localhost") as connection,
    ):
        subject = dict(pair[0] for pair in connection.getpeercert()["subject"])
        connection.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert b"train_job_info" in answer
    return subject["commonName"]


def test_it_listens_on_loopback_unless_told_otherwise(begin: Start) -> None:
    probe = begin()
    assert probe.url.startswith("http://127.0.0.1:")
    port = int(probe.url.removesuffix("/metrics").rsplit(":", 1)[1])
    with socket.socket() as other, pytest.raises(OSError):
        other.connect(("127.0.0.2", port))  # another address of the same machine


def test_all_addresses_where_exposure_is_asked_for(begin: Start) -> None:
    probe = begin(host="0.0.0.0")
    port = int(probe.url.removesuffix("/metrics").rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.2", port), timeout=5):
        pass


def test_each_rank_of_a_host_has_the_port_of_its_number(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_RANK", "3")
    base = _free_port()
    assert begin(port=base).url == f"http://127.0.0.1:{base + 3}/metrics"


def test_a_port_in_use_gives_the_next_free_one_and_says_so(begin: Start, caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        probe = begin(port=port)
        got = int(probe.url.removesuffix("/metrics").rsplit(":", 1)[1])
    assert port < got <= port + 64
    (record,) = caplog.records
    assert record.message == f"serving {probe.url} (port {port} is in use)"


def test_no_port_is_no_endpoint(begin: Start) -> None:
    assert begin(port=None).url == ""


def test_an_address_that_is_not_this_machines_costs_the_endpoint_alone(begin: Start) -> None:
    probe = begin(host="192.0.2.1")
    probe.step()
    assert (probe.url, probe.loop.steps) == ("", 1)


@pytest.mark.parametrize(("path", "status"), [("/metrics", 200), ("/", 200), ("/metrics?x=1", 200), ("/secret", 404)])
def test_paths(begin: Start, path: str, status: int) -> None:
    url = begin().url.removesuffix("/metrics") + path
    try:
        with urllib.request.urlopen(url) as answer:
            assert answer.status == status
    except urllib.error.HTTPError as error:
        with error:
            assert error.code == status


@pytest.mark.parametrize("how", ["password", "password_file"])
def test_basic_authentication(begin: Start, tmp_path: Path, how: str) -> None:
    secret = "correct horse"
    file = tmp_path / "password"
    file.write_text(secret + "\n")
    probe = begin(username="prometheus", **{how: str(file) if how == "password_file" else secret})

    def header(login: str) -> dict[str, str]:
        return {"Authorization": f"Basic {b64encode(login.encode()).decode()}"}

    assert "train_job_info" in text_of(probe, **header(f"prometheus:{secret}"))
    for wrong in ({}, header("prometheus:wrong"), header(f"other:{secret}"), {"Authorization": "é"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            text_of(probe, **wrong)
        with refused.value:
            assert refused.value.code == 401
            assert refused.value.headers["WWW-Authenticate"].startswith("Basic")


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_password_that_cannot_be_read_leaves_no_endpoint(begin: Start, tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_text(content)
    assert begin(username="prometheus", password_file=str(file)).url == ""


def test_tls(begin: Start) -> None:
    probe = begin(certificate=str(CERTIFICATES / "valid.pem"), key=str(CERTIFICATES / "key.pem"))
    assert probe.url.startswith("https://")
    assert scrape_over_tls(probe.url, CERTIFICATES / "valid.pem") == "probe"


def test_a_renewed_certificate_is_used_at_the_next_scrape(begin: Start, tmp_path: Path) -> None:
    certificate = tmp_path / "tls.pem"
    shutil.copy(CERTIFICATES / "valid.pem", certificate)
    probe = begin(certificate=str(certificate), key=str(CERTIFICATES / "key.pem"))
    assert scrape_over_tls(probe.url, CERTIFICATES / "valid.pem") == "probe"
    shutil.copy(CERTIFICATES / "renewed.pem", certificate)
    os.utime(certificate, ns=(1, 1))
    assert scrape_over_tls(probe.url, CERTIFICATES / "renewed.pem") == "probe renewed"


def test_an_expired_certificate_is_one_warning_and_still_the_endpoints(
    begin: Start, caplog: pytest.LogCaptureFixture
) -> None:
    probe = begin(certificate=str(CERTIFICATES / "expired.pem"), key=str(CERTIFICATES / "key.pem"))
    assert probe.url.startswith("https://")
    (record,) = caplog.records
    assert "certificate has expired" in record.message
    probe.step()
    assert probe.loop.steps == 1
    with pytest.raises(ssl.SSLCertVerificationError):
        scrape_over_tls(probe.url, CERTIFICATES / "expired.pem")


@pytest.mark.parametrize("key", ["other-key.pem", "README.md", "missing.pem"])
def test_a_certificate_that_cannot_be_used_leaves_no_endpoint_rather_than_an_open_one(begin: Start, key: str) -> None:
    probe = begin(certificate=str(CERTIFICATES / "valid.pem"), key=str(CERTIFICATES / key))
    assert probe.url == ""


def test_a_client_that_says_nothing_holds_up_nobody(begin: Start) -> None:
    probe = begin(certificate=str(CERTIFICATES / "valid.pem"), key=str(CERTIFICATES / "key.pem"))
    host, port = probe.url.removeprefix("https://").removesuffix("/metrics").split(":")
    with socket.create_connection((host, int(port))):
        since = time.monotonic()
        assert scrape_over_tls(probe.url, CERTIFICATES / "valid.pem") == "probe"
        assert time.monotonic() - since < 5


def test_more_clients_than_any_prometheus_has_are_refused_and_the_next_is_served(
    begin: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_CONNECTION_SECONDS", 0.5)
    probe = begin()
    address = ("127.0.0.1", int(probe.url.removesuffix("/metrics").rsplit(":", 1)[1]))
    before = set(threading.enumerate())  # with the servers of other tests in this process
    silent = [socket.create_connection(address) for _ in range(40)]
    try:
        until(lambda: bool(set(threading.enumerate()) - before), lambda: "nobody is served")
        assert len(set(threading.enumerate()) - before) <= 8
        until(lambda: _is_served(probe), lambda: "clients that say nothing hold the endpoint")
    finally:
        for connection in silent:
            connection.close()


def _is_served(probe: Probe) -> bool:
    try:
        return "train_job_info" in text_of(probe)
    except (OSError, http.client.HTTPException):
        return False


def test_two_scrapes_at_once_are_both_answered_and_neither_is_an_error(begin: Start) -> None:
    probe = begin()
    probe.step()
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(text_of(probe))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.count("train_steps_total{") for answer in answers] == [1] * 4
    assert not errors(samples_of(probe))


def test_no_thread_wakes_while_nobody_scrapes(begin: Start) -> None:
    probe = begin()
    probe.step()
    text_of(probe)
    time.sleep(0.3)

    own = [thread.native_id for thread in threading.enumerate() if thread.name.startswith("gpuboards-probe")]
    assert len(own) == 1  # the endpoint's

    def switches() -> int:
        lines = Path(f"/proc/self/task/{own[0]}/status").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)

    before = switches()
    time.sleep(1.5)
    assert switches() == before


def test_a_registry_of_the_scripts_own_is_served_too(begin: Start) -> None:
    from prometheus_client import CollectorRegistry, Gauge

    registry = CollectorRegistry(auto_describe=True)
    Gauge("learning_rate", "Learning rate.", registry=registry).set(0.1)
    told = samples_of(begin(registry=registry))
    assert values(told, "learning_rate") == [0.1]
    assert values(told, "train_job_info") == [1]


def test_after_stop_the_port_is_free_again(begin: Start) -> None:
    probe = begin()
    address = ("127.0.0.1", int(probe.url.removesuffix("/metrics").rsplit(":", 1)[1]))
    probe.stop()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(address)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1]) - 3


def test_after_stop_a_registry_of_the_scripts_own_holds_the_probe_no_more(begin: Start) -> None:
    from prometheus_client import CollectorRegistry

    registry = CollectorRegistry(auto_describe=True)
    begin(registry=registry).stop()
    assert values(samples_of(begin(registry=registry)), "train_job_info") == [1]

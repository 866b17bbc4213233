"""The server: what it answers to a scrape, to a service discovery, and to a mistake."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests
import yaml

from builder.errors import UsageError
from builder.simulate import Fleet
from builder.simulate.serve import FleetServer, scrape_configuration


class Clock:
    """A time that stands still."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@contextmanager
def serving(fleet: Fleet, clock: Clock) -> Iterator[str]:
    """The address of a running server."""
    with FleetServer(fleet, 0, clock) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://{server.address}"
        server.shutdown()
        thread.join()


@pytest.fixture
def fleet() -> Fleet:
    return Fleet(nodes=2, cards=2, faults=["exporter-down:node-1@10m", "lost:node-0/gpu-1@10m"])


def test_a_scrape_is_answered_with_the_text_of_the_moment(fleet: Fleet) -> None:
    clock = Clock(fleet.start + 300)
    with serving(fleet, clock) as url:
        for path, exporter in (("gpu", "gpu"), ("host", "host"), ("train-0", "train-0")):
            answer = requests.get(f"{url}/node-0/{path}/metrics", timeout=5)
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert answer.text == fleet.exposition("node-0", clock.now, exporter)
        assert "kube_node_status_capacity" in requests.get(f"{url}/kube-state-metrics/metrics", timeout=5).text


def test_what_is_down_does_not_answer_and_what_is_not_there_is_not_found(fleet: Fleet) -> None:
    with serving(fleet, Clock(fleet.start + 900)) as url:
        codes = {
            path: requests.get(f"{url}/{path}/metrics", timeout=5).status_code
            for path in (
                "node-0/gpu",
                "node-1/gpu",
                "node-1/host",
                "node-0/train-1",
                "node-2/gpu",
                "node-0/x",
                "favicon.ico",
            )
        }
        odd = requests.get(f"{url}/node-0/train-%C2%B2/metrics", timeout=5).status_code
        with socket.create_connection(url.removeprefix("http://").split(":"), timeout=5) as raw:
            raw.sendall(b"GET /node-0/train-\xb2/metrics HTTP/1.0\r\n\r\n")  # a digit that is no number
            assert b" 404 " in raw.recv(100) and odd == 404
        codes["train-x"] = requests.get(f"{url}/node-0/train-7/metrics", timeout=5).status_code
    assert codes == {
        "node-0/gpu": 200,
        "node-1/gpu": 503,
        "node-1/host": 200,
        "node-0/train-1": 503,
        "node-2/gpu": 404,
        "node-0/x": 404,
        "favicon.ico": 404,
        "train-x": 404,
    }


@pytest.mark.parametrize(
    "options", [{}, {"honor_labels": True}, {"kubernetes": False}, {"training": "none", "host": False}]
)
def test_the_configuration_discovers_every_target_once(options: dict[str, object]) -> None:
    fleet = Fleet(nodes=2, cards=2, **options)  # type: ignore[arg-type]
    with serving(fleet, Clock(fleet.start)) as url:
        configuration = yaml.safe_load(scrape_configuration(fleet, url.removeprefix("http://"), "5s"))
        assert requests.get(url, timeout=5).text.endswith(scrape_configuration(fleet, url.removeprefix("http://")))
        found = []
        for job in configuration["scrape_configs"]:
            (discovery,) = job["http_sd_configs"]
            for group in requests.get(discovery["url"], timeout=5).json():
                labels = dict(group["labels"])
                path = labels.pop("__metrics_path__")
                found.append((path, tuple(sorted(labels.items())), job["honor_labels"]))
                assert group["targets"] == [url.removeprefix("http://")]
                assert labels["job"] == job["job_name"]
    expected = [
        (f"/{t.path}/metrics", tuple(sorted(t.labels.items())), t.honor_labels) for t in fleet.targets(fleet.start)
    ]
    assert sorted(found) == sorted(expected)
    assert configuration["global"] == {"scrape_interval": "5s"}


def test_training_processes_come_and_go() -> None:
    fleet = Fleet(nodes=2, cards=2, job_hours=0.5)
    clock = Clock(fleet.start)
    pods = set()
    with serving(fleet, clock) as url:
        for _ in range(60):
            groups = json.loads(requests.get(f"{url}/targets/training", timeout=5).text)
            pods.add(frozenset(group["labels"]["pod"] for group in groups))
            clock.now += 60
    assert len(pods) > 3


def test_a_port_that_is_taken_is_told_of() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
            FleetServer(Fleet(nodes=1, cards=1), port)

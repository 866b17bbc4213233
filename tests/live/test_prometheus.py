"""The harness against the real thing: what it claims of Prometheus, Prometheus must confirm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.errors import ServerError, UsageError
from builder.testing import (
    AT,
    ExpositionServer,
    Prometheus,
    Sample,
    Target,
    history,
    scraped,
    service_monitor,
    static_target,
)
from builder.testing.exposition import format_labels
from tests.live.fleets import FLEETS
from tests.live.targets import exposition

pytestmark = pytest.mark.live

_ADDED = frozenset({"scrape_duration_seconds", "scrape_samples_scraped"})  # and scrape_samples_*, scrape_series_*


def _text(samples: tuple[Sample, ...]) -> set[str]:
    return {f"{s.name}{format_labels(s.labels)} {s.value!r}" for s in samples}


def _everything(prometheus: Prometheus, at: float) -> set[str]:
    found = prometheus.client.instant('{__name__!="",__name__!~"scrape_.+"}', at)
    plain = ({k: v for k, v in s.labels.items() if k != "__name__"} for s in found)
    samples = (Sample(s.labels["__name__"], labels, s.last) for s, labels in zip(found, plain, strict=True))
    return _text(tuple(samples))


_AWKWARD = r"""
x{pod="a",exported_pod="b",note="q\"b\\s\nü {}",empty=""} 1.5
y{job="own",instance=""} 2e10
z 0
"""
_LABELS = {"job": "j", "instance": "i:1", "pod": "exporter", "namespace": "monitoring"}
_TARGETS = (
    service_monitor(exposition("dcgm_B_3.3.7-to-4.8.2_k8s_2gpu"), pod="dcgm-exporter-x7k2p", instance="10.0.3.1:9400"),
    service_monitor(
        exposition("dcgm_A_le3.1.8_k8s_2gpu"), pod="exporter-a", instance="10.0.3.2:9400", honor_labels=True
    ),
    service_monitor(exposition("dcgm_A0_k8s_2gpu"), pod="exporter-0", instance="10.0.3.3:9400"),
    static_target(exposition("nvidia_gpu_exporter_node1"), job="smi", instance="gpu-node-11:9835", node="n11"),
    Target(_AWKWARD, _LABELS),
    Target(_AWKWARD, {**_LABELS, "instance": "i:2"}, honor_labels=True),
)


def test_a_real_scrape_gives_exactly_the_series_that_the_helpers_say() -> None:
    expected = {line for target in _TARGETS for line in _text(scraped(target))}
    with Prometheus(_TARGETS, scrapes=1) as live:
        assert _everything(live, time.time()) == expected
    with Prometheus(history=history(_TARGETS)) as prepared:
        assert _everything(prepared, AT) == expected


def test_a_history_has_the_slopes_and_the_levels_that_were_asked_for() -> None:
    text = 'energy_total{gpu="0"} 100000\nenergy_total{gpu="1"} 50000\nused 7\nleak 5000\n'
    target = static_target(
        text,
        job="j",
        instance="i",
        per_second={"energy_total": 2.0, 'energy_total{gpu="1"}': 0.5, "leak": 1.0},
    )
    with Prometheus(history=history([target])) as prometheus:

        def ask(expr: str) -> list[float]:
            return [series.last for series in prometheus.client.instant(expr, AT)]

        assert ask('energy_total{gpu="0"}') == [100000]
        assert ask("rate(energy_total[2m])") == pytest.approx([2.0, 0.5])
        assert ask("increase(energy_total[30m])") == pytest.approx([3600, 900])
        assert ask("count_over_time(used[1h:30s])") == [121]
        assert ask("stddev_over_time(used[1h])") == [0]
        assert ask("deriv(leak[30m])") == pytest.approx([1.0])
        assert ask("min_over_time(leak[1h])") == [1400]
        assert ask("up") == [1]


@pytest.mark.parametrize(
    ("exposed", "slopes", "message"),
    [
        ("steps_total 10\n", {"steps_total": 1.0}, "below zero"),
        ("steps_total 10\n", {"other_total": 1.0}, "does not expose"),
        ('steps_total{rank="0"} 10\n', {'steps_total{rank="1"}': 1.0}, "does not expose"),
        ("steps_total 10\n", {"steps_total{": 1.0}, "not a series"),
        ("steps_total 10\nsteps_total 11\n", {}, "two samples of one series"),
        ("steps_total{rank=0} 10\n", {}, "line 1"),
    ],
)
def test_an_impossible_history_is_refused(exposed: str, slopes: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        history([static_target(exposed, job="j", instance="i", per_second=slopes)])


def test_a_target_needs_job_and_instance() -> None:
    with pytest.raises(UsageError, match="instance"):
        Target("", {"job": "j"})


def test_every_fleet_has_a_history(prometheus_of: Callable[[str], Prometheus]) -> None:
    for name, fleet in FLEETS.items():
        up = prometheus_of(name).client.instant("up", AT)
        assert len(up) == len((*fleet.targets, *fleet.late)), name
        assert len(prometheus_of(name).client.series("up")) == len((*fleet.targets, *fleet.late, *fleet.silent)), name


def test_a_scrape_that_fails_says_which_and_why() -> None:
    with (
        pytest.raises(ServerError, match=r"gpu-node-01(.|\n)*scrape failed"),
        Prometheus([static_target("what is this\n", job="dcgm", instance="gpu-node-01:9400")]),
    ):
        pass


def test_a_history_that_is_not_openmetrics_is_refused() -> None:
    with pytest.raises(ServerError, match="promtool"), Prometheus(history="a 1\n"):
        pass


def test_a_missing_binary_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerError, match="prometheus is not installed") as caught, Prometheus():
        pass
    assert "apt-get install" in caught.value.fix


def test_a_refused_query_gives_the_servers_words(prometheus_of: Callable[[str], Prometheus]) -> None:
    with pytest.raises(ServerError, match="parse error"):
        prometheus_of("nvidia-gpu").client.instant("sum(", AT)


def test_what_is_not_prometheus_is_told_apart() -> None:
    with ExpositionServer({"x": "up 1\n"}) as server, pytest.raises(ServerError, match="not JSON"):
        from builder.testing import Client

        Client(f"http://{server.address}").instant("up", AT)


def test_files_and_functions_are_read_at_every_scrape(tmp_path: Path) -> None:
    import requests

    file = tmp_path / "x.prom"
    file.write_text("up 1\n")
    values = iter(["a 1\n", "a 2\n"])
    with ExpositionServer({"file": file, "function": lambda: next(values)}) as server:

        def read(name: str) -> str:
            with requests.get(server.url(name), timeout=5) as response:
                return response.text

        assert read("file") == "up 1\n"
        file.write_text("up 0\n")
        assert [read("file"), read("function"), read("function")] == ["up 0\n", "a 1\n", "a 2\n"]
        with requests.get(f"http://{server.address}/nothing/metrics", timeout=5) as response:
            assert response.status_code == 404


_CHILD = """
import sys, time
from builder.testing import Prometheus
with Prometheus() as prometheus:
    print(prometheus.url, flush=True)
    time.sleep(60)
"""


def test_a_killed_test_run_leaves_no_prometheus_behind() -> None:
    from builder.testing import Client

    child = subprocess.Popen([sys.executable, "-c", _CHILD], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout:
        client = Client(child.stdout.readline().strip())
        assert client.ready()
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        deadline = time.monotonic() + 10
        while client.ready() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not client.ready()
        client.close()

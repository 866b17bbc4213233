"""What the probe tells beside what nvidia_gpu_exporter tells of the same process: the parts of the gap."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from builder.build import context_of
from builder.config import Config
from builder.probe import identity
from builder.queries import gap
from builder.testing import AT, Client, Prometheus, history, static_target
from tests.probe import scripted
from tests.probe.conftest import Start, text_of

pytestmark = pytest.mark.live

CARD = "8b2281de-6d3c-22ed-0ec8-d3b864870b8b"
GIB = 1 << 30
PARTS = (gap.pool_slack, gap.beside_pools, gap.other_processes, gap.gap_rest)

# The card holds 80 GiB, of which this process 79: a notebook has what it has of the rest.
DEVICE = f"""
nvidia_smi_gpu_info{{uuid="{CARD}",index="0",name="NVIDIA H100 80GB HBM3"}} 1
nvidia_smi_memory_used_bytes{{uuid="{CARD}"}} {80 * GIB}
nvidia_smi_compute_app_used_memory_bytes{{uuid="{CARD}",pid="PID",process_name="python3"}} {79 * GIB}
nvidia_smi_compute_app_used_memory_bytes{{uuid="{CARD}",pid="1",process_name="notebook"}} {GIB // 2}
"""


@pytest.mark.parametrize(
    ("tensorflow", "on_the_host", "expected"),
    [
        # 40 GiB in use, 48 at the peak, and a pool of 78 GiB where it took it at once
        (scripted.Tf(), True, (38, 1, 1, 0)),
        (scripted.Tf(growth=True), True, (8, None, 1, 31)),
        (scripted.Tf(), False, (38, None, None, 2)),
    ],
    ids=["all-at-once", "growing", "in-a-container"],
)
def test_the_parts_of_the_gap(
    begin: Start,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tensorflow: scripted.Tf,
    on_the_host: bool,
    expected: tuple[float | None, ...],
) -> None:
    link = tmp_path / "pid"
    link.symlink_to(f"pid:[{0xEFFFFFFC if on_the_host else 4026532281}]")
    monkeypatch.setattr(identity, "_PID_NAMESPACE", link)
    tensorflow.install(monkeypatch)
    targets = (
        static_target(text_of(begin(cards={"GPU:0": f"GPU-{CARD}"})), job="training", instance="n1:9410"),
        static_target(DEVICE.replace("PID", str(os.getpid())), job="smi", instance="n1:9835"),
    )
    source = context_of(Config(profile="nvidia-smi", training="probe")).source(())
    scrapes = history(targets, at=AT, seconds=300, interval=30)
    with Prometheus(history=scrapes) as server, closing(Client(server.url)) as client:
        found = [client.instant(part.ask(source).text, AT) for part in PARTS]
    told = [series[0].last / GIB if series else None for series in found]
    assert told == list(expected)

"""A probe for each test, with a clean environment, and what it answers to a scrape."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from builder.probe import Probe, identity, start
from builder.testing import Sample, parse_exposition

ROOT = Path(__file__).parents[2]
Start = Callable[..., Probe]

_TELLING = ("GPUBOARDS_", "SLURM_", "OMPI_", "PMI", "MPI_", "CUDA_", "NVIDIA_", "TF_", "KUBERNETES_", "RAY_", "TORCH")
_NAMES = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "POD_NAME", "POD_NAMESPACE", "NAMESPACE", "MODEL_VERSION")


@pytest.fixture(autouse=True)
def _nothing_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of a machine where nothing launches jobs, and no number that the host would know."""
    monkeypatch.setattr(identity, "_PID_NAMESPACE", tmp_path / "no-namespace")
    for name in os.environ:
        if name.startswith(_TELLING) or name in _NAMES:
            monkeypatch.delenv(name)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Start]:
    """``start()`` on any free port; the probe is stopped after the test."""
    started: list[Probe] = []

    def call(**options: object) -> Probe:
        probe = start(**{"port": 0, **options})  # type: ignore[arg-type]
        started.append(probe)
        return probe

    yield call
    for probe in started:
        probe.stop()


def text_of(probe: Probe, **headers: str) -> str:
    """What a scrape of the probe answers."""
    assert probe.url, "the probe has no endpoint"
    with urllib.request.urlopen(urllib.request.Request(probe.url, headers=headers), timeout=10) as answer:
        return str(answer.read().decode())


def samples_of(probe: Probe) -> tuple[Sample, ...]:
    """The samples of a scrape of the probe."""
    return parse_exposition(text_of(probe))


def values(samples: tuple[Sample, ...], name: str, **labels: str) -> list[float]:
    """The values of the samples with this name and at least these labels."""
    return [s.value for s in samples if s.name == name and labels.items() <= s.labels.items()]


def errors(samples: tuple[Sample, ...]) -> dict[str, float]:
    """The probe's own failures by operation."""
    return {s.labels["op"]: s.value for s in samples if s.name == "train_probe_errors_total"}


def run_script(
    code: str, *arguments: str, environment: Mapping[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a training script in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )

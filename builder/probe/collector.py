"""The probe's metrics, made anew for each scrape. Nothing is read before one asks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from builder.probe.devices import Devices, Reading
from builder.probe.faults import Faults
from builder.probe.identity import Identity
from builder.probe.loop import Loop

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

Labels = Mapping[str, str]

_MEMORY = {
    "in_use": "Device memory in live tensors, as the framework counts it.",
    "peak": "Highest device memory in live tensors since the start.",
    "pool": "Device memory held by the framework's pool.",
    "limit": "The most that the framework's pool may hold.",
}
_RATE_SECONDS = 15.0


class Collector:
    """A prometheus_client collector. It never raises: what fails is absent and counted."""

    def __init__(self, loop: Loop, devices: Devices, faults: Faults) -> None:
        self.identity = Identity()
        self.silent = False
        self._loop = loop
        self._devices = devices
        self._faults = faults
        self._lock = Lock()  # taken by scrapes only, never by the loop
        self._seen: deque[tuple[float, int]] = deque([(perf_counter(), 0)])

    def describe(self) -> Iterable[Metric]:
        """Nothing: a registry that asks for names at registration must not read a device."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All metrics that there is something to say of; none where it is silent."""
        if self.silent:
            return
        for part in (self._job, self._loop_metrics, self._device_metrics, self._errors):
            try:
                families = list(part())
            except Exception as error:
                self._faults.note("collect", error)
                continue
            yield from families

    def _base(self) -> dict[str, str]:
        identity = self.identity
        labels = {"rank": str(identity.rank), "training_job": identity.job, "model_version": identity.model_version}
        return {name: value for name, value in labels.items() if value}

    def _job(self) -> Iterator[Metric]:
        identity = self.identity
        labels = {
            "local_rank": str(identity.local_rank),
            "world_size": "" if identity.world_size is None else str(identity.world_size),
            "namespace": identity.namespace,
            "pod": identity.pod,
            "node": identity.node,
            "scheduler": identity.scheduler,
            **self._base(),
        }
        labels = {name: value for name, value in labels.items() if value}
        yield _family("train_job_info", "gauge", "Which job and rank this process is.", [(labels, 1.0)])

    def _loop_metrics(self) -> Iterator[Metric]:
        loop = self._loop
        if loop.started is None:  # the framework's name is known when training begins
            return
        labels = self._base()
        if loop.framework:
            labels["framework"] = loop.framework

        def one(name: str, kind: str, help: str, value: float | None) -> Iterator[Metric]:
            if value is not None:
                yield _family(name, kind, help, [(labels, float(value))])

        yield from one("train_in_progress", "gauge", "1 while training runs.", loop.active)
        yield from one("train_start_timestamp_seconds", "gauge", "Unix time when training began.", loop.started)
        yield from one("train_end_timestamp_seconds", "gauge", "Unix time of its end, once it has ended.", loop.ended)
        yield from one("train_steps", "counter", "Training steps done by this process.", loop.steps)
        if loop.initial_step is not None:
            step = loop.initial_step + loop.steps
            yield from one("train_global_step", "gauge", "Training steps since the first start of the job.", step)
        yield from one("train_records", "counter", "Training records (examples) processed.", loop.records)
        yield from one("train_last_step_timestamp_seconds", "gauge", "Unix time of the last step.", loop.last_step)
        yield from one("train_input_wait_seconds", "counter", "Time spent waiting for input.", loop.waited)
        yield _durations(loop, labels)
        yield _family(
            "train_phase",
            "gauge",
            "1 for the phase that the loop is in.",
            [({**labels, "phase": name}, float(name == loop.phase)) for name in loop.phase_seconds()],
        )
        yield _family(
            "train_phase_seconds",
            "counter",
            "Time spent in each phase.",
            [({**labels, "phase": name}, seconds) for name, seconds in loop.phase_seconds().items()],
        )
        if loop.checkpoints:
            yield from one("train_checkpoints", "counter", "Checkpoints written.", loop.checkpoints)
            yield from one("train_checkpoint_seconds", "counter", "Time spent on checkpoints.", loop.checkpoint_seconds)
            at = loop.last_checkpoint
            yield from one("train_last_checkpoint_timestamp_seconds", "gauge", "Unix time of the last checkpoint.", at)
        if loop.framework == "tensorflow":
            yield from self._snippet()

    def _snippet(self) -> Iterator[Metric]:
        """The names of the few lines that TensorFlow scripts carry, for the panels and alerts that read them."""
        records, rate = self._loop.records, self._steps_per_second()
        if records is not None:
            same = "Training records processed; the same as train_records_total."
            yield _family("tfr_records_processed", "counter", same, [({}, float(records))])
        if rate is not None:
            lately = "Training steps per second, lately; rate(train_steps_total) is better."
            yield _family("tfr_steps_per_second", "gauge", lately, [({}, rate)])

    def _steps_per_second(self) -> float | None:
        """Over the last 15 seconds or more, whoever scrapes how often."""
        now, steps = perf_counter(), self._loop.steps
        with self._lock:
            seen = self._seen
            while len(seen) > 1 and now - seen[1][0] >= _RATE_SECONDS:
                seen.popleft()
            since, before = seen[0]
            if now - seen[-1][0] >= 1.0:
                seen.append((now, steps))
        return (steps - before) / (now - since) if now - since >= 1.0 else None

    def _device_metrics(self) -> Iterator[Metric]:
        readings = self._devices.read(started=self._loop.steps > 0)
        base = self._base()
        labels = [{**base, **_device_labels(reading)} for reading in readings]
        for kind, meaning in _MEMORY.items():
            samples = [(own, r.bytes[kind]) for own, r in zip(labels, readings, strict=True) if kind in r.bytes]
            if samples:
                yield _family(f"train_device_memory_{kind}_bytes", "gauge", meaning, samples)
        pid = self.identity.host_pid
        host = {} if pid is None else {"pid": str(pid)}
        cards = [
            ({**own, **_card_labels(reading), **host}, 1.0)
            for own, reading in zip(labels, readings, strict=True)
            if reading.match.card is not None or not reading.device.name.startswith("CPU:")
        ]
        if cards:
            yield _family("train_device_info", "gauge", "Which card a training process uses, and who says so.", cards)
        snippet = [
            ({"device": r.device.name}, r.bytes["in_use"])
            for r in readings
            if r.framework == "tensorflow" and r.device.name.startswith("GPU:") and "in_use" in r.bytes
        ]
        if snippet:
            same = "Device memory in live tensors; the same as train_device_memory_in_use_bytes."
            yield _family("tf_gpu_memory_current_bytes", "gauge", same, snippet)

    def _errors(self) -> Iterator[Metric]:
        samples = [({**self._base(), "op": op}, float(n)) for op, n in sorted(self._faults.counts.items())]
        yield _family("train_probe_errors", "counter", "What failed inside the probe, by operation.", samples)


def _device_labels(reading: Reading) -> dict[str, str]:
    card = reading.match.card
    labels = {"framework": reading.framework, "device": reading.device.name}
    if card is not None:
        labels |= {"uuid": card.uuid, "gpu": "" if card.index is None else str(card.index), "mig": card.mig}
    return {name: value for name, value in labels.items() if value}


def _card_labels(reading: Reading) -> dict[str, str]:
    card = reading.match.card
    labels = {"mapping": reading.match.mapping}
    if card is not None and card.pci:
        labels["pci_bus_id"] = card.pci
    return labels


def _durations(loop: Loop, labels: Labels) -> Metric:
    family = _family("train_step_duration_seconds", "histogram", "Duration of training steps, input wait included.", [])
    total, in_bucket, seconds = 0, tuple(loop.in_bucket), loop.step_seconds
    for bound, count in zip((*loop.bounds, inf), in_bucket, strict=True):
        total += count
        le = "+Inf" if bound == inf else repr(float(bound))
        family.add_sample("train_step_duration_seconds_bucket", {**labels, "le": le}, float(total))
    family.add_sample("train_step_duration_seconds_count", dict(labels), float(total))
    family.add_sample("train_step_duration_seconds_sum", dict(labels), seconds)
    return family


def _family(name: str, kind: str, help: str, samples: Iterable[tuple[Labels, float]]) -> Metric:
    from prometheus_client.metrics_core import Metric

    family = Metric(name, help, kind)
    suffix = "_total" if kind == "counter" else ""
    for labels, value in samples:
        family.add_sample(name + suffix, dict(labels), value)
    return family

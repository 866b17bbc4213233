"""The text of a training process: that of the probe, or of the few lines that tutorials put into a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from builder.catalog.profiles.training import PROBE, SNIPPET
from builder.simulate.exposition.columns import name_of
from builder.simulate.exposition.page import NO_LABELS, Family, Labels, Page, Pairs, python_number
from builder.simulate.model.chance import hexadecimal
from builder.simulate.model.device import pid
from builder.simulate.model.hardware import MIB
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card
from builder.simulate.model.rhythm import Phase
from builder.simulate.model.training import BUCKETS, Rank

_MEMORY: tuple[tuple[str, str, Callable[[Rank], int]], ...] = (
    ("framework_memory_in_use", "Device memory in live tensors, as the framework counts it.", lambda r: r.memory.live),
    ("framework_memory_peak", "Highest device memory in live tensors since the start.", lambda r: r.memory.peak),
    ("framework_memory_pool", "Device memory held by the framework's pool.", lambda r: r.memory.held),
    ("framework_memory_limit", "The most that the framework's pool may hold.", lambda r: r.memory.limit),
)


def probe(rank: Rank, start: float, contained: bool) -> Page:
    """What the probe of one process answers; ``start`` is the Unix time at which the fleet's time begins.

    A ``contained`` process does not know its number on the host.
    """
    return [*_job(rank), *_loop(rank, start), *_devices(rank, contained)]


def snippet(ranks: Sequence[Rank], speed: float) -> Page:
    """What the script of a node answers: one process that sees every card of its job on the node."""
    memory = Family(name_of(SNIPPET, "framework_memory_in_use"), "gauge", "Bytes in use as TensorFlow counts them.")
    for rank in ranks:
        memory.add(_snippet_labels(rank.card.index), python_number(rank.memory.live * MIB))
    done = sum(rank.steps * rank.job.batch for rank in ranks)
    records = Family(name_of(SNIPPET, "records"), "counter", "Records processed.")
    records.add(NO_LABELS, python_number(done))
    steps = Family(name_of(SNIPPET, "steps_per_second"), "gauge", "Steps per second.")
    steps.add(NO_LABELS, python_number(round(speed, 6)))
    return [memory, records, steps]


def _job(rank: Rank) -> Iterator[Family]:
    yield _one("train_job_info", "gauge", "Which job and rank this process is.", _job_labels(rank.card, rank.job), 1)


def _loop(rank: Rank, start: float) -> Iterator[Family]:
    labels = _loop_labels(rank.card, rank.job)

    def one(name: str, kind: str, help: str, value: float) -> Family:
        return _one(name, kind, help, labels, value)

    def named(signal: str, kind: str, help: str, value: float) -> Family:
        return one(name_of(PROBE, signal), kind, help, value)

    yield named("job_active", "gauge", "1 while training runs.", rank.phase is not None)
    begun = round(start + rank.job.begin, 3)
    yield named("job_started", "gauge", "Unix time of the last begin of training.", begun)
    yield named("steps", "counter", "Training steps done by this process.", rank.steps)
    yield named("records", "counter", "Training records (examples) processed.", rank.steps * rank.job.batch)
    if rank.last_step is not None:
        at = round(start + rank.last_step, 3)
        yield named("last_step", "gauge", "Unix time of the last step.", at)
    yield named("input_wait", "counter", "Time spent waiting for input.", round(rank.waited, 3))
    yield _durations(rank, labels)
    names = [phase.name.lower() for phase in Phase]
    phases = Family("train_phase", "gauge", "1 for the phase that the loop is in.")
    seconds = Family("train_phase_seconds_total", "counter", "Time spent in each phase.")
    for name, phase, spent in zip(names, Phase, rank.phase_seconds, strict=True):
        own = _phase_labels(rank.card, rank.job, name)
        phases.add(own, python_number(phase == rank.phase))
        seconds.add(own, python_number(round(spent, 3)))
    yield phases
    yield seconds
    if rank.checkpoints:
        yield named("checkpoints", "counter", "Checkpoints written.", rank.checkpoints)
        yield named("checkpoint_time", "counter", "Time spent on checkpoints.", rank.checkpoint_seconds)
        at = round(start + rank.last_checkpoint, 3)
        yield named("last_checkpoint", "gauge", "Unix time of the last checkpoint.", at)


def _durations(rank: Rank, labels: Labels) -> Family:
    name = name_of(PROBE, "step_time").removesuffix("_sum")
    family = Family(name, "histogram", "Duration of training steps, input wait included.")
    for position, count in enumerate(rank.cumulative):
        bucket = _bucket_labels(rank.card, rank.job, position)
        family.samples.append((f"{name}_bucket", bucket, python_number(count)))
    family.samples.append((f"{name}_count", labels, python_number(rank.cumulative[-1])))
    family.samples.append((f"{name}_sum", labels, python_number(round(rank.step_seconds, 3))))
    return family


def _devices(rank: Rank, contained: bool) -> Iterator[Family]:
    labels = _device_labels(rank.card, rank.job)
    for signal, words, read in _MEMORY:
        # TensorFlow tells what its pool holds only where it took all memory at once.
        if signal != "framework_memory_pool" or rank.job.framework != "tensorflow":
            yield _one(name_of(PROBE, signal), "gauge", words, labels, read(rank) * MIB)
    info = name_of(PROBE, "training_device_info")
    words = "Which card a training process uses, and who says so."
    yield _one(info, "gauge", words, _card_labels(rank.card, rank.job, contained), 1)


def _one(name: str, kind: str, help: str, labels: Labels, value: float) -> Family:
    return Family(name, kind, help, [(name, labels, python_number(value))])


@lru_cache(maxsize=65536)
def _job_labels(card: Card, job: Job) -> Labels:
    more = {
        "local_rank": str(card.position),
        "namespace": job.namespace,
        "node": card.node,
        "pod": job.pod(card.node),
        "scheduler": "kubernetes",
        "world_size": str(job.world),
    }
    return _sorted((*_base(card, job), *more.items()))


@lru_cache(maxsize=65536)
def _loop_labels(card: Card, job: Job) -> Labels:
    return _sorted((*_base(card, job), ("framework", job.framework)))


@lru_cache(maxsize=65536)
def _phase_labels(card: Card, job: Job, phase: str) -> Labels:
    return _sorted((*_base(card, job), ("framework", job.framework), ("phase", phase)))


@lru_cache(maxsize=262144)
def _bucket_labels(card: Card, job: Job, position: int) -> Labels:
    bound = python_number(BUCKETS[position]) if position < len(BUCKETS) else "+Inf"
    return Labels((*_loop_labels(card, job).pairs, ("le", bound)))


@lru_cache(maxsize=65536)
def _device_labels(card: Card, job: Job) -> Labels:
    return _sorted((*_base(card, job), *_device(card, job)))


@lru_cache(maxsize=65536)
def _card_labels(card: Card, job: Job, contained: bool) -> Labels:
    more = [("mapping", "cuda_visible_devices"), ("pci_bus_id", card.pci)]
    if not contained:
        more.append(("pid", str(pid(card, job.name))))
    return _sorted((*_base(card, job), *_device(card, job), *more))


@lru_cache(maxsize=64)
def _snippet_labels(index: int) -> Labels:
    return Labels([("device", f"GPU:{index}")])


def _base(card: Card, job: Job) -> Pairs:
    version = hexadecimal(7, job.lane.seed, job.name)
    return (
        ("rank", str(job.rank(card.node, card.position))),
        ("training_job", job.name),
        ("model_version", version),
    )


def _device(card: Card, job: Job) -> Pairs:
    # Each process is given one card, which it therefore calls GPU:0, whatever the card's index.
    return (("device", "GPU:0"), ("framework", job.framework), ("gpu", str(card.index)), ("uuid", card.uuid))


def _sorted(pairs: Pairs) -> Labels:
    return Labels(sorted(pairs))

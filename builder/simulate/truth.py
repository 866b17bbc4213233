"""What is true of a fleet at a moment: the planted facts that a board, a rule or an alert must find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from builder.simulate.fleet import Fleet
from builder.simulate.model.course import job_on
from builder.simulate.model.device import device
from builder.simulate.model.fault import KINDS, Fault
from builder.simulate.model.hardware import MIB
from builder.simulate.model.host import host
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card, Node
from builder.simulate.model.rhythm import Phase
from builder.simulate.model.training import rank, steps_per_second


@dataclass(frozen=True)
class CardTruth:
    """A card, or a MIG instance of one (``mig`` such as ``mig-1``), in canonical labels.

    ``signals`` holds the value of every signal of the catalogue that it has, in base units; it is empty for
    a lost card. ``faults`` are the kinds of fault that are in effect on it.
    """

    node: str
    gpu: str
    uuid: str
    model: str
    mig: str = ""
    namespace: str = ""
    pod: str = ""
    container: str = ""
    job: str = ""
    signals: Mapping[str, float] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeTruth:
    """A host: its signals, the faults in effect on it, and whether its GPU exporter answers."""

    node: str
    signals: Mapping[str, float]
    faults: tuple[str, ...]
    answers: bool


@dataclass(frozen=True)
class Truth:
    """All cards and nodes at a moment. ``instances`` are the MIG instances of the cards that are split."""

    cards: tuple[CardTruth, ...]
    instances: tuple[CardTruth, ...]
    nodes: tuple[NodeTruth, ...]

    @property
    def devices(self) -> tuple[CardTruth, ...]:
        """What work is given to: instances where a card is split, and whole cards."""
        split = {(i.node, i.gpu) for i in self.instances}
        return (*(c for c in self.cards if (c.node, c.gpu) not in split), *self.instances)

    def card(self, node: str, gpu: str, mig: str = "") -> CardTruth:
        """The card or instance; KeyError where there is none."""
        for found in self.instances if mig else self.cards:
            if (found.node, found.gpu, found.mig) == (node, gpu, mig):
                return found
        raise KeyError((node, gpu, mig))

    def node(self, name: str) -> NodeTruth:
        """The node; KeyError where there is none."""
        for found in self.nodes:
            if found.node == name:
                return found
        raise KeyError(name)

    def value(self, signal: str, node: str, gpu: str, mig: str = "") -> float:
        """The value of a signal; KeyError where the card does not have it."""
        return self.card(node, gpu, mig).signals[signal]

    def values(self, signal: str) -> dict[tuple[str, str], float]:
        """The value of a signal on every card that has it, by node and index."""
        return {(c.node, c.gpu): c.signals[signal] for c in self.cards if signal in c.signals}

    def with_fault(self, kind: str) -> tuple[CardTruth, ...]:
        """The cards on which a kind of fault is in effect."""
        return tuple(card for card in self.cards if kind in card.faults)


def truth(fleet: Fleet, t: float) -> Truth:
    """What is true at a Unix time. What the GPU exporter renews now and then is as of the last renewal."""
    at = fleet.time(t)
    cards: list[CardTruth] = []
    instances: list[CardTruth] = []
    for node in fleet.layout:
        for card in node.cards:
            found = list(_of_card(fleet, node, card, at))
            cards.append(found[0])
            instances += found[1:]
    return Truth(tuple(cards), tuple(instances), tuple(_of_node(fleet, node, at) for node in fleet.layout))


def _of_card(fleet: Fleet, node: Node, card: Card, at: float) -> Iterator[CardTruth]:
    """The card, then its instances."""
    seen = fleet.renewed(at)
    job = job_on(card, seen)
    found = device(node, card, seen)
    faults = tuple(f.kind for f in card.faults if _in_effect(f, seen, job) and not _forgotten(f, found))
    yield _truth(card, job, 0, {**found.signals, **_framework(fleet, card, at)} if found else {}, faults)
    for number, signals in found.instances.items() if found else ():
        yield _truth(card, job, number, signals, faults)


def _truth(card: Card, job: Job | None, mig: int, signals: Mapping[str, float], faults: tuple[str, ...]) -> CardTruth:
    return CardTruth(
        node=card.node,
        gpu=str(card.index),
        uuid=card.uuid,
        model=card.model.name,
        mig=f"mig-{mig}" if mig else "",
        namespace=job.namespace if job else "",
        pod=job.pod(card.node, mig) if job else "",
        container=job.container if job else "",
        job=job.name if job else "",
        signals=signals,
        faults=faults,
    )


def _in_effect(fault: Fault, at: float, job: Job | None) -> bool:
    kind = KINDS[fault.kind]
    lasting = fault.start <= at if kind.lasts else fault.active(at)
    return lasting and bool(job or not kind.needs)


def _forgotten(fault: Fault, found: object) -> bool:
    """An XID is forgotten when the exporter restarts."""
    return fault.kind == "xid" and int(fault.value) not in getattr(found, "xids", {})


def _framework(fleet: Fleet, card: Card, at: float) -> dict[str, float]:
    process = rank(card, at) if fleet.training != "none" else None
    if process is None:
        return {}
    memory = process.memory
    found: dict[str, float] = {
        "framework_memory_in_use": memory.live * MIB,
        "framework_memory_peak": memory.peak * MIB,
        "framework_memory_limit": memory.limit * MIB,
        "steps": process.steps,
        "records": process.steps * process.job.batch,
        "steps_per_second": steps_per_second(card, process.job, at),
        "step_time": round(process.step_seconds, 3),
        "input_wait": round(process.waited, 3),
        "phase_time": round(sum(process.phase_seconds), 3),  # of all phases together
        "job_active": float(process.phase is not None),
        "job_started": round(fleet.start + process.job.begin, 3),
    }
    if process.job.framework != "tensorflow":
        found["framework_memory_pool"] = memory.held * MIB
    found |= {f"job_{_DOING[p]}": float(p is process.phase) for p in _DOING}
    if process.checkpoints:
        found["checkpoints"] = process.checkpoints
        found["checkpoint_time"] = process.checkpoint_seconds
        found["last_checkpoint"] = round(fleet.start + process.last_checkpoint, 3)
    if process.last_step is not None:
        found["last_step"] = round(fleet.start + process.last_step, 3)
    return found


_DOING = {Phase.EVALUATE: "evaluating", Phase.CHECKPOINT: "checkpointing", Phase.COMPILE: "compiling"}


def _of_node(fleet: Fleet, node: Node, at: float) -> NodeTruth:
    faults = tuple(f.kind for f in node.faults if f.active(at))
    state = host(node, fleet.seed, at)
    signals = {
        "cpu_io_wait": dict(state.processor_seconds)["iowait"],
        "disk_busy": state.disk_busy,
        "disk_read": state.disk_read,
        "clock_offset": state.clock_offset,
        "node_gpus": float(sum(not card.instances for card in node.cards)),
    }
    return NodeTruth(node.name, signals, faults, not {"exporter-down", "node-down"} & set(faults))

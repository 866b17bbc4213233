"""What is true of a fleet when the boards are opened, in the words in which boards show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import mean

from builder.catalog.profiles import GPU_PROFILES
from builder.simulate import CardTruth, Fleet, NodeTruth, Truth, truth
from builder.simulate.model.course import job_on
from builder.simulate.model.layout import Card
from builder.simulate.model.rhythm import Phase
from builder.simulate.model.training import rank
from tests.live.cases.planted import AT, RANGE
from tests.simulate.reading import Reading, readings

LOOKBACK = 300
"""Seconds for which Prometheus still gives the last sample of a series that ended."""

Shown = Mapping[str, float]
"""What a panel shows: the value of each series, by its name."""

_TRAINING = {"tf-snippet": ("framework_memory_in_use", "records", "steps_per_second"), "none": ()}
_GIB = 2**30
FOREIGN, NEIGHBOUR = 12 * _GIB, 4 * _GIB
"""Bytes of a process of nobody's job, and of the second of two pods that share a card, where these are planted."""


@cache
def _truth(fleet: Fleet, t: float) -> Truth:
    return truth(fleet, t)


@cache
def _read(fleet: Fleet, node: str, t: float) -> tuple[Reading, ...]:
    """What the GPU exporter of a node says, by the catalogue."""
    return tuple(readings(fleet, GPU_PROFILES[fleet.profile], f"{node}/gpu", t))


@cache
def _said(fleet: Fleet) -> frozenset[str]:
    """The signals that the GPU exporters of a fleet give a value of."""
    return frozenset(r.signal for node in _truth(fleet, AT).nodes for r in _read(fleet, node.node, AT))


@dataclass(frozen=True)
class Process:
    """A training process: its card, its rank, and what it has counted per second over the rate's window.

    ``phases`` is the share of that time that its loop spent in each phase.
    """

    card: CardTruth
    rank: int
    per_second: Mapping[str, float]
    phases: Mapping[str, float]

    @property
    def step_time(self) -> float:
        """Seconds that a step takes."""
        return self.per_second["step_time"] / self.per_second["steps"]


@dataclass(frozen=True)
class Moment:
    """A fleet at AT, or the part of it on one ``node``, or one card (``gpu``) of that node."""

    fleet: Fleet
    node: str = ""
    gpu: str = ""

    def on(self, node: str, gpu: str = "") -> Moment:
        """The same for one node, or for one card of it."""
        return replace(self, node=node, gpu=gpu)

    @property
    def window(self) -> int:
        """Seconds that ``$__rate_interval`` becomes: four scrapes."""
        return 4 * self.fleet.exporter.interval

    # who is there ----------------------------------------------------------------------------------

    @property
    def nodes(self) -> list[str]:
        """The nodes with a card that reports."""
        return list(dict.fromkeys(card.node for card in self.cards))

    @property
    def hosts(self) -> list[NodeTruth]:
        """The nodes whose node_exporter answers."""
        return [n for n in _truth(self.fleet, AT).nodes if self._shows(n.node) and "node-down" not in n.faults]

    @property
    def cards(self) -> list[CardTruth]:
        """The cards that report, a card in MIG mode as a whole."""
        return [c for c in self._cards() if self._shows(c.node, c.gpu)]

    @property
    def whole(self) -> Moment:
        """The same without the choice of a card."""
        return replace(self, gpu="")

    @property
    def devices(self) -> list[CardTruth]:
        """The MIG instances of cards that are split, and the other cards whole."""
        split = _truth(self.fleet, AT).instances
        found = []
        for card in self.cards:
            parts = [i for i in split if (i.node, i.gpu) == (card.node, card.gpu)]
            found += parts or [card]
        return found

    @property
    def lost(self) -> list[CardTruth]:
        """The cards that are gone while their node still reports."""
        known = _truth(self.fleet, AT).with_fault("lost")
        return [c for c in known if self._shows(c.node, c.gpu) and self.age(c.node) is not None]

    @property
    def silent(self) -> list[str]:
        """The nodes from which nothing is known any more."""
        return [n.node for n in _truth(self.fleet, AT).nodes if self._shows(n.node) and self.age(n.node) is None]

    @property
    def offered(self) -> dict[str, float]:
        """How many cards Kubernetes has counted on each node."""
        if not self.fleet.kubernetes:
            return {}
        return {n.node: n.signals["node_gpus"] for n in _truth(self.fleet, AT).nodes if self._shows(n.node)}

    def age(self, node: str) -> float | None:
        """Seconds since the node's GPU exporter answered; None where that is too long ago."""
        ages = range(0, LOOKBACK, self.fleet.exporter.interval)
        return next((float(a) for a in ages if _truth(self.fleet, AT - a).node(node).answers), None)

    def _cards(self) -> Iterator[CardTruth]:
        for node in _truth(self.fleet, AT).nodes:
            age = self.age(node.node)
            if age is not None:
                yield from (c for c in _truth(self.fleet, AT - age).cards if c.node == node.node and c.signals)

    def _shows(self, node: str, gpu: str = "") -> bool:
        return self.node in ("", node) and (not gpu or self.gpu in ("", gpu))

    # what they say ---------------------------------------------------------------------------------

    def exports(self, signal: str) -> bool:
        """True where the exporter says this of some card."""
        if signal in ("node_gpus", "clock_offset"):
            return self.fleet.host
        if signal.startswith("framework_") or signal in ("steps", "records", "step_time", "input_wait"):
            return self._tells(signal)
        return signal in _said(self.fleet)

    def _tells(self, signal: str) -> bool:
        known = _TRAINING.get(self.fleet.training)
        return known is None or signal in known

    def of(self, signal: str, cards: Sequence[CardTruth]) -> dict[str, float]:
        """The value of a signal by the card's name, for those that have it."""
        if not self.exports(signal):
            return {}
        return {named(c): c.signals[signal] for c in cards if signal in c.signals and not self._unknown(c, signal)}

    def _unknown(self, card: CardTruth, signal: str) -> bool:
        """True for what dcgm-exporter does not say of a card that is split."""
        split = {(i.node, i.gpu) for i in _truth(self.fleet, AT).instances}
        return signal.startswith("pcie_") and (card.node, card.gpu) in split

    def values(self, signal: str) -> list[float]:
        """The value of a signal on every card that has it."""
        return list(self.of(signal, self.cards).values())

    def each(self, signal: str) -> dict[str, float]:
        """The value of a signal on every card, by the card's name."""
        return self.of(signal, self.cards)

    def per_card(self, signal: str, together: Callable[[list[float]], float]) -> dict[str, float]:
        """A signal that MIG instances have of their own, put together on each card."""
        parts: dict[str, list[float]] = {}
        if self.exports(signal):
            for device in self.devices:
                if signal in device.signals:
                    parts.setdefault(named(device, mig=False), []).append(device.signals[signal])
        return {name: together(found) for name, found in parts.items()}

    def busy(self, activity: str = "utilisation") -> dict[str, float]:
        """How busy each card is; where it is split, the mean of its instances."""
        return self.per_card(activity, mean)

    def held(self) -> dict[str, float]:
        """Bytes held on each card."""
        return self.per_card("memory_used", sum)

    def share_held(self) -> dict[str, float]:
        """Bytes held against all bytes, of each card."""
        everything = self.per_card("memory_total", sum)
        return {name: used / everything[name] for name, used in self.held().items() if name in everything}

    def per_node(self, ask: Callable[[Moment], Shown]) -> dict[str, float]:
        """What is asked of each node alone, where there is one answer."""
        found = {node: ask(self.on(node, self.gpu)) for node in self.nodes}
        return {node: shown[""] for node, shown in found.items() if "" in shown}

    def rising(self, signal: str, per: float = 1.0) -> dict[str, float]:
        """By how much a counter of each card rises in so many seconds."""
        if not self.exports(signal):
            return {}
        found = {}
        for card in self.cards:
            seen = AT - (self.age(card.node) or 0)  # a graph keeps its last rate until the lookback ends
            before = _truth(self.fleet, seen - self.window).card(card.node, card.gpu).signals
            if signal in card.signals and signal in before and not self._unknown(card, signal):
                found[named(card)] = (card.signals[signal] - before[signal]) / self.window * per
        return found

    def host_rising(self, signal: str) -> dict[str, float]:
        """By how much a counter of each host rises in a second."""
        before = _truth(self.fleet, AT - self.window)
        return {h.node: (h.signals[signal] - before.node(h.node).signals[signal]) / self.window for h in self.hosts}

    def energy(self) -> list[float]:
        """Joules that each card used in the range shown."""
        before = _truth(self.fleet, AT - RANGE)
        counted = self.cards if self.exports("energy") else []
        return [c.signals["energy"] - before.card(c.node, c.gpu).signals["energy"] for c in counted]

    def readings(self) -> Iterator[Reading]:
        """All that the GPU exporters of the nodes that are shown say."""
        for node in _truth(self.fleet, AT).nodes:
            age = self.age(node.node) if self._shows(node.node) else None
            if age is not None:
                yield from (r for r in _read(self.fleet, node.node, AT - age) if self._shows(node.node, _gpu(r)))

    # who uses them ---------------------------------------------------------------------------------

    def holders(self, device: CardTruth) -> list[tuple[str, str, float]]:
        """The pods on a card or instance: namespace, name, and the bytes that each holds as the exporter says."""
        if not device.pod or not self.fleet.is_dcgm:
            return []
        used = device.signals["memory_used"]
        if "duplicate-vgpu" not in device.faults:
            return [(device.namespace, device.pod, used)]
        parts = (used - NEIGHBOUR, NEIGHBOUR)
        return [(device.namespace, device.pod + suffix, p) for suffix, p in zip(("", "-1"), parts, strict=True)]

    def held_by_training(self) -> dict[str, float]:
        """Bytes of the training process on each card, where the driver's numbers tell them from those of others."""
        others = {named(card): _others(card) for card in self.cards if self._tells_apart(card)}
        return {name: self.held()[name] - held for name, held in others.items()}

    def _tells_apart(self, card: CardTruth) -> bool:
        """By process, where its number is known or it is alone on the list; by pod, on a card that pods share."""
        if self.exports("process_memory"):
            return not self.fleet.kubernetes or not _others(card)
        return self.fleet.profile == "dcgm" and "duplicate-vgpu" in card.faults

    @property
    def processes(self) -> list[Process]:
        """The training processes that answer, each of which knows its card."""
        if self.fleet.training != "probe":
            return []
        now, before = _truth(self.fleet, AT), _truth(self.fleet, AT - self.window)
        up = {host.node for host in self.hosts}
        found = []
        for node in self.fleet.layout:
            for card in node.cards:
                job = job_on(card, self.fleet.time(AT))
                signals = now.card(node.name, str(card.index)).signals
                if job and node.name in up and "job_active" in signals:
                    then = before.card(node.name, str(card.index)).signals
                    rates = {
                        name: (signals[name] - then[name]) / self.window
                        for name in ("records", "steps", "step_time", "input_wait")
                    }
                    found.append(
                        Process(
                            self._in_a_pod(now.card(node.name, str(card.index))),
                            job.rank(node.name, card.position),
                            rates,
                            self._phases(card),
                        )
                    )
        return found

    def _in_a_pod(self, card: CardTruth) -> CardTruth:
        return card if self.fleet.kubernetes else replace(card, namespace="", pod="")

    def _phases(self, card: Card) -> dict[str, float]:
        """The share of time that the loop of the process on the card spent in each phase."""
        spent = []
        for t in (AT - self.window, AT):
            process = rank(card, self.fleet.time(t))
            spent.append([round(seconds, 3) for seconds in process.phase_seconds] if process else [])
        before, now = spent
        return {p.name.lower(): (b - a) / self.window for p, a, b in zip(Phase, before, now, strict=True)}

    def jobs(self) -> dict[str, list[Process]]:
        """The processes of each job, by namespace and name."""
        found: dict[str, list[Process]] = {}
        for process in self.processes:
            found.setdefault("/".join(filter(None, (process.card.namespace, process.card.job))), []).append(process)
        return found

    def running(self) -> dict[str, list[Process]]:
        """Those of the jobs that say that they run."""
        return {name: all_ for name, all_ in self.jobs().items() if any(p.card.signals["job_active"] for p in all_)}

    def snippet_records(self) -> float | None:
        """Records per second of all scripts that do not know their job; None where there are none."""
        if self.fleet.training != "tf-snippet":
            return None
        now, before = _truth(self.fleet, AT), _truth(self.fleet, AT - self.window)
        up = {host.node for host in self.hosts}
        cards = [c for c in now.cards if c.node in up and "records" in c.signals]
        then = {(c.node, c.gpu): c.signals.get("records", 0.0) for c in before.cards}
        return sum(c.signals["records"] - then[c.node, c.gpu] for c in cards) / self.window


def _others(card: CardTruth) -> int:
    """Bytes on the card that are not its training process's."""
    return FOREIGN * ("foreign" in card.faults) + NEIGHBOUR * ("duplicate-vgpu" in card.faults)


def named(card: CardTruth, *, mig: bool = True) -> str:
    """A card as boards call it."""
    return f"{card.node} gpu {card.gpu}" + (f" {card.mig}" if mig and card.mig else "")


def _gpu(reading: Reading) -> str:
    return reading.labels.get("gpu", "")

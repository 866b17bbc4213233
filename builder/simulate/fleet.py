"""A fleet of simulated nodes: what it is made of, and what each of its exporters answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from builder.catalog.model import Profile
from builder.catalog.profiles import GPU_PROFILES
from builder.errors import UnknownName, UsageError
from builder.simulate import targets
from builder.simulate.exposition import dcgm, host, nvidia_smi, plain, training
from builder.simulate.exposition.page import Page, write
from builder.simulate.exposition.schemes import UPGRADED, Dcgm, Scheme, Smi, scheme
from builder.simulate.model.course import job_on
from builder.simulate.model.device import Device, device
from builder.simulate.model.fault import KINDS, Fault, fault
from builder.simulate.model.hardware import model
from builder.simulate.model.host import host as host_of
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Node, Plan, lay_out
from builder.simulate.model.training import rank, steps_per_second

START = 1767225600.0
"""2026-01-01 00:00:00 UTC, when a fleet's time begins unless it is told otherwise."""

COUNTERS = ("extended", "default", "helm")
TRAINING = ("probe", "tf-snippet", "none")


class NoSuchPath(LookupError):
    """Nothing is served at this path, at any time."""


@dataclass(frozen=True)
class Fleet:
    """So many nodes with so many cards each. Everything about it is a function of these fields and the time.

    ``profile`` is the catalogue's name of the GPU exporter and ``scheme`` the way it writes (empty: the
    profile's default, see ``builder.simulate.exposition.schemes``). ``counters`` says how many metrics it is
    told to export: ``default``, ``extended``, or ``helm`` for dcgm-exporter's chart. ``start`` is the Unix
    time at which the fleet's time begins; faults count from there. ``mig`` names cards in MIG mode
    (``node-1/gpu-0``, with shell patterns). ``job_hours`` is how long a job lasts. A ``steady`` fleet has
    endless jobs without dips and sawtooth, so that only faults change anything.

    Raises UsageError or UnknownName for what cannot be.
    """

    nodes: int = 2
    cards: int = 8
    profile: str = "dcgm"
    scheme: str = ""
    model: str = "h100"
    seed: int = 0
    start: float = START
    faults: Sequence[Fault | str] = ()
    mig: Sequence[str] = ()
    counters: str = "extended"
    kubernetes: bool = True
    honor_labels: bool = False
    training: str = "probe"
    host: bool = True
    cluster: str = ""
    job_hours: float = 6
    steady: bool = False

    def __post_init__(self) -> None:
        for name, value, most in (("nodes", self.nodes, 50_000), ("cards", self.cards, 16)):
            if not 1 <= value <= most:
                raise UsageError(f"{value} {name}", where=f"--{name}", fix=f"between 1 and {most}")
        if not 0.5 <= self.job_hours <= 10_000:
            raise UsageError(f"jobs of {self.job_hours:g} hours", where="--job-hours", fix="between 0.5 and 10000")
        if self.profile not in GPU_PROFILES:
            raise UnknownName("profile", self.profile, GPU_PROFILES, where="--profile")
        for what, chosen, known in (("counters", self.counters, COUNTERS), ("training", self.training, TRAINING)):
            if chosen not in known:
                raise UnknownName(what, chosen, known, where=f"--{what}")
        if self.counters == "helm" and not self.is_dcgm:
            raise UsageError(f"{self.profile} has no Helm chart's counters", where="--counters", fix="leave it out")
        self._check_faults(self.planted)
        _ = self.style, self.layout  # mistakes are told of at once

    @cached_property
    def planted(self) -> tuple[Fault, ...]:
        """The faults."""
        return tuple(fault(f) if isinstance(f, str) else f for f in self.faults)

    @cached_property
    def layout(self) -> tuple[Node, ...]:
        """The nodes and their cards."""
        card = model(self.model)
        if self.mig and not card.mig:
            raise UsageError(f"{self.model} cards have no MIG mode", where="--mig", fix="choose h100 or a100")
        plan = Plan(self.nodes, self.cards, card, self.seed, tuple(self.mig), self.job_hours, self.steady)
        return lay_out(plan, self.planted)

    @property
    def exporter(self) -> Profile:
        """The profile of the GPU exporter."""
        return GPU_PROFILES[self.profile]

    @property
    def is_dcgm(self) -> bool:
        """True where the exporter is dcgm-exporter, of whatever version."""
        return isinstance(self.style, Dcgm)

    @cached_property
    def style(self) -> Scheme:
        """How the exporter writes before any upgrade."""
        return scheme(self.profile, self.scheme)

    # what is scraped -------------------------------------------------------------------------------

    def targets(self, t: float) -> Iterator[targets.Target]:
        """What there is to scrape at a Unix time."""
        for node in self.layout:
            yield from targets.of_node(self, node, self.time(t))
        yield from targets.of_cluster(self)

    def page(self, path: str, t: float) -> Page | None:
        """What is answered at this path at a Unix time; None where nothing answers. Raises NoSuchPath."""
        at = self.time(t)
        if path == targets.KUBE_STATE:
            return self._kube_state(at)
        name, _, what = path.partition("/")
        node = self._by_name.get(name)
        if node is None:
            raise NoSuchPath(path)
        kinds = {f.kind for f in node.faults if f.active(at)}
        if "node-down" in kinds:
            return None
        if what == "gpu":
            return None if "exporter-down" in kinds else self._gpu(node, at)
        if what == "host":
            return host.node_exporter(node, host_of(node, self.seed, at))
        return self._training(node, what, at)

    def exposition(self, node: str, t: float, exporter: str = "gpu") -> str:
        """The text that an exporter of a node answers at a Unix time; empty where it does not answer.

        ``exporter`` is ``gpu``, ``host`` or ``train-<card>``. Raises NoSuchPath.
        """
        page = self.page(f"{node}/{exporter}", t)
        return write(page) if page else ""

    # pieces ----------------------------------------------------------------------------------------

    def time(self, t: float) -> float:
        """Seconds of the fleet's time at a Unix time. Nothing was before the beginning."""
        return max(t - self.start, 0.0)

    def renewed(self, at: float) -> float:
        """When the GPU exporter last renewed its values, in the fleet's time."""
        return at - at % self.exporter.interval

    def devices(self, node: Node, at: float) -> tuple[Device, ...]:
        """The cards of a node that are there, as the GPU exporter sees them at a moment of the fleet's time."""
        seen = self.renewed(at)
        return tuple(found for card in node.cards if (found := device(node, card, seen)))

    @cached_property
    def _by_name(self) -> Mapping[str, Node]:
        return {node.name: node for node in self.layout}

    def _gpu(self, node: Node, at: float) -> Page:
        devices = self.devices(node, at)
        if isinstance(self.style, Dcgm):
            changed = any(f.kind == "label-change" and f.active(at) for f in node.faults)
            named = targets.exporter_pod(self, node) if self.style.pod_as_host and self.kubernetes else node.name
            return dcgm.page(self._setups[changed], named, devices)
        if isinstance(self.style, Smi):
            return nvidia_smi.page(self.profile, self.style, self.counters, devices, self.start + self.renewed(at))
        return plain.page(self.profile, devices)

    @cached_property
    def _setups(self) -> tuple[dcgm.Setup, dcgm.Setup]:
        """Before and after an upgrade."""
        styles = (style for style in (self.style, UPGRADED) if isinstance(style, Dcgm))
        before, after = (dcgm.Setup(self.profile, style, self.counters, self.kubernetes) for style in styles)
        return before, after

    def _training(self, node: Node, what: str, at: float) -> Page | None:
        if what == "train" and self.training == "tf-snippet":
            ranks = [found for card in node.cards if (found := rank(card, at))]
            speeds = [steps_per_second(r.card, r.job, at) for r in ranks]
            return training.snippet(ranks, sum(speeds) / len(speeds)) if ranks else None
        index = what.removeprefix("train-")
        if (
            self.training != "probe"
            or index == what
            or not (index.isascii() and index.isdigit())
            or int(index) >= self.cards
        ):
            raise NoSuchPath(what)
        process = rank(node.cards[int(index)], at)
        return training.probe(process, self.start, self.kubernetes) if process else None

    def _kube_state(self, at: float) -> Page:
        nodes: list[tuple[Node, bool, int]] = []
        placed: list[host.Placed] = []
        for node in self.layout:
            lost = sum(
                bool(card.instances) or any(f.kind == "lost" and f.active(at) for f in card.faults)
                for card in node.cards
            )
            ready = not any(f.kind == "node-down" and f.active(at) for f in node.faults)
            nodes.append((node, ready, len(node.cards) - lost))
            placed += _placed(node, at)
        return host.kube_state(nodes, placed)

    def _check_faults(self, faults: Sequence[Fault]) -> None:
        for planted in faults:
            if KINDS[planted.kind].dcgm_only and not self.is_dcgm:
                raise UsageError(f"{planted.kind} is for dcgm-exporter", where=f"fault {str(planted)!r}")
            if planted.kind == "label-change" and isinstance(self.style, Dcgm) and self.style.host_label != "Hostname":
                raise UsageError("the label is hostname already", where=f"fault {str(planted)!r}", fix="--scheme B")


def _placed(node: Node, at: float) -> Iterator[host.Placed]:
    """The pods on a node."""
    whole: dict[Job, int] = {}
    for card in node.cards:
        job = job_on(card, at)
        if job and card.instances:
            yield from ((node, job, number, card.model.mig, 1) for number in card.instances)
        elif job:
            whole[job] = whole.get(job, 0) + 1
    yield from ((node, job, 0, "", cards) for job, cards in whole.items())

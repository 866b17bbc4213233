"""Which nodes and cards there are, and which cards are given to jobs together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from builder.errors import UsageError, nearest
from builder.simulate.model.chance import between, hexadecimal
from builder.simulate.model.fault import KINDS, Fault
from builder.simulate.model.hardware import Model
from builder.simulate.model.jobs import Lane, Use

_INSTANCES = (1, 2)


@dataclass(frozen=True, eq=False)
class Card:
    """A card of a node.

    ``lane`` is None for a card that no job is ever given, ``position`` its place among the lane's cards of
    the node. ``instances`` are the ids of its MIG instances, if any. ``warmth`` is by how many degrees it is
    warmer than others of its model.
    """

    node: str
    index: int
    uuid: str
    pci: str
    model: Model
    seed: int
    instances: tuple[int, ...]
    lane: Lane | None
    position: int
    warmth: float
    faults: tuple[Fault, ...]

    @property
    def key(self) -> str:
        """Its name in fault descriptions and random keys."""
        return f"{self.node}/gpu-{self.index}"


@dataclass(frozen=True, eq=False)
class Node:
    """A host and its cards; ``address`` is its IP address."""

    name: str
    index: int
    address: str
    cards: tuple[Card, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Plan:
    """What a layout is made from; ``mig`` holds patterns such as ``node-1/gpu-0``."""

    nodes: int
    cards: int
    model: Model
    seed: int
    mig: tuple[str, ...]
    hours: float
    steady: bool


def lay_out(plan: Plan, faults: Sequence[Fault]) -> tuple[Node, ...]:
    """The nodes. Two by two they are given to one job at a time, as its gang; every fourth and the last, and
    those with a card in MIG mode, are shared by jobs of one card, and their last card is given to nobody.

    Raises UsageError for a place that does not exist, and for a fault that makes no sense where it is planted.
    """
    names = [f"node-{n}" for n in range(plan.nodes)]
    places = [f"{name}/gpu-{i}" for name in names for i in range(plan.cards)]
    split = {place for place in places if any(fnmatchcase(place, pattern) for pattern in plan.mig)}
    for pattern in plan.mig:
        if not any(fnmatchcase(place, pattern) for place in places):
            raise UsageError(f"no such card: {pattern!r}", where="--mig", fix=nearest(pattern, places))
    gangs = _gangs(plan, names, split)
    nodes = tuple(_node(plan, n, split, gangs.get(name), faults) for n, name in enumerate(names))
    for fault in faults:
        _check(fault, nodes)
    return nodes


def _gangs(plan: Plan, names: Sequence[str], split: set[str]) -> Mapping[str, Lane]:
    shared = {place.partition("/")[0] for place in split} | {names[-1], *names[3::4]}
    gangs: dict[str, Lane] = {}
    for first in range(0, len(names), 2):
        members = tuple(name for name in names[first : first + 2] if name not in shared)
        if members:
            lane = Lane(Use.GANG, plan.seed, members[0], members, plan.cards, plan.hours, plan.steady)
            gangs |= dict.fromkeys(members, lane)
    return gangs


def _node(plan: Plan, number: int, split: set[str], gang: Lane | None, faults: Sequence[Fault]) -> Node:
    name = f"node-{number}"
    cards = []
    for index in range(plan.cards):
        place = f"{name}/gpu-{index}"
        use = Use.SERVING if place in split else Use.SINGLE
        lane = gang or Lane(use, plan.seed, place, (name,), 1, plan.hours, plan.steady)
        free = not gang and place not in split and index == plan.cards - 1 > 0
        instances = _INSTANCES if place in split else ()
        cards.append(_card(plan, name, index, instances, None if free else lane, index if gang else 0, faults))
    address = f"10.{16 + number // 62500}.{number // 250 % 250}.{number % 250 + 1}"
    return Node(name, number, address, tuple(cards), tuple(f for f in faults if f.strikes(name)))


def _card(
    plan: Plan,
    node: str,
    index: int,
    instances: tuple[int, ...],
    lane: Lane | None,
    position: int,
    faults: Sequence[Fault],
) -> Card:
    digits = hexadecimal(32, plan.seed, node, index, "uuid")
    return Card(
        node=node,
        index=index,
        uuid=f"GPU-{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}",
        pci=f"00000000:{0x10 + 0x0E * index:02X}:00.0",
        model=plan.model,
        seed=plan.seed,
        instances=instances,
        lane=lane,
        position=position,
        warmth=round(between(-3, 3, plan.seed, node, index, "warmth"), 1),
        faults=tuple(f for f in faults if f.strikes(node, index)),
    )


def _check(fault: Fault, nodes: Sequence[Node]) -> None:
    where = f"fault {str(fault)!r}"
    if not fault.gpu:
        names = [node.name for node in nodes]
        if not any(fault.strikes(name) for name in names):
            raise UsageError(f"no such node: {fault.node!r}", where=where, fix=nearest(fault.node, names))
        return
    struck = [card for node in nodes for card in node.cards if fault in card.faults]
    if not struck:
        places = [card.key for node in nodes for card in node.cards]
        place = f"{fault.node}/gpu-{fault.gpu}"
        raise UsageError(f"no such card: {place!r}", where=where, fix=nearest(place, places))
    needs = KINDS[fault.kind].needs
    able = [c for c in struck if (not needs or c.lane) and not (needs == "process" and c.instances)]
    if not able:
        have = "a training process" if needs == "process" else "a job"
        good = next(
            (c.key for n in nodes for c in n.cards if c.lane and not (needs == "process" and c.instances)), "none"
        )
        raise UsageError(f"{struck[0].key} never has {have}", where=where, fix=f"plant it elsewhere, such as {good}")

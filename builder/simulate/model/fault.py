"""Faults: what can be planted, where, and when.

    hot:node-3/gpu-1@2h+30m     one card, from two hours after the start for half an hour
    xid=48:node-3/*@10m         every card of a node, with a value of one's own, to the end
    clock-skew:node-1           a node, all the time
    idle:*                      everywhere

A fault changes what it is planted on and nothing else: a hung card does not stop the other ranks of its job.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import inf, isfinite

from builder.errors import UnknownName, UsageError
from builder.simulate.model.duration import seconds, words


@dataclass(frozen=True)
class Kind:
    """A kind of fault; ``value`` is its strength where the fault names none, in ``unit``.

    ``on_node`` faults strike a node, the others a card. ``needs`` says what the card must have for the fault
    to make sense: a ``job``, or a ``process`` of a training job (which MIG instances here lack). What
    ``lasts`` is seen from its start on, however short the fault.
    """

    help: str
    value: float = 0.0
    unit: str = ""
    on_node: bool = False
    needs: str = ""
    dcgm_only: bool = False
    lasts: bool = False


KINDS: dict[str, Kind] = {
    "idle": Kind("the job is over and its pod stays: no work, memory still held", needs="job"),
    "hung": Kind("the process hangs: utilisation drops, memory is held, no step ends", needs="job"),
    "hang": Kind("a collective hangs: utilisation 100 %, power low, no step ends", needs="job"),
    "hot": Kind("cooling fails: the core warms up to this temperature", 88, "celsius"),
    "throttle": Kind("so hot that clocks are reduced, to this share", 0.6, "share of the clock", needs="job"),
    "power-cap": Kind("the power limit is lowered to this share, and reached", 0.7, "share of the limit", needs="job"),
    "leak": Kind("the framework's memory in use grows", 8, "GiB per hour", needs="process"),
    "foreign": Kind("a process of nobody's job holds memory", 12, "GiB"),
    "slack": Kind("the framework's pool holds far more than is in use", 0.25, "share in use", needs="process"),
    "input-stall": Kind(
        "steps wait for input for this share of their time", 0.6, "share of step time", needs="process"
    ),
    "straggler": Kind(
        "the card is slower than its job's others: clock and steps at this share", 0.7, "share", needs="job"
    ),
    "xid": Kind(
        "one XID of this code at the start; the gauge keeps it until the exporter restarts", 79, "XID code", lasts=True
    ),
    "ecc-corrected": Kind("a storm of corrected memory errors", 2, "errors per second"),
    "ecc-uncorrected": Kind("uncorrected memory errors at the start", 2, "errors", lasts=True),
    "remap-pending": Kind("a row remap (before Ampere: a page retirement) waits for a reset"),
    "remap-failed": Kind("a row remap failed"),
    "nvlink-errors": Kind("NVLink data CRC errors", 0.5, "errors per second"),
    "pcie-replays": Kind("PCIe packets are sent again", 0.5, "replays per second"),
    "lost": Kind("the card falls off the bus: its series and its rank are gone"),
    "duplicate-hpc": Kind("two HPC jobs share the card: each series twice", needs="job", dcgm_only=True),
    "duplicate-vgpu": Kind(
        "two pods share the card: each series twice; the other pod holds 4 GiB", needs="job", dcgm_only=True
    ),
    "exporter-down": Kind("the GPU exporter does not answer; an XID is forgotten afterwards", on_node=True),
    "node-down": Kind("nothing on the node answers", on_node=True),
    "clock-skew": Kind("the host's clock is off", 1.5, "seconds", on_node=True),
    "label-change": Kind("the exporter is upgraded: Hostname becomes hostname", on_node=True, dcgm_only=True),
}

_SHAPE = re.compile(
    r"(?P<kind>[^:=@]+)(?:=(?P<value>[^:@]+))?:(?P<place>[^@]+)(?:@(?P<start>[^+]+)(?:\+(?P<length>.+))?)?"
)
_EXAMPLE = "write KIND:NODE/gpu-N@START+LENGTH, such as hot:node-3/gpu-1@2h+30m"


@dataclass(frozen=True)
class Fault:
    """A planted fault. ``start`` and ``length`` are in seconds, from the start of the fleet's time.

    ``node`` and ``gpu`` are shell patterns for a node's name and a card's index; ``gpu`` is empty for a fault
    of a node.
    """

    kind: str
    node: str = "*"
    gpu: str = "*"
    value: float = 0.0
    start: float = 0.0
    length: float = inf

    @property
    def end(self) -> float:
        """When it is over, in seconds from the start of the fleet's time."""
        return self.start + self.length

    def active(self, at: float) -> bool:
        """True while the fault lasts."""
        return self.start <= at < self.end

    def strikes(self, node: str, gpu: int | None = None) -> bool:
        """True where the fault is planted on this node, or on this card of it."""
        if gpu is None:
            return not self.gpu and fnmatchcase(node, self.node)
        return bool(self.gpu) and fnmatchcase(node, self.node) and fnmatchcase(str(gpu), self.gpu)

    def __str__(self) -> str:
        place = self.node + (f"/gpu-{self.gpu}" if self.gpu else "")
        when = f"@{words(self.start)}" if self.start or isfinite(self.length) else ""
        strength = f"={self.value:g}" if self.value != KINDS[self.kind].value else ""
        return f"{self.kind}{strength}:{place}{when}{f'+{words(self.length)}' if isfinite(self.length) else ''}"


def fault(text: str) -> Fault:
    """The fault that the text describes (see the module). Raises UsageError or UnknownName."""
    match = _SHAPE.fullmatch(text.strip())
    if not match:
        raise UsageError(f"malformed fault {text!r}", fix=_EXAMPLE)
    where = f"fault {text!r}"
    name = match["kind"]
    if name not in KINDS:
        raise UnknownName("kind of fault", name, KINDS, where=where)
    node, gpu = _place(name, match["place"], where)
    value = KINDS[name].value if match["value"] is None else _value(name, match["value"], where)
    start = seconds(match["start"], where) if match["start"] else 0.0
    length = seconds(match["length"], where) if match["length"] else inf
    if not length:
        raise UsageError("a fault that lasts no time", where=where, fix="leave the length out for ever")
    return Fault(name, node, gpu, value, start, length)


def active(faults: Iterable[Fault], at: float) -> tuple[Fault, ...]:
    """Those that last at this time."""
    return tuple(f for f in faults if f.start <= at < f.end)


def _place(kind: str, place: str, where: str) -> tuple[str, str]:
    node, slash, card = place.partition("/")
    if KINDS[kind].on_node:
        if slash and card != "*":
            raise UsageError(f"{kind} strikes a node, not a card", where=where, fix=f"write {kind}:{node}")
        return node, ""
    if not slash or card == "*":
        return node, "*"
    if not node or not card.startswith("gpu-") or card == "gpu-":
        raise UsageError(f"not a card: {place!r}", where=where, fix=_EXAMPLE)
    return node, card.removeprefix("gpu-")


def _value(kind: str, text: str, where: str) -> float:
    unit = KINDS[kind].unit
    if not unit:
        raise UsageError(f"{kind} takes no value", where=where, fix=f"leave ={text} out")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    most = 1.0 if unit.startswith("share") else inf
    if not 0 < value <= most or not isfinite(value) or (kind == "xid" and value != int(value)):
        limit = " up to 1" if isfinite(most) else ""
        raise UsageError(f"{text!r} is no value for {kind}", where=where, fix=f"give {unit}: a number above 0{limit}")
    return value

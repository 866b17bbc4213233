"""Jobs that come and go on cards. A lane is a set of cards that one job after another occupies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import floor

from builder.simulate.model.chance import between, chance, hexadecimal, pick
from builder.simulate.model.rhythm import STEADY, Rhythm

_ENDLESS = 1e9
_NAMES = ("resnet50", "bert", "llama", "gpt2", "vit", "unet", "whisper", "t5")


class Use(Enum):
    """What a lane's jobs are."""

    GANG = "gang"  # one job on all cards of several nodes
    SINGLE = "single"  # one job, one card
    SERVING = "serving"  # inference on the MIG instances of a card


@dataclass(frozen=True, eq=False)
class Lane:
    """Cards that are given to jobs together. ``hours`` is how long one job and the gap after it last.

    ``nodes`` are the names of the nodes it spans; ``width`` the number of its cards on each.
    """

    use: Use
    seed: int
    key: str
    nodes: tuple[str, ...]
    width: int
    hours: float
    steady: bool

    def number(self, at: float) -> int:
        """The number of the job whose turn it is, seconds after the start of the fleet's time."""
        return floor((at + self._lead) / self._cycle)

    def begin(self, number: int) -> float:
        """When the turn of a job begins; it ends where the next one's begins."""
        return number * self._cycle - self._lead

    @property
    def _endless(self) -> bool:
        return self.steady or self.use is Use.SERVING

    @property
    def _cycle(self) -> float:
        return _ENDLESS if self._endless else self.hours * 3600

    @property
    def _lead(self) -> float:
        """How old the first job is when the fleet's time begins: warmed up, and not the same everywhere."""
        if self._endless:
            return 24 * 3600.0
        return self._cycle * between(0.2, 0.7, self.seed, self.key, "lead")


@dataclass(frozen=True, eq=False)
class Job:
    """One job: who it belongs to, when it runs, and what is peculiar to it.

    ``begin`` and ``end`` are seconds from the start of the fleet's time. ``load`` is the share of time in
    which its cards work, ``draw`` the share of the power range that this takes, ``pool`` the share of usable
    memory that the framework takes, ``live`` the share of the pool in use, ``swing`` by how much of that a
    step's memory rises and falls, ``step`` seconds a step takes, ``batch`` records in it on one card.
    """

    lane: Lane
    name: str
    namespace: str
    container: str
    framework: str
    begin: float
    end: float
    rhythm: Rhythm
    load: float
    draw: float
    pool: float
    live: float
    swing: float
    step: float
    batch: int

    def pod(self, node: str, part: int = 0) -> str:
        """The name of its pod on a node; ``part`` tells apart those that share a card."""
        if self.lane.use is Use.GANG:
            node_number = self.lane.nodes.index(node)
            return f"{self.name}-worker-{node_number}" + (f"-{part}" if part else "")
        return f"{self.name}-{part}"

    def rank(self, node: str, position: int) -> int:
        """The rank of the process on the card at this position of the lane's cards of a node."""
        return self.lane.nodes.index(node) * self.lane.width + position

    @property
    def world(self) -> int:
        """How many processes it has."""
        return len(self.lane.nodes) * self.lane.width


def job_at(lane: Lane, at: float) -> Job | None:
    """The job that runs at this time; None in the gap between two."""
    job = turn(lane, lane.number(at))
    return job if at < job.end else None


@lru_cache(maxsize=65536)
def turn(lane: Lane, number: int) -> Job:
    """The job of this number on the lane."""
    key = (lane.seed, lane.key, number)
    begin, after = lane.begin(number), lane.begin(number + 1)
    serving = lane.use is Use.SERVING
    research = lane.use is Use.SINGLE and chance(*key, "namespace") < 0.5
    name = "infer" if serving else pick(_NAMES, *key, "name")
    return Job(
        lane=lane,
        name=f"{name}-{hexadecimal(5, *key)}",
        namespace="serve" if serving else "research" if research else "ml",
        container="server" if serving else "trainer",
        framework=pick(("pytorch", "tensorflow", "jax"), *key, "framework"),
        begin=begin,
        end=after if lane.steady or serving else after - round(between(60, 600, *key, "gap")),
        rhythm=STEADY if lane.steady or serving else _rhythm(*key),
        load=round(between(0.92, 0.99, *key, "load"), 2),
        draw=between(0.74, 0.9, *key, "draw"),
        pool=between(0.62, 0.74, *key, "pool"),
        live=between(0.8, 0.9, *key, "live"),
        swing=0.0 if lane.steady else 0.06,
        step=round(between(0.4, 1.2, *key, "step"), 2),
        batch=pick((32, 64, 128, 256), *key, "batch"),
    )


def _rhythm(*key: object) -> Rhythm:
    return Rhythm(
        warm_up=round(between(120, 300, *key, "warm-up")),
        period=round(between(1500, 2400, *key, "period")),
        evaluation=round(between(60, 150, *key, "evaluation")),
        checkpoint=round(between(30, 60, *key, "checkpoint")),
    )

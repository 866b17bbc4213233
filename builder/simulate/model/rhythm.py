"""The rhythm of a training job: warm-up, then training broken by evaluations and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Phase(IntEnum):
    """What a training loop is doing. The names are those of the training probe's ``phase`` label."""

    TRAIN = 0
    EVALUATE = 1
    CHECKPOINT = 2
    COMPILE = 3


Spent = tuple[float, float, float, float]


@dataclass(frozen=True)
class Rhythm:
    """Seconds of warm-up (compiling, filling caches), then over and over a period that ends in a dip.

    Each period is training, ``evaluation`` seconds of evaluation, and ``checkpoint`` seconds of writing.
    """

    warm_up: float
    period: float
    evaluation: float
    checkpoint: float

    @property
    def training(self) -> float:
        """Seconds of training in a period."""
        return self.period - self.evaluation - self.checkpoint

    def phase(self, age: float) -> Phase:
        """What the loop does at this age in seconds."""
        if age < self.warm_up:
            return Phase.COMPILE
        into = (age - self.warm_up) % self.period
        if into < self.training:
            return Phase.TRAIN
        return Phase.EVALUATE if into < self.training + self.evaluation else Phase.CHECKPOINT

    def spent(self, age: float) -> Spent:
        """Seconds in each phase up to this age, in the order of Phase."""
        if age <= self.warm_up:
            return (0.0, 0.0, 0.0, max(age, 0.0))
        periods, into = divmod(age - self.warm_up, self.period)
        evaluating = min(max(into - self.training, 0.0), self.evaluation)
        writing = max(into - self.training - self.evaluation, 0.0)
        return (
            periods * self.training + min(into, self.training),
            periods * self.evaluation + evaluating,
            periods * self.checkpoint + writing,
            self.warm_up,
        )

    def last_trained(self, age: float) -> float | None:
        """The last age up to this one at which the loop was training; None where it never was."""
        if age < self.warm_up:
            return None
        periods, into = divmod(age - self.warm_up, self.period)
        return self.warm_up + periods * self.period + min(into, self.training)

    def checkpoints(self, age: float) -> int:
        """Checkpoints finished up to this age."""
        return int(max(age - self.warm_up, 0.0) // self.period) if self.checkpoint else 0


STEADY = Rhythm(warm_up=0.0, period=1e9, evaluation=0.0, checkpoint=0.0)
"""Training and nothing else, for answers that do not depend on the moment of asking."""

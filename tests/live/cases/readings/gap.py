"""The parts of the gap between a card's memory and the framework's.

    in use <= pool <= held by the training <= used

Two scrapes are not of the same moment: where one step seems to be below the one before, nothing is between them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.live.cases.moment import Moment, Shown


@dataclass(frozen=True)
class Steps:
    """Bytes on a card. A pool that is not told is at least the peak; ``training`` is None where nobody tells it."""

    in_use: float
    pool: float
    pool_told: bool
    training: float | None
    used: float

    @property
    def slack(self) -> float:
        return max(min(self.pool, self.used) - self.in_use, 0)

    @property
    def beside(self) -> float | None:
        """What the training holds beside its pool."""
        if self.training is None or not self.pool_told:
            return None
        return max(self.training - self.pool, 0)

    @property
    def others(self) -> float | None:
        return None if self.training is None else max(self.used - max(self.training, self.pool), 0)

    @property
    def rest(self) -> float:
        """What is between two steps that are known, and could be on either side of one that is not."""
        if self.training is None:
            return max(self.used - self.pool, 0)
        return 0 if self.pool_told else max(self.training - self.pool, 0)


def framework(m: Moment, what: str) -> Shown:
    """What the framework says of each card that reports."""
    up = {host.node for host in m.hosts}
    return m.of(f"framework_memory_{what}", [card for card in m.cards if card.node in up])


def _steps(m: Moment) -> dict[str, Steps]:
    """Of each card whose framework reports; none where it is a script that says nothing of pools."""
    if not m.exports("framework_memory_pool"):
        return {}
    pools, peaks, training, used = framework(m, "pool"), framework(m, "peak"), m.held_by_training(), m.held()
    return {
        name: Steps(in_use, max(pools.get(name, peaks[name]), in_use), name in pools, training.get(name), used[name])
        for name, in_use in framework(m, "in_use").items()
    }


def slack(m: Moment) -> Shown:
    return {name: steps.slack for name, steps in _steps(m).items()}


def beside(m: Moment) -> Shown:
    return {name: steps.beside for name, steps in _steps(m).items() if steps.beside is not None}


def others(m: Moment) -> Shown:
    return {name: steps.others for name, steps in _steps(m).items() if steps.others is not None}


def rest(m: Moment) -> Shown:
    return {name: steps.rest for name, steps in _steps(m).items()}


_PARTS = {
    "Pool slack": slack,
    "Contexts and libraries": beside,
    "Other processes": others,
    "Not told apart": rest,
}


def _together(m: Moment) -> Shown:
    sums = {name: list(part(m).values()) for name, part in _PARTS.items()}
    return {name: sum(values) for name, values in sums.items() if values}


PANELS = {
    "What the gap is made of": _together,
    **{f"The gap, card by card | {name}": part for name, part in _PARTS.items()},
}

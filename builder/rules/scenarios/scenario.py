"""The vocabulary of a scenario: what goes wrong with a healthy node, and when the alert has to say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.rules.scenarios.courses import Course


@dataclass(frozen=True)
class Input:
    """What one signal does; ``labels`` are those that it has beside those of its card, process or node."""

    signal: str
    course: Course
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """What makes one alert fire, and what nearly does.

    Times are in seconds. All is well for ``before``. Then ``trouble`` begins: on the first card, its process and its
    node, or ``everywhere``. The condition becomes true between ``soonest`` and ``latest`` after that, and the alert's
    hold later it fires. The trouble ends when it ``lasts`` that long after the alert fired; with ``news`` the
    condition ends by itself, so long after the trouble began. It is no longer true ``lingers`` later at most.
    ``near`` takes the trouble's place in the test that nothing fires. ``labels`` are those of the alert beside those
    of its scope. Where it is ``replaceable``, a card with another uuid in the first card's place is no trouble;
    ``by_clock``, it reads times that a host's clock tells, and has to do without a right one.
    """

    alert: str
    trouble: tuple[Input, ...]
    near: tuple[Input, ...]
    before: int = 600
    soonest: int = 0
    latest: int = 0
    lasts: int = 900
    lingers: int = 0
    news: int = 0
    everywhere: bool = False
    replaceable: bool = False
    by_clock: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)

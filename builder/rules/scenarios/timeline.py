"""A scenario played: the samples of every series, and the moments at which somebody looks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from builder.catalog.model import Profile
from builder.rules.model import AlertRule
from builder.rules.scenarios.courses import STEP, Course
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.spelling import Written, written
from builder.rules.scenarios.world import BY_CLOCK, FIRST_CARD, SIGNALS, SPARE_CARD, World, kind_of

Samples = list[float | None]
Series = dict[tuple[str, tuple[tuple[str, str], ...]], Samples]


@dataclass(frozen=True)
class Moments:
    """When what is expected of an alert, in seconds since the start.

    The trouble goes from ``begin`` to ``end``. The alert is silent up to ``early``, fires from ``fires`` to ``last``
    and is silent again from ``clear`` on; ``middle`` is in the midst of its hold.
    """

    begin: int
    early: int
    fires: int
    middle: int
    last: int
    end: int
    clear: int


def moments(scenario: Scenario, rule: AlertRule) -> Moments:
    """When the rule's alert has to be silent, and when to fire."""
    begin = scenario.before
    fires = _whole(begin + scenario.latest + rule.hold) + STEP
    end = _whole(begin + scenario.news) if scenario.news else fires + scenario.lasts
    return Moments(
        begin=begin,
        early=_whole(begin + scenario.soonest + rule.hold) - STEP,
        fires=fires,
        middle=_whole(begin + scenario.latest + rule.hold // 2),
        last=end - STEP,
        end=end,
        clear=_whole(end + scenario.lingers + rule.keep) + 2 * STEP,
    )


def _whole(seconds: float) -> int:
    return int(-(-seconds // STEP)) * STEP


def played(
    profiles: Sequence[Profile],
    world: World,
    scenario: Scenario,
    at: Moments,
    trouble: Sequence[Input],
    change: Change,
    names: Collection[str],
) -> Series:
    """The series of a healthy node with trouble from ``at.begin`` to ``at.end``, as the exporters write them.

    Only those of the metrics ``names``: a rule reads few of all that there are.
    """
    series: Series = {}
    length = at.clear // STEP + 2
    struck = {each.signal: each for each in trouble}
    answered = {signal: next((p for p in profiles if p.has(signal)), None) for signal in SIGNALS}
    read = {s: p for s, p in answered.items() if p and any(metric.name in names for metric in p.signals[s])}
    for entity, (signal, profile) in product(world.entities(), read.items()):
        if kind_of(signal) != entity.kind:
            continue
        healthy = world.healthy(signal)
        each = struck.get(signal) if scenario.everywhere or entity.number == 0 else None
        values = _values(healthy, each.course if each else healthy, at, length, until_end=not scenario.news)
        labels = {**entity.labels, **(each.labels if each else {})}
        for way, part in change.ways(profile, signal, labels, values):
            if way.name in names:
                _add(series, way, part)
    return series


def _values(healthy: Course, course: Course, at: Moments, length: int, *, until_end: bool) -> Samples:
    values: Samples = []
    last: float | None = None
    for index in range(length):
        now = index * STEP
        struck = at.begin <= now < at.end or (now >= at.begin and not until_end)
        value = (course if struck else healthy)(last, now)
        last = last if value is None else value
        values.append(value)
    return values


def _add(series: Series, way: Written, values: Samples) -> None:
    """Put a signal's samples down; several bits of one mask add up."""
    key = (way.name, way.labels)
    shown: Samples = [None if value is None else way.value(value) for value in values]
    if all(value is None for value in shown):
        return
    known = series.get(key, [None] * len(shown))
    series[key] = [_both(a, b, bits=way.bit is not None) for a, b in zip(known, shown, strict=True)]


def _both(one: float | None, other: float | None, *, bits: bool) -> float | None:
    """One sample of two: bits add up, and of two signals that one metric answers the first has the word."""
    if one is None or other is None:
        return other if one is None else one
    return one + other if bits else one


# what happens to the series on the way --------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """What happens to all series beside the trouble.

    ``gaps`` are the times (from, until) without a scrape, at ``renamed`` labels get their other spelling, at ``moved``
    each card's pod is replaced and shares the card with a second one, and from ``replaced`` on there is another card
    in the first one's place. Clocks of hosts are off by ``clock`` seconds.
    """

    gaps: tuple[tuple[int, int], ...] = ()
    renamed: int | None = None
    moved: int | None = None
    replaced: int | None = None
    clock: int = 0

    def ways(
        self, profile: Profile, signal: str, labels: Mapping[str, str], values: Samples
    ) -> Iterator[tuple[Written, Samples]]:
        """The series that one signal becomes, each with its part of the samples."""
        off = self.clock if signal in BY_CLOCK else 0
        whole = [None if value is None or self._missing(n * STEP) else value + off for n, value in enumerate(values)]
        for part, named, other in self._parts(labels, whole):
            way = written(profile, signal, named, other=other)
            if way is not None:
                yield way, part

    def _missing(self, at: int) -> bool:
        return any(begin <= at < until for begin, until in self.gaps)

    def _parts(self, labels: Mapping[str, str], values: Samples) -> Iterator[tuple[Samples, Mapping[str, str], bool]]:
        if self.renamed is not None:
            cut = self.renamed // STEP
            yield _before(values, cut), labels, False
            yield _after(values, cut), labels, True
        elif self.moved is not None and "pod" in labels and "training_job" not in labels:
            cut = self.moved // STEP
            yield _before(values, cut), labels, False
            for pod in ("other-0", "other-1"):
                yield _after(values, cut), {**labels, "pod": pod}, False
        elif self.replaced is not None and labels.get("uuid") == FIRST_CARD:
            cut = self.replaced // STEP
            yield _before(values, cut), labels, False
            yield _after(values, cut), {**labels, "uuid": SPARE_CARD}, False
        else:
            yield values, labels, False


def _before(values: Samples, cut: int) -> Samples:
    return [*values[:cut], *([None] * len(values[cut:]))]


def _after(values: Samples, cut: int) -> Samples:
    return [*([None] * len(values[:cut])), *values[cut:]]

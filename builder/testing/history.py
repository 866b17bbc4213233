"""An hour of scrapes, written down at once.

Functions over time (rate, increase, over_time) need samples over time. A history holds them without
waiting: Prometheus starts on blocks made from this text, and every query has one right answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.errors import UsageError
from builder.testing.exposition import Sample, format_labels, parse_exposition, parse_selector
from builder.testing.scrape import Target, scraped_labels, up

AT = 1767231000.0
"""2026-01-01 01:30:00 UTC, the evaluation time of histories: the hour before lies in one two-hour block."""


def history(targets: Sequence[Target], *, at: float = AT, seconds: int = 3600, interval: int = 30) -> str:
    """OpenMetrics text of scrapes every ``interval`` seconds over the ``seconds`` up to and including ``at``.

    The value in the exposition is the value at ``at``; a series with a slope runs up to it in a straight
    line, every other one is constant. Raises UsageError where a slope names no series, a rising series
    would have to start below zero, or two targets expose the same series.
    """
    times = [at - age for age in range(seconds - seconds % interval, -1, -interval)]
    lines: list[str] = []
    seen: set[str] = set()
    for sample, slope in (pair for target in targets for pair in _with_slopes(target)):
        series = sample.name + format_labels(sample.labels)
        if series in seen:
            raise UsageError(f"two samples of one series: {series}", fix="give each target its own instance")
        seen.add(series)
        if slope > 0 and sample.value < slope * (at - times[0]):
            raise UsageError(
                f"{series} rises by {slope} a second and would start below zero",
                fix=f"expose at least {slope * (at - times[0]):g}",
            )
        lines.extend(f"{series} {_number(sample.value - slope * (at - t))} {_number(t)}\n" for t in times)
    return "".join(lines) + "# EOF\n"


@dataclass(frozen=True)
class _Slope:
    name: str
    labels: Mapping[str, str]
    per_second: float

    def of(self, sample: Sample) -> bool:
        return self.name == sample.name and self.labels.items() <= sample.labels.items()


def _with_slopes(target: Target) -> Iterator[tuple[Sample, float]]:
    """The scraped samples, each with the slope whose labels say most about it."""
    slopes = [_Slope(*parse_selector(series), slope) for series, slope in target.per_second.items()]
    exposed = parse_exposition(target.exposition)
    for slope in slopes:
        if not any(slope.of(sample) for sample in exposed):
            raise UsageError(f"a slope for {slope.name}{format_labels(slope.labels)}, which the target does not expose")
    for sample in exposed:
        fitting = [slope for slope in slopes if slope.of(sample)]
        rise = max(fitting, key=lambda slope: len(slope.labels)).per_second if fitting else 0.0
        yield Sample(sample.name, scraped_labels(sample.labels, target), sample.value), rise
    yield up(target), 0.0


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)

"""Where the numbers of a preview are from: a Prometheus that is there, or one that is started on a simulated fleet."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from builder.build import training_of
from builder.cli.built import plural
from builder.config import Config
from builder.errors import UsageError
from builder.opening.window import parse_duration
from builder.simulate import Fleet, history
from builder.testing import Client, DashboardResult, Prometheus, run_dashboard
from builder.testing.process import binary

POINTS = 400
"""Points in a line: more than a picture of a panel can show."""
LONGEST = 24 * 3600.0
"""Seconds of history that a simulated fleet is given, at the most."""
_INTERVALS = (30, 60, 120, 300)
"""Seconds between two scrapes of that history: steps that Grafana takes too, or lines would have holes."""
_OWN_RANGE = re.compile(r"now-(\d+(?:\.\d+)?[smhdwy])")
_USUAL_RANGE = 6 * 3600.0


@dataclass(frozen=True)
class Data:
    """A Prometheus, what it is in words, and how often it scrapes. ``end`` is the last moment (None: now)."""

    url: str
    words: str
    scrape_interval: str
    end: float | None = None
    longest: float = float("inf")


@dataclass(frozen=True)
class Ask:
    """What a reader chose: values of variables, a range in seconds and its end, where they did."""

    variables: Mapping[str, tuple[str, ...]]
    seconds: float | None = None
    end: float | None = None

    def of(self, dashboard: Mapping[str, Any]) -> float:
        """The range of a dashboard in seconds: as chosen, or its own."""
        return self.seconds or own_range(dashboard)


@dataclass(frozen=True)
class Answered:
    """A dashboard with its answers, and the time range that they are of."""

    result: DashboardResult
    begin: float
    end: float


def own_range(dashboard: Mapping[str, Any]) -> float:
    """Seconds of the time range that a dashboard opens with."""
    written = dashboard.get("time")
    match = _OWN_RANGE.fullmatch(str(written.get("from", "")) if isinstance(written, Mapping) else "")
    return parse_duration(match[1]) if match else _USUAL_RANGE


@contextmanager
def of_prometheus(url: str, scrape_interval: str) -> Iterator[Data]:
    """A Prometheus that is there. Raises ServerError where it does not answer."""
    parse_duration(scrape_interval)
    client = Client(url)
    try:
        client.instant("1", time.time())
    finally:
        client.close()
    yield Data(url, f"Data: {_without_password(url)}", scrape_interval)


@contextmanager
def simulated(config: Config, fleet: Mapping[str, Any], seconds: float) -> Iterator[Data]:
    """A Prometheus of our own, with so many seconds of a fleet's history. The same options, the same pictures."""
    binary("promtool", "prometheus")  # before the history is made, which takes seconds
    length = min(seconds, LONGEST)
    interval = next(step for step in _INTERVALS if length / step <= POINTS)
    made = fleet_of(config, fleet)
    end = made.start + length
    words = f"Data: a simulated fleet of {plural(made.nodes, 'node')} with {plural(made.cards, 'card')} each"
    faults = f", with {', '.join(map(str, fleet['faults']))}" if fleet["faults"] else ""
    with Prometheus(history=history(made, begin=made.start, end=end, interval=interval)) as prometheus:
        yield Data(prometheus.url, words + faults, f"{interval}s", end, length)


def fleet_of(config: Config, fleet: Mapping[str, Any]) -> Fleet:
    """The fleet that these options describe. Raises UsageError for what it does not have, such as a fault's card."""
    training = training_of(config)
    return Fleet(
        **fleet, profile=config.profile, training=training.name if training else "none", host=config.host != "none"
    )


def answered(dashboard: Mapping[str, Any], data: Data, ask: Ask) -> Answered:
    """Every query of a dashboard, asked."""
    end = data.end if data.end is not None else ask.end if ask.end is not None else float(int(time.time()))
    seconds = min(ask.of(dashboard), data.longest)
    known = {str(model.get("name")) for model in (dashboard.get("templating") or {}).get("list") or ()}
    result = run_dashboard(
        dashboard,
        data.url,
        at=end,
        range_seconds=seconds,
        variables={name: values for name, values in ask.variables.items() if name in known},
        scrape_interval=data.scrape_interval,
        max_data_points=POINTS,
    )
    return Answered(result, end - seconds, end)


def chosen(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """``name=value`` as a mapping; a name that is given twice has two values."""
    found: dict[str, tuple[str, ...]] = {}
    for written in given:
        name, equals, value = written.partition("=")
        if not name or not equals:
            raise UsageError(f"not a variable's value: {written!r}", where="--var", fix="write it like node=node-1")
        found[name] = (*found.get(name, ()), value)
    return found


def check_variables(ask: Ask, dashboards: Iterable[Mapping[str, Any]]) -> None:
    """Raises UsageError for a variable that no dashboard has."""
    known = {
        str(model.get("name")) for board in dashboards for model in (board.get("templating") or {}).get("list") or ()
    }
    for name in ask.variables:
        if name not in known:
            fix = f"there is {', '.join(sorted(known)) or 'none'}"
            raise UsageError(f"no dashboard has the variable {name}", where="--var", fix=fix)


def strangers(ask: Ask, result: DashboardResult) -> Iterator[str]:
    """Values that were chosen and are none of a variable's own: Grafana takes them, and shows nothing."""
    for name, values in ask.variables.items():
        variable = result.variables.get(name)
        for value in values if variable and variable.options else ():
            if variable and value not in (*variable.options, "$__all", "All"):
                shown = ", ".join(variable.options[:8])
                yield f"{name}={value} is none of its values: {shown}{', ...' if len(variable.options) > 8 else ''}"


def _without_password(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)

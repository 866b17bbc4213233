"""window-too-short: a range has to hold several new values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.functions import RATES, SLOPES
from builder.lint.promql.tree import Call, Window, selectors, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import text
from builder.lint.world import World

_FUNCTIONS = RATES | SLOPES | {"changes", "resets"}
_DURATION = re.compile(r"(\d+)(ms|[smhdwy])")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_536_000}


def _check(query: Query, panel: Panel, board: Board, world: World) -> Hits:
    told = set()
    for node in walk(query.parsed):
        if not isinstance(node, Call) or node.function not in _FUNCTIONS:
            continue
        for selector in selectors(node):
            facts = world.known(selector)
            if selector.window is None or not facts:
                continue
            slowest = max(facts, key=lambda fact: fact.interval)
            for shown, length in _lengths(selector.window, query, panel, board):
                hit = _judge(f"{node.function}() over {shown} of {slowest.name}", length, slowest)
                if hit and shown not in told:
                    told.add(shown)
                    yield hit


def _judge(what: str, length: float, fact: Fact) -> Hit | None:
    """A bug or a warning by the exporter's own pace; by the usual scrape interval what is sure to fail."""
    if fact.paced and length < 4 * fact.interval:
        severity = Severity.BUG if length < 2 * fact.interval else Severity.WARNING
        fix = f"use $__rate_interval, or {Window(4.0 * fact.interval)} and more"
        return Hit(f"{what}, which is renewed every {fact.interval} s", ("expr",), fix, severity)
    if not fact.paced and length < 2 * fact.interval:
        return Hit(f"{what} holds one value at a scrape interval of {fact.interval} s", ("expr",))
    return None


def _lengths(window: Window, query: Query, panel: Panel, board: Board) -> Iterator[tuple[str, float]]:
    """How the window is written and the least seconds that it can last."""
    if not window.variable:
        yield str(window), window.seconds
    elif window.variable == "__interval":
        least = max(seconds(text(query.data.get("interval"))), seconds(text(panel.data.get("interval"))))
        yield "$__interval", max(least, 15.0)  # Grafana's scrape interval where the data source sets none
    elif variable := board.by_name.get(window.variable):
        lengths = [seconds(value) for value in variable.values if _DURATION.match(value)]
        if lengths:
            yield f"${variable.name} (from {min(lengths):g} s)", min(lengths)


def seconds(duration: str) -> float:
    """A duration such as ``1m30s``, in seconds; 0 where it is none."""
    return sum(int(number) * _SECONDS[unit] for number, unit in _DURATION.findall(duration))


RULE = Rule(
    "window-too-short",
    Severity.WARNING,
    why="The exporter renews its values at its own pace, however often it is scraped. A window that holds fewer than "
    "two new values gives nothing or zero, one that holds fewer than four jumps between zero and double.",
    fix="use $__rate_interval",
    on_query=_check,
)

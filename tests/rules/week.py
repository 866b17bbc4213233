"""A healthy fleet of 64 cards over 7 days, and every alert that a real Prometheus would have fired on it: none.

    python -m tests.rules.week               exit status 1 where an alert fires

Takes about a quarter of an hour and says how far it is. CI runs it for a smaller fleet and some hours. ``--fault``
plants something that must be found. Needs Debian's package ``prometheus``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from benchmarks.prometheus import server
from builder.simulate import Fleet
from builder.simulate.files import BLOCK, write_blocks
from builder.testing import Client
from tests.rules.firing import BLIND, Firing, firing, rules_for

PATIENCE = 600
"""Seconds for the answer to one query over a day, on a machine that does other things as well."""


@dataclass(frozen=True)
class Span:
    """A part of the history, as one process writes it."""

    begin: float
    end: float
    interval: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the history, ask every rule, and say what fired."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.week", description=__doc__)
    parser.add_argument("--nodes", type=int, default=8, help="nodes of eight cards (8)")
    parser.add_argument("--hours", type=float, default=168, help="length of the history (168)")
    parser.add_argument("--interval", type=int, default=30, help="seconds between scrapes (30)")
    parser.add_argument("--slice-hours", type=float, default=24, help="asked for at once (24)")
    parser.add_argument("--fault", action="append", default=[], help="as in gpuboards simulate")
    options = parser.parse_args(arguments)
    fleet = Fleet(nodes=options.nodes, cards=8, faults=options.fault)
    end = fleet.start + options.hours * 3600
    workers = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="gpuboards-week-") as name:
        data = Path(name) / "data"
        began = time.monotonic()
        _write(fleet, data, end, options.interval, workers)
        _say(f"history written in {time.monotonic() - began:.0f} s")
        began = time.monotonic()
        with server(data) as url:
            found = _ask(url, fleet, end, options.slice_hours * 3600, workers)
        _say(f"rules asked in {time.monotonic() - began:.0f} s")
    for each in found:
        click.echo(f"{each} {(each.at - fleet.start) / 3600:.2f} h after the start, value {each.value:g}")
    cards = options.nodes * 8
    click.echo(f"{cards} cards, {options.hours:g} h, {len(rules_for(fleet))} rules: {len(found)} fired")
    return 1 if found else 0


def _write(fleet: Fleet, data: Path, end: float, interval: int, workers: int) -> None:
    """Two-hour blocks, several at a time: a fleet's state follows from the time alone."""
    starts = range(int(fleet.start), int(end), BLOCK)
    spans = [Span(start, min(start + BLOCK - interval, end), interval) for start in starts]
    with ProcessPoolExecutor(workers) as pool:
        for done, _ in enumerate(pool.map(partial(_write_span, fleet, data), spans), 1):
            if not done % 12 or done == len(spans):
                _say(f"{done} of {len(spans)} blocks")


def _write_span(fleet: Fleet, data: Path, span: Span) -> int:
    return write_blocks(fleet, data, begin=span.begin, end=span.end, interval=span.interval)


def _ask(url: str, fleet: Fleet, end: float, slice_seconds: float, workers: int) -> list[Firing]:
    client, rules = Client(url, timeout=PATIENCE), rules_for(fleet)
    samples = client.instant("sum(scrape_samples_scraped)", end - BLOCK / 4)
    _say(f"{samples[0].last:.0f} series a scrape")
    found: list[Firing] = []
    with ThreadPoolExecutor(workers) as pool:
        asked = [
            pool.submit(firing, client, rule, fleet.start + BLIND, end, slice_seconds=slice_seconds) for rule in rules
        ]
        for rule, answer in zip(rules, asked, strict=True):
            fired = answer.result()
            _say(f"{rule.alert}: {len(fired)} fired")
            found += fired
    client.close()
    return found


def _say(what: str) -> None:
    click.echo(what, err=True)


if __name__ == "__main__":
    sys.exit(main())

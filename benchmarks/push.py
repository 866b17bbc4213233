"""What a push costs: ``python -m benchmarks.push``. Exit code 1 where a limit is passed.

500 boards go to a fake Grafana in a process of its own that takes 20 ms for each answer: once one board after the
other, once several at a time, and then a second time, with nothing changed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from builder.config import Config, Context
from builder.targets.grafana.endpoint import endpoint
from builder.targets.grafana.push import Options, push
from builder.targets.grafana.report import Report

LATENCY = 0.02
FASTER = 6.0


@dataclass(frozen=True)
class Pushed:
    """A push: seconds, the requests that could write, and the report."""

    seconds: float
    writes: int
    report: Report


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and tell whether the limits hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.push", description=__doc__)
    parser.add_argument("--boards", type=int, default=500, help="boards to push (500)")
    parser.add_argument("--panels", type=int, default=30, help="panels of each board (30)")
    parser.add_argument("--jobs", type=int, default=16, help="boards at a time (16)")
    parser.add_argument("--version", default="12.2.0", help="of the Grafana (12.2.0)")
    options = parser.parse_args(arguments)
    boards = {f"board-{n}": board(f"board-{n}", options.panels) for n in range(options.boards)}
    print(
        f"{len(boards)} boards of {options.panels} panels, Grafana {options.version}, {LATENCY * 1000:g} ms an answer"
    )
    with server(options.version) as grafana:
        one = run(boards, grafana, Options(jobs=1))
    with server(options.version) as grafana:
        many = run(boards, grafana, Options(jobs=options.jobs))
        again = run(boards, grafana, Options(jobs=options.jobs))
    faster = one.seconds / many.seconds
    show("one after the other", one)
    show(f"{options.jobs} at a time", many)
    show("a second time, nothing changed", again)
    print(f"{faster:.1f} times as fast (limit: at least {FASTER:g}); second push: {again.writes} writes (limit: 0)")
    complete = all(pushed.report.exit_code == 0 for pushed in (one, many, again))
    return 0 if complete and faster >= FASTER and again.writes == 0 else 1


def show(what: str, pushed: Pushed) -> None:
    """One line."""
    each = 1000 * pushed.seconds / len(pushed.report.outcomes)
    print(f"  {what:<32} {pushed.seconds:7.2f} s  {each:6.1f} ms a board  {pushed.writes:5} writes")


def board(uid: str, panels: int) -> dict[str, Any]:
    """A board about as large as real ones."""
    source = {"type": "prometheus", "uid": "${datasource}"}
    made = [
        {
            "id": n + 1,
            "type": "timeseries",
            "title": f"Panel {n}",
            "description": "What it shows, how to read it, and what to do about it. " * 3,
            "gridPos": {"h": 8, "w": 12, "x": 12 * (n % 2), "y": 8 * (n // 2)},
            "pluginVersion": "10.4.0",
            "datasource": source,
            "fieldConfig": {
                "defaults": {"unit": "percentunit", "custom": {"lineWidth": 1, "fillOpacity": n}, "min": 0, "max": 1},
                "overrides": [],
            },
            "options": {"legend": {"displayMode": "list", "calcs": ["lastNotNull"]}, "tooltip": {"mode": "multi"}},
            "targets": [{"refId": r, "datasource": source, "expr": f"sum by (node) (rate(x{n}[5m]))"} for r in "AB"],
        }
        for n in range(panels)
    ]
    variable = {"name": "datasource", "type": "datasource", "query": "prometheus", "current": {}}
    return {
        "uid": uid,
        "title": f"Board {uid}",
        "tags": ["gpuboards"],
        "schemaVersion": 39,
        "refresh": "1m",
        "panels": made,
        "templating": {"list": [variable]},
    }


def run(boards: dict[str, Any], grafana: Server, options: Options) -> Pushed:
    """Push, and count what the server saw."""
    config = Config(contexts={"it": Context(grafana.url)})
    target = endpoint(config, "it", {"GRAFANA_TOKEN": grafana.token})
    before = grafana.writes()
    began = time.perf_counter()
    report = push(boards, target, options)
    return Pushed(time.perf_counter() - began, grafana.writes() - before, report)


# the server in a process of its own: the client does not share an interpreter with it ------------


@dataclass(frozen=True)
class Server:
    """A fake Grafana in another process."""

    url: str
    token: str
    line: Connection

    def writes(self) -> int:
        """How many requests it has had that could write."""
        self.line.send("writes")
        count: int = self.line.recv()
        return count


@contextmanager
def server(version: str) -> Iterator[Server]:
    """A fake Grafana, empty, until the context ends."""
    processes = multiprocessing.get_context("spawn")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_serve, args=(version, theirs), daemon=True)
    process.start()
    url, token = ours.recv()
    yield Server(url, token, ours)
    ours.send("end")
    process.join()


def _serve(version: str, line: Connection) -> None:
    from builder.testing import FakeGrafana

    with FakeGrafana(version, latency=LATENCY) as grafana:
        line.send((grafana.url, grafana.token))
        while line.recv() == "writes":
            line.send(len(grafana.writes))


if __name__ == "__main__":
    sys.exit(main())

"""What a board costs a Prometheus, by the size of the fleet, beside the dashboards that exporters come with.

    python -m benchmarks.boards [--cards 10 100 1000]

For each size, a simulated fleet that runs dcgm-exporter and nvidia_gpu_exporter on the same cards is written as a
history, a real Prometheus starts on it, and every dashboard is opened there as Grafana opens it, one request at a
time: all with the same range and scrape interval. Samples are those that the server says it read (``stats=all``).
Questions that look further back than the history read less here than they would in life. Dashboards of others are
read from ``$GPUBOARDS_REFERENCE/data/dashboards`` or from ``--others``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.build import build_boards
from builder.config import Config
from builder.errors import GpuboardsError
from builder.lint import Subject
from builder.live.outcome import BoardOutcome, total
from builder.live.report.figures import count, duration, size
from builder.load import load
from builder.simulate import Fleet
from builder.simulate.files import write_blocks
from builder.targets.dashboard_files import load_all
from builder.targets.prometheus.address import Access, address
from builder.targets.prometheus.check import check
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.opened import Options
from builder.testing import Prometheus

ROOT = Path(__file__).resolve().parents[1]
_NAME = 52


@dataclass(frozen=True)
class Bill:
    """What opening one dashboard cost: panels with answers, series, samples (None: not counted), bytes, seconds.

    ``seconds`` are those of its slowest panel.
    """

    shown: int
    panels: int
    series: int
    samples: int | None
    size: int
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each size of the fleet; 2 where something that is needed is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__)
    parser.add_argument("--cards", type=int, nargs="+", default=[10, 100, 1000], help="sizes of the fleet")
    parser.add_argument("--minutes", type=int, default=30, help="length of the history, and range of the boards (30)")
    parser.add_argument("--interval", type=int, default=60, help="seconds between two scrapes (60)")
    parser.add_argument("--others", help="dashboards of others: files or a directory")
    options = parser.parse_args(arguments)
    try:
        subjects = [*ours(), *others(options.others)]
        for cards in options.cards:
            print(f"\n{cards} cards, {options.minutes} min in steps of {options.interval} s", flush=True)
            bills = measured(subjects, cards, minutes=options.minutes, interval=options.interval)
            print(table(bills), flush=True)
    except GpuboardsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def ours() -> Iterator[Subject]:
    """The standard boards, as they are built for dcgm-exporter."""
    for uid, board in build_boards(load(ROOT / "dashboards"), Config())[0].items():
        yield Subject(uid, board)


def others(place: str | None) -> list[Subject]:
    """The dashboards of others; none, and a word about it, where they are not here."""
    reference = os.environ.get("GPUBOARDS_REFERENCE")
    place = place or (f"{reference}/data/dashboards" if reference else None)
    if place is None:
        print("note: GPUBOARDS_REFERENCE is not set, so nobody else's dashboards are beside ours", file=sys.stderr)
        return []
    return load_all([place])[0]


def measured(subjects: Sequence[Subject], cards: int, *, minutes: int, interval: int) -> Mapping[str, Bill]:
    """What each dashboard costs on a fleet of so many cards, by its name."""
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        data = Path(name)
        for fleet in fleets(cards):
            end = fleet.start + 600 + minutes * 60  # ten minutes for the first jobs to warm up
            write_blocks(fleet, data, begin=fleet.start + 600, end=end, interval=interval)
        at = Options(at=end, range_seconds=minutes * 60, scrape_interval=interval, slow=3600)
        with (
            Prometheus(data=data) as prometheus,
            Client(address(Access(prometheus.url), {}), seconds=600, jobs=1) as client,
        ):
            report = check(subjects, client, at, lambda _doing, _done, _total: None)
    if report.trouble:
        raise GpuboardsError(report.trouble)
    return {Path(board.name).stem: bill(board) for board in report.boards}


def fleets(cards: int) -> tuple[Fleet, Fleet]:
    """The same cards as two exporters tell of them."""
    a_node = max(n for n in range(1, 9) if cards % n == 0)
    nodes = cards // a_node
    smi = Fleet(nodes=nodes, cards=a_node, profile="nvidia-smi", training="none", host=False)
    return Fleet(nodes=nodes, cards=a_node), smi


def bill(board: BoardOutcome) -> Bill:
    """The sums of a board."""
    asked = [panel for panel in board.panels if panel.queries]
    return Bill(
        shown=sum(panel.series > 0 for panel in asked),
        panels=len(asked),
        series=sum(panel.series for panel in asked),
        samples=total([panel.samples for panel in asked]),
        size=sum(panel.size for panel in asked),
        seconds=max((panel.seconds for panel in asked), default=0.0),
    )


def table(bills: Mapping[str, Bill]) -> str:
    """The bills in columns, the standard boards first."""
    lines = [f"{'':<{_NAME}}{'panels shown':>13}{'series':>9}{'samples':>9}{'bytes':>10}{'slowest':>9}"]
    for name, found in bills.items():
        shown = f"{found.shown} of {found.panels}"
        figures = f"{count(found.series):>9}{count(found.samples):>9}{size(found.size):>10}"
        lines.append(f"{name[:_NAME]:<{_NAME}}{shown:>13}{figures}{duration(found.seconds):>9}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

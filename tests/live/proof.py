"""Prints what the boards show on recorded exporter output, and whether it is what was worked out by hand.

``python -m tests.live.proof provisioning`` from the root of the repository; exit 1 where an answer is wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from builder.catalog.profiles import profile
from builder.errors import GpuboardsError, ServerError
from builder.testing import Prometheus
from builder.testing.figures import Figure, figures
from builder.testing.quantity import quantity
from tests.live.fleets import FLEETS
from tests.live.known_answers import KNOWN
from tests.live.opened import Boards, boards_of, by_name, open_board, wrong

# What is printed of all that is known: fleet, board, panels.
SHOWN: Mapping[str, Mapping[str, Sequence[str]]] = {
    "dcgm-extended": {
        "gpu-fleet": (
            "Cards",
            "Nodes | Memory",
            "Nodes | Hottest",
            "Slowed down",
            "Idle but held | Share held",
            "Pods on nodes in trouble | Memory held",
            "Namespaces | Cards held",
        ),
        "gpu-node?var-node=gpu-node-02": ("Cards | Last XID", "Power share now"),
        "gpu-detail?var-node=gpu-node-02": ("Headroom (1)", "GPU 1: how well it is used"),
        "gpu-memory": ("Cards by gap | Gap", "Gap, share"),
        "gpu-thermal": ("Cards by temperature | Core", "Energy in this time range"),
        "gpu-health": ("Last XID by card | Last XID", "Row remap"),
        "gpu-training": ("Jobs | Records/s", "Jobs | Waiting for input"),
    },
    "nvidia-smi": {
        "gpu-fleet": ("Cards", "Nodes | Memory", "Nodes | Slowed down", "Idle but held | Share held"),
        "gpu-thermal": ("Cards by temperature | Headroom", "Power"),
    },
    "nv-gpu": {
        "gpu-fleet": ("Cards", "Utilisation", "Hottest card"),
        "gpu-memory": ("Held", "Cards by gap (approximate) | Gap"),
    },
}


@dataclass(frozen=True)
class Line:
    """One answer, and what is wrong with it."""

    panel: str
    series: str
    value: str
    problem: str = ""


def main(provisioning: Path) -> int:
    """Print the table. 0 where every known answer is right, those that are not printed included."""
    checked = failed = 0
    for name, wanted in SHOWN.items():
        fleet = FLEETS[name]
        boards = _built(provisioning) if fleet.profile == "dcgm" else boards_of(fleet)[0]
        click.secho(f"\n{profile(fleet.profile).title}  (profile {fleet.profile})", bold=True)
        with Prometheus(history=fleet.history()) as prometheus:
            for address in KNOWN[name]:
                found = _figures(boards, address, prometheus.url)
                problems = wrong(by_name(found), KNOWN[name][address])
                checked += sum(len(values or {}) for values in KNOWN[name][address].values())
                failed += len(problems)
                _print(boards[urlsplit(address).path]["title"], found, wanted.get(address, ()), problems)
    click.echo(f"\n{checked} answers compared with those worked out by hand: ", nl=False)
    click.secho(f"{failed} panels are wrong" if failed else "all are right", fg="red" if failed else "green")
    return 1 if failed else 0


def _built(provisioning: Path) -> Boards:
    files = sorted((provisioning / "dashboards" / "gpuboards").glob("*.json"))
    return {board["uid"]: board for board in (json.loads(file.read_text(encoding="utf-8")) for file in files)}


def _figures(boards: Boards, address: str, url: str) -> tuple[Figure, ...]:
    result = open_board(boards, address, url)
    for problem in result.problems():
        raise ServerError(problem, where=result.uid)
    return figures(boards[result.uid], result)


def _print(
    title: str, found: Sequence[Figure], wanted: Sequence[str], problems: Mapping[str, Mapping[str, Any]]
) -> None:
    lines = list(_lines(found, wanted, problems))
    if lines:
        click.echo(f"  {title}")
    previous = ""
    for line in lines:
        panel = "" if line.panel == previous else line.panel
        previous = line.panel
        click.echo(f"    {panel:<40}{line.series:<43}{line.value:>11}")
        if line.problem:
            click.secho(f"      wrong: {line.problem}", fg="red")


def _lines(found: Sequence[Figure], wanted: Sequence[str], problems: Mapping[str, Mapping[str, Any]]) -> Iterator[Line]:
    for name in dict.fromkeys([*wanted, *problems]):
        series = [(each, figure) for figure in found if figure.name == name for each in sorted(figure.values)]
        problem = f"expected {problems[name]['expected']}" if name in problems else ""
        if not series:
            yield Line(name, "", "-", problem)
        for each, figure in series:
            yield Line(name, each, quantity(figure.values[each], figure.unit), problem)
            problem = ""


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except GpuboardsError as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(3)

"""Building many boards, against grafanalib's own ``generate-dashboards``.

Each round starts as a fresh checkout does: definitions that nobody has compiled, no output. Both tools have
their own modules' bytecode cached. The order within a round turns, so that a busy moment hits each alike.
"""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.definitions import write_own, write_stock
from benchmarks.process import Cost, Failed, measure

SCRIPTS = Path(sysconfig.get_path("scripts"))
TOOLS = ("generate-dashboards", "same panels", "own panels")


@dataclass(frozen=True)
class Built:
    """What a build cost, and the bytes of dashboard JSON that it wrote."""

    cost: Cost
    written: int


def build_rounds(
    folder: Path, environment: Mapping[str, str], *, boards: int, panels: int, rounds: int
) -> dict[str, list[Built]]:
    """The builds of each of TOOLS, after one small round that is not counted and checks that all build the same."""
    _round(folder / "first", environment, 0, boards=2, panels=panels, compare=True)
    results: dict[str, list[Built]] = {tool: [] for tool in TOOLS}
    for number in range(rounds):
        for tool, built in _round(
            folder / f"round-{number}", environment, number, boards=boards, panels=panels
        ).items():
            results[tool].append(built)
    return results


def _round(
    folder: Path, environment: Mapping[str, str], number: int, *, boards: int, panels: int, compare: bool = False
) -> dict[str, Built]:
    folder.mkdir()
    stock = write_stock(folder / "stock", boards, panels)
    write_own(folder / "own", boards, panels)
    ours: list[str | Path] = [SCRIPTS / "gpuboards", "build", "--out"]
    commands: dict[str, list[str | Path]] = {
        TOOLS[0]: [SCRIPTS / "generate-dashboards", *stock],
        TOOLS[1]: [*ours, "out-stock", "--dashboards", "stock"],
        TOOLS[2]: [*ours, "out-own", "--dashboards", "own"],
    }
    places = {
        TOOLS[0]: folder / "stock",
        TOOLS[1]: folder / "out-stock/dashboards/gpuboards",
        TOOLS[2]: folder / "out-own/dashboards/gpuboards",
    }
    results: dict[str, Built] = {}
    for turn in range(len(TOOLS)):
        tool = TOOLS[(number + turn) % len(TOOLS)]
        cost = measure(commands[tool], folder, environment)
        files = list(places[tool].glob("*.json"))
        if len(files) != boards:
            raise Failed(f"{tool}: {len(files)} boards instead of {boards}")
        results[tool] = Built(cost, sum(file.stat().st_size for file in files))
    if compare:
        _compare({tool: sorted(_panels(place)) for tool, place in places.items()})
    # Emptied, not deleted: where many files were deleted lately, ext4 takes long to make new ones.
    for file in folder.rglob("*.json"):
        os.truncate(file, 0)
    return results


def _panels(place: Path) -> Iterator[tuple[str, str, str, list[str]]]:
    """Board, panel, kind and queries of each panel."""
    for file in place.glob("*.json"):
        board = json.loads(file.read_text(encoding="utf-8"))
        for panel in board["panels"]:
            yield board["uid"], panel["title"], panel["type"], [target["expr"] for target in panel["targets"]]


def _compare(panels: Mapping[str, list[tuple[str, str, str, list[str]]]]) -> None:
    for tool in TOOLS[1:]:
        if panels[tool] != panels[TOOLS[0]]:
            raise Failed(f"{tool}: not the panels that {TOOLS[0]} builds")

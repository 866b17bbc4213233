"""Runs the benchmarks and prints what they found; exit status 1 where a limit is not kept."""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.build import SCRIPTS, TOOLS, Built, build_rounds
from benchmarks.process import Cost, Failed, measure, quiet_environment


@dataclass(frozen=True)
class Finding:
    """A figure of gpuboards beside that of what it is compared with, and how large their ratio may be."""

    what: str
    other: float
    ours: float
    unit: str
    limit: float = math.inf

    @property
    def ratio(self) -> float:
        """How many times the other figure ours is."""
        return self.ours / self.other

    @property
    def kept(self) -> bool:
        """True where the ratio is within its limit."""
        return self.ratio <= self.limit


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; what it costs goes to standard output as a table."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--boards", type=int, default=500, help="boards to build (500)")
    parser.add_argument("--panels", type=int, default=30, help="panels of each board (30)")
    parser.add_argument("--rounds", type=int, default=5, help="builds of each tool; the median counts (5)")
    parser.add_argument("--help-rounds", type=int, default=20, help="runs of --help; the median counts (20)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        folder = Path(name)
        environment = quiet_environment(folder / "bytecode")
        try:
            builds = build_rounds(
                folder, environment, boards=options.boards, panels=options.panels, rounds=options.rounds
            )
            helps = help_rounds(folder, environment, options.help_rounds)
        except Failed as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    print(f"{options.boards} boards of {options.panels} panels; medians of {options.rounds} whole processes")
    findings = [*build_findings(builds), *help_findings(helps)]
    print(table(findings))
    return 0 if all(finding.kept for finding in findings) else 1


def help_rounds(folder: Path, environment: Mapping[str, str], rounds: int) -> dict[str, list[Cost]]:
    """``import click`` and ``gpuboards --help`` in turn, after one run of each that is not counted."""
    commands = {
        "import click": [sys.executable, "-c", "import click"],
        "--help": [str(SCRIPTS / "gpuboards"), "--help"],
    }
    results: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            results[name].append(measure(command, folder, environment))
    return {name: costs[1:] for name, costs in results.items()}


def build_findings(builds: Mapping[str, Sequence[Built]]) -> Iterator[Finding]:
    """Each of our builds beside grafanalib's.

    The limits are for the same definitions. Our own panels are checked in ways that grafanalib does not check,
    their queries parsed, their variables looked up: what that costs is shown beside it.
    """
    other = builds[TOOLS[0]]
    for tool, limit in zip(TOOLS[1:], (0.5, math.inf), strict=True):
        ours = builds[tool]
        yield from _costs(f"build, {tool}", [b.cost for b in other], [b.cost for b in ours], time_limit=limit)
        before, after = (median(b.written for b in each) / 1e6 for each in (other, ours))
        yield Finding(f"build, {tool}: bytes", before, after, "MB", limit)


def help_findings(helps: Mapping[str, Sequence[Cost]]) -> Iterator[Finding]:
    """``gpuboards --help`` beside ``import click``."""
    yield from _costs("--help", helps["import click"], helps["--help"], time_limit=1.5)


def _costs(what: str, other: Sequence[Cost], ours: Sequence[Cost], *, time_limit: float) -> Iterator[Finding]:
    def figures(of: Callable[[Cost], float]) -> tuple[float, float]:
        return median(map(of, other)), median(map(of, ours))

    before, after = figures(lambda cost: cost.seconds)
    yield Finding(f"{what}: wall time", before, after, "s", time_limit)
    before, after = figures(lambda cost: cost.processor)
    yield Finding(f"{what}: processor time", before, after, "s")
    before, after = figures(lambda cost: cost.memory / 1e6)
    yield Finding(f"{what}: peak memory", before, after, "MB", 1.5)


def table(findings: Sequence[Finding]) -> str:
    """The findings in columns."""
    lines = [f"{'':<36}{'other':>12}{'gpuboards':>12}{'ratio':>8}{'limit':>8}"]
    for found in findings:
        figures = "".join(f"{f'{figure:.3f} {found.unit}':>12}" for figure in (found.other, found.ours))
        limit = f"{found.limit:>8.2f}  {'kept' if found.kept else 'MISSED'}" if found.limit < math.inf else ""
        lines.append(f"{found.what:<36}{figures}{found.ratio:>8.2f}{limit}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

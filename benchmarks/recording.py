"""What recording rules save, and what they and the alerting rules cost at 1,000 cards, on a real Prometheus.

    python -m benchmarks.recording           exit status 1 where a limit is not kept

Limits: the queries of ``gpu-fleet`` read at least twenty times fewer samples from recorded series than from the
exporter's own, and no group of rules takes more than a tenth of its interval. Needs Debian's package ``prometheus``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import requests

from benchmarks.prometheus import server
from builder.alerting import alert_groups
from builder.build import build_boards
from builder.config import Config
from builder.load import load
from builder.rule_files import build_rules, rule_groups
from builder.rules.model import Group
from builder.rules.stages import Stage
from builder.simulate import Fleet
from builder.simulate.files import write_blocks
from builder.testing import run_dashboard
from builder.testing.results import TargetResult

DASHBOARDS = Path(__file__).resolve().parents[1] / "dashboards"
FEWER = 20
OF_INTERVAL = 0.1
ROUNDS = 3
RAW, RECORDED = Config(), Config(source="recorded")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the fleet's history and what rules record of it, and measure both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recording", description=__doc__)
    parser.add_argument("--nodes", type=int, default=125, help="nodes of eight cards (125)")
    parser.add_argument("--minutes", type=int, default=60, help="length of the history, and what the board shows (60)")
    options = parser.parse_args(arguments)
    fleet = Fleet(nodes=options.nodes, cards=8, faults=[f"hot:node-{n}/gpu-0" for n in range(0, options.nodes, 40)])
    start, end = fleet.start, fleet.start + options.minutes * 60
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        data = Path(name) / "data"
        write_blocks(fleet, data, begin=start, end=end)
        _record(Path(name), start, end)
        with server(data) as url:
            fewer = _samples(url, options.minutes * 60, end)
            in_time = _evaluations(url, end)
    return 0 if fewer and in_time else 1


def _record(directory: Path, start: float, end: float) -> None:
    """Evaluate the rules over the history, a level at a time: promtool does not see what it has just written."""
    for artifact in build_rules(RECORDED):
        file = directory / artifact.path
        file.write_bytes(artifact.content)
        with server(directory / "data") as url:
            command = ["promtool", "tsdb", "create-blocks-from", "rules", f"--url={url}", f"--start={start:.0f}"]
            command += [f"--end={end + 30:.0f}", "--eval-interval=30s", f"--output-dir={directory / 'data'}", str(file)]
            subprocess.run(command, check=True, capture_output=True)


def _samples(url: str, seconds: int, end: float) -> bool:
    """The samples that opening gpu-fleet once reads from either source."""
    read = {}
    for config in (RAW, RECORDED):
        boards, _ = build_boards(load(DASHBOARDS), config)
        result = run_dashboard(boards["gpu-fleet"], url, at=end, range_seconds=seconds)
        targets = [target for panel in result.panels for target in panel.targets]
        read[config.source] = sum(_read(url, target, seconds) for target in targets)
        what = f"gpu-fleet over {seconds // 60} min, {config.source}"
        print(f"{what}: {len(targets)} queries, {read[config.source]:,} samples")
    times = read["raw"] / read["recorded"]
    kept = times >= FEWER
    print(f"  {times:.0f} times fewer  {_verdict(kept)}")
    return kept


def _read(url: str, target: TargetResult, seconds: int) -> int:
    """The samples that a query reads.

    What is fixed to the end of the range Prometheus reads once and counts at every step: it is counted once here.
    """

    def counted(expr: str, instant: bool) -> int:
        stats = _stats(url, expr, target.end, instant, seconds, target.step)
        return int(stats["samples"]["totalQueryableSamples"])

    total = counted(target.expr, target.instant)
    fixed = [] if target.instant else list(_fixed(target.expr))
    return total - sum(counted(part, False) - counted(part, True) for part in fixed)


def _fixed(expr: str) -> Iterator[str]:
    """The functions over a range that ends where the board's does."""
    for call in re.finditer(r"\b\w+_over_time\(", expr):
        depth, at = 1, call.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(expr[at], 0)
            at += 1
        if "@ end()" in expr[call.start() : at]:
            yield expr[call.start() : at]


def _evaluations(url: str, end: float) -> bool:
    """How long one round of each group takes, rule after rule as Prometheus does it; the slowest of a few rounds."""
    kept = True
    recording = [group for level in rule_groups(RECORDED).values() for group in level]
    for group in (*recording, *alert_groups(RECORDED, Stage.FULL)):
        took = max(_evaluate(url, group, end) for _ in range(ROUNDS))
        share = took / group.interval
        kept = kept and share <= OF_INTERVAL
        print(
            f"  {group.name:<28} {len(group.rules):>3} rules {took * 1e3:>7.0f} ms, {share:.2%} of {group.interval} s"
        )
    print(f"no group over {OF_INTERVAL:.0%} of its interval  {_verdict(kept)}")
    return kept


def _evaluate(url: str, group: Group, end: float) -> float:
    return sum(_stats(url, rule.expr.text, end, True, 0, 0)["timings"]["execTotalTime"] for rule in group.rules)


def _stats(url: str, expr: str, end: float, instant: bool, seconds: int, step: float) -> Mapping[str, Any]:
    asked: dict[str, Any] = {"query": expr, "stats": "all"}
    if instant:
        path, asked = "query", asked | {"time": end}
    else:
        path, asked = "query_range", asked | {"start": end - seconds, "end": end, "step": step}
    answer = requests.post(f"{url}/api/v1/{path}", data=asked, timeout=300).json()
    if answer["status"] != "success":
        raise RuntimeError(f"{answer.get('error')}: {expr[:200]}")
    stats: Mapping[str, Any] = answer["data"]["stats"]
    return stats


def _verdict(kept: bool) -> str:
    return "(kept)" if kept else "(MISSED)"


if __name__ == "__main__":
    sys.exit(main())

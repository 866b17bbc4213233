"""What a preview costs: one board with a simulated fleet, as a whole process and drawn again with what is known.

    python -m benchmarks.preview             exit status 1 where a limit is not kept

Limits: 5 s for the command, from its start to the page on disk, with a fleet simulated for it; 2 s from a board that
has changed to its page, where the answers have to be asked for again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.process import Failed, measure, quiet_environment
from builder.cli.preview_data import Ask, simulated
from builder.cli.previewed import opened
from builder.config import Config
from builder.preview.page import page
from builder.preview.page.document import Drawn

ROOT = Path(__file__).resolve().parents[1]
COMMAND_LIMIT, AGAIN_LIMIT = 5.0, 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run both; what they cost goes to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preview", description=__doc__)
    parser.add_argument("--board", default="gpu-fleet", help="which board (gpu-fleet)")
    parser.add_argument("--rounds", type=int, default=3, help="how often; the median counts (3)")
    options = parser.parse_args(arguments)
    try:
        whole = command(options.board, options.rounds)
    except Failed as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0 if whole & again(options.board, options.rounds) else 1


def command(board: str, rounds: int) -> bool:
    """The command in processes of its own, after one that is not counted."""
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        environment = quiet_environment(Path(name) / "bytecode")
        run = [sys.executable, "-m", "builder.cli", "preview", board, "--out", str(Path(name) / "out")]
        costs = [measure(run, ROOT, environment) for _ in range(rounds + 1)][1:]
    seconds, memory = median(cost.seconds for cost in costs), median(cost.memory for cost in costs)
    kept = seconds <= COMMAND_LIMIT
    processor = median(cost.processor for cost in costs)
    print(f"preview {board}: {seconds:.2f} s, {memory / 1e6:.0f} MB  {_verdict(kept)}")
    print(f"  of which {processor:.2f} s of processor time, its Prometheus included")
    return kept


def again(board: str, rounds: int) -> bool:
    """A board whose panels change one after the other, as ``--serve`` draws it."""
    dashboard = json.loads((ROOT / f"provisioning/dashboards/gpuboards/{board}.json").read_text())
    drawn: Drawn = {}
    times = []
    with simulated(Config(), {"nodes": 2, "cards": 4, "faults": (), "mig": ()}, 6 * 3600) as data:
        for number in range(rounds + 1):
            changed = _changed(dashboard, number)
            begin = time.perf_counter()
            shown, _ = opened(changed, data, Ask({}))
            page(shown, source="", drawn=drawn)
            times.append(time.perf_counter() - begin)
    seconds = median(times[1:])
    kept = seconds <= AGAIN_LIMIT
    print(f"{board} with one panel changed: {seconds:.2f} s  {_verdict(kept)}")
    return kept


def _changed(dashboard: dict[str, Any], number: int) -> dict[str, Any]:
    """The dashboard with another unit in one of its panels."""
    panels = [dict(panel) for panel in dashboard["panels"]]
    graphs = [panel for panel in panels if panel["type"] == "timeseries"]
    graph = graphs[number % len(graphs)]
    graph["fieldConfig"] = {
        **graph["fieldConfig"],
        "defaults": {**graph["fieldConfig"]["defaults"], "unit": f"s{number}"},
    }
    return {**dashboard, "panels": panels}


def _verdict(kept: bool) -> str:
    return "kept" if kept else "MISSED"


if __name__ == "__main__":
    sys.exit(main())

"""What comparing and reviewing cost: ``python -m benchmarks.diff``. Exit code 1 where a limit is passed.

Two dashboards of 2,000 panels are compared, with a few panels changed and with every panel changed. Then one of 200
board definitions is edited, and the review of that is timed beside a build of the one board.
"""

from __future__ import annotations

import argparse
import copy
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.definitions import write_own
from benchmarks.push import board
from builder.diff import compare
from builder.diff.show import markdown

DIFF_SECONDS = 0.3
TIMES_ONE_BOARD = 3.0


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and tell whether the limits hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diff", description=__doc__)
    parser.add_argument("--panels", type=int, default=2000, help="panels of each dashboard compared (2000)")
    parser.add_argument("--boards", type=int, default=200, help="boards of the project reviewed (200)")
    parser.add_argument("--rounds", type=int, default=5, help="the median counts (5)")
    options = parser.parse_args(arguments)
    kept = [*differing(options.panels, options.rounds)]
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        kept.append(reviewing(Path(name), options.boards, options.rounds))
    return 0 if all(kept) else 1


def differing(panels: int, rounds: int) -> list[bool]:
    """Comparisons, with 1 % of the panels changed and with all of them; what is made of it is shown beside."""
    before = board("large", panels)
    kept = []
    for what, every in (("1 % of the panels changed", 100), ("every panel changed", 1)):
        after = edited(before, every)
        seconds = timed(lambda after=after: compare(before, after), rounds)  # type: ignore[misc]
        written = timed(lambda after=after: markdown.render([compare(before, after)]), 1)  # type: ignore[misc]
        kept.append(seconds <= DIFF_SECONDS)
        print(
            f"diff of {panels} panels, {what:<26} {1000 * seconds:7.0f} ms (limit {1000 * DIFF_SECONDS:g} ms)"
            f"  {'kept' if kept[-1] else 'MISSED'}; with Markdown {1000 * written:.0f} ms"
        )
    return kept


def edited(board: dict[str, Any], every: int) -> dict[str, Any]:
    """The dashboard with a query, a unit and a place changed in some panels."""
    after = copy.deepcopy(board)
    for panel in after["panels"][::every]:
        panel["targets"][0]["expr"] += " * 2"
        panel["fieldConfig"]["defaults"]["unit"] = "bytes"
        panel["gridPos"]["h"] -= 1
    return after


def timed(work: Callable[[], object], rounds: int) -> float:
    """Seconds; the median of several rounds, after one that is not counted."""
    work()
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def reviewing(folder: Path, boards: int, rounds: int) -> bool:
    """A review of a change in one board of many, beside a build of that board and a start that does nothing."""
    write_own(folder / "boards", boards, 30)
    run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", ".")
    run(folder, "git", "-c", "user.name=b", "-c", "user.email=b@b", "commit", "--quiet", "--message", "boards")
    chosen = sorted((folder / "boards").glob("*.py"))[boards // 2]
    text = chosen.read_text(encoding="utf-8")
    chosen.write_text(text.replace("decmbytes", "decgbytes"), encoding="utf-8")
    command = [sys.executable, "-m", "builder.cli"]
    start = timed(lambda: run(folder, *command, "--version"), rounds)
    one = timed(
        lambda: run(folder, *command, "build", "--out", str(folder / "out"), "--dashboards", str(chosen)), rounds
    )
    reviewed = [*command, "review", "--base", "HEAD", "--dashboards", "boards", "--fail-on", "never"]
    if "1 board differs of 1," not in (said := run(folder, *reviewed)):
        raise SystemExit(f"not a review of one changed board: {said}")
    review = timed(lambda: run(folder, *reviewed), rounds)
    limit = TIMES_ONE_BOARD * one + start
    print(
        f"review of 1 of {boards} boards {review:.2f} s; build of that board {one:.2f} s, start {start:.2f} s"
        f" (limit {limit:.2f} s)  {'kept' if review <= limit else 'MISSED'}"
    )
    return review <= limit


def run(folder: Path, *command: str) -> str:
    """What a command prints. Raises CalledProcessError where it fails."""
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, text=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())

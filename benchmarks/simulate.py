"""What the simulator costs: a node's scrape in a large fleet, and the memory of a long backfill.

    python -m benchmarks.simulate            exit status 1 where a limit is not kept

Limits: a scrape of a fleet of 1,000 nodes with 8 cards within 50 ms at the median while Prometheus' whole load is
on it (every node's exporters once in 15 seconds), and 300 MB for 24 hours of 64 cards every 30 seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles

from benchmarks.process import Failed, measure, quiet_environment

ROOT = Path(__file__).resolve().parents[1]
SCRAPE_LIMIT = 0.050
MEMORY_LIMIT = 300e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run both; what they cost goes to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description=__doc__)
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of the served fleet (1000)")
    parser.add_argument("--seconds", type=float, default=15, help="how long it is scraped (15)")
    parser.add_argument("--hours", type=float, default=24, help="length of the backfill of 8 x 8 cards (24)")
    parser.add_argument("--out", help="where the backfill is written; by default a temporary directory")
    options = parser.parse_args(arguments)
    scrapes = serve(options.nodes, options.seconds)
    try:
        backfilled = backfill(options.hours, options.out)
    except Failed as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0 if scrapes and backfilled else 1


def serve(nodes: int, seconds: float) -> bool:
    """Scrape a served fleet as Prometheus would; True where the median is within its limit."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "builder.cli", "simulate", "serve", "--nodes", str(nodes), "--port", "0"]
    with _Server(command, environment) as url:
        paths = [f"/node-{n}/gpu/metrics" for n in range(nodes)]
        random.Random(0).shuffle(paths)
        begin, pause = time.perf_counter(), 15 / nodes
        with ThreadPoolExecutor(32) as pool:
            futures = []
            for number in range(int(seconds / pause)):
                time.sleep(max(begin + number * pause - time.perf_counter(), 0))
                futures.append(pool.submit(_scrape, url + paths[number % nodes]))
            times = [future.result() for future in futures]
    typical, high = median(times), quantiles(times, n=100)[98]
    kept = typical <= SCRAPE_LIMIT
    print(f"serve: {nodes} nodes x 8 cards, {len(times)} scrapes in {time.perf_counter() - begin:.1f} s")
    print(f"  a node's scrape: median {typical * 1e3:.1f} ms, 99th percentile {high * 1e3:.1f} ms  {_verdict(kept)}")
    return kept


def backfill(hours: float, out: str | None) -> bool:
    """Write a long history in a process of its own; True where its memory is within its limit."""
    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as name:
        directory = Path(out) if out else Path(name) / "history"
        command = [sys.executable, "-m", "builder.cli", "simulate", "backfill", "--nodes", "8", "--cards", "8"]
        command += ["--hours", f"{hours:g}", "--start", "2026-01-01T00:00:00Z", "--out", str(directory)]
        cost = measure(command, ROOT, quiet_environment(Path(name) / "bytecode"))
        size = sum(file.stat().st_size for file in directory.glob("*.om"))
    kept = cost.memory <= MEMORY_LIMIT
    print(f"backfill: 64 cards, {hours:g} h every 30 s, {size / 1e6:.0f} MB in {cost.seconds:.0f} s")
    print(f"  peak memory: {cost.memory / 1e6:.0f} MB  {_verdict(kept)}")
    return kept


def _scrape(url: str) -> float:
    begin = time.perf_counter()
    with urllib.request.urlopen(url, timeout=30) as answer:
        answer.read()
    return time.perf_counter() - begin


def _verdict(kept: bool) -> str:
    return "(kept)" if kept else "(MISSED)"


class _Server:
    """The command as a process; entering waits for the address that it serves on."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._command, self._environment = command, environment

    def __enter__(self) -> str:
        import subprocess

        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, env=self._environment, stdout=subprocess.DEVNULL, stderr=pipe, text=True
        )
        assert self._process.stderr
        line = self._process.stderr.readline()
        return "http://" + line.partition("http://")[2].partition(";")[0]

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        assert self._process.stderr
        self._process.stderr.close()


if __name__ == "__main__":
    sys.exit(main())

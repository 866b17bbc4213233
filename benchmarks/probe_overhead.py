"""What the training probe costs: ``python -m benchmarks.probe_overhead``. Exit code 1 where a limit is passed.

Each figure is the median of several rounds, printed with its limit and the share of it that is used. All
times are processor time, so that a busy machine does not count against the probe; of a scrape, that of both
its ends. The Keras callback is measured where Keras is installed, through Keras' own list of
callbacks.
"""

from __future__ import annotations

import importlib.util
import math
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from benchmarks.process import measure, quiet_environment
from builder.probe import Probe, start
from builder.probe.options import Settings

_ROUNDS = 9
_MICRO, _MILLI = 1e6, 1e3
_ALL = "builder.probe, builder.probe.endpoint, builder.probe.certificate, prometheus_client"


def main() -> int:
    """Measure, print a line for each figure, and tell whether all limits hold."""
    measures: list[tuple[str, Callable[[], float], float, float, str]] = [
        ("step(), plain API", step, 2e-6, _MICRO, "us"),
        ("a batch through batches()", batch, 2e-6, _MICRO, "us"),
        ("import of builder.probe, no framework", lambda: imported("builder.probe"), 0.06, _MILLI, "ms"),
        ("  with what start() imports", lambda: imported(_ALL), math.inf, _MILLI, "ms"),
        ("  of which prometheus_client", lambda: imported("prometheus_client"), math.inf, _MILLI, "ms"),
        ("scrape of 8 devices over HTTP", scrape, 2e-3, _MILLI, "ms"),
        ("wake-ups of the probe's threads in 2 s without a scrape", wakeups, 0.0, 1, ""),
    ]
    if importlib.util.find_spec("keras"):
        measures.insert(1, ("Keras callback, a step", keras_step, 20e-6, _MICRO, "us"))
    else:
        print("Keras is not installed: its callback is not measured", file=sys.stderr)
    failed = 0
    for name, cost, limit, scale, unit in measures:
        value = cost()
        used = f"{value / limit:.0%} of the limit" if 0 < limit < math.inf else "limit 0" if limit == 0 else ""
        print(f"{name:<62} {value * scale:9.3f} {unit:<3} {used}")
        failed += value > limit
    return 1 if failed else 0


def step() -> float:
    """Seconds a call of ``step(records=...)``."""
    probe = Probe(Settings())
    probe.begin()
    return _per_call(lambda: probe.step(32))


def batch() -> float:
    """Seconds a batch, against the bare loop over the same list."""
    probe = Probe(Settings())
    items = list(range(100_000))

    def over(iterable: Any) -> float:
        since = time.thread_time()
        for _ in iterable:
            pass
        return (time.thread_time() - since) / len(items)

    return statistics.median(over(probe.batches(items)) - over(items) for _ in range(_ROUNDS))


def keras_step() -> float:
    """Seconds that the callback adds to a step of Keras' list of callbacks, against the list without it."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import keras

    def hooks(callbacks: list[Any]) -> float:
        both = keras.callbacks.CallbackList(callbacks, model=keras.Sequential())
        # Keras hands the end hooks to threads; here they run where they are measured.
        both._async_train = False
        both.on_train_begin()
        both.on_epoch_begin(0)
        batches = iter(range(10**9))

        def one() -> None:
            n = next(batches)
            both.on_train_batch_begin(n)
            both.on_train_batch_end(n)

        return _per_call(one, 5_000)

    return hooks([Probe(Settings()).keras_callback(batch_size=32)]) - hooks([])


def imported(modules: str) -> float:
    """Seconds of the import, against an interpreter that imports nothing."""

    with tempfile.TemporaryDirectory(prefix="gpuboards-bench-") as folder:
        environment = quiet_environment(Path(folder))
        environment["PYTHONPATH"] = str(Path(__file__).parents[1])

        def run(code: str) -> float:
            return measure([sys.executable, "-c", code], Path.cwd(), environment).processor

        code = f"import {modules}"
        run(code)  # compiles
        return statistics.median(run(code) for _ in range(_ROUNDS)) - statistics.median(
            run("pass") for _ in range(_ROUNDS)
        )


def scrape() -> float:
    """Seconds of a whole scrape over HTTP, eight devices of a scripted framework with their cards told."""
    with _eight_devices(), _started() as probe:
        probe.begin()
        probe.step(32)

        def one() -> float:
            since = time.process_time()
            with urllib.request.urlopen(probe.url) as answer:
                text = answer.read()
            seconds = time.process_time() - since
            if text.count(b"train_device_memory_in_use_bytes{") != 8:
                raise AssertionError(text.decode())
            return seconds

        one()  # the first one searches for the cards
        return statistics.median(one() for _ in range(101))


def wakeups() -> float:
    """Context switches of all threads but this one while it sleeps."""
    with _started():
        time.sleep(0.2)
        before = _switches()
        time.sleep(2.0)
        return float(_switches() - before)


def _switches() -> int:
    count = 0
    for task in Path("/proc/self/task").iterdir():
        if int(task.name) != os.getpid():
            lines = (task / "status").read_text().splitlines()
            count += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return count


@contextmanager
def _started() -> Iterator[Probe]:
    probe = start(port=0, cards={f"GPU:{n}": f"GPU-00000000-0000-4000-8000-00000000000{n}" for n in range(8)})
    try:
        yield probe
    finally:
        probe.stop()


@contextmanager
def _eight_devices() -> Iterator[None]:
    """A stand-in for PyTorch on a node with eight cards: its dictionaries of about a hundred statistics."""
    stats = {f"statistic.{n}": n for n in range(100)} | {
        f"{kind}_bytes.all.{what}": 1 << 30 for kind in ("allocated", "reserved") for what in ("current", "peak")
    }
    torch = ModuleType("torch")
    torch.cuda = SimpleNamespace(  # type: ignore[attr-defined]
        is_initialized=lambda: True,
        device_count=lambda: 8,
        memory_stats=lambda n: dict(stats),
        get_device_properties=lambda n: SimpleNamespace(total_memory=80 << 30),
    )
    before = sys.modules.get("torch")
    sys.modules["torch"] = torch
    try:
        yield
    finally:
        if before is None:
            del sys.modules["torch"]
        else:
            sys.modules["torch"] = before


def _per_call(call: Callable[[], object], count: int = 50_000) -> float:
    def round_() -> float:
        since = time.thread_time()
        for _ in range(count):
            call()
        return (time.thread_time() - since) / count

    return statistics.median(round_() for _ in range(_ROUNDS))


if __name__ == "__main__":
    sys.exit(main())

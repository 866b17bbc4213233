"""A backfill as files, one for each of Prometheus' two-hour blocks.

``promtool tsdb create-blocks-from openmetrics`` reads a file once for every block in it, so that one file
for many blocks would be read many times.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from builder.errors import OutputError, UsageError
from builder.simulate.backfill import END, scrapes
from builder.simulate.fleet import Fleet

BLOCK = 2 * 3600
_SUFFIX = ".om"


def blocks(begin: float, end: float, interval: int) -> Iterator[tuple[float, float]]:
    """First and last time of the scrapes in each block; both ends of the whole are included."""
    count = int((end - begin) // interval)
    first = begin
    for number in range(count + 1):
        at = begin + number * interval
        if number == count or (at + interval) // BLOCK > at // BLOCK:
            yield first, at
            first = at + interval


def write_history(
    fleet: Fleet,
    directory: Path,
    *,
    begin: float,
    end: float,
    interval: int = 30,
    force: bool = False,
    done: Callable[[Path], None] = lambda _: None,
) -> list[Path]:
    """Write the scrapes from ``begin`` to ``end`` (Unix times) into the directory; gives the files in order.

    ``done`` hears of each finished file. A file appears whole or not at all. Raises OutputError where the
    directory holds a history already (``force`` replaces it) or cannot be written.
    """
    with _writing(directory):
        old = sorted(directory.glob(f"*{_SUFFIX}"))
        if old and not force:
            raise OutputError("there is a history already", where=str(old[0]), fix="use --force, or another directory")
        for path in old:
            path.unlink()
        written = []
        for first, last in blocks(begin, end, interval):
            path = directory / _name(first)
            with _whole(path) as temporary:
                _write(temporary, scrapes(fleet, first, last, interval))
                temporary.replace(path)
            written.append(path)
            done(path)
        return written


def write_blocks(
    fleet: Fleet,
    directory: Path,
    *,
    begin: float,
    end: float,
    interval: int = 30,
    done: Callable[[Path], None] = lambda _: None,
) -> int:
    """Add blocks with these scrapes to the data directory of a Prometheus that does not run; gives their number.

    The text of one block at a time is on the disk. Raises UsageError where promtool is not installed, and
    OutputError where it fails or the directory cannot be written.
    """
    promtool = shutil.which("promtool")
    if not promtool:
        raise UsageError("promtool is not installed", where="--blocks", fix="on Debian: apt-get install prometheus")
    with _writing(directory):
        before = _count(directory)
        for first, last in blocks(begin, end, interval):
            path = directory / _name(first)
            with _whole(path) as temporary:
                _write(temporary, scrapes(fleet, first, last, interval))
                command = [promtool, "tsdb", "create-blocks-from", "openmetrics", str(temporary), str(directory)]
                made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode:
                raise OutputError(f"promtool failed: {made.stderr.strip()[-500:]}", where=str(directory))
            done(path)
        return _count(directory) - before


def _count(directory: Path) -> int:
    return sum(1 for _ in directory.glob("*/meta.json"))


def _name(begin: float) -> str:
    return f"{datetime.fromtimestamp(begin, UTC):%Y%m%dT%H%M%SZ}{_SUFFIX}"


@contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        place = str(error.filename or directory)
        raise OutputError(
            f"cannot be written: {error.strerror}", where=place, fix="choose another with --out"
        ) from error


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A temporary name beside the file's, gone afterwards."""
    temporary = path.with_name(f".{path.name}.gpuboards-tmp")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _write(path: Path, pieces: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", buffering=1 << 20) as file:
        file.writelines(pieces)
        file.write(END)

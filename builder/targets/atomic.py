"""Files that appear whole or not at all, in a directory that one writer holds at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from builder.errors import OutputError

_TEMPORARY = ".gpuboards-tmp"


@contextlib.contextmanager
def staged(out_dir: Path, files: Mapping[str, bytes]) -> Iterator[list[tuple[Path, Path]]]:
    """Pairs of a complete temporary file and its target; whatever was not renamed is gone afterwards."""
    pairs: list[tuple[Path, Path]] = []
    inside = out_dir.resolve()
    with contextlib.ExitStack() as made:
        for parent in sorted({(out_dir / path).parent for path in files}):
            made.enter_context(directory_made(parent))
            if not parent.resolve().is_relative_to(inside):
                raise OutputError("leads out of the output directory", where=str(parent))
        made.callback(_unlink_first, pairs)
        for path, content in files.items():
            target = out_dir / path
            temporary = target.with_name(f".{target.name}{_TEMPORARY}")
            pairs.append((temporary, target))
            _write_new(temporary, content)
        yield pairs


def _unlink_first(pairs: Iterable[tuple[Path, Path]]) -> None:
    for temporary, _ in pairs:
        temporary.unlink(missing_ok=True)


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with open(descriptor, "wb", buffering=0) as file:  # noqa: PTH123  a Path cannot open a descriptor
        remaining = memoryview(content)
        while remaining:
            remaining = remaining[file.write(remaining) :]


def sweep(out_dir: Path, paths: Iterable[str]) -> None:
    """Remove the temporary files of a run that was killed."""
    for directory in {out_dir, *((out_dir / path).parent for path in paths)}:
        for leftover in directory.glob(f".*{_TEMPORARY}"):
            leftover.unlink(missing_ok=True)


def remove_empty(out_dir: Path, directory: Path) -> None:
    with contextlib.suppress(OSError):  # not empty
        while directory != out_dir:
            directory.rmdir()
            directory = directory.parent


@contextlib.contextmanager
def directory_made(path: Path) -> Iterator[None]:
    """The directory exists; those that had to be made for it are gone again if what follows fails."""
    missing = [p for p in (path, *path.parents) if not p.exists()]
    made: list[Path] = []
    try:
        for directory in reversed(missing):
            directory.mkdir()
            made.append(directory)
        yield
    except BaseException:
        for directory in reversed(made):
            with contextlib.suppress(OSError):
                directory.rmdir()
        raise


@contextlib.contextmanager
def locked(out_dir: Path) -> Iterator[None]:
    """One writer at a time. The lock is on the directory itself, so a killed run leaves nothing behind."""
    descriptor = os.open(out_dir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)

"""Files that appear whole or not at all, in a directory that one writer holds at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from builder.errors import OutputError

_TEMPORARY = ".gpuboards-tmp"


class Stage:
    """Complete temporary files beside their targets, until they are put in place."""

    def __init__(self, out_dir: Path, undo: contextlib.ExitStack) -> None:
        self._out_dir, self._inside, self._undo = out_dir, out_dir.resolve(), undo
        self._parents: set[Path] = set()
        self._pairs: list[tuple[Path, Path]] = []

    def add(self, path: str, content: bytes) -> None:
        """Write the temporary file of a path relative to the output directory."""
        target = self._out_dir / path
        if target.parent not in self._parents:
            self._undo.enter_context(directory_made(target.parent))
            if not target.parent.resolve().is_relative_to(self._inside):
                raise OutputError("leads out of the output directory", where=str(target.parent))
            sweep(target.parent)
            self._parents.add(target.parent)
        temporary = _temporary(target)
        self._pairs.append((temporary, target))
        _write_new(temporary, content)

    def put(self) -> None:
        """Rename each file into its place."""
        for temporary, target in self._pairs:
            temporary.replace(target)
        self._pairs.clear()

    def clear(self) -> None:
        """Remove what was not put in place."""
        for temporary, _ in self._pairs:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def staged(out_dir: Path) -> Iterator[Stage]:
    """A stage; what is not put in place, and directories made for it, are gone afterwards."""
    with contextlib.ExitStack() as undo:
        stage = Stage(out_dir, undo)
        try:
            yield stage
        finally:
            stage.clear()


def replace(target: Path, content: bytes) -> None:
    """Put one file in place, in a directory that exists."""
    temporary = _temporary(target)
    try:
        _write_new(temporary, content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def create(target: Path, content: bytes) -> None:
    """Put a new file in place, in a directory that exists. Raises FileExistsError where there is one."""
    temporary = _temporary(target)
    try:
        _write_new(temporary, content)
        os.link(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}{_TEMPORARY}")


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with open(descriptor, "wb", buffering=0) as file:  # noqa: PTH123  a Path cannot open a descriptor
        remaining = memoryview(content)
        while remaining:
            remaining = remaining[file.write(remaining) :]


def sweep(directory: Path) -> None:
    """Remove the temporary files of a run that was killed."""
    for leftover in directory.glob(f".*{_TEMPORARY}"):
        leftover.unlink(missing_ok=True)


def remove_empty(out_dir: Path, directory: Path) -> None:
    """Remove the directory and those above it up to ``out_dir``, as far as nothing is in them."""
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

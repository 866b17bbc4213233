"""A build as files in a directory: all of it or nothing of it, and never somebody else's file.

Every changed file is first written beside its place and then renamed into it, so a reader sees the old or
the new bytes and a killed run leaves no half of either. A disk that fills up does so before the first
rename.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import OutputError
from builder.targets import manifest
from builder.targets.atomic import directory_made, locked, remove_empty, replace, staged, sweep
from builder.targets.manifest import MadeWith

if TYPE_CHECKING:
    from builder.build import Artifact


@dataclass(frozen=True)
class Report:
    """What a write did, as paths relative to the output directory."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """How a directory differs from a build.

    ``stale``: an earlier build wrote it, this one would not. ``unknown``: no build wrote it, and yet it would be read.
    """

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    stale: tuple[str, ...]
    unknown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.stale or self.unknown)


def write(
    artifacts: Iterable[Artifact], out_dir: Path, *, force: bool = False, made_with: MadeWith | None = None
) -> Report:
    """Make the directory hold this build, touching only what differs; its manifest says what it was ``made_with``.

    Takes one artifact at a time and keeps none. Raises OutputError, with nothing changed, where a path cannot be
    written, or holds a file that no earlier build wrote (unless ``force``).
    """
    changed: list[str] = []
    with _failing_clearly(out_dir), directory_made(out_dir), locked(out_dir), staged(out_dir) as stage:
        owned = manifest.read(out_dir).files
        for directory in {out_dir, *((out_dir / path).parent for path in owned)}:
            sweep(directory)
        paths: set[str] = set()
        foreign: list[str] = []
        for path, content in _distinct(artifacts, paths):
            if not _differs(out_dir, path, content):
                continue
            changed.append(path)
            if not force and path not in owned and (out_dir / path).exists():
                foreign.append(path)
            else:
                stage.add(path, content)
        _refuse(foreign, out_dir)
        stale = [path for path in sorted(owned - paths) if _is_ours(out_dir, path)]
        # Until the last rename both generations may be there: a killed run must not disown either.
        _list(owned | paths, made_with or {}, out_dir)
        stage.put()
        for path in stale:
            (out_dir / path).unlink()
            remove_empty(out_dir, (out_dir / path).parent)
        _list(paths, made_with or {}, out_dir)
    return Report(tuple(sorted(changed)), tuple(stale), tuple(sorted(paths.difference(changed))))


def check(artifacts: Iterable[Artifact], out_dir: Path, *, boards: str = "") -> Differences:
    """Compare the directory with this build, touching nothing.

    ``boards`` is the directory below, if any, of which Grafana loads every file.
    """
    paths: set[str] = set()
    changed: list[str] = []
    missing: list[str] = []

    def compare(path: str, content: bytes) -> None:
        if not (out_dir / path).exists():
            missing.append(path)
        elif _differs(out_dir, path, content):
            changed.append(path)

    with _failing_clearly(out_dir):
        known = manifest.read(out_dir)
        for path, content in _distinct(artifacts, paths):
            compare(path, content)
        # Another profile whose files are the same is no difference.
        compare(manifest.NAME, manifest.content(paths, known.made_with))
        stale = [path for path in known.files - paths if (out_dir / path).exists()]
        unknown = set(_loaded(out_dir, boards)) - paths - known.files if boards else set()
    return Differences(*(tuple(sorted(found)) for found in (changed, missing, stale, unknown)))


def _distinct(artifacts: Iterable[Artifact], paths: set[str]) -> Iterator[tuple[str, bytes]]:
    """Path and content of each, once the path is known to be right; it is added to ``paths``."""
    for artifact in artifacts:
        if not manifest.is_inside(artifact.path) or artifact.path == manifest.NAME:
            raise OutputError(f"{artifact.path!r} is not a path below the output directory")
        if artifact.path in paths:
            raise OutputError(f"two files want the path {artifact.path!r}")
        paths.add(artifact.path)
        yield artifact.path, artifact.content


# what is there -------------------------------------------------------------------------------


def _differs(out_dir: Path, path: str, content: bytes) -> bool:
    target = out_dir / path
    try:
        status = target.lstat()
    except FileNotFoundError:
        return True
    if not stat.S_ISREG(status.st_mode):
        raise OutputError("is not a plain file", where=str(target), fix="move it away, then build again")
    return status.st_size != len(content) or target.read_bytes() != content


def _loaded(out_dir: Path, boards: str) -> Iterator[str]:
    """What Grafana takes for a board: every ``*.json`` at any depth, hidden directories left out (file_reader.go)."""
    for here, directories, files in os.walk(out_dir / boards):
        directories[:] = [name for name in directories if not name.startswith(".")]
        yield from (Path(here, name).relative_to(out_dir).as_posix() for name in files if name.endswith(".json"))


def _refuse(foreign: Sequence[str], out_dir: Path) -> None:
    if foreign:
        others = f" (and {len(foreign) - 1} more)" if len(foreign) > 1 else ""
        raise OutputError(
            f"exists, differs, and no earlier build wrote it{others}",
            where=str(out_dir / foreign[0]),
            fix="move it away, choose another --out, or overwrite it with --force",
        )


def _is_ours(out_dir: Path, path: str) -> bool:
    """True for a plain file below the directory, not one that a symbolic link leads to."""
    file = out_dir / path
    plain = file.is_file() and not file.is_symlink()
    return plain and file.resolve().is_relative_to(out_dir.resolve())


def _list(paths: Set[str], made_with: MadeWith, out_dir: Path) -> None:
    """Write the manifest of these paths, where it says something else."""
    content = manifest.content(paths, made_with)
    if _differs(out_dir, manifest.NAME, content):
        replace(out_dir / manifest.NAME, content)


@contextlib.contextmanager
def _failing_clearly(out_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or error}",
            where=str(error.filename or out_dir),
            fix="free some space, or choose a directory that you may write to with --out",
        ) from error

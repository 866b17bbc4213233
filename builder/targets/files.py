"""A build as files in a directory: all of it or nothing of it, and never somebody else's file.

Every changed file is first written beside its place and then renamed into it, so a reader sees the old or
the new bytes and a killed run leaves no half of either. A disk that fills up does so before the first
rename.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import OutputError
from builder.targets import manifest
from builder.targets.atomic import directory_made, locked, remove_empty, replace, staged, sweep

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
    """How a directory differs from a build. ``stale``: an earlier build wrote it, this one would not."""

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    stale: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.stale)


def write(artifacts: Iterable[Artifact], out_dir: Path, *, force: bool = False) -> Report:
    """Make the directory hold this build, touching only what differs.

    Takes one artifact at a time and keeps none. Raises OutputError, with nothing changed, where a path cannot be
    written, or holds a file that no earlier build wrote (unless ``force``).
    """
    changed: list[str] = []
    with _failing_clearly(out_dir), directory_made(out_dir), locked(out_dir), staged(out_dir) as stage:
        owned = manifest.read(out_dir)
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
        _list(owned | paths, out_dir)
        stage.put()
        for path in stale:
            (out_dir / path).unlink()
            remove_empty(out_dir, (out_dir / path).parent)
        _list(paths, out_dir)
    return Report(tuple(sorted(changed)), tuple(stale), tuple(sorted(paths.difference(changed))))


def check(artifacts: Iterable[Artifact], out_dir: Path) -> Differences:
    """Compare the directory with this build, touching nothing."""
    paths: set[str] = set()
    changed: list[str] = []
    missing: list[str] = []

    def compare(path: str, content: bytes) -> None:
        if not (out_dir / path).exists():
            missing.append(path)
        elif _differs(out_dir, path, content):
            changed.append(path)

    with _failing_clearly(out_dir):
        owned = manifest.read(out_dir)
        for path, content in _distinct(artifacts, paths):
            compare(path, content)
        compare(manifest.NAME, manifest.content(paths))
        stale = [path for path in owned - paths if (out_dir / path).exists()]
    return Differences(tuple(sorted(changed)), tuple(sorted(missing)), tuple(sorted(stale)))


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


def _list(paths: Set[str], out_dir: Path) -> None:
    """Write the manifest of these paths, where it says something else."""
    content = manifest.content(paths)
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

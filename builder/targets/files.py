"""A build as files in a directory: all of it or nothing of it, and never somebody else's file.

Every changed file is first written beside its place and then renamed into it, so a reader sees the old or
the new bytes and a killed run leaves no half of either. A disk that fills up does so before the first
rename.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import OutputError
from builder.targets import manifest
from builder.targets.atomic import directory_made, locked, remove_empty, staged, sweep

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


def write(artifacts: Sequence[Artifact], out_dir: Path, *, force: bool = False) -> Report:
    """Make the directory hold this build, touching only what differs.

    Raises OutputError, with nothing changed, where a path cannot be written, or holds a file that no earlier
    build wrote (unless ``force``).
    """
    files = _by_path(artifacts)
    with _failing_clearly(out_dir), directory_made(out_dir), locked(out_dir):
        owned = manifest.read(out_dir)
        changed = {path: content for path, content in files.items() if _differs(out_dir, path, content)}
        if not force:
            _refuse_foreign(out_dir, [path for path in changed if path not in owned])
        stale = [path for path in sorted(owned - files.keys()) if _is_ours(out_dir, path)]
        sweep(out_dir, {*files, *owned})
        with staged(out_dir, changed) as pairs:
            # Until the last rename both generations may be there: a killed run must not disown either.
            _put(out_dir, manifest.NAME, manifest.content({*owned, *files}), owned != {*owned, *files})
            for temporary, target in pairs:
                temporary.replace(target)
        for path in stale:
            (out_dir / path).unlink()
            remove_empty(out_dir, (out_dir / path).parent)
        final = manifest.content(files)
        _put(out_dir, manifest.NAME, final, _differs(out_dir, manifest.NAME, final))
    unchanged = tuple(sorted(files.keys() - changed.keys()))
    return Report(tuple(sorted(changed)), tuple(stale), unchanged)


def check(artifacts: Sequence[Artifact], out_dir: Path) -> Differences:
    """Compare the directory with this build, touching nothing."""
    files = _by_path(artifacts)
    with _failing_clearly(out_dir):
        owned = manifest.read(out_dir)
        files[manifest.NAME] = manifest.content(files)
        missing = [path for path in files if not (out_dir / path).exists()]
        changed = [path for path in files if path not in missing and _differs(out_dir, path, files[path])]
        stale = [path for path in owned - files.keys() if (out_dir / path).exists()]
    return Differences(tuple(sorted(changed)), tuple(sorted(missing)), tuple(sorted(stale)))


def _by_path(artifacts: Sequence[Artifact]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for artifact in artifacts:
        if not manifest.is_inside(artifact.path) or artifact.path == manifest.NAME:
            raise OutputError(f"{artifact.path!r} is not a path below the output directory")
        if artifact.path in files:
            raise OutputError(f"two files want the path {artifact.path!r}")
        files[artifact.path] = artifact.content
    return files


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


def _refuse_foreign(out_dir: Path, paths: Sequence[str]) -> None:
    foreign = [path for path in paths if (out_dir / path).exists()]
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


def _put(out_dir: Path, path: str, content: bytes, needed: bool) -> None:
    if needed:
        with staged(out_dir, {path: content}) as pairs:
            for temporary, target in pairs:
                temporary.replace(target)


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

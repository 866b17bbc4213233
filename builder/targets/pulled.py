"""Boards of a Grafana as files: each whole or not at all, and never over a file that is something else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from builder.errors import OutputError
from builder.targets.atomic import directory_made, locked, staged


def write_boards(boards: Mapping[str, bytes], out_dir: Path, *, force: bool = False) -> tuple[list[str], list[str]]:
    """Write ``<uid>.json`` for each board; the names of files written, and of those that were so already.

    Raises OutputError, with nothing changed, for a path that cannot be written or that holds something else than an
    earlier state of the same board (unless ``force``).
    """
    files = {f"{uid}.json": content for uid, content in boards.items()}
    try:
        with directory_made(out_dir), locked(out_dir), staged(out_dir) as stage:
            changed = {
                name: content
                for name, content in files.items()
                if _replaces(out_dir / name, name.removesuffix(".json"), content, force)
            }
            for name, content in changed.items():
                stage.add(name, content)
            stage.put()
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or error}",
            where=str(error.filename or out_dir),
            fix="choose a directory that you may write to with --out",
        ) from error
    return sorted(changed), sorted(files.keys() - changed.keys())


def _replaces(path: Path, uid: str, content: bytes, force: bool) -> bool:
    """True where the file has to be written."""
    if not path.exists():
        return True
    if not path.is_file() or path.is_symlink():
        raise OutputError("is not a plain file", where=str(path), fix="move it away")
    present = path.read_bytes()
    if present == content:
        return False
    if not force and not _is_board(present, uid):
        raise OutputError("is not an earlier state of this board", where=str(path), fix="move it away, or use --force")
    return True


def _is_board(content: bytes, uid: str) -> bool:
    try:
        found = json.loads(content)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("uid") == uid

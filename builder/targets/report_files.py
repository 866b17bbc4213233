"""The files of a report: all of them or none, each whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from builder.errors import OutputError
from builder.targets.atomic import directory_made, locked, staged


def write_files(directory: str, files: Mapping[str, bytes]) -> None:
    """Put the files into a directory, which is made where it is missing. Raises OutputError with nothing changed."""
    out = Path(directory)
    try:
        with directory_made(out), locked(out), staged(out) as stage:
            for name, content in files.items():
                stage.add(name, content)
            stage.put()
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or error}",
            where=str(error.filename or out),
            fix="choose a directory that you may write to with --out",
        ) from error

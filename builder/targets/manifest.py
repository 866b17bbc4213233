"""The list of what an earlier build wrote, kept beside it: only that may be replaced or removed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from builder.errors import OutputError

NAME = ".gpuboards-manifest.json"


def read(directory: Path) -> frozenset[str]:
    """The paths that an earlier build wrote; none where there was no build yet.

    Raises OutputError where the manifest is damaged: then nobody knows what may be removed.
    """
    path = directory / NAME
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        if not all(isinstance(name, str) and is_inside(name) for name in files):
            raise ValueError
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise OutputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise OutputError(
            "is not a list of files that a build wrote (half-merged or edited?)",
            where=str(path),
            fix="restore it from version control, or delete it and build with --force",
        ) from error
    return frozenset(files)


def content(paths: Iterable[str]) -> bytes:
    """The manifest of these paths."""
    document = {"comment": "Written by gpuboards build: the files it owns here.", "files": sorted(paths)}
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def is_inside(name: str) -> bool:
    """True for a plain relative path that stays below the output directory."""
    parts = PurePosixPath(name).parts
    plain = bool(parts) and ".." not in parts and not name.startswith("/")
    return plain and "/".join(parts) == name and not {"\\", "\0"}.intersection(name)

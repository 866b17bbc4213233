"""The list of what an earlier build wrote, kept beside it: only that may be replaced or removed.

It also says what the build was made with, so that a comparison with another profile can be told from a change.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from builder.errors import OutputError

NAME = ".gpuboards-manifest.json"

MadeWith = Mapping[str, str | Sequence[str]]
"""What a build was made with, by the setting's name: ``{"profile": "dcgm", "dashboards": ["standard"]}``."""


@dataclass(frozen=True)
class Manifest:
    """The paths that a build wrote, and what it was made with as far as it said so."""

    files: frozenset[str] = frozenset()
    made_with: MadeWith = field(default_factory=dict)


def read(directory: Path) -> Manifest:
    """What an earlier build left; an empty manifest where there was no build yet.

    Raises OutputError where the manifest is damaged: then nobody knows what may be removed.
    """
    path = directory / NAME
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OutputError("is not a plain file", where=str(path), fix="move it away, then build again")
        document = json.loads(path.read_text(encoding="utf-8"))
        files, made_with = document["files"], document.get("made_with", {})
        if not all(isinstance(name, str) and is_inside(name) for name in files) or not _are_settings(made_with):
            raise ValueError
    except FileNotFoundError:
        if path.is_symlink():
            raise OutputError("leads nowhere", where=str(path), fix="remove it, then build again") from None
        return Manifest()
    except OSError as error:
        raise OutputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise OutputError(
            "is not a list of files that a build wrote (half-merged or edited?)",
            where=str(path),
            fix="restore it from version control, or delete it and build with --force",
        ) from error
    return Manifest(frozenset(files), made_with)


def content(paths: Iterable[str], made_with: MadeWith) -> bytes:
    """The manifest of these paths."""
    document: dict[str, object] = {"comment": "Written by gpuboards build: the files it owns here."}
    if made_with:
        document["made_with"] = made_with
    document["files"] = sorted(paths)
    try:
        return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # the name of a directory that is not UTF-8
        return json.dumps(document, indent=2).encode() + b"\n"


def is_inside(name: str) -> bool:
    """True for a plain relative path that stays below the output directory."""
    parts = PurePosixPath(name).parts
    plain = bool(parts) and ".." not in parts and not name.startswith("/")
    return plain and "/".join(parts) == name and not {"\\", "\0"}.intersection(name)


def _are_settings(made_with: object) -> bool:
    return isinstance(made_with, dict) and all(
        isinstance(value, str) or (isinstance(value, list) and all(isinstance(word, str) for word in value))
        for value in made_with.values()
    )

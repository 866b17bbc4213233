"""Which definition files a change can have touched, found without running any of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_WORD = re.compile(r"\w+")
_AT_RUN_TIME = frozenset(("import_module", "__import__", "run_path", "exec"))


def touched(place: Path, changed: Iterable[Path]) -> list[Path] | None:
    """The definition files of a directory (or the one file) that differ or import what differs; None for all of them.

    ``changed`` are files that were edited, added or removed, wherever they are. A file that is no Python, beside the
    definitions, may be read by any of them. A module counts as imported where its name occurs in an import, so rather
    one board too many is built than one too few.
    """
    directory = (place if place.is_dir() else place.parent).resolve()
    edited = [path.resolve() for path in changed]
    if any(path.suffix != ".py" and path.is_relative_to(directory) for path in edited):
        return None
    files = _definitions(place)
    helpers = [path for path in sorted(directory.rglob("*.py")) if path.resolve() not in {f.resolve() for f in files}]
    names = {_module(path) for path in edited if path.suffix == ".py"}
    direct = set(edited)
    _add_importers(helpers, names)
    return [file for file in files if file.resolve() in direct or _imports(file, names)]


def _definitions(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return [path for path in sorted(place.glob("*.py")) if path.name[0] not in "_."]


def _module(path: Path) -> str:
    return path.parent.name if path.name == "__init__.py" else path.stem


def _add_importers(helpers: Sequence[Path], names: set[str]) -> None:
    """What imports a module that differs gives something different itself."""
    before = -1
    while before != len(names):
        before = len(names)
        names |= {_module(path) for path in helpers if _module(path) not in names and _imports(path, names)}


def _imports(path: Path, names: set[str]) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
    words = set(_WORD.findall(text))
    if not words & names:
        return False
    if words & _AT_RUN_TIME:
        return True
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(set(_names(node)) & names for node in ast.walk(tree))


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [part for alias in node.names for part in alias.name.split(".")]
    if isinstance(node, ast.ImportFrom):
        return [*(node.module or "").split("."), *(alias.name for alias in node.names)]
    return []

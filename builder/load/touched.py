"""Which definition files a change can have touched, found without running any of them."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

_AT_RUN_TIME = ("import_module", "__import__", "run_path", "exec")

Mentioning = Callable[[Sequence[str]], Iterable[Path]]
"""The Python files, anywhere, that have one of these words in them."""


def touched(place: Path, changed: Iterable[Path], elsewhere: Mentioning = lambda _: ()) -> list[Path] | None:
    """The definition files of a directory (or the one file) that differ or import what differs; None for all of them.

    ``changed`` are files that were edited, added or removed, wherever they are, and ``elsewhere`` finds modules that
    lie in other directories and may pass a change on. A file that is no Python, beside the definitions, may be read by
    any of them. A module counts as imported where its name occurs in an import, so rather one board too many is built
    than one too few.
    """
    directory = (place if place.is_dir() else place.parent).resolve()
    edited = {path.resolve() for path in changed}
    if any(path.suffix != ".py" and path.is_relative_to(directory) for path in edited):
        return None
    names = {_module(path) for path in edited if path.suffix == ".py"}
    if not names:
        return []
    files = {path: path.resolve() for path in _definitions(place)}
    _add_importers(sorted({*_modules(directory)} - {*files.values()}), names, elsewhere)
    return [file for file, resolved in files.items() if resolved in edited or _imports(file, names)]


def _definitions(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return [path for path in sorted(place.glob("*.py")) if path.name[0] not in "_."]


def _modules(directory: Path) -> Iterator[Path]:
    """Every module at or below a directory; what no import can name, as a virtual environment, is not looked into."""
    for here, below, files in os.walk(directory):
        below[:] = [name for name in below if name.isidentifier()]
        yield from (Path(here, name).resolve() for name in files if name.endswith(".py"))


def _module(path: Path) -> str:
    return path.parent.name if path.name == "__init__.py" else path.stem


def _add_importers(helpers: Sequence[Path], names: set[str], elsewhere: Mentioning) -> None:
    """What imports a module that differs gives something different itself."""
    before = -1
    while before != len(names):
        before = len(names)
        unknown = [path for path in (*helpers, *elsewhere(sorted(names))) if _module(path) not in names]
        names |= {_module(path) for path in unknown if _imports(path, names)}


def _imports(path: Path, names: set[str]) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
    if not _has_word(text, names):
        return False
    if _has_word(text, _AT_RUN_TIME):
        return True
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(set(_names(node)) & names for node in ast.walk(tree))


def _has_word(text: str, words: Iterable[str]) -> bool:
    """True where one of the words occurs by itself; most texts are done with after the quick look."""
    found = [word for word in words if word in text]
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in found)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [part for alias in node.names for part in alias.name.split(".")]
    if isinstance(node, ast.ImportFrom):
        return [*(node.module or "").split("."), *(alias.name for alias in node.names)]
    return []

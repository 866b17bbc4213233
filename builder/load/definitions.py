"""Board definitions read from a directory of Python files.

Every ``*.py`` that does not start with ``_`` is run; a Board (or a grafanalib Dashboard) that it assigns to a
module-level name, and each element of a list named ``boards``, is a definition. The directory is importable
meanwhile, so that files may share panels. Whatever goes wrong is reported at the user's own line.
"""

from __future__ import annotations

import ast
import re
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.errors import DefinitionError, GpuboardsError
from builder.load.explain import explain
from builder.load.importing import importable
from builder.load.places import frame_of, place


@dataclass(frozen=True)
class Definition:
    """A board (``builder.grafana.board.Board`` or a grafanalib ``Dashboard``) and where it is defined."""

    board: object
    file: str
    line: int

    @property
    def where(self) -> str:
        """``file:line``, as error messages write it."""
        return f"{self.file}:{self.line}"


def load(directory: Path) -> tuple[Definition, ...]:
    """All boards defined in a directory, by file name, then in the order in which they are assigned.

    Raises DefinitionError, with file and line, for any mistake in a file, and where there is no board at all.
    """
    files = _files(directory)
    found: list[Definition] = []
    with importable(directory.resolve()) as package:
        for file in files:
            definitions = list(_definitions(file, directory, package))
            if not definitions and file.name.endswith(".dashboard.py"):
                raise DefinitionError(
                    "defines no dashboard", where=str(file), fix="assign a Dashboard to the name `dashboard`"
                )
            known = {id(definition.board) for definition in found}
            found += [definition for definition in definitions if id(definition.board) not in known]
    if not found:
        read = f"read {', '.join(file.name for file in files)}" if files else "there is no *.py file in it"
        raise DefinitionError(
            f"no board found ({read})", where=str(directory), fix="assign a Board(...) to a module-level name"
        )
    return tuple(found)


def _files(directory: Path) -> list[Path]:
    try:
        entries = sorted(directory.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise DefinitionError(
            f"cannot read the board directory: {error.strerror}",
            where=str(directory),
            fix="name a directory that holds board definitions",
        ) from error
    return [p for p in entries if p.suffix == ".py" and p.name[0] not in "_." and p.is_file()]


def _definitions(file: Path, directory: Path, package: str) -> Iterator[Definition]:
    module, lines = _run(file, directory, package)
    seen: set[int] = set()
    for name, line in lines.items():
        value = getattr(module, name, None)
        for board, at in _boards(name, value, line, file):
            if id(board) not in seen:
                seen.add(id(board))
                yield Definition(board, str(file), at)


def _boards(name: str, value: object, line: int, file: Path) -> Iterator[tuple[object, int]]:
    if _is_board(value):
        yield value, line
    elif name == "boards" and isinstance(value, list | tuple):
        for index, element in enumerate(value):
            if not _is_board(element):
                raise DefinitionError(
                    f"boards[{index}] is a {type(element).__name__}, not a board", where=f"{file}:{line}"
                )
            yield element, line


def _is_board(value: object) -> bool:
    from builder.grafana.board import Board

    # Nobody can hold a grafanalib Dashboard without having imported grafanalib.
    stock = getattr(sys.modules.get("grafanalib.core"), "Dashboard", Board)
    return isinstance(value, Board | stock)


def _run(file: Path, directory: Path, package: str) -> tuple[types.ModuleType, Mapping[str, int]]:
    """The file's module, and the line of each name that it assigns at module level."""
    module = types.ModuleType(f"{package}.{re.sub(r'[^0-9A-Za-z_]', '_', file.stem)}")
    source_path = directory.resolve() / file.name
    module.__file__ = str(source_path)
    module.__package__ = package
    sys.modules[module.__name__] = module
    try:
        source = source_path.read_bytes()
        tree = ast.parse(source, str(source_path))
        # Compiled here rather than by the import system: no cached bytecode is read or left behind.
        exec(compile(tree, str(source_path), "exec", dont_inherit=True), vars(module))
    except GpuboardsError as error:
        raise error.at(place(error, file, directory)) from error
    except (Exception, SystemExit) as error:
        raise _in_words(error, file, directory) from error
    return module, _assignments(tree)


def users_mistake(error: Exception, definition: Definition) -> DefinitionError | None:
    """The error in the user's terms, where it came out of the user's own code; None for a bug of ours.

    For what runs after loading: a question of the user's own is asked when its board is built.
    """
    file = Path(definition.file)
    inside = frame_of(error, file.parent) is not None
    return _in_words(error, file, file.parent) if inside else None


def _in_words(error: BaseException, file: Path, directory: Path) -> DefinitionError:
    what, fix = explain(error, frame_of(error, directory), directory)
    return DefinitionError(what, where=place(error, file, directory), fix=fix)


def _assignments(tree: ast.Module) -> dict[str, int]:
    lines: dict[str, int] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                lines[node.id] = node.lineno
    return lines

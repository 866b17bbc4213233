"""Board definitions read from a directory of Python files, or from one of them.

Every ``*.py`` that does not start with ``_`` is run; a Board (or a grafanalib Dashboard) that it assigns to a
module-level name, and each element of a list named ``boards``, is a definition. The directory is importable
meanwhile, so that files may share panels. Whatever goes wrong is reported at the user's own line; only what ends the
process itself (``os._exit``, a signal) leaves nobody to report it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from weakref import WeakValueDictionary

from builder.errors import DefinitionError, GpuboardsError
from builder.load.ahead import compiled
from builder.load.assignments import assignments, line_of
from builder.load.explain import explain
from builder.load.importing import Workshop
from builder.load.places import frame_of, line_where, place


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


def load(place: Path) -> tuple[Definition, ...]:
    """All boards defined in a directory or file, by file name, then in the order in which they are assigned.

    Raises DefinitionError, with file and line, for any mistake in a file, and where there is no board at all.
    """
    return tuple(read(place))


def read(place: Path) -> Iterator[Definition]:
    """What ``load`` gives, a file at a time: nothing is kept of the files before, however many there are."""
    files = _files(place)
    directory = place.parent if files == [place] else place
    # By identity, for files that name one shared board; by weak reference, since identities are used again.
    known: WeakValueDictionary[int, object] = WeakValueDictionary()
    empty = True
    try:
        resolved = directory.resolve()
        workshop = Workshop(resolved)
    except OSError as error:
        what = f"cannot read the board directory: {error.strerror}"
        raise DefinitionError(what, where=str(place), fix="name it with its absolute path") from error
    with compiled([resolved / file.name for file in files]) as codes:
        for file, code in zip(files, codes, strict=False):
            with workshop.entered():
                definitions = list(_definitions(file, directory, resolved, workshop.package, code))
            if not definitions and file.name.endswith(".dashboard.py"):
                raise DefinitionError(
                    "defines no dashboard", where=str(file), fix="assign a Dashboard to the name `dashboard`"
                )
            while definitions:
                definition = definitions.pop(0)
                if id(definition.board) not in known:
                    known[id(definition.board)] = definition.board
                    empty = False
                    yield definition
    if empty:
        raise _none_found(place, files)


def _none_found(place: Path, files: Sequence[Path]) -> DefinitionError:
    if files:
        tried, fix = f"read {', '.join(file.name for file in files)}", "assign a Board(...) to a module-level name"
        return DefinitionError(f"no board found ({tried})", where=str(place), fix=fix)
    tried = "there is no *.py file in it"
    below = sorted({str(file.parent) for file in place.glob("*/*.py") if file.parent.name[0] not in "_."})
    if not below:
        return DefinitionError(f"no board found ({tried})", where=str(place), fix="save a board definition there")
    return DefinitionError(
        f"no board found ({tried}, and sub-directories are not looked into)",
        where=str(place),
        fix=f"name {' or '.join(below[:3])}",
    )


def _files(place: Path) -> list[Path]:
    if place.suffix == ".py" and place.is_file():
        return [place]
    try:
        entries = sorted(place.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise DefinitionError(
            f"cannot read the board directory: {error.strerror}",
            where=str(place),
            fix="name a directory of board definitions, or one *.py file",
        ) from error
    return [p for p in entries if p.suffix == ".py" and p.name[0] not in "_." and p.is_file()]


def _definitions(
    file: Path, directory: Path, resolved: Path, package: str, code: CodeType | None
) -> Iterator[Definition]:
    module, code = _run(file, directory, resolved, package, code)
    seen: set[int] = set()
    for name, index in assignments(code).items():
        for position, board in enumerate(_candidates(name, vars(module).get(name))):
            line = line_of(code, index)
            if not _is_board(board):
                raise DefinitionError(
                    f"boards[{position}] is a {type(board).__name__}, not a board", where=f"{file}:{line}"
                )
            if id(board) not in seen:
                seen.add(id(board))
                yield Definition(board, str(file), line)


def _candidates(name: str, value: object) -> Sequence[object]:
    """What has to be a board, going by its name, or is one."""
    if name == "boards" and isinstance(value, list | tuple):
        return value
    return [value] if _is_board(value) else []


def _is_board(value: object) -> bool:
    from builder.grafana.board import Board

    # Nobody can hold a grafanalib Dashboard without having imported grafanalib.
    stock = getattr(sys.modules.get("grafanalib.core"), "Dashboard", Board)
    return isinstance(value, Board | stock)


def _run(
    file: Path, directory: Path, resolved: Path, package: str, code: CodeType | None
) -> tuple[ModuleType, CodeType]:
    """The file's module, and the code that made it."""
    module = ModuleType(f"{package}.{re.sub(r'[^0-9A-Za-z_]', '_', file.stem)}")
    source = resolved / file.name
    module.__file__ = str(source)
    module.__package__ = package
    sys.modules[module.__name__] = module
    try:
        # Compiled here rather than by the import system: no cached bytecode is read or left behind.
        code = code or compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
        exec(code, vars(module))
    except GpuboardsError as error:
        raise error.at(place(error, file, directory)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit, and what no program raises by itself
        raise _in_words(error, file, directory) from error
    finally:
        sys.modules.pop(module.__name__, None)
    return module, code


def users_mistake(error: BaseException, definition: Definition) -> DefinitionError | None:
    """The error in the user's terms, where it came out of the user's own code; None for a bug of ours.

    For what runs after loading: a question of the user's own is asked when its board is built.
    """
    file = Path(definition.file)
    inside = frame_of(error, file.parent) is not None
    return _in_words(error, file, file.parent) if inside else None


def users_line(error: GpuboardsError, definition: Definition) -> str:
    """``file:line`` of the user's own question that is wrong, else of the panel, else of the board."""
    file = Path(definition.file)
    if frame_of(error, file.parent) is not None:
        return place(error, file, file.parent)
    return line_where(error.made_at, file.parent) or definition.where


def _in_words(error: BaseException, file: Path, directory: Path) -> DefinitionError:
    what, fix = explain(error, frame_of(error, directory), directory)
    return DefinitionError(what, where=place(error, file, directory), fix=fix)

"""Which line of the user's own an error came through, as ``file:line``."""

from __future__ import annotations

from pathlib import Path
from types import CodeType, TracebackType

from builder.load.assignments import line_of

_FOREIGN = {"site-packages", "dist-packages"}
_OURS = Path(__file__).resolve().parent.parent


def place(error: BaseException, file: Path, directory: Path) -> str:
    """``file:line`` of the innermost line of the user's own that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename and is_users(error.filename, directory):
        return f"{_shown(error.filename, directory)}:{error.lineno or 1}"
    frame = frame_of(error, directory)
    if frame is None:
        return f"{file}:1"
    return f"{_shown(frame.tb_frame.f_code.co_filename, directory)}:{frame.tb_lineno}"


def frame_of(error: BaseException, directory: Path) -> TracebackType | None:
    """The innermost step of a traceback that lies in the directory's own files, if any does."""
    innermost, step = None, error.__traceback__
    while step is not None:
        if is_users(step.tb_frame.f_code.co_filename, directory):
            innermost = step
        step = step.tb_next
    return innermost


def line_where(made_at: tuple[CodeType, int] | None, directory: Path) -> str:
    """``file:line`` of an instruction of the user's own; empty where it is not one."""
    if made_at is None or not is_users(made_at[0].co_filename, directory):
        return ""
    code, offset = made_at
    return f"{_shown(code.co_filename, directory)}:{line_of(code, offset // 2)}"


def is_users(filename: str, directory: Path) -> bool:
    """True for a file in the directory; not for this program or a virtual environment that lies in it."""
    path, inside = Path(filename), directory.resolve()
    if not path.is_relative_to(inside) or path.is_relative_to(_OURS):
        return False
    return not _FOREIGN.intersection(path.relative_to(inside).parts)


def _shown(filename: str, directory: Path) -> str:
    return str(directory / Path(filename).relative_to(directory.resolve()))

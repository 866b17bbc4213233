"""The boards of a preview, and the files that are made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.build import build_boards
from builder.cli.options import load_definitions
from builder.cli.preview_data import Ask, Data, answered, strangers
from builder.config import Config
from builder.errors import OutputError, UnknownName, UsageError
from builder.lint.reading import unwrapped
from builder.preview import THEMES, Board, board_of
from builder.preview.contents import is_empty
from builder.preview.normal import normal
from builder.preview.page import index, page
from builder.preview.page.document import Drawn
from builder.preview.picture import board_picture, panel_pictures
from builder.targets.atomic import staged
from builder.targets.dashboard_files import load_all, without_dashboards

Dashboards = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Made:
    """A board that was drawn: where to, how many panels, how many of them have no data and which, what went wrong."""

    uid: str
    title: str
    files: tuple[str, ...]
    panels: int
    empty: int
    without_data: tuple[str, ...]
    problems: tuple[str, ...]


def dashboards(names: Sequence[str], directories: Sequence[str], config: Config) -> Dashboards:
    """The dashboards of the files and the uids that are named, or all that are defined; by the name of their page.

    Raises UnknownName for a uid that is not defined, and what reading a file raises.
    """
    files = [name for name in names if name.endswith((".json", ".py")) or "/" in name]
    uids = [name for name in names if name not in files]
    found: dict[str, Mapping[str, Any]] = {}
    if uids or not names:
        built, _ = build_boards(load_definitions(directories), config)
        for uid in uids or built:
            if uid not in built:
                raise UnknownName("board", uid, built)
            found[uid] = built[uid]
    subjects, problems, _ = load_all(files)
    problems += without_dashboards(files, (subject.file for subject in subjects))
    if problems:
        raise problems[0]
    for subject in subjects:
        _, data = unwrapped(subject.data) or ((), {})
        try:
            found[_free(str(data.get("uid") or Path(subject.file).stem), found)] = normal(data)
        except UsageError as error:
            raise error.at(subject.file) from error
    return found


def _free(name: str, taken: Mapping[str, object]) -> str:
    """A name for files that nothing else has."""
    safe = re.sub(r"[^\w-]+", "_", name)[:80] or "board"
    return next(one for n in range(len(taken) + 1) if (one := f"{safe}-{n + 1}" if n else safe) not in taken)


def opened(dashboard: Mapping[str, Any], data: Data, ask: Ask) -> tuple[Board, tuple[str, ...]]:
    """A board with its data, and what the reader should hear of it."""
    found = answered(dashboard, data, ask)
    board = board_of(dashboard, found.result, begin=found.begin, end=found.end)
    return board, (*strangers(ask, found.result), *found.result.problems())


def write(boards: Dashboards, data: Data, ask: Ask, out: Path, pictures: str, theme: str) -> list[Made]:
    """Draw the boards and put them into a directory: one page each, one picture of each board and of each panel.

    ``pictures`` is ``svg``, ``png`` or ``none``. Raises OutputError where a file cannot be written; none is then.
    """
    made: list[Made] = []
    contents: dict[str, bytes] = {}
    for name, dashboard in boards.items():
        board, problems = opened(dashboard, data, ask)
        files = {f"{name}.html": page(board, source=data.words).encode()}
        if pictures != "none":
            files[f"{name}.{pictures}"] = board_picture(board, THEMES[theme], pictures)
            drawn = panel_pictures(board, THEMES[theme], pictures)
            files |= {f"{name}/{panel}.{pictures}": content for panel, content in drawn}
        contents |= files
        shown = [one for placed, one in board.panels if not placed.is_row]
        without = tuple(one.title for one in shown if is_empty(one.content))
        made.append(Made(name, board.title, tuple(files), len(shown), len(without), without, problems))
    if len(made) > 1:
        listed = [
            (f"{name}.html", one.title, str(boards[name].get("description") or ""))
            for name, one in zip(boards, made, strict=True)
        ]
        contents["index.html"] = index(listed, source=data.words).encode()
    try:
        with staged(out) as stage:
            for path, content in contents.items():
                stage.add(path, content)
            stage.put()
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or error}", where=str(out), fix="name another directory with --out"
        ) from error
    return made


__all__ = ["Dashboards", "Drawn", "Made", "dashboards", "opened", "write"]

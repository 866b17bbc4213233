"""Both sides of a review: as few boards as the change can have touched, the old ones built beside the new ones.

What makes boards and reads them is imported only after that: the old ones take a process of their own, which is
started first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import builder
from builder.cli.options import DEFAULT_FILE, load_definitions, places
from builder.cli.sides import Settings, Side, committed, from_files, without_unread
from builder.errors import GpuboardsError
from builder.load.touched import touched
from builder.targets import git
from builder.targets.past import built_at

if TYPE_CHECKING:
    from builder.diff.pairing import Stored

COMMITTED = "provisioning"
"""Where the boards are committed that stand in for a base that cannot be built."""


@dataclass
class Sides:
    """The new boards, and how to have the old ones, which may take a while; ``notes`` say what could not be done."""

    after: Side
    before: Callable[[], Side]
    notes: list[str] = field(default_factory=list)


def of_files(commit: git.Commit, paths: Sequence[str]) -> Sides:
    """JSON files as they are and as they were committed.

    Raises UsageError for a path that neither knows, and for one without a dashboard, now and then.
    """
    from builder.targets.dashboard_files import definitions, no_dashboard

    before, after = Side(), Side()
    sides = Sides(after, lambda: before)
    for path in paths:
        is_there = Path(path).exists()
        if path.endswith(".py"):
            raise definitions(path)
        now, then = from_files(path).below(path) if is_there else Side(), Side()
        try:
            then = committed(commit, path).below(path)
        except GpuboardsError as error:
            if not is_there:
                raise
            sides.notes.append(f"{error.what}: all of it counts as new")
        if not any((now.boards, now.unread, then.boards, then.unread)):
            raise no_dashboard(path)
        before.boards += without_unread(then, now).boards
        before.problems += then.problems
        after.boards += now.boards
        after.subjects |= now.subjects
        after.problems += now.problems
    return sides


def of_definitions(commit: git.Commit, settings: Settings, beside: Executor) -> Sides:
    """What the definitions give, and what they gave; that is built ``beside``, which has to wait for it at its end."""
    chosen = _chosen(commit, settings)
    if chosen == []:
        return Sides(Side(), Side)
    head = settings if chosen is None else replace(settings, directories=[p for p in chosen if Path(p).is_file()])
    past = settings.directories if chosen is None else chosen
    building = beside.submit(built_at, commit, past, settings.options, settings.config_file)
    sides = Sides(_built(head) if chosen is None or head.directories else Side(), Side)
    sides.before = lambda: _waited(building, commit, sides)
    return sides


def _chosen(commit: git.Commit, settings: Settings) -> list[str] | None:
    """The definition files that the change can have touched, those that are gone too; None for all boards."""
    top = commit.top.resolve()
    changed = [top / name for name in commit.changed()]
    config = Path(settings.config_file or DEFAULT_FILE).resolve()
    ours = Path(builder.__path__[0]).resolve()
    # Of a submodule nobody knows what in it differs, and any board may import it.
    if config in changed or any(path.is_relative_to(ours) or path.is_dir() for path in changed):
        return None
    found: list[str] = []
    for place in places(settings.directories):
        if not place.resolve().is_relative_to(top):
            continue  # installed beside the project: the same on both sides
        here = touched(place, changed, lambda words: [top / name for name in commit.mentioning(words)])
        if here is None:
            return None
        directory = place if place.is_dir() else place.parent
        gone = [path for path in changed if path.parent == directory.resolve() and not path.exists()]
        found += [str(path) for path in here]
        found += [str(directory / path.name) for path in gone if path.suffix == ".py" and path.name[0] not in "_."]
    return found


def _built(settings: Settings) -> Side:
    from builder.build import each_board
    from builder.diff.pairing import Stored
    from builder.lint import Subject

    side = Side()
    folder = settings.config.folder.title
    for board in each_board(load_definitions(settings.directories), settings.config):
        name = f"{board.uid}.json"
        side.boards.append(Stored(name, board.data, folder))
        side.subjects[name] = Subject(board.definition.file, board.data, folder=folder, line=board.definition.line)
    return side


def _waited(building: Future[list[Stored]], commit: git.Commit, sides: Sides) -> Side:
    """The old boards; what was committed stands in for them where the base does not build."""
    try:
        return Side(building.result())
    except GpuboardsError as error:
        sides.notes.append(f"{commit.name}: {error.what}")
    try:
        past = committed(commit, COMMITTED)
    except GpuboardsError:
        past = Side()
    uids = {board.data.get("uid") for board in sides.after.boards}
    before = Side([board for board in past.boards if board.data.get("uid") in uids], past.problems)
    sides.notes.append(
        f"compared with the files committed in {COMMITTED} instead"
        if before.boards
        else "there is nothing to compare with: every board counts as new"
    )
    return before

"""What ``gpuboards review`` looks at: the boards of both sides, as few of them as the change can have touched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import builder
from builder.build import each_board
from builder.cli.checked import profiles_of, written_exemptions
from builder.cli.options import DEFAULT_FILE, load_definitions, places
from builder.cli.sides import Settings, Side, committed, from_files
from builder.config import Config, parse
from builder.diff.pairing import Stored
from builder.errors import GpuboardsError
from builder.lint import Finding, LintConfig, Severity, Subject
from builder.load.touched import touched
from builder.review.assess import assessed
from builder.review.model import Review
from builder.targets import git
from builder.targets.past import built_at

COMMITTED = "provisioning"
"""Where the boards are committed that stand in for a base that cannot be built."""


@dataclass
class Sides:
    """Both sides, what is known of the new boards' definitions, and what could not be done as usual."""

    before: Side
    after: Side
    subjects: dict[str, Subject] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def reviewed(base: str, paths: Sequence[str], settings: Settings, exemption_file: str | None) -> Review:
    """The report on what the working tree changes since it was started from ``base``.

    With ``paths`` the dashboards are JSON files there, committed; without, they are built from the definitions.
    """
    commit = git.merge_base(git.commit(base))
    sides = _of_files(commit, paths) if paths else _of_definitions(commit, settings)
    exemptions = written_exemptions(exemption_file, list(sides.subjects.values()))
    config = LintConfig(profiles_of(settings.config, None if paths else settings.config.profile))
    then = settings.config if paths else _configuration(commit, settings)
    past = config if then == settings.config else LintConfig(profiles_of(then, then.profile))
    boards = assessed(sides.before.boards, sides.after.boards, config, exemptions, sides.subjects, past)
    unread = _touched(commit, sides.after.problems)
    others = [*sides.before.problems, *(problem for problem in sides.after.problems if problem not in unread)]
    notes = [*sides.notes, *(f"could not be read: {problem.what} ({problem.where})" for problem in others)]
    if git.is_dirty(commit.top):
        notes.append("the working tree has changes that are not committed; they are part of this report")
    return Review(
        base,
        commit.id,
        tuple(boards),
        len(sides.after.boards),
        tuple(notes),
        unread=tuple(Finding("unreadable", Severity.BUG, one.where, one.what, fix=one.fix) for one in unread),
    )


def _touched(commit: git.Commit, problems: Sequence[GpuboardsError]) -> list[GpuboardsError]:
    """Those that are in a file that differs from the commit; they are at ``FILE`` or ``FILE:LINE:COLUMN``."""
    changed = {commit.top.resolve() / name for name in commit.changed()} if problems else set()
    return [one for one in problems if Path(re.sub(r"(:\d+)+$", "", one.where)).absolute() in changed]


def _of_files(commit: git.Commit, paths: Sequence[str]) -> Sides:
    before, after = Side(), Side()
    notes: list[str] = []
    for path in paths:
        now = from_files(path).below(path)
        after.boards += now.boards
        after.subjects |= now.subjects
        after.problems += now.problems
        try:
            then = committed(commit, path).below(path)
        except GpuboardsError as error:
            notes.append(f"{error.what}: all of it counts as new")
            continue
        before.boards += then.boards
        before.problems += then.problems
    return Sides(before, after, after.subjects, notes)


def _configuration(commit: git.Commit, settings: Settings) -> Config:
    """What the definitions were built with at the commit; today's configuration where that one cannot be read."""
    file = settings.config_file or DEFAULT_FILE
    if not Path(file).resolve().is_relative_to(commit.top.resolve()):
        return settings.config
    try:
        texts = list(commit.files(file).values())
    except GpuboardsError:  # there was none
        texts = []
    try:
        config = parse(texts[0].decode("utf-8"), file) if texts else Config()
    except (GpuboardsError, UnicodeDecodeError):
        return settings.config
    return replace(config, profile=settings.profile or config.profile, source=settings.source or config.source)


# from definitions --------------------------------------------------------------------------------


def _of_definitions(commit: git.Commit, settings: Settings) -> Sides:
    chosen = _chosen(commit, settings)
    if chosen == []:
        return Sides(Side(), Side())
    head = settings if chosen is None else replace(settings, directories=[p for p in chosen if Path(p).is_file()])
    past = settings.directories if chosen is None else chosen
    with ThreadPoolExecutor(max_workers=1) as beside:  # a process of its own, which takes as long as ours
        then = beside.submit(built_at, commit, past, settings.options, settings.config_file)
        after, subjects = _built(head) if chosen is None or head.directories else (Side(), {})
        try:
            before = Side(then.result())
        except GpuboardsError as error:
            return _without_base(commit, error, Sides(Side(), after, subjects))
    return Sides(before, after, subjects)


def _chosen(commit: git.Commit, settings: Settings) -> list[str] | None:
    """The definition files that the change can have touched, those that are gone too; None for all boards."""
    top = commit.top.resolve()
    changed = [top / name for name in commit.changed()]
    config = Path(settings.config_file or DEFAULT_FILE).resolve()
    ours = Path(builder.__path__[0]).resolve()
    if config in changed or any(path.is_relative_to(ours) for path in changed):
        return None
    found: list[str] = []
    for place in places(settings.directories):
        if not place.resolve().is_relative_to(top):
            continue  # installed beside the project: the same on both sides
        here = touched(place, changed)
        if here is None:
            return None
        directory = place if place.is_dir() else place.parent
        gone = [path for path in changed if path.parent == directory.resolve() and not path.exists()]
        found += [str(path) for path in here]
        found += [str(directory / path.name) for path in gone if path.suffix == ".py" and path.name[0] not in "_."]
    return found


def _built(settings: Settings) -> tuple[Side, dict[str, Subject]]:
    boards, subjects = list[Stored](), dict[str, Subject]()
    folder = settings.config.folder.title
    for board in each_board(load_definitions(settings.directories), settings.config):
        name = f"{board.uid}.json"
        boards.append(Stored(name, board.data, folder))
        subjects[name] = Subject(board.definition.file, board.data, folder=folder, line=board.definition.line)
    return Side(boards), subjects


def _without_base(commit: git.Commit, error: GpuboardsError, sides: Sides) -> Sides:
    """What is possible where the base does not build: what was committed there stands in for it."""
    sides.notes.append(f"{commit.name}: {error.what}")
    try:
        past = committed(commit, COMMITTED)
    except GpuboardsError:
        past = Side()
    uids = {board.data.get("uid") for board in sides.after.boards}
    sides.before = Side([board for board in past.boards if board.data.get("uid") in uids], past.problems)
    sides.notes.append(
        f"compared with the files committed in {COMMITTED} instead"
        if sides.before.boards
        else "there is nothing to compare with: every board counts as new"
    )
    return sides

"""What ``gpuboards review`` says: both sides of a change, compared and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from builder.cli.options import DEFAULT_FILE
from builder.cli.review_sides import of_definitions, of_files
from builder.cli.sides import Settings
from builder.config import Config, parse
from builder.errors import GpuboardsError
from builder.targets import git

if TYPE_CHECKING:
    from builder.review.model import Review


def reviewed(base: str, paths: Sequence[str], settings: Settings, exemption_file: str | None) -> Review:
    """The report on what the working tree changes since it was started from ``base``.

    With ``paths`` the dashboards are JSON files there, committed; without, they are built from the definitions.
    """
    commit = git.merge_base(git.commit(base))
    with ThreadPoolExecutor(max_workers=1) as beside:
        sides = of_files(commit, paths) if paths else of_definitions(commit, settings, beside)
        # Whatever does not need the old boards comes before the wait for them.
        from builder.cli.checked import profiles_of, written_exemptions
        from builder.lint import Finding, LintConfig, Severity
        from builder.review.assess import assessed
        from builder.review.model import Review

        dirty = git.is_dirty(commit.top)
        exemptions = written_exemptions(exemption_file, list(sides.after.subjects.values()))
        config = LintConfig(profiles_of(settings.config, None if paths else settings.config.profile))
        then = settings.config if paths else _configuration(commit, settings)
        past = config if then == settings.config else LintConfig(profiles_of(then, then.profile))
        before, after = sides.before(), sides.after
    boards = assessed(before.boards, after.boards, config, exemptions, after.subjects, past)
    unread = _touched(commit, after.problems)
    others = [*before.problems, *(problem for problem in after.problems if problem not in unread)]
    notes = [*sides.notes, *(f"could not be read: {problem.what} ({problem.where})" for problem in others)]
    if dirty:
        notes.append("the working tree has changes that are not committed; they are part of this report")
    return Review(
        base,
        commit.id,
        tuple(boards),
        len(after.boards),
        tuple(notes),
        unread=tuple(Finding("unreadable", Severity.BUG, one.where, one.what, fix=one.fix) for one in unread),
    )


def _touched(commit: git.Commit, problems: Sequence[GpuboardsError]) -> list[GpuboardsError]:
    """Those that are in a file that differs from the commit; they are at ``FILE`` or ``FILE:LINE:COLUMN``."""
    changed = {commit.top.resolve() / name for name in commit.changed()} if problems else set()
    return [one for one in problems if Path(re.sub(r"(:\d+)+$", "", one.where)).absolute() in changed]


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

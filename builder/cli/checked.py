"""What ``gpuboards check`` looks at: dashboards from files or built in memory, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.cli.options import load_definitions
from builder.config import resolve_profile
from builder.errors import GpuboardsError, UsageError
from builder.lint import Exemption, Finding, LintConfig, Subject, lint
from builder.lint.changed import Changes
from builder.lint.edits import edited
from builder.lint.exemption_file import FOREIGN_NAME, NAME, exemptions, foreign_exemptions
from builder.lint.reading import board_of
from builder.lint.rules import BY_ID
from builder.targets.dashboard_files import load_all, parse, read, rewrite, without_dashboards
from builder.targets.revision import Revision

if TYPE_CHECKING:
    from builder.catalog.model import Profile
    from builder.config import Config


@dataclass
class Checked:
    """Dashboards and what they are checked against. ``others`` counts files of another kind."""

    subjects: list[Subject]
    config: LintConfig
    problems: Sequence[GpuboardsError] = ()
    others: int = 0
    exemptions: list[Exemption] = field(default_factory=list)

    def findings(self) -> list[Finding]:
        """What lint finds in them as they are now."""
        return lint(self.subjects, self.config, self.exemptions)

    def mend(self) -> tuple[int, int]:
        """Rewrite the files with what can be mended; how many findings that mended, in how many files."""
        before, files = self.findings(), 0
        for number, subject in enumerate(self.subjects):
            edits = [edit for finding in before if finding.file == subject.file for edit in finding.edits]
            text = edited(subject.source, edits) if edits else None
            if text is not None and text != subject.source:
                rewrite(Path(subject.file), text)
                self.subjects[number] = replace(subject, source=text, data=parse(text, subject.file))
                files += 1
        return len(before) - len(self.findings()), files

    def only_changed(self, findings: Sequence[Finding], revision: str) -> list[Finding]:
        """The findings in what differs from a Git revision."""
        at, kept = Revision(revision), list[Finding]()
        for subject in self.subjects:
            text = at.text(Path(subject.file))
            if text != subject.source:
                before = board_of(replace(subject, data=_json(text), source="")) if text else None
                changes = Changes(before, board_of(subject))
                kept += [finding for finding in findings if finding.file == subject.file and changes.concern(finding)]
        return kept


def from_files(paths: Sequence[str], config: Config, profile: str | None) -> Checked:
    """The dashboards of the files and directories named; directories are taken to hold all boards there are."""
    subjects, problems, others = load_all(paths)
    files = [*(subject.file for subject in subjects), *(_file(problem) for problem in problems)]
    problems += without_dashboards(paths, files)
    whole = all(Path(path).is_dir() for path in paths)
    return Checked(subjects, LintConfig(profiles_of(config, profile), whole), problems, others)


def from_definitions(directories: Sequence[str], config: Config) -> Checked:
    """The boards as the configuration builds them. A team's own ones lie beside the standard ones."""
    definitions = load_definitions(directories)
    boards, _ = build_boards(definitions, config)
    subjects = [
        Subject(str(definition.file), board, folder=config.folder.title, line=definition.line)
        for definition, board in zip(definitions, boards.values(), strict=True)
    ]
    beside = load_definitions(()) if directories else ()
    standard = frozenset(str(getattr(definition.board, "uid", "")) for definition in beside)
    return Checked(subjects, LintConfig(profiles_of(config, config.profile), True, standard))


def written_exemptions(file: str | None, subjects: Sequence[Subject]) -> list[Exemption]:
    """Those of our own file, and of the other linter's file beside each dashboard."""
    found: list[Exemption] = []
    ours = Path(file or NAME)
    if file is not None or ours.exists():
        found += exemptions(read(ours), str(ours), BY_ID)
    for folder in dict.fromkeys(subject.folder for subject in subjects if subject.source):
        foreign = Path(folder, FOREIGN_NAME)
        if foreign.is_file():
            found += foreign_exemptions(read(foreign), str(foreign), folder)
    return found


def profiles_of(config: Config, gpu: str | None) -> tuple[Profile, ...]:
    """The exporters to check against: one for the cards, or all, and those of the training and host side."""
    chosen = [gpu] if gpu else list(GPU_PROFILES)
    return tuple(resolve_profile(config, name) for name in (*chosen, *TRAINING_PROFILES, *HOST_PROFILES))


def _file(problem: GpuboardsError) -> str:
    """The file that a problem is in; it is at ``FILE`` or ``FILE:LINE:COLUMN``."""
    return re.sub(r"(:\d+)+$", "", problem.where)


def _json(text: str) -> object:
    """What the text of an old version says; nothing where it was no JSON, so that all of it counts as new."""
    try:
        return parse(text, "")
    except UsageError:
        return None

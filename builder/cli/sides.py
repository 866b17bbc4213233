"""What ``gpuboards diff`` is asked to compare: files, directories, revisions, a Grafana, or the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.cli.options import load_definitions
from builder.errors import GpuboardsError, ServerError, UsageError
from builder.targets import git
from builder.targets.past import built_at

if TYPE_CHECKING:
    from builder.config import Config
    from builder.diff.pairing import Stored
    from builder.lint import Subject

CONTEXT = "context:"


@dataclass(frozen=True)
class Settings:
    """What boards are built with, today and at a revision, as it was given on the command line."""

    config: Config
    directories: Sequence[str]
    config_file: str | None = None
    profile: str | None = None
    source: str | None = None

    @property
    def options(self) -> list[str]:
        """For ``gpuboards build``."""
        given = {"--profile": self.profile, "--source": self.source}
        return [word for name, value in given.items() if value for word in (name, value)]


@dataclass
class Side:
    """Boards, and what could not be read. ``alone``: somebody named the file of this one board.

    ``subjects`` are those that lie in files today, as ``check`` reads them, by the names of the boards.
    """

    boards: list[Stored] = field(default_factory=list)
    problems: list[GpuboardsError] = field(default_factory=list)
    alone: bool = False
    subjects: dict[str, Subject] = field(default_factory=dict)

    def below(self, path: str) -> Side:
        """The same boards, named by their whole path."""
        if self.alone:
            names = {board.name: path for board in self.boards}
        else:
            names = {board.name: Path(path, board.name).as_posix() for board in self.boards}
        boards = [replace(board, name=names[board.name]) for board in self.boards]
        return replace(self, boards=boards, subjects={names[name]: subject for name, subject in self.subjects.items()})


def side(operand: str, settings: Settings, *, beside: str = "") -> Side:
    """The boards that an operand stands for; a revision beside a path is that path as it was committed."""
    if Path(operand).exists():
        return from_files(operand)
    name, colon, path = operand.partition(":")
    if colon and git.is_revision(name):
        return committed(git.commit(name), path)
    if not git.is_revision(operand):
        raise UsageError(
            f"{operand!r} is neither a file or directory nor a revision",
            fix=f"name a JSON file, a directory, a revision such as origin/main, REVISION:PATH, or {CONTEXT}NAME",
        )
    if beside and Path(beside).exists():
        return committed(git.commit(operand), beside)
    return at_revision(operand, settings)


def at_revision(name: str, settings: Settings) -> Side:
    """What the definitions gave at a revision."""
    return Side(built_at(git.commit(name), settings.directories, settings.options, settings.config_file))


def from_definitions(settings: Settings) -> Side:
    """What the definitions give now."""
    from builder.build import build_boards
    from builder.diff.pairing import Stored

    boards, _ = build_boards(load_definitions(settings.directories), settings.config)
    return Side([Stored(f"{uid}.json", data, settings.config.folder.title) for uid, data in boards.items()])


def from_files(path: str) -> Side:
    """The dashboards of a file or directory."""
    from builder.targets.dashboard_files import load_all

    subjects, problems, _ = load_all([path])
    found = Side(problems=list(problems), alone=Path(path).is_file())
    for subject in subjects:
        name = Path(subject.file).relative_to(path).as_posix() if Path(path).is_dir() else Path(path).name
        found.boards.append(_stored(name, subject.data))
        found.subjects[name] = subject
    return found


def committed(commit: git.Commit, path: str) -> Side:
    """The dashboards of a file or directory as they were committed."""
    from builder.lint.reading import unwrapped
    from builder.targets.dashboard_files import parse

    files = commit.files(path)
    found = Side(alone=list(files) == [Path(path).name])
    for name, content in files.items():
        where = f"{commit.name}:{name}"
        try:
            data = parse(content.decode("utf-8-sig"), where)
        except UnicodeDecodeError:
            found.problems.append(UsageError("not UTF-8 text", where=where))
        except UsageError as error:
            found.problems.append(error)
        else:
            if unwrapped(data) is not None:
                found.boards.append(_stored(name, data))
    return found


def from_grafana(operand: str, others: Side, settings: Settings, options: Any, progress: Any) -> Side:
    """The boards with the uids of the other side, as a Grafana has them."""
    from builder.cli.grafana_options import the_endpoint
    from builder.diff.pairing import Stored
    from builder.targets.grafana.pull import pull

    uids = [str(uid) for board in others.boards if (uid := board.data.get("uid"))]
    if not uids:
        raise UsageError("nothing to look for in Grafana", where=operand, fix="boards are found there by their uid")
    endpoint = the_endpoint(settings.config, operand.removeprefix(CONTEXT))
    found = Side(alone=others.alone)
    for board in pull(endpoint, options, uids=uids, progress=progress):
        if not board.problem:
            found.boards.append(Stored(f"{board.uid}.json", board.content))
        elif board.content or "no such board" not in board.problem:
            found.problems.append(ServerError(board.problem, where=f"{operand}: {board.uid}", fix=board.fix))
    return found


def _stored(name: str, document: Any) -> Stored:
    from builder.diff.pairing import Stored
    from builder.lint.reading import unwrapped

    _, data = unwrapped(document) or ((), {})
    return Stored(name, data, _folder(document))


def _folder(document: Any) -> str | None:
    """The folder that an export of Grafana's API names."""
    for holder, key in (("meta", "folderTitle"), ("meta", "folderUid")):
        found = document.get(holder) if isinstance(document, dict) else None
        if isinstance(found, dict) and isinstance(found.get(key), str):
            return str(found[key])
    metadata = document.get("metadata") if isinstance(document, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    folder = annotations.get("grafana.app/folder") if isinstance(annotations, dict) else None
    return folder if isinstance(folder, str) else None

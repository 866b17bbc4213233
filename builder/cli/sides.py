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

    ``subjects`` are those that lie in files today, as ``check`` reads them, by the names of the boards. ``unread`` are
    the files without a board that can be read, by their names: what is broken, and JSON of another kind.
    """

    boards: list[Stored] = field(default_factory=list)
    problems: list[GpuboardsError] = field(default_factory=list)
    alone: bool = False
    subjects: dict[str, Subject] = field(default_factory=dict)
    unread: dict[str, GpuboardsError] = field(default_factory=dict)

    def below(self, path: str) -> Side:
        """The same boards, named by their whole path."""

        def named(name: str) -> str:
            return path if self.alone else Path(path, name).as_posix()

        return replace(
            self,
            boards=[replace(board, name=named(board.name)) for board in self.boards],
            subjects={named(name): subject for name, subject in self.subjects.items()},
            unread={named(name): error for name, error in self.unread.items()},
        )


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
    from builder.targets.dashboard_files import find, load, not_a_dashboard

    found = Side(alone=Path(path).is_file())
    for file, named in find([path]):
        name = file.name if named else file.relative_to(path).as_posix()
        try:
            subject = load(file)
        except UsageError as error:
            found.unread[name] = error
            found.problems.append(error)
            continue
        if subject is not None:
            found.boards.append(_stored(name, subject.data))
            found.subjects[name] = subject
        else:
            found.unread[name] = not_a_dashboard(file)
            found.problems += [found.unread[name]] if named else []
    return found


def committed(commit: git.Commit, path: str) -> Side:
    """The dashboards of a file or directory as they were committed."""
    from builder.lint.reading import unwrapped
    from builder.targets.dashboard_files import not_a_dashboard, parse

    files = commit.files(path)
    found = Side(alone=list(files) == [Path(path).name])
    for name, content in files.items():
        where = f"{commit.name}:{name}"
        try:
            data = parse(content.decode("utf-8-sig"), where)
        except UnicodeDecodeError:
            found.unread[name] = UsageError("not UTF-8 text", where=where)
            found.problems.append(found.unread[name])
        except UsageError as error:
            found.unread[name] = error
            found.problems.append(error)
        else:
            if unwrapped(data) is not None:
                found.boards.append(_stored(name, data))
            else:
                found.unread[name] = not_a_dashboard(where)
    return found


def without_unread(before: Side, after: Side) -> Side:
    """The old boards but for those whose files can no longer be read: they are not gone, and that is said instead.

    What could not be read before is a problem too, though the new board is then compared with nothing.
    """
    named = before.alone and after.alone  # a pair, whatever the two are called
    for one, two in ((before, after), (after, before)):
        boards = two.unread if named and one.boards else {board.name for board in one.boards}
        two.problems += [error for name, error in two.unread.items() if name in boards and error not in two.problems]
    if named and after.unread:
        return replace(before, boards=[])
    return replace(before, boards=[board for board in before.boards if board.name not in after.unread])


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

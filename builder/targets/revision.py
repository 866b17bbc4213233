"""Files as they were at a Git revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

from builder.errors import UsageError
from builder.targets.git import surroundings, what_is_there


class Revision:
    """A revision of the repositories that the asked-for files are in.

    Raises UsageError where there is no Git, no repository, or no such revision.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._known: set[Path] = set()

    def text(self, path: Path) -> str | None:
        """A file's text at the revision; None where it did not exist or was no text."""
        directory = path.resolve().parent
        if directory not in self._known:
            self._verify(directory)
            self._known.add(directory)
        shown = _git(directory, "show", f"{self.name}:./{path.resolve().name}")
        if shown.returncode != 0:
            return None
        try:
            return shown.stdout.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    def _verify(self, directory: Path) -> None:
        if _git(directory, "rev-parse", "--is-inside-work-tree").returncode != 0:
            raise UsageError(f"{directory} is not in a Git repository", where="--only-changed")
        if (
            self.name.startswith("-")
            or _git(directory, "rev-parse", "--verify", "--quiet", f"{self.name}^{{commit}}").returncode
        ):
            raise UsageError(
                f"there is no revision {self.name!r}",
                where="--only-changed",
                fix=what_is_there(self.name, directory),
            )


def _git(directory: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        command = ["git", "-C", str(directory), *arguments]
        return subprocess.run(command, capture_output=True, check=False, env=surroundings())
    except FileNotFoundError as error:
        raise UsageError("Git is not installed", where="--only-changed") from error

"""What Git knows: revisions, their files, and what changed since. Reads the repository and writes nothing into it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.errors import UsageError

_OF_A_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
"""What Git sets for its hooks, for the directory that it runs them in; here the directory asked from counts."""

_MOST_BRANCHES = 5
"""Branches that are named where a revision does not exist."""

_LINK = "120000"
"""The mode of a symbolic link in a tree."""


@dataclass(frozen=True)
class Commit:
    """A commit of the repository at ``top``; ``name`` is what it was asked for by, ``id`` its 40 digits.

    ``prefix`` is the way from the repository's top to the directory that was asked from, with a final slash or empty.
    """

    name: str
    id: str
    top: Path
    prefix: str

    def files(self, path: str, suffix: str = ".json") -> dict[str, bytes]:
        """The files at or below a path (seen from the directory asked from) by their path below it.

        Raises UsageError where there was nothing.
        """
        target = _below_top(self, path)
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", self.id, "--", *([target] if target else []))
        rows = [row.partition("\t") for row in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if row]
        found = [(head.split()[2], name) for head, _, name in rows if head.split()[1] == "blob"]
        links = {name for head, _, name in rows if head.split()[0] == _LINK}
        named = [(blob, name) for blob, name in found if name == target or name.endswith(suffix)]
        if not found:
            raise UsageError(f"there is no {path} at {self.name}", fix="check the path, and that it was committed")
        contents = self._blobs([blob for blob, _ in named])
        return {
            os.path.relpath(name, target) if target and name != target else Path(name).name: (
                self._linked(name, content) if name in links else content
            )
            for (_, name), content in zip(named, contents, strict=True)
        }

    def _linked(self, name: str, otherwise: bytes) -> bytes:
        """The file that a symbolic link leads to in the commit; what the link itself holds where it leads nowhere."""
        asked = f"{self.id}:{name}\n".encode("utf-8", "surrogateescape")
        head, _, rest = self._git("cat-file", "--batch", "--follow-symlinks", given=asked).stdout.partition(b"\n")
        words = head.split()
        return rest[: int(words[2])] if len(words) == 3 and words[1] == b"blob" else otherwise

    def _blobs(self, blobs: list[str]) -> Iterator[bytes]:
        stream = self._git("cat-file", "--batch", given="\n".join(blobs).encode()).stdout
        at = 0
        for _ in blobs:
            end = stream.index(b"\n", at)
            size = int(stream[at:end].split()[2])
            yield stream[end + 1 : end + 1 + size]
            at = end + size + 2

    def changed(self) -> list[str]:
        """What differs in the working tree, tracked or not, but for what is ignored: paths from the top.

        A submodule is one path. Repositories that only happen to lie here are none.
        """
        tracked = self._git("diff", "--name-only", "--no-renames", "-z", self.id, "--")
        others = self._git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/")
        names = (tracked.stdout + others.stdout).decode("utf-8", "surrogateescape").split("\0")
        return sorted({name for name in names if name and not name.endswith("/")})

    def mentioning(self, words: Sequence[str]) -> list[str]:
        """The Python files of the working tree, tracked or not, that have one of these words: paths from the top."""
        given = "\n".join(words).encode("utf-8", "surrogateescape")
        options = ("--no-recurse-submodules", "--untracked", "-l", "-z", "-w", "-F", "-f", "-", "--", "*.py")
        found = self._git("grep", *options, given=given, fine=(0, 1))  # 1: there is none
        return found.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]

    @contextlib.contextmanager
    def checked_out(self) -> Iterator[Path]:
        """A clean tree of the commit in a temporary directory, which is gone afterwards.

        It is filled through an index of its own: neither the repository nor its list of worktrees is touched.
        """
        with tempfile.TemporaryDirectory(prefix="gpuboards-") as name:
            tree = Path(name, "tree")
            tree.mkdir()
            environment = {"GIT_INDEX_FILE": str(Path(name, "index"))}
            self._git("read-tree", self.id, environment=environment)
            self._git("checkout-index", "--all", "--force", f"--prefix={tree}/", environment=environment)
            yield tree

    def _git(
        self,
        *arguments: str,
        given: bytes = b"",
        environment: dict[str, str] | None = None,
        fine: Sequence[int] = (0,),
    ) -> subprocess.CompletedProcess[bytes]:
        done = _git(self.top, *arguments, given=given, environment=environment)
        if done.returncode not in fine:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
            raise UsageError(f"git {arguments[0]} failed: {said[-1]}", where=self.name)
        return done


def commit(name: str, directory: Path | None = None) -> Commit:
    """The commit that is called so. Raises UsageError where there is no Git, no repository or no such revision."""
    here = directory or Path()
    inside = _git(here, "rev-parse", "--show-toplevel", "--show-prefix")
    if inside.returncode != 0:
        raise UsageError("not in a Git repository", where=name, fix="run it where the boards are committed")
    top, _, prefix = inside.stdout.decode("utf-8", "surrogateescape").partition("\n")
    found = _git(here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if found.returncode != 0 or name.startswith("-"):
        raise UsageError(f"there is no revision {name!r}", fix=what_is_there(name, here))
    return Commit(name, found.stdout.decode().strip().splitlines()[-1], Path(top), prefix.strip("\n"))


def what_is_there(name: str, here: Path) -> str:
    """What to do where there is no such revision: a remote, a fetch or the history may be missing."""

    def lines(*arguments: str) -> list[str]:
        return _git(here, *arguments).stdout.decode("utf-8", "replace").split()

    remotes = lines("remote")
    remote, _, branch = name.partition("/")
    if lines("rev-parse", "--is-shallow-repository") == ["true"]:
        return "this clone is shallow: git fetch --unshallow (Actions: fetch-depth: 0, GitLab: GIT_DEPTH: 0)"
    if branch and remote in remotes:
        return f"git fetch {remote} {branch}:refs/remotes/{name}; git branch --all lists what is there"
    refs = lines("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
    more = f" and {len(refs) - _MOST_BRANCHES} more" if len(refs) > _MOST_BRANCHES else ""
    there = f"there is {', '.join(refs[:_MOST_BRANCHES])}{more}" if refs else "there is no branch yet"
    if remote == "origin" and branch and not remotes:
        return f"this repository has no remote: name a branch of its own; {there} (git branch --all)"
    return f"name a branch, a tag or a commit; {there} (git branch --all)"


def surroundings() -> dict[str, str]:
    """The environment without what Git sets for the hooks that it runs."""
    return {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}


def is_revision(name: str) -> bool:
    """True where a commit is called so, here."""
    try:
        commit(name)
    except UsageError:
        return False
    return True


def merge_base(base: Commit) -> Commit:
    """The commit that the checked-out one was started from: what came to ``base`` since is no change of ours."""
    found = _git(base.top, "merge-base", base.id, "HEAD")
    if found.returncode != 0:  # no common history, as in a shallow clone
        return base
    return Commit(base.name, found.stdout.decode().strip(), base.top, base.prefix)


def is_dirty(directory: Path) -> bool:
    """True where the working tree has changes that are not committed."""
    return bool(_git(directory, "status", "--porcelain").stdout.strip())


def _below_top(of: Commit, path: str) -> str:
    target = os.path.normpath(Path(of.top, of.prefix, path))
    relative = os.path.relpath(target, of.top)
    if relative.startswith(".."):
        raise UsageError(f"{path} is outside of the repository", where=of.name)
    return "" if relative == "." else relative


def _git(
    directory: Path, *arguments: str, given: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["git", "-C", str(directory), *arguments],
            input=given,
            capture_output=True,
            check=False,
            env={**surroundings(), **(environment or {})},
        )
    except FileNotFoundError as error:
        raise UsageError("Git is not installed", fix="install it, or name files and directories") from error

"""Boards as the definitions of a revision give them.

They are built in a process of its own, in a clean tree of that revision: nothing of today's definitions or modules
can get in. A project that holds gpuboards itself is built by the gpuboards of its revision.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import builder
from builder.errors import DefinitionError
from builder.targets.git import Commit

if TYPE_CHECKING:
    from builder.diff.pairing import Stored

_OURS = Path("builder", "cli", "__main__.py")
_STANDARD = "standard"


def built_at(commit: Commit, directories: Sequence[str], options: Sequence[str], config: str | None) -> list[Stored]:
    """The boards of these directories and files at the revision; those that did not exist then are left out.

    ``options`` are those of ``gpuboards build``. Raises DefinitionError where the definitions cannot be built.
    """
    with commit.checked_out() as tree:
        here = tree / commit.prefix
        here.mkdir(parents=True, exist_ok=True)
        there = [name for name in (_then(name, commit) for name in directories) if _is_there(here, name)]
        if directories and not there:
            return []
        given = [word for name in there for word in ("--dashboards", name)] + list(options)
        if config is not None and _is_there(here, _then(config, commit)):
            given += ["--config", _then(config, commit)]
        out = tree.parent / "out"
        _build(commit, tree, here, ["--out", str(out), *given])
        return read_built(out)


def _then(name: str, commit: Commit) -> str:
    """A path as it is written from the same directory in the tree; one outside of the repository stays as it is."""
    path = Path(name)
    if not path.is_absolute() or not path.resolve().is_relative_to(commit.top.resolve()):
        return name
    return os.path.relpath(path.resolve(), commit.top.resolve() / commit.prefix)


def _is_there(here: Path, name: str) -> bool:
    return name == _STANDARD or (here / name).exists()


def read_built(out: Path) -> list[Stored]:
    """The boards of a provisioning directory, with the folder that its provider names."""
    from builder.diff.pairing import Stored
    from builder.targets.dashboard_files import load_all

    subjects, problems, _ = load_all([str(out)])
    if problems:
        raise problems[0]
    folder = _folder(out)
    return [Stored(Path(subject.file).name, subject.data, folder) for subject in subjects]


def _folder(out: Path) -> str | None:
    import yaml

    try:
        document = yaml.safe_load((out / "dashboards" / "gpuboards.yaml").read_text(encoding="utf-8"))
        return str(document["providers"][0]["folder"])
    except (OSError, ValueError, yaml.YAMLError, LookupError, TypeError):
        return None


def _moved(entry: str, tree: Path, commit: Commit) -> str:
    """A directory on the import path: one of the project's own is that of the revision."""
    path, top = Path(entry).resolve(), commit.top.resolve()
    return str(tree / path.relative_to(top)) if path.is_relative_to(top) else str(path)


def _build(commit: Commit, tree: Path, here: Path, arguments: Sequence[str]) -> None:
    own = (tree / _OURS).is_file() or Path(builder.__path__[0]).resolve().is_relative_to(commit.top.resolve())
    home = tree if own else Path(builder.__path__[0]).parent
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GPUBOARDS_")}
    others = [_moved(entry, tree, commit) for entry in kept.get("PYTHONPATH", "").split(os.pathsep) if entry]
    path = os.pathsep.join([str(home), *others])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "builder.cli", "build", *arguments],
        cwd=here,
        env={**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        said = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "")
        said = said or (lines[-1] if lines else f"exit status {done.returncode}")
        raise DefinitionError(
            f"the definitions do not build: {said.replace(str(tree) + '/', '')}",
            where=commit.name,
            fix=f"compare what was committed instead, for example: gpuboards diff {commit.name} provisioning",
        )

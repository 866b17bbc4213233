"""What ``gpuboards build --check`` found, in words and as data, with the command that mends it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder.config import Config
    from builder.targets.files import Differences
    from builder.targets.manifest import MadeWith

_AS_FLAGS = ("profile", "source", "dashboards")
"""The settings of a build that are also options; the others stand in the configuration only."""


def settings_of(config: Config, directories: Sequence[str]) -> dict[str, str | list[str]]:
    """What a build is made with, as far as its manifest says so: nothing that differs from machine to machine."""
    settings: dict[str, str | list[str]] = {
        name: getattr(config, name) for name in ("profile", "source", "training", "host")
    }
    return {**settings, "dashboards": [_from_here(directory) for directory in directories] or ["standard"]}


@dataclass(frozen=True)
class Comparison:
    """A directory against a build: how it differs, and what either was made with.

    ``options`` are those that were given on the command line, by name.
    """

    differences: Differences
    out: str
    built_with: MadeWith
    compared_with: MadeWith
    options: Mapping[str, str | Sequence[str]]

    def facts(self) -> dict[str, Any]:
        """As data."""
        made = {"built_with": dict(self.built_with), "compared_with": dict(self.compared_with)}
        return {**vars(self.differences), **made}

    def lines(self) -> Iterator[str]:
        """In words."""
        if not self.differences:
            yield f"{self.out} is what the definitions say"
            return
        build = _command("build", self.options)
        if not Path(self.out).exists():
            yield f"{self.out} does not exist: run `{build}`"
            return
        yield f"{self.out} differs from what the definitions say:"
        for what, paths in vars(self.differences).items():
            yield from (f"  {what}  {path}" for path in paths)
        found = self.differences
        if found.changed or found.missing or found.stale:
            yield from self._other_settings()
            yield f"fix: run `{build}`{self._or_as_before()}"
        if found.unknown:
            yield "fix: move the unknown files away, since Grafana would load them, or define them as boards"

    def _other_settings(self) -> Iterator[str]:
        other = self._differing()
        if other:
            then, now = (
                ", ".join(f"{name} {_text(side[name])}" for name in other)
                for side in (self.built_with, self.compared_with)
            )
            yield f"it was built with {then}, and is compared with {now}"

    def _or_as_before(self) -> str:
        options = {name: self.built_with[name] for name in self._differing() if name in _AS_FLAGS}
        if not options:
            return ""
        command = _command("build --check", {**self.options, **options})
        return f", or compare it with what it was built with: `{command}`"

    def _differing(self) -> list[str]:
        shared = [name for name in self.compared_with if name in self.built_with]
        return [name for name in shared if self.built_with[name] != self.compared_with[name]]


def _command(words: str, options: Mapping[str, str | Sequence[str]]) -> str:
    given = [
        word
        for name, value in options.items()
        for each in ([value] if isinstance(value, str) else value)
        for word in (f"--{name}", each)
    ]
    return shlex.join(["gpuboards", *words.split(), *given])


def _text(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)


def _from_here(directory: str) -> str:
    path = Path(directory)
    if not path.is_absolute():
        return directory
    try:
        here = Path.cwd()
    except OSError:  # removed meanwhile
        return directory
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else directory

"""What ``build --check`` and ``rules build --check`` found, in words and as data, with the command that mends it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.errors import cut

if TYPE_CHECKING:
    from builder.config import Config
    from builder.targets.files import Differences
    from builder.targets.manifest import MadeWith

_AS_FLAGS = ("profile", "source", "dashboards", "format", "stage")
"""The settings of a build that are also options; the others stand in the configuration only."""
USUAL = {"format": "prometheus", "stage": "full"}
"""What rules are built with where nothing is said."""
_RULES = ("prometheus/rules", "alerting")
"""Where below the directory of a build its rules are, unless somebody wants them elsewhere."""


def settings_of(config: Config, directories: Sequence[str]) -> dict[str, str | list[str]]:
    """What a build is made with, as far as its manifest says so: nothing that differs from machine to machine."""
    settings: dict[str, str | list[str]] = {
        name: getattr(config, name) for name in ("profile", "source", "training", "host")
    }
    return {**settings, "dashboards": [_from_here(directory) for directory in directories] or ["standard"]}


def rule_settings_of(config: Config) -> dict[str, str | list[str]]:
    """What rules are made with, as far as their manifest says so; the boards' source is nothing to them."""
    recording = config.recording
    return {
        **{name: getattr(config, name) for name in ("profile", "training", "host", "prometheus_version")},
        "also": list(recording.also),
        "interval": f"{recording.interval:g} s",
        "query_offset": f"{recording.query_offset:g} s",
        "alerts": ", ".join(config.alerts.changed()) or "standard",
    }


def rules_left_behind(out: str, config: Config, options: Mapping[str, str | Sequence[str]]) -> Iterator[str]:
    """One line for rules in this directory that were made with other settings than these, and what mends it.

    ``options`` are those of the build that was asked for, by name. What a manifest does not say is not compared.
    """
    from builder.errors import OutputError
    from builder.targets import manifest

    now = rule_settings_of(config)
    for where in (f"{out}/{below}" for below in _RULES):
        try:
            made_with = manifest.read(Path(where)).made_with
        except OutputError as error:
            yield f"what the rules in {where} were made with cannot be told: {error.where} {error.what}"
            continue
        other = _differing(made_with, now)
        if other:
            then, here = (_listed(side, other) for side in (made_with, now))
            shared = {name: options[name] for name in ("profile", "config") if name in options}
            kept = {name: made_with[name] for name in USUAL if made_with.get(name, USUAL[name]) != USUAL[name]}
            command = _command("rules build", {**shared, **kept, **({"out": where} if "out" in options else {})})
            yield f"the rules in {where} were made with {then}, and this build has {here}: run `{command}`"


@dataclass(frozen=True)
class Comparison:
    """A directory against a build: how it differs, and what either was made with.

    ``options`` are those that were given on the command line, by name. ``command`` writes the directory, from what
    ``origin`` says.
    """

    differences: Differences
    out: str
    built_with: MadeWith
    compared_with: MadeWith
    options: Mapping[str, str | Sequence[str]]
    command: str = "build"
    origin: str = "the definitions say"

    def facts(self) -> dict[str, Any]:
        """As data."""
        made = {"built_with": dict(self.built_with), "compared_with": dict(self.compared_with)}
        return {**vars(self.differences), **made}

    def lines(self) -> Iterator[str]:
        """In words."""
        if not self.differences:
            yield f"{self.out} is what {self.origin}"
            return
        build = _command(self.command, self.options)
        if not Path(self.out).exists():
            yield f"{self.out} does not exist: run `{build}`"
            return
        yield f"{self.out} differs from what {self.origin}:"
        for what, paths in vars(self.differences).items():
            yield from (f"  {what}  {path}" for path in paths)
        found = self.differences
        if found.changed or found.missing or found.stale:
            yield from self._other_settings()
            yield f"fix: run `{build}`{self._or_as_before()}"
        if found.unknown:
            yield "fix: move the unknown files away, since Grafana would load them, or define them as boards"

    def _other_settings(self) -> Iterator[str]:
        other = _differing(self.built_with, self.compared_with)
        if other:
            then, now = (_listed(side, other) for side in (self.built_with, self.compared_with))
            yield f"it was built with {then}, and is compared with {now}"

    def _or_as_before(self) -> str:
        other = _differing(self.built_with, self.compared_with)
        options = {name: self.built_with[name] for name in other if name in _AS_FLAGS}
        if not options:
            return ""
        command = _command(f"{self.command} --check", {**self.options, **options})
        return f", or compare it with what it was built with: `{command}`"


def _differing(then: MadeWith, now: MadeWith) -> list[str]:
    """The settings that both sides tell, and tell differently."""
    return [name for name in now if name in then and then[name] != now[name]]


def _listed(side: MadeWith, names: Sequence[str]) -> str:
    return ", ".join(f"{name} {_text(side[name])}" for name in names)


def _command(words: str, options: Mapping[str, str | Sequence[str]]) -> str:
    given = [
        word
        for name, value in options.items()
        for each in ([value] if isinstance(value, str) else value)
        for word in (f"--{name}", each)
    ]
    return shlex.join(["gpuboards", *words.split(), *given])


def _text(value: str | Sequence[str]) -> str:
    return cut(value if isinstance(value, str) else " ".join(value) or "none")


def _from_here(directory: str) -> str:
    path = Path(directory)
    if not path.is_absolute():
        return directory
    try:
        here = Path.cwd()
    except OSError:  # removed meanwhile
        return directory
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else directory

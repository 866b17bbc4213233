"""Options that mean the same in every command, and the configuration that they come together in.

A flag beats the environment, and the environment beats the file. Imports are made where they are used:
``--help`` passes through here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from builder.config import Config
    from builder.load import Definition

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_FILE = "gpuboards.yaml"
STANDARD = "standard"
"""What ``--dashboards`` calls the boards that come with gpuboards; a directory of that name is ``./standard``."""


def config_option(command: F) -> F:
    """``--config``."""
    return click.option(
        "--config",
        "config_file",
        metavar="FILE",
        envvar="GPUBOARDS_CONFIG",
        help=f"Configuration; default {DEFAULT_FILE}, where there is one. [env: GPUBOARDS_CONFIG]",
    )(command)


def profile_option(command: F) -> F:
    """``--profile``."""
    return click.option(
        "--profile",
        metavar="NAME",
        envvar="GPUBOARDS_PROFILE",
        help="What the exporter is, instead of what the configuration says. [env: GPUBOARDS_PROFILE]",
    )(command)


def source_option(command: F) -> F:
    """``--source``."""
    return click.option("--source", metavar="raw|recorded", help="Ask the exporter's own series, or recorded ones.")(
        command
    )


def dashboards_option(command: F) -> F:
    """``--dashboards``."""
    return click.option(
        "--dashboards",
        "directories",
        metavar="DIR",
        multiple=True,
        callback=not_empty,
        help="Directory of board definitions, or one such *.py file, instead of the standard boards; may be given"
        " several times. `standard` means those, to have them too.",
    )(command)


def format_option(command: F) -> F:
    """``--format``."""
    return click.option(
        "--format", "output", type=click.Choice(["text", "json"]), default="text", help="How to answer."
    )(command)


def out_option(default: str) -> Callable[[F], F]:
    """``--out``."""
    return click.option(
        "--out", metavar="DIR", default=default, show_default=True, callback=not_empty, help="Where to write."
    )


def not_empty(_context: click.Context, _option: click.Parameter, given: Any) -> Any:
    """A directory that has a name: an empty one would mean the current directory, which nobody asked for."""
    if "" in ([given] if isinstance(given, str) else given or ()):
        raise click.BadParameter("a path without a name; for the current directory write .")
    return given


def as_json(content: object) -> str:
    """The answer to ``--format json``."""
    import json

    return json.dumps(content, indent=2, ensure_ascii=False)


def load_config(file: str | None, *, profile: str | None = None, source: str | None = None) -> Config:
    """The configuration of this run. Raises ConfigError, or UsageError for a wrong flag."""
    from dataclasses import replace

    from builder.catalog.profiles import GPU_PROFILES
    from builder.config import Config, checks, parse
    from builder.errors import ConfigError, UnknownName, UsageError

    config = parse(_read(file or DEFAULT_FILE), file or DEFAULT_FILE) if _exists(file) else Config()
    if profile is not None:
        if profile not in GPU_PROFILES:
            raise UnknownName("profile", profile, GPU_PROFILES, where="--profile")
        config = replace(config, profile=profile)
    if source is not None:
        try:
            checks.one_of("raw", "recorded")(source)
        except ConfigError as error:
            raise UsageError(error.what, where="--source", fix=error.fix) from error
        config = replace(config, source=source)
    return config


def load_definitions(directories: Sequence[str]) -> tuple[Definition, ...]:
    """The boards of these directories and files, or the standard ones."""
    return tuple(read_definitions(directories))


def read_definitions(directories: Sequence[str]) -> Iterator[Definition]:
    """What ``load_definitions`` gives, a file at a time."""
    from builder.load import read

    for place in places(directories):
        yield from read(place)


def standard_uids_beside(directories: Sequence[str]) -> frozenset[str]:
    """The uids of the standard boards, where they are no part of what is read; a board is called like its file."""
    standard = _standard()
    try:
        resolved = [place.resolve() for place in places(directories)]
    except OSError:  # what is wrong with them is said where they are read
        return frozenset()
    if standard.resolve() in resolved:
        return frozenset()
    return frozenset(file.stem.replace("_", "-") for file in standard.glob("[!_]*.py"))


def places(directories: Sequence[str]) -> list[Path]:
    """The directories and files that ``--dashboards`` means."""
    from pathlib import Path

    return [_standard() if name == STANDARD else Path(name) for name in directories or [STANDARD]]


def _standard() -> Path:
    """Beside the package, installed or cloned: not a package ``dashboards`` of whoever runs the command."""
    from pathlib import Path

    import builder
    from builder.errors import UsageError

    place = Path(builder.__path__[0]).parent / "dashboards"
    if not place.is_dir():
        raise UsageError("the standard boards are not installed", fix="name a directory with --dashboards")
    return _near(place)


def _near(path: Path) -> Path:
    """The path as seen from here, where that is shorter to read."""
    try:
        here = path.cwd()
    except OSError:  # removed meanwhile
        return path
    return path.relative_to(here) if path.is_relative_to(here) else path


def _exists(file: str | None) -> bool:

    # A file that somebody asked for has to be there; the default one need not. One that leads nowhere is there.
    return file is not None or os.path.lexists(DEFAULT_FILE)


def _refuse_endless(file: str) -> None:
    """Refuse what one may wait at for ever. The shell's ``<(...)`` is a pipe too, and ends."""
    import stat
    from pathlib import Path

    from builder.errors import ConfigError

    mode = Path(file).stat().st_mode
    from_shell = stat.S_ISFIFO(mode) and file.startswith(("/dev/", "/proc/"))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or from_shell):
        raise ConfigError("is not a plain file", where=file, fix="name the file with --config")


def _read(file: str) -> str:
    from pathlib import Path

    from builder.errors import ConfigError

    try:
        _refuse_endless(file)
        return Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError("not UTF-8 text", where=f"{file}:{line}", fix="save the file as UTF-8") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"cannot be read: {reason}", where=file, fix="name the file with --config") from error

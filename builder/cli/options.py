"""Options that mean the same in every command, and the configuration that they come together in.

A flag beats the environment, and the environment beats the file. Imports are made where they are used:
``--help`` passes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from builder.config import Config
    from builder.load import Definition

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_FILE = "gpuboards.yaml"


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
        help="Directory of board definitions, instead of the standard boards; may be given several times.",
    )(command)


def format_option(command: F) -> F:
    """``--format``."""
    return click.option(
        "--format", "output", type=click.Choice(["text", "json"]), default="text", help="How to answer."
    )(command)


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
            checks.source(source)
        except ConfigError as error:
            raise UsageError(error.what, where="--source", fix=error.fix) from error
        config = replace(config, source=source)
    return config


def load_definitions(directories: Sequence[str]) -> tuple[Definition, ...]:
    """The boards of these directories, or the standard ones."""
    return tuple(read_definitions(directories))


def read_definitions(directories: Sequence[str]) -> Iterator[Definition]:
    """What ``load_definitions`` gives, a file at a time."""
    from pathlib import Path

    from builder.load import read

    for directory in [Path(directory) for directory in directories] or [_standard()]:
        yield from read(directory)


def _standard() -> Path:
    from importlib.util import find_spec
    from pathlib import Path

    from builder.errors import UsageError

    spec = find_spec("dashboards")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        return _near(Path(place))
    raise UsageError("the standard boards are not installed", fix="name a directory with --dashboards")


def _near(path: Path) -> Path:
    """The path as seen from here, where that is shorter to read."""
    here = path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _exists(file: str | None) -> bool:
    from pathlib import Path

    # A file that somebody asked for has to be there; the default one need not.
    return file is not None or Path(DEFAULT_FILE).exists()


def _read(file: str) -> str:
    from pathlib import Path

    from builder.errors import ConfigError

    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError("not UTF-8 text", where=f"{file}:{line}", fix="save the file as UTF-8") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"cannot be read: {reason}", where=file, fix="name the file with --config") from error

"""``gpuboards explain``: what a name means, whichever kind of name it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    load_definitions,
    profile_option,
)

if TYPE_CHECKING:
    from builder.config import Config


@click.command("explain")
@click.argument("name", metavar="SIGNAL|BOARD|PROFILE|METRIC")
@profile_option
@dashboards_option
@config_option
@format_option
def command(name: str, profile: str | None, directories: tuple[str, ...], config_file: str | None, output: str) -> None:
    """Tell what a signal, board, exporter profile or metric is, and what it needs."""
    from builder.cli import facts, text

    config = load_config(config_file, profile=profile)
    profiles = facts.profiles(config, profile or "")
    found = facts.signal(name, profiles) or facts.profile(name, config) or facts.metric(name, profiles)
    if found is None:
        found = _board(name, directories, config, facts.names(profiles))
    click.echo(as_json(found) if output == "json" else text.render(found))


def _board(name: str, directories: tuple[str, ...], config: Config, others: set[str]) -> dict[str, Any]:
    from builder.cli import facts
    from builder.cli.boards import describe
    from builder.errors import UnknownName

    definitions = load_definitions(directories)
    chosen = [d for d in definitions if d.board.uid == name]  # type: ignore[attr-defined]
    if not chosen:
        uids = {str(d.board.uid) for d in definitions}  # type: ignore[attr-defined]
        raise UnknownName("signal, profile, metric or board", name, others | uids)
    return facts.board(describe(chosen, config, [config.profile])[0])

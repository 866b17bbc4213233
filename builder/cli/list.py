"""``gpuboards list``: the boards, and what each exporter cannot show on them."""

from __future__ import annotations

from collections.abc import Sequence
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
    from builder.cli.boards import Described


@click.command("list")
@profile_option
@dashboards_option
@config_option
@format_option
def command(profile: str | None, directories: tuple[str, ...], config_file: str | None, output: str) -> None:
    """Show every board: uid, title, the question it answers, and its file."""
    from builder.catalog.profiles import GPU_PROFILES
    from builder.cli.boards import describe

    config = load_config(config_file, profile=profile)
    others = [] if profile else [name for name in GPU_PROFILES if name != config.profile]
    boards = describe(load_definitions(directories), config, [config.profile, *others])
    if output == "json":
        click.echo(as_json([_facts(board) for board in boards]))
    else:
        click.echo("\n".join(_lines(boards)))


def _facts(board: Described) -> dict[str, Any]:
    return {
        "uid": board.uid,
        "title": board.title,
        "question": board.question,
        "file": board.where,
        "panels": len(board.panels),
        "dropped": {name: [vars(note) for note in notes] for name, notes in board.dropped.items()},
    }


def _lines(boards: Sequence[Described]) -> list[str]:
    lines = []
    for board in boards:
        lines.append(f"{board.uid}  {board.title}  ({board.where}, {len(board.panels)} panels)")
        if board.question:
            lines.append(f"  {board.question}")
        missing = [f"{name} {len(notes)}" for name, notes in board.dropped.items() if notes]
        if missing:
            lines.append(f"  panels left out: {', '.join(missing)}")
    return lines

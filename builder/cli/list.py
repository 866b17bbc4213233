"""``gpuboards list``: the boards, and what each exporter cannot show on them; or the questions that boards may ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from builder.cli.built import plural
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    profile_option,
    read_definitions,
)

if TYPE_CHECKING:
    from builder.cli.boards import Described


@click.command("list")
@click.option("--questions", is_flag=True, help="Show the questions that a board may ask instead, by their modules.")
@profile_option
@dashboards_option
@config_option
@format_option
def command(
    questions: bool, profile: str | None, directories: tuple[str, ...], config_file: str | None, output: str
) -> None:
    """Show every board: uid, title, the question it answers, and its file."""
    if questions:
        click.echo(_questions(output))
        return
    from builder.catalog.profiles import GPU_PROFILES
    from builder.cli.boards import describe

    config = load_config(config_file, profile=profile)
    others = [] if profile else [name for name in GPU_PROFILES if name != config.profile]
    boards = describe(read_definitions(directories), config, [config.profile, *others])
    if output == "json":
        click.echo(as_json([_facts(board) for board in boards]))
    else:
        click.echo("\n".join(_lines(boards)))


def _questions(output: str) -> str:
    from builder.queries import listed

    helps = {name: question.help for name, question in listed.questions().items()} | listed.makers()
    if output == "json":
        return as_json([{"name": name, "help": text} for name, text in helps.items()])
    lines = []
    for module, about in listed.modules().items():
        lines.append(f"{module}: {about}")
        lines += [f"  {name}: {text}" for name, text in helps.items() if name.startswith(f"{module}.")]
    return "\n".join(lines)


def _facts(board: Described) -> dict[str, Any]:
    return {
        "uid": board.uid,
        "title": board.title,
        "question": board.question,
        "file": board.where,
        "panels": len(board.panels),
        "dropped": {name: [vars(note) for note in notes] for name, notes in board.dropped.items()},
    }


def _lines(boards: Iterable[Described]) -> list[str]:
    lines = []
    for board in boards:
        lines.append(f"{board.uid}  {board.title}  ({board.where}, {plural(len(board.panels), 'panel')})")
        if board.question:
            lines.append(f"  {board.question}")
        lines += _dropped(board)
    return lines


def _dropped(board: Described) -> list[str]:
    gone = {name: count for name in board.dropped if (count := board.gone(name))}
    if not gone:
        return []
    (first, count), *others = gone.items()
    verb = "drops" if count == 1 else "drop"
    more = "".join(f", {count} for {name}" for name, count in others)
    return [f"  {count} of {plural(board.defined, 'panel')} {verb} out for {first}{more}"]

"""``gpuboards build``: write the provisioning directory, or say how it differs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from builder.cli.boards import panels_of
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    profile_option,
    read_definitions,
    source_option,
)

if TYPE_CHECKING:
    from builder.build import BuiltBoard
    from builder.config import Config
    from builder.grafana.context import Note
    from builder.targets.files import Differences, Report


@click.command("build")
@profile_option
@source_option
@click.option("--out", metavar="DIR", default="provisioning", show_default=True, help="Where to write.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if the directory differs.")
@click.option("--force", is_flag=True, help="Overwrite files that no earlier build wrote.")
@dashboards_option
@config_option
@format_option
def command(
    profile: str | None,
    source: str | None,
    out: str,
    only_check: bool,
    force: bool,
    directories: tuple[str, ...],
    config_file: str | None,
    output: str,
) -> int:
    """Write the boards and the files around them, ready to be mounted into Grafana."""
    from pathlib import Path

    from builder.build import build
    from builder.targets.files import check, write

    config = load_config(config_file, profile=profile, source=source)
    tally = _Tally()
    artifacts = build(read_definitions(directories), config, tally.add)
    if only_check:
        differences = check(artifacts, Path(out))
        click.echo(as_json(vars(differences)) if output == "json" else _differences(differences, out))
        return 1 if differences else 0
    report = write(artifacts, Path(out), force=force)
    if output == "json":
        notes = [vars(note) for note in tally.notes]
        click.echo(as_json({"profile": config.profile, "out": out, **vars(report), "dropped": notes}))
    else:
        click.echo(_summary(tally, report, config, out))
    return 0


@dataclass
class _Tally:
    """What has been built so far."""

    boards: int = 0
    panels: int = 0
    notes: list[Note] = field(default_factory=list)

    def add(self, board: BuiltBoard) -> None:
        self.boards += 1
        self.panels += sum(1 for _ in panels_of(board.data))
        self.notes += board.notes


def _summary(tally: _Tally, report: Report, config: Config, out: str) -> str:
    counted = f"{_plural(tally.boards, 'board')}, {_plural(tally.panels, 'panel')}"
    lines = [f"{counted} for {config.profile}, source {config.source}"]
    if tally.notes:
        lines.append(f"left out, because {config.profile} does not export what they need:")
        for note in tally.notes:
            lines.append(f"  {note.board}: {note.panel}: {note.text}")
            if note.fix:
                lines.append(f"    fix: {note.fix}")
    changes = ", ".join(f"{len(paths)} {what}" for what, paths in vars(report).items())
    return "\n".join([*lines, f"{out}: {changes}"])


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _differences(differences: Differences, out: str) -> str:
    if not differences:
        return f"{out} is what the definitions say"
    lines = [f"  {what}  {path}" for what, paths in vars(differences).items() for path in paths]
    return "\n".join([f"{out} differs from what the definitions say:", *lines, "fix: run `gpuboards build`"])

"""``gpuboards build``: write the provisioning directory, or say how it differs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from builder.cli.built import Tally, summary
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    out_option,
    profile_option,
    read_definitions,
    source_option,
    standard_uids_beside,
)

if TYPE_CHECKING:
    from builder.load import Definition

OUT = "provisioning"
LINES_ON_A_TERMINAL = 20
"""How many lines say what was left out, where somebody reads along and has not asked for more."""


@click.command("build")
@profile_option
@source_option
@out_option(OUT)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if the directory differs.")
@click.option("--force", is_flag=True, help="Overwrite files that no earlier build wrote.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help=f"Name all that is left out; a terminal gets {LINES_ON_A_TERMINAL} lines of it, a pipe gets them all anyway.",
)
@dashboards_option
@config_option
@format_option
def command(
    profile: str | None,
    source: str | None,
    out: str,
    only_check: bool,
    force: bool,
    verbose: bool,
    directories: tuple[str, ...],
    config_file: str | None,
    output: str,
) -> int:
    """Write the boards and the files around them, ready to be mounted into Grafana."""
    gc.disable()  # nothing that is imported is garbage
    from pathlib import Path

    from builder.build import BOARDS, build
    from builder.cli.compared import Comparison, rules_left_behind, settings_of
    from builder.targets import manifest
    from builder.targets.files import check, write

    gc.freeze()  # it stays: no need to look through it again and again
    gc.enable()
    config = load_config(config_file, profile=profile, source=source)
    tally = Tally()
    artifacts = build(_warning(read_definitions(directories), directories), config, tally.add)
    settings = settings_of(config, directories)
    given = {"profile": profile, "source": source, "dashboards": directories, "config": config_file}
    options = {name: value for name, value in given.items() if value} | ({"out": out} if out != OUT else {})
    if only_check:
        differences = check(artifacts, Path(out), boards=BOARDS)
        found = Comparison(differences, out, manifest.read(Path(out)).made_with, settings, options)
        click.echo(as_json(found.facts()) if output == "json" else "\n".join(found.lines()))
        _note(rules_left_behind(out, config, options))
        return 1 if differences else 0
    report = write(artifacts, Path(out), force=force, made_with=settings)
    if output == "json":
        notes = [vars(note) for note in tally.notes]
        told = as_json({"profile": config.profile, "out": out, **vars(report), "dropped": notes})
    else:
        at_most = None if verbose or not sys.stdout.isatty() else LINES_ON_A_TERMINAL
        told = "\n".join(summary(tally, report, config, out, at_most=at_most))
    try:
        click.echo(told)
    except OSError:
        click.echo(f"{out} is written; only what was done in it cannot be told", err=True)
        raise
    _note(rules_left_behind(out, config, options))
    return 0


def _note(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(f"note: {line}", err=True)


def _warning(definitions: Iterable[Definition], directories: Sequence[str]) -> Iterator[Definition]:
    """The definitions, with a word on each that would take the place of a standard board."""
    standard = standard_uids_beside(directories)
    for definition in definitions:
        uid = getattr(definition.board, "uid", "")
        if uid in standard:
            click.echo(
                f"warning: {definition.where}: {uid!r} is the uid of a standard board: links of the standard boards"
                " lead here, and in one Grafana the two replace each other",
                err=True,
            )
        yield definition

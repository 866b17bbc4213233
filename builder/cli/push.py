"""``gpuboards push``: make a Grafana hold the boards, or say what that would change."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder.cli.grafana_options import grafana_options, the_endpoint
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    load_definitions,
    profile_option,
    source_option,
)
from builder.cli.progress import progress
from builder.cli.stopping import finishing_first

if TYPE_CHECKING:
    from builder.targets.grafana.report import Outcome


@click.command("push")
@grafana_options
@click.option("--dry-run", is_flag=True, help="Only read, and say what would be done.")
@click.option("--force", is_flag=True, help="Overwrite boards that somebody else changed last.")
@click.option("--prune", is_flag=True, help="Remove this project's boards that are no longer defined.")
@click.option("--yes", is_flag=True, help="Do not ask before removing boards.")
@profile_option
@source_option
@dashboards_option
@config_option
@format_option
def command(
    context_name: str | None,
    api: Any,
    jobs: int,
    seconds: float,
    dry_run: bool,
    force: bool,
    prune: bool,
    yes: bool,
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
    output: str,
) -> int:
    """Push the boards into a Grafana (10.4 to 13) through its API, touching only what differs.

    Boards that somebody changed in the browser are left alone. GRAFANA_URL and GRAFANA_TOKEN (or GRAFANA_USER and
    GRAFANA_PASSWORD) say where and as whom, or a context of the configuration does.
    """
    from builder.build import build_boards
    from builder.cli.crash import versions
    from builder.cli.pushed import in_words
    from builder.errors import UsageError
    from builder.targets.grafana.push import Options, push
    from builder.targets.grafana.revision import git_revision

    config = load_config(config_file, profile=profile, source=source)
    if prune and not (yes or dry_run or sys.stdin.isatty()):
        raise UsageError("nobody is there to be asked before boards are removed", where="--prune", fix="add --yes")
    definitions = load_definitions(directories)
    options = Options(
        api=api,
        project=config.project,
        force=force,
        prune=prune,
        dry_run=dry_run,
        jobs=jobs,
        seconds=seconds,
        tool=versions()["gpuboards"],
        revision=git_revision(Path(definitions[0].file).parent),
    )
    boards, _ = build_boards(definitions, config)
    endpoint = the_endpoint(config, context_name)
    with finishing_first() as stop:
        report = push(
            boards, endpoint, options, confirm=lambda found: _agreed(found, yes), progress=progress(), stop=stop
        )
    if output == "json":
        from dataclasses import asdict

        summary = {"writes": report.writes, "exit_code": report.exit_code}
        click.echo(as_json({**asdict(report), **summary}))
    else:
        click.echo(in_words(report))
    return report.exit_code


def _agreed(found: Sequence[Outcome], yes: bool) -> bool:
    from builder.errors import printable

    click.echo("No longer defined, and about to be removed:", err=True)
    for outcome in found:
        click.echo(printable(f"  {outcome.uid}  {outcome.title}  {outcome.link}"), err=True)
    if yes:
        return True
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # at a question, Ctrl-C is an answer
    try:
        return click.confirm(f"Remove {len(found)}?", err=True)
    finally:
        signal.signal(signal.SIGINT, before)

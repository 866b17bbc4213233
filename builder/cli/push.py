"""``gpuboards push``: make a Grafana hold the boards, or say what that would change."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import click

from builder.cli.grafana_options import grafana_options, progress, the_endpoint
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
    with _finishing_first() as stop:
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


@contextlib.contextmanager
def _finishing_first() -> Iterator[threading.Event]:
    """The first Ctrl-C (or SIGTERM) lets what is in flight finish; the second one ends at once."""
    stop = threading.Event()
    asked = False
    # A handler runs in the middle of whatever its thread does, so it may take no lock that the thread may hold: not
    # that of an Event, nor that of a file. A SimpleQueue and a bare write are made for it.
    signals: SimpleQueue[int] = SimpleQueue()

    def ask(number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            os._exit(130)  # an exception would still wait for the threads
        asked = True
        signals.put(number)
        with contextlib.suppress(OSError):
            os.write(2, b"stopping when what is in flight has finished; once more to stop at once\n")

    def pass_on() -> None:
        if signals.get():
            stop.set()

    passing = threading.Thread(target=pass_on, name="stop", daemon=True)
    passing.start()
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signals.put(0)
        passing.join()

"""``gpuboards diff``: how dashboards differ, in words."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from builder.cli.grafana_options import grafana_options, the_endpoint
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    load_config,
    load_definitions,
    profile_option,
    source_option,
)
from builder.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from builder.cli.sides import Settings, Side
    from builder.diff import BoardDiff
    from builder.errors import UsageError


@click.command("diff")
@click.argument("operands", metavar="[A] [B]", nargs=-1)
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="How to answer.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours; by themselves on a terminal, unless NO_COLOR is set.",
)
@grafana_options
@profile_option
@source_option
@dashboards_option
@config_option
def command(
    operands: tuple[str, ...],
    output: str,
    color: str,
    context_name: str | None,
    api: Any,
    jobs: int,
    seconds: float,
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
) -> int:
    """Say how dashboards differ. Exit status 1 where they do.

    A and B are each a JSON file, a directory, a Git revision (built from its definitions; beside a path: that path as
    it was committed), REVISION:PATH or context:NAME. Without B, what the definitions give now. Without A too, what a
    Grafana (10.4 to 13) has; boards of this project that are no longer defined then count where the configuration
    names a project. Only reads.
    """
    from builder.cli.sides import Settings
    from builder.errors import UsageError
    from builder.targets.grafana.push import Options

    if len(operands) > 2:
        raise UsageError("more than two things to compare", fix="gpuboards diff A B")
    if operands and context_name and "GPUBOARDS_CONTEXT" not in os.environ:
        raise UsageError("--context together with A", fix="write it as B: context:NAME")
    config = load_config(config_file, profile=profile, source=source)
    options = Options(
        api=api, project=config.project, prune=bool(config.project), dry_run=True, jobs=jobs, seconds=seconds
    )
    settings = Settings(config, directories, config_file, profile, source)
    if operands and operands != (f"context:{operands[0].removeprefix('context:')}",):
        return _compared(operands, settings, options, output, _coloured(color))
    return _drift(settings, operands[0].removeprefix("context:") if operands else context_name, options, output)


def _coloured(color: str) -> bool:
    return color == "always" or (color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def _drift(settings: Settings, context_name: str | None, options: Any, output: str) -> int:
    """A Grafana against the definitions, as a push would see it."""
    from dataclasses import asdict

    from builder.build import build_boards
    from builder.cli.pushed import as_difference
    from builder.errors import UsageError
    from builder.targets.grafana.push import push

    if output == "markdown":
        raise UsageError("a Grafana is compared as text or json", where="--format")
    boards, _ = build_boards(load_definitions(settings.directories), settings.config)
    report = push(boards, the_endpoint(settings.config, context_name), options, progress=progress())
    equal = not report.folders and all(outcome.action == "unchanged" for outcome in report.outcomes)
    click.echo(as_json({**asdict(report), "equal": equal}) if output == "json" else as_difference(report))
    return report.exit_code if report.exit_code not in (0, 1) else int(not equal)


def _compared(operands: Sequence[str], settings: Settings, options: Any, output: str, colour: bool) -> int:
    from builder.cli.sides import without_unread
    from builder.diff.pairing import compare_all

    before, after = _sides(operands, settings, options)
    before = without_unread(before, after)
    diffs = compare_all(before.boards, after.boards, alone=before.alone and after.alone)
    problems = [*before.problems, *after.problems]
    for problem in problems:
        click.echo(f"error: {problem}", err=True)
    if not diffs and not problems:
        raise _nothing(operands)
    if answer := _answer(diffs, output, colour):
        click.echo(answer, color=True)
    return max(problem.exit_code for problem in problems) if problems else int(any(diffs))


def _nothing(operands: Sequence[str]) -> UsageError:
    """What to say where there is no dashboard on either side: that they are equal would be true, and no answer."""
    from pathlib import Path

    from builder.errors import UsageError
    from builder.targets.dashboard_files import no_dashboard

    fix = next((no_dashboard(one).fix for one in operands if Path(one).is_dir()), "name what holds dashboards")
    return UsageError("there is no dashboard on either side", where=" and ".join(operands), fix=fix)


def _sides(operands: Sequence[str], settings: Settings, options: Any) -> tuple[Side, Side]:
    from builder.cli.sides import CONTEXT, from_definitions, from_grafana, side

    a, b = operands[0], operands[1] if len(operands) > 1 else None
    if b is None:
        before, after = side(a, settings), from_definitions(settings)
        if before.alone:  # one file was named: the other boards are not asked about
            uids = {board.data.get("uid") for board in before.boards}
            after.boards = [board for board in after.boards if board.data.get("uid") in uids]
        return before, after
    if a.startswith(CONTEXT):
        after = side(b, settings)
        return from_grafana(a, after, settings, options, progress()), after
    before = side(a, settings, beside=b)
    if b.startswith(CONTEXT):
        return before, from_grafana(b, before, settings, options, progress())
    return before, side(b, settings, beside=a)


def _answer(diffs: Sequence[BoardDiff], output: str, colour: bool) -> str:
    if output == "json":
        from builder.diff.show.facts import facts

        return as_json({"equal": not any(diffs), "boards": [facts(diff) for diff in diffs]})
    if output == "markdown":
        from builder.diff.show import markdown

        return markdown.render(diffs)
    from builder.diff.show import text

    return text.render(diffs, colour=colour)

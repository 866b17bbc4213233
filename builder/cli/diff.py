"""``gpuboards diff``: how a Grafana and the boards differ."""

from __future__ import annotations

from typing import Any

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


@click.command("diff")
@grafana_options
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
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
    output: str,
) -> int:
    """Say how the boards in a Grafana (10.4 to 13) differ from the code; only reads. Exit status 1 where they do.

    Boards of this project that are no longer defined count too where the configuration names a project.
    """
    from dataclasses import asdict

    from builder.build import build_boards
    from builder.cli.pushed import as_difference
    from builder.targets.grafana.push import Options, push

    config = load_config(config_file, profile=profile, source=source)
    options = Options(
        api=api, project=config.project, prune=bool(config.project), dry_run=True, jobs=jobs, seconds=seconds
    )
    boards, _ = build_boards(load_definitions(directories), config)
    report = push(boards, the_endpoint(config, context_name), options, progress=progress())
    equal = not report.folders and all(outcome.action == "unchanged" for outcome in report.outcomes)
    click.echo(as_json({**asdict(report), "equal": equal}) if output == "json" else as_difference(report))
    return report.exit_code if report.exit_code not in (0, 1) else int(not equal)

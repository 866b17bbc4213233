"""``gpuboards pull``: boards of a Grafana as files that can be committed and compared."""

from __future__ import annotations

from typing import Any

import click

from builder.cli.grafana_options import grafana_options, the_endpoint
from builder.cli.options import as_json, config_option, format_option, load_config, out_option
from builder.cli.progress import progress


@click.command("pull")
@click.argument("uids", metavar="[UID]...", nargs=-1)
@click.option("--folder", metavar="UID", default="", help="All boards of this folder.")
@click.option("--tag", metavar="TAG", default="", help="All boards with this tag.")
@out_option("pulled")
@click.option("--force", is_flag=True, help="Overwrite files that are not this board.")
@grafana_options
@config_option
@format_option
def command(
    uids: tuple[str, ...],
    folder: str,
    tag: str,
    out: str,
    force: bool,
    context_name: str | None,
    api: Any,
    jobs: int,
    seconds: float,
    config_file: str | None,
    output: str,
) -> int:
    """Read boards from a Grafana into normalised JSON files, one for each, named by uid."""
    from pathlib import Path

    from builder.errors import UsageError, printable
    from builder.targets.grafana.pull import UID, pull
    from builder.targets.grafana.push import Options
    from builder.targets.pulled import write_boards

    if not (uids or folder or tag):
        raise UsageError("nothing says which boards", fix="name uids, --folder UID or --tag TAG")
    for name in (*uids, *([folder] if folder else [])):
        if not UID.fullmatch(name):
            raise UsageError(f"{name!r} is not a uid", fix="1 to 40 letters, digits, - and _")
    config = load_config(config_file)
    endpoint = the_endpoint(config, context_name)
    options = Options(api=api, jobs=jobs, seconds=seconds)
    found = pull(endpoint, options, uids=uids, folder=folder, tag=tag, progress=progress())
    read = {board.uid: board.text for board in found if not board.problem}
    written, unchanged = write_boards(read, Path(out), force=force)
    failed = [board for board in found if board.problem]
    if output == "json":
        problems = [{"uid": board.uid, "problem": board.problem, "fix": board.fix} for board in failed]
        click.echo(as_json({"out": out, "written": written, "unchanged": unchanged, "failed": problems}))
    else:
        for path in written:
            click.echo(f"  written    {path}")
        for board in failed:
            click.echo(f"{printable(board.uid)}: {printable(board.problem)}\n  fix: {board.fix}")
        click.echo(f"{out}: {len(written)} written, {len(unchanged)} unchanged, {len(failed)} failed")
    return 3 if failed else 0

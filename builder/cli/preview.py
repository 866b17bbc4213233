"""``gpuboards preview``: boards as Grafana would lay them out, drawn without a Grafana."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    out_option,
    profile_option,
    source_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from builder.cli.preview_data import Ask, Data
    from builder.cli.previewed import Dashboards


MOST_NAMED = 5
"""Panels without data that are named."""


@click.command("preview")
@click.argument("names", nargs=-1, metavar="[BOARD]...")
@click.option("--prometheus", metavar="URL", help="Ask this Prometheus, instead of a simulated fleet.")
@click.option("--scrape-interval", default="15s", show_default=True, help="How often that Prometheus scrapes.")
@click.option("--simulate", is_flag=True, help="A simulated fleet: the default where no Prometheus is given.")
@click.option("--nodes", type=int, default=2, show_default=True, help="Nodes of the simulated fleet.")
@click.option("--cards", type=int, default=4, show_default=True, help="Cards of each of its nodes.")
@click.option("--fault", "faults", multiple=True, metavar="FAULT", help="Such as hot:node-1/gpu-0@3h; repeat it.")
@click.option("--mig", multiple=True, metavar="NODE/gpu-N", help="A card of it in MIG mode; repeat it.")
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="Choose a variable's value; repeat it.")
@click.option("--range", "span", metavar="TIME", help="Time range, such as 2h, instead of the board's own.")
@click.option("--at", metavar="TIME", help="The end of the range, such as 2026-01-01T12:00:00Z, instead of now.")
@click.option(
    "--pictures",
    type=click.Choice(["none", "svg", "png"]),
    default="none",
    show_default=True,
    help="Also a picture of each board and of each panel.",
)
@click.option("--theme", type=click.Choice(["dark", "light"]), default="dark", show_default=True, help="Of pictures.")
@click.option("--serve", is_flag=True, help="Serve the pages on loopback, and draw again what is saved.")
@click.option("--port", type=int, default=8600, show_default=True, help="Port of --serve; 0 takes any.")
@out_option("preview")
@profile_option
@source_option
@dashboards_option
@config_option
@format_option
def command(
    names: tuple[str, ...],
    prometheus: str | None,
    scrape_interval: str,
    simulate: bool,
    nodes: int,
    cards: int,
    faults: tuple[str, ...],
    mig: tuple[str, ...],
    variables: tuple[str, ...],
    span: str | None,
    at: str | None,
    pictures: str,
    theme: str,
    serve: bool,
    port: int,
    out: str,
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
    output: str,
) -> int:
    """Draw boards as Grafana would lay them out, without a Grafana: one HTML page each, and pictures.

    BOARD is the uid of a board, or a dashboard's JSON file; without one, all boards are drawn. The numbers are
    those of a Prometheus, or of a simulated fleet that is made for it.
    """
    from pathlib import Path

    from builder.cli.preview_data import Ask, check_variables, chosen, of_prometheus, simulated
    from builder.cli.preview_extra import require
    from builder.errors import UsageError

    require()
    if prometheus and (simulate or faults or mig):
        fix = "leave out --prometheus, or what describes a simulated fleet"
        raise UsageError("the data are those of a Prometheus, or simulated", where="--prometheus", fix=fix)
    if at and not prometheus:
        raise UsageError("a simulated fleet has its own time", where="--at", fix="give --prometheus too")
    config = load_config(config_file, profile=profile, source=source)
    ask = Ask(chosen(variables), _seconds(span), _moment(at))

    def read() -> Dashboards:
        from builder.cli.previewed import dashboards

        return dashboards(names, directories, load_config(config_file, profile=profile, source=source))

    boards = read()
    check_variables(ask, boards.values())
    fleet = {"nodes": nodes, "cards": cards, "faults": faults, "mig": mig}
    data: AbstractContextManager[Data]
    if prometheus:
        data = of_prometheus(prometheus, scrape_interval)
    else:
        click.echo("simulating a fleet ...", err=True)
        data = simulated(config, fleet, max(ask.of(board) for board in boards.values()))
    with data as there:
        if serve:
            from builder.cli.preview_serve import serve_pages, watched

            return serve_pages(read, there, ask, watched(names, directories, config_file), port)
        return _write(boards, there, ask, Path(out), pictures, theme, output)


def _write(boards: Dashboards, data: Data, ask: Ask, out: Path, pictures: str, theme: str, output: str) -> int:
    from builder.cli.previewed import write
    from builder.errors import cut, printable

    made = write(boards, data, ask, out, pictures, theme)
    for one in made:
        for problem in one.problems:
            click.echo(f"warning: {one.uid}: {printable(cut(problem, 500))}", err=True)
    if output == "json":
        click.echo(as_json({"out": str(out), "data": data.words, "boards": [vars(one) for one in made]}))
        return 0
    for one in made:
        without = f", {one.empty} of them without data ({_named(one.without_data)})" if one.empty else ""
        more = f", and {len(one.files) - 1} pictures" if len(one.files) > 1 else ""
        click.echo(f"{out / one.files[0]}: {one.title}, {one.panels} panels{without}{more}")
    if len(made) > 1:
        click.echo(f"{out / 'index.html'}: all of them")
    return 0


def _named(titles: Sequence[str]) -> str:
    """The titles of a handful of panels, and how many more there are; copies of one panel are one title."""
    from builder.errors import cut, printable

    found = [printable(cut(title.strip(), 60)) or "a panel without a title" for title in dict.fromkeys(titles)]
    more = len(found) - MOST_NAMED
    return ", ".join(found[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _seconds(span: str | None) -> float | None:
    from builder.errors import UsageError
    from builder.opening.window import parse_duration

    if span is None:
        return None
    try:
        seconds = parse_duration(span)
    except UsageError as error:
        raise error.at("--range") from None
    if seconds < 60:
        raise UsageError(f"a range of {span}", where="--range", fix="at least 1m")
    return seconds


def _moment(at: str | None) -> float | None:
    from datetime import UTC, datetime

    from builder.errors import UsageError

    if at is None:
        return None
    try:
        found = datetime.fromisoformat(at)
    except ValueError as error:
        raise UsageError(f"not a time: {at!r}", where="--at", fix="write it like 2026-01-01T12:00:00Z") from error
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()

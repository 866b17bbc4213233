"""``gpuboards simulate``: a GPU fleet to scrape, or a history of one, with faults where one wants them."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from builder.cli.options import not_empty

if TYPE_CHECKING:
    from builder.simulate import Fleet

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--nodes", type=int, default=2, show_default=True, help="How many nodes, named node-0 and so on."),
    click.option("--cards", type=int, default=8, show_default=True, help="How many cards a node has, from gpu-0."),
    click.option("--profile", default="dcgm", show_default=True, metavar="NAME", help="Which GPU exporter to imitate."),
    click.option("--scheme", default="", metavar="NAME", help="Which way that exporter writes: docs/simulate.md."),
    click.option("--model", default="h100", show_default=True, metavar="NAME", help="h100, a100, v100 or rtx-4090."),
    click.option("--counters", default="extended", show_default=True, help="extended, default or helm."),
    click.option("--training", default="probe", show_default=True, help="probe, tf-snippet or none."),
    click.option(
        "--fault", "faults", multiple=True, metavar="FAULT", help="Such as hot:node-1/gpu-0@2h+30m; repeat it."
    ),
    click.option("--mig", multiple=True, metavar="NODE/gpu-N", help="A card in MIG mode; may hold *; repeat it."),
    click.option("--bare-metal", is_flag=True, help="No Kubernetes: no pods, no kube-state-metrics."),
    click.option("--honor-labels", is_flag=True, help="Scrape the exporter with honor_labels: true."),
    click.option("--no-host", is_flag=True, help="No node_exporter and no kube-state-metrics."),
    click.option("--cluster", default="", metavar="NAME", help="A cluster label for every target."),
    click.option("--job-hours", type=float, default=6, show_default=True, help="How long a job lasts."),
    click.option("--steady", is_flag=True, help="Endless jobs without dips: only faults change anything."),
    click.option("--seed", type=int, default=0, show_default=True, help="Another seed, another fleet."),
    click.option("--start", metavar="TIME", help="When the fleet's time begins, such as 2026-01-01T00:00:00Z."),
)


def _fleet_options(command: F) -> F:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group("simulate")
def command() -> None:
    """A GPU fleet that speaks the exporters' formats, with faults planted in it.

    The same options give the same bytes, always. A fault is KIND:PLACE@START+LENGTH, such as
    hot:node-1/gpu-0@2h+30m; `gpuboards simulate faults` lists the kinds.
    """


@command.command("serve")
@_fleet_options
@click.option("--port", type=int, default=9500, show_default=True, help="Port on loopback; 0 takes any.")
@click.option(
    "--scrape-config",
    metavar="FILE",
    callback=not_empty,
    help="Write Prometheus' configuration there instead of printing it.",
)
@click.option("--scrape-interval", default="15s", show_default=True, help="What that configuration says.")
def serve(port: int, scrape_config: str | None, scrape_interval: str, start: str | None, **options: Any) -> int:
    """Serve a fleet to a Prometheus, until interrupted."""
    from builder.simulate.model.duration import interval, words
    from builder.simulate.serve import FleetServer, scrape_configuration

    every = words(interval(scrape_interval, "--scrape-interval"))
    fleet = _fleet(options, start=_time(start) if start else float(int(time.time())))
    with FleetServer(fleet, port) as server:
        configuration = scrape_configuration(fleet, server.address, every)
        if scrape_config:
            _write(scrape_config, configuration)
            click.echo(f"wrote {scrape_config}: prometheus --config.file={scrape_config}", err=True)
        else:
            click.echo(configuration, nl=False)
        click.echo(f"serving {_described(fleet)} on http://{server.address}; ^C ends it", err=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # how containers and services are ended
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("ended", err=True)
    return 0


@command.command("backfill")
@_fleet_options
@click.option("--hours", type=float, required=True, help="How long a history.")
@click.option("--out", metavar="DIR", required=True, callback=not_empty, help="Where to write it.")
@click.option("--interval", default="30s", show_default=True, help="Time between two scrapes.")
@click.option("--blocks", is_flag=True, help="Let promtool make blocks in DIR, a Prometheus' data directory.")
@click.option("--force", is_flag=True, help="Replace the history that is in DIR.")
def backfill(
    hours: float, out: str, interval: str, blocks: bool, force: bool, start: str | None, **options: Any
) -> int:
    """Write a history that ends now, or begins at --start, for promtool to turn into blocks."""
    from pathlib import Path

    from builder.errors import UsageError
    from builder.simulate.files import write_blocks, write_history
    from builder.simulate.model import duration

    step = duration.interval(interval, "--interval")
    if not step / 3600 <= hours <= 24 * 366:
        raise UsageError(f"a history of {hours:g} hours", where="--hours", fix="from one interval to a year")
    begin = _time(start) if start else float(int(time.time() - hours * 3600) // step * step)
    fleet = _fleet(options, start=begin)

    def done(path: Path) -> None:
        if sys.stderr.isatty():
            click.echo(f"{path.name} is done", err=True)

    end = begin + hours * 3600
    if blocks:
        count = write_blocks(fleet, Path(out), begin=begin, end=end, interval=step, done=done)
        click.echo(f"{out}: {count} blocks more, {_described(fleet)}")
        click.echo(f"to see them: prometheus --storage.tsdb.path={out} --storage.tsdb.retention.time=100y")
        return 0
    files = write_history(fleet, Path(out), begin=begin, end=end, interval=step, force=force, done=done)
    size = sum(f.stat().st_size for f in files) / 1e6
    click.echo(f"{out}: {len(files)} files, {size:.1f} MB, {_described(fleet)}")
    click.echo("to make blocks of them in the data directory of a Prometheus that is not running:")
    click.echo(f'  for file in {out}/*.om; do promtool tsdb create-blocks-from openmetrics "$file" data; done')
    return 0


@command.command("faults")
def faults() -> None:
    """List the kinds of fault."""
    from builder.simulate import KINDS

    for name, kind in KINDS.items():
        value = f" [={kind.value:g} {kind.unit}]" if kind.unit else ""
        click.echo(f"{name:<16} {'node' if kind.on_node else 'card'}  {kind.help}{value}")


def _fleet(options: dict[str, Any], *, start: float) -> Fleet:
    from builder.simulate import Fleet

    kubernetes, host = not options.pop("bare_metal"), not options.pop("no_host")
    return Fleet(**options, start=start, kubernetes=kubernetes, host=host)


def _described(fleet: Fleet) -> str:
    begin = datetime.fromtimestamp(fleet.start, UTC)
    cards = f"{fleet.nodes} x {fleet.cards} cards, {fleet.profile} ({fleet.style.name}), seed {fleet.seed}"
    return f"{cards}, from {begin:%Y-%m-%dT%H:%M:%SZ}"


def _time(text: str) -> float:
    from builder.errors import UsageError

    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        fix = "write it like 2026-01-01T00:00:00Z"
        raise UsageError(f"not a time: {text!r}", where="--start", fix=fix) from error
    if not 1970 < found.year < 2200:
        raise UsageError(f"{text} is out of bounds", where="--start", fix="a time from 1971 to 2199")
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _write(path: str, content: str) -> None:
    from pathlib import Path

    from builder.errors import OutputError
    from builder.targets.atomic import replace

    try:
        replace(Path(path), content.encode())
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=path, fix="name another file") from error

"""``gpuboards check --prometheus``: boards opened on a running Prometheus."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from builder.cli.progress import progress
from builder.cli.prometheus_options import JOBS, NAMES, TIMEOUT, prometheus_options, the_prometheus
from builder.cli.stopping import finishing_first

if TYPE_CHECKING:
    from builder.lint import Subject
    from builder.targets.prometheus.opened import Options

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("text", "json", "markdown")
_OPTIONS = (
    click.option("--prometheus", metavar="URL", help="Open the boards on this server instead of reading them."),
    click.option("--range", "time_range", metavar="TIME", help="Show this much, such as 1h; else what a board says."),
    click.option("--at", metavar="TIME", help="The end of the range, such as 2026-01-01T12:00:00Z; else now."),
    click.option("--var", "chosen", metavar="NAME=VALUE", multiple=True, help="Choose a variable's value; repeat it."),
    click.option("--slow", metavar="SECONDS", type=float, help="A query that takes longer is slow; 5."),
    click.option("--scrape-interval", metavar="TIME", help="That of Grafana's data source; else the exporter's."),
)
_NAMES = ("time_range", "at", "chosen", "slow", "scrape_interval", *NAMES)


def live_options(command: F) -> F:
    """``--prometheus`` and what goes with it."""
    command = prometheus_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def refuse_without_server(said: Mapping[str, Any]) -> None:
    """Refuse options that only mean something together with ``--prometheus``. Raises UsageError."""
    from builder.errors import UsageError

    given = [name for name in _NAMES if said[name]]
    if given:
        names = {"time_range": "range", "chosen": "var", "headers": "header"}
        option = f"--{names.get(given[0], given[0]).replace('_', '-')}"
        raise UsageError(f"{option} is for a server that is asked", fix="add --prometheus URL")


def check_live(
    subjects: Sequence[Subject], said: Mapping[str, Any], output: str, *, interval: int, least: str, fail_on: str
) -> int:
    """Ask the server for everything that the boards show, and say what came of it; the exit code."""
    from builder.lint import Severity
    from builder.targets.http.failures import Interrupted
    from builder.targets.prometheus.check import check
    from builder.targets.prometheus.client import Client

    chosen = options(said, interval)
    address = the_prometheus(said["prometheus"], said)
    seconds, jobs = said["timeout"] or TIMEOUT, said["jobs"] or JOBS
    try:
        with finishing_first() as stop, Client(address, seconds, jobs, stop) as client:
            report = check(subjects, client, chosen, progress())
    except Interrupted as error:
        click.echo(f"error: {error.what}", err=True)
        return 130
    render = importlib.import_module(f"builder.live.report.{output}").render
    click.echo(render(report, Severity[least.upper()]))
    if report.trouble:
        click.echo(f"error: not all boards could be asked: {report.trouble}", err=True)
        return 130 if stop.is_set() else 3
    return int(report.severity >= Severity[fail_on.upper()])


def options(said: Mapping[str, Any], interval: int) -> Options:
    """How boards are to be opened; ``interval`` is the scrapes' in seconds, unless said. Raises UsageError."""
    from datetime import UTC, datetime

    from builder.errors import UsageError
    from builder.opening.window import parse_duration
    from builder.targets.prometheus.opened import Options

    def seconds(name: str, option: str) -> float:
        if not said[name]:
            return 0.0
        try:
            found = parse_duration(said[name])
        except UsageError as error:
            raise error.at(option) from None
        if not 1 <= found <= 400 * 86400:
            raise UsageError(f"{said[name]} is out of bounds", where=option, fix="from 1s to 400d")
        return found

    at = 0.0
    if said["at"]:
        try:
            moment = datetime.fromisoformat(said["at"])
        except ValueError:
            fix = "write it like 2026-01-01T12:00:00Z"
            raise UsageError(f"not a time: {said['at']!r}", where="--at", fix=fix) from None
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    slow = said["slow"]
    if slow is not None and not slow > 0:
        raise UsageError("not a time that a query can take", where="--slow", fix="seconds, such as 2.5")
    return Options(
        at=at,
        range_seconds=seconds("time_range", "--range"),
        scrape_interval=seconds("scrape_interval", "--scrape-interval") or interval,
        slow=slow or Options.slow,
        variables=_chosen(said["chosen"]),
    )


def _chosen(written: Sequence[str]) -> dict[str, str | list[str]]:
    from builder.errors import UsageError

    found: dict[str, str | list[str]] = {}
    for text in written:
        name, equals, value = text.partition("=")
        name = name.removeprefix("var-")
        if not equals or not name:
            raise UsageError(f"not a choice: {text!r}", where="--var", fix="write it like node=gpu-node-01")
        before = found.get(name)
        if before is None:
            found[name] = value
        else:
            found[name] = [*([before] if isinstance(before, str) else before), value]
    return found

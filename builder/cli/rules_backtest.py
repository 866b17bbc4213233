"""``gpuboards rules backtest``: what the alerts would have done on the history of a Prometheus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from builder.cli.options import as_json, config_option, format_option, load_config, profile_option
from builder.cli.progress import progress
from builder.cli.prometheus_options import JOBS, TIMEOUT, prometheus_options, the_prometheus
from builder.cli.stopping import finishing_first

if TYPE_CHECKING:
    from builder.config import Config
    from builder.rules.backtest.report import Report
    from builder.targets.prometheus.backtest import Options


@click.command("backtest")
@click.argument("names", metavar="[ALERT]...", nargs=-1)
@click.option("--prometheus", "server", metavar="URL", required=True, help="The server that has the history.")
@click.option("--since", metavar="TIME", default="14d", show_default=True, help="How much of it, such as 7d or 12h.")
@click.option("--until", metavar="TIME", help="Its end, such as 2026-01-15T00:00:00Z; else now.")
@click.option("--slice", "slice_", metavar="TIME", default="6h", show_default=True, help="The most to ask at once.")
@click.option("--wanted", type=float, default=1, show_default=True, help="Alerts a week to suggest thresholds for.")
@click.option(
    "--vary",
    type=click.Choice(["fired", "all", "none"]),
    default="fired",
    show_default=True,
    help="Whose thresholds to vary: of alerts that fired (or are named), of all, of none.",
)
@click.option(
    "--try",
    "tries",
    metavar="NAME[=V,V...]",
    multiple=True,
    help="Vary this threshold and no other, over these values or some around the present one. Repeat it.",
)
@click.option("--svg", metavar="FILE", help="Draw the thresholds against the number of alerts there, too.")
@click.option(
    "--state",
    metavar="FILE",
    default="gpuboards-backtest.json",
    show_default=True,
    help="Where answers are kept until the end, so that the same command continues after an interruption.",
)
@prometheus_options
@profile_option
@config_option
@format_option
def command(names: tuple[str, ...], **said: Any) -> int:
    """Tell how often, for how long and on which cards alerts would have fired, and how other thresholds had done.

    All alerts, unless some are named. The server is asked a few questions at a time, each about a part of the range.
    """
    from pathlib import Path

    from builder.errors import UsageError
    from builder.targets.http.failures import Interrupted
    from builder.targets.prometheus.backtest import backtest
    from builder.targets.prometheus.client import Client

    config = load_config(said["config_file"], profile=said["profile"])
    options = _options(names, said, config)
    if said["svg"] and not Path(said["svg"]).absolute().parent.is_dir():
        raise UsageError("there is no such directory", where=f"--svg {said['svg']}", fix="make it, or name another")
    address = the_prometheus(said["server"], said)
    try:
        with (
            finishing_first() as stop,
            Client(address, said["timeout"] or TIMEOUT, said["jobs"] or JOBS, stop) as client,
        ):
            report = backtest(config, options, client, Path(said["state"]), progress())
    except Interrupted as error:
        click.echo(f"error: {error}", err=True)
        return 130
    _tell(report, said["output"], said["svg"])
    return 3 if report.refused else 0


def _tell(report: Report, output: str, picture: str | None) -> None:
    from builder.rules.backtest.data import data
    from builder.rules.backtest.text import lines, moment

    if report.known[0] > report.period.start + report.period.seconds / 50:
        click.echo(
            f"the history begins at {moment(report.known[0])} only: rates are of what there is",
            err=True,
        )
    click.echo(as_json(data(report)) if output == "json" else "\n".join(lines(report)))
    if picture:
        _draw(report, picture)


def _draw(report: Report, file: str) -> None:
    from pathlib import Path

    from builder.errors import OutputError
    from builder.rules.backtest.svg import svg
    from builder.targets.atomic import replace

    try:
        replace(Path(file), svg(report).encode())
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=file, fix="name another file") from error


def _options(names: Sequence[str], said: dict[str, Any], config: Config) -> Options:
    from builder.backtest import configured
    from builder.errors import UsageError
    from builder.targets.prometheus.backtest import STEP, Options
    from builder.targets.prometheus.history import MOST_POINTS

    alerts = [each.alert for each in configured(config, names)]
    if not 0 <= said["wanted"] < float("inf"):
        raise UsageError("not a number of alerts", where="--wanted", fix="a number such as 2, or 0.5")
    return Options(
        since=_seconds(said["since"], "--since", 3600, 400 * 86_400),
        until=_moment(said["until"]) if said["until"] else 0.0,
        slice=_seconds(said["slice_"], "--slice", 60, (MOST_POINTS - 1) * STEP),
        alerts=names,
        vary=said["vary"],
        thresholds=_tries(said["tries"], alerts, config),
        wanted=said["wanted"],
    )


def _seconds(written: str, option: str, least: float, most: float) -> float:
    from builder.errors import UsageError
    from builder.opening.window import parse_duration
    from builder.rules.backtest.text import span

    try:
        found = parse_duration(written)
    except UsageError as error:
        raise error.at(option) from None
    if not least <= found <= most:
        raise UsageError(f"{written} is out of bounds", where=option, fix=f"from {span(least)} to {span(most)}")
    return found


def _moment(written: str) -> float:
    from datetime import UTC, datetime

    from builder.errors import UsageError

    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        fix = "write it like 2026-01-15T00:00:00Z"
        raise UsageError(f"not a time: {written!r}", where="--until", fix=fix) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _tries(written: Sequence[str], alerts: Sequence[str], config: Config) -> dict[str, tuple[float, ...]]:
    """The thresholds to vary and their values. Raises UsageError where no alert depends on one."""
    from builder.backtest import thresholds_of, varied
    from builder.errors import UnknownName, UsageError
    from builder.rules.thresholds import SETTINGS

    known = {name for alert in alerts for name in thresholds_of(config, alert)} if written else set()
    found: dict[str, tuple[float, ...]] = {}
    for text in written:
        name, _, values = text.partition("=")
        if name not in known:
            raise UnknownName("threshold of these alerts", name, known, where="--try")
        try:
            found[name] = tuple(float(value) for value in values.split(",")) if values else ()
        except ValueError:
            raise UsageError(f"not numbers: {values}", where=f"--try {name}", fix=f"{name}=1,2,3") from None
        low, high = SETTINGS[name].low, SETTINGS[name].high
        for value in found[name]:
            if not low <= value <= high:
                raise UsageError(f"{value:g} is out of range", where=f"--try {name}", fix=f"from {low:g} to {high:g}")
    for alert in alerts if found else ():
        for _ in varied(config, alert, found):  # says so where a value contradicts another threshold
            pass
    return found

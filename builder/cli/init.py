"""``gpuboards init``: a configuration that fits what is there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from builder.cli.options import as_json, format_option, not_empty
from builder.cli.progress import progress
from builder.cli.prometheus_options import JOBS, TIMEOUT, prometheus_options, the_prometheus
from builder.cli.stopping import finishing_first

if TYPE_CHECKING:
    from builder.survey.found import Exporter, Found, Grafana

PROFILES = ("dcgm", "dcgm-4.9", "nvidia-smi", "nv-gpu", "nvidia-gpu")
_TRAINING = ("auto", "probe", "tf-snippet", "none")


@click.command("init")
@click.option("--prometheus", metavar="URL", help="Find out what feeds this server.")
@click.option("--grafana", metavar="URL", help="Find out its data sources, with GRAFANA_TOKEN.")
@click.option("--profile", type=click.Choice(PROFILES), help="What the exporter is, instead of finding or asking.")
@click.option("--training", type=click.Choice(_TRAINING), help="The training side, instead of finding or asking.")
@click.option("--kubernetes/--bare-metal", default=None, help="Whether pods hold the cards.")
@click.option(
    "--out", metavar="FILE", default="gpuboards.yaml", show_default=True, callback=not_empty, help="- prints."
)
@click.option("--force", is_flag=True, help="Replace the file that is there.")
@prometheus_options
@format_option
def command(
    prometheus: str | None,
    grafana: str | None,
    profile: str | None,
    training: str | None,
    kubernetes: bool | None,
    out: str,
    force: bool,
    output: str,
    **said: Any,
) -> int:
    """Write a gpuboards.yaml that fits the exporters of a Prometheus and the data sources of a Grafana.

    Without --prometheus it asks, or takes --profile. A file that is there is left alone.
    """
    from datetime import UTC, datetime

    from builder.errors import UsageError
    from builder.survey.words import told
    from builder.survey.written import configuration
    from builder.targets.http.failures import Interrupted

    if out == "-" and output == "json":
        raise UsageError("two answers to standard output", where="--out - --format json", fix="choose one")
    if out != "-":
        _refuse_overwriting(out, force)
    if prometheus is None and profile is None:
        prometheus = _asked_for_a_server()
    try:
        found = _found(prometheus, grafana, said)
    except Interrupted as error:
        click.echo(f"error: {error.what}; nothing was written", err=True)
        return 130
    exporter = _chosen(found, profile)
    if exporter is None:
        click.echo(_NOTHING.format(url=found.prometheus), err=True)
        return 1
    if prometheus is None:
        training = training or (
            _asked("Do training scripts report, and with what?", _TRAINING) if not profile else "auto"
        )
        kubernetes = _in_pods(exporter, kubernetes, ask=not profile)
    found = _with(found, training)
    kubernetes = bool(exporter.pods) if kubernetes is None else kubernetes
    text = configuration(found, exporter, kubernetes=kubernetes, date=f"{datetime.now(UTC):%Y-%m-%d}")
    if out == "-":
        click.echo(told(found, exporter), err=True)
        click.echo(text, nl=False)
        return 0
    _write(out, text, force)
    if output == "json":
        from dataclasses import asdict

        click.echo(as_json({**asdict(found), "profile": exporter.profile, "file": out}))
    elif summary := told(found, exporter):
        click.echo(summary)
    click.echo(f"wrote {out}; next: gpuboards build{'' if out == 'gpuboards.yaml' else f' --config {out}'}", err=True)
    return 0


_NOTHING = """{url} has no GPU metric that is known here, so nothing was written.
  fix: let it scrape an exporter (docs/exporters.md), or name the one that it is going to scrape with --profile"""


def _found(prometheus: str | None, grafana: str | None, said: dict[str, Any]) -> Found:
    from dataclasses import replace

    from builder.survey.found import Found
    from builder.targets.prometheus.client import Client
    from builder.targets.prometheus.survey import survey

    there = _grafana(grafana, said) if grafana is not None else None
    if prometheus is None:
        return Found(training="auto", host="node-exporter", grafana=there)
    address = the_prometheus(prometheus, said)
    seconds, jobs = said["timeout"] or TIMEOUT, said["jobs"] or JOBS
    with finishing_first() as stop, Client(address, seconds, jobs, stop) as client:
        return replace(survey(client, progress()), grafana=there)


def _grafana(url: str, said: dict[str, Any]) -> Grafana:
    from builder.config import Config
    from builder.targets.grafana.datasources import grafana_at
    from builder.targets.grafana.endpoint import endpoint

    asked = endpoint(Config(), None, {**os.environ, "GRAFANA_URL": url or "-"})
    return grafana_at(asked, seconds=said["timeout"] or TIMEOUT)


def _chosen(found: Found, profile: str | None) -> Exporter | None:
    """The exporter to write for: the named one, else the one with the most cards, else the answer to a question."""
    from builder.catalog.profiles import GPU_PROFILES
    from builder.survey.found import Exporter

    if profile is None and found.prometheus:
        return found.exporters[0] if found.exporters else None
    name = profile or _asked("Which exporter do the cards have?", PROFILES)
    known = next((exporter for exporter in found.exporters if exporter.profile == name), None)
    return known or Exporter(name, GPU_PROFILES[name].title, cards=0, nodes=0)


def _in_pods(exporter: Exporter, said: bool | None, *, ask: bool) -> bool:
    from builder.catalog.profiles import GPU_PROFILES

    if said is not None or "pod" not in GPU_PROFILES[exporter.profile].labels:
        return bool(said)
    return not ask or click.confirm("Do pods of Kubernetes hold the cards?", default=True, err=True)


def _asked_for_a_server() -> str | None:
    """The URL that somebody at a terminal names, if any. Raises UsageError where nobody is there."""
    from builder.errors import UsageError

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("nobody is there to be asked", fix="name --prometheus URL, or say --profile NAME")
    answer: str = click.prompt("URL of your Prometheus (empty: none)", default="", show_default=False, err=True)
    return answer.strip() or None


def _asked(question: str, choices: tuple[str, ...]) -> str:
    answer: str = click.prompt(question, type=click.Choice(choices), default=choices[0], err=True)
    return answer


def _with(found: Found, training: str | None) -> Found:
    from dataclasses import replace

    return replace(found, training=training) if training else found


def _refuse_overwriting(out: str, force: bool) -> None:
    from builder.errors import OutputError

    if os.path.lexists(out) and not force:
        raise OutputError(
            "is there already, and was left alone", where=out, fix="--out names another file, --force replaces it"
        )


def _write(out: str, text: str, force: bool) -> None:
    from pathlib import Path

    from builder.errors import OutputError
    from builder.targets.atomic import create, replace

    try:
        (replace if force else create)(Path(out), text.encode())
    except FileExistsError:
        _refuse_overwriting(out, force=False)
        raise
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or error}", where=out, fix="name another file"
        ) from error

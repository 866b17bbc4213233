"""What the commands that talk to a Grafana have in common: options, and how they are understood."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from builder.config import Config
    from builder.targets.grafana.endpoint import Endpoint

F = TypeVar("F", bound=Callable[..., Any])


def grafana_options(command: F) -> F:
    """``--context``, ``--api``, ``--jobs`` and ``--timeout``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _a_number(_ctx: click.Context, _option: click.Parameter, value: float) -> float:
    if isnan(value):  # it is neither below a range nor above it
        raise click.BadParameter("not a number")
    return value


_OPTIONS = (
    click.option(
        "--context",
        "context_name",
        metavar="NAME",
        envvar="GPUBOARDS_CONTEXT",
        help="Which Grafana of the configuration; without it GRAFANA_URL, or the only one there is. "
        "[env: GPUBOARDS_CONTEXT]",
    ),
    click.option(
        "--api",
        type=click.Choice(["auto", "classic", "apps"]),
        default="auto",
        show_default=True,
        help="How to talk to it: /api/dashboards, /apis, or what the server offers.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=10,
        show_default=True,
        help="How many boards at once; fewer where Grafana runs on SQLite and is slow.",
    ),
    click.option(
        "--timeout",
        "seconds",
        type=click.FloatRange(0.1, 3600),
        default=30,
        show_default=True,
        callback=_a_number,
        help="Seconds that one request may take.",
    ),
)


def the_endpoint(config: Config, context_name: str | None) -> Endpoint:
    """The Grafana that is meant; says so where its certificate is not looked at."""
    import os

    from builder.targets.grafana.endpoint import endpoint

    found = endpoint(config, context_name, os.environ)
    if found.tls.insecure:
        click.echo(f"warning: the certificate of {found.url} is not checked (tls: insecure)", err=True)
    return found

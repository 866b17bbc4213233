"""What the commands that ask a Prometheus have in common: options, and how they are understood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from builder.targets.prometheus.address import PrometheusAddress

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--token-env", metavar="NAME", help="The variable that holds a bearer token."),
    click.option("--token-file", metavar="FILE", help="The file that holds a bearer token."),
    click.option("--user", metavar="NAME", help="A user, with a password from one of the next two."),
    click.option("--password-env", metavar="NAME", help="The variable that holds it; default PROMETHEUS_PASSWORD."),
    click.option("--password-file", metavar="FILE", help="The file that holds it."),
    click.option(
        "--header",
        "headers",
        metavar="TEXT",
        multiple=True,
        help="An extra header, such as 'X-Scope-OrgID: team'; 'X-Key: env:NAME' and 'X-Key: file:PATH' keep secrets"
        " off the command line. Repeat it.",
    ),
    click.option("--ca-file", metavar="FILE", help="The authority that signed the server's certificate."),
    click.option("--client-cert", metavar="FILE", help="Our own certificate."),
    click.option("--client-key", metavar="FILE", help="Its key, where that is in a file of its own."),
    click.option("--insecure", is_flag=True, help="Take any certificate."),
    click.option("--timeout", type=click.FloatRange(0.1, 3600), help="Seconds that one request may take; 30."),
    click.option("--jobs", type=click.IntRange(1, 64), help="How many requests at once; 4."),
)
NAMES = (
    *("token_env", "token_file", "user", "password_env", "password_file", "headers"),
    *("ca_file", "client_cert", "client_key", "insecure", "timeout", "jobs"),
)
"""The parameters that these options become."""

TIMEOUT, JOBS = 30.0, 4


def prometheus_options(command: F) -> F:
    """Who asks, how the server is recognised, and how patiently it is asked."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def the_prometheus(url: str, said: Mapping[str, Any]) -> PrometheusAddress:
    """The Prometheus that is meant; says so where its certificate is not looked at."""
    import os

    from builder.config.contexts import Tls
    from builder.targets.prometheus.address import Access, address

    tls = Tls(said["ca_file"] or "", said["client_cert"] or "", said["client_key"] or "", bool(said["insecure"]))
    named = {name: said[name] or "" for name in ("token_env", "token_file", "user", "password_env", "password_file")}
    found = address(Access(url, **named, headers=said["headers"], tls=tls), os.environ)
    if tls.insecure:
        click.echo(f"warning: the certificate of {found.url} is not checked (--insecure)", err=True)
    return found

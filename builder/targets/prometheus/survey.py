"""What feeds a Prometheus, asked of it."""

from __future__ import annotations

from builder.survey.found import Found
from builder.survey.look import HOUR, look, names
from builder.targets.http.parallel import Progress
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.lookups import Lookups
from builder.targets.prometheus.presence import present
from builder.targets.prometheus.refusals import QueryRefused


def survey(client: Client, progress: Progress, at: float = 0.0) -> Found:
    """What was there in the hour before ``at`` (Unix time; 0: the server's now). Raises ServerError."""
    now = at or client.clock()
    there = present(client, names(), (), start=now - HOUR, end=now, progress=progress)
    try:
        return look(Lookups(client), there, now, client.endpoint.url, client.version())
    except QueryRefused as refused:
        raise refused.at(client.endpoint.url) from None

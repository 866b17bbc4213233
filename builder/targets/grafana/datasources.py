"""A Grafana's data sources, as a configuration wants to know them."""

from __future__ import annotations

from builder.survey.found import DataSource, Grafana
from builder.targets.grafana.client import Client
from builder.targets.grafana.endpoint import Endpoint
from builder.targets.grafana.preflight import preflight


def grafana_at(endpoint: Endpoint, *, seconds: float) -> Grafana:
    """The Grafana and its data sources, by name. Raises ServerError where there is none that may be asked."""
    with Client(endpoint, seconds=seconds) as client:
        server = preflight(client, "classic")
    sources = tuple(DataSource(s.name, s.uid, s.type, s.default) for s in server.datasources)
    return Grafana(endpoint.url, server.version, sources)

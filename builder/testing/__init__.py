"""Test your own boards on a real Prometheus.

    from builder.testing import Prometheus, history, run_dashboard, static_target

    target = static_target(text, job="dcgm-exporter", instance="gpu-node-01:9400")
    with Prometheus(history=history([target])) as prometheus:
        board = run_dashboard(json.loads(path.read_text()), prometheus.url)
    assert board.problems() == ()
    assert board.panel("Temperature").value(gpu="0") == 58

What is scraped: ``Target`` (``static_target``, ``service_monitor``) is exposition text with the labels a
scrape adds. ``history`` writes an hour of such scrapes ending at ``AT``, gauges constant and counters with
a given slope, so that every answer is known without waiting; ``Prometheus(targets=...)`` scrapes live.
What comes back: ``DashboardResult`` holds each variable's options and, per panel and query, the series with
labels, legend and values. Needs Debian's package ``prometheus`` (with ``promtool``).

``Prometheus(rules=..., alertmanager=...)`` evaluates rules and sends alerts to an ``Alertmanager``, which is real too
(Debian's package ``prometheus-alertmanager``); a ``WebhookReceiver`` keeps what it tells people.

``FakeGrafana`` is a Grafana's HTTP API to push to, from 10.4 to 13, with faults: see ``builder.testing.grafana``.
"""

from builder.opening.server import Series
from builder.opening.variables import VariableResult
from builder.testing.alertmanager import Alertmanager
from builder.testing.client import Client
from builder.testing.exposition import Sample, parse_exposition
from builder.testing.grafana import FakeGrafana
from builder.testing.history import AT, history
from builder.testing.panels import run_dashboard
from builder.testing.prometheus import Prometheus
from builder.testing.results import DashboardResult, NotRun, PanelResult, TargetResult
from builder.testing.scrape import Target, scraped, service_monitor, static_target
from builder.testing.server import ExpositionServer
from builder.testing.webhook import Notification, WebhookReceiver

__all__ = [
    "AT",
    "Alertmanager",
    "Client",
    "DashboardResult",
    "ExpositionServer",
    "FakeGrafana",
    "NotRun",
    "Notification",
    "PanelResult",
    "Prometheus",
    "Sample",
    "Series",
    "Target",
    "TargetResult",
    "VariableResult",
    "WebhookReceiver",
    "history",
    "parse_exposition",
    "run_dashboard",
    "scraped",
    "service_monitor",
    "static_target",
]

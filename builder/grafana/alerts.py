"""Alerts on boards: marks on the graphs where one fired, and the filter of a list of those that fire.

Prometheus keeps firing alerts as the series ``ALERTS``, which have the alerts' labels but not their texts:
https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/#inspecting-alerts-during-runtime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from builder.catalog.model import Match
from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.context import PROMETHEUS, AlertFacts
from builder.grafana.declared import check_fields, checked
from builder.grafana.names import check_variable_name
from builder.promql.expr import Expr, selector
from builder.queries.source import Filter

ABOUT = ("card", "node", "job")
"""What an alert can be about: its label ``scope``."""

SEVERITIES = ("critical", "warning", "info")

_TAGS = ("severity", "stage", "node", "gpu", "xid", "namespace", "training_job", "rank")
_STEP = "60s"
"""Values that lie further apart than this Grafana shows as two alerts, not as one that lasted."""


@dataclass(frozen=True)
class AlertAnnotations:
    """Marks on all graphs of a board for as long as alerts fire; ``name`` is the switch above the board.

    Alerts of these severities about cards, nodes and jobs are marked as far as the board's variables choose them:
    an alert about a job has no node, so that no choice of nodes hides it.
    """

    name: str
    severities: Sequence[str] = SEVERITIES
    color: str = "red"
    about: Sequence[str] = ABOUT

    def __post_init__(self) -> None:
        where = f"annotation {short(self.name)}"
        check_fields(self, where)
        if not self.name.strip():
            raise DefinitionError("alerts without a name", where="annotation", fix='name them: "Alerts"')
        for what, chosen, known in (("severity", self.severities, SEVERITIES), ("subject", self.about, ABOUT)):
            _check_words(what, chosen, known, where)


@checked
def alert_labels(*about: str, variables: Mapping[str, str] | None = None) -> str:
    """The ``labels`` of an AlertList: alerts about ``about`` whose labels have the values of the board's variables.

    ``variables`` maps a label to the variable, which must hold one value: an alert list knows no lists of values.
    """
    _check_words("subject", about, ABOUT, "alert_labels")
    matchers = [f'scope=~"{"|".join(about)}"']
    for label, variable in (variables or {}).items():
        check_variable_name(variable)
        matchers.append(f'{label}="${{{variable}}}"')
    return f"{{{','.join(matchers)}}}"


def annotation_json(shown: AlertAnnotations, filters: Sequence[Filter], alerts: AlertFacts) -> dict[str, Any]:
    """Grafana's form: a query of the board's own data source, titled by the alert, with a link to its rule."""
    parts = dict.fromkeys(_asked(shown, scope, filters, alerts) for scope in shown.about)
    found = reduce(Expr.either, (selector("ALERTS", part) for part in parts))
    links = ['<a href="./alerting/list?search=rule:{{alertname}}">Rule</a>']
    if alerts.runbook.startswith("http"):  # a path in a repository leads nowhere from Grafana
        links.append(f'<a href="{alerts.runbook.replace("{alert}", "{{alertname}}")}">Runbook</a>')
    return {
        "datasource": dict(PROMETHEUS),
        "enable": True,
        "expr": found.text,
        "iconColor": shown.color,
        "name": shown.name,
        "step": _STEP,
        "tagKeys": ",".join(_TAGS),
        "textFormat": " · ".join(links),
        "titleFormat": "{{alertname}}",
    }


def _asked(shown: AlertAnnotations, scope: str, filters: Sequence[Filter], alerts: AlertFacts) -> tuple[Match, ...]:
    identity = alerts.identity[scope]
    return (
        Match("alertstate", "=", "firing"),
        Match("scope", "=", scope),
        Match("severity", "=~", "|".join(shown.severities)),
        *(Match(each.label, each.op, each.value) for each in filters if each.label in identity),
    )


def _check_words(what: str, chosen: Sequence[str], known: Sequence[str], where: str) -> None:
    if not chosen:
        raise DefinitionError(f"no {what}", where=where, fix=f"one of {', '.join(known)}")
    for word in chosen:
        if word not in known:
            raise UnknownName(what, word, known, where=where)

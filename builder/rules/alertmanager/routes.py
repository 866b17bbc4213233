"""The configuration of Alertmanager: routes, inhibition and receivers."""

from __future__ import annotations

from typing import Any

from builder.rules.alertmanager.channels import section
from builder.rules.alertmanager.inhibition import INHIBITIONS, Inhibition
from builder.rules.alertmanager.settings import Channel, Settings, version
from builder.rules.labels import IDENTITY, SCOPE, SEVERITY, STAGE, Scope

NOBODY = "nobody"
"""The receiver that tells nobody; Alertmanager still shows what arrives there."""

TEMPLATES = "templates/*.tmpl"
"""Where the texts lie, from the directory of the configuration."""

_NAMED_INHIBITIONS = (0, 30)


def configuration(settings: Settings) -> dict[str, Any]:
    """Everything that alertmanager.yml says, for the settings' version of Alertmanager."""
    return {
        "templates": [TEMPLATES],
        "route": {
            "receiver": settings.other or settings.chat or NOBODY,
            "group_by": [*IDENTITY[Scope.NODE], SEVERITY],
            "group_wait": settings.group_wait,
            "group_interval": settings.group_interval,
            "repeat_interval": settings.repeat_interval,
            "routes": _routes(settings),
        },
        "inhibit_rules": [_inhibition(rule, settings) for rule in INHIBITIONS],
        "receivers": [{"name": NOBODY}, *(_receiver(name, ways) for name, ways in sorted(settings.receivers.items()))],
    }


def _routes(settings: Settings) -> list[dict[str, Any]]:
    """The first that matches wins."""
    return [
        {"matchers": [f'{STAGE}="observe"'], "receiver": NOBODY},
        _route(settings.chat, f'{STAGE}="warn"', f'{SEVERITY}="critical"'),
        _route(settings.pager, f'{SEVERITY}="critical"'),
        _route(settings.chat, f'{SEVERITY}="warning"'),
        _route(settings.info, f'{SEVERITY}="info"'),
    ]


def _route(receiver: str, *matchers: str) -> dict[str, Any]:
    """A route on which the alerts of a job, which has no node, are grouped by job."""
    by_job = {"matchers": [f'{SCOPE}="job"'], "group_by": [*IDENTITY[Scope.JOB], SEVERITY]}
    return {"matchers": list(matchers), "receiver": receiver or NOBODY, "routes": [by_job]}


def _inhibition(rule: Inhibition, settings: Settings) -> dict[str, Any]:
    named = {"name": rule.name} if version(settings.version) >= _NAMED_INHIBITIONS else {}
    return {
        **named,
        "source_matchers": list(rule.source),
        "target_matchers": list(rule.target),
        "equal": list(rule.equal),
    }


def _receiver(name: str, channels: tuple[Channel, ...]) -> dict[str, Any]:
    receiver: dict[str, Any] = {"name": name}
    for kind, entry in map(section, channels):
        receiver.setdefault(kind, []).append(entry)
    return receiver

"""Small boards, and a push of them the way the command line does it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builder.config import Config, Context, Folder, Place
from builder.targets.grafana.endpoint import Endpoint, endpoint
from builder.targets.grafana.push import Options, push
from builder.targets.grafana.report import Outcome, Report
from builder.testing import FakeGrafana

Boards = dict[str, dict[str, Any]]

VERSIONS = ("10.4.0", "11.2.0", "11.6.0", "12.0.0", "12.2.0", "12.4.0", "13.0.0", "13.2.0")
SERVED = [(version, "classic") for version in VERSIONS]
SERVED += [(version, "apps") for version in VERSIONS if version >= "12"]
"""Every Grafana with every API that it has."""


def board(uid: str, title: str = "", **more: Any) -> dict[str, Any]:
    """A small classic board."""
    panel = {
        "id": 1,
        "type": "timeseries",
        "title": "Load",
        "gridPos": {"h": 8, "w": 12, "x": 0, "y": 0},
        "pluginVersion": "10.4.0",
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "fieldConfig": {"defaults": {"unit": "percentunit"}, "overrides": []},
        "options": {},
        "targets": [{"refId": "A", "expr": "up", "datasource": {"type": "prometheus", "uid": "${datasource}"}}],
    }
    variable = {"name": "datasource", "type": "datasource", "query": "prometheus", "current": {}}
    return {
        "uid": uid,
        "title": title or f"Board {uid}",
        "tags": ["gpuboards"],
        "schemaVersion": 39,
        "refresh": "1m",
        "timepicker": {},
        "panels": [panel],
        "templating": {"list": [variable]},
        **more,
    }


def some(*uids: str) -> Boards:
    """Boards of these uids."""
    return {uid: board(uid) for uid in uids}


def changed(boards: Boards, uid: str, **more: Any) -> Boards:
    """The boards with one of them different."""
    return {**copy.deepcopy(boards), uid: {**copy.deepcopy(boards[uid]), **more}}


def at(grafana: FakeGrafana, token: str = "", *, folders: tuple[Place, ...] = (), **more: Any) -> Endpoint:
    """The fake as an endpoint, in the folder GPU unless others are named."""
    context = Context(grafana.url, folders=folders, **more)
    config = Config(folder=Folder("GPU", "gpu"), contexts={"fake": context})
    return endpoint(config, "fake", {"GRAFANA_TOKEN": token or grafana.token})


def options(api: Any = "auto", **more: Any) -> Options:
    """Options with short waits."""
    return replace(Options(api=api, seconds=5, backoff=0.01, jobs=4, tool="0.1.0", revision="abc123"), **more)


def run(grafana: FakeGrafana, boards: Mapping[str, Mapping[str, Any]], api: Any = "auto", **more: Any) -> Report:
    """Push to the fake as its administrator."""
    return push(boards, at(grafana), options(api, **more), confirm=lambda found: True)


def outcome(report: Report, uid: str) -> Outcome:
    """What the push did to one board."""
    return next(outcome for outcome in report.outcomes if outcome.uid == uid)


def actions(report: Report) -> dict[str, str]:
    """Action and result of each board."""
    return {outcome.uid: f"{outcome.action} {outcome.result}" for outcome in report.outcomes}

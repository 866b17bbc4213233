"""What a board needs to know of the world to be written as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.grafana.logs import LogSelector
from builder.queries.source import Filter, Source

PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}
LOKI = {"type": "loki", "uid": "${loki}"}


@dataclass(frozen=True)
class Note:
    """What a panel lost, and for want of what.

    ``panel`` is its title, or the name of a variable (``$pod``) where ``variable`` says so. ``gone``: it drops out
    as a whole; else a part of it does. ``missing`` names the signals and labels that nothing in the configuration
    exports. ``fix`` says what to switch on, where something can be.
    """

    board: str
    panel: str
    gone: bool
    missing: tuple[str, ...]
    fix: str = ""
    variable: bool = False


@dataclass(frozen=True)
class AlertFacts:
    """What boards say of alerts: by which labels those about a card, a node or a job are told apart, and where their
    runbooks lie (``{alert}`` stands for the name)."""

    identity: Mapping[str, Sequence[str]] = field(default_factory=dict)
    runbook: str = ""


@dataclass(frozen=True)
class Context:
    """What a board needs to know to be written.

    ``source`` makes a source whose answers are narrowed by the filters. ``opt_in`` says how to switch on a
    signal that is not exported by default, or "". ``approximate`` says why answers about frameworks may be
    wrong, or "". ``interval`` is how often the exporter renews its values.
    """

    source: Callable[[tuple[Filter, ...]], Source]
    opt_in: Callable[[str], str]
    thresholds: Mapping[str, float]
    logs: LogSelector
    interval: str
    refresh: str = "1m"
    time_from: str = "now-6h"
    show_cluster: bool = False
    approximate: str = ""
    alerts: AlertFacts = AlertFacts()

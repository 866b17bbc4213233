"""The labels that rules put on alerts, on which routes and inhibition rest.

They are public: silences and routes of a site name them.
"""

from __future__ import annotations

from enum import Enum

SEVERITY = "severity"
STAGE = "stage"
SCOPE = "scope"
THRESHOLDS = "thresholds"
"""On the alerts of a part of the fleet that has thresholds of its own: its model, its cluster, or both."""
MUTES = "mutes"
"""On the alert that something is gone: what it is (``node`` or ``card``). Alerts about its symptoms stay quiet.

A site's own alerts may carry it, too.
"""


class Scope(Enum):
    """What an alert is about; the value is the ``scope`` label."""

    CARD = "card"
    NODE = "node"
    JOB = "job"


MUTING: dict[str, Scope] = {"GpuLost": Scope.CARD, "GpuExporterDown": Scope.NODE}
"""The alerts of ours that say so: of a lost card nothing more is to be said, of a silent exporter nothing is known."""

IDENTITY: dict[Scope, tuple[str, ...]] = {
    Scope.CARD: ("cluster", "node", "gpu", "uuid"),
    Scope.NODE: ("cluster", "node"),
    Scope.JOB: ("cluster", "namespace", "training_job"),
}
"""The labels that tell one card, node or training job from another."""

OPTIONAL = ("cluster", "namespace")
"""What a fleet may do without: one cluster needs no label, and neither do jobs outside Kubernetes."""

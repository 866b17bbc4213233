"""What feeds a Prometheus, as far as a configuration depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Exporter:
    """An exporter of the cards, by the profile of the catalogue that fits.

    ``labels`` are the spellings that its series carry, by canonical label; ``versions`` what is known of its version,
    in words. ``interval`` is the time between two samples in seconds, 0 where there are not enough to tell.
    ``missing`` are the signals that it could export and does not, each with what switches it on.
    ``substitute`` is the label that tells nodes apart where none of the profile's own does.
    """

    profile: str
    title: str
    cards: int
    nodes: int
    jobs: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: tuple[str, ...] = ()
    interval: float = 0.0
    has: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    substitute: str = ""

    @property
    def mig(self) -> bool:
        """True where at least one card is split into instances."""
        return bool(self.labels.get("mig"))

    @property
    def pods(self) -> tuple[str, ...]:
        """The labels that name the pod which holds a card."""
        return self.labels.get("pod", ())


@dataclass(frozen=True)
class DataSource:
    """A data source of a Grafana; ``default`` marks the one that panels without one use."""

    name: str
    uid: str
    type: str
    default: bool = False


@dataclass(frozen=True)
class Grafana:
    """A Grafana and its data sources."""

    url: str
    version: str
    sources: tuple[DataSource, ...] = ()

    def first(self, type_: str) -> DataSource | None:
        """The default data source of a type, or the first by name."""
        fitting = sorted((s for s in self.sources if s.type == type_), key=lambda s: (not s.default, s.name))
        return fitting[0] if fitting else None


@dataclass(frozen=True)
class Found:
    """Everything that was found, the exporter with the most cards first. Empty where no server was asked.

    ``training`` and ``host`` are what the configuration calls them. ``cluster``: series carry a cluster label.
    """

    prometheus: str = ""
    version: str = ""
    exporters: tuple[Exporter, ...] = ()
    training: str = "none"
    host: str = "none"
    cluster: bool = False
    grafana: Grafana | None = None

"""What rules know besides the thing they look at: the catalogue, the limits and the other boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from builder.catalog.model import Profile
from builder.lint.exporters import LABELS
from builder.lint.facts import Fact, every_profile, facts
from builder.lint.model import Board, Query
from builder.lint.promql.tree import Selector, selectors


@dataclass(frozen=True)
class Limits:
    """How much is too much. ``nodes`` and ``cards`` (of a node) describe the fleet that a board has to bear."""

    queries_of_panel: int = 15
    queries_of_board: int = 100
    series: int = 200
    nodes: int = 100
    cards: int = 8


@dataclass(frozen=True)
class LintConfig:
    """What is checked against.

    ``profiles`` are the exporters in use, all of the catalogue by default. ``whole`` says that the subjects
    are all boards there are, apart from those with a uid among ``others``: a link to any other is broken.
    ``today`` decides which exemptions expired.
    """

    profiles: tuple[Profile, ...] = field(default_factory=every_profile)
    whole: bool = False
    others: frozenset[str] = frozenset()
    limits: Limits = Limits()
    today: date = field(default_factory=date.today)


@dataclass(frozen=True)
class World:
    """The surroundings of one lint run."""

    config: LintConfig
    boards: Sequence[Board] = ()

    @cached_property
    def facts(self) -> Mapping[str, Fact]:
        """The metrics of the chosen profiles, by name."""
        return facts(self.config.profiles)

    @cached_property
    def elsewhere(self) -> Mapping[str, Fact]:
        """The metrics of all profiles, by name."""
        return facts(every_profile())

    @cached_property
    def by_uid(self) -> Mapping[str, Board]:
        """The boards looked at, by uid."""
        return {board.uid: board for board in self.boards if board.uid}

    @cached_property
    def labels(self) -> Mapping[str, frozenset[str]]:
        """The labels that each chosen profile's series carry, as the exporter spells them."""
        return {
            profile.name: frozenset(s.label for spelled in profile.labels.values() for s in spelled)
            | frozenset(m.label for metrics in profile.signals.values() for metric in metrics for m in metric.where)
            | LABELS.get(profile.exporter, frozenset())
            for profile in self.config.profiles
        }

    def known(self, selector: Selector) -> tuple[Fact, ...]:
        """What is known of the metrics that a selector names."""
        return tuple(self.facts[name] for name in selector.names if name in self.facts)

    def metrics(self, query: Query) -> tuple[Fact, ...]:
        """What is known of the metrics that a query reads, each once."""
        if query.tree is None:
            return ()
        return tuple(dict.fromkeys(fact for s in selectors(query.tree) for fact in self.known(s)))

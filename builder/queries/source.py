"""Where answers come from. Questions ask a source; boards never know which one it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from builder.promql.expr import Expr

if TYPE_CHECKING:
    from builder.queries.question import Question


@dataclass(frozen=True)
class Filter:
    """Keep the series whose canonical label matches: pushed down into every selector.

    ``value`` may be a Grafana variable. ``op`` is ``=~``, ``=`` or ``!=``.
    """

    label: str
    value: str
    op: str = "=~"

    @property
    def wants_presence(self) -> bool:
        """True where only series that carry the label are wanted."""
        return self.op == "!=" and self.value == ""


@dataclass(frozen=True)
class Choices:
    """A Prometheus variable query, and the regular expression that takes the values out of its answer."""

    query: str
    regex: str = ""


class Source(Protocol):
    """What a question may ask. Every answer has one series a device, in base units and canonical labels.

    ``card`` is the key of a physical card, ``instance`` that of a MIG instance (with an empty ``mig`` where
    there is none). ``keep`` adds labels to the key. ``where`` adds filters to those of the board.
    """

    @property
    def name(self) -> str:
        """The profile's name, for messages."""

    @property
    def card(self) -> tuple[str, ...]:
        """The labels that tell one card from another."""

    @property
    def instance(self) -> tuple[str, ...]:
        """The labels that tell one MIG instance from another."""

    @property
    def framework_key(self) -> tuple[str, ...]:
        """The labels that join a training process to its card."""

    def has(self, signal: str) -> bool:
        """True where the signal can be asked for."""

    def has_label(self, label: str) -> bool:
        """True where the cards' series can be told apart by this label."""

    def without_filter(self, label: str) -> Source:
        """This source without the board's filter by a label: to tell what is missing, all that is there counts."""

    def with_window(self, window: str) -> Source:
        """This source with a window (such as ``5m``) for rates that name none: where no Grafana puts one in."""

    def prepared(self, question: Question) -> Expr | None:
        """The answer that is kept for this very question, if one is, narrowed by the board's filters."""

    def level(self, signal: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        """The present value, one series a device (a counter stays a counter)."""

    def rate(self, signal: str, window: str = "", *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        """Per-second increase of a counter; without a window, over Grafana's own or that of ``with_window``."""

    def increase(self, signal: str, window: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        """Increase of a counter over the window."""

    def over_time(
        self,
        function: str,
        signal: str,
        window: str,
        *,
        offset: str = "",
        keep: Sequence[str] = (),
        where: Sequence[Filter] = (),
    ) -> Expr:
        """avg, max, min, ... of a gauge over the window, which ends ``offset`` ago."""

    def stamp(self, signal: str) -> Expr:
        """Unix time of the newest sample, one series a device."""

    def coverage(self) -> Expr:
        """How many cards export each metric of the profile; the label is ``metric``."""

    def choices(self, label: str) -> Choices:
        """A variable query for the values of a canonical label, within the time range shown."""

    def threshold(self, name: str) -> float:
        """A threshold of the configuration."""

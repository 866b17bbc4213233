"""Answers from recorded series: one name whatever the exporter, few series whatever the fleet.

What is not recorded is answered from the exporter's own series: a signal by a label that no rule keeps, and which
metrics are exported at all. See docs/recording-rules.md for the names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from builder.catalog.model import Kind, Match, Profile, Scope, Signal
from builder.catalog.signals import signal as signal_named
from builder.errors import QueryError, SignalMissing
from builder.promql import expr
from builder.promql.expr import RATE_INTERVAL, Expr
from builder.queries.kept import Store
from builder.queries.question import Question
from builder.queries.raw import RawSource, pushed_to_training
from builder.queries.records import (
    CARD,
    INSTANCE,
    LAST_SAMPLE,
    WORKLOAD,
    Record,
    device_record,
    node_record,
    pod_record,
    process_record,
)
from builder.queries.source import Choices, Filter

Window = Callable[[Expr], Expr]


@dataclass(frozen=True)
class RecordedSource:
    """The recorded series of every exporter that feeds them.

    ``raw`` is the source that boards would ask otherwise: its filters and thresholds hold here too. ``others`` are
    exporters of cards beside it. ``window`` is that of a rate where a question names none. ``guard`` is what kept
    series must match besides (see ``by_choice``).
    """

    raw: RawSource
    others: tuple[Profile, ...] = ()
    store: Store = field(default_factory=Store)
    window: str = RATE_INTERVAL
    guard: tuple[Match, ...] = ()

    @property
    def name(self) -> str:
        return self.raw.name

    @property
    def card(self) -> tuple[str, ...]:
        return CARD if any("uuid" in p.card for p in self._exporters()) else self.raw.card

    @property
    def instance(self) -> tuple[str, ...]:
        return (*self.card, "mig")

    @property
    def framework_key(self) -> tuple[str, ...]:
        return self.raw.framework_key

    def has(self, signal: str) -> bool:
        return self.raw.has(signal) or any(p.has(signal) for p in self.others)

    def has_label(self, label: str) -> bool:
        return any(label in p.labels for p in self._exporters())

    def without_filter(self, label: str) -> RecordedSource:
        return replace(self, raw=self.raw.without_filter(label))

    def with_window(self, window: str) -> RecordedSource:
        return replace(self, window=window)

    def threshold(self, name: str) -> float:
        return self.raw.threshold(name)

    def prepared(self, question: Question) -> Expr | None:
        answer = self.store.answers.get(question)
        if answer is None or not {f.label for f in self.raw.filters} <= set(answer.narrow):
            return None
        return answer.read(self)

    def kept(self, name: str) -> Expr:
        """A kept answer by its name. Raises SignalMissing where no exporter has what it is made of."""
        kept = self.store.kept[name]
        kept.ask(self.of_devices())  # raises where a rule would have nothing to keep
        # By its labels: a store of several Prometheus servers may have the series more than once.
        labels = [label for label in kept.labels if label not in CARD or label in self.card]
        return expr.aggregate("max", _selected(kept.name, self._filters(labels), guard=self.guard), by=labels)

    def by_choice(self, label: str) -> tuple[RecordedSource | None, RecordedSource | None]:
        """Two sources: for when a board's choice of a label is All, and for when it is not; None for never.

        A query cannot look at the choice, but a matcher can: a name of ours, which has a colon, matches what All
        stands for (``.+``) and no node's name. So one of the two selects nothing, which costs nothing.
        """
        chosen = [f for f in self.raw.filters if f.label == label]
        if not chosen:
            return self, None
        if any(f.op != "=~" for f in chosen):
            return None, self
        every = replace(self.without_filter(label), guard=tuple(Match("__name__", "=~", f.value) for f in chosen))
        return every, replace(self, guard=tuple(Match("__name__", "!~", f.value) for f in chosen))

    def of_devices(self) -> RecordedSource:
        """This source without prepared answers: everything is asked of the devices."""
        return replace(self, store=Store(self.store.kept)) if self.store.answers else self

    def stamp(self, signal: str) -> Expr:
        if signal != "memory_used":
            return self.raw.stamp(signal)
        return expr.aggregate("max", _selected(LAST_SAMPLE, self._filters(INSTANCE)), by=self.instance)

    def coverage(self) -> Expr:
        return self.raw.coverage()  # which metrics the exporters export is told by those alone

    def choices(self, label: str) -> Choices:
        if not self.has_label(label):
            raise SignalMissing(f"the label {label}", self.name)
        signal = signal_named("memory_used" if label in WORKLOAD else "device_info")
        record = pod_record(signal) if label in WORKLOAD else device_record(signal)
        if record is None or label not in record.labels:
            return self.raw.choices(label)
        where = [Filter(label, "", "!=")] if label in WORKLOAD else []
        return Choices(f"label_values({_selected(record.name, [*self._filters(record.labels), *where])}, {label})")

    def level(self, signal: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        found = self._answer(signal, keep, where, lambda series: series)
        return self.raw.level(signal, keep=keep, where=where) if found is None else found

    def rate(self, signal: str, window: str = "", *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        window = window or self.window
        found = self._answer(signal, keep, where, lambda series: expr.rate(expr.over(series, window)))
        return self.raw.rate(signal, window, keep=keep, where=where) if found is None else found

    def increase(self, signal: str, window: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        found = self._answer(signal, keep, where, lambda series: expr.increase(expr.over(series, window)))
        return self.raw.increase(signal, window, keep=keep, where=where) if found is None else found

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
        def apply(series: Expr) -> Expr:
            return expr.over_time(function, expr.over(series, window, offset=offset))

        found = self._answer(signal, keep, where, apply)
        if found is not None:
            return found
        return self.raw.over_time(function, signal, window, offset=offset, keep=keep, where=where)

    # how an answer is put together ------------------------------------------------------------

    def _exporters(self) -> list[Profile]:
        return [self.raw.gpu, *self.others]

    def _answer(self, name: str, keep: Sequence[str], where: Sequence[Filter], window: Window) -> Expr | None:
        """The answer from what is recorded; None where it is not."""
        wanted = signal_named(name)
        if not self.has(name):
            raise SignalMissing(name, self.name)
        if isinstance(keep, str):
            raise QueryError(f"keep is the text {keep!r}", fix=f'labels go into a tuple: keep=("{keep}",)')
        of_pods = bool(set(WORKLOAD) & {*keep, *(f.label for f in (*self.raw.filters, *where))})
        record = self._record(wanted, of_pods)
        if record is None or any(label not in record.labels and self._is_spelled(label, wanted) for label in keep):
            return None
        key = tuple(dict.fromkeys((*self._key(wanted), *keep)))
        filters = [*self._filters(record.labels, wanted), *(f for f in where if f.label in record.labels)]
        found = window(_selected(record.name, filters, wanted.kind))
        return expr.aggregate("group" if wanted.kind is Kind.INFO else "max", found, by=key)

    def _record(self, signal: Signal, of_pods: bool) -> Record | None:
        if signal.scope is Scope.JOB:
            return process_record(signal, self.raw.training) if self.raw.training else None
        if signal.scope in (Scope.NODE, Scope.POD):
            return node_record(signal)
        return pod_record(signal) if of_pods else device_record(signal)

    def _key(self, signal: Signal) -> tuple[str, ...]:
        if signal.scope is Scope.JOB:
            return self.raw.framework_key
        if signal.scope in (Scope.NODE, Scope.POD):
            return ("cluster", "node")
        return self.card if signal.scope is Scope.BOARD else self.instance

    def _is_spelled(self, label: str, signal: Signal) -> bool:
        if signal.scope is Scope.JOB:
            return self.raw.training is not None and label in self.raw.training.labels
        return self.has_label(label)

    def _filters(self, labels: Sequence[str], signal: Signal | None = None) -> list[Filter]:
        of_training = signal is not None and signal.scope is Scope.JOB
        pushed = pushed_to_training(self.raw.filters) if of_training else self.raw.filters
        return [f for f in pushed if f.label in labels]


def _selected(name: str, filters: Sequence[Filter], kind: Kind = Kind.GAUGE, *, guard: Sequence[Match] = ()) -> Expr:
    matchers = dict.fromkeys(Match(f.label, f.op, f.value) for f in filters)
    return expr.selector_of((name,), (*guard, *matchers), kind) if guard else expr.selector(name, matchers, kind)

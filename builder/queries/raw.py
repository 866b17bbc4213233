"""Answers from the exporters' own series, so that a board works on any Prometheus at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.catalog.model import Kind, Metric, Profile, Scope
from builder.catalog.signals import signal as signal_named
from builder.errors import QueryError, SignalMissing, UnknownName
from builder.promql import expr
from builder.promql.expr import RATE_INTERVAL, Expr
from builder.queries.question import Question
from builder.queries.source import Choices, Filter
from builder.queries.spelling import WORKLOAD_LABELS, canonical, spelling_matcher

Window = Callable[[Expr, str], Expr]
"""Turns a series into a function of its window; the second argument is the step of a subquery."""

_TRAINING_FILTERS = ("cluster", "namespace", "pod")
"""A training process has no trustworthy node label; the join with its card limits it to the right node."""


def pushed_to_training(filters: Sequence[Filter]) -> tuple[Filter, ...]:
    """The filters of a board that hold for a training process."""
    return tuple(f for f in filters if f.label in _TRAINING_FILTERS)


@dataclass(frozen=True)
class RawSource:
    """The raw series of a card exporter, a training process and the host, each by its own profile.

    ``remembers`` (such as ``5m``) is how long an info series counts after its last sample: what a rule takes over a
    window must not end with one missed scrape of what identifies the card. ``window`` is that of a rate where a
    question names none.
    """

    gpu: Profile
    training: Profile | None = None
    host: Profile | None = None
    filters: tuple[Filter, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    remembers: str = ""
    window: str = RATE_INTERVAL

    @property
    def name(self) -> str:
        return self.gpu.name

    @property
    def card(self) -> tuple[str, ...]:
        return self.gpu.card

    @property
    def instance(self) -> tuple[str, ...]:
        return (*self.gpu.card, "mig")

    @property
    def framework_key(self) -> tuple[str, ...]:
        """The labels that join a training process to its card."""
        return self.training.card if self.training else ()

    def has(self, signal: str) -> bool:
        signal_named(signal)
        return any(p.has(signal) for p in self._profiles())

    def has_label(self, label: str) -> bool:
        return label in self.gpu.labels

    def without_filter(self, label: str) -> RawSource:
        return replace(self, filters=tuple(f for f in self.filters if f.label != label))

    def with_window(self, window: str) -> RawSource:
        return replace(self, window=window)

    def prepared(self, question: Question) -> Expr | None:
        return None

    def stamp(self, signal: str) -> Expr:
        return self._answer(signal, (), (), lambda series, _: expr.call("timestamp", series), decoded=False)

    def coverage(self) -> Expr:
        names = dict.fromkeys(m.name for metrics in self.gpu.signals.values() for m in metrics if not m.sum_of)
        identity = self.gpu.identity
        labels = identity.on if identity else self.gpu.card
        filters = [f for f in self.filters if not identity or f.label not in identity.provides]
        every = canonical(self.gpu, Metric("coverage"), Kind.GAUGE, labels, filters, _same, tuple(names))
        once = expr.aggregate("group", every, by=("__name__", *labels))
        if identity and len(filters) < len(self.filters):  # what only the info series knows narrows by it
            once = once.join("and", self._identity(self.gpu, self.filters, ()), on=identity.on)
        # Arithmetic takes __name__ away.
        return expr.aggregate("count", expr.relabel(once, "metric", "__name__"), by=("metric",))

    def choices(self, label: str) -> Choices:
        """From the label index where one selector spells it; else from a query, which reads any spelling."""
        if label not in self.gpu.labels:
            raise SignalMissing(f"the label {label}", self.gpu.name)
        where = (Filter(label, "", "!="),) if label in WORKLOAD_LABELS else ()
        plain = self._plain_choices(label, where)
        if plain:
            return plain
        now = self._alternatives(self.gpu, "device_info", (label,), self._filters(self.gpu, where), None)
        seen = expr.over_time("max", expr.over(now, "$__range", "5m"))
        return Choices(f"query_result({now.either(seen)})", f'/{label}="([^"]*)"/')

    def _plain_choices(self, label: str, where: Sequence[Filter]) -> Choices | None:
        spelled = self.gpu.labels
        metric = self.gpu.signals["device_info"][0]
        used = [label, *(f.label for f in (*self.filters, *where) if f.label in spelled)]
        one_way = all(len(spelled[name]) == 1 and not spelled[name][0].guard for name in used)
        own_value = spelled[label][0].pattern == "(.+)" and spelled[label][0].replacement == "$1"
        if not one_way or not own_value or len(self.gpu.signals["device_info"]) > 1:
            return None
        matchers = [spelling_matcher(spelled[f.label][0], f) for f in (*self.filters, *where) if f.label in spelled]
        return Choices(f"label_values({expr.selector(metric.name, matchers)}, {spelled[label][0].label})")

    def threshold(self, name: str) -> float:
        try:
            return self.thresholds[name]
        except KeyError:
            raise UnknownName("threshold", name, self.thresholds) from None

    def level(self, signal: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self._answer(signal, keep, where, None)

    def rate(self, signal: str, window: str = "", *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        window = window or self.window
        return self._answer(signal, keep, where, lambda series, step: expr.rate(expr.over(series, window, step)))

    def increase(self, signal: str, window: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self._answer(signal, keep, where, lambda series, step: expr.increase(expr.over(series, window, step)))

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
        def apply(series: Expr, step: str) -> Expr:
            return expr.over_time(function, expr.over(series, window, step, offset=offset))

        return self._answer(signal, keep, where, apply)

    # how an answer is put together ------------------------------------------------------------

    def _profiles(self) -> list[Profile]:
        return [p for p in (self.gpu, self.training, self.host) if p is not None]

    def _answer(
        self,
        name: str,
        keep: Sequence[str],
        where: Sequence[Filter],
        window: Window | None,
        decoded: bool = True,
    ) -> Expr:
        wanted = signal_named(name)
        profile = next((p for p in self._profiles() if p.has(name)), None)
        if profile is None:
            raise SignalMissing(name, self.gpu.name)
        if isinstance(keep, str):
            raise QueryError(f"keep is the text {keep!r}", fix=f'labels go into a tuple: keep=("{keep}",)')
        key = _unique((*self._key(profile, wanted.scope), *keep))
        filters = self._filters(profile, where)
        identity = profile.identity
        if identity is None or profile.signals[name][0].name == identity.metric:
            return self._alternatives(profile, name, key, filters, window, decoded)
        carried = [label for label in key if label not in identity.provides]
        base = self._alternatives(profile, name, _unique((*carried, *identity.on)), filters, window, decoded)
        taken = [label for label in identity.provides if label in key]
        joined = base.level("multiplied by an info series, which is 1").join(
            "*", self._identity(profile, filters, taken), on=identity.on, group_left=taken
        )
        joined = Expr(joined.text, base.kind, joined.labels, joined.precedence)
        return joined if set(key) >= set(identity.on) else expr.aggregate("max", joined, by=key)

    def _key(self, profile: Profile, scope: Scope) -> tuple[str, ...]:
        if profile is not self.gpu or scope is Scope.BOARD:
            return profile.card
        if scope is Scope.DEVICE_PROCESS:
            return (*profile.card, "pid", "process")
        return self.instance

    def _filters(self, profile: Profile, where: Sequence[Filter]) -> list[Filter]:
        pushed = pushed_to_training(self.filters) if profile is self.training else self.filters
        return [*pushed, *where]

    def _identity(self, profile: Profile, filters: Sequence[Filter], taken: Sequence[str]) -> Expr:
        identity = profile.identity
        assert identity is not None
        labels = _unique((*identity.on, *taken))
        info = canonical(profile, Metric(identity.metric), Kind.GAUGE, labels, filters, self._remembered)
        # Two exporters of different age on a node may describe one card in two ways: one of them has to do.
        return expr.top(1, expr.aggregate("max", info, by=labels), by=identity.on)

    def _remembered(self, series: Expr) -> Expr:
        return expr.over_time("last", expr.over(series, self.remembers)) if self.remembers else series

    def _alternatives(
        self,
        profile: Profile,
        name: str,
        labels: Sequence[str],
        filters: Sequence[Filter],
        window: Window | None,
        decoded: bool = True,
    ) -> Expr:
        kind = signal_named(name).kind
        if profile.identity and profile.signals[name][0].name != profile.identity.metric:
            filters = [f for f in filters if f.label not in profile.identity.provides]
        whole: Expr | None = None
        for metric in profile.signals[name]:
            if metric.parts:
                if window is not None:
                    raise QueryError(f"{name} is a sum of metrics and has no window", fix="window its parts instead")
                part = self._sum(profile, metric, labels, filters)
            else:
                # A timestamp is that of a sample only where nothing has been done to the series before.
                per_series = _per_series(metric if decoded else Metric(metric.name), window, profile.interval)
                series = canonical(profile, metric, kind, labels, filters, per_series)
                part = expr.aggregate("group" if kind is Kind.INFO and decoded else "max", series, by=labels)
                part = part if kind is Kind.CODE or not decoded else _scale(part, metric.factor)
            whole = part if whole is None else _or_counter(whole, part, labels)
        assert whole is not None
        return whole

    def _sum(self, profile: Profile, metric: Metric, labels: Sequence[str], filters: Sequence[Filter]) -> Expr:
        """The sum of signals; of all of ``parts``, and of what is there of ``extra``.

        Where each is one metric and the site has not renamed any, one selector finds them all.
        """
        needed = [self._alternatives(profile, part, labels, filters, None) for part in metric.parts]
        known = [m for part in (*metric.parts, *metric.extra) for m in profile.signals.get(part, ())]
        if tuple(m.name for m in known) == metric.sum_of and {m.factor for m in known} == {metric.factor}:
            sane = _per_series(known[0], None, profile.interval)
            every = canonical(profile, metric, Kind.GAUGE, labels, filters, sane, metric.sum_of)
            apart = expr.aggregate("max", every, by=("__name__", *labels))
            whole = _scale(expr.aggregate("sum", apart, by=labels), metric.factor)
            for part in needed:
                whole = whole.join("and", part, on=labels)
            return whole
        whole = needed[0]
        for part in needed[1:]:
            whole = whole.join("+", part, on=labels)
        for part_name in metric.extra:
            if profile.has(part_name):
                extra = self._alternatives(profile, part_name, labels, filters, None)
                whole = whole.join("+", extra.join("or", needed[0] * 0, on=labels), on=labels)
        return whole


def _same(series: Expr) -> Expr:
    return series


def _scale(vector: Expr, factor: float) -> Expr:
    """Multiply, or divide where that is the exact number (x / 100 rather than x * 0.01)."""
    inverse = round(1 / factor) if factor else 0
    if factor < 1 and inverse and abs(1 / inverse - factor) < 1e-18:
        return vector / inverse
    return vector * factor


def _or_counter(left: Expr, right: Expr, labels: Sequence[str]) -> Expr:
    """``or`` of two spellings of one signal: a counter stays one, whatever the set operator thinks."""
    reason = "the same counter under another name"
    joined = left.level(reason).join("or", right.level(reason), on=labels)
    return Expr(joined.text, left.kind, joined.labels, joined.precedence)


def _per_series(metric: Metric, window: Window | None, interval: int) -> Callable[[Expr], Expr]:
    """What happens to each series before labels are mapped: decode, drop the impossible, take the window."""

    def apply(series: Expr) -> Expr:
        decoded = series
        if metric.floor is not None:
            decoded = decoded.above(metric.floor)
        if metric.ceiling is not None:
            decoded = decoded.below(metric.ceiling)
        if metric.cap is not None:
            decoded = expr.call("clamp_max", decoded, metric.cap)
        if metric.bits:
            decoded = expr.any_bit(decoded, metric.bits)
        if metric.above is not None:
            decoded = decoded.is_above(metric.above)
        return decoded if window is None else window(decoded, f"{interval}s")

    return apply


def _unique(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))

"""What is known of a metric by its name: the catalogue seen from the exporter's side.

The catalogue says how to ask for a signal; lint meets names and has to say what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.catalog.model import Kind, Metric, Profile, Scope, Unit
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.catalog.signals import SIGNALS
from builder.lint.exporters import OTHERS, Other


@dataclass(frozen=True)
class Fact:
    """One metric as it is exported. ``factor`` turns its number into ``unit``.

    ``mask``: the number is a set of bits. ``meant``: the level of this counter says something by itself, as a
    count of rare events does. ``repeated``: the exporter can emit several series for one card.
    ``profiles`` are those that export it. ``interval`` is how often there is a new value, in seconds: the
    exporter's own pace where it is ``paced``, else the scrape interval that Grafana reckons with.
    """

    name: str
    kind: Kind
    unit: Unit
    scope: Scope
    factor: float = 1.0
    signal: str = ""
    default: bool = True
    enable: str = ""
    mask: bool = False
    meant: bool = False
    repeated: bool = False
    profiles: tuple[str, ...] = ()
    interval: int = 15
    paced: bool = False


# A handful in the life of a card: their sum since the driver was loaded is itself the message.
_RARE = ("ecc_", "xid_errors", "rows_remapped_", "retired_pages_", "nvlink_errors", "pcie_replay")

# It renews its values by itself, however often it is scraped; the others answer each scrape anew.
_PACED = ("dcgm-exporter",)


def facts(profiles: Sequence[Profile]) -> dict[str, Fact]:
    """Every metric that one of the profiles can export, by name."""
    known: dict[str, Fact] = {}
    for profile in profiles:
        for fact in _facts(profile):
            before = known.get(fact.name)
            known[fact.name] = fact if before is None else _merged(before, fact)
    return known


def every_profile() -> tuple[Profile, ...]:
    """All profiles of the catalogue."""
    return (*GPU_PROFILES.values(), *TRAINING_PROFILES.values(), *HOST_PROFILES.values())


def _merged(one: Fact, other: Fact) -> Fact:
    """The same name as several signals or profiles see it; what carries a value says more than identity."""
    main = other if one.kind is Kind.INFO else one
    default = one.default or other.default
    return replace(
        main,
        default=default,
        enable="" if default else main.enable,
        meant=one.meant or other.meant,
        repeated=one.repeated or other.repeated,
        profiles=tuple(dict.fromkeys((*one.profiles, *other.profiles))),
        interval=min(one.interval, other.interval),
        paced=one.paced and other.paced,
    )


def _facts(profile: Profile) -> Iterator[Fact]:
    # Workload labels on MIG instances: pods, jobs and instances each make a series of their own.
    repeated = "mig" in profile.labels and "pod" in profile.labels
    paced = profile.exporter in _PACED
    interval = profile.interval if paced else min(profile.interval, 15)
    common = {"profiles": (profile.name,), "interval": interval, "paced": paced}
    for name, metrics in profile.signals.items():
        for metric in metrics:
            fact = _fact(name, metric)
            per_card = fact.scope in (Scope.BOARD, Scope.INSTANCE)
            for spelled in metric.sum_of or (metric.name,):
                yield replace(fact, name=spelled, repeated=repeated and per_card, **common)  # type: ignore[arg-type]
    for name, other in OTHERS.get(profile.exporter, {}).items():
        yield _other(name, other, repeated, common)
    if profile.identity and profile.identity.metric not in {m.name for ms in profile.signals.values() for m in ms}:
        yield Fact(profile.identity.metric, Kind.INFO, Unit.NONE, Scope.BOARD, **common)  # type: ignore[arg-type]


def _fact(name: str, metric: Metric) -> Fact:
    signal = SIGNALS[name]
    mask = bool(metric.bits)
    kind = Kind.GAUGE if mask or metric.above is not None else signal.kind
    return Fact(
        metric.name,
        kind,
        Unit.COUNT if metric.above is not None else signal.unit,
        signal.scope,
        metric.factor,
        name,
        metric.default,
        metric.enable,
        mask,
        meant=name.startswith(_RARE),
    )


def _other(name: str, other: Other, repeated: bool, common: Mapping[str, object]) -> Fact:
    return Fact(
        name,
        other.kind,
        other.unit,
        Scope.BOARD,
        other.factor,
        default=not other.enable,
        enable=other.enable.format(name),
        mask=other.mask,
        meant=other.kind is Kind.COUNTER and other.unit is Unit.COUNT,
        repeated=repeated,
        **common,  # type: ignore[arg-type]
    )

"""Finding out what feeds a Prometheus, by asking it for names, labels and a few samples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise
from statistics import median

from builder.catalog.model import Match, Metric, Profile
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.errors import ServerError
from builder.opening.server import Server
from builder.survey.found import Exporter, Found

HOUR = 3600.0
_COUNTED_BY = ("device_info", "memory_used", "temperature", "utilisation", "power")
"""Signals that every card has, whatever else is switched on: the first that is there counts the cards."""

_NODES = ("node", "kubernetes_node", "nodename", "host", "instance")
"""Labels that tell nodes apart where the exporter's own were dropped."""

_IMAGES = 'kube_pod_container_info{image=~".*(dcgm-exporter|nvidia_gpu_exporter).*"}'
_BUILDS = '{__name__=~"(dcgm|nvidia_gpu)_exporter_build_info"}'
_DRIVERS = ("DCGM_FI_DRIVER_VERSION", "driver_version")
_SPELT = {"Hostname": "writes Hostname: up to 4.8.2", "hostname": "writes hostname: 4.8.3 or later"}
_MOST = 5


def names() -> frozenset[str]:
    """Every metric that has to be looked for."""
    return frozenset(name for profile in _all() for name in metrics_of(profile))


def metrics_of(profile: Profile) -> frozenset[str]:
    """Every metric that a profile knows."""
    found = {n for metrics in profile.signals.values() for m in metrics for n in m.sum_of or (m.name,)}
    return frozenset(found | ({profile.identity.metric} if profile.identity else set()))


def look(server: Server, there: Set[str], at: float, url: str, version: str) -> Found:
    """What feeds the server, seen over the hour before ``at`` (Unix time). ``there`` are the metrics that it has.

    Raises ServerError where it does not answer.
    """
    exporters = [_exporter(server, profile, there, at) for profile in GPU_PROFILES.values() if _marks(profile) & there]
    training = next((p.name for p in TRAINING_PROFILES.values() if metrics_of(p) & there), "none")
    host = next((p.name for p in HOST_PROFILES.values() if metrics_of(p) & there), "none")
    return Found(
        prometheus=url,
        version=version,
        exporters=tuple(sorted(exporters, key=lambda exporter: -exporter.cards)),
        training=training,
        host=host,
        cluster=any(exporter.labels.get("cluster") for exporter in exporters),
    )


def _all() -> tuple[Profile, ...]:
    return (*GPU_PROFILES.values(), *TRAINING_PROFILES.values(), *HOST_PROFILES.values())


def _marks(profile: Profile) -> Set[str]:
    """The metrics that show this profile: what counts its cards first of all, and what no other exporter has."""
    others = frozenset[str]().union(*(metrics_of(p) for p in GPU_PROFILES.values() if p is not profile))
    return {profile.signals["device_info"][0].name} | (metrics_of(profile) - others)


def _exporter(server: Server, profile: Profile, there: Set[str], at: float) -> Exporter:
    choices = ([m.name for m in profile.signals.get(signal, ()) if m.name in there] for signal in _COUNTED_BY)
    counted = _selector(next((names for names in choices if names), [min(_marks(profile) & there)]))
    begin = at - HOUR
    known = frozenset(server.label_names(counted, start=begin, end=at))
    labels = {name: tuple(_spelt(server, profile, name, counted, known, at)) for name in profile.labels}
    missing = {signal: _enable(metrics) for signal, metrics in _gone(profile, there)}
    substitute = "" if labels.get("node") else next((label for label in _NODES if label in known), "")
    node = labels.get("node") or ((substitute,) if substitute else ())
    card = [spelt for name in profile.card if name not in ("cluster", "node") for spelt in labels.get(name, ())]
    where = [*labels.get("cluster", ()), *node]
    # Where nothing came in the last minutes, what there was before.
    now = counted if server.instant(f"count({counted})", at) else f"last_over_time({counted}[1h])"
    return Exporter(
        profile=profile.name,
        title=profile.title,
        cards=_count(server, now, [*where, *card], at),
        nodes=_count(server, now, where, at),
        jobs=server.label_values("job", counted, start=begin, end=at)[:_MOST],
        labels={name: spelt for name, spelt in labels.items() if spelt},
        versions=tuple(_versions(server, profile, labels.get("node", ()), known, counted, at)),
        interval=_interval(server, now, at),
        has=tuple(signal for signal in profile.signals if signal not in missing),
        missing=missing,
        substitute=substitute,
    )


def _gone(profile: Profile, there: Set[str]) -> Iterator[tuple[str, tuple[Metric, ...]]]:
    for signal, metrics in profile.signals.items():
        if signal != "device_info" and not any(_is_there(metric, there) for metric in metrics):
            yield signal, metrics


def _is_there(metric: Metric, there: Set[str]) -> bool:
    return set(metric.sum_of[: len(metric.parts)]) <= there if metric.sum_of else metric.name in there


def _enable(metrics: tuple[Metric, ...]) -> str:
    enable = next((metric.enable for metric in metrics if metric.enable and not metric.default), "")
    return enable or "exported by default; the card or the driver may not have it, or Prometheus drops it"


def _spelt(server: Server, profile: Profile, canonical: str, counted: str, known: Set[str], at: float) -> Iterator[str]:
    """The spellings of a label that the series have; one that only names the exporter's own pod does not count."""
    for label, guard in dict.fromkeys((s.label, s.guard) for s in profile.labels[canonical]):
        if label not in known:
            continue
        if not guard or server.label_values(label, f"{counted[:-1]},{_matchers(guard)}}}", start=at - HOUR, end=at):
            yield label


def _selector(metrics: Sequence[str]) -> str:
    return f'{{__name__=~"{"|".join(metrics)}"}}'


def _matchers(matchers: Iterable[Match]) -> str:
    return ",".join(f"{m.label}{m.op}{json.dumps(m.value)}" for m in matchers)


def _count(server: Server, series: str, by: list[str], at: float) -> int:
    """How many combinations of these labels the series have."""
    if not by:
        return 1
    found = server.instant(f"count(count by ({', '.join(by)}) ({series}))", at)
    return int(found[0].last) if found else 0


def _versions(
    server: Server, profile: Profile, spelt: tuple[str, ...], known: Set[str], counted: str, at: float
) -> Iterator[str]:
    begin = at - HOUR
    if profile.exporter == "dcgm-exporter":
        yield from (_SPELT[label] for label in spelt if label in _SPELT)
    family = profile.exporter.partition("-")[0]
    for label, selector in (("image", _IMAGES), ("version", _BUILDS)):
        found = server.label_values(label, selector, start=begin, end=at)
        yield from (f"{label} {value}" for value in found[:_MOST] if label == "version" or family in value)
    for label in _DRIVERS:
        if label in known:
            yield from (f"driver {v}" for v in server.label_values(label, counted, start=begin, end=at)[:_MOST])


def _interval(server: Server, series: str, at: float) -> float:
    """The usual time between two samples of one series."""
    for one in server.instant(f"topk(1, {series})", at)[:1]:
        matchers = _matchers(Match(name, "=", value) for name, value in one.labels.items())
        try:
            samples = server.instant(f"{{{matchers}}}[1h]", at)
        except ServerError:
            return 0.0  # what is between us and Prometheus does not hand out samples as they are
        gaps = [later - earlier for found in samples for (earlier, _), (later, _) in pairwise(found.points)]
        return float(round(median(gaps))) if gaps else 0.0
    return 0.0

"""Recording rules: one name whatever the exporter, from the device up to the cluster; one file a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from builder.catalog.profiles import TRAINING_PROFILES
from builder.catalog.signals import SIGNALS
from builder.errors import SignalMissing
from builder.queries.feeds import WINDOW, Feeds
from builder.queries.kept import Kept, Store
from builder.queries.recorded import RecordedSource
from builder.queries.records import LAST_SAMPLE, device_record, node_record, pod_record, process_record
from builder.queries.source import Filter
from builder.rules.model import Group, RecordingRule
from builder.rules.recording import baselines, cluster, device, holder, job, node
from builder.rules.recording.answers import ANSWERS

__all__ = ["STORE", "for_rules", "levels", "meanings", "recorded"]

_RARER = 4
"""How many times rarer what looks far back is evaluated."""

_LEVELS: Mapping[str, Mapping[str, Sequence[Kept]]] = {
    "node": {
        "cards": (*holder.CARDS, *holder.PODS),
        "counts": node.COUNTS,
        "measures": node.MEASURES,
        "hosts": node.HOST,
        "namespaces": holder.NAMESPACES,
        "lost": node.LOST,
    },
    "job": {"jobs": job.JOBS},
    "cluster": {"clusters": cluster.CLUSTERS},
    "baselines": {"baselines": baselines.BASELINES},
}
"""What is kept above the device, by file and group, in the order in which it depends on each other."""

_SLOW = ("lost", "baselines")

STORE = Store({kept.name: kept for level in _LEVELS.values() for group in level.values() for kept in group}, ANSWERS)


def recorded(feeds: Feeds, filters: tuple[Filter, ...] = ()) -> RecordedSource:
    """What boards ask: the recorded series, narrowed by the filters."""
    return RecordedSource(replace(feeds.raw, filters=filters), feeds.gpus[1:], STORE)


def for_rules(feeds: Feeds) -> RecordedSource:
    """What rules above the device ask; a rate that names no window is one over five minutes.

    In a rule nobody puts in a time range or a step, so Grafana's ``$__rate_interval`` means nothing.
    """
    return recorded(feeds).with_window(WINDOW)


def meanings() -> dict[str, str]:
    """What each recorded name holds, in a sentence; a name whose signal no exporter has is among them."""
    probe = TRAINING_PROFILES["probe"]
    held = {
        record.name: signal.help
        for signal in SIGNALS.values()
        for record in (device_record(signal), pod_record(signal), process_record(signal, probe), node_record(signal))
        if record is not None
    }
    held[LAST_SAMPLE] = "Unix time of the newest sample of memory in use."
    return held | {kept.name: kept.help for kept in STORE.kept.values()}


def levels(feeds: Feeds, interval: int) -> dict[str, list[Group]]:
    """The groups of each level, by the level's name; what the exporters cannot answer gives no rule."""
    source = for_rules(feeds).of_devices()  # a rule must not read what it is about to write
    made = {"device": device.groups(feeds, interval)}
    for level, groups in _LEVELS.items():
        named = {name: _rules(kept, source) for name, kept in groups.items()}
        made[level] = [
            Group(f"gpuboards-{level}-{name}" if name != level else f"gpuboards-{level}", rules, _pace(name, interval))
            for name, rules in named.items()
            if rules
        ]
    return {level: groups for level, groups in made.items() if groups}


def _rules(kept: Sequence[Kept], source: RecordedSource) -> tuple[RecordingRule, ...]:
    rules = []
    for one in kept:
        try:
            rules.append(RecordingRule(one.name, one.ask(source)))
        except SignalMissing:
            continue
    return tuple(rules)


def _pace(group: str, interval: int) -> int:
    return interval * _RARER if group in _SLOW else interval

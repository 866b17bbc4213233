"""Which questions are answered from what the rules keep, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from builder.promql.expr import Expr, aggregate, ratio
from builder.queries import health, inventory, memory, power, thermal, training, utilisation, workloads
from builder.queries.kept import Answer
from builder.queries.question import Question
from builder.queries.recorded import RecordedSource
from builder.queries.records import CARD
from builder.queries.tenths import each_tenth
from builder.rules.recording.node import NODE

Read = Callable[[RecordedSource], Expr]


def _is(name: str) -> Read:
    return lambda source: source.kept(name)


def _some(name: str) -> Read:
    """The nodes that have one at least."""
    return lambda source: source.kept(name).above(0)


def _either(of_clusters: Read, of_nodes: Read) -> Read:
    """From the few series of clusters where all nodes are chosen, else from those of the nodes that are."""

    def read(source: RecordedSource) -> Expr:
        every, some = source.by_choice("node")
        answers = [ask(by) for ask, by in ((of_clusters, every), (of_nodes, some)) if by is not None]
        return answers[0] if len(answers) == 1 else _or(*answers)

    return read


def _or(one: Expr, other: Expr) -> Expr:
    labels = sorted(one.labels)
    return one.join("or", other, on=labels) if labels else one.either(other)


def _of_level(operator: str, name: str) -> Read:
    return lambda source: aggregate(operator, source.kept(name))


def _all(operator: str, metric: str) -> Read:
    return _either(_of_level(operator, f"cluster:{metric}"), _of_level(operator, f"node:{metric}"))


def _quotient(part: str, whole: str) -> Read:
    def of(level: str) -> Read:
        parts, wholes = _of_level("sum", f"{level}:{part}"), _of_level("sum", f"{level}:{whole}")
        return lambda source: ratio(parts(source), wholes(source))

    return _either(of("cluster"), of("node"))


def _of_namespace(name: str, source: RecordedSource) -> Expr:
    return aggregate("sum", source.kept(name), by=("cluster", "namespace"))


def _namespace_utilisation(source: RecordedSource) -> Expr:
    busy, of = (_of_namespace(f"namespace:utilization_ratio:{word}", source) for word in ("sum", "count"))
    return busy.join("/", of, on=("cluster", "namespace"))


def _tenths(level: str) -> Read:
    return lambda source: aggregate("sum", source.kept(f"{level}:utilization_cards:count"), by=("from",))


def _utilisation_distribution(source: RecordedSource) -> Expr:
    return each_tenth(_either(_tenths("cluster"), _tenths("node"))(source))


_OF_NODES: Mapping[Question, Read] = {
    inventory.node_cards: _is("node:cards:count"),
    inventory.node_count: _either(_of_level("sum", "cluster:nodes:count"), _of_level("count", "node:cards:count")),
    inventory.card_count: _all("sum", "cards:count"),
    inventory.node_lost_cards: _some("node:lost_cards:count"),
    inventory.lost_card_count: _all("sum", "lost_cards:count"),
    utilisation.node_utilisation: _is("node:utilization_ratio:avg"),
    utilisation.fleet_utilisation: _quotient("utilization_ratio:sum", "utilization_ratio:count"),
    utilisation.busy_share: _quotient("busy_cards:count", "utilization_ratio:count"),
    utilisation.utilisation_distribution: _utilisation_distribution,
    memory.node_memory_share: _is("node:memory_usage_ratio"),
    memory.fleet_memory_used: _all("sum", "memory_used_bytes:sum"),
    memory.fleet_memory_total: _all("sum", "memory_total_bytes:sum"),
    memory.fleet_memory_share: _quotient("memory_used_bytes:sum", "memory_total_bytes:sum"),
    thermal.node_temperature: _is("node:temperature_celsius:max"),
    thermal.fleet_temperature: _all("max", "temperature_celsius:max"),
    thermal.hot_cards: _all("sum", "hot_cards:count"),
    thermal.node_throttled_cards: _is("node:throttled_cards:count"),
    thermal.throttled_cards: _all("sum", "throttled_cards:count"),
    power.node_power: _is("node:power_watts:sum"),
    power.fleet_power: _all("sum", "power_watts:sum"),
    power.cards_at_power_limit: _all("sum", "power_limited_cards:count"),
    health.node_ecc_cards: _is("node:ecc_cards:count"),
    health.ecc_cards: _all("sum", "ecc_cards:count"),
    health.node_xid_cards: _some("node:xid_cards:count"),
    health.xid_cards: _all("sum", "xid_cards:count"),
    workloads.idle_holder_count: _all("sum", "idle_held_cards:count"),
    workloads.troubled_nodes: _is("node:in_trouble"),
    workloads.namespace_cards: lambda source: _of_namespace("namespace:cards:count", source),
    workloads.namespace_utilisation: _namespace_utilisation,
    training.host_io_wait: _is("node:cpu_io_wait_ratio:rate5m"),
    training.host_disk_busy: _is("node:disk_busy_ratio:rate5m"),
    training.host_disk_read: _is("node:disk_read_bytes:rate5m"),
}
_OF_CARDS: Mapping[Question, Read] = {
    workloads.idle_holders: _is("gpu:idle_held_memory_ratio"),
    workloads.idle_workloads: _is("pod:idle_held_memory_bytes"),
    workloads.troubled_workloads: _is("pod:troubled_memory_bytes"),
    workloads.workload_utilisation_in_trouble: _is("pod:troubled_utilization_ratio"),
}

ANSWERS: Mapping[Question, Answer] = {
    **{question: Answer(NODE, read) for question, read in _OF_NODES.items()},
    **{question: Answer(CARD, read) for question, read in _OF_CARDS.items()},
}

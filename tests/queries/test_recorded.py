"""Which recorded series answer a question, how filters reach them, and what is asked of the exporters instead."""

from __future__ import annotations

import pytest

from builder.build import context_of
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, Recording
from builder.errors import QueryError, SignalMissing
from builder.promql.expr import Expr
from builder.promql.parse import check_query
from builder.queries import inventory, power, thermal, utilisation, workloads
from builder.queries.question import question
from builder.queries.recorded import RecordedSource
from builder.queries.source import Choices, Filter, Source
from tests.queries.asking import questions

CLUSTER, NODE, CARD = Filter("cluster", "$cluster"), Filter("node", "$node"), Filter("gpu", "$gpu_id")


def source(*filters: Filter, profile: str = "dcgm", also: tuple[str, ...] = ()) -> RecordedSource:
    made = context_of(Config(profile=profile, source="recorded", recording=Recording(also=also))).source(filters)
    assert isinstance(made, RecordedSource)
    return made


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_every_question_has_an_answer_here_where_it_has_one_there(profile: str) -> None:
    asked = source(CLUSTER, NODE, profile=profile)
    for name, one in questions().items():
        try:
            raw = one.ask(asked.raw)
        except SignalMissing as missing:
            with pytest.raises(SignalMissing) as here:
                one.ask(asked)
            assert here.value.signal == missing.signal, name
            continue
        recorded = one.ask(asked)
        check_query(recorded.text)
        assert (recorded.kind, recorded.labels) == (raw.kind, raw.labels), name


def test_a_filter_is_pushed_down() -> None:
    assert source(NODE, CARD).level("power").text == (
        'max by (cluster, node, gpu, uuid) (gpu:power_watts{node=~"$node",gpu=~"$gpu_id"})'
    )


def test_a_window_is_that_of_the_recorded_samples() -> None:
    asked = source()
    assert asked.rate("energy", "5m").text == "max by (cluster, node, gpu, uuid) (rate(gpu:energy_joules_total[5m]))"
    assert asked.over_time("avg", "utilisation", "10m", offset="1h").text == (
        "max by (cluster, node, gpu, uuid, mig) (avg_over_time(gpu:utilization_ratio[10m] offset 1h))"
    )
    assert "[$__rate_interval]" in asked.rate("energy").text


def test_labels_beside_the_key() -> None:
    assert source().level("xid_errors", keep=("xid", "model")).labels == {*source().card, "xid", "model"}


def test_who_holds_a_card() -> None:
    held = source(NODE).level("memory_used", keep=("namespace", "pod", "container"), where=(Filter("pod", "", "!="),))
    assert "(pod:memory_used_bytes{node=~" in held.text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda s: s.level("temperature", keep=("pod",)), "no rule keeps it by pod"),
        (lambda s: s.level("process_memory"), "a card has many processes"),
        (lambda s: s.rate("cpu_io_wait", "5m", keep=("cpu",)), "a host has many CPUs"),
        (lambda s: s.stamp("temperature"), "only one stamp is kept"),
        (lambda s: s.coverage(), "which metrics there are, the exporters tell"),
    ],
)
def test_what_is_not_kept_is_asked_of_the_exporters(answer: object, why: str) -> None:
    asked = source(NODE, profile="nvidia-smi" if why == "a card has many processes" else "dcgm")
    assert answer(asked).text == answer(asked.raw).text, why  # type: ignore[operator]


def test_a_missing_signal_is_missing_here_too() -> None:
    with pytest.raises(SignalMissing):
        source(profile="nv-gpu").level("power")
    with pytest.raises(SignalMissing):
        source(profile="nv-gpu").prepared(power.node_power)
    with pytest.raises(QueryError, match="keep is the text"):
        source().level("power", keep="model")


def test_another_exporter_may_have_it() -> None:
    asked = source(profile="nv-gpu", also=("nvidia-smi",))
    assert asked.has("power") and asked.card == ("cluster", "node", "gpu", "uuid")
    assert asked.level("power").text == "max by (cluster, node, gpu, uuid) (gpu:power_watts)"
    assert source(profile="nv-gpu").card == ("cluster", "node", "gpu")


def test_choices() -> None:
    assert source(CLUSTER).choices("node") == Choices('label_values(gpu:device_info{cluster=~"$cluster"}, node)')
    assert source(NODE).choices("pod") == Choices('label_values(pod:memory_used_bytes{node=~"$node",pod!=""}, pod)')
    with pytest.raises(SignalMissing):
        source(profile="nvidia-gpu").choices("pod")


# answers that are kept ------------------------------------------------------------------------


def test_a_kept_answer_is_narrowed_by_what_its_series_have() -> None:
    assert utilisation.node_utilisation.ask(source(NODE)).text == (
        'max by (cluster, node) (node:utilization_ratio:avg{node=~"$node"})'
    )
    assert "gpu:utilization_ratio{" in utilisation.node_utilisation.ask(source(NODE, CARD)).text


def test_a_fleet_is_read_from_its_clusters_or_from_the_nodes_that_are_chosen() -> None:
    assert power.fleet_power.ask(source()).text == "sum(max by (cluster) (cluster:power_watts:sum))"
    assert power.fleet_power.ask(source(NODE)).text == (
        'sum(max by (cluster) ({__name__=~"cluster:power_watts:sum",__name__=~"$node"})) or '
        'sum(max by (cluster, node) ({__name__=~"node:power_watts:sum",__name__!~"$node",node=~"$node"}))'
    )
    # One node is never all of them.
    assert power.fleet_power.ask(source(Filter("node", "$node", "="))).text == (
        'sum(max by (cluster, node) (node:power_watts:sum{node="$node"}))'
    )


def test_a_question_of_the_same_name_is_another_question() -> None:
    @question
    def node_power(asked: Source) -> Expr:
        """Power of the strongest card."""
        return asked.level("power")

    assert node_power.ask(source()).text == "max by (cluster, node, gpu, uuid) (gpu:power_watts)"


def test_who_is_lost_is_told_from_the_devices_where_somebody_chose_cards() -> None:
    assert inventory.lost_card_count.ask(source(NODE)).text.count("lost_cards:count") == 2
    assert "gpu:device_info" in inventory.lost_card_count.ask(source(NODE, CARD)).text
    assert workloads.idle_holders.ask(source(NODE, CARD)).text.startswith(
        "max by (cluster, node, gpu, uuid, mig) (gpu:idle"
    )
    assert "gpu:temperature_celsius" in thermal.hot_cards.ask(source(NODE, CARD)).text

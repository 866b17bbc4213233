"""The raw source: what it answers from which spelling, what it refuses, and how filters are spelled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.catalog.model import Match, Spelling
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.errors import QueryError, SignalMissing, UnknownName
from builder.promql.expr import Expr
from builder.promql.parse import label_matchers
from builder.queries.question import question
from builder.queries.raw import RawSource
from builder.queries.source import Filter, Source
from builder.queries.spelling import spelling_matcher
from builder.queries.watch import Watch

DCGM = RawSource(GPU_PROFILES["dcgm"], thresholds={"idle": 0.1})
SMI = RawSource(GPU_PROFILES["nvidia-smi"])
NV_GPU = RawSource(GPU_PROFILES["nv-gpu"])


def test_a_signal_of_another_side_is_asked_there() -> None:
    whole = RawSource(GPU_PROFILES["dcgm"], TRAINING_PROFILES["probe"], HOST_PROFILES["node-exporter"])
    assert whole.level("framework_memory_pool").labels == {"uuid"}
    assert whole.rate("cpu_io_wait", "5m").labels == {"cluster", "node"}
    assert not DCGM.has("cpu_io_wait")


def test_what_is_asked_must_exist() -> None:
    with pytest.raises(UnknownName, match="unknown signal 'temprature'"):
        DCGM.level("temprature")
    with pytest.raises(UnknownName, match="unknown signal 'temprature'"):
        DCGM.has("temprature")
    with pytest.raises(UnknownName, match="unknown threshold 'idel'") as caught:
        DCGM.threshold("idel")
    assert caught.value.fix == "did you mean idle?"
    with pytest.raises(SignalMissing, match="profile nv-gpu does not export power"):
        NV_GPU.level("power")


def test_only_counters_have_a_rate() -> None:
    with pytest.raises(QueryError, match=r"rate\(\) of a gauge"):
        DCGM.rate("temperature")
    with pytest.raises(QueryError, match="avg_over_time of a counter"):
        DCGM.over_time("avg", "energy", "5m")
    # nvlink_throughput is typed counter by the exporter and is none
    with pytest.raises(QueryError, match=r"increase\(\) of a gauge"):
        DCGM.increase("nvlink_throughput", "5m")


def test_a_sum_of_metrics_has_no_window() -> None:
    with pytest.raises(QueryError, match="memory_total is a sum of metrics"):
        DCGM.over_time("max", "memory_total", "5m")


def test_the_window_is_taken_before_pods_are_merged() -> None:
    text = DCGM.rate("energy", "5m").text
    assert text.startswith("max by (cluster, node, gpu, uuid) (label_replace(")
    assert "rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[5m])" in text
    assert text.endswith("/ 1000")


def test_a_decoded_series_is_evaluated_as_often_as_it_is_renewed() -> None:
    text = DCGM.over_time("max", "throttle_sw_power", "10m").text
    assert "max_over_time((floor(DCGM_FI_DEV_CLOCKS_EVENT_REASONS / 4) % 2)[10m:30s])" in text


def test_labels_of_an_info_series_are_taken_over_only_where_they_are_asked_for() -> None:
    assert SMI.level("power").labels == set(SMI.card)
    assert "group_left (gpu)" in SMI.level("power").text
    assert SMI.level("power", keep=("model",)).labels == {*SMI.card, "model"}
    assert "group_left (gpu, model)" in SMI.level("power", keep=("model",)).text


# filters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spelling", "wanted", "matcher"),
    [
        (Spelling("Hostname"), Filter("node", "$node"), Match("Hostname", "=~", "$node")),
        (Spelling("Hostname"), Filter("node", "a", "="), Match("Hostname", "=", "a")),
        (Spelling("pod"), Filter("pod", "", "!="), Match("pod", "!=", "")),
        (
            Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),
            Filter("node", "$node"),
            Match("instance", "=~", "(?:$node)(?::[0-9]+)?"),
        ),
        (
            Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),
            Filter("node", "a", "="),
            Match("instance", "=~", "(?:a)(?::[0-9]+)?"),
        ),
        (
            Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),
            Filter("node", "a", "!="),
            Match("instance", "!~", "(?:a)(?::[0-9]+)?"),
        ),
        (Spelling("GPU_I_ID", replacement="mig-$1"), Filter("mig", "", "!="), Match("GPU_I_ID", "!=", "")),
    ],
)
def test_a_filter_in_one_spelling(spelling: Spelling, wanted: Filter, matcher: Match) -> None:
    assert spelling_matcher(spelling, wanted) == matcher


def test_a_filter_that_could_find_nothing_is_refused() -> None:
    with pytest.raises(QueryError, match="a filter by mig: GPU_I_ID holds only a part of it") as caught:
        replace(DCGM, filters=(Filter("mig", "$mig"),)).level("memory_used")
    assert "narrow=False" in caught.value.fix


def test_each_spelling_takes_only_series_that_lack_the_better_ones() -> None:
    text = replace(DCGM, filters=(Filter("node", "$node"),)).level("temperature").text
    assert 'DCGM_FI_DEV_GPU_TEMP{Hostname=~"$node"}' in text
    assert 'DCGM_FI_DEV_GPU_TEMP{hostname=~"$node",Hostname=""}' in text


def test_the_exporters_own_pod_holds_no_card() -> None:
    text = DCGM.level("memory_used", keep=("pod",), where=(Filter("pod", "", "!="),)).text
    # Whether or not Prometheus renamed the workload's namespace, which says nothing of its pod.
    for renamed in ("!=", "="):
        guard = f'exported_namespace{renamed}"",pod!~".*(dcgm|gpu|nvidia)[-_.]exporter.*"'
        assert f'pod!="",exported_pod="",pod_name="",{guard}' in text
    assert set(label_matchers(text)) >= {Match("exported_pod", "!=", ""), Match("pod_name", "!=", "")}


def test_a_filter_by_what_only_the_info_series_knows_is_put_there() -> None:
    text = replace(SMI, filters=(Filter("gpu", "$gpu_id"), Filter("node", "$node"))).level("power").text
    value, _, info = text.partition(" * on ")
    assert "$gpu_id" not in value
    assert "$gpu_id" in info
    assert "$node" in value
    assert "$node" in info


# choices ---------------------------------------------------------------------------------------


def test_one_plain_spelling_is_read_from_the_label_index() -> None:
    source = replace(DCGM, filters=(Filter("cluster", "$cluster"),))
    choices = source.choices("gpu")
    assert choices.query == 'label_values(DCGM_FI_DEV_FB_USED{cluster=~"$cluster"}, gpu)'
    assert choices.regex == ""


def test_several_spellings_are_read_from_a_query() -> None:
    choices = DCGM.choices("node")
    assert choices.query.startswith("query_result(group by (node) (")
    assert "[$__range:5m]" in choices.query, "a node that is silent now can still be chosen"
    assert choices.regex == '/node="([^"]*)"/'


def test_a_label_that_is_not_exported_has_no_choices() -> None:
    with pytest.raises(SignalMissing, match="profile nvidia-smi does not export the label pod"):
        SMI.choices("pod")


# questions and watching --------------------------------------------------------------------------


@question
def doubled(source: Source) -> Expr:
    """Twice the power.

    For tests.
    """
    return source.level("power") * 2


def test_a_function_of_a_source_is_a_question() -> None:
    assert (doubled.name, doubled.help) == ("doubled", "Twice the power.")
    assert doubled.ask(DCGM) == DCGM.level("power") * 2


def test_a_question_can_be_taken_further() -> None:
    half = doubled.then("half", lambda answer, source: answer / source.threshold("idle"))
    assert (half.name, half.help) == ("doubled.half", "Twice the power.")
    assert half.ask(DCGM).text.endswith("* 2 / 0.1")
    with pytest.raises(SignalMissing):
        half.ask(NV_GPU)


def test_a_watched_source_answers_alike_and_remembers() -> None:
    watch = Watch(DCGM)
    assert watch.level("power", keep=("model",)) == DCGM.level("power", keep=("model",))
    assert watch.rate("energy") == DCGM.rate("energy")
    assert watch.increase("energy", "1h") == DCGM.increase("energy", "1h")
    assert watch.over_time("max", "power", "1h") == DCGM.over_time("max", "power", "1h")
    assert (watch.card, watch.instance, watch.name) == (DCGM.card, DCGM.instance, "dcgm")
    assert watch.choices("gpu") == DCGM.choices("gpu")
    assert watch.threshold("idle") == 0.1
    assert watch.has("xid") and watch.has_label("pod")
    assert watch.asked == ("power", "energy")
    with pytest.raises(SignalMissing):
        Watch(NV_GPU).level("power")

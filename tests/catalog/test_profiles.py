"""Every profile is sound: known signals, plausible factors, labels for its card, one meaning a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from builder.catalog.model import LABELS, Kind, Metric, Profile, Scope, Spelling, Unit
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, PROFILES, TRAINING_PROFILES, profile
from builder.catalog.signals import SIGNALS, THROTTLE_REASONS, signal
from builder.errors import UnknownName

MIB = 2.0**20

FACTORS: dict[Unit, set[float]] = {
    Unit.RATIO: {1, 0.01},  # percent
    Unit.BYTES: {1, MIB},
    Unit.BYTES_PER_SECOND: {1, 1e6},  # megabytes per second
    Unit.CELSIUS: {1},
    Unit.WATTS: {1},
    Unit.HERTZ: {1, 1e6},  # megahertz
    Unit.JOULES: {1, 1e-3},  # millijoules
    Unit.SECONDS: {1, 1e-9},  # nanoseconds
    Unit.COUNT: {1},
    Unit.PER_SECOND: {1},
    Unit.NONE: {1},
}
"""What turns an exporter's unit into the base unit."""

UNIT_IN_NAME = re.compile(
    r"_(ratio|bytes|celsius|watts|hertz|hz|joules|seconds|bytes_per_second)(_total|_sum)?$", re.IGNORECASE
)
"""A name that ends so tells a base unit, after the naming conventions of Prometheus."""

EXTRA_LABELS = {"xid", "pid", "process", "job", "instance", "rank", "framework", "training_job", "job_name"}
EXTRA_LABELS |= {"device", "mapping", "op", "phase"}
"""Labels beside the canonical ones: identities of processes, jobs and error codes."""

RAW_VALUES = {
    "node": ["gpu-node-01", "10.0.0.1", "a.example.org"],
    "gpu": ["0", "15"],
    "uuid": ["a1b2-c3", "d4e5-f6"],
    "mig": ["3"],
}
"""Values as exporters write them."""


def _metrics(of: Profile) -> Iterator[tuple[str, Metric]]:
    for name, metrics in of.signals.items():
        for metric in metrics:
            yield name, metric


METRICS = [pytest.param(p, n, m, id=f"{p.name}-{n}-{m.name}") for p in PROFILES.values() for n, m in _metrics(p)]
EACH_PROFILE = pytest.mark.parametrize("of", PROFILES.values(), ids=list(PROFILES))


@EACH_PROFILE
def test_its_signals_are_known_and_answered(of: Profile) -> None:
    assert set(of.signals) <= set(SIGNALS)
    assert [name for name, metrics in of.signals.items() if not metrics] == []


def test_every_signal_is_exported_by_some_profile() -> None:
    assert {name for p in PROFILES.values() for name in p.signals} == set(SIGNALS)


def test_the_signals_of_a_profile_have_its_scopes() -> None:
    cards = {Scope.BOARD, Scope.INSTANCE, Scope.DEVICE_PROCESS}
    for profiles, scopes in (
        (GPU_PROFILES, cards),
        (TRAINING_PROFILES, {Scope.JOB}),
        (HOST_PROFILES, {Scope.NODE, Scope.POD}),
    ):
        assert {SIGNALS[name].scope for p in profiles.values() for name in p.signals} <= scopes


def test_throttle_reasons_are_all_throttle_signals_but_idleness() -> None:
    throttles = {name for name in SIGNALS if name.startswith("throttle_")}
    assert set(THROTTLE_REASONS) == throttles
    assert {SIGNALS[name].kind for name in throttles} == {Kind.STATE}


@pytest.mark.parametrize(("of", "name", "metric"), METRICS)
def test_the_factor_suits_the_unit(of: Profile, name: str, metric: Metric) -> None:
    wanted = SIGNALS[name]
    assert metric.factor in FACTORS[wanted.unit]
    if UNIT_IN_NAME.search(metric.name):
        assert metric.factor == 1, f"{of.name}: {metric.name} is in base units by its name"
    if wanted.kind in (Kind.STATE, Kind.CODE, Kind.INFO):
        assert metric.factor == 1
    assert not metric.bits or metric.above is None
    assert (metric.bits, metric.above) == ((), None) or wanted.kind is Kind.STATE


@pytest.mark.parametrize(("of", "name", "metric"), METRICS)
def test_what_must_be_switched_on_says_how(of: Profile, name: str, metric: Metric) -> None:
    assert metric.default or len(metric.enable) > 15, f"{of.name}: {name}: {metric.name}"


@EACH_PROFILE
def test_a_metric_has_one_meaning(of: Profile) -> None:
    factors: dict[str, set[float]] = {}
    for signal_name, metric in _metrics(of):
        if SIGNALS[signal_name].kind is not Kind.INFO:  # an info series may be any that every card has
            for name in metric.sum_of or (metric.name,):
                factors.setdefault(name, set()).add(metric.factor)
    assert {name: found for name, found in factors.items() if len(found) > 1} == {}


@EACH_PROFILE
def test_a_metric_answers_two_signals_only_by_different_parts(of: Profile) -> None:
    parts = [
        (metric.name, metric.where, metric.bits, name == "pod_memory")  # of other series: those that have a pod
        for name, metric in _metrics(of)
        if SIGNALS[name].kind is not Kind.INFO and not metric.sum_of
    ]
    assert sorted({part[0] for part in parts if parts.count(part) > 1}) == []


@EACH_PROFILE
def test_the_card_can_be_told_apart(of: Profile) -> None:
    spelled = set(of.labels)
    assert set(of.card) <= spelled
    assert spelled <= {*LABELS, *EXTRA_LABELS}
    assert all(of.labels.values())
    if of.identity:
        assert set(of.identity.on) | set(of.identity.provides) <= spelled
        assert of.signals["device_info"][0].name == of.identity.metric


@EACH_PROFILE
def test_the_workloads_labels_go_together(of: Profile) -> None:
    workload = [len(of.labels[label]) for label in ("namespace", "pod", "container") if label in of.labels]
    assert len(set(workload)) <= 1, "namespace, pod and container are chosen by the same place in their lists"


@EACH_PROFILE
def test_a_filter_finds_what_the_label_is_read_from(of: Profile) -> None:
    """Reading a spelled value and selecting by what was read are inverse, or said not to be."""
    for label, spellings in of.labels.items():
        for spelling in spellings:
            for written in _written(label, spelling):
                assert _found(spelling, written) is spelling.can_be_filtered, (label, spelling, written)


def _written(label: str, spelling: Spelling) -> list[str]:
    raw = RAW_VALUES.get(label, ["a-1"])
    if label == "node" and spelling.label == "instance":
        return [*raw, *(f"{host}:9400" for host in raw)]
    if spelling.label == "device":
        return [f"{prefix}GPU:{index}" for index in raw for prefix in ("", "/device:")]
    return raw


def _found(spelling: Spelling, written: str) -> bool:
    read = re.fullmatch(spelling.pattern, written)
    assert read, f"{spelling.label}={written!r} is not read by {spelling.pattern}"
    value = spelling.replacement.replace("$1", read[1])
    return re.fullmatch(spelling.selector.replace("{value}", re.escape(value)), written) is not None


def test_the_nearest_name_is_told() -> None:
    with pytest.raises(UnknownName, match="unknown signal 'temprature'") as caught:
        signal("temprature")
    assert caught.value.fix.startswith("did you mean temperature ")
    with pytest.raises(UnknownName, match="unknown profile 'dgcm'") as caught:
        profile("dgcm")
    assert "dcgm" in caught.value.fix


def test_the_tables_agree_with_their_own_names() -> None:
    assert {**GPU_PROFILES, **TRAINING_PROFILES, **HOST_PROFILES} == PROFILES
    assert all(name == p.name for name, p in PROFILES.items())
    assert all(name == s.name for name, s in SIGNALS.items())
    assert all(s.help.endswith(".") for s in SIGNALS.values())

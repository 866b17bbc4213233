"""Faults as text: what is read, what is refused with a word on how to mend it."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import GpuboardsError, UnknownName, UsageError
from builder.simulate import KINDS, Fault, Fleet, fault


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "hot:node-3/gpu-1@2h+30m": Fault("hot", "node-3", "1", 88, 7200, 1800),
        "hot=91.5:node-3/gpu-1": Fault("hot", "node-3", "1", 91.5),
        "idle:*": Fault("idle", "*", "*"),
        "idle:node-3": Fault("idle", "node-3", "*"),
        "idle:node-3/*@90s": Fault("idle", "node-3", "*", 0, 90),
        "idle:node-1?/gpu-[01]@1h30m+1d": Fault("idle", "node-1?", "[01]", 0, 5400, 86400),
        "node-down:node-3@1h": Fault("node-down", "node-3", "", 0, 3600),
        "clock-skew=0.25:*@0s+2m": Fault("clock-skew", "*", "", 0.25, 0, 120),
        "xid=48:*/gpu-0": Fault("xid", "*", "0", 48),
    }.items(),
)
def test_a_fault_is_read(text: str, expected: Fault) -> None:
    assert fault(text) == expected
    assert fault(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    {
        "hot": "malformed fault 'hot'",
        "": "malformed fault ''",
        "hot:": "malformed",
        "hott:node-1/gpu-0": "did you mean hot",
        "hot:node-1/0": "not a card: 'node-1/0'",
        "hot:/gpu-1": "not a card: '/gpu-1'",
        "hot:node-1/gpu-0@2": "not a duration: '2'",
        "hot:node-1/gpu-0@2h+": "malformed",
        "hot:node-1/gpu-0@2h+0s": "lasts no time",
        "hot=warm:node-1/gpu-0": "'warm' is no value for hot",
        "hot=-3:node-1/gpu-0": "a number above 0",
        "hot=nan:node-1/gpu-0": "is no value",
        "throttle=1.5:node-1/gpu-0": "above 0 up to 1",
        "xid=4.5:node-1/gpu-0": "no value for xid",
        "idle=3:node-1/gpu-0": "idle takes no value",
        "node-down:node-1/gpu-0": "strikes a node, not a card",
    }.items(),
)
def test_what_is_no_fault_is_said_to_be_none(text: str, says: str) -> None:
    with pytest.raises(GpuboardsError) as caught:
        fault(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("fleet", "says"),
    [
        ({"faults": ["hot:node-9/gpu-0"]}, "no such card: 'node-9/gpu-0'"),
        ({"faults": ["hot:node-0/gpu-8"]}, "no such card: 'node-0/gpu-8'"),
        ({"faults": ["node-down:nod-0"]}, "no such node: 'nod-0'"),
        ({"faults": ["idle:node-1/gpu-7"]}, "node-1/gpu-7 never has a job"),
        ({"faults": ["leak:node-1/gpu-0"], "mig": ["node-1/gpu-0"]}, "never has a training process"),
        ({"faults": ["duplicate-hpc:*"], "profile": "nvidia-smi"}, "is for dcgm-exporter"),
        ({"faults": ["label-change:node-0"], "scheme": "C"}, "hostname already"),
        ({"faults": ["label-change:node-0"], "profile": "dcgm-4.9"}, "hostname already"),
        ({"mig": ["node-7/*"]}, "no such card: 'node-7/*'"),
        ({"mig": ["*"], "model": "v100"}, "v100 cards have no MIG mode"),
        ({"profile": "dcgmm"}, "did you mean dcgm"),
        ({"scheme": "E"}, "unknown scheme of dcgm 'E'"),
        ({"model": "h200"}, "did you mean h100"),
        ({"counters": "all"}, "unknown counters 'all'"),
        ({"counters": "helm", "profile": "nvidia-smi"}, "no Helm chart's counters"),
        ({"training": "tf"}, "unknown training 'tf'"),
        ({"nodes": 0}, "0 nodes"),
        ({"cards": 17}, "between 1 and 16"),
        ({"job_hours": 0.1}, "jobs of 0.1 hours"),
    ],
)
def test_a_fleet_that_cannot_be_is_refused(fleet: dict[str, object], says: str) -> None:
    with pytest.raises((UsageError, UnknownName)) as caught:
        Fleet(**fleet)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_a_pattern_may_strike_cards_on_which_it_makes_no_sense() -> None:
    assert Fleet(faults=["idle:*"]).planted == (Fault("idle"),)


@given(
    kind=st.sampled_from(sorted(KINDS)),
    value=st.floats(0.001, 1),
    start=st.integers(0, 10**6),
    length=st.one_of(st.just(inf), st.integers(1, 10**6)),
)
def test_a_fault_survives_being_written(kind: str, value: float, start: int, length: float) -> None:
    known = KINDS[kind]
    value = round(value, 3) if known.unit and kind != "xid" else known.value
    planted = Fault(kind, "node-1", "" if known.on_node else "0", value, start, length)
    assert fault(str(planted)) == planted


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        fault(text)
    except GpuboardsError as error:
        assert error.exit_code == 2

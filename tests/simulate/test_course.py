"""What adds up: totals in closed form are what the levels give when one steps through them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from pytest import approx

from builder.simulate import Fleet, truth
from builder.simulate.model import course
from builder.simulate.model.rhythm import Phase, Rhythm

RHYTHM = Rhythm(warm_up=100, period=1000, evaluation=90, checkpoint=40)


@given(st.integers(0, 5000))
def test_the_time_in_each_phase_is_counted_as_it_passes(age: int) -> None:
    spent = RHYTHM.spent(age)
    counted = [sum(RHYTHM.phase(second) is phase for second in range(age)) for phase in Phase]
    assert spent == approx(counted)


@given(st.floats(0, 5000))
@example(age=RHYTHM.warm_up)
def test_the_last_training_is_the_present_or_the_end_of_the_last_stretch(age: float) -> None:
    last = RHYTHM.last_trained(age)
    if RHYTHM.phase(age) is Phase.TRAIN:
        assert last == approx(age)
    elif last is not None:
        assert RHYTHM.phase(last - 0.01) is Phase.TRAIN
        assert RHYTHM.phase(last + 0.01) is not Phase.TRAIN


def test_energy_is_the_power_of_every_second() -> None:
    fleet = Fleet(nodes=2, cards=3, job_hours=1, faults=["power-cap:*@30m+20m", "idle:*@70m+10m", "throttle:*@2h+15m"])
    for node in fleet.layout:
        for card in node.cards:
            begin, end = 600, 4 * 3600 + 7
            stepped = sum(course.level_of(card, second + 0.5).power for second in range(begin, end))
            counted = course.totals(card, end).energy - course.totals(card, begin).energy
            assert counted == approx(stepped, rel=2e-4), card.key


def test_throttled_time_is_the_time_of_the_fault_in_which_the_card_works() -> None:
    fleet = Fleet(nodes=2, cards=2, steady=True, faults=["throttle:node-0/gpu-0@10m+20m", "power-cap:node-0/gpu-1@5m"])
    seen = truth(fleet, fleet.start + 3600)
    assert seen.value("throttled_time_thermal", "node-0", "0") == 1200
    assert seen.value("throttled_time_power", "node-0", "1") == 3300
    assert seen.value("throttled_time_power", "node-0", "0") == 0


def test_counters_never_fall() -> None:
    fleet = Fleet(nodes=2, cards=2, job_hours=1, faults=["hung:*@30m+30m", "pcie-replays:*@1h+5m"])
    before = truth(fleet, fleet.start)
    for minute in range(1, 300):
        now = truth(fleet, fleet.start + 60 * minute)
        for old, new in zip(before.cards, now.cards, strict=True):
            for signal in ("energy", "throttled_time_power", "ecc_corrected", "pcie_replay"):
                assert new.signals[signal] >= old.signals[signal]
            if old.job == new.job:
                for signal in ("steps", "records", "step_time", "input_wait", "framework_memory_peak"):
                    assert new.signals.get(signal, 0) >= old.signals.get(signal, 0), (signal, minute)
        before = now


def test_heat_follows_power_with_inertia() -> None:
    fleet = Fleet(nodes=2, cards=2, steady=True, faults=["idle:node-0/gpu-0@1h"])
    cooling = [truth(fleet, fleet.start + 3600 + n).value("temperature", "node-0", "0") for n in range(-30, 600, 30)]
    assert cooling[0] > 60
    assert cooling[-1] < 36
    assert cooling == sorted(cooling, reverse=True)
    drops = [a - b for a, b in pairwise(cooling)]
    assert max(drops) < 15  # not at once


def test_a_job_warms_up_dips_and_is_followed_by_another_pod() -> None:
    fleet = Fleet(nodes=2, cards=2, job_hours=1)
    seen = [truth(fleet, fleet.start + 30 * n).card("node-1", "0") for n in range(600)]
    assert len({card.pod for card in seen if card.pod}) >= 4
    assert any(not card.pod and card.signals["memory_used"] == 1024 * 1024 for card in seen)
    busy = [card.signals["utilisation"] for card in seen if card.pod]
    assert min(busy) < 0.1 < 0.9 < max(busy)
    assert sorted(busy)[len(busy) // 2] > 0.6

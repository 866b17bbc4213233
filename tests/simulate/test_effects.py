"""What each fault does where it is planted, and that it does nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest import approx

from builder.simulate import KINDS, CardTruth, Fleet, truth

GIB = 1024**3
Effect = Callable[[CardTruth, CardTruth], object]
"""Compares a card with what it would be without the fault."""


def share(signal: str, low: float, high: float) -> Effect:
    return lambda with_it, without: low <= with_it.signals[signal] / without.signals[signal] <= high


def more(signal: str, by: float) -> Effect:
    return lambda with_it, without: with_it.signals[signal] - without.signals[signal] == approx(by, abs=1e-6)


def now(signal: str, value: float) -> Effect:
    return lambda with_it, without: with_it.signals[signal] == approx(value) != without.signals[signal]


def same(*signals: str) -> Effect:
    return lambda with_it, without: all(with_it.signals[s] == without.signals[s] for s in signals)


# Planted ten minutes after the start, looked at half an hour after it: 1800 - 600 = 1200 seconds later.
EFFECTS: dict[str, tuple[Effect, ...]] = {
    "idle": (now("utilisation", 0), now("job_active", 0), now("throttle_idle", 1), now("power", 72),
             same("memory_used")),
    "hung": (now("utilisation", 0), now("sm_clock", 345e6), share("steps", 0.9, 0.9999),
             same("memory_used", "job_active")),
    "hang": (now("utilisation", 1), now("tensor_activity", 0), share("power", 0.15, 0.35), share("steps", 0.9, 0.9999)),
    "hot": (now("temperature", 88), now("temperature_margin", 4), same("sm_clock", "power", "throttle_hw_thermal")),
    "throttle": (now("throttle_hw_thermal", 1), share("sm_clock", 0.59, 0.61), now("temperature", 92),
                 now("throttled_time_thermal", 1200), same("utilisation")),
    "power-cap": (now("throttle_sw_power", 1), now("power_limit", 490), now("power", 487.55),
                  now("throttled_time_power", 1200)),
    "leak": (lambda a, b: a.signals["framework_memory_in_use"] - b.signals["framework_memory_in_use"]
             == approx(8 * GIB / 3, abs=2**20), lambda a, b: a.signals["memory_used"] >= b.signals["memory_used"]),
    "foreign": (more("memory_used", 12 * GIB), more("memory_free", -12 * GIB), same("framework_memory_in_use")),
    "slack": (lambda a, _: a.signals["framework_memory_in_use"] / a.signals["memory_used"] == approx(0.25, abs=0.01),
              share("memory_used", 1.1, 1.6)),
    "input-stall": (share("utilisation", 0.38, 0.42), share("steps_per_second", 0.39, 0.41),
                    lambda a, b: a.signals["input_wait"] - b.signals["input_wait"] == approx(1200 * (0.6 - 0.03))),
    "straggler": (share("sm_clock", 0.69, 0.71), share("steps_per_second", 0.69, 0.71), same("utilisation")),
    "xid": (now("xid", 79),),
    "ecc-corrected": (now("ecc_corrected", 2400),),
    "ecc-uncorrected": (now("ecc_uncorrected", 2), same("ecc_corrected")),
    "remap-pending": (now("row_remap_pending", 1), now("rows_remapped_uncorrected", 1), same("row_remap_failure")),
    "remap-failed": (now("row_remap_failure", 1), same("row_remap_pending")),
    "nvlink-errors": (now("nvlink_errors", 600),),
    "pcie-replays": (more("pcie_replay", 600),),
    "lost": (lambda a, b: not a.signals and b.signals,),
    "duplicate-hpc": (same("memory_used", "power"),),
    "duplicate-vgpu": (same("power", "framework_memory_in_use"),
        lambda a, b: a.signals["memory_used"] - b.signals["memory_used"] == 4 * 2**30),
}  # fmt: skip
ON_NODES = {"exporter-down", "node-down", "clock-skew", "label-change"}


def fleet(*faults: str, **more: object) -> Fleet:
    return Fleet(nodes=3, cards=3, steady=True, faults=faults, **more)  # type: ignore[arg-type]


def test_every_kind_is_looked_at() -> None:
    assert EFFECTS.keys() | ON_NODES == KINDS.keys()


@pytest.mark.parametrize("kind", EFFECTS)
@pytest.mark.parametrize("place", ["node-0/gpu-1", "node-2/gpu-0"])
def test_a_fault_of_a_card(kind: str, place: str) -> None:
    node, _, index = place.partition("/gpu-")
    planted, healthy = fleet(f"{kind}:{place}@10m"), fleet()
    t = planted.start + 1800
    found, normal = truth(planted, t), truth(healthy, t)
    for position, effect in enumerate(EFFECTS[kind]):
        assert effect(found.card(node, index), normal.card(node, index)), f"effect {position} of {kind}"
    assert [(c.node, c.gpu) for c in found.with_fault(kind)] == [(node, index)]
    others = [c for c in found.cards if (c.node, c.gpu) != (node, index)]
    assert others == [c for c in normal.cards if (c.node, c.gpu) != (node, index)]
    before = planted.start + 599
    assert truth(planted, before).cards == truth(healthy, before).cards


@pytest.mark.parametrize("kind", sorted(EFFECTS.keys() - {"xid", "ecc-uncorrected"}))
def test_a_fault_ends(kind: str) -> None:
    ended = truth(fleet(f"{kind}:node-0/gpu-1@10m+10m"), fleet().start + 3600).card("node-0", "1")
    normal = truth(fleet(), fleet().start + 3600).card("node-0", "1")
    assert ended.faults == ()
    gauges = ("utilisation", "power", "temperature", "sm_clock", "memory_free", "xid", "row_remap_pending")
    if kind != "leak":  # what has leaked stays until the job ends
        assert {s: ended.signals[s] for s in gauges} == {s: normal.signals[s] for s in gauges}


def test_an_xid_stays_until_the_exporter_restarts() -> None:
    planted = fleet("xid=31:node-0/gpu-0@10m+1m", "xid=79:node-0/gpu-0@20m+1m", "exporter-down:node-0@50m+1m")
    at = {m: truth(planted, planted.start + 60 * m).card("node-0", "0").signals["xid"] for m in (5, 15, 25, 49, 52)}
    assert at == {5: 0, 15: 31, 25: 79, 49: 79, 52: 0}


def test_a_lost_card_has_no_series_and_no_rank() -> None:
    planted = fleet("lost:node-0/gpu-1@10m+10m")
    uuid = planted.layout[0].cards[1].uuid
    for minute, there in ((9, True), (15, False), (21, True)):
        t = planted.start + 60 * minute
        assert (uuid in planted.exposition("node-0", t)) is there
        assert bool(planted.exposition("node-0", t, "train-1")) is there
        assert planted.exposition("node-0", t, "train-0")


def test_exporters_and_nodes_that_are_down_do_not_answer() -> None:
    planted = fleet("exporter-down:node-0@10m+5m", "node-down:node-1@10m+5m")
    t = planted.start + 700
    silent = {target.path for target in planted.targets(t) if planted.page(target.path, t) is None}
    assert silent == {"node-0/gpu", *(f"node-1/{e}" for e in ("gpu", "host", "train-0", "train-1", "train-2"))}
    found = truth(planted, t)
    assert [n.node for n in found.nodes if not n.answers] == ["node-0", "node-1"]
    assert all(planted.page(target.path, t + 300) for target in planted.targets(t + 300))


def test_a_clock_is_off() -> None:
    planted = fleet("clock-skew=0.25:node-1@10m+5m")
    offsets = [[n.signals["clock_offset"] for n in truth(planted, planted.start + t).nodes] for t in (0, 700, 1000)]
    assert offsets[0] == offsets[2]
    assert [b - a for a, b in zip(*offsets[:2], strict=True)] == approx([0, 0.25, 0], abs=1e-6)


@pytest.mark.parametrize(("kind", "label"), [("duplicate-hpc", "hpc_job"), ("duplicate-vgpu", "vgpu")])
def test_duplicates_tell_the_same_of_one_card(kind: str, label: str) -> None:
    planted = fleet(f"{kind}:node-0/gpu-1")
    lines = planted.exposition("node-0", planted.start + 3600).splitlines()
    copies = [line for line in lines if line.startswith("DCGM_FI_DEV_POWER_USAGE{") and f"{label}=" in line]
    assert len(copies) == 2
    assert len({line.split()[-1] for line in copies}) == 1
    assert all('gpu="1"' in line for line in copies)


def test_an_idle_instance_of_a_card_in_mig_mode() -> None:
    planted = fleet("idle:node-2/gpu-0", mig=["node-2/gpu-0"])
    found = truth(planted, planted.start + 3600)
    assert {i.signals["utilisation"] for i in found.instances} == {0}
    assert sum(i.signals["memory_used"] for i in found.instances) == found.value("memory_used", "node-2", "0")

"""Every fault of the simulator fires exactly the alerts of this table, and a healthy fleet none."""

from __future__ import annotations

import pytest

from builder.simulate import KINDS, Fleet
from tests.rules.firing import fired

pytestmark = pytest.mark.live
CARD, ALL_CARDS, NODE = "node-0/gpu-1", "node-0/gpu-*", "node-0"
HOT = ("GpuTemperatureNotice", "GpuTemperatureHigh")
TOO_HOT = (*HOT, "GpuTemperatureCritical", "GpuNearSlowdownTemperature", "GpuMemoryTemperatureHigh")


def on_card(*alerts: str) -> set[str]:
    return {f"{alert} node-0/1" for alert in alerts}


FAULTS: dict[str, set[str]] = {
    f"idle:{CARD}": on_card("GpuIdleButAllocated"),
    f"hung:{CARD}": {*on_card("GpuIdleButAllocated", "GpuUtilisationDropped"), "TrainingHung job"},
    f"hang:{ALL_CARDS}": {*(f"GpuCollectiveHang node-0/{n}" for n in range(4)), "TrainingHung job"},
    f"hot:{CARD}": on_card(*HOT),
    f"hot=93:{CARD}": on_card(*TOO_HOT),
    f"throttle:{CARD}": {*on_card(*TOO_HOT, "GpuThermalSlowdown"), "TrainingStraggler job 1"},
    f"power-cap:{CARD}": on_card("GpuPowerCappedBelowPeers"),
    f"leak:{CARD}": on_card("GpuMemoryLeak"),
    f"foreign:{CARD}": on_card("GpuMemoryGapGrowing"),
    f"slack:{CARD}": on_card("GpuMemoryGapGrowing"),
    f"input-stall:{ALL_CARDS}": {"TrainingInputStall job"},
    f"straggler:{CARD}": {"TrainingStraggler job 1"},
    f"xid:{CARD}": {"GpuXidCritical node-0/1/79"},
    f"xid=31:{CARD}": {"GpuXidWarning node-0/1/31"},
    f"xid=43:{CARD}": set(),
    f"ecc-corrected:{CARD}": on_card("GpuEccCorrectedStorm"),
    f"ecc-uncorrected:{CARD}": on_card("GpuEccUncorrected"),
    f"remap-pending:{CARD}": on_card("GpuRowRemapPending"),
    f"remap-failed:{CARD}": on_card("GpuRowRemapFailed"),
    f"nvlink-errors:{CARD}": on_card("GpuNvlinkErrors"),
    f"pcie-replays:{CARD}": on_card("GpuPcieReplays"),
    f"lost:{CARD}": {*on_card("GpuLost"), "GpuNodeCardsMissing node-0"},
    f"duplicate-hpc:{CARD}": set(),
    f"duplicate-vgpu:{CARD}": on_card("GpuMemoryGapGrowing"),  # the other pod's memory
    f"exporter-down:{NODE}": {"GpuExporterDown node-0", "GpuNodeCardsMissing node-0"},
    f"node-down:{NODE}": {"GpuExporterDown node-0", "GpuNodeCardsMissing node-0"},
    f"clock-skew=40:{NODE}": {"HostClockOff node-0"},
    f"label-change:{NODE}": set(),
}


def test_every_kind_of_fault_is_in_the_table() -> None:
    assert {fault.partition(":")[0].partition("=")[0] for fault in FAULTS} == set(KINDS)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fires_exactly_its_alerts(fault: str) -> None:
    # Two nodes, for a job on all four cards of the first one: a straggler needs peers.
    fleet = Fleet(nodes=2, cards=4, job_hours=8, faults=[f"{fault}@72m"])
    assert fired(fleet, hours=2.4) == FAULTS[fault]


@pytest.mark.parametrize(
    ("profile", "training", "more"),
    [
        ("dcgm", "probe", {}),
        ("dcgm", "probe", {"mig": ["node-0/gpu-0"]}),
        ("dcgm", "probe", {"model": "v100"}),
        ("dcgm", "none", {"counters": "default", "kubernetes": False}),
        ("dcgm-4.9", "probe", {}),
        ("nvidia-smi", "probe", {}),
        ("nv-gpu", "tf-snippet", {}),
        ("nvidia-gpu", "tf-snippet", {}),
    ],
)
def test_a_healthy_fleet_fires_nothing(profile: str, training: str, more: dict[str, object]) -> None:
    """Jobs of an hour come and go meanwhile, with their compiling, evaluations and checkpoints."""
    fleet = Fleet(nodes=2, cards=2, job_hours=1, profile=profile, training=training, **more)  # type: ignore[arg-type]
    assert fired(fleet, hours=4) == set()

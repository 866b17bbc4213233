"""Every fault of the simulator fires exactly the alerts of this table, and a healthy fleet none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builder.alerting import alert_groups
from builder.config import Config
from builder.rules.encode import rule_file
from builder.rules.model import AlertRule, Severity
from builder.rules.stages import Stage
from builder.simulate import KINDS, Fleet, history
from builder.testing import Alertmanager, Notification, Prometheus, WebhookReceiver
from tests.rules.alertmanager.settings import settings, written
from tests.rules.firing import Firing, fired

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


CHANNELS = """
alertmanager:
  pager: on-call
  chat: team
  info: log
  other: desk
  group_wait: 5s
  receivers:
    on-call: {{webhook: {{url: "{url}/pager"}}}}
    team: {{webhook: {{url: "{url}/chat"}}}}
    log: {{webhook: {{url: "{url}/info"}}}}
    desk: {{webhook: {{url: "{url}/other"}}}}
"""
"""The wait is long enough for what arrives together to be told together where the machine stalls."""


@dataclass(frozen=True)
class Desk:
    """An Alertmanager with our routes, and everybody that it tells."""

    alertmanager: Alertmanager
    people: WebhookReceiver

    def await_alerts(self, count: int) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 120
        while len(alerts := self.alertmanager.alerts()) < count:
            assert time.monotonic() < deadline, alerts
            time.sleep(0.05)
        return alerts

    def await_messages(self, count: int) -> tuple[Notification, ...]:
        return self.people.wait(lambda seen: len(seen) >= count, timeout=120)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with WebhookReceiver() as people:
        chosen = settings(CHANNELS.format(url=people.url))
        with Alertmanager(written(chosen, tmp_path)) as alertmanager:
            yield Desk(alertmanager, people)


@cache
def found(fault: str) -> tuple[Firing, ...]:
    # Two nodes, for a job on all four cards of the first one: a straggler needs peers.
    return tuple(fired(Fleet(nodes=2, cards=4, job_hours=8, faults=[f"{fault}@72m"]), hours=2.4))


def test_every_kind_of_fault_is_in_the_table() -> None:
    assert {fault.partition(":")[0].partition("=")[0] for fault in FAULTS} == set(KINDS)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fires_exactly_its_alerts(fault: str) -> None:
    assert set(map(str, found(fault))) == FAULTS[fault]


TOLD: dict[str, set[str]] = {
    f"idle:{CARD}": {"pager: GpuIdleButAllocated"},
    f"hung:{CARD}": {"pager: GpuIdleButAllocated", "pager: TrainingHung"},
    f"hang:{ALL_CARDS}": {f"pager: {', '.join(['GpuCollectiveHang'] * 4)}", "pager: TrainingHung"},
    f"hot:{CARD}": {"info: GpuTemperatureNotice", "chat: GpuTemperatureHigh"},
    f"hot=93:{CARD}": {"pager: GpuTemperatureCritical"},
    f"throttle:{CARD}": {"pager: GpuTemperatureCritical", "chat: TrainingStraggler"},
    f"power-cap:{CARD}": {"chat: GpuPowerCappedBelowPeers"},
    f"leak:{CARD}": {"chat: GpuMemoryLeak"},
    f"foreign:{CARD}": {"chat: GpuMemoryGapGrowing"},
    f"slack:{CARD}": {"chat: GpuMemoryGapGrowing"},
    f"input-stall:{ALL_CARDS}": {"chat: TrainingInputStall"},
    f"straggler:{CARD}": {"chat: TrainingStraggler"},
    f"xid:{CARD}": {"pager: GpuXidCritical"},
    f"xid=31:{CARD}": {"chat: GpuXidWarning"},
    f"xid=43:{CARD}": set(),
    f"ecc-corrected:{CARD}": {"chat: GpuEccCorrectedStorm"},
    f"ecc-uncorrected:{CARD}": {"pager: GpuEccUncorrected"},
    f"remap-pending:{CARD}": {"chat: GpuRowRemapPending"},
    f"remap-failed:{CARD}": {"pager: GpuRowRemapFailed"},
    f"nvlink-errors:{CARD}": {"chat: GpuNvlinkErrors"},
    f"pcie-replays:{CARD}": {"chat: GpuPcieReplays"},
    f"lost:{CARD}": {"pager: GpuLost", "chat: GpuNodeCardsMissing"},
    f"duplicate-hpc:{CARD}": set(),
    f"duplicate-vgpu:{CARD}": {"chat: GpuMemoryGapGrowing"},
    f"exporter-down:{NODE}": {"pager: GpuExporterDown"},
    f"node-down:{NODE}": {"pager: GpuExporterDown"},
    f"clock-skew=40:{NODE}": {"chat: HostClockOff"},
    f"label-change:{NODE}": set(),
}
"""The messages that people get: one for each node or job and severity, to whom that severity goes."""

COOLER = {alert for alert in TOO_HOT if alert != "GpuTemperatureCritical"}
SILENCED: dict[str, set[str]] = {
    f"hung:{CARD}": {"GpuUtilisationDropped"},  # critical on the same card says more
    f"hot=93:{CARD}": COOLER,
    f"throttle:{CARD}": {*COOLER, "GpuThermalSlowdown"},
    f"exporter-down:{NODE}": {"GpuNodeCardsMissing"},  # of a silent node nothing more is to be said
    f"node-down:{NODE}": {"GpuNodeCardsMissing"},
}


def test_people_are_told_once_and_of_what_matters(desk: Desk) -> None:
    """All faults at once, each in a cluster of its own, as a Prometheus sends what it found on the histories."""
    of = {f"cluster-{number}": fault for number, fault in enumerate(FAULTS)}
    sent = [each.sent | {"cluster": cluster} for cluster, fault in of.items() for each in found(fault)]
    desk.alertmanager.fire(sent)
    desk.await_messages(sum(map(len, TOLD.values())))
    silenced: dict[str, set[str]] = {fault: set() for fault in FAULTS}
    for alert in desk.alertmanager.alerts():
        if alert["status"]["inhibitedBy"]:
            silenced[of[alert["labels"]["cluster"]]].add(alert["labels"]["alertname"])
    assert {fault: names for fault, names in silenced.items() if names} == SILENCED
    # Another's alert, later than ours: when it has arrived, all that we are told of has, too.
    desk.alertmanager.fire([{"alertname": "Fence"}])
    messages = desk.await_messages(sum(map(len, TOLD.values())) + 1)
    told: dict[str, list[str]] = {fault: [] for fault in FAULTS}
    for message in messages:
        if message.path != "/other":
            told[of[message.group["cluster"]]].append(f"{message.path[1:]}: {', '.join(message.names())}")
    assert {fault: sorted(each) for fault, each in told.items()} == {f: sorted(each) for f, each in TOLD.items()}
    assert len(messages) == sum(map(len, TOLD.values())) + 1


def test_a_fault_goes_all_the_way(desk: Desk) -> None:
    """A card too hot now: exporter's history, Prometheus with our rules, Alertmanager, and who is told.

    The conditions have been true for long when Prometheus starts, which cannot know it: they hold at once here. What
    silences the others comes first, since on a slow machine they might have been told of before it was there.
    """
    fault = f"hot=93:{CARD}"
    start = time.time() // 60 * 60 - 2.4 * 3600
    fleet = Fleet(nodes=2, cards=4, job_hours=8, start=start, faults=[f"{fault}@72m"])
    past = history(fleet, begin=start, end=start + 3 * 3600)  # and what comes, as long as the test may last
    (heat,) = [group for group in alert_groups(Config(), Stage.FULL) if group.name == "gpuboards-temperature"]
    rules = [replace(rule, hold=0, keep=0) for rule in heat.rules if isinstance(rule, AlertRule)]
    rules.sort(key=lambda rule: rule.severity is not Severity.CRITICAL)
    at_once = replace(heat, interval=1, rules=tuple(rules))
    with Prometheus(history=past, rules=rule_file([at_once]), alertmanager=desk.alertmanager.url):
        alerts = desk.await_alerts(len(found(fault)))
        desk.alertmanager.fire([{"alertname": "Fence"}])
        messages = desk.await_messages(2)
    messages = sorted(messages, key=lambda message: message.path, reverse=True)
    assert [(m.path, m.names()) for m in messages] == [("/pager", ["GpuTemperatureCritical"]), ("/other", ["Fence"])]
    by_name = {alert["labels"]["alertname"]: alert for alert in alerts}
    assert {name: alert["labels"] for name, alert in by_name.items()} == {e.rule.alert: e.sent for e in found(fault)}
    assert {name for name, alert in by_name.items() if alert["status"]["inhibitedBy"]} == COOLER
    (told,) = messages[0].data["alerts"]
    assert told["annotations"]["summary"].startswith("GPU 1 on node-0")
    assert "{{" not in "".join(told["annotations"].values())


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
    assert fired(fleet, hours=4) == []

"""What boards read out of a simulated scrape, by the catalogue, is what is true of the fleet."""

from __future__ import annotations

import pytest
from pytest import approx

from builder.catalog.model import Kind
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.catalog.signals import SIGNALS
from builder.simulate import CardTruth, Fleet, Truth, truth
from builder.simulate.exposition.schemes import SCHEMES
from tests.simulate.reading import Reading, canonical, readings, series

FAULTS = (
    "throttle:node-0/gpu-0@10m",
    "power-cap:node-0/gpu-1@10m",
    "xid=48:node-0/gpu-2@50m",
    "ecc-corrected:node-0/gpu-2@30m",
    "ecc-uncorrected:node-0/gpu-2@30m",
    "remap-pending:node-0/gpu-3",
    "remap-failed:node-0/gpu-3",
    "nvlink-errors:node-0/gpu-3@30m",
    "pcie-replays:node-0/gpu-3@30m",
    "foreign:node-1/gpu-1",
)
WAYS = [
    *((profile, scheme, "h100") for profile in SCHEMES for scheme in SCHEMES[profile]),
    ("dcgm", "B", "v100"),
    ("dcgm", "B", "a100"),
    ("dcgm", "B", "rtx-4090"),
    ("dcgm", "C", "v100"),
    ("dcgm-4.9", "D", "v100"),
    ("dcgm-4.9", "D", "rtx-4090"),
    ("nvidia-smi", "event", "v100"),
    ("nvidia-smi", "event", "rtx-4090"),
]
MOMENT = 3517.0


def _fleet(profile: str, scheme: str, model: str) -> Fleet:
    mig = ["node-1/gpu-0"] if model in ("h100", "a100") else []
    return Fleet(nodes=2, cards=4, profile=profile, scheme=scheme, model=model, mig=mig, faults=FAULTS)


def _true(found: Truth, reading: Reading) -> CardTruth:
    """Whom the labels mean."""
    labels, mig = reading.labels, reading.labels.get("mig", "")
    (card,) = [
        c
        for c in (found.instances if mig else found.cards)
        if c.mig == mig
        and (c.uuid == labels["uuid"] if "uuid" in labels else (c.node, c.gpu) == (labels["node"], labels["gpu"]))
    ]
    return card


@pytest.mark.parametrize(("profile", "scheme", "model"), WAYS)
@pytest.mark.parametrize("node", ["node-0", "node-1"])
def test_signals_of_cards(profile: str, scheme: str, model: str, node: str) -> None:
    fleet = _fleet(profile, scheme, model)
    t = fleet.start + MOMENT
    found = truth(fleet, t)
    seen = 0
    for reading in readings(fleet, GPU_PROFILES[profile], f"{node}/gpu", t):
        card = _true(found, reading)
        where = (reading.signal, reading.metric, card.node, card.gpu, card.mig)
        if reading.signal == "xid_errors":
            assert (reading.labels["xid"], reading.value) == ("48", 1), where
        elif reading.signal == "process_memory":
            assert reading.value <= card.signals["memory_used"], where
        elif reading.signal == "pod_memory":  # no card is shared, so that a pod has the card's value
            assert reading.value == approx(card.signals["memory_used"], abs=1e-6), where
        elif reading.metric == "nvidia_smi_power_default_limit_watts":
            assert reading.value == 700 if model == "h100" else reading.value > 0, where
        else:
            assert reading.value == approx(card.signals[reading.signal], abs=1e-6), where
        seen += 1
    assert seen >= {"nv-gpu": 10, "nvidia-gpu": 25}.get(profile, 90)


@pytest.mark.parametrize(("profile", "scheme", "model"), WAYS)
def test_labels_of_cards(profile: str, scheme: str, model: str) -> None:
    fleet = _fleet(profile, scheme, model)
    t = fleet.start + MOMENT
    found = truth(fleet, t)
    pods = set()
    for reading in readings(fleet, GPU_PROFILES[profile], "node-1/gpu", t):
        card = _true(found, reading)
        for name, value in reading.labels.items():
            if name == "node" and scheme == "A0":
                assert value.startswith("dcgm-exporter-")  # the exporter's pod, as it was before 3.1.3
            elif name in ("node", "uuid", "model", "mig") or (name == "gpu" and scheme != "throttle"):
                assert value == getattr(card, name)
            elif name == "pod":
                assert value == card.pod
                pods.add(value)
    expected = {c.pod for c in found.devices if c.node == "node-1" and c.pod}
    assert pods == (expected if profile.startswith("dcgm") else set())


def test_every_metric_of_every_gpu_profile_is_exposed_by_some_fleet() -> None:
    for profile in GPU_PROFILES.values():
        exposed = set()
        for name, scheme, model in WAYS:
            if name == profile.name:
                fleet = _fleet(name, scheme, model)
                t = fleet.start + MOMENT
                exposed |= {s.name for node in ("node-0", "node-1") for s in series(fleet, f"{node}/gpu", t)}
        known = {
            m.name
            for metrics in profile.signals.values()
            for m in metrics
            if not m.sum_of and _of_this(profile.name, m.name)
        }
        assert known - exposed == NOT_EXPOSED.get(profile.name, set())


def _of_this(profile: str, metric: str) -> bool:
    """The 4.9 profile also reads the classic names, which only a counters file from before 4.9 exports."""
    return profile != "dcgm-4.9" or not any(
        metric == m.name for s in ("utilisation", "temperature", *_RENAMED) for m in GPU_PROFILES["dcgm"].signals[s]
    )


_RENAMED = [
    signal
    for signal, metrics in GPU_PROFILES["dcgm-4.9"].signals.items()
    if metrics[0].name != GPU_PROFILES["dcgm"].signals[signal][0].name
]
NOT_EXPOSED = {
    # The old name of the mask, of exporters before 3.5.
    "dcgm-4.9": {"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"},
}


@pytest.mark.parametrize("path", ["node-0/train-0", "node-0/train-2", "node-1/train-1"])
def test_signals_of_training(path: str) -> None:
    fleet = Fleet(nodes=2, cards=4, faults=["leak:node-0/gpu-2", "input-stall:node-1/gpu-1"])
    t = fleet.start + MOMENT
    found = truth(fleet, t)
    node, _, index = path.partition("/train-")
    card = found.card(node, index)
    phases: list[float] = []
    seen = set()
    for reading in readings(fleet, TRAINING_PROFILES["probe"], path, t):
        if "uuid" in reading.labels:
            assert reading.labels["uuid"] == card.uuid
        assert (reading.labels["node"], reading.labels["pod"]) == (card.node, card.pod)
        if reading.signal == "phase_time":
            phases.append(reading.value)
        else:
            assert reading.value == approx(card.signals[reading.signal], abs=1e-6), reading
        seen.add(reading.signal)
    assert (len(phases), sum(phases)) == (4, approx(card.signals["phase_time"], abs=0.01))
    expected = {s for s in TRAINING_PROFILES["probe"].signals if SIGNALS[s].kind is not Kind.INFO}
    # Nothing fails inside a simulated probe, nothing ends or is resumed, and TensorFlow does not tell its pool.
    assert expected - seen <= {"framework_memory_pool", "probe_errors", "job_ended", "global_step"}
    assert ("framework_memory_pool" in seen) == ("framework_memory_pool" in card.signals)


def test_signals_of_the_snippet() -> None:
    fleet = Fleet(nodes=2, cards=4, profile="nv-gpu", training="tf-snippet")
    t = fleet.start + MOMENT
    found = truth(fleet, t)
    cards = [c for c in found.cards if c.node == "node-0"]
    seen = list(readings(fleet, TRAINING_PROFILES["tf-snippet"], "node-0/train", t))
    memory = {r.labels["gpu"]: r.value for r in seen if r.signal == "framework_memory_in_use"}
    assert memory == {c.gpu: c.signals["framework_memory_in_use"] for c in cards}
    (records,) = [r.value for r in seen if r.signal == "records"]
    assert records == sum(c.signals["records"] for c in cards)
    (speed,) = [r.value for r in seen if r.signal == "steps_per_second"]
    assert speed == approx(sum(c.signals["steps_per_second"] for c in cards) / len(cards), abs=1e-6)


def test_signals_of_hosts() -> None:
    fleet = Fleet(nodes=2, cards=4, mig=["node-1/gpu-0"], faults=["clock-skew:node-1", "input-stall:node-0/gpu-0@5m"])
    t = fleet.start + MOMENT
    for node in ("node-0", "node-1"):
        host = truth(fleet, t).node(node)
        for reading in readings(fleet, HOST_PROFILES["node-exporter"], f"{node}/host", t):
            assert reading.labels["node"] == node
            assert reading.value == approx(host.signals[reading.signal], rel=1e-9), reading
    assert truth(fleet, t).node("node-1").signals["clock_offset"] == approx(1.5, abs=0.01)


def test_pods_and_nodes_of_kube_state_metrics() -> None:
    fleet = Fleet(nodes=3, cards=4, mig=["node-2/gpu-0"])
    t = fleet.start + MOMENT
    found = truth(fleet, t)
    profile = HOST_PROFILES["node-exporter"]
    page = fleet.page("kube-state-metrics", t)
    assert page
    samples = {(f.name, labels): value for f in page for _, labels, value in f.samples}
    seen: dict[str, dict[tuple[str, ...], float]] = {}
    for (name, labels), value in samples.items():
        known = canonical(profile, dict(labels.pairs))
        if name == profile.signals["gpu_requests"][0].name and ("resource", "nvidia_com_gpu") in labels.pairs:
            seen.setdefault("requests", {})[known["node"], known["namespace"], known["pod"]] = float(value)
        if name == profile.signals["pod_labels"][0].name:
            seen.setdefault("jobs", {})[known["pod"], known["job_name"]] = 1
        if name == profile.signals["node_gpus"][0].name:
            seen.setdefault("nodes", {})[(known["node"],)] = float(value)
    held: dict[tuple[str, ...], float] = {}
    for card in found.cards:
        if card.pod and not any((i.node, i.gpu) == (card.node, card.gpu) for i in found.instances):
            key = (card.node, card.namespace, card.pod)
            held[key] = held.get(key, 0) + 1
    assert seen["requests"] == held
    assert seen["jobs"] == {(c.pod, c.job): 1 for c in found.devices if c.pod}
    assert (
        seen["nodes"]
        == {(n.node,): n.signals["node_gpus"] for n in found.nodes}
        == {
            ("node-0",): 4,
            ("node-1",): 4,
            ("node-2",): 3,
        }
    )

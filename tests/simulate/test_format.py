"""The text is what the exporters write: families, types, label order and numbers of the recorded fixtures."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client.utils import floatToGoString

from builder.simulate import Fleet
from builder.simulate.exposition.page import Family, Labels, go_number, python_number, write
from builder.testing import parse_exposition

SCRAPES = Path(__file__).parents[1] / "scrapes"
MOMENT = 3600

LINE = re.compile(r"^(\w+)\{(.*)\} (\S+)$")
Shape = dict[str, tuple[str, set[tuple[str, ...]], bool]]


def shape(text: str) -> Shape:
    """Of each metric: its type, the orders of its labels, and whether its numbers have six decimals."""
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    found: Shape = {}
    for name, labels, value in filter(None, (match and match.groups() for match in map(LINE.match, text.splitlines()))):
        _, orders, _ = found.setdefault(name, (types.get(name, ""), set(), bool(re.search(r"\.\d{6}$", value))))
        orders.add(tuple(re.findall(r'(\w+)="', labels)))
    return found


def simulated(node: str, **fleet: object) -> str:
    """In node-0 all cards have a pod, in node-1 the second has none."""
    made = Fleet(nodes=2, cards=2, **fleet)  # type: ignore[arg-type]
    return made.exposition(node, made.start + MOMENT)


@dataclass(frozen=True)
class Case:
    """A fleet that answers like a fixture, and the fixture's metrics that it lacks, which no board reads."""

    node: str
    fleet: Mapping[str, object]
    lacks: frozenset[str] = frozenset()


def case(node: str = "node-1", lacks: str = "", **fleet: object) -> Case:
    """Helm's counters file unless another is asked for: it is the shortest, and has no driver label."""
    return Case(node, {"counters": "helm", **fleet}, frozenset(lacks.split()))


_LINK = "nvidia_smi_pcie_link_gen_current nvidia_smi_pcie_link_width_current"
_REASONS = "nvidia_smi_clocks_event_reasons_counters"
CASES: Mapping[str, Case] = {
    "dcgm_A0_k8s_2gpu": case(scheme="A0"),
    "dcgm_A_le3.1.8_k8s_2gpu": case(scheme="A", counters="extended"),
    "dcgm_Aprime_3.4.2_k8s_2gpu": case(scheme="A'", counters="default"),
    "dcgm_B_3.3.7-to-4.8.2_k8s_2gpu": case(counters="default"),
    "dcgm_B_helm_k8s_node2": case("node-0"),
    "dcgm_B_extended_node2": case(
        "node-0",
        "DCGM_EXP_GPU_HEALTH_STATUS DCGM_EXP_XID_ERRORS_TOTAL DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL "
        "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL "
        # Pages are retired before Ampere; this card remaps rows.
        "DCGM_FI_DEV_RETIRED_DBE DCGM_FI_DEV_RETIRED_PENDING DCGM_FI_DEV_RETIRED_SBE",
        counters="extended",
        faults=["xid:node-0/gpu-1@59m", "throttle:node-0/gpu-1"],
    ),
    "dcgm_B_baremetal_node4": case(counters="default", kubernetes=False),
    "dcgm_B_old_namespace_k8s": case(scheme="old-namespace"),
    "dcgm_B_hpc_2jobs_on_gpu0": case(kubernetes=False, faults=["duplicate-hpc:node-1/gpu-0"]),
    "dcgm_B_vgpu_4.8.2": case("node-0", faults=["duplicate-vgpu:node-0/gpu-0"]),
    "dcgm_B_mig_1of2gpus": case(counters="default", mig=["node-1/gpu-0"]),
    "dcgm_B_geforce": case(counters="default", kubernetes=False, model="rtx-4090"),
    "dcgm_C_4.8.3-4.8.4_k8s_2gpu": case(counters="default", scheme="C"),
    "dcgm_D_4.9_k8s_2gpu": case(counters="extended", profile="dcgm-4.9"),
    "nvidia_gpu_exporter_node1": case(
        "node-1",
        f"{_REASONS}_hw_power_brake_slowdown_seconds {_REASONS}_sync_boost_seconds {_LINK} "
        "nvidia_smi_ecc_errors_corrected_aggregate_total nvidia_smi_ecc_errors_uncorrected_aggregate_total",
        counters="extended",
        profile="nvidia-smi",
    ),
    "nvidia_gpu_exporter_old_throttle": case(
        "node-1", _LINK, counters="default", profile="nvidia-smi", scheme="throttle", model="rtx-4090"
    ),
    "nv_gpu_names": case(counters="default", profile="nv-gpu"),
    "nvidia_gpu_names": case(counters="default", profile="nvidia-gpu"),
}


@pytest.mark.parametrize("fixture", CASES)
def test_metrics_look_as_in_the_fixture(fixture: str) -> None:
    known = CASES[fixture]
    ours = shape(simulated(known.node, **known.fleet))
    theirs = shape((SCRAPES / f"{fixture}.prom").read_text())
    assert theirs.keys() - ours.keys() == known.lacks
    # Since 4.8.3 numbers are as short as they can be, which the hand-written files are not.
    by_hand = known.fleet.get("scheme") == "C" or known.fleet.get("profile") == "dcgm-4.9"
    for name in ours.keys() & theirs.keys():
        type_, orders, decimals = ours[name]
        if fixture == "dcgm_B_extended_node2":
            # The fixture has no driver label, and the types that the exporter's own counts have since 4.8.3.
            type_ = "gauge" if name.startswith("DCGM_EXP_") else type_
            orders = {tuple(label for label in order if label != "DCGM_FI_DRIVER_VERSION") for order in orders}
        assert (type_, orders, decimals or by_hand) == (*theirs[name][:2], theirs[name][2] or by_hand), name


def test_families_of_4_8_3_are_sorted() -> None:
    names = re.findall(r"^# TYPE (\w+)", simulated("node-0", scheme="C"), re.MULTILINE)
    assert names == sorted(names)
    assert names.index("DCGM_EXP_XID_ERRORS_COUNT") < names.index("DCGM_FI_DEV_FB_FREE")


def test_the_upgrade_changes_the_host_label_on_the_node_at_the_time() -> None:
    fleet = Fleet(nodes=2, cards=1, faults=["label-change:node-0@1h"])
    before, after = (fleet.exposition("node-0", fleet.start + t) for t in (3599, 3600))
    assert 'Hostname="node-0"' in before
    assert "hostname=" not in before
    assert 'hostname="node-0"' in after
    assert "Hostname=" not in after
    assert 'Hostname="node-1"' in fleet.exposition("node-1", fleet.start + 7200)


@pytest.mark.parametrize("path", ["train-0", "host"])
def test_other_exporters_look_as_in_their_fixtures(path: str) -> None:
    fixture = {"train-0": "train_probe_rank0", "host": "node_exporter"}[path]
    fleet = Fleet(nodes=2, cards=2)
    ours = shape(fleet.exposition("node-0", fleet.start + MOMENT, path))
    theirs = shape((SCRAPES / f"{fixture}.prom").read_text())
    # Records are the examples of the fixture; TensorFlow does not tell its pool; nothing fails inside the probe.
    lacks = {"train_examples_total", "train_device_memory_pool_bytes", "train_probe_errors_total"}
    assert theirs.keys() - ours.keys() <= lacks
    for name in ours.keys() & theirs.keys():
        assert ours[name][0] == theirs[name][0], name
        assert set().union(*theirs[name][1]) <= set().union(*ours[name][1]), name


@pytest.mark.parametrize("profile", ["dcgm", "dcgm-4.9", "nvidia-smi", "nv-gpu", "nvidia-gpu"])
def test_promtool_reads_the_text(profile: str) -> None:
    fleet = Fleet(nodes=1, cards=2, profile=profile, training="tf-snippet")
    for exporter in ("gpu", "host", "train"):
        text = fleet.exposition("node-0", fleet.start + MOMENT, exporter)
        checked = subprocess.run(
            ["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False
        )
        assert checked.returncode in (0, 3), checked.stderr  # 3: naming lint, of names that are not ours to choose


# strconv.FormatFloat(x, 'g', -1, 64), and floatToGoString of prometheus_client, by their authors' own tests.
@pytest.mark.parametrize(
    ("value", "go", "python"),
    [
        (0.0, "0", "0.0"),
        (97, "97", "97.0"),
        (-3, "-3", "-3.0"),
        (642.713, "642.713", "642.713"),
        (0.00012, "0.00012", "0.00012"),
        (0.000012, "1.2e-05", "1.2e-05"),
        (999999, "999999", "999999.0"),
        (1e6, "1e+06", "1e+06"),
        (1234567, "1.234567e+06", "1.234567e+06"),
        (123456.75, "123456.75", "123456.75"),
        (1234567.5, "1.2345675e+06", "1.2345675e+06"),
        (34359738368, "3.4359738368e+10", "3.4359738368e+10"),
        (1.98e9, "1.98e+09", "1.98e+09"),
        (1e21, "1e+21", "1e+21"),
        (-2.5e9, "-2.5e+09", "-2500000000.0"),
    ],
)
def test_numbers(value: float, go: str, python: str) -> None:
    assert go_number(value) == go
    assert float(go) == value
    assert python_number(value) == python == floatToGoString(value)


def test_label_values_are_escaped() -> None:
    family = Family("a_metric", "gauge", "Help.")
    family.add(Labels([("pod", 'a"b\\c\nd')]), "1")
    (sample,) = parse_exposition(write([family]))
    assert sample.labels == {"pod": 'a"b\\c\nd'}
    assert write([Family("nothing", "gauge", "Help.")]) == ""

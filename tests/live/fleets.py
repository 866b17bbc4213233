"""The fleets that tests and the demo look at: recorded exposition, scraped as real installations scrape it.

Each exposition and its planted facts are described in tests/scrapes/README.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from builder.testing import AT, Target, service_monitor, static_target
from builder.testing import history as scraped_history

SCRAPES = Path(__file__).parent.parent / "scrapes"

_ENERGY = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"

NODE_1_SLOPES = {f'{_ENERGY}{{gpu="0"}}': 642_713.0, f'{_ENERGY}{{gpu="1"}}': 72_164.0}
NODE_2_SLOPES = {f'{_ENERGY}{{gpu="0"}}': 120_500.0, f'{_ENERGY}{{gpu="1"}}': 698_250.0}
"""Energy rises by the power drawn: mJ a second, the watts of POWER_USAGE times 1000."""

EXTENDED_SLOPES = {
    **NODE_2_SLOPES,
    'DCGM_FI_DEV_THERMAL_VIOLATION{gpu="1"}': 0.4e9,  # ns a second: hot for 40 % of the time
    'DCGM_FI_DEV_POWER_VIOLATION{gpu="1"}': 0.1e9,
    'DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL{gpu="1"}': 0.1,
    'DCGM_FI_DEV_PCIE_REPLAY_COUNTER{gpu="1"}': 0.2,
}

_THROTTLED = "nvidia_smi_clocks_event_reasons_counters"
_HOT_CARD = '{uuid="12121212-0000-4000-8000-000000000000"}'
SMI_NODE_2_SLOPES = {
    f"{_THROTTLED}_sw_thermal_slowdown_seconds{_HOT_CARD}": 0.4,
    f"{_THROTTLED}_hw_thermal_slowdown_seconds{_HOT_CARD}": 0.25,
    f"{_THROTTLED}_sw_power_cap_seconds{_HOT_CARD}": 0.03,
}

RANK_0_SLOPES = {
    "train_steps_total": 2.0,
    "train_examples_total": 512.0,
    "train_step_duration_seconds_sum": 1.0,
    "train_step_duration_seconds_count": 2.0,
    'train_step_duration_seconds_bucket{le="0.25"}': 0.2,
    'train_step_duration_seconds_bucket{le="0.5"}': 2.0,
    'train_step_duration_seconds_bucket{le="1.0"}': 2.0,
    'train_step_duration_seconds_bucket{le="+Inf"}': 2.0,
    "train_input_wait_seconds_total": 0.25,
}
RANK_1_SLOPES = {**RANK_0_SLOPES, "train_input_wait_seconds_total": 0.6}


def exposition(name: str) -> str:
    """The text of an exposition in tests/scrapes."""
    return (SCRAPES / f"{name}.prom").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Fleet:
    """Scrape targets, and the profiles (catalogue names) that read them.

    ``before`` is what was scraped in the first half of the hour, where that was something else.
    """

    profile: str
    targets: tuple[Target, ...]
    training: str = "none"
    host: str = "none"
    before: tuple[Target, ...] = ()

    def history(self) -> str:
        """An hour of scrapes up to AT, as OpenMetrics text."""
        if not self.before:
            return scraped_history(self.targets)
        first = scraped_history(self.before, at=CHANGE - INTERVAL, seconds=3600 - 1800 - INTERVAL, interval=INTERVAL)
        return first.removesuffix("# EOF\n") + scraped_history(self.targets, seconds=1800, interval=INTERVAL)


INTERVAL = 30
CHANGE = AT - 1800
"""When ``before`` ends and the fleet as it is now begins."""


def _operator(name: str, number: int, slopes: Mapping[str, float] | None = None) -> Target:
    """A dcgm-exporter pod as the Prometheus operator scrapes it."""
    return _exporter(exposition(name), number, slopes)


def _exporter(text: str, number: int, slopes: Mapping[str, float] | None = None) -> Target:
    return service_monitor(
        text,
        pod=f"dcgm-exporter-x7k{number}p",
        instance=f"10.0.3.{number}:9400",
        per_second=slopes or {},
    )


def _changed(name: str, *changes: tuple[str, str]) -> str:
    """An exposition with every regular expression replaced; each must be found."""
    text = exposition(name)
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        assert count, f"{name} has nothing like {pattern}"
    return text


def _host(name: str, node: str, port: int, job: str, slopes: Mapping[str, float] | None = None) -> Target:
    return static_target(exposition(name), job=job, instance=f"{node}:{port}", per_second=slopes or {})


def _training_pod(name: str, pod: str, number: int, slopes: Mapping[str, float]) -> Target:
    return service_monitor(
        exposition(name),
        pod=pod,
        instance=f"10.0.4.{number}:9410",
        job="training",
        namespace="ml",
        container="trainer",
        service="training",
        per_second=slopes,
    )


_TRAINING = (
    _training_pod("train_probe_rank0", "resnet50-worker-0", 1, RANK_0_SLOPES),
    _training_pod("train_probe_rank1", "resnet50-worker-1", 2, RANK_1_SLOPES),
)
_IO = {
    'node_cpu_seconds_total{cpu="0",mode="iowait"}': 0.3,
    'node_cpu_seconds_total{cpu="1",mode="iowait"}': 0.1,
    'node_disk_io_time_seconds_total{device="nvme0n1"}': 0.8,
    'node_disk_read_bytes_total{device="nvme0n1"}': 1e9,
}
_HOST = (
    static_target(
        exposition("node_exporter"),
        job="node-exporter",
        instance="10.0.0.1:9100",
        node="gpu-node-01",
        per_second=_IO,
    ),
    replace(
        service_monitor(
            exposition("kube_state_metrics"), pod="ksm-0", instance="10.0.5.1:8080", job="kube-state-metrics"
        ),
        honor_labels=True,  # as kube-state-metrics is always scraped
    ),
)
_KUBERNETES = (
    _operator("dcgm_B_3.3.7-to-4.8.2_k8s_2gpu", 1, NODE_1_SLOPES),
    _operator("dcgm_B_helm_k8s_node2", 2, NODE_2_SLOPES),
)

_NODE_1, _NODE_2 = "dcgm_B_3.3.7-to-4.8.2_k8s_2gpu", "dcgm_B_extended_node2"
_SINCE = 1800 + INTERVAL
_EARLIER_POD = _changed(
    _NODE_1,
    ('pod="resnet50-worker-0"', 'pod="bert-7"'),
    # The energy counters go on, whichever pod holds the card.
    (" 918273645546$", f" {918_273_645_546 - 642_713 * _SINCE}"),
    (" 120394857261$", f" {120_394_857_261 - 72_164 * _SINCE}"),
)
_ONE_CARD = _changed(_NODE_1, (r'^DCGM_\w+{gpu="1".*\n', ""))
_COOLED = _changed(_NODE_2, (" 108$", " 0"), (r'^(DCGM_FI_DEV_GPU_TEMP{gpu="1".*) 88$', r"\1 40"))
_OLD_REASONS = _changed(_NODE_2, ("CLOCKS_EVENT_REASONS", "CLOCK_THROTTLE_REASONS"))
_EVENT_COUNTS = _changed(_NODE_2, (r"^DCGM_FI_DEV_CLOCKS_EVENT_REASONS.*\n", ""))
# 81960 MiB in all, of which used, free and reserved do not name 40.
_TOTAL = _changed(_NODE_2, (r"^DCGM_FI_DEV_FB_USED({.*}) \d+$", r"\g<0>\nDCGM_FI_DEV_FB_TOTAL\1 81960"))
_SMI_NODE_1 = _host("nvidia_gpu_exporter_node1", "gpu-node-11", 9835, "nvidia_gpu_exporter")
_SMI_ONE_CARD = _changed("nvidia_gpu_exporter_node1", (r'^nvidia_smi_\w+{.*uuid="11111111-[0-9-]+1".*\n', ""))
_RANK_1_ON_CARD_0 = _changed("train_probe_rank1", ('uuid="[^"]+"', 'uuid="GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"'))

FLEETS: Mapping[str, Fleet] = {
    "dcgm": Fleet("dcgm", (*_KUBERNETES, *_TRAINING, *_HOST), training="probe", host="node-exporter"),
    "dcgm-extended": Fleet(
        "dcgm", (_KUBERNETES[0], _operator("dcgm_B_extended_node2", 2, EXTENDED_SLOPES), *_TRAINING), "probe"
    ),
    "dcgm-honor-labels": Fleet("dcgm", tuple(replace(t, honor_labels=True) for t in _KUBERNETES)),
    "dcgm-a0": Fleet("dcgm", (_operator("dcgm_A0_k8s_2gpu", 3),)),
    "dcgm-a": Fleet("dcgm", (_operator("dcgm_A_le3.1.8_k8s_2gpu", 1, NODE_1_SLOPES),)),
    "dcgm-aprime": Fleet("dcgm", (_operator("dcgm_Aprime_3.4.2_k8s_2gpu", 3),)),
    "dcgm-mig": Fleet("dcgm", (_operator("dcgm_B_mig_1of2gpus", 1),)),
    "dcgm-c": Fleet(
        "dcgm",
        (
            _operator("dcgm_C_4.8.3-4.8.4_k8s_2gpu", 1, NODE_1_SLOPES),
            _operator("dcgm_C_node2", 2, NODE_2_SLOPES),
        ),
    ),
    "dcgm-b-and-c": Fleet("dcgm", (_KUBERNETES[0], _operator("dcgm_C_node2", 2, NODE_2_SLOPES))),
    "dcgm-baremetal": Fleet("dcgm", (_host("dcgm_B_baremetal_node4", "gpu-node-04", 9400, "dcgm"),)),
    "dcgm-old-namespace": Fleet("dcgm", (_operator("dcgm_B_old_namespace_k8s", 5),)),
    "dcgm-hpc": Fleet("dcgm", (_host("dcgm_B_hpc_2jobs_on_gpu0", "gpu-node-06", 9400, "dcgm"),)),
    "dcgm-vgpu": Fleet("dcgm", (_operator("dcgm_B_vgpu_4.8.2", 7),)),
    "dcgm-geforce": Fleet("dcgm", (_host("dcgm_B_geforce", "gpu-node-08", 9400, "dcgm"),)),
    "dcgm-old-reasons": Fleet("dcgm", (_exporter(_OLD_REASONS, 2),)),
    "dcgm-event-counts": Fleet("dcgm", (_exporter(_EVENT_COUNTS, 2),)),
    "dcgm-fb-total": Fleet("dcgm", (_KUBERNETES[0], _exporter(_TOTAL, 2))),
    "dcgm-two-ranks": Fleet(
        "dcgm", (*_KUBERNETES, _TRAINING[0], replace(_TRAINING[1], exposition=_RANK_1_ON_CARD_0)), "probe"
    ),
    "dcgm-pod-churn": Fleet(
        "dcgm",
        (_operator(_NODE_1, 1, NODE_1_SLOPES),),
        before=(_exporter(_EARLIER_POD, 1, NODE_1_SLOPES),),
    ),
    "dcgm-lost-card": Fleet("dcgm", (_exporter(_ONE_CARD, 1),), before=(_operator(_NODE_1, 1),)),
    "dcgm-cooled": Fleet("dcgm", (_exporter(_COOLED, 2),), before=(_operator(_NODE_2, 2),)),
    "dcgm-4.9": Fleet("dcgm-4.9", (_operator("dcgm_D_4.9_k8s_2gpu", 9),)),
    "nvidia-smi": Fleet(
        "nvidia-smi",
        (
            _SMI_NODE_1,
            _host("nvidia_gpu_exporter_node2", "gpu-node-12", 9835, "nvidia_gpu_exporter", SMI_NODE_2_SLOPES),
        ),
    ),
    "nvidia-smi-lost-card": Fleet(
        "nvidia-smi",
        (replace(_SMI_NODE_1, exposition=_SMI_ONE_CARD),),
        before=(_SMI_NODE_1,),
    ),
    "nvidia-smi-old": Fleet(
        "nvidia-smi", (_host("nvidia_gpu_exporter_old_throttle", "gpu-node-13", 9835, "nvidia_gpu_exporter"),)
    ),
    "nvidia-smi-mig": Fleet(
        "nvidia-smi", (_host("nvidia_gpu_exporter_mig_exec", "gpu-node-14", 9835, "nvidia_gpu_exporter"),)
    ),
    "nvidia-smi-nvml": Fleet(
        "nvidia-smi",
        (
            _host(
                "nvidia_gpu_exporter_nvml",
                "gpu-node-15",
                9835,
                "nvidia_gpu_exporter",
                {
                    'nvidia_smi_energy_joules_total{uuid="15151515-0000-4000-8000-000000000000"}': 310.25,
                    'nvidia_smi_energy_joules_total{uuid="15151515-0000-4000-8000-000000000001"}': 627.5,
                },
            ),
        ),
    ),
    "nv-gpu": Fleet(
        "nv-gpu",
        (
            _host("nv_gpu_names", "gpu-node-16", 9400, "gpu"),
            _host("tf_snippet", "gpu-node-16", 8000, "training", {"tfr_records_processed_total": 640.0}),
        ),
        training="tf-snippet",
    ),
    "nvidia-gpu": Fleet("nvidia-gpu", (_host("nvidia_gpu_names", "gpu-node-17", 9400, "gpu"),)),
}

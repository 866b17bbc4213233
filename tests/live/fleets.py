"""The fleets that tests and the demo look at: recorded exposition, scraped as real installations scrape it.

Each exposition and its planted facts are described in tests/scrapes/README.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from builder.testing import static_target
from tests.live.fleet import INTERVAL, Fleet
from tests.live.jobs import JOBS, RANK_1_ON_CARD_0, TRAINING
from tests.live.targets import (
    changed,
    exporter,
    exposition,
    host,
    kube_state_metrics,
    node_exporter,
    operator,
    training_pod,
)

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
    'DCGM_FI_DEV_ECC_SBE_VOL_TOTAL{gpu="1"}': 0.01,
}

_THROTTLED = "nvidia_smi_clocks_event_reasons_counters"
_HOT_CARD = '{uuid="12121212-0000-4000-8000-000000000000"}'
SMI_NODE_2_SLOPES = {
    f"{_THROTTLED}_sw_thermal_slowdown_seconds{_HOT_CARD}": 0.4,
    f"{_THROTTLED}_hw_thermal_slowdown_seconds{_HOT_CARD}": 0.25,
    f"{_THROTTLED}_sw_power_cap_seconds{_HOT_CARD}": 0.03,
}


_IO = {
    'node_cpu_seconds_total{cpu="0",mode="iowait"}': 0.3,
    'node_cpu_seconds_total{cpu="1",mode="iowait"}': 0.1,
    'node_disk_io_time_seconds_total{device="nvme0n1"}': 0.8,
    'node_disk_read_bytes_total{device="nvme0n1"}': 1e9,
    'node_disk_io_time_seconds_total{device="md0"}': 0.9,  # lies on nvme0n1
    'node_disk_read_bytes_total{device="md0"}': 1e9,
}
_HOST = (
    node_exporter(exposition("node_exporter"), 1, _IO),
    kube_state_metrics(exposition("kube_state_metrics")),
)
_KUBERNETES = (
    operator("dcgm_B_3.3.7-to-4.8.2_k8s_2gpu", 1, NODE_1_SLOPES),
    operator("dcgm_B_helm_k8s_node2", 2, NODE_2_SLOPES),
)

_NODE_1, _NODE_2 = "dcgm_B_3.3.7-to-4.8.2_k8s_2gpu", "dcgm_B_extended_node2"
_SINCE = 1800 + INTERVAL
_EARLIER_POD = changed(
    _NODE_1,
    ('pod="resnet50-worker-0"', 'pod="bert-7"'),
    # The energy counters go on, whichever pod holds the card.
    (" 918273645546$", f" {918_273_645_546 - 642_713 * _SINCE}"),
    (" 120394857261$", f" {120_394_857_261 - 72_164 * _SINCE}"),
)
_ONE_CARD = changed(_NODE_1, (r'^DCGM_\w+{gpu="1".*\n', ""))
_COOLED = changed(_NODE_2, (" 108$", " 0"), (r'^(DCGM_FI_DEV_GPU_TEMP{gpu="1".*) 88$', r"\1 40"))
_OLD_REASONS = changed(_NODE_2, ("CLOCKS_EVENT_REASONS", "CLOCK_THROTTLE_REASONS"))
_EVENT_COUNTS = changed(_NODE_2, (r"^DCGM_FI_DEV_CLOCKS_EVENT_REASONS.*\n", ""))
# 81960 MiB in all, of which used, free and reserved do not name 40.
_TOTAL = changed(_NODE_2, (r"^DCGM_FI_DEV_FB_USED({.*}) \d+$", r"\g<0>\nDCGM_FI_DEV_FB_TOTAL\1 81960"))
_SMI_NODE_1 = host("nvidia_gpu_exporter_node1", "gpu-node-11", 9835, "nvidia_gpu_exporter")
_SMI_NODE_2 = host("nvidia_gpu_exporter_node2", "gpu-node-12", 9835, "nvidia_gpu_exporter", SMI_NODE_2_SLOPES)
_SMI_ONE_CARD = changed("nvidia_gpu_exporter_node1", (r'^nvidia_smi_\w+{.*uuid="11111111-[0-9-]+1".*\n', ""))
# The hardware was too hot, the driver did nothing.
_SMI_HARDWARE_HEAT = {**SMI_NODE_2_SLOPES, f"{_THROTTLED}_sw_thermal_slowdown_seconds{_HOT_CARD}": 0.0}

_CARD_0 = "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"
_ON_SHARED_CARD = changed(  # 16 GiB in use, 20 GiB in the pool
    "train_probe_rank0",
    (_CARD_0, "GPU-07070707-0000-4000-8000-000000000000"),
    (r"4\.294967296e\+10$", "1.7179869184e+10"),
    (r"5\.1539607552e\+10$", "1.9327352832e+10"),
    (r"6\.8719476736e\+10$", "2.147483648e+10"),
)
_ON_INSTANCE = changed(  # 4 GiB in use, 8 GiB in the pool, on the instance that holds 10182 MiB
    "train_probe_rank0",
    ('gpu="0",(?=m)', 'gpu="0",mig="1",'),
    (r"4\.294967296e\+10$", "4.294967296e+09"),
    (r"5\.1539607552e\+10$", "6.442450944e+09"),
    (r"6\.8719476736e\+10$", "8.589934592e+09"),
)
_SMI_RANK = changed("train_probe_rank0", (_CARD_0, "GPU-11111111-0000-4000-8000-000000000000"))
_SMI_TRAINING = static_target(
    re.sub("^(train_device_info{.*)}", r'\1,pid="4001"}', _SMI_RANK, flags=re.MULTILINE),
    job="training",
    instance="gpu-node-11:9410",
)

# As a site has it whose exporter knows the pods; card 0 is too hot.
_NV_GPU_PODS = changed(
    "nv_gpu_names",
    (r'^(nv_gpu_utilization_ratio{.*)(,gpu="0".*)$', r'\1,namespace="ml",pod="bert-0"\2'),
    (r'^nvml_gpu_memory_used_bytes{gpu="0"', r'\g<0>,container="trainer",namespace="ml",pod="bert-0"'),
    (" 71$", " 85"),
)

_STORM = changed(_NODE_2, (r'^(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL{gpu="1".*) 40$', r"\1 7240"))
_STORM_SLOPES = {**EXTENDED_SLOPES, 'DCGM_FI_DEV_ECC_SBE_VOL_TOTAL{gpu="1"}': 2.0}  # 7200 an hour
_SKEWED = changed("node_exporter", (" 0.0015$", " -42"))
# Kubernetes offers eight cards on gpu-node-02 and four on gpu-node-03, whose exporter never came up.
_OFFERED = changed(
    "kube_state_metrics",
    (
        r'^(kube_node_status_capacity){node="gpu-node-02",resource="nvidia_com_gpu",(.*)} 2$',
        r'\1{node="gpu-node-02",resource="nvidia_com_gpu",\2} 8\n'
        r'\1{node="gpu-node-03",resource="nvidia_com_gpu",\2} 4',
    ),
)

_NODE_4 = host("dcgm_B_baremetal_node4", "gpu-node-04", 9400, "dcgm")

FLEETS: Mapping[str, Fleet] = {
    "dcgm": Fleet("dcgm", (*_KUBERNETES, *TRAINING, *_HOST), training="probe", host="node-exporter"),
    "dcgm-extended": Fleet(
        "dcgm", (_KUBERNETES[0], operator("dcgm_B_extended_node2", 2, EXTENDED_SLOPES), *TRAINING), "probe"
    ),
    "dcgm-honor-labels": Fleet("dcgm", tuple(replace(t, honor_labels=True) for t in _KUBERNETES)),
    "dcgm-a0": Fleet("dcgm", (operator("dcgm_A0_k8s_2gpu", 3),)),
    "dcgm-a": Fleet("dcgm", (operator("dcgm_A_le3.1.8_k8s_2gpu", 1, NODE_1_SLOPES),)),
    "dcgm-aprime": Fleet("dcgm", (operator("dcgm_Aprime_3.4.2_k8s_2gpu", 3),)),
    "dcgm-mig": Fleet("dcgm", (operator("dcgm_B_mig_1of2gpus", 1),)),
    "dcgm-c": Fleet(
        "dcgm",
        (
            operator("dcgm_C_4.8.3-4.8.4_k8s_2gpu", 1, NODE_1_SLOPES),
            operator("dcgm_C_node2", 2, NODE_2_SLOPES),
        ),
    ),
    "dcgm-b-and-c": Fleet("dcgm", (_KUBERNETES[0], operator("dcgm_C_node2", 2, NODE_2_SLOPES))),
    "dcgm-baremetal": Fleet("dcgm", (_NODE_4,)),
    "dcgm-old-namespace": Fleet("dcgm", (operator("dcgm_B_old_namespace_k8s", 5),)),
    "dcgm-hpc": Fleet("dcgm", (host("dcgm_B_hpc_2jobs_on_gpu0", "gpu-node-06", 9400, "dcgm"),)),
    "dcgm-vgpu": Fleet("dcgm", (operator("dcgm_B_vgpu_4.8.2", 7),)),
    "dcgm-vgpu-training": Fleet(
        "dcgm",
        (operator("dcgm_B_vgpu_4.8.2", 7), training_pod(_ON_SHARED_CARD, "infer-a", 1, {}, "serve")),
        training="probe",
    ),
    "dcgm-mig-training": Fleet(
        "dcgm",
        (operator("dcgm_B_mig_1of2gpus", 1), training_pod(_ON_INSTANCE, "trainer", 1, {})),
        training="probe",
    ),
    "dcgm-geforce": Fleet("dcgm", (host("dcgm_B_geforce", "gpu-node-08", 9400, "dcgm"),)),
    "dcgm-old-reasons": Fleet("dcgm", (exporter(_OLD_REASONS, 2),)),
    "dcgm-event-counts": Fleet("dcgm", (exporter(_EVENT_COUNTS, 2),)),
    "dcgm-fb-total": Fleet("dcgm", (_KUBERNETES[0], exporter(_TOTAL, 2))),
    "dcgm-two-ranks": Fleet(
        "dcgm", (*_KUBERNETES, TRAINING[0], replace(TRAINING[1], exposition=RANK_1_ON_CARD_0)), "probe"
    ),
    "dcgm-pod-churn": Fleet(
        "dcgm",
        (operator(_NODE_1, 1, NODE_1_SLOPES),),
        before=(exporter(_EARLIER_POD, 1, NODE_1_SLOPES),),
    ),
    "dcgm-lost-card": Fleet("dcgm", (exporter(_ONE_CARD, 1),), before=(operator(_NODE_1, 1),)),
    "dcgm-cooled": Fleet("dcgm", (exporter(_COOLED, 2),), before=(operator(_NODE_2, 2),)),
    "dcgm-health": Fleet(
        "dcgm",
        (
            _KUBERNETES[0],
            exporter(_STORM, 2, _STORM_SLOPES),
            _HOST[0],
            node_exporter(_SKEWED, 2),
            kube_state_metrics(_OFFERED),
        ),
        host="node-exporter",
        silent=(operator("dcgm_B_old_namespace_k8s", 5),),
        late=(_NODE_4,),
    ),
    "dcgm-silent": Fleet("dcgm", (), training="probe", silent=(operator(_NODE_2, 2, EXTENDED_SLOPES), *TRAINING)),
    "dcgm-training": Fleet("dcgm", (*_KUBERNETES, _NODE_4, *JOBS, _HOST[0]), training="probe", host="node-exporter"),
    "dcgm-4.9": Fleet("dcgm-4.9", (operator("dcgm_D_4.9_k8s_2gpu", 9),)),
    "nvidia-smi": Fleet(
        "nvidia-smi",
        (
            _SMI_NODE_1,
            _SMI_NODE_2,
        ),
    ),
    "nvidia-smi-training": Fleet("nvidia-smi", (_SMI_NODE_1, _SMI_TRAINING), training="probe"),
    "nvidia-smi-training-in-pods": Fleet(
        "nvidia-smi", (_SMI_NODE_1, replace(_SMI_TRAINING, exposition=_SMI_RANK)), training="probe"
    ),
    "nvidia-smi-hardware-heat": Fleet(
        "nvidia-smi",
        (host("nvidia_gpu_exporter_node2", "gpu-node-12", 9835, "nvidia_gpu_exporter", _SMI_HARDWARE_HEAT),),
    ),
    "nvidia-smi-silent": Fleet("nvidia-smi", (_SMI_NODE_1,), silent=(_SMI_NODE_2,)),
    "nvidia-smi-lost-card": Fleet(
        "nvidia-smi",
        (replace(_SMI_NODE_1, exposition=_SMI_ONE_CARD),),
        before=(_SMI_NODE_1,),
    ),
    "nvidia-smi-old": Fleet(
        "nvidia-smi", (host("nvidia_gpu_exporter_old_throttle", "gpu-node-13", 9835, "nvidia_gpu_exporter"),)
    ),
    "nvidia-smi-mig": Fleet(
        "nvidia-smi", (host("nvidia_gpu_exporter_mig_exec", "gpu-node-14", 9835, "nvidia_gpu_exporter"),)
    ),
    "nvidia-smi-nvml": Fleet(
        "nvidia-smi",
        (
            host(
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
            host("nv_gpu_names", "gpu-node-16", 9400, "gpu"),
            host("tf_snippet", "gpu-node-16", 8000, "training", {"tfr_records_processed_total": 640.0}),
        ),
        training="tf-snippet",
    ),
    "nv-gpu-pods": Fleet("nv-gpu", (static_target(_NV_GPU_PODS, job="gpu", instance="gpu-node-16:9400"),)),
    "nvidia-gpu": Fleet("nvidia-gpu", (host("nvidia_gpu_names", "gpu-node-17", 9400, "gpu"),)),
}

"""dcgm-exporter 3.x to 4.8.x: the classic DCGM_FI_* names.

Names, units and defaults: etc/default-counters.csv and docs/metrics.md of github.com/NVIDIA/dcgm-exporter,
and dcgm_fields.h of github.com/NVIDIA/go-dcgm. The host label is ``Hostname`` up to 4.8.2 and ``hostname``
from 4.8.3 (pull request 655). Workload labels arrive as ``exported_pod`` where Prometheus keeps the target's
own ``pod`` (honor_labels: false, the chart's default) and as ``pod`` elsewhere; with
``--use-old-namespace`` they are ``pod_name`` and so on, and the card is ``uuid``.
"""

from __future__ import annotations

from dataclasses import replace

from builder.catalog.model import Kind, Match, Metric, Profile, Spelling

MIB = 1024.0 * 1024
_CSV = "add {0} to the exporter's counters file (-f)"
# DCGM's blank values leaked as numbers near 2**63 in old exporters (NVIDIA/gpu-monitoring-tools issue 97).
_SANE = 1e12


def opt_in(name: str, **spelling: object) -> Metric:
    """A field that the default counters file leaves out."""
    return Metric(name, default=False, enable=_CSV.format(name), **spelling)  # type: ignore[arg-type]


_EXPORTER_POD = Match("pod", "!~", ".*(dcgm|gpu|nvidia)[-_.]exporter.*")
# Prometheus renames only what collides with a label of the target: a scrape through a service's endpoints gives
# the target a namespace and no pod, and so leaves exported_namespace beside pod.
_RENAMED = Match("exported_namespace", "!=", "")
_NOT_RENAMED = Match("exported_namespace", "=", "")

LABELS: dict[str, tuple[Spelling, ...]] = {
    "cluster": (Spelling("cluster"),),
    "node": (Spelling("Hostname"), Spelling("hostname")),
    "gpu": (Spelling("gpu"),),
    "uuid": (Spelling("UUID"), Spelling("uuid")),
    "mig": (Spelling("GPU_I_ID", replacement="mig-$1"),),
    "model": (Spelling("modelName"),),
    "namespace": (
        Spelling("exported_namespace"),
        Spelling("pod_namespace"),
        Spelling("exported_namespace"),
        Spelling("namespace"),
    ),
    "pod": (
        Spelling("exported_pod"),
        Spelling("pod_name"),
        Spelling("pod", when=(_RENAMED,), guard=(_EXPORTER_POD,)),
        Spelling("pod", when=(_NOT_RENAMED,), guard=(_EXPORTER_POD,)),
    ),
    "container": (
        Spelling("exported_container"),
        Spelling("container_name"),
        Spelling("container"),
        Spelling("container"),
    ),
    "xid": (Spelling("xid"),),
}

# Bits of nvmlClocksEventReasons (nvml.h); DCGM exports the same mask.
REASON_BITS = {
    "throttle_idle": 0,
    "throttle_app_clocks": 1,
    "throttle_sw_power": 2,
    "throttle_hw_slowdown": 3,
    "throttle_sync_boost": 4,
    "throttle_sw_thermal": 5,
    "throttle_hw_thermal": 6,
    "throttle_power_brake": 7,
}

# Heat or supply trouble. The hardware slowdown is set with hardware heat and power brake too.
SEVERE = ("throttle_hw_slowdown", "throttle_sw_thermal")

# Values of the label clock_event (clock_events_collector.go of dcgm-exporter).
_CLOCK_EVENTS = {
    "throttle_idle": "gpu_idle",
    "throttle_app_clocks": "clocks_setting",
    "throttle_sw_power": "power_cap",
    "throttle_hw_slowdown": "hw_slowdown",
    "throttle_sync_boost": "sync_boost",
    "throttle_sw_thermal": "sw_thermal",
    "throttle_hw_thermal": "hw_thermal",
    "throttle_power_brake": "hw_power_brake",
}


def throttle(*reasons: str) -> tuple[Metric, ...]:
    """Bits of the mask, by its present name, its old name, or the exporter's own count."""
    bits = tuple(REASON_BITS[reason] for reason in reasons)
    events = [_CLOCK_EVENTS[reason] for reason in reasons]
    event = Match("clock_event", "=", events[0]) if len(events) == 1 else Match("clock_event", "=~", "|".join(events))
    return (
        opt_in("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", bits=bits),
        opt_in("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", bits=bits),
        opt_in("DCGM_EXP_CLOCK_EVENTS_COUNT", where=(event,), above=0, declared=Kind.COUNTER),
    )


SIGNALS: dict[str, tuple[Metric, ...]] = {
    "utilisation": (
        # The profiling ratio works on MIG too; the percentage is all that older GeForce cards have.
        Metric("DCGM_FI_PROF_GR_ENGINE_ACTIVE"),
        # Garbage far above 100 and slight overshoot both occur (NVIDIA/go-dcgm issue 75).
        # On a MIG instance some versions say 0 where they mean nothing (issue 105).
        Metric("DCGM_FI_DEV_GPU_UTIL", factor=0.01, where=(Match("GPU_I_ID", "=", ""),), ceiling=1000, cap=100),
    ),
    "sm_activity": (opt_in("DCGM_FI_PROF_SM_ACTIVE"),),
    "sm_occupancy": (opt_in("DCGM_FI_PROF_SM_OCCUPANCY"),),
    "tensor_activity": (Metric("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"),),
    "dram_activity": (Metric("DCGM_FI_PROF_DRAM_ACTIVE"),),
    "memory_used": (Metric("DCGM_FI_DEV_FB_USED", factor=MIB),),
    "memory_free": (Metric("DCGM_FI_DEV_FB_FREE", factor=MIB),),
    "memory_reserved": (
        Metric(
            "DCGM_FI_DEV_FB_RESERVED",
            factor=MIB,
            enable="add DCGM_FI_DEV_FB_RESERVED to the counters file (the chart's ConfigMap lacks it)",
        ),
    ),
    "memory_total": (
        opt_in("DCGM_FI_DEV_FB_TOTAL", factor=MIB),
        # Since driver 510 used + free falls short of the total by what is reserved (issues 136, 271).
        Metric(
            "used + free + reserved",
            factor=MIB,
            sum_of=("DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_RESERVED"),
            parts=("memory_used", "memory_free"),
            extra=("memory_reserved",),
        ),
    ),
    "temperature": (Metric("DCGM_FI_DEV_GPU_TEMP"),),
    # 0 or a blank number where the card has no such sensor (issue 460).
    "memory_temperature": (Metric("DCGM_FI_DEV_MEMORY_TEMP", floor=0, ceiling=_SANE),),
    "slowdown_temperature": (opt_in("DCGM_FI_DEV_SLOWDOWN_TEMP"),),
    "temperature_margin": (opt_in("DCGM_FI_DEV_GPU_TEMP_LIMIT"),),
    "power": (Metric("DCGM_FI_DEV_POWER_USAGE"),),
    "power_limit": (
        opt_in("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", floor=0),
        opt_in("DCGM_FI_DEV_POWER_MGMT_LIMIT", floor=0),
    ),
    "energy": (Metric("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", factor=0.001),),
    "sm_clock": (Metric("DCGM_FI_DEV_SM_CLOCK", factor=1e6),),
    "memory_clock": (Metric("DCGM_FI_DEV_MEM_CLOCK", factor=1e6),),
    "sm_clock_max": (opt_in("DCGM_FI_DEV_MAX_SM_CLOCK", factor=1e6),),
    "fan_speed": (opt_in("DCGM_FI_DEV_FAN_SPEED", factor=0.01),),
    # Averaged bytes per second; typed counter in the files of 3.5 and 3.6 (pull request 88).
    "pcie_transmit": (Metric("DCGM_FI_PROF_PCIE_TX_BYTES", declared=Kind.COUNTER),),
    "pcie_receive": (Metric("DCGM_FI_PROF_PCIE_RX_BYTES", declared=Kind.COUNTER),),
    "pcie_replay": (Metric("DCGM_FI_DEV_PCIE_REPLAY_COUNTER"),),
    # Megabytes per second at this moment, although typed counter up to 4.8.2 (pull request 658).
    "nvlink_throughput": (Metric("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", factor=1e6, declared=Kind.COUNTER),),
    "nvlink_errors": (opt_in("DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL"),),
    "ecc_corrected": (opt_in("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL"),),
    "ecc_uncorrected": (opt_in("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"),),
    "xid": (Metric("DCGM_FI_DEV_XID_ERRORS"),),
    "xid_errors": (
        Metric(
            "DCGM_EXP_XID_ERRORS_TOTAL",
            default=False,
            enable="dcgm-exporter 4.8.3 or later: add DCGM_EXP_XID_ERRORS_TOTAL to the counters file",
        ),
    ),
    "row_remap_pending": (opt_in("DCGM_FI_DEV_ROW_REMAP_PENDING"),),
    "row_remap_failure": (Metric("DCGM_FI_DEV_ROW_REMAP_FAILURE"),),
    "rows_remapped_corrected": (Metric("DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS"),),
    "rows_remapped_uncorrected": (Metric("DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS"),),
    "retired_pages_pending": (opt_in("DCGM_FI_DEV_RETIRED_PENDING", declared=Kind.COUNTER),),
    "retired_pages_corrected": (opt_in("DCGM_FI_DEV_RETIRED_SBE"),),
    "retired_pages_uncorrected": (opt_in("DCGM_FI_DEV_RETIRED_DBE"),),
    # Nanoseconds; the counters file said microseconds until 4.7.1 (pull request 589).
    "throttled_time_power": (opt_in("DCGM_FI_DEV_POWER_VIOLATION", factor=1e-9),),
    "throttled_time_thermal": (opt_in("DCGM_FI_DEV_THERMAL_VIOLATION", factor=1e-9),),
    # Part of THERMAL_VIOLATION already; alone it says that the hardware, not the driver, stepped in.
    "throttled_time_hw_thermal": (opt_in("DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS", factor=1e-9),),
    "device_info": (Metric("DCGM_FI_DEV_FB_USED"),),
    # On cards that pods share, beside the card's own series; before 4.8.2 a copy of that for each pod.
    "pod_memory": (
        Metric(
            "DCGM_FI_DEV_FB_USED",
            factor=MIB,
            default=False,
            enable="dcgm-exporter 4.8.2 or later with KUBERNETES_VIRTUAL_GPUS=true",
        ),
    ),
    **{reason: throttle(reason) for reason in REASON_BITS},
    "throttled": throttle(*SEVERE),
}

_BLANK = (
    "temperature",
    "power",
    "sm_clock",
    "memory_clock",
    "xid",
    "memory_used",
    "memory_free",
    "utilisation",
    "pod_memory",
)
"""Signals whose blank numbers would reach a board; the rest is compared, counted or rarely exported."""

SIGNALS |= {name: tuple(replace(m, ceiling=m.ceiling or _SANE) for m in SIGNALS[name]) for name in _BLANK}

PROFILE = Profile(
    name="dcgm",
    title="dcgm-exporter 3.x to 4.8.x",
    exporter="dcgm-exporter",
    port=9400,
    interval=30,
    signals=SIGNALS,
    labels=LABELS,
    notes=(
        "Values are renewed every 30 s by default, however often they are scraped.",
        "On MIG the card itself is not exported; its instances are, and board values repeat on each.",
        "An XID stays until the exporter restarts; DCGM_EXP_XID_ERRORS_TOTAL (4.8.3) counts them.",
    ),
)

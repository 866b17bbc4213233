"""dcgm-exporter 4.9 and later: the names and units of DCGM 4.7.

New names come first and the classic ones after them, since a site that keeps its old counters file keeps
the old names. What rests on release notes alone is marked unverified; the configuration can override it.
Source: the release notes of dcgm-exporter 4.9.0 and the "Deprecated: Use" comments in dcgm_fields.h of
github.com/NVIDIA/go-dcgm.
"""

from __future__ import annotations

from dataclasses import replace

from builder.catalog.model import Kind, Match, Metric, Spelling
from builder.catalog.profiles import dcgm


def _new(name: str, *, verified: bool = True, default: bool = True, **spelling: object) -> Metric:
    enable = "" if default else f"add {name} to the exporter's counters file (-f)"
    return Metric(name, verified=verified, default=default, enable=enable, **spelling)  # type: ignore[arg-type]


_RENAMED: dict[str, tuple[Metric, ...]] = {
    "utilisation": (
        _new("DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO"),
        # In DCGM 4.6 this name was an alias of the percentage: what is above 1 is no ratio.
        _new("DCGM_FI_DEV_GPU_UTIL_RATIO", verified=False, ceiling=1, where=(Match("GPU_I_ID", "=", ""),)),
    ),
    "sm_activity": (_new("DCGM_FI_PROF_SM_UTIL_RATIO", default=False),),
    "sm_occupancy": (_new("DCGM_FI_PROF_SM_OCCUPANCY_RATIO", default=False),),
    "tensor_activity": (_new("DCGM_FI_PROF_TENSOR_UTIL_RATIO"),),
    "dram_activity": (_new("DCGM_FI_PROF_DRAM_UTIL_RATIO"),),
    "memory_used": (_new("DCGM_FI_DEV_FB_USED_BYTES", verified=False),),
    "memory_free": (_new("DCGM_FI_DEV_FB_FREE_BYTES", verified=False),),
    "memory_reserved": (_new("DCGM_FI_DEV_FB_RESERVED_BYTES", verified=False),),
    "memory_total": (_new("DCGM_FI_DEV_FB_CAPACITY_BYTES"),),
    "temperature": (_new("DCGM_FI_DEV_GPU_TEMP_CELSIUS"),),
    "memory_temperature": (_new("DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", floor=0),),
    "slowdown_temperature": (_new("DCGM_FI_DEV_SLOWDOWN_TEMP_CELSIUS", default=False, verified=False),),
    "temperature_margin": (_new("DCGM_FI_DEV_GPU_TEMP_LIMIT_CELSIUS", default=False, verified=False),),
    "power": (_new("DCGM_FI_DEV_BOARD_POWER_WATTS"),),
    "power_limit": (
        _new("DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", default=False, floor=0),
        _new("DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", default=False, floor=0),
    ),
    "energy": (_new("DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL"),),
    "sm_clock": (_new("DCGM_FI_DEV_SM_CLOCK_HERTZ"),),
    "memory_clock": (_new("DCGM_FI_DEV_MEMORY_CLOCK_HERTZ"),),
    "fan_speed": (_new("DCGM_FI_DEV_FAN_SPEED_RATIO", default=False),),
    "pcie_replay": (_new("DCGM_FI_DEV_PCIE_REPLAY_TOTAL"),),
    "nvlink_throughput": (_new("DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL", verified=False, declared=Kind.GAUGE),),
    "xid": (_new("DCGM_FI_DEV_XID_ERROR"),),
    "row_remap_failure": (_new("DCGM_FI_DEV_ROW_REMAP_FAILED"),),
    "rows_remapped_corrected": (_new("DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL"),),
    "rows_remapped_uncorrected": (_new("DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL"),),
    "retired_pages_pending": (_new("DCGM_FI_DEV_PAGE_RETIRED_PENDING", default=False),),
    "retired_pages_corrected": (_new("DCGM_FI_DEV_PAGE_RETIRED_SBE_TOTAL", default=False),),
    "retired_pages_uncorrected": (_new("DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL", default=False),),
    "device_info": (_new("DCGM_FI_DEV_FB_CAPACITY_BYTES"),),
}


def _classic(metric: Metric) -> Metric:
    return replace(metric, default=False, enable="kept only by a counters file from before 4.9")


SIGNALS: dict[str, tuple[Metric, ...]] = {
    name: (*_RENAMED.get(name, ()), *(map(_classic, old) if name in _RENAMED else old))
    for name, old in dcgm.SIGNALS.items()
}
_SHARED = replace(
    _RENAMED["memory_used"][0], default=False, enable="run the exporter with KUBERNETES_VIRTUAL_GPUS=true"
)
SIGNALS["pod_memory"] = (_SHARED, *dcgm.SIGNALS["pod_memory"])

PROFILE = replace(
    dcgm.PROFILE,
    name="dcgm-4.9",
    title="dcgm-exporter 4.9 and later",
    signals=SIGNALS,
    labels={**dcgm.LABELS, "node": (Spelling("hostname"),)},
    notes=(
        *dcgm.PROFILE.notes,
        "Names marked unverified rest on release notes; override them in gpuboards.yaml if yours differ.",
    ),
)

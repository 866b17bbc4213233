"""dcgm-exporter's further fields.

Names, units and defaults: etc/default-counters.csv and docs/metrics.md of github.com/NVIDIA/dcgm-exporter;
what the counters file does not describe, from dcgm_fields.h of github.com/NVIDIA/go-dcgm. Windowed counts
(``DCGM_EXP_*_COUNT``) are gauges whatever their declared type.
"""

from __future__ import annotations

from builder.catalog.model import Kind, Unit
from builder.lint.exporters.other import Other

_CSV = "add {0} to the exporter's counters file (-f)"
_PERCENT = Other(unit=Unit.RATIO, factor=0.01)
_RATIO = Other(unit=Unit.RATIO, enable=_CSV)
_NANOSECONDS = Other(Kind.COUNTER, Unit.SECONDS, 1e-9, _CSV)
_ERRORS = Other(Kind.COUNTER, Unit.COUNT, enable=_CSV)
_RATE = Other(unit=Unit.BYTES_PER_SECOND, enable=_CSV)
_CELSIUS = Other(unit=Unit.CELSIUS, enable=_CSV)
_CODE = Other(Kind.CODE, enable=_CSV)
_KILOBYTES = Other(Kind.COUNTER, Unit.BYTES, 1000.0)

OTHERS: dict[str, Other] = {
    **dict.fromkeys(("DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_ENC_UTIL", "DCGM_FI_DEV_DEC_UTIL"), _PERCENT),
    **{f"DCGM_FI_PROF_PIPE_FP{bits}_ACTIVE": _RATIO for bits in (16, 32, 64)},
    **{f"DCGM_FI_PROF_FP{bits}_UTIL_RATIO": _RATIO for bits in (16, 32, 64)},
    **{f"DCGM_FI_PROF_NVLINK_{way}_BYTES": _RATE for way in ("TX", "RX")},
    **{f"DCGM_FI_DEV_PCIE_{way}_THROUGHPUT": _KILOBYTES for way in ("TX", "RX")},
    **{
        f"DCGM_FI_DEV_{reason}_VIOLATION": _NANOSECONDS
        for reason in ("SYNC_BOOST", "BOARD_LIMIT", "LOW_UTIL", "RELIABILITY")
    },
    **{
        f"DCGM_FI_DEV_CLOCKS_EVENT_REASON_{reason}_NS": _NANOSECONDS
        for reason in (
            "SW_POWER_CAP",
            "SYNC_BOOST",
            "SW_THERM_SLOWDOWN",
            "HW_THERM_SLOWDOWN",
            "HW_POWER_BRAKE_SLOWDOWN",
        )
    },
    **{f"DCGM_FI_DEV_ECC_{bits}_AGG_TOTAL": _ERRORS for bits in ("SBE", "DBE")},
    **{f"DCGM_FI_DEV_NVLINK_{what}_ERROR_COUNT_TOTAL": _ERRORS for what in ("CRC_FLIT", "REPLAY", "RECOVERY")},
    **{f"DCGM_FI_DEV_{what}": _CELSIUS for what in ("SHUTDOWN_TEMP", "GPU_MAX_OP_TEMP", "MEM_MAX_OP_TEMP")},
    "DCGM_FI_DEV_COUNT": Other(unit=Unit.COUNT, enable=_CSV),
    "DCGM_FI_DEV_FB_USED_PERCENT": _RATIO,  # 0 to 1, whatever its name says
    "DCGM_FI_DEV_FB_USED_RATIO": _RATIO,
    "DCGM_FI_DEV_PSTATE": _CODE,
    "DCGM_FI_DEV_GPU_PSTATE": _CODE,
    "DCGM_FI_DEV_VGPU_LICENSE_STATUS": Other(Kind.STATE),
    "DCGM_EXP_XID_ERRORS_COUNT": Other(unit=Unit.COUNT, enable=_CSV),
    "DCGM_EXP_CLOCK_EVENTS_TOTAL": _ERRORS,
    "DCGM_EXP_GPU_HEALTH_STATUS": _CODE,
    "DCGM_EXP_P2P_STATUS": _CODE,
}

LABELS = frozenset(
    (
        "pci_bus_id",
        "device",
        "GPU_I_PROFILE",
        "DCGM_FI_DRIVER_VERSION",
        "DCGM_FI_SYSTEM_DRIVER_VERSION",
        "pod_uid",
        "vgpu",
        "hpc_job",
        "err_code",
        "err_msg",
        "window_size_in_ms",
        "clock_event",
        "health_watch",
        "health_error_code",
        "peer_gpu",
        "link_status",
        "nvlink",
        "nvswitch",
        "gpu_uuid",
        "model_name",
        "cpu",
        "cpucore",
    )
)

RENAMED = {"DCGM_FI_EXP_CLOCK_THROTTLE_REASONS_COUNT": "DCGM_EXP_CLOCK_EVENTS_COUNT"}

"""utkuozdemir/nvidia_gpu_exporter: what nvidia-smi (or NVML) says, one family a query field.

Names and units: docs/METRICS.md, docs/CONFIGURE.md and internal/nvidiasmi of
github.com/utkuozdemir/nvidia_gpu_exporter. Every series carries only ``uuid`` (lower case, without the
``GPU-`` prefix); index and model are on ``nvidia_smi_gpu_info``; the host is the scrape target. All is typed
gauge, counters included. ``clocks_throttle_reasons`` became ``clocks_event_reasons`` about driver 535.
"""

from __future__ import annotations

from builder.catalog.model import Identity, Kind, Metric, Profile, Spelling
from builder.catalog.profiles.dcgm import REASON_BITS, SEVERE

_NVML = "run the exporter with --collect.backend nvml"


def _smi(name: str, **spelling: object) -> Metric:
    return Metric(f"nvidia_smi_{name}", **spelling)  # type: ignore[arg-type]


def _counter(name: str) -> Metric:
    return _smi(name, declared=Kind.GAUGE)


def _nvml(name: str) -> Metric:
    return _smi(name, default=False, enable=_NVML)


def _reason(name: str) -> tuple[Metric, ...]:
    return (_smi(f"clocks_event_reasons_{name}"), _smi(f"clocks_throttle_reasons_{name}"))


_SEVERE_BITS = tuple(REASON_BITS[reason] for reason in SEVERE)

LABELS: dict[str, tuple[Spelling, ...]] = {
    "cluster": (Spelling("cluster"),),
    "node": (Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),),
    # Before exporter 1.5.0 nothing says the index, and only the uuid tells the cards of a node apart.
    "gpu": (Spelling("index"), Spelling("uuid", pattern="(?:GPU-|gpu-)?(.+)")),
    "uuid": (Spelling("uuid", pattern="(?:GPU-|gpu-)?(.+)", replacement="GPU-$1"),),
    "mig": (Spelling("gpu_instance_id", replacement="mig-$1"),),
    "model": (Spelling("name"),),
    "pid": (Spelling("pid"),),
    "process": (Spelling("process_name"),),
    "xid": (Spelling("xid"),),
}

SIGNALS: dict[str, tuple[Metric, ...]] = {
    "utilisation": (_smi("utilization_gpu_ratio", cap=1),),
    "sm_activity": (_nvml("mig_sm_activity_ratio"),),
    "tensor_activity": (_nvml("mig_tensor_activity_ratio"),),
    "memory_used": (_smi("memory_used_bytes"),),
    "memory_free": (_smi("memory_free_bytes"),),
    "memory_reserved": (_smi("memory_reserved_bytes"),),
    "memory_total": (_smi("memory_total_bytes"),),
    "temperature": (_smi("temperature_gpu"),),
    "memory_temperature": (_smi("temperature_memory", floor=0),),
    "temperature_margin": (_smi("temperature_gpu_tlimit"),),
    "power": (_smi("power_draw_watts"), _smi("power_draw_instant_watts")),
    "power_limit": (
        _smi("enforced_power_limit_watts", floor=0),
        _smi("power_limit_watts", floor=0),
        _smi("power_default_limit_watts", floor=0),
    ),
    "energy": (_nvml("energy_joules_total"),),
    "sm_clock": (_smi("clocks_current_sm_clock_hz"),),
    "memory_clock": (_smi("clocks_current_memory_clock_hz"),),
    "sm_clock_max": (_smi("clocks_max_sm_clock_hz"),),
    "fan_speed": (_smi("fan_speed_ratio"),),
    "pcie_transmit": (_nvml("pcie_throughput_tx_bytes_per_second"),),
    "pcie_receive": (_nvml("pcie_throughput_rx_bytes_per_second"),),
    "ecc_corrected": (_counter("ecc_errors_corrected_volatile_total"),),
    "ecc_uncorrected": (_counter("ecc_errors_uncorrected_volatile_total"),),
    "xid_errors": (_nvml("xid_errors_total"),),
    "row_remap_pending": (_smi("remapped_rows_pending"),),
    "row_remap_failure": (_smi("remapped_rows_failure"),),
    "rows_remapped_corrected": (_counter("remapped_rows_correctable"),),
    "rows_remapped_uncorrected": (_counter("remapped_rows_uncorrectable"),),
    "retired_pages_pending": (_smi("retired_pages_pending"),),
    "throttled": tuple(_smi(f"clocks_{word}_reasons_active", bits=_SEVERE_BITS) for word in ("event", "throttle")),
    "throttle_idle": _reason("gpu_idle"),
    "throttle_app_clocks": _reason("applications_clocks_setting"),
    "throttle_sw_power": _reason("sw_power_cap"),
    "throttle_hw_slowdown": _reason("hw_slowdown"),
    "throttle_sync_boost": _reason("sync_boost"),
    "throttle_sw_thermal": _reason("sw_thermal_slowdown"),
    "throttle_hw_thermal": _reason("hw_thermal_slowdown"),
    "throttle_power_brake": _reason("hw_power_brake_slowdown"),
    "throttled_time_power": (_counter("clocks_event_reasons_counters_sw_power_cap_seconds"),),
    "throttled_time_thermal": (_counter("clocks_event_reasons_counters_sw_thermal_slowdown_seconds"),),
    "throttled_time_hw_thermal": (_counter("clocks_event_reasons_counters_hw_thermal_slowdown_seconds"),),
    "device_info": (_smi("gpu_info"),),
    "process_memory": (
        _smi(
            "compute_app_used_memory_bytes",
            default=False,
            enable="run the exporter with --collect.compute-apps",
        ),
    ),
}

PROFILE = Profile(
    name="nvidia-smi",
    title="nvidia_gpu_exporter",
    exporter="nvidia_gpu_exporter",
    port=9835,
    interval=30,
    signals=SIGNALS,
    labels=LABELS,
    identity=Identity("nvidia_smi_gpu_info", on=("cluster", "node", "uuid"), provides=("gpu", "model")),
    notes=(
        "The card's index is known from exporter 1.5.0 on; before that, its uuid stands in its place.",
        "On a MIG card memory is that of the whole card; the nvidia-smi backend gives no utilisation there.",
        "There are no pod labels: who holds a card is not known from this exporter.",
    ),
)

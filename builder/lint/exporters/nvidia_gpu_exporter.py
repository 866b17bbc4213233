"""nvidia_gpu_exporter's further families: one for each query field that the driver knows.

Names: docs/METRICS.md and the expected output in internal/integration/testdata of
github.com/utkuozdemir/nvidia_gpu_exporter. Units are in the names, after its own rule; all is typed gauge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from builder.catalog.model import Kind, Unit
from builder.lint.exporters.other import Other

_NVML = "run the exporter with --collect.backend nvml"
_PROCESSES = "run the exporter with --collect.compute-apps"

_FIELDS = """
accounting_buffer_size accounting_mode c2c_mode clocks_current_graphics_clock_hz
clocks_current_video_clock_hz clocks_max_graphics_clock_hz clocks_max_memory_clock_hz
clocks_event_reasons_counters_hw_power_brake_slowdown_seconds clocks_event_reasons_counters_sync_boost_seconds
command_exit_code compute_cap compute_mode count display_active display_attached driver_version
ecc_mode_current ecc_mode_pending edpp_multiplier_ratio encoder_stats_average_fps encoder_stats_average_latency
encoder_stats_session_count fabric_clique_id fabric_state failed_scrapes_total gpu_recovery_action
gsp_mode_current gsp_mode_default index inforom_ecc inforom_oem kmd_version
last_collect_success last_collect_success_timestamp_seconds last_collect_duration_seconds
memory_total_bytes mig_mode_current mig_mode_pending name nvml_return_code
pci_base_class pci_bus pci_device pci_device_id pci_domain pci_sub_class pci_sub_device_id
pcie_link_gen_current pcie_link_gen_gpucurrent pcie_link_gen_gpumax pcie_link_gen_hostmax pcie_link_gen_max
pcie_link_width_current pcie_link_width_max persistence_mode platform_gpu_fabric_guid platform_host_id
platform_module_id platform_slot_number platform_tray_index
power_draw_average_watts power_max_limit_watts power_min_limit_watts
protected_memory_free_bytes protected_memory_total_bytes protected_memory_used_bytes pstate
remapped_rows_correctable_inactive remapped_rows_uncorrectable_inactive remapped_rows_histogram_high
remapped_rows_histogram_low remapped_rows_histogram_max remapped_rows_histogram_none remapped_rows_histogram_partial
retired_pages_single_bit_ecc_count retired_pages_double_bit_count serial
utilization_decoder_ratio utilization_encoder_ratio utilization_jpeg_ratio utilization_memory_ratio
utilization_ofa_ratio
"""
_OF_NVML = [
    "mig_info",
    "mig_memory_free_bytes",
    "mig_memory_reserved_bytes",
    "mig_memory_total_bytes",
    "mig_memory_used_bytes",
    "mig_sm_activity_ratio",
    "mig_sm_occupancy_ratio",
    "mig_tensor_activity_ratio",
    "mig_dram_activity_ratio",
    "mig_gr_engine_activity_ratio",
    "xid_last_timestamp_seconds",
]
_OF_PROCESSES = ["compute_app_info", "compute_apps", "compute_apps_last_collect_success"]
_CODES = ("pstate", "compute_mode", "fabric_state", "gpu_recovery_action", "command_exit_code", "nvml_return_code")
_COUNTED = ("ecc_errors_", "retired_pages_", "failed_scrapes_")
_UNITS = (
    ("_bytes_per_second", Unit.BYTES_PER_SECOND),
    ("_bytes", Unit.BYTES),
    ("_ratio", Unit.RATIO),
    ("_watts", Unit.WATTS),
    ("_clock_hz", Unit.HERTZ),
    ("_seconds", Unit.SECONDS),
)


def _ecc() -> Iterator[str]:
    for fixed, since, where in product(
        ("corrected", "uncorrected"), ("volatile", "aggregate"), ("total", "device_memory", "dram", "sram")
    ):
        yield f"ecc_errors_{fixed}_{since}_{where}"
    details = ("l2", "mcu", "other", "parity", "pcie", "secded", "sm", "threshold_exceeded")
    for since, detail in product(("volatile", "aggregate"), details):
        yield f"ecc_errors_uncorrected_{since}_sram_{detail}"


def _other(name: str, enable: str = "") -> Other:
    unit = next((unit for suffix, unit in _UNITS if name.endswith(suffix)), Unit.NONE)
    kind = Kind.GAUGE
    if name in _CODES:
        kind = Kind.CODE
    elif name.endswith("_info"):
        kind = Kind.INFO
    elif name.startswith(_COUNTED):
        kind, unit = Kind.COUNTER, Unit.COUNT
    elif "_counters_" in name:
        kind = Kind.COUNTER
    return Other(kind, unit, enable=enable, mask=name.startswith("clocks_event_reasons_active"))


OTHERS: dict[str, Other] = {
    **{f"nvidia_smi_{name}": _other(name) for name in (*_FIELDS.split(), *_ecc())},
    **{f"nvidia_smi_{name}": _other(name, _NVML) for name in _OF_NVML},
    **{f"nvidia_smi_{name}": _other(name, _PROCESSES) for name in _OF_PROCESSES},
    **{
        f"nvidia_smi_clocks_{reasons}_reasons_{which}": Other(mask=True)
        for reasons, which in product(("event", "throttle"), ("active", "supported"))
    },
}

LABELS = frozenset(
    (
        "driver_model_current",
        "driver_model_pending",
        "vbios_version",
        "driver_version",
        "pci_bus_id",
        "serial",
        "compute_cap",
        "pci_sub_device_id",
        "cuda_version",
        "profile",
        "mig_uuid",
        "compute_instance_id",
    )
)

"""The labels that each question's answer carries, as its help says; legends, links and joins rely on them."""

from __future__ import annotations

from collections.abc import Callable

from builder.catalog.signals import THROTTLE_REASONS
from builder.queries.jobs import JOB, PROCESS
from builder.queries.source import Source

Labels = Callable[[Source], frozenset[str]]


def _card(*more: str) -> Labels:
    return lambda source: frozenset({*source.card, *more})


def _instance(*more: str) -> Labels:
    return lambda source: frozenset({*source.instance, *more})


def _just(*labels: str) -> Labels:
    return lambda source: frozenset(labels)


CARD, INSTANCE = _card(), _instance()
NODE, NAMESPACE, ALL = _just("cluster", "node"), _just("cluster", "namespace"), _just()
OF_JOB, OF_PROCESS, CARD_OF_JOB = _just(*JOB), _just(*PROCESS), _just("uuid", *JOB)
WORKLOAD = _instance("namespace", "pod", "container")
DISTRIBUTION = _just("from")

PROMISES: dict[str, Labels] = {
    "extremes.highest(job_throughput, 20)": OF_JOB,
    "extremes.highest(memory_share, 20)": INSTANCE,
    "extremes.highest(sample_age, 20)": NODE,
    "extremes.highest(straggler_lag, 20)": OF_PROCESS,
    "extremes.highest(temperature, 20)": CARD,
    "extremes.lowest(clock_behind_peers, 20)": CARD_OF_JOB,
    "extremes.lowest(node_utilisation, 20)": NODE,
    "health.cards_with_xid": CARD,
    "health.ecc_cards": ALL,
    "health.ecc_corrected": CARD,
    "health.ecc_corrected_rate": CARD,
    "health.ecc_uncorrected": CARD,
    "health.last_xid": CARD,
    "health.node_ecc_cards": NODE,
    "health.node_xid_cards": NODE,
    "health.retired_pages_pending": CARD,
    "health.row_remap_failed_cards": ALL,
    "health.row_remap_failure": CARD,
    "health.row_remap_pending": CARD,
    "health.row_remap_pending_cards": ALL,
    "health.rows_remapped_uncorrected": CARD,
    "health.xid_cards": ALL,
    "health.xid_count": _card("xid"),
    "interconnect.nvlink_errors": CARD,
    "interconnect.pcie_replays": CARD,
    "inventory.card_count": ALL,
    "inventory.cards": _card("model"),
    "inventory.lost_card_count": ALL,
    "inventory.lost_cards": _card("uuid"),
    "inventory.node_cards": NODE,
    "inventory.node_count": ALL,
    "inventory.node_lost_cards": NODE,
    "memory.card_memory_share": CARD,
    "memory.card_memory_total": CARD,
    "memory.card_memory_used": CARD,
    "memory.fleet_memory_share": ALL,
    "memory.fleet_memory_total": ALL,
    "memory.fleet_memory_used": ALL,
    "memory.framework_in_use": CARD,
    "memory.framework_in_use.total": ALL,
    "memory.framework_limit": CARD,
    "memory.framework_peak": CARD,
    "memory.framework_pool": CARD,
    "memory.framework_share_of_limit": CARD,
    "memory.memory_distribution": DISTRIBUTION,
    "memory.memory_free": INSTANCE,
    "memory.memory_gap": CARD,
    "memory.memory_gap.total": ALL,
    "memory.memory_gap_share": CARD,
    "memory.memory_share": INSTANCE,
    "memory.memory_share.fullest": INSTANCE,
    "memory.memory_total": INSTANCE,
    "memory.memory_used": INSTANCE,
    "memory.node_memory_share": NODE,
    "memory.observed_memory_used": CARD,
    "memory.tightest_framework": ALL,
    "memory.total_gap_share": ALL,
    "power.cards_at_power_limit": ALL,
    "power.clock_of_highest_power(10)": CARD,
    "power.energy_used": ALL,
    "power.fleet_power": ALL,
    "power.memory_clock": CARD,
    "power.near_power_limit": CARD,
    "power.node_power": NODE,
    "power.power": CARD,
    "power.power_limit": CARD,
    "power.power_share": CARD,
    "power.sm_clock": CARD,
    "telemetry.clock_offset": NODE,
    "telemetry.coverage": _just("metric"),
    "telemetry.coverage_share": _just("metric"),
    "telemetry.missing_cards": NODE,
    "telemetry.oldest_sample": ALL,
    "telemetry.sample_age": NODE,
    "telemetry.silent_node_count": ALL,
    "telemetry.silent_nodes": NODE,
    "thermal.fleet_temperature": ALL,
    "thermal.hot": CARD,
    "thermal.hot_cards": ALL,
    "thermal.memory_temperature": CARD,
    "thermal.node_temperature": NODE,
    "thermal.node_throttled_cards": NODE,
    "thermal.power_capped_cards": ALL,
    "thermal.power_throttled_share": CARD,
    "thermal.temperature": CARD,
    "thermal.temperature_distribution": DISTRIBUTION,
    "thermal.thermal_headroom": CARD,
    "thermal.thermal_throttled_share": CARD,
    "thermal.throttle_now": CARD,
    "thermal.throttled_at_all": CARD,
    "thermal.throttled_cards": ALL,
    "thermal.throttled_within": CARD,
    "traffic.nvlink_throughput": CARD,
    "traffic.pcie_receive": CARD,
    "traffic.pcie_transmit": CARD,
    "training.active_jobs": ALL,
    "training.checkpoint_age": OF_JOB,
    "training.clock_behind_peers": CARD_OF_JOB,
    "training.fleet_throughput": ALL,
    "training.host_disk_busy": NODE,
    "training.host_disk_read": NODE,
    "training.host_io_wait": NODE,
    "training.inefficient_jobs": OF_JOB,
    "training.input_wait_share": OF_JOB,
    "training.job_cards": OF_JOB,
    "training.job_step_rate": OF_JOB,
    "training.job_step_time": OF_JOB,
    "training.job_throughput": OF_JOB,
    "training.job_utilisation": OF_JOB,
    "training.longest_without_step": ALL,
    "training.process_step_time": OF_PROCESS,
    "training.seconds_since_step": OF_JOB,
    "training.straggler_lag": OF_PROCESS,
    "training.worst_input_wait": ALL,
    "utilisation.busy": CARD,
    "utilisation.busy_share": ALL,
    "utilisation.card_utilisation": CARD,
    "utilisation.dram_activity": CARD,
    "utilisation.fleet_utilisation": ALL,
    "utilisation.node_utilisation": NODE,
    "utilisation.sm_activity": CARD,
    "utilisation.tensor_activity": CARD,
    "utilisation.utilisation": INSTANCE,
    "utilisation.utilisation_distribution": DISTRIBUTION,
    "utilisation.utilisation_tenth": CARD,
    "workloads.idle_holder_count": ALL,
    "workloads.idle_holders": INSTANCE,
    "workloads.idle_workloads": WORKLOAD,
    "workloads.namespace_cards": NAMESPACE,
    "workloads.namespace_utilisation": NAMESPACE,
    "workloads.troubled_nodes": NODE,
    "workloads.troubled_workloads": WORKLOAD,
    "workloads.workload_utilisation": WORKLOAD,
    "workloads.workload_utilisation_in_trouble": WORKLOAD,
    "workloads.workloads": WORKLOAD,
    **{f"thermal.{reason}": CARD for reason in THROTTLE_REASONS},
}

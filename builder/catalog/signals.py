"""Every signal that boards, rules and alerts may ask for.

Names are public: questions, coverage reports and the configuration's overrides use them.
"""

from __future__ import annotations

from builder.catalog.model import Kind, Scope, Signal, Unit
from builder.errors import UnknownName

_BOARD, _INSTANCE = Scope.BOARD, Scope.INSTANCE
_GAUGE, _COUNTER, _STATE, _CODE, _INFO = Kind.GAUGE, Kind.COUNTER, Kind.STATE, Kind.CODE, Kind.INFO

_GPU = (
    Signal("utilisation", _GAUGE, Unit.RATIO, _INSTANCE, "Share of time in which any work ran on the card."),
    Signal(
        "sm_activity",
        _GAUGE,
        Unit.RATIO,
        _INSTANCE,
        "Share of cycles with a warp resident, averaged over the SMs.",
    ),
    Signal("sm_occupancy", _GAUGE, Unit.RATIO, _INSTANCE, "Resident warps against the most the SMs can hold."),
    Signal("tensor_activity", _GAUGE, Unit.RATIO, _INSTANCE, "Share of cycles in which the tensor pipe was busy."),
    Signal("dram_activity", _GAUGE, Unit.RATIO, _INSTANCE, "Share of cycles in which device memory moved data."),
    Signal(
        "memory_used",
        _GAUGE,
        Unit.BYTES,
        _INSTANCE,
        "Device memory held by all processes, as the driver counts it.",
    ),
    Signal("memory_free", _GAUGE, Unit.BYTES, _INSTANCE, "Device memory that nobody holds."),
    Signal("memory_reserved", _GAUGE, Unit.BYTES, _INSTANCE, "Device memory kept by driver, firmware and ECC."),
    Signal("memory_total", _GAUGE, Unit.BYTES, _INSTANCE, "Device memory in all: used, free and reserved."),
    Signal("temperature", _GAUGE, Unit.CELSIUS, _BOARD, "Temperature of the GPU core."),
    Signal("memory_temperature", _GAUGE, Unit.CELSIUS, _BOARD, "Temperature of the memory stacks."),
    Signal(
        "slowdown_temperature",
        _GAUGE,
        Unit.CELSIUS,
        _BOARD,
        "Core temperature at which the card slows itself down.",
    ),
    Signal("temperature_margin", _GAUGE, Unit.CELSIUS, _BOARD, "Degrees left before the card slows itself down."),
    Signal("power", _GAUGE, Unit.WATTS, _BOARD, "Power drawn by the board."),
    Signal("power_limit", _GAUGE, Unit.WATTS, _BOARD, "Power limit in force."),
    Signal("energy", _COUNTER, Unit.JOULES, _BOARD, "Energy used since the driver was loaded."),
    Signal("sm_clock", _GAUGE, Unit.HERTZ, _BOARD, "Clock of the streaming multiprocessors."),
    Signal("memory_clock", _GAUGE, Unit.HERTZ, _BOARD, "Clock of device memory."),
    Signal("sm_clock_max", _GAUGE, Unit.HERTZ, _BOARD, "Highest clock that the SMs can reach."),
    Signal("fan_speed", _GAUGE, Unit.RATIO, _BOARD, "Fan speed against its maximum; absent on passive cards."),
    Signal("pcie_transmit", _GAUGE, Unit.BYTES_PER_SECOND, _BOARD, "PCIe traffic sent by the card."),
    Signal("pcie_receive", _GAUGE, Unit.BYTES_PER_SECOND, _BOARD, "PCIe traffic received by the card."),
    Signal("pcie_replay", _COUNTER, Unit.COUNT, _BOARD, "PCIe packets sent again."),
    Signal(
        "nvlink_throughput",
        _GAUGE,
        Unit.BYTES_PER_SECOND,
        _BOARD,
        "NVLink traffic, both directions, all links.",
    ),
    Signal("nvlink_errors", _COUNTER, Unit.COUNT, _BOARD, "NVLink data CRC errors, all links."),
    Signal(
        "ecc_corrected",
        _COUNTER,
        Unit.COUNT,
        _BOARD,
        "Memory errors that ECC corrected since the driver was loaded.",
    ),
    Signal(
        "ecc_uncorrected",
        _COUNTER,
        Unit.COUNT,
        _BOARD,
        "Memory errors that ECC could not correct since the driver was loaded.",
    ),
    Signal("xid", _CODE, Unit.NONE, _BOARD, "Code of the last XID; stays until the exporter restarts."),
    Signal("xid_errors", _COUNTER, Unit.COUNT, _BOARD, "XIDs seen since the exporter started, by code."),
    Signal("row_remap_pending", _STATE, Unit.NONE, _BOARD, "A row remap waits for a reset of the card."),
    Signal("row_remap_failure", _STATE, Unit.NONE, _BOARD, "A row remap failed: the card is due for replacement."),
    Signal("rows_remapped_corrected", _COUNTER, Unit.COUNT, _BOARD, "Rows remapped after corrected errors."),
    Signal("rows_remapped_uncorrected", _COUNTER, Unit.COUNT, _BOARD, "Rows remapped after uncorrected errors."),
    Signal(
        "retired_pages_pending",
        _STATE,
        Unit.NONE,
        _BOARD,
        "A page retirement waits for a reboot (before Ampere).",
    ),
    Signal(
        "retired_pages_corrected",
        _COUNTER,
        Unit.COUNT,
        _BOARD,
        "Pages retired after repeated single-bit errors.",
    ),
    Signal("retired_pages_uncorrected", _COUNTER, Unit.COUNT, _BOARD, "Pages retired after double-bit errors."),
    Signal(
        "throttled",
        _STATE,
        Unit.NONE,
        _BOARD,
        "Heat or the power supply reduce the clocks (the power cap is not counted).",
    ),
    Signal("throttle_idle", _STATE, Unit.NONE, _BOARD, "Clocks are low because nothing runs."),
    Signal("throttle_app_clocks", _STATE, Unit.NONE, _BOARD, "Clocks are held by an application clock setting."),
    Signal("throttle_sw_power", _STATE, Unit.NONE, _BOARD, "Clocks are reduced to stay below the power limit."),
    Signal(
        "throttle_hw_slowdown",
        _STATE,
        Unit.NONE,
        _BOARD,
        "Hardware halved the clocks (heat, power brake or supply).",
    ),
    Signal(
        "throttle_sync_boost",
        _STATE,
        Unit.NONE,
        _BOARD,
        "Clocks follow the slowest card of a sync boost group.",
    ),
    Signal("throttle_sw_thermal", _STATE, Unit.NONE, _BOARD, "The driver reduces clocks because of heat."),
    Signal("throttle_hw_thermal", _STATE, Unit.NONE, _BOARD, "Hardware reduces clocks because of heat."),
    Signal("throttle_power_brake", _STATE, Unit.NONE, _BOARD, "An external power brake signal reduces clocks."),
    Signal("throttled_time_power", _COUNTER, Unit.SECONDS, _BOARD, "Time with clocks reduced by the power limit."),
    Signal("throttled_time_thermal", _COUNTER, Unit.SECONDS, _BOARD, "Time with clocks reduced by heat."),
    Signal(
        "throttled_time_hw_thermal",
        _COUNTER,
        Unit.SECONDS,
        _BOARD,
        "Time with clocks reduced by heat, by hardware.",
    ),
    Signal("device_info", _INFO, Unit.NONE, _BOARD, "Identity of the card: model, driver, PCI address."),
    Signal("process_memory", _GAUGE, Unit.BYTES, Scope.DEVICE_PROCESS, "Device memory held by one process."),
    Signal("pod_memory", _GAUGE, Unit.BYTES, _INSTANCE, "Device memory held by the processes of a pod."),
)

_TRAINING = (
    Signal(
        "framework_memory_in_use",
        _GAUGE,
        Unit.BYTES,
        Scope.JOB,
        "Device memory in live tensors, as the framework counts it.",
    ),
    Signal(
        "framework_memory_peak",
        _GAUGE,
        Unit.BYTES,
        Scope.JOB,
        "Highest device memory in live tensors since the start.",
    ),
    Signal("framework_memory_pool", _GAUGE, Unit.BYTES, Scope.JOB, "Device memory held by the framework's pool."),
    Signal(
        "framework_memory_limit",
        _GAUGE,
        Unit.BYTES,
        Scope.JOB,
        "The most that the framework's pool may hold.",
    ),
    Signal("records", _COUNTER, Unit.COUNT, Scope.JOB, "Training records (examples) processed."),
    Signal("steps", _COUNTER, Unit.COUNT, Scope.JOB, "Training steps done."),
    Signal(
        "steps_per_second",
        _GAUGE,
        Unit.PER_SECOND,
        Scope.JOB,
        "Training steps per second, as the script counts them.",
    ),
    Signal("step_time", _COUNTER, Unit.SECONDS, Scope.JOB, "Time spent in training steps."),
    Signal("input_wait", _COUNTER, Unit.SECONDS, Scope.JOB, "Time spent waiting for input."),
    Signal("last_step", _GAUGE, Unit.SECONDS, Scope.JOB, "Unix time of the last step."),
    Signal("job_active", _STATE, Unit.NONE, Scope.JOB, "A training job runs."),
    Signal("job_started", _GAUGE, Unit.SECONDS, Scope.JOB, "Unix time when training began."),
    Signal(
        "job_evaluating",
        _STATE,
        Unit.NONE,
        Scope.JOB,
        "The loop evaluates, so that no steps are no stall.",
    ),
    Signal("job_checkpointing", _STATE, Unit.NONE, Scope.JOB, "The loop writes a checkpoint, which is no stall."),
    Signal("job_compiling", _STATE, Unit.NONE, Scope.JOB, "The loop compiles, which is no stall."),
    Signal("phase_time", _COUNTER, Unit.SECONDS, Scope.JOB, "Time that the loop spent in a phase."),
    Signal("job_ended", _GAUGE, Unit.SECONDS, Scope.JOB, "Unix time when training ended."),
    Signal("global_step", _GAUGE, Unit.COUNT, Scope.JOB, "Training steps since the job began, restarts included."),
    Signal("checkpoints", _COUNTER, Unit.COUNT, Scope.JOB, "Checkpoints written."),
    Signal("checkpoint_time", _COUNTER, Unit.SECONDS, Scope.JOB, "Time spent on checkpoints."),
    Signal("last_checkpoint", _GAUGE, Unit.SECONDS, Scope.JOB, "Unix time of the last checkpoint."),
    Signal("training_job_info", _INFO, Unit.NONE, Scope.JOB, "Which job and rank a training process is."),
    Signal("probe_errors", _COUNTER, Unit.COUNT, Scope.JOB, "What failed inside the training probe."),
    Signal("training_device_info", _INFO, Unit.NONE, Scope.JOB, "Which card a training process uses."),
)

_HOST = (
    Signal("cpu_io_wait", _COUNTER, Unit.SECONDS, Scope.NODE, "CPU time spent waiting for disks."),
    Signal("disk_busy", _COUNTER, Unit.SECONDS, Scope.NODE, "Time in which a disk had work."),
    Signal("disk_read", _COUNTER, Unit.BYTES, Scope.NODE, "Bytes read from disks."),
    Signal("clock_offset", _GAUGE, Unit.SECONDS, Scope.NODE, "The host's clock against its time source."),
    Signal("gpu_requests", _GAUGE, Unit.COUNT, Scope.POD, "Cards requested by a container."),
    Signal("pod_labels", _INFO, Unit.NONE, Scope.POD, "Labels of a pod, among them its training job."),
    Signal("node_gpus", _GAUGE, Unit.COUNT, Scope.NODE, "Cards that a node has to offer."),
)

SIGNALS: dict[str, Signal] = {s.name: s for s in (*_GPU, *_TRAINING, *_HOST)}

THROTTLE_REASONS: dict[str, str] = {
    "throttle_sw_power": "power cap",
    "throttle_sw_thermal": "heat (driver)",
    "throttle_hw_thermal": "heat (hardware)",
    "throttle_power_brake": "power brake",
    "throttle_hw_slowdown": "hardware slowdown",
    "throttle_sync_boost": "sync boost",
    "throttle_app_clocks": "application clocks",
    "throttle_idle": "idle",
}
"""What reduces clocks, most common first, and how people call it."""


def signal(name: str) -> Signal:
    """The signal of this name; UnknownName with the nearest one otherwise."""
    try:
        return SIGNALS[name]
    except KeyError:
        raise UnknownName("signal", name, SIGNALS) from None

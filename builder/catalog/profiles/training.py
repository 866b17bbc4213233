"""The training side: our probe, and the names of the minimal TensorFlow snippet."""

from __future__ import annotations

from builder.catalog.model import Match, Metric, Profile, Spelling

_HOST = "(.+?)(?::[0-9]+)?"
_PORT = "(?:{value})(?::[0-9]+)?"

# A training process is a scrape target of its own: pod and namespace are the target's.
_WORKLOAD = {
    "namespace": (Spelling("namespace"),),
    "pod": (Spelling("pod"),),
    "container": (Spelling("container"),),
    "job": (Spelling("job"),),
    "instance": (Spelling("instance"),),
    "rank": (Spelling("rank"),),
    "framework": (Spelling("framework"),),
    "training_job": (Spelling("training_job"),),
    "phase": (Spelling("phase"),),
    "device": (Spelling("device"),),
    "mapping": (Spelling("mapping"),),
    "op": (Spelling("op"),),
    "pid": (Spelling("pid"),),
}


def _phase(name: str) -> Metric:
    return Metric("train_phase", where=(Match("phase", "=", name),))


PROBE = Profile(
    name="probe",
    title="the gpuboards training probe",
    exporter="gpuboards probe",
    port=9410,
    interval=15,
    signals={
        "framework_memory_in_use": (Metric("train_device_memory_in_use_bytes"),),
        "framework_memory_peak": (Metric("train_device_memory_peak_bytes"),),
        "framework_memory_pool": (Metric("train_device_memory_pool_bytes"),),
        "framework_memory_limit": (Metric("train_device_memory_limit_bytes"),),
        "records": (Metric("train_records_total"), Metric("train_examples_total")),
        "steps": (Metric("train_steps_total"),),
        "step_time": (Metric("train_step_duration_seconds_sum"),),
        "input_wait": (Metric("train_input_wait_seconds_total"),),
        "last_step": (Metric("train_last_step_timestamp_seconds"),),
        "job_active": (Metric("train_in_progress"),),
        "job_started": (Metric("train_start_timestamp_seconds"),),
        "job_evaluating": (_phase("evaluate"),),
        "job_checkpointing": (_phase("checkpoint"),),
        "job_compiling": (_phase("compile"),),
        "phase_time": (Metric("train_phase_seconds_total"),),
        "job_ended": (Metric("train_end_timestamp_seconds"),),
        "global_step": (Metric("train_global_step"),),
        "checkpoints": (Metric("train_checkpoints_total"),),
        "checkpoint_time": (Metric("train_checkpoint_seconds_total"),),
        "last_checkpoint": (Metric("train_last_checkpoint_timestamp_seconds"),),
        "training_job_info": (Metric("train_job_info"),),
        "probe_errors": (Metric("train_probe_errors_total", born_beside="train_job_info"),),
        "training_device_info": (Metric("train_device_info"),),
    },
    labels={
        "cluster": (Spelling("cluster"),),
        "node": (Spelling("node"), Spelling("instance", pattern=_HOST, selector=_PORT)),
        "uuid": (Spelling("uuid", pattern="(?:GPU-|gpu-)?(.+)", replacement="GPU-$1"),),
        "gpu": (Spelling("gpu"),),
        "mig": (Spelling("mig", pattern="(?:mig-)?(.+)", replacement="mig-$1"),),
        **_WORKLOAD,
    },
    card=("uuid",),
)

SNIPPET = Profile(
    name="tf-snippet",
    title="the minimal TensorFlow snippet",
    exporter="a few lines in the training script",
    port=8000,
    interval=15,
    signals={
        "framework_memory_in_use": (Metric("tf_gpu_memory_current_bytes"),),
        "records": (Metric("tfr_records_processed_total"),),
        "steps_per_second": (Metric("tfr_steps_per_second"),),
    },
    labels={
        "cluster": (Spelling("cluster"),),
        "node": (Spelling("node"), Spelling("instance", pattern=_HOST, selector=_PORT)),
        # The process's own numbering: right only where it sees all cards in PCI order.
        "gpu": (Spelling("device", pattern="(?:/device:)?GPU:([0-9]+)", selector="(?:/device:)?GPU:(?:{value})"),),
        **_WORKLOAD,
    },
    card=("cluster", "node", "gpu"),
    approximate="the snippet knows no uuid, so processes are joined to cards by node and index, which is right "
    "only where each process sees every card of its node in PCI order",
)

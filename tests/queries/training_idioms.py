"""What is hard about training processes, each as input series and the answers that are right, computed by hand."""

from __future__ import annotations

from collections.abc import Mapping

from builder.queries import training
from tests.queries.idioms import Idiom


def _of(rank: int, job: str = "j") -> str:
    return f'instance="t{rank}",rank="{rank}",training_job="{job}",namespace="ml",pod="{job}-{rank}"'


def _process(rank: int, job: str = "j") -> str:
    """A process's labels in an answer."""
    return f'instance="t{rank}",namespace="ml",pod="{job}-{rank}",rank="{rank}",training_job="{job}"'


_JOB = 'namespace="ml",training_job="j"'


def _steps(rank: int, steps: str, seconds: str) -> Mapping[str, str]:
    return {
        f"train_steps_total{{{_of(rank)}}}": steps,
        f"train_step_duration_seconds_sum{{{_of(rank)}}}": seconds,
    }


# Thirty steps in 30 s, in each of which a process has 0.5 s of its own work; the slow one 0.75 s.
_MATE, _SLOW = ("0+30x20", "0+15x20"), ("0+30x20", "0+22.5x20")

IDIOMS: dict[str, Idiom] = {
    "a straggler is slower than the median of its job": Idiom(
        {
            **{name: text for rank in range(4) for name, text in _steps(rank, *_MATE).items()},
            **_steps(4, *_SLOW),
        },
        {
            training.process_step_time: {**{_process(rank): 0.5 for rank in range(4)}, _process(4): 0.75},
            training.straggler_lag: {**{_process(rank): 0 for rank in range(4)}, _process(4): 0.5},
            training.job_step_time: {_JOB: (4 * 0.5 + 0.75) / 5},
            training.job_step_rate: {_JOB: 1},
        },
        training="probe",
    ),
    "three processes have no median worth the name": Idiom(
        {**_steps(0, *_MATE), **_steps(1, *_MATE), **_steps(2, *_SLOW)},
        {training.straggler_lag: {}},
        training="probe",
    ),
    "a process that stands still has no step time, and does not shift the median": Idiom(
        {
            **{name: text for rank in range(3) for name, text in _steps(rank, *_MATE).items()},
            **_steps(3, *_SLOW),
            **_steps(4, "100x20", "50x20"),
            **_steps(5, "100x20", "50x20"),
        },
        {training.straggler_lag: {**{_process(rank): 0 for rank in range(3)}, _process(3): 0.5}},
        training="probe",
    ),
    "a restarted process is no jump": Idiom(
        {  # 20 records a second, of which one process begins anew
            f"train_records_total{{{_of(0)}}}": "0+300x20",
            f"train_records_total{{{_of(1)}}}": "9000+300x6 0+300x13",
        },
        {training.job_throughput: {_JOB: 20}, training.fleet_throughput: {"": 20}},
        training="probe",
        at="7m",
    ),
    "a script that counts examples counts records": Idiom(
        {f"train_examples_total{{{_of(0)}}}": "0+300x20"},
        {training.job_throughput: {_JOB: 10}},
        training="probe",
    ),
    "waiting is a share of all the time that the job's processes spend in steps": Idiom(
        {
            **_steps(0, "0+30x20", "0+10x20"),
            **_steps(1, "0+30x20", "0+30x20"),
            f"train_input_wait_seconds_total{{{_of(0)}}}": "0+5x20",
            f"train_input_wait_seconds_total{{{_of(1)}}}": "0+3x20",
        },
        {training.input_wait_share: {_JOB: 8 / 40}, training.worst_input_wait: {"": 8 / 40}},
        training="probe",
    ),
    "two processes on one card are one card, and one that knows none is on none": Idiom(
        {
            f'train_device_info{{{_of(0)},uuid="GPU-na0"}}': "1x20",
            f'train_device_info{{{_of(1)},uuid="GPU-na0"}}': "1x20",
            f'train_device_info{{{_of(2)},uuid="GPU-na1"}}': "1x20",
            f'train_device_info{{{_of(3)},mapping="none"}}': "1x20",
            'DCGM_FI_PROF_GR_ENGINE_ACTIVE{Hostname="na",gpu="0",UUID="GPU-na0"}': "0.9x20",
            'DCGM_FI_PROF_GR_ENGINE_ACTIVE{Hostname="na",gpu="1",UUID="GPU-na1"}': "0.3x20",
        },
        {training.job_cards: {_JOB: 2}, training.job_utilisation: {_JOB: (0.9 + 0.3) / 2}},
        training="probe",
    ),
    "only what runs is waited for": Idiom(
        {
            f"train_in_progress{{{_of(0)}}}": "1x20",
            f"train_last_step_timestamp_seconds{{{_of(0)}}}": "0+30x4 150x20",  # at 5 m, that is 150 s ago
            f"train_last_checkpoint_timestamp_seconds{{{_of(0)}}}": "60x20",
            f"train_in_progress{{{_of(1, 'done')}}}": "0x20",
            f"train_last_step_timestamp_seconds{{{_of(1, 'done')}}}": "30x20",
            f"train_last_checkpoint_timestamp_seconds{{{_of(1, 'done')}}}": "30x20",
        },
        {
            training.active_jobs: {"": 1},
            training.seconds_since_step: {_JOB: 150},
            training.longest_without_step: {"": 150},
            training.checkpoint_age: {_JOB: 240},
        },
        training="probe",
    ),
    "a snippet's process counts once, whichever label names its node": Idiom(
        {
            'tfr_records_processed_total{job="t",instance="na:8000"}': "0+300x20",
            'tfr_records_processed_total{job="t",instance="10.0.0.2:8000",node="nb"}': "0+600x20",
        },
        {training.fleet_throughput: {"": 10 + 20}},
        profile="nv-gpu",
        training="tf-snippet",
    ),
    "a disk that lies on others is not read twice": Idiom(
        {
            'node_disk_read_bytes_total{node="na",device="nvme0n1"}': "0+3000x20",
            'node_disk_read_bytes_total{node="na",device="md0"}': "0+3000x20",
            'node_disk_read_bytes_total{node="na",device="dm-1"}': "0+3000x20",
            'node_disk_io_time_seconds_total{node="na",device="nvme0n1"}': "0+15x20",
            'node_disk_io_time_seconds_total{node="na",device="md0"}': "0+30x20",
            'node_cpu_seconds_total{node="na",cpu="0",mode="iowait"}': "0+12x20",
            'node_cpu_seconds_total{node="na",cpu="1",mode="iowait"}': "0+0x20",
            'node_cpu_seconds_total{node="na",cpu="0",mode="user"}': "0+18x20",
        },
        {
            training.host_disk_read: {'node="na"': 100},
            training.host_disk_busy: {'node="na"': 0.5},
            training.host_io_wait: {'node="na"': (0.4 + 0) / 2},
        },
    ),
}

"""Training jobs: two processes in step, and several that are not as they should be."""

from __future__ import annotations

from collections.abc import Mapping

from builder.testing import AT, Target
from tests.live.targets import changed, exposition, training_pod


def steps(per_second: float, seconds: float, waiting: float, records: float = 256) -> Mapping[str, float]:
    """How the counters of a training process rise: steps of so many seconds, in which so many are spent waiting."""
    return {
        "train_steps_total": per_second,
        "train_records_total": per_second * records,
        "train_step_duration_seconds_sum": per_second * seconds,
        "train_step_duration_seconds_count": per_second,
        'train_step_duration_seconds_bucket{le="+Inf"}': per_second,
        "train_input_wait_seconds_total": per_second * waiting,
        'train_phase_seconds_total{phase="train"}': 0.875,
        'train_phase_seconds_total{phase="checkpoint"}': 0.125,
    }


TRAINING = (
    training_pod(exposition("train_probe_rank0"), "resnet50-worker-0", 1, steps(2, 0.5, 0.125)),
    training_pod(exposition("train_probe_rank1"), "resnet50-worker-1", 2, steps(2, 0.5, 0.3)),
)
RANK_1_ON_CARD_0 = changed("train_probe_rank1", ('uuid="[^"]+"', 'uuid="GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"'))

_UUID = 'uuid="GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"'
_NODE_2_UUID, _NODE_4_UUID = (f"GPU-{f'0{node}' * 4}-0000-4000-8000-00000000000" for node in (2, 4))


def _process(
    job: str,
    rank: int,
    number: int,
    slopes: Mapping[str, float],
    *changes: tuple[str, str],
    behind: int = 4,
    namespace: str = "ml",
) -> Target:
    """A training process like that of rank 0, whose last step was so many seconds ago."""
    text = changed(
        "train_probe_rank0",
        ('training_job="resnet50"', f'training_job="{job}"'),
        ('(?<=[,{])rank="0"', f'rank="{rank}"'),
        (r"^(train_last_step_timestamp_seconds.*) \S+$", rf"\1 {AT - behind:.0f}"),
        *changes,
    )
    return training_pod(text, f"{job}-worker-{rank}", number, slopes, namespace)


_KNOWS_NO_CARD = (f',gpu="0"(.*),{_UUID}', r"\1"), ('mapping="[^"]+"', 'mapping="unresolved"')
JOBS = (
    # One job of five processes on cards of three nodes; that of rank 3 takes nearly twice as long for its part.
    _process("bert", 0, 1, steps(1, 0.5, 0.1)),
    _process("bert", 1, 2, steps(1, 0.5, 0.1), (_UUID, 'uuid="GPU-15338f3e-5fd9-962d-921a-979b820520f0"')),
    _process("bert", 2, 3, steps(1, 0.5, 0.1), (_UUID, f'uuid="{_NODE_2_UUID}1"')),
    _process("bert", 3, 4, steps(1, 0.9, 0.5), (_UUID, f'uuid="{_NODE_4_UUID}0"'), behind=12),
    _process("bert", 4, 5, steps(1, 0.5, 0.1), (_UUID, f'uuid="{_NODE_4_UUID}1"')),
    # Goes on while its card is idle.
    _process(
        "tune", 0, 6, steps(0.5, 1.5, 0.3, 100), (_UUID, f'uuid="{_NODE_2_UUID}0"'), behind=40, namespace="research"
    ),
    # Stands still, and does not know its card.
    _process("hung", 0, 7, {}, *_KNOWS_NO_CARD, behind=1500),
    _process("done", 0, 8, {}, *_KNOWS_NO_CARD, ("^(train_in_progress.*) 1.0$", r"\1 0.0"), behind=3000),
)

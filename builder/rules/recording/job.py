"""``job:*``: training jobs as a whole, rates over five minutes."""

from __future__ import annotations

from builder.queries import training
from builder.queries.jobs import JOB
from builder.queries.kept import Kept
from builder.queries.question import Question


def _kept(name: str, help: str, question: Question) -> Kept:
    return Kept(f"job:{name}", JOB, help, question.ask)


JOBS = (
    _kept("cards:count", "Cards that the job uses.", training.job_cards),
    _kept("utilization_ratio:avg", "Mean utilisation of the cards that the job uses.", training.job_utilisation),
    _kept("records:rate5m", "Training records per second.", training.job_throughput),
    _kept("steps:rate5m", "Training steps per second.", training.job_step_rate),
    _kept("step_duration_seconds:rate5m", "Seconds that a step takes.", training.job_step_time),
    _kept("input_wait_ratio:rate5m", "Share of step time spent waiting for input.", training.input_wait_share),
)

"""Jobs that make no steps, few steps for what they hold, or steps that wait for input or for one process."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries import stalls, training
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of
from builder.rules.alerts.definition import Alert, Shown
from builder.rules.encode import duration
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_PODS = "kubectl --namespace {namespace} get pods --output wide"


def _hangs(source: Source, thresholds: Thresholds) -> Expr:
    return stalls.seconds_without_step(duration(thresholds.stall_after), gap_of(thresholds)).ask(source)


def _inefficient(source: Source, thresholds: Thresholds) -> Expr:
    window = duration(thresholds.efficiency_window)
    return stalls.job_utilisation_over(window, thresholds.efficiency_low).ask(source)


def _waits(source: Source, thresholds: Thresholds) -> Expr:
    over = source.with_window(duration(thresholds.input_window))
    return training.input_wait_share.ask(over).above(thresholds.input_wait)


def _lags(source: Source, thresholds: Thresholds) -> Expr:
    over = source.with_window(duration(thresholds.straggler_window))
    return training.straggler_lag.ask(over).above(thresholds.straggler_lag)


ALERTS = (
    Alert(
        "TrainingHung",
        Scope.JOB,
        Severity.CRITICAL,
        _hangs,
        summary="{where} has made no step for {value}",
        description="A process of the training job {where} made its last step {value} ago, and the job says that it "
        "trains. The process that is furthest behind holds all others up.",
        command=_PODS,
        board="gpu-training",
        shows=Shown.SECONDS,
        hold="stall_hold",
    ),
    Alert(
        "TrainingEfficiencyLow",
        Scope.JOB,
        Severity.WARNING,
        _inefficient,
        summary="{where} advances on cards that are {value} utilised",
        description="The cards of the training job {where} were {value} utilised over the last {efficiency_window}, "
        "below {efficiency_low}, although it makes steps.",
        command=_PODS,
        board="gpu-training",
        shows=Shown.RATIO,
        hold="efficiency_hold",
    ),
    Alert(
        "TrainingInputStall",
        Scope.JOB,
        Severity.WARNING,
        _waits,
        summary="{where} waits for input in {value} of its time",
        description="The training job {where} spent {value} of its step time waiting for input over the last "
        "{input_window}. The data pipeline is the bottleneck, not the cards.",
        command=_PODS,
        board="gpu-training",
        shows=Shown.RATIO,
        hold="input_hold",
    ),
    Alert(
        "TrainingStraggler",
        Scope.JOB,
        Severity.WARNING,
        _lags,
        summary="Rank {rank} of {where} is {value} slower than its peers",
        description="A step of rank {rank} of the training job {where} ({pod} at {instance}) takes {value} longer than "
        "the job's median. In a synchronous job all others wait for it.",
        command="kubectl --namespace {namespace} get pod {pod} --output wide",
        board="gpu-training",
        shows=Shown.RATIO,
        hold="straggler_hold",
    ),
)

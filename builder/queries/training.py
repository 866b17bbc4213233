"""Is the training efficient, and if not: is it the card, the input pipeline or a straggler?

A training job is (cluster, namespace, training_job); its processes are told apart by pod, instance and rank.
Rates are per process first and summed after, so that a restarted process does not look like a jump.
"""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, since
from builder.queries.jobs import JOB, PROCESS
from builder.queries.question import question
from builder.queries.source import Filter, Source
from builder.queries.utilisation import card_utilisation

_NODE = ("cluster", "node")
_STRAGGLER_PEERS = 3


@question
def active_jobs(source: Source) -> Expr:
    """How many training jobs run."""
    return aggregate("count", _running(source))


@question
def job_throughput(source: Source) -> Expr:
    """Training records per second, per job."""
    return aggregate("sum", source.rate("records", keep=PROCESS), by=JOB)


@question
def fleet_throughput(source: Source) -> Expr:
    """Training records per second over all jobs."""
    return aggregate("sum", job_throughput.ask(source))


@question
def worst_input_wait(source: Source) -> Expr:
    """The highest share of step time that a job spends waiting for input."""
    return aggregate("max", input_wait_share.ask(source))


@question
def longest_without_step(source: Source) -> Expr:
    """Seconds since the last step of the running job that is furthest behind."""
    return aggregate("max", seconds_since_step.ask(source))


@question
def job_step_rate(source: Source) -> Expr:
    """Training steps per second, per job: the mean of its processes, which step together."""
    if source.has("steps"):
        return aggregate("avg", source.rate("steps", keep=PROCESS), by=JOB)
    return aggregate("avg", source.level("steps_per_second", keep=PROCESS), by=JOB)


@question
def job_step_time(source: Source) -> Expr:
    """Seconds a training step takes, per job."""
    return _per_step(source, JOB)


@question
def process_step_time(source: Source) -> Expr:
    """Seconds a training step takes, per process."""
    return _per_step(source, PROCESS)


@question
def input_wait_share(source: Source) -> Expr:
    """Share of step time spent waiting for input, per job."""
    waited = aggregate("sum", source.rate("input_wait", keep=PROCESS), by=JOB)
    return _per(waited, aggregate("sum", source.rate("step_time", keep=PROCESS), by=JOB), JOB)


@question
def job_utilisation(source: Source) -> Expr:
    """Mean utilisation of the cards that a job uses."""
    return aggregate("avg", _on_jobs(source, card_utilisation.ask(source)), by=JOB)


@question
def job_cards(source: Source) -> Expr:
    """How many cards a job uses."""
    return aggregate("count", _cards_of_jobs(source), by=JOB)


@question
def inefficient_jobs(source: Source) -> Expr:
    """Utilisation of the jobs that advance while their cards are mostly idle."""
    advancing = job_step_rate.ask(source).above(0)
    low = job_utilisation.ask(source).below(source.threshold("efficiency_low"))
    return low.join("and", advancing, on=JOB)


@question
def seconds_since_step(source: Source) -> Expr:
    """Seconds since the last step of the process that is furthest behind, per running job."""
    behind = aggregate("max", since(source.level("last_step", keep=PROCESS)), by=JOB)
    return behind.join("and", _running(source), on=JOB)


@question
def straggler_lag(source: Source) -> Expr:
    """How much longer a process's own work takes per step than its job's median (0.2 is a fifth longer).

    Waiting for input counts; waiting for the others does not, as far as the script measures before it meets them.
    A job of few processes has no median worth the name.
    """
    mine = process_step_time.ask(source)
    median = aggregate("quantile", mine, by=JOB, parameter=0.5)
    enough = aggregate("count", mine, by=JOB).above(_STRAGGLER_PEERS)
    lag = mine.join("/", median, on=JOB, group_left=()) - 1
    return lag.join("and", enough, on=JOB)


@question
def clock_behind_peers(source: Source) -> Expr:
    """A card's SM clock against the median of its job's cards; the slow one holds the others up."""
    clocks = _on_jobs(source, source.level("sm_clock"))
    median = aggregate("quantile", clocks, by=JOB, parameter=0.5)
    return clocks.join("/", median, on=JOB, group_left=())


@question
def checkpoint_age(source: Source) -> Expr:
    """Seconds since the last checkpoint, per running job: what a crash would cost."""
    latest = aggregate("min", since(source.level("last_checkpoint", keep=PROCESS)), by=JOB)
    return latest.join("and", _running(source), on=JOB)


@question
def phase_share(source: Source) -> Expr:
    """Share of time that the loops of all processes spend in each phase."""
    return aggregate("avg", source.rate("phase_time", keep=(*PROCESS, "phase")), by=("phase",))


@question
def probe_failures(source: Source) -> Expr:
    """How often an operation of a process's probe failed since it started; only where one did."""
    failed = source.level("probe_errors", keep=(*PROCESS, "op")).level("what is born at 1 never increases")
    return aggregate("sum", failed, by=(*PROCESS, "op")).above(0)


@question
def cardless_devices(source: Source) -> Expr:
    """How many devices of a process are no card that anybody knows; only where one is not."""
    unknown = (Filter("mapping", "unresolved", "="),)
    devices = source.level("training_device_info", keep=(*PROCESS, "device", "mapping"), where=unknown)
    return aggregate("count", devices, by=PROCESS)


@question
def host_io_wait(source: Source) -> Expr:
    """Share of CPU time spent waiting for disks, per node."""
    return aggregate("avg", source.rate("cpu_io_wait", keep=("cpu",)), by=_NODE)


@question
def host_disk_busy(source: Source) -> Expr:
    """Share of time in which the busiest disk had work, per node."""
    return aggregate("max", source.rate("disk_busy", keep=("device",)), by=_NODE)


@question
def host_disk_read(source: Source) -> Expr:
    """Bytes per second read from disks, per node."""
    return aggregate("sum", source.rate("disk_read", keep=("device",)), by=_NODE)


def _running(source: Source) -> Expr:
    """One series a running job."""
    return aggregate("max", source.level("job_active", keep=PROCESS), by=JOB).above(0)


def _per_step(source: Source, key: tuple[str, ...]) -> Expr:
    spent = aggregate("sum", source.rate("step_time", keep=PROCESS), by=key)
    return _per(spent, aggregate("sum", source.rate("steps", keep=PROCESS), by=key), key)


def _per(part: Expr, whole: Expr, key: tuple[str, ...]) -> Expr:
    """A quotient where there is one: what stands still has no step time, and not one that is no number."""
    return part.join("/", whole.above(0), on=key)


def _cards_of_jobs(source: Source) -> Expr:
    """Which job uses which card: one series for each pair, the value is 1."""
    if "uuid" not in source.card or not source.has("training_device_info"):
        raise SignalMissing("training_device_info by card", source.name)
    # A process that does not know its card must not be taken for one on a card of its own.
    return source.level("training_device_info", keep=JOB, where=(Filter("uuid", "", "!="),))


def _on_jobs(source: Source, per_card: Expr) -> Expr:
    """A card's value for each job that uses the card."""
    pairs = _cards_of_jobs(source)  # first: it says what is missing where cards have no uuid
    return pairs.join("*", aggregate("max", per_card, by=("uuid",)), on=("uuid",), group_left=())

"""Work that stands still: cards that are held and idle, that dropped, that spin in a collective; jobs that hang.

A card's utilisation says nothing while its job evaluates, writes a checkpoint or compiles, nor after its end. Where
a probe reports, its phases tell; elsewhere nothing does.
"""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, call, since, tag, union
from builder.queries.events import bridged
from builder.queries.jobs import JOB, PROCESS
from builder.queries.question import Question, question
from builder.queries.source import Filter, Source
from builder.queries.workloads import held_idle

_PHASES = ("job_evaluating", "job_checkpointing", "job_compiling")
_UUID = ("uuid",)
_HELD = 0.5
"""Share of its memory that a card must still hold for a drop of utilisation to be no end of a job."""


@question
def card_job_age(source: Source) -> Expr:
    """Seconds since the youngest training process of each card began to train."""
    ages = aggregate("min", since(source.over_time("last", "job_started", "10m", keep=PROCESS)), by=PROCESS)
    return aggregate("min", _on_cards(source, ages, "10m"), by=_UUID)


def stepping_cards(window: str) -> Question:
    """Cards with a process that made a step within the window; the value is by how many."""

    def build(source: Source) -> Expr:
        steps = aggregate("max", source.increase("steps", window, keep=PROCESS), by=PROCESS).above(0)
        return aggregate("max", _on_cards(source, steps, window), by=_UUID)

    return Question(f"stepping_cards({window})", "Cards whose processes make steps.", build)


def idle_allocated(window: str, utilisation: float, memory: float, gap: str) -> Question:
    """What ``held_idle`` gives over gaps in the data, without cards whose job evaluates, saves or compiles."""

    def build(source: Source) -> Expr:
        held = held_idle(source, window, utilisation, memory, lambda reporting: bridged(reporting, gap))
        return _while_training(held, source, window, after_end=True)

    return Question("idle_allocated", "Share of memory held on cards that are idle and allocated.", build)


def dropped(window: str, points: float, below: float, gap: str) -> Question:
    """Present utilisation of cards that fell far below their own mean over the window, and still hold their memory.

    A job that ended gives its memory back, so that its end is no drop.
    """

    def build(source: Source) -> Expr:
        key = source.instance
        now = source.over_time("avg", "utilisation", gap)
        baseline = source.over_time("avg", "utilisation", window)
        fallen = now.below(below).join("and", baseline.join("-", now, on=key).above(points), on=key)
        fallen = fallen.join("and", source.over_time("last", "utilisation", "10m", offset=window), on=key)
        kept = source.over_time("avg", "memory_used", window) * _HELD
        held = source.over_time("min", "memory_used", gap).join(">=", kept, on=key)
        return _while_training(fallen.join("and", held, on=key), source, window="10m", after_end=False)

    return Question("dropped", "Utilisation of cards that fell below their own baseline.", build)


def collective_hang(window: str, utilisation: float, power: float, tensor: float, gap: str) -> Question:
    """Share of the power limit drawn by cards that are fully utilised and calculate nothing.

    A collective that waits for a lost rank spins on the card: utilisation reads 100 %, power and tensor pipe do not.
    """

    def build(source: Source) -> Expr:
        key = source.card
        busy = aggregate("avg", source.over_time("avg", "utilisation", window), by=key).above(utilisation)
        limit = bridged(source.level("power_limit"), gap)
        drawn = source.over_time("avg", "power", window).join("/", limit, on=key).below(power)
        spinning = drawn.join("and", busy, on=key)
        if source.has("tensor_activity"):
            tensors = aggregate("max", source.over_time("avg", "tensor_activity", window), by=key)
            spinning = spinning.join("unless", tensors.above(tensor), on=key)
        if _knows_cards(source) and source.has("steps"):
            spinning = spinning.join("unless", stepping_cards(window).ask(source), on=_UUID)
        return spinning

    return Question("collective_hang", "Share of the power limit drawn where a collective seems to hang.", build)


def seconds_without_step(window: str, gap: str) -> Question:
    """Seconds since the last step of the process that is furthest behind, per job; at least the window.

    Of those that made none within the window, run, and neither evaluate, nor write a checkpoint, nor compile: these
    phases are each process's own. When the last step was is told by the clock of its host, which may be wrong; that
    there was none since is told by what it said a window ago.
    """

    def build(source: Source) -> Expr:
        last = aggregate("max", source.level("last_step", keep=PROCESS), by=PROCESS)
        before = source.over_time("last", "last_step", gap, offset=window, keep=PROCESS)
        steps = bridged(last.join("-", aggregate("max", before, by=PROCESS), on=PROCESS), gap)
        running = aggregate("max", source.level("job_active", keep=PROCESS), by=PROCESS)
        behind = call("clamp_min", bridged(since(last), gap), _seconds(window))
        behind = behind.join("and", steps.equals(0), on=PROCESS)
        behind = behind.join("and", bridged(running, gap).above(0), on=PROCESS)
        known = _phases(source, gap)
        if known is not None:
            behind = behind.join("unless", aggregate("max", known, by=PROCESS), on=PROCESS)
        return aggregate("max", behind, by=JOB)

    return Question("seconds_without_step", "Seconds since the last step, per job that should make steps.", build)


def job_utilisation_over(window: str, low: float) -> Question:
    """Mean utilisation over the window of jobs that advance and are below ``low``, and no younger than the window."""

    def build(source: Source) -> Expr:
        steps = aggregate("max", source.increase("steps", "10m", keep=PROCESS), by=JOB).above(0)
        card = aggregate("avg", source.over_time("avg", "utilisation", window), by=source.card)
        # Of a card that reports no more, or again after a while, what the window holds is no mean of it.
        for offset in ("", window):
            card = card.join("and", source.over_time("last", "utilisation", "5m", offset=offset), on=source.card)
        pairs = source.over_time("max", "training_device_info", "10m", keep=JOB, where=_known(source))
        mean = aggregate("avg", pairs.join("*", aggregate("max", card, by=_UUID), on=_UUID, group_left=()), by=JOB)
        low_jobs = mean.below(low).join("and", steps, on=JOB)
        if not source.has("job_started"):
            return low_jobs
        begun = aggregate("min", since(source.over_time("last", "job_started", "10m", keep=PROCESS)), by=JOB)
        return low_jobs.join("unless", begun.below(_seconds(window)), on=JOB)

    return Question("job_utilisation_over", "Mean utilisation of jobs that advance on mostly idle cards.", build)


# what jobs say of their cards -----------------------------------------------------------------


def _while_training(answer: Expr, source: Source, window: str, *, after_end: bool) -> Expr:
    """The answer without cards whose process evaluates and so on within the window; after the end only if wanted."""
    if not _knows_cards(source):
        return answer
    phases = _phases(source, window)
    if phases is not None:
        answer = answer.join("unless", _on_cards(source, aggregate("max", phases, by=PROCESS), window), on=_UUID)
    if after_end or not source.has("job_active"):
        return answer
    active = aggregate("max", source.over_time("last", "job_active", "10m", keep=PROCESS), by=PROCESS)
    over = aggregate("max", _on_cards(source, active, "10m"), by=_UUID).equals(0)
    return answer.join("unless", over, on=_UUID)


def _phases(source: Source, window: str) -> Expr | None:
    """1 for each process that was in a phase without steps within the window; None where no phases are known."""
    known = [name for name in _PHASES if source.has(name)]
    if not known:
        return None
    return union([tag(source.over_time("max", n, window, keep=PROCESS), "phase", n) for n in known]).above(0)


def _knows_cards(source: Source) -> bool:
    return "uuid" in source.card and source.has("training_device_info")


def _on_cards(source: Source, processes: Expr, window: str) -> Expr:
    """A process's value on each of its cards."""
    if not _knows_cards(source):
        raise SignalMissing("training_device_info by card", source.name)
    pairs = source.over_time("max", "training_device_info", window, keep=PROCESS, where=_known(source))
    return pairs.join("*", processes, on=PROCESS, group_left=())


def _known(source: Source) -> tuple[Filter, ...]:
    if not _knows_cards(source):
        raise SignalMissing("training_device_info by card", source.name)
    return (Filter("uuid", "", "!="),)


def _seconds(window: str) -> int:
    return int(window[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[window[-1]]

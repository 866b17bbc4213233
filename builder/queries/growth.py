"""Memory that grows and does not come back: a leak in the framework, or memory that nobody's framework knows.

Training memory swings with every step and falls in every evaluation, so growth is that of the lower envelope: the
least of some time now against the least of as long a time then.
"""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate
from builder.queries import memory
from builder.queries.question import Question
from builder.queries.source import Source
from builder.queries.stalls import card_job_age, stepping_cards

_ENVELOPE = "10m"
_COVERED = 0.95
"""Share of as many samples as before that a least of them needs: what is missing may be where it was least."""
_POOL = ("framework_memory_pool", "framework_memory_peak")


def hours_until_full(window: int, growth: float, gap: str) -> Question:
    """Hours until live tensors reach the framework's limit, on cards where they grew steadily over the window.

    ``window`` is in seconds, ``growth`` the least share of the limit by which they must have grown in it.
    """

    def build(source: Source) -> Expr:
        key = source.card
        now, middle, before = (_in_use(source, "min", window // 2, back) for back in (0, window // 2, window))
        samples, earlier = (_in_use(source, "count", window // 2, back) for back in (0, window))
        covered = samples.join(">=", earlier * _COVERED, on=key)
        limit = memory.framework_limit_within(gap).ask(source)
        grown = now.join("-", before, on=key)
        steady = now.join(">", middle, on=key).join("and", middle.join(">", before, on=key), on=key)
        enough = grown.join("/", limit, on=key).above(growth)
        hours = limit.join("-", now, on=key).join("/", grown.above(0), on=key) * (window / 3600)
        hours = hours.join("and", steady, on=key).join("and", enough, on=key).join("and", covered, on=key)
        if source.has("steps") and set(source.framework_key) == {"uuid"}:
            # Memory that stands still where the job hangs no longer falls to its least: that is no growth.
            hours = hours.join("and", stepping_cards("10m").ask(source), on=source.framework_key)
        return _of_one_job(hours, source, window)

    return Question("hours_until_full", "Hours until live tensors reach the framework's limit.", build)


def gap_growth(window: int) -> Question:
    """Bytes by which memory outside of the framework's pool grew over the window, per card.

    Where the framework does not tell its pool, the most that was in live tensors stands in for it.
    """

    def build(source: Source) -> Expr:
        now, before = _outside(source, 0), _outside(source, window)
        return _of_one_job(now.join("-", before, on=source.card), source, window)

    return Question("gap_growth", "Growth of memory outside of the framework, per card.", build)


def gap_growth_share(window: int, gap: str) -> Question:
    """The same against all memory of the card."""

    def build(source: Source) -> Expr:
        total = memory.card_memory_total_within(gap).ask(source)
        return gap_growth(window).ask(source).join("/", total, on=source.card)

    return Question("gap_growth_share", "Growth of memory outside of the framework, as a share of the card's.", build)


def _in_use(source: Source, function: str, length: int, back: int) -> Expr:
    return memory.framework_over_time(source, function, "framework_memory_in_use", f"{length}s", _offset(back))


def _outside(source: Source, back: int) -> Expr:
    used = source.over_time("min", "memory_used", _ENVELOPE, offset=_offset(back))
    # The peak stands in for the pool: live tensors go down where a job hangs, and the gap would seem to grow.
    told = [name for name in _POOL if source.has(name)] or ["framework_memory_in_use"]
    known = [memory.framework_over_time(source, "max", name, _ENVELOPE, _offset(back)) for name in told]
    pool = known[0]
    for other in known[1:]:
        pool = pool.join("or", other, on=source.card)
    return aggregate("sum", used, by=source.card).join("-", pool, on=source.card)


def _of_one_job(answer: Expr, source: Source, window: int) -> Expr:
    """Without the cards whose job began within the window: what grew there is a job that started."""
    if not (source.has("job_started") and source.has("training_device_info")):
        return answer
    young = card_job_age.ask(source).below(window + 900)
    return answer.join("unless", young, on=source.framework_key)


def _offset(back: int) -> str:
    return f"{back}s" if back else ""

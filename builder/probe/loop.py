"""What the training loop did: written by the loop's own thread without locks, read by scrapes.

No locks, because a lock could be held by a scrape when the process forks or a signal handler runs, and
because the loop must not wait for anybody. The price: one thread at a time may write.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import inf
from operator import index
from time import perf_counter, time

PHASES = ("train", "evaluate", "checkpoint", "compile")

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds of step durations in seconds: from a small model's step to one with a checkpoint in it."""

_IDLE = ""


class Loop:
    """Counters and times of one process's training loop. Durations are seconds of a monotonic clock."""

    def __init__(self, buckets: Sequence[float] = BUCKETS, initial_step: int | None = None) -> None:
        self.bounds = tuple(buckets)
        self.initial_step = initial_step
        self.framework = ""
        self.active = False
        self.started: float | None = None  # Unix time, as are ended, last_step and last_checkpoint
        self.ended: float | None = None
        self.steps = 0
        self.records: int | None = None  # None: the loop never told any
        self.in_bucket = [0] * (len(self.bounds) + 1)
        self.step_seconds = 0.0
        self.last_step: float | None = None
        self.waited: float | None = None
        self.checkpoints = 0
        self.checkpoint_seconds = 0.0
        self.last_checkpoint: float | None = None
        self._mark: float | None = None  # when the present step began; None: unknown
        # Replaced as a whole: a scrape must never see time counted twice, that is a counter going back.
        self._clock: tuple[str, float, tuple[float, ...]] = (_IDLE, 0.0, (0.0,) * len(PHASES))

    def begin(self) -> None:
        """Training begins; again after an end is a new stretch of the same counters."""
        if self.active:
            return
        self.started, self.ended, self.active = time(), None, True
        self._mark = perf_counter()
        self._switch("train")

    def end(self) -> None:
        """Training is over, whether well or not."""
        if not self.active:
            return
        self.active, self.ended, self._mark = False, time(), None
        self._switch(_IDLE)

    def step(self, records: int = 0, seconds: float | None = None, steps: int = 1, timed: bool = True) -> None:
        """Steps were done, in ``seconds`` together, by default the time since the step before.

        Where that is not known (not ``timed``), and while the phase is ``compile``, a step is counted and its
        duration is not.
        """
        now = perf_counter()
        if type(records) is not int:
            records = index(records)  # a NumPy integer; a float or a string is a mistake
        if records < 0 or steps < 1 or (seconds is not None and not 0 <= seconds < inf):
            raise ValueError(f"step(records={records}, seconds={seconds}, steps={steps})")
        mark = self._mark if timed else None
        self._mark = now
        self.steps += steps
        if records:
            self.records = (self.records or 0) + records
        self.last_step = time()
        if seconds is None:
            if mark is None:
                return
            seconds = now - mark
        if self._clock[0] != "compile":
            self.in_bucket[bisect_left(self.bounds, seconds / steps)] += steps
            self.step_seconds += seconds

    def waited_for_input(self, seconds: float) -> None:
        """The loop waited for its next batch."""
        self.waited = (self.waited or 0.0) + seconds

    def checkpointed(self, seconds: float) -> None:
        """A checkpoint was written."""
        self.checkpoints += 1
        self.checkpoint_seconds += seconds
        self.last_checkpoint = time()

    @property
    def phase(self) -> str:
        """The present phase; empty while no training runs."""
        return self._clock[0]

    def enter(self, phase: str) -> str:
        """Change to a phase; gives the one to go back to."""
        if phase not in PHASES:
            raise ValueError(f"unknown phase {phase!r}; known: {', '.join(PHASES)}")
        before = self._clock[0]
        self._switch(phase)
        return before

    def leave(self, phase: str, before: str, seconds: float) -> None:
        """Go back to the phase before; the ``seconds`` between are no part of the step around them."""
        if self.active:
            self._switch(before or "train")
        else:
            self._switch(_IDLE)
        if phase == "compile":
            self._mark = None  # the step that compiled is no measure of a step
        elif phase != "train" and self._mark is not None and before in ("train", _IDLE):
            self._mark += seconds

    def phase_seconds(self) -> Mapping[str, float]:
        """Seconds spent in each phase so far, the present one included."""
        phase, since, totals = self._clock
        now = perf_counter()
        return {
            name: total + (max(now - since, 0.0) if name == phase else 0.0)
            for name, total in zip(PHASES, totals, strict=True)
        }

    def _switch(self, phase: str) -> None:
        old, since, totals = self._clock
        now = perf_counter()
        spent = tuple(t + (now - since) if name == old else t for name, t in zip(PHASES, totals, strict=True))
        self._clock = (phase, now, spent)

"""The probe of one process: what the training script holds in its hand."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TypeVar

from builder.probe.cards import Cards
from builder.probe.collector import Collector
from builder.probe.devices import Devices
from builder.probe.exposure import Exposure
from builder.probe.faults import Faults
from builder.probe.frameworks import FRAMEWORKS
from builder.probe.identity import printable
from builder.probe.loop import BUCKETS, Loop
from builder.probe.options import Settings
from builder.probe.phases import Batches, Phase, Waiting

T = TypeVar("T")


class Probe:
    """Counts the loop and tells the devices' memory. No method raises anything of its own, none waits.

    The loop's methods are for one thread at a time. In a forked child the object still counts, for itself,
    and nobody scrapes it.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.loop = Loop(settings.buckets or BUCKETS, settings.initial_step)
        self.faults = Faults()
        cards = Cards(settings.cards, os.environ, self.note)
        self.collector = Collector(self.loop, Devices(cards, self.faults, settings.timeout), self.faults)
        self.stopped = False
        self._trainings = 0
        self._exposure = Exposure(settings, self.collector, self.faults)
        self._pid = os.getpid()

    # the loop ----------------------------------------------------------------------------------

    def begin(self, framework: str = "") -> None:
        """Training begins. The first ``step`` does this too, but cannot know its own duration."""
        try:
            if not self.loop.framework:  # once: another name would be another series, which starts anew
                self.loop.framework = printable(self.settings.framework or str(framework) or _imported_framework())
            self.loop.begin()
        except Exception as error:
            self.note("loop", error)

    def end(self) -> None:
        """Training is over; the process may go on."""
        try:
            self.loop.end()
        except Exception as error:
            self.note("loop", error)

    def training(self) -> AbstractContextManager[Probe]:
        """``with probe.training():`` begins, and ends however the body is left; the outer of several."""
        return _Training(self)

    def step(self, records: int = 0, seconds: float | None = None) -> None:
        """A training step is done; it took ``seconds``, by default the time since the one before."""
        try:
            if self.loop.active:
                self.loop.step(records, seconds)
            else:
                self.begin()
                self.loop.step(records, seconds, timed=False)
        except Exception as error:
            self.note("loop", error)

    def batches(self, batches: Iterable[T]) -> Batches[T]:
        """The same batches; the time that the loop waits for each is input wait."""
        return Batches(batches, self.loop, self.note)

    def input_wait(self) -> AbstractContextManager[None]:
        """``with probe.input_wait():`` around code that waits for input."""
        return Waiting(self.loop, self.note)

    def phase(self, name: str) -> AbstractContextManager[None]:
        """``with probe.phase("evaluate"):`` (or "compile"): time that is no part of any step."""
        return Phase(self.loop, self.note, name)

    def checkpoint(self) -> AbstractContextManager[None]:
        """``with probe.checkpoint():`` around the writing of one."""
        return Phase(self.loop, self.note, "checkpoint")

    def keras_callback(self, batch_size: int | None = None) -> Any:
        """A callback that does all this for ``model.fit``; records are counted where ``batch_size`` is given."""
        try:
            from builder.probe.keras import callback

            return callback(self, batch_size)
        except Exception as error:  # no Keras, or one that is made otherwise
            self.note("keras", error)
            return _Nothing()

    # the outside -------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Where this process can be scraped from this machine; empty where it cannot."""
        return self._exposure.url

    def note(self, op: str, error: BaseException | str) -> None:
        """Count a failure of the probe itself."""
        self.faults.note(op, error)

    def open(self, seconds: float) -> None:
        """Let the numbers out as the settings say; takes at most ``seconds``."""
        self._exposure.open(seconds)

    def stop(self) -> None:
        """Close the endpoint, and remove what was written for it elsewhere. Counting goes on unseen."""
        if self.stopped or os.getpid() != self._pid:
            return
        self.stopped = True
        self.loop.end()
        self._exposure.close()

    def leave_to_parent(self) -> None:
        """In a forked child: what is open belongs to the parent."""
        self.stopped = True
        self._exposure.abandon()


class _Training(AbstractContextManager[Probe]):
    def __init__(self, probe: Probe) -> None:
        self._probe = probe

    def __enter__(self) -> Probe:
        self._probe._trainings += 1
        self._probe.begin()
        return self._probe

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._probe._trainings -= 1
        if not self._probe._trainings:
            self._probe.end()


class _Nothing:
    """A callback with every hook, none of which does anything."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def _imported_framework() -> str:
    return next((framework.name for framework in FRAMEWORKS if framework.module in sys.modules), "")

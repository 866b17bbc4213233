"""What goes wrong inside the probe: counted, logged once, never passed on, never waited for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeVar

_log = logging.getLogger("gpuboards.probe")

T = TypeVar("T")


def tell(level: int, message: str, *details: object) -> None:
    """Log; a handler or filter of the script's that raises is no reason for a training to end."""
    with suppress(Exception):
        _log.log(level, message, *details)


class Faults:
    """Failures by operation. ``note`` takes no lock, so that a signal handler and a forked child may call it."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._calls: dict[str, _Call] = {}
        self._lock = Lock()  # of ``bounded`` alone

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each operation failed so far."""
        return dict(self._counts)

    def note(self, op: str, error: BaseException | str) -> None:
        """Count a failure of the operation; the first one is logged, with what failed."""
        before = self._counts.get(op, 0)
        self._counts[op] = before + 1
        if not before:
            message = "%s: %s; the training goes on (train_probe_errors_total{op=%r})"
            tell(logging.WARNING, message, op, _text(error), op)

    def bounded(self, op: str, function: Callable[[], T], seconds: float) -> T | None:
        """What the function gives, or None where it fails or takes longer than ``seconds``.

        It runs in a thread of its own, because a driver or a file system that hangs cannot be interrupted.
        While one call runs no second one is started: who asks meanwhile waits for it, and takes its answer unless
        it was given up before. What has hung says how things were then.
        """
        deadline = monotonic() + seconds
        while True:
            try:
                call = self._running(op, function)
            except RuntimeError as error:  # no thread to be had: a limit, or the interpreter ends
                self.note(op, error)
                return None
            call.join(max(deadline - monotonic(), 0.0))
            if call.is_alive():
                call.given_up = True
                self.note(op, f"no answer within {seconds:g} s")
                return None
            if not call.given_up:
                answer: list[T] = call.answer
                return answer[0] if answer else None

    def _running(self, op: str, function: Callable[[], Any]) -> _Call:
        with self._lock:
            call = self._calls.get(op)
            if call is None or not call.is_alive():
                call = self._calls[op] = _Call(op, function, self.note)
                call.start()
            return call


class _Call(Thread):
    def __init__(self, op: str, function: Callable[[], Any], note: Callable[[str, BaseException], None]) -> None:
        super().__init__(name=f"gpuboards-probe-{op}", daemon=True)
        self.answer: list[Any] = []
        self.given_up = False
        self._op = op
        self._function = function
        self._note = note

    def run(self) -> None:
        try:
            self.answer.append(self._function())
        except BaseException as error:
            self._note(self._op, error)


def _text(error: BaseException | str) -> str:
    try:
        return error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    except Exception:  # an exception whose text cannot be made
        return type(error).__name__

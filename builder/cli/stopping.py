"""Ctrl-C during requests: what is in flight is finished first."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from queue import SimpleQueue


@contextlib.contextmanager
def finishing_first() -> Iterator[threading.Event]:
    """The first Ctrl-C (or SIGTERM) lets what is in flight finish; the second one ends at once."""
    stop = threading.Event()
    asked = False
    # A handler runs in the middle of whatever its thread does, so it may take no lock that the thread may hold: not
    # that of an Event, nor that of a file. A SimpleQueue and a bare write are made for it.
    signals: SimpleQueue[int] = SimpleQueue()

    def ask(number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            os._exit(130)  # an exception would still wait for the threads
        asked = True
        signals.put(number)
        with contextlib.suppress(OSError):
            os.write(2, b"stopping when what is in flight has finished; once more to stop at once\n")

    def pass_on() -> None:
        if signals.get():
            stop.set()

    passing = threading.Thread(target=pass_on, name="stop", daemon=True)
    passing.start()
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signals.put(0)
        passing.join()

"""Ctrl-C during requests: what is in flight is finished first."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

import click


@contextlib.contextmanager
def finishing_first() -> Iterator[threading.Event]:
    """The first Ctrl-C (or SIGTERM) lets what is in flight finish; the second one ends at once."""
    stop = threading.Event()

    def ask(number: int, _frame: object) -> None:
        if stop.is_set():
            os._exit(130)  # an exception would still wait for the threads
        click.echo("stopping when what is in flight has finished; once more to stop at once", err=True)
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

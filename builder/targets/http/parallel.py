"""Many requests at once, a bounded number of them; when asked to stop, those in flight finish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import Protocol, TypeVar

from builder.errors import GpuboardsError, ServerError
from builder.targets.http.address import Address
from builder.targets.http.failures import Interrupted, NotBegun, OutOfReach

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[str, int, int], None]
"""Told what is being done, how many are done, and of how many."""

_HOPELESS = 3


class Patient(Protocol):
    """What asks the server: where it is, how many requests may be in flight, and whether to stop."""

    jobs: int
    stop: Event

    @property
    def endpoint(self) -> Address:
        """The server."""


def each(
    work: Callable[[Item], Result], items: Sequence[Item], client: Patient, progress: Progress, doing: str
) -> Iterator[tuple[Item, Result | Exception]]:
    """Do the work for every item, as many at once as the client has jobs; pairs of item and result, in order.

    A GpuboardsError is a result too, so that one failure stops nobody else. When asked to stop, or when the server
    is out of reach several times running, no further item is begun: its result is Interrupted or NotBegun. Any other
    exception is a bug and is raised when all have ended.
    """
    unreached = 0  # in a row; threads may miscount by one, which does not matter

    def attempt(item: Item) -> Result | GpuboardsError:
        nonlocal unreached
        if client.stop.is_set() or unreached >= _HOPELESS:
            return interrupted(client)
        try:
            result = work(item)
        except RecursionError:
            return ServerError(
                "what the server has is nested too deeply", where=client.endpoint.url, fix="look at it there"
            )
        except GpuboardsError as error:
            unreached = unreached + 1 if isinstance(error, OutOfReach) else 0
            return error
        unreached = 0
        return result

    with ThreadPoolExecutor(max_workers=client.jobs, thread_name_prefix="request") as pool:
        futures = [pool.submit(attempt, item) for item in items]
        try:
            for done, _ in enumerate(as_completed(futures), 1):
                progress(doing, done, len(items))
        except BaseException:  # Ctrl-C where nobody takes it as a wish: the pool would still do all that is queued
            client.stop.set()
            raise
    for item, future in zip(items, futures, strict=True):
        yield item, future.result()


def interrupted(client: Patient) -> GpuboardsError:
    """The error for what is not begun any more: somebody asked to stop, or the server does not answer."""
    fix = "run it again; what is done already is kept"
    if client.stop.is_set():
        return Interrupted("interrupted", where=client.endpoint.url, fix=fix)
    return NotBegun("the server is out of reach", where=client.endpoint.url, fix=fix)

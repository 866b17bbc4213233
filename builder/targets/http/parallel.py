"""Many requests at once, a bounded number of them; when asked to stop, those in flight finish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import Protocol, TypeVar

from builder.errors import GpuboardsError
from builder.targets.http.address import Address
from builder.targets.http.failures import Interrupted, OutOfReach

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
    is out of reach several times running, no further item is begun: its result is Interrupted. Any other exception
    is a bug and is raised when all have ended.
    """
    unreached = 0  # in a row; threads may miscount by one, which does not matter

    def attempt(item: Item) -> Result | GpuboardsError:
        nonlocal unreached
        if client.stop.is_set() or unreached >= _HOPELESS:
            return interrupted(client)
        try:
            result = work(item)
        except GpuboardsError as error:
            unreached = unreached + 1 if isinstance(error, OutOfReach) else 0
            return error
        unreached = 0
        return result

    with ThreadPoolExecutor(max_workers=client.jobs, thread_name_prefix="request") as pool:
        futures = [pool.submit(attempt, item) for item in items]
        for done, _ in enumerate(as_completed(futures), 1):
            progress(doing, done, len(items))
    for item, future in zip(items, futures, strict=True):
        yield item, future.result()


def interrupted(client: Patient) -> Interrupted:
    """The error for what is not begun any more: somebody asked to stop, or the server does not answer."""
    what = "not begun: interrupted" if client.stop.is_set() else "not begun: the server is out of reach"
    return Interrupted(what, where=client.endpoint.url, fix="run it again; what is done already is kept")

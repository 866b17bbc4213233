"""Context managers and iterators around parts of the loop. Whatever the body raises goes through unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from time import perf_counter
from types import TracebackType
from typing import Any, Generic, TypeVar

from builder.probe.loop import Loop

T = TypeVar("T")

Note = Callable[[str, "BaseException | str"], None]


class _Part(AbstractContextManager[None]):
    """A part of the loop; what fails in entering or leaving it is noted."""

    def __init__(self, loop: Loop, note: Note) -> None:
        self._loop = loop
        self._note = note
        self._since = 0.0

    def __enter__(self) -> None:
        self._since = perf_counter()
        try:
            self._enter()
        except Exception as error:
            self._note("loop", error)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._leave(perf_counter() - self._since, kind is None)
        except Exception as mistake:
            self._note("loop", mistake)

    def _enter(self) -> None:
        """Nothing, where only the time counts."""

    def _leave(self, seconds: float, well: bool) -> None:
        raise NotImplementedError


class Waiting(_Part):
    """The loop waits for input."""

    def _leave(self, seconds: float, well: bool) -> None:
        self._loop.waited_for_input(seconds)


class Phase(_Part):
    """The loop is in another phase than training steps; a checkpoint that ends well is counted."""

    def __init__(self, loop: Loop, note: Note, name: str) -> None:
        super().__init__(loop, note)
        self._name = name
        self._before: str | None = None

    def _enter(self) -> None:
        self._before = self._loop.enter(self._name)

    def _leave(self, seconds: float, well: bool) -> None:
        if self._before is None:
            return
        self._loop.leave(self._name, self._before, seconds)
        if self._name == "checkpoint" and well:
            self._loop.checkpointed(seconds)


class Batches(Generic[T]):
    """An iterable whose consumer's waiting is measured; in all else the iterable itself."""

    def __init__(self, batches: Iterable[T], loop: Loop, note: Note) -> None:
        self._batches = batches
        self._loop = loop
        self._note = note

    def __iter__(self) -> Iterator[T]:
        batches = iter(self._batches)
        while True:
            since = perf_counter()
            try:
                batch = next(batches)
            except StopIteration:
                return
            try:
                self._loop.waited_for_input(perf_counter() - since)
            except Exception as error:
                self._note("loop", error)
            yield batch

    def __bool__(self) -> bool:
        return bool(self._batches)  # what has no length is true

    def __len__(self) -> int:
        return len(self._batches)  # type: ignore[arg-type]  # raises what it would raise

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copying and pickling ask for these before there is anything to pass on to
            raise AttributeError(name)
        return getattr(self._batches, name)

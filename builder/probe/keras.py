"""A Keras callback that drives the loop's counters: Keras 3 on any backend, and tf.keras 2.

https://keras.io/api/callbacks/base_callback/

On JAX and PyTorch, Keras runs ``on_train_batch_end`` of callbacks that say they are ``async_safe`` in a pool of
threads, late and out of order; saying so is what keeps it from waiting for the device at every step. So steps
are counted where the next one begins, in the training's own thread, and the end hook does no more than note how
far it came.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder.probe.probe import Probe

_BACKENDS = {"tensorflow": "tensorflow", "jax": "jax", "torch": "pytorch"}


def callback(probe: Probe, batch_size: int | None) -> Any:
    """A callback for ``model.fit(callbacks=[...])``. ``batch_size`` counts records; Keras does not tell it."""
    keras = _keras()
    steps = _Steps(probe, batch_size, _framework(keras))
    members: dict[str, Any] = {name: _guarded(probe, getattr(steps, name)) for name in _HOOKS}
    # Both mean: do not make NumPy numbers of the logs for this callback, which would wait for the device.
    members |= {"async_safe": True, "_supports_tf_logs": True}
    return type("ProbeCallback", (keras.callbacks.Callback,), members)()


_HOOKS = (
    "on_train_begin",
    "on_train_end",
    "on_epoch_begin",
    "on_epoch_end",
    "on_train_batch_begin",
    "on_train_batch_end",
    "on_test_begin",
    "on_test_end",
)


class _Steps:
    """What a callback knows of the fit that it watches."""

    def __init__(self, probe: Probe, batch_size: int | None, framework: str) -> None:
        self._probe = probe
        self._loop = probe.loop
        self._batch_size = batch_size or 0
        self._framework = framework
        self._began = False  # or the fit is part of a training that goes on after it
        self._compiled: object = None
        self._first: int | None = None  # batch with which the open execution began
        self._since = 0.0
        self._last = -1  # the furthest batch that is known to have ended
        self._stride = 1  # batches an execution (steps_per_execution)
        self._batches = 0  # of an epoch, where Keras knows
        self._evaluating: tuple[str, float] | None = None

    def on_train_begin(self, keras: Any, *_: Any) -> None:
        self._first, self._evaluating = None, None
        self._began = not self._loop.active
        self._batches = (keras.params or {}).get("steps") or 0
        self._probe.begin(self._framework)
        function = getattr(keras._model, "train_function", None)
        if function is None or id(function) != self._compiled:
            self._compiled = id(function)
            self._loop.enter("compile")

    def on_train_end(self, keras: Any, *_: Any) -> None:
        self._close()
        if self._began:
            self._probe.end()

    def on_epoch_begin(self, keras: Any, *_: Any) -> None:
        self._first, self._last = None, -1

    def on_epoch_end(self, keras: Any, *_: Any) -> None:
        self._close()

    def on_train_batch_begin(self, keras: Any, batch: int, *_: Any) -> None:
        self._close(batch)
        self._first, self._since = batch, perf_counter()

    def on_train_batch_end(self, keras: Any, batch: int, *_: Any) -> None:
        if batch > self._last:
            self._last = batch

    def on_test_begin(self, keras: Any, *_: Any) -> None:
        self._close()
        if self._loop.active:
            self._evaluating = (self._loop.enter("evaluate"), perf_counter())

    def on_test_end(self, keras: Any, *_: Any) -> None:
        if self._evaluating is not None:
            before, since = self._evaluating
            self._evaluating = None
            self._loop.leave("evaluate", before, perf_counter() - since)

    def _close(self, next_first: int | None = None) -> None:
        """Account for the open execution: up to the next one, to the last known end, or of the usual length."""
        if self._first is None:
            return
        seconds = perf_counter() - self._since
        if next_first is not None and next_first > self._first:
            steps = self._stride = next_first - self._first
        elif self._last >= self._first:
            steps = self._last - self._first + 1
        else:
            steps = self._stride
        if self._batches > self._first:
            steps = min(steps, self._batches - self._first)  # an epoch's last execution may be shorter than it says
        self._first = None
        self._loop.step(steps * self._batch_size, seconds, steps)
        if self._loop.phase == "compile":
            self._loop.leave("compile", "train", seconds)


def _guarded(probe: Probe, hook: Any) -> Any:
    def call(keras: Any, *arguments: Any, **named: Any) -> None:
        try:
            hook(keras, *arguments)
        except Exception as error:
            probe.note("keras", error)

    return call


def _keras() -> Any:
    """The Keras that the script uses: TensorFlow's own second generation where it is asked for."""
    legacy = os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true")
    return import_module("tf_keras" if legacy and "tf_keras" in sys.modules else "keras")


def _framework(keras: Any) -> str:
    try:
        return _BACKENDS[keras.backend.backend()]
    except Exception:  # the second generation has one backend, and no name for it
        return "tensorflow"

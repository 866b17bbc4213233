"""Ends exchanges that take too long as a whole.

A socket's own timeout starts anew with every byte, so a server that sends one byte now and then would hold a
worker for ever. Shutting the socket down wakes the thread that reads from it.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

_LOOKS = 0.1


class Watchdog:
    """Watches the one exchange that each thread has in flight."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._watched: dict[int, tuple[float, socket.socket]] = {}
        self._expired: set[int] = set()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._look, name="http-watchdog", daemon=True)
        self._thread.start()

    def watch(self, connection: socket.socket) -> None:
        """The exchange of this thread goes over this socket, and has its time from now on."""
        with self._lock:
            self._watched[threading.get_ident()] = (time.monotonic() + self._seconds, connection)

    @contextlib.contextmanager
    def exchange(self) -> Iterator[None]:
        """One exchange of this thread. Raises TimeoutError where it was ended for taking too long."""
        me = threading.get_ident()
        try:
            yield
        except Exception as error:
            if self._forget(me):
                raise TimeoutError from error
            raise
        if self._forget(me):
            raise TimeoutError

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        self._thread.join()

    def _forget(self, thread: int) -> bool:
        with self._lock:
            self._watched.pop(thread, None)
            expired = thread in self._expired
            self._expired.discard(thread)
            return expired

    def _look(self) -> None:
        while not self._closed.wait(min(_LOOKS, self._seconds / 4)):
            now = time.monotonic()
            with self._lock:
                late = [thread for thread, (deadline, _) in self._watched.items() if deadline < now]
                for thread in late:
                    _, connection = self._watched.pop(thread)
                    self._expired.add(thread)
                    with contextlib.suppress(OSError):  # it has just ended by itself
                        # Not SSLSocket.shutdown, which takes the TLS state from under the reading thread.
                        socket.socket.shutdown(connection, socket.SHUT_RDWR)

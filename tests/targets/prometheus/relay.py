"""A Prometheus behind something that breaks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import requests

from tests.targets.prometheus.played import Asked, Handler, Played


class Relay(Played):
    """Passes questions on; after so many ``answers`` to range queries connections break, until it is mended.

    ``slices`` counts the range queries that were answered since.
    """

    def __init__(self, url: str, answers: int) -> None:
        super().__init__(self._pass_on)
        self._to = url
        self._left: float = answers
        self._lock = threading.Lock()
        self.slices = 0
        self._at, self._then = 0, lambda: None

    def mend(self) -> None:
        """Break no more."""
        self._left = float("inf")
        self.slices = -1  # the one that looks where there is a history is none

    def after(self, slices: int, then: Callable[[], None]) -> None:
        """Do something when so many range queries were asked."""
        self._at, self._then = slices, then

    def _pass_on(self, handler: Handler, path: str, asked: Asked) -> None:
        if path == "query_range":
            with self._lock:
                self._left -= 1
                self.slices += 1
                if self.slices == self._at:
                    self._then()
        if self._left < 0:
            handler.connection.close()
            raise ConnectionResetError
        with requests.Session() as session:
            session.trust_env = False
            answer: Any = session.post(f"{self._to}/api/v1/{path}", data=dict(asked), timeout=60)
        handler.reply(answer.status_code, answer.content, Content_Type="application/json")

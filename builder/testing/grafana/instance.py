"""One Grafana: its settings, accounts and store, and the table of what it answers."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from builder.testing.grafana.accounts import Accounts
from builder.testing.grafana.exchange import Refused, Request, Response, html, refused
from builder.testing.grafana.model import StoredBoard
from builder.testing.grafana.permissions import NOBODY, Caller, board_scopes, folder_scopes
from builder.testing.grafana.storage import Org, Store
from builder.testing.grafana.versions import Behaviour


@dataclass
class Settings:
    """What an administrator would set in grafana.ini."""

    path: str = ""
    min_refresh: str = "5s"
    hide_version: bool = False
    max_bytes: int = 16 * 1024 * 1024
    database_ok: bool = True


@dataclass(frozen=True)
class Call:
    """A request with what a handler needs to answer it; ``names`` are the parts of the path the route names."""

    instance: Instance
    request: Request
    caller: Caller
    names: Mapping[str, str]

    @property
    def behaviour(self) -> Behaviour:
        return self.instance.behaviour

    @property
    def settings(self) -> Settings:
        return self.instance.settings

    @property
    def store(self) -> Store:
        return self.instance.store

    @property
    def org(self) -> Org:
        return self.store.orgs[self.caller.org]

    def may_in(self, folder: str, action: str) -> bool:
        """Whether the caller has the right in a folder (``""`` is the root)."""
        return self.caller.may(action, folder_scopes(self.org.chain(folder)))

    def may_on(self, board: StoredBoard, action: str) -> bool:
        """Whether the caller has the right on a board."""
        return self.caller.may(action, board_scopes(board.uid, self.org.chain(board.folder)))


Handler = Callable[[Call], Response]


@dataclass(frozen=True)
class Route:
    """``pattern`` is a path with ``{name}`` for one part of it; an open route needs no account."""

    method: str
    pattern: str
    handler: Handler
    open: bool = False

    def match(self, path: str) -> Mapping[str, str] | None:
        """The named parts of a path that fits."""
        found = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.pattern), path)
        return found.groupdict() if found else None


class Instance:
    """Answers requests, one at a time."""

    def __init__(
        self, behaviour: Behaviour, settings: Settings, store: Store, accounts: Accounts, routes: Sequence[Route]
    ) -> None:
        self.lock = threading.RLock()
        self.behaviour = behaviour
        self.settings = settings
        self.store = store
        self.accounts = accounts
        self._routes = tuple(routes)

    def answer(self, request: Request) -> tuple[Response, Caller | None]:
        """The answer to a request, and who asked where that is known."""
        with self.lock:
            caller: Caller | None = None
            try:
                route, names = self._route(request)
                if not route.open:
                    caller = self.accounts.authenticate(request.headers)
                call = Call(self, request, caller or Caller(NOBODY, 1), names)
                return route.handler(call), caller
            except Refused as refusal:
                return refusal.response, caller

    def _route(self, request: Request) -> tuple[Route, Mapping[str, str]]:
        fitting = [(r, names) for r in self._routes if (names := r.match(request.path)) is not None]
        for route, names in fitting:
            if route.method == request.method:
                return route, names
        if request.path.startswith("/apis") and fitting:
            raise Refused(Response(405, {"kind": "Status", "status": "Failure", "code": 405}))
        if request.path.startswith("/apis"):
            raise Refused(Response(404, "404 page not found\n", "text/plain; charset=utf-8"))
        if request.path.startswith("/api/"):
            raise refused(404, "Not found")
        raise Refused(html(404, "Page not found - Grafana"))

"""Boards read from a Grafana, in the form in which they can be compared and committed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.diff import stripped
from builder.errors import DefinitionError, GpuboardsError, ServerError
from builder.grafana.encode import encode
from builder.targets.grafana.answers import text
from builder.targets.grafana.client import Client
from builder.targets.grafana.endpoint import Endpoint
from builder.targets.grafana.preflight import preflight
from builder.targets.grafana.push import Options, board_api
from builder.targets.grafana.survey import search
from builder.targets.http.parallel import Progress, each

UID = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""The uid of a board or folder, as Grafana takes it."""


@dataclass(frozen=True)
class Pulled:
    """A board's content without what only the server knows, also as a file's text; or why it could not be read."""

    uid: str
    content: Mapping[str, Any]
    text: bytes = b""
    problem: str = ""
    fix: str = ""


def pull(
    endpoint: Endpoint,
    options: Options,
    *,
    uids: Sequence[str] = (),
    folder: str = "",
    tag: str = "",
    progress: Progress = lambda _doing, _done, _total: None,
) -> list[Pulled]:
    """The boards of these uids, and those directly in a folder, with a tag, or both; ordered by uid.

    Raises ServerError where the server is out of reach or nothing is found.
    """
    with Client(
        endpoint, seconds=options.seconds, jobs=options.jobs, attempts=options.attempts, backoff=options.backoff
    ) as client:
        server = preflight(client, options.api)
        boards = board_api(client, server)
        wanted = set(uids)
        if folder or tag:
            query = {"type": "dash-db", **({"folderUIDs": folder} if folder else {}), **({"tag": tag} if tag else {})}
            wanted |= {text(hit, "uid") for hit in search(client, query)} - {""}
        if not wanted:
            raise ServerError(
                "no board found", where=endpoint.url, fix="check folder and tag; search may be seconds behind"
            )

        def read(uid: str) -> Pulled:
            if not UID.fullmatch(uid):  # from a search: it is to become the name of a file
                return _failed(uid, "its uid has characters that Grafana itself refuses", "save it under another uid")
            stored = boards.fetch(uid)
            if stored is None:
                return _failed(uid, "there is no such board", "check the uid")
            if stored.unreadable:
                return _failed(uid, stored.unreadable, "export it as classic JSON in the browser")
            content = {**stripped(stored.content), "uid": uid}
            try:
                return Pulled(uid, content, encode(content))
            except DefinitionError as error:
                return _failed(uid, f"it has no form as a file: {error.what}", error.fix or "mend it in the browser")

        return [_result(uid, result) for uid, result in each(read, sorted(wanted), client, progress, "reading")]


def _failed(uid: str, problem: str, fix: str) -> Pulled:
    return Pulled(uid, {}, problem=problem, fix=fix)


def _result(uid: str, result: Pulled | Exception) -> Pulled:
    if isinstance(result, Pulled):
        return result
    if isinstance(result, GpuboardsError):
        return _failed(uid, result.what, result.fix)
    raise result

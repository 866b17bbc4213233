"""Boards read from a Grafana, in the form in which they can be compared and committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.diff import stripped
from builder.errors import GpuboardsError, ServerError
from builder.targets.grafana.client import Client
from builder.targets.grafana.endpoint import Endpoint
from builder.targets.grafana.preflight import preflight
from builder.targets.grafana.push import Options, board_api
from builder.targets.grafana.survey import search
from builder.targets.http.parallel import Progress, each


@dataclass(frozen=True)
class Pulled:
    """A board's content without what only the server knows; or why it could not be read."""

    uid: str
    content: Mapping[str, Any]
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
            wanted |= {str(hit["uid"]) for hit in search(client, query) if hit.get("uid")}
        if not wanted:
            raise ServerError(
                "no board found", where=endpoint.url, fix="check folder and tag; search may be seconds behind"
            )

        def read(uid: str) -> Pulled:
            stored = boards.fetch(uid)
            if stored is None:
                return Pulled(uid, {}, "there is no such board", "check the uid")
            if stored.unreadable:
                return Pulled(uid, {}, stored.unreadable, "export it as classic JSON in the browser")
            return Pulled(uid, {**stripped(stored.content), "uid": uid})

        return [_result(uid, result) for uid, result in each(read, sorted(wanted), client, progress, "reading")]


def _result(uid: str, result: Pulled | Exception) -> Pulled:
    if isinstance(result, Pulled):
        return result
    if isinstance(result, GpuboardsError):
        return Pulled(uid, {}, result.what, result.fix)
    raise result

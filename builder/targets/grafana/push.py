"""The whole of a push: look, plan, write, read back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builder.errors import ServerError, UsageError
from builder.targets.grafana.apply import apply, failure_of, outcome_of, outcome_of_leftover, remove
from builder.targets.grafana.apps import AppsApi
from builder.targets.grafana.boards import BoardApi, Wanted
from builder.targets.grafana.classic import ClassicApi
from builder.targets.grafana.client import Client
from builder.targets.grafana.endpoint import Endpoint
from builder.targets.grafana.folders import FolderPlan, apply_folders, need_folder_rights, plan_folders
from builder.targets.grafana.plan import WRITES, Step
from builder.targets.grafana.preflight import (
    Api,
    Datasource,
    Server,
    chosen_datasources,
    need_datasource,
    need_right,
    preflight,
)
from builder.targets.grafana.prepare import prepare, types_needed, uids_named
from builder.targets.grafana.report import Outcome, Report
from builder.targets.grafana.survey import Leftover, leftovers, survey, titles_in
from builder.targets.http.parallel import Progress

Confirm = Callable[[Sequence[Outcome]], bool]
"""Asked before boards are removed, with what would be."""


@dataclass(frozen=True)
class Options:
    """How to push: ``jobs`` boards at once, ``seconds`` for a request; ``attempts`` and ``backoff`` as in Client.

    ``tool`` and ``revision`` go into the version message.
    """

    api: Api = "auto"
    project: str = ""
    force: bool = False
    prune: bool = False
    dry_run: bool = False
    jobs: int = 10
    seconds: float = 30
    attempts: int = 5
    backoff: float = 0.5
    tool: str = "0"
    revision: str = ""

    def __post_init__(self) -> None:
        if self.prune and not self.project:
            raise UsageError(
                "nothing says which boards are this project's",
                where="--prune",
                fix="write `project: NAME` into gpuboards.yaml: boards pushed with it can be told from others later",
            )


@dataclass(frozen=True)
class _Plan:
    server: Server
    boards: BoardApi
    folders: FolderPlan
    steps: tuple[tuple[Wanted, Step | Exception], ...]
    leftovers: tuple[Leftover, ...]
    notes: tuple[str, ...]


def _quiet(_doing: str, _done: int, _total: int) -> None:
    pass


def push(
    boards: Mapping[str, Mapping[str, Any]],
    endpoint: Endpoint,
    options: Options,
    *,
    confirm: Confirm = lambda _outcomes: False,
    progress: Progress = _quiet,
    stop: threading.Event | None = None,
) -> Report:
    """Make the Grafana hold these boards (classic JSON by uid), touching only what differs.

    Whatever concerns one board becomes its outcome; ServerError or UsageError is raised, with nothing written, for
    what concerns all of them. Once ``stop`` is set nothing new is begun.
    """
    with _client(endpoint, options, stop) as client:
        plan = _plan(boards, client, options, progress)
        steps = [step for _, step in plan.steps if isinstance(step, Step)]
        plan = replace(plan, folders=_folders_needed(plan.folders, steps))
        if options.dry_run:
            outcomes = [_seen(wanted, result, client) for wanted, result in plan.steps]
            outcomes += [outcome_of_leftover(leftover, client) for leftover in plan.leftovers]
            return _report(client, plan, options, outcomes)
        if client.stop.is_set():
            seen = [_seen(wanted, result, client) for wanted, result in plan.steps]
            waiting = [replace(o, result="not begun") if o.result == "planned" else o for o in seen]
            return _report(client, replace(plan, folders=FolderPlan(())), options, waiting)
        _need_rights(plan, steps, client)
        need_folder_rights(plan.folders, plan.server, client)
        removals = _confirmed(plan.leftovers, client, confirm)
        apply_folders(client, plan.folders)
        written = apply(steps, plan.boards, client, progress, tool=options.tool, revision=options.revision)
        by_uid = {outcome.uid: outcome for outcome in written}
        outcomes = [by_uid.get(wanted.uid) or _seen(wanted, result, client) for wanted, result in plan.steps]
        outcomes += remove(removals, plan.boards, client, progress)
        return _report(client, plan, options, outcomes)


def board_api(client: Client, server: Server) -> BoardApi:
    """The API for boards that was chosen."""
    if server.board_api:
        return AppsApi(client, server.board_api, server.namespace)
    return ClassicApi(client, by_number=(0, 0) < server.numbers < (12, 0))


def _client(endpoint: Endpoint, options: Options, stop: threading.Event | None) -> Client:
    return Client(
        endpoint,
        seconds=options.seconds,
        jobs=options.jobs,
        attempts=options.attempts,
        backoff=options.backoff,
        stop=stop,
    )


def _plan(boards: Mapping[str, Mapping[str, Any]], client: Client, options: Options, progress: Progress) -> _Plan:
    endpoint = client.endpoint
    server = preflight(client, options.api)
    chosen, notes = _datasources(boards, server, client)
    folders = plan_folders(client, endpoint.folders)
    wanted, changes = prepare(
        boards,
        folder=endpoint.folders[-1].uid,
        project=options.project,
        chosen=chosen,
        min_refresh=server.min_refresh,
    )
    api = board_api(client, server)
    filled = "" if folders.creates(endpoint.folders[-1].uid) else endpoint.folders[-1].uid
    titles = titles_in(client, filled) if filled and server.titles_are_unique else {}
    steps = tuple(survey(client, api, wanted, titles=titles, force=options.force, progress=progress))
    found: Sequence[Leftover] = ()
    if options.prune:
        found = leftovers(client, api, options.project, boards, force=options.force, progress=progress)
    return _Plan(server, api, folders, steps, tuple(found), (*server.notes, *folders.notes, *notes, *changes))


def _datasources(
    boards: Mapping[str, Mapping[str, Any]], server: Server, client: Client
) -> tuple[dict[str, Datasource], list[str]]:
    """The data sources that the boards are to use. Logs may be missing; numbers and named uids may not."""
    chosen = chosen_datasources(server, client, client.endpoint.datasources)
    notes = []
    for kind in sorted(types_needed(boards)):
        if kind == "loki":
            if not any(source.type == kind for source in server.datasources):
                notes.append("Grafana has no data source of type loki: panels with logs stay empty")
        else:
            need_datasource(server, client, kind)
    known = {source.uid for source in server.datasources}
    for uid, board in sorted(uids_named(boards).items()):
        if uid not in known and uid not in chosen:
            raise ServerError(
                f"board {board} names the data source {uid!r}, which Grafana does not have",
                where=client.endpoint.url,
                fix=f"map it to one that is there: datasources: {{{uid}: UID}} in the context",
            )
    return chosen, notes


def _need_rights(plan: _Plan, steps: Sequence[Step], client: Client) -> None:
    actions = {step.action for step in steps}
    if "create" in actions:
        need_right(plan.server, client, "dashboards:create", "create boards")
    if actions & {"update", "move"}:
        need_right(plan.server, client, "dashboards:write", "save boards")
    if any(not leftover.kept for leftover in plan.leftovers):
        need_right(plan.server, client, "dashboards:delete", "remove boards")


def _folders_needed(folders: FolderPlan, steps: Sequence[Step]) -> FolderPlan:
    """No folder is made for boards that do not come."""
    writes = any(step.action in WRITES for step in steps)
    makes_it = any(folders.creates(step.wanted.folder) for step in steps)
    return replace(folders, steps=()) if makes_it and not writes else folders


def _confirmed(found: Sequence[Leftover], client: Client, confirm: Confirm) -> list[Leftover]:
    planned = [leftover for leftover in found if not leftover.kept]
    if planned and not confirm([outcome_of_leftover(leftover, client) for leftover in planned]):
        raise UsageError("not confirmed, so nothing was changed", where="--prune", fix="push without --prune")
    return list(found)


def _seen(wanted: Wanted, result: Step | Exception, client: Client) -> Outcome:
    if isinstance(result, Step):
        return outcome_of(result, client)
    return failure_of(wanted.uid, wanted.title, "read", result)


def _report(client: Client, plan: _Plan, options: Options, outcomes: Sequence[Outcome]) -> Report:
    endpoint = client.endpoint
    return Report(
        context=endpoint.name,
        url=endpoint.url,
        version=plan.server.version,
        api=plan.boards.name,
        folder=" / ".join(place.title or place.uid for place in endpoint.folders),
        dry_run=options.dry_run,
        folders=plan.folders.steps,
        outcomes=tuple(outcomes),
        notes=plan.notes,
        interrupted=client.stop.is_set(),
    )

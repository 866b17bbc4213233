"""Carries out what was planned, and reads back what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from builder.diff import differences
from builder.errors import GpuboardsError, ServerError
from builder.targets.grafana.boards import BoardApi, NotWritable, Stale, TitleTaken
from builder.targets.grafana.client import Client
from builder.targets.grafana.plan import REFUSED, WRITES, Step, decide
from builder.targets.grafana.report import Outcome, Result
from builder.targets.grafana.signature import Signature
from builder.targets.grafana.survey import Leftover
from builder.targets.http.failures import Interrupted, NotBegun
from builder.targets.http.parallel import Progress, each


def outcome_of(step: Step, client: Client) -> Outcome:
    """What a step comes to as long as nothing is written."""
    board = step.wanted
    result: Result = "refused" if step.action in REFUSED else "planned" if step.action in WRITES else "done"
    link = client.endpoint.link(board.uid) if step.stored else ""
    return Outcome(board.uid, board.title, step.action, result, link, step.why, step.fix, step.changes)


def failure_of(uid: str, title: str, action: str, error: Exception) -> Outcome:
    """What an error comes to."""
    if not isinstance(error, GpuboardsError):
        raise error
    refused = isinstance(error, Stale | TitleTaken | NotWritable)
    result: Result = "not begun" if isinstance(error, Interrupted | NotBegun) else "refused" if refused else "failed"
    return Outcome(uid, title, action, result, "", error.what, error.fix)


def apply(
    steps: Sequence[Step], boards: BoardApi, client: Client, progress: Progress, *, tool: str, revision: str
) -> list[Outcome]:
    """Write every board that a step says to write, and verify it; one outcome for each step."""

    def write(step: Step) -> Outcome:
        signature = _signature(step, boards, tool, revision)
        try:
            boards.save(step.wanted, step.stored, str(signature))
        except Stale as stale:
            return _overtaken(step, boards, client, stale)
        return _verified(step, signature, boards, client)

    todo = [step for step in steps if step.action in WRITES]
    written = {
        step.wanted.uid: result
        if isinstance(result, Outcome)
        else failure_of(step.wanted.uid, step.wanted.title, step.action, result)
        for step, result in each(write, todo, client, progress, "writing")
    }
    return [written.get(step.wanted.uid) or outcome_of(step, client) for step in steps]


def _signature(step: Step, boards: BoardApi, tool: str, revision: str) -> Signature:
    before = step.stored.version if step.stored else 0
    version = before if step.action == "move" and boards.counts_contents else before + 1
    return Signature(tool, revision, step.wanted.hash, version, step.wanted.folder)


def _overtaken(step: Step, boards: BoardApi, client: Client, stale: Stale) -> Outcome:
    """Somebody saved the board after it was planned: say who, or accept it where it is what we wanted."""
    now = boards.fetch(step.wanted.uid)
    if now is None:
        raise stale
    again = decide(step.wanted, now, boards.last_change(now), titles={})
    if again.action == "unchanged":
        return replace(outcome_of(again, client), action=step.action)
    if again.action in WRITES:
        raise stale  # written by another run of ours, from another revision
    return outcome_of(again, client)


def _verified(step: Step, signature: Signature, boards: BoardApi, client: Client) -> Outcome:
    wanted = step.wanted
    stored = boards.fetch(wanted.uid)
    if stored is None:
        raise ServerError(
            "the save was accepted, but the board is not there", where=client.endpoint.url, fix="run it again"
        )
    done = Outcome(
        wanted.uid, wanted.title, step.action, "done", client.endpoint.link(wanted.uid), step.why, "", step.changes
    )
    if stored.hash == wanted.hash and stored.folder == wanted.folder:
        return done
    last = boards.last_change(stored)
    if last.message != str(signature):
        return _overtaken(
            step, boards, client, Stale("the board was changed right after it was saved", fix="run it again")
        )
    if stored.folder != wanted.folder:
        raise ServerError(
            f"the board is in folder {stored.folder or '(root)'} although {wanted.folder} was asked for",
            where=client.endpoint.url,
            fix="may the credentials create boards in that folder?",
        )
    # The version is ours, so nobody edited it: the server has a form of its own for it. The next push knows it by
    # the version's number. It had this content already where there is no new number: then only the message is mended.
    if stored.version != signature.version and boards.counts_contents:
        boards.save(wanted, stored, str(replace(signature, version=stored.version)))
    changed = differences(wanted.content, stored.content)
    return replace(done, detail=f"the server stored it in a form of its own: {_some(changed)}")


def _some(changes: Sequence[str]) -> str:
    more = f"; and {len(changes) - 3} more" if len(changes) > 3 else ""
    return f"{'; '.join(changes[:3])}{more}"


# boards that are no longer defined -------------------------------------------------------------


def outcome_of_leftover(leftover: Leftover, client: Client) -> Outcome:
    """What a board that is no longer defined comes to as long as nothing is removed."""
    stored = leftover.stored
    result: Result = "refused" if leftover.kept else "planned"
    return Outcome(
        stored.uid, stored.title, "remove", result, client.endpoint.link(stored.uid), leftover.kept, leftover.fix
    )


def remove(found: Sequence[Leftover], boards: BoardApi, client: Client, progress: Progress) -> list[Outcome]:
    """Delete the boards that nothing keeps, unless they changed since they were looked at."""

    def delete(leftover: Leftover) -> Outcome:
        boards.remove(leftover.stored)
        return Outcome(leftover.stored.uid, leftover.stored.title, "remove", "done")

    todo = [leftover for leftover in found if not leftover.kept]
    removed = {
        leftover.stored.uid: result
        if isinstance(result, Outcome)
        else failure_of(leftover.stored.uid, leftover.stored.title, "remove", result)
        for leftover, result in each(delete, todo, client, progress, "removing")
    }
    return [removed.get(leftover.stored.uid) or outcome_of_leftover(leftover, client) for leftover in found]

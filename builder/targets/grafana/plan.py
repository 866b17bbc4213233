"""What has to happen to each board. Pure: it compares what should be with what is, and with who wrote that.

A board is ours as it stands where the last version carries our signature and is still what we signed: its
content has the hash, or its version number is the one that our save was to make. Anything else is somebody's
work and is not overwritten unless that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from builder.diff import differences
from builder.targets.grafana.boards import Change, Stored, Wanted
from builder.targets.grafana.signature import Signature, read_signature

Action = Literal["create", "update", "move", "unchanged", "conflict", "not writable", "title taken"]

WRITES: tuple[Action, ...] = ("create", "update", "move")
REFUSED: tuple[Action, ...] = ("conflict", "not writable", "title taken")


@dataclass(frozen=True)
class Step:
    """What happens to one board, and why. ``changes``: how the board will change, or what a conflict is about."""

    action: Action
    wanted: Wanted
    stored: Stored | None = None
    why: str = ""
    fix: str = ""
    changes: tuple[str, ...] = ()


def settled(wanted: Wanted, stored: Stored | None) -> bool:
    """True where the board is already as it should be, whoever made it so."""
    return stored is not None and stored.hash == wanted.hash and stored.folder == wanted.folder


def decide(
    wanted: Wanted, stored: Stored | None, change: Change | None, *, titles: Mapping[str, str], force: bool = False
) -> Step:
    """The step for one board.

    ``change`` is the stored board's last change, needed unless the board is settled. ``titles`` holds the uid of
    each board, and of each folder, that the target folder holds by its title, where titles are unique; else it is
    empty.
    """
    if stored and stored.manager:
        return Step(
            "not writable",
            wanted,
            stored,
            f"it comes from {stored.manager}",
            "change it there, remove it there, or give this one another uid",
            () if settled(wanted, stored) else _changes(wanted, stored),
        )
    if stored and settled(wanted, stored):
        return Step("unchanged", wanted, stored)
    holder = titles.get(wanted.title)
    if holder not in (None, wanted.uid):
        return Step("title taken", wanted, stored, f"{holder} has this title there", "rename one of the two")
    if stored is None:
        return Step("create", wanted)
    if not stored.writable:
        why, fix = "the credentials may not save it", "give them the right to write here"
        return Step("not writable", wanted, stored, why, fix, _changes(wanted, stored))
    last = change or Change(stored.version)
    signed = signed_as_it_is(stored, last)
    is_wanted = stored.hash == wanted.hash or bool(signed and signed.content == wanted.hash)  # in the server's own form
    ours = signed is not None and signed.folder == stored.folder
    if ours and is_wanted and stored.folder == wanted.folder:
        return Step("unchanged", wanted, stored)
    changes = _changes(wanted, stored)
    foreign = _foreign(wanted, stored, last, ours)
    if foreign and not force:
        fix = "take the change over into the definition, or overwrite it with --force"
        return Step("conflict", wanted, stored, f"{foreign}{_who(last)}", fix, changes)
    moves = stored.folder != wanted.folder and is_wanted
    why = f"overwrites: {foreign}{_who(last)}" if foreign else ""
    return Step("move" if moves else "update", wanted, stored, why, "", changes)


def signed_as_it_is(stored: Stored, last: Change) -> Signature | None:
    """Our signature, where the content is still what was signed; None where it is somebody's work."""
    signature = read_signature(last.message)
    if signature is None:
        return None
    return signature if stored.hash == signature.content or stored.version == signature.version else None


def _foreign(wanted: Wanted, stored: Stored, last: Change, ours: bool) -> str:
    """Why the board is not ours to overwrite; empty where it is."""
    if stored.unreadable:
        return stored.unreadable
    if stored.project and wanted.project and stored.project != wanted.project:
        return f"it belongs to the project {stored.project}"
    return "" if ours else not_ours(last)


def not_ours(last: Change) -> str:
    """What to say of a last change that is not known to be ours."""
    if last.known:
        return "the last change is not from gpuboards"
    return "whose the last change is cannot be told: the credentials may not read the board's versions"


def _who(last: Change) -> str:
    by = f", by {last.by}" if last.by else ""
    when = f", {last.when}" if last.when else ""
    version = f" (version {last.version})" if last.version else ""
    return f"{by}{when}{version}"


def _changes(wanted: Wanted, stored: Stored) -> tuple[str, ...]:
    moved = (f"folder: {stored.folder or '(root)'} to {wanted.folder}",) if stored.folder != wanted.folder else ()
    return moved if stored.unreadable else (*moved, *differences(stored.content, wanted.content))

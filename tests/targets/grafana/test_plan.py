"""Who owns a board as it stands, and what therefore happens to it. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builder.diff import content_hash
from builder.targets.grafana.boards import Change, Stored, Wanted
from builder.targets.grafana.plan import decide
from builder.targets.grafana.signature import Signature, read_signature
from tests.targets.grafana.pushing import board

OLD, NEW = board("one", "Old"), board("one", "New")
WANTED = Wanted("one", "New", NEW, "gpu", "")


def signed(content: dict[str, Any], version: int, folder: str = "gpu") -> str:
    return str(Signature("1.0", "abc", content_hash(content), version, folder))


def stored(content: dict[str, Any], **more: Any) -> Stored:
    return replace(Stored("one", content, "gpu", 3), **more)


@pytest.mark.parametrize(
    ("there", "message", "action"),
    [
        (None, "", "create"),
        (stored(NEW), "", "unchanged"),
        (stored(NEW), signed(NEW, 3), "unchanged"),
        (stored(OLD), signed(OLD, 3), "update"),
        (stored(OLD), signed(OLD, 2), "update"),  # the number was another, the content is what we signed
        (stored(OLD), signed(NEW, 3), "unchanged"),  # ours by its number, and in a form that the server gave it
        (stored(OLD), signed(NEW, 2), "conflict"),  # neither: edited, with our message kept
        (stored(OLD), "", "conflict"),
        (stored(OLD), "gpuboards was here", "conflict"),
        (stored(NEW, folder="old"), signed(NEW, 3, "old"), "move"),
        (stored(OLD, folder="old"), signed(OLD, 3, "old"), "update"),
        (stored(NEW, folder="old"), signed(NEW, 3, "gpu"), "conflict"),  # somebody moved it away
        (stored(OLD, manager="terraform infra"), signed(OLD, 3), "not writable"),
        (stored(OLD, writable=False), signed(OLD, 3), "not writable"),
        (stored(NEW, writable=False), "", "unchanged"),
        (stored({}, unreadable="new layout"), signed(OLD, 3), "conflict"),
    ],
)
def test_what_happens(there: Stored | None, message: str, action: str) -> None:
    change = Change(3, message, "alice", "today")
    assert decide(WANTED, there, change, titles={}).action == action


def test_force_overwrites_people_but_no_tools() -> None:
    edited = Change(3, "", "alice", "today")
    step = decide(WANTED, stored(OLD), edited, titles={}, force=True)
    assert step.action == "update" and "alice" in step.why
    assert decide(WANTED, stored(OLD, manager="x"), edited, titles={}, force=True).action == "not writable"
    assert decide(WANTED, None, None, titles={"New": "other"}, force=True).action == "title taken"


def test_a_conflict_says_who_when_and_what() -> None:
    step = decide(WANTED, stored(OLD), Change(3, "tidied up", "alice", "2026-01-01T10:00:00Z"), titles={})
    assert "alice" in step.why and "2026-01-01T10:00:00Z" in step.why and "version 3" in step.why
    assert step.changes == ("title: 'Old' to 'New'",) and "--force" in step.fix


def test_another_projects_board_is_not_ours() -> None:
    theirs = {**OLD, "tags": ["gpuboards", "gpuboards:theirs"]}
    there, change = stored(theirs), Change(3, signed(theirs, 3))
    assert decide(replace(WANTED, project="ours"), there, change, titles={}).action == "conflict"
    assert decide(replace(WANTED, project="theirs"), there, change, titles={}).action == "update"
    assert decide(WANTED, there, change, titles={}).action == "update"


@pytest.mark.parametrize("revision", ["", "0123456789ab-dirty"])
def test_a_signature_reads_back(revision: str) -> None:
    signature = Signature("0.1.0", revision, "0" * 64, 12, "gpu-boards_1")
    assert read_signature(f" {signature}\n") == signature


@pytest.mark.parametrize("message", ["", "fixed it", "gpuboards 1.0: sha256 abc as version 1 in folder x"])
def test_other_messages_are_no_signatures(message: str) -> None:
    assert read_signature(message) is None

"""Every panel of every board has a known answer, for every exporter that it is built for."""

from __future__ import annotations

from functools import cache

import pytest

from builder.catalog.profiles import GPU_PROFILES
from tests.live.cases.coverage import Part, answers, parts
from tests.live.cases.opened import boards
from tests.live.cases.readings import READINGS

KNOWN_EMPTY: dict[str, set[tuple[str, str]]] = {
    # What it says of pods that share a card is not known, and nothing else of it tells processes apart.
    "dcgm-4.9": {
        ("gpu-memory", "What the gap is made of: Contexts\\ and\\ libraries"),
        ("gpu-memory", "What the gap is made of: Other\\ processes"),
        ("gpu-memory", "The gap, card by card | Contexts and libraries: .*"),
        ("gpu-memory", "The gap, card by card | Other processes: .*"),
    }
}
"""Of a profile: queries that no fleet fills."""


@cache
def everything(profile: str) -> list[Part]:
    return [part for board in boards(profile).values() for part in parts(board)]


@cache
def unanswered(profile: str) -> list[Part]:
    known = answers(profile)
    return [part for part in everything(profile) if not part.is_answered_by(known[part.board])]


@cache
def answered_elsewhere() -> frozenset[str]:
    """Queries that a fleet with another GPU exporter answers: of the training, they are the same for all."""
    return frozenset(
        part.query for profile in GPU_PROFILES for part in everything(profile) if part not in unanswered(profile)
    )


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_every_query_has_a_known_answer(profile: str) -> None:
    missing = {
        (part.board, f"{part.name}: {part.legend}")
        for part in unanswered(profile)
        if part.query not in answered_elsewhere()
    }
    assert missing == KNOWN_EMPTY.get(profile, set())


def test_all_boards_are_looked_at() -> None:
    assert set(boards("dcgm")) == set(READINGS)
    assert sum(len(parts(board)) for board in boards("dcgm").values()) > 150


def test_what_asks_prometheus_nothing_needs_no_answer() -> None:
    silent = [{"type": kind, "title": "Alerts"} for kind in ("text", "alertlist")]
    logs = {"type": "logs", "title": "Logs", "targets": [{"refId": "A", "expr": "{}"}]}
    row = {"type": "row", "title": "More", "panels": [*silent, logs]}
    asking = {"type": "stat", "title": "Cards", "targets": [{"refId": "A", "expr": "count(up)"}]}
    assert parts({"uid": "b", "panels": [*silent, logs, row, asking]}) == [Part("b", "Cards", ".*", "count(up)")]


def test_a_panel_without_an_answer_would_be_seen() -> None:
    known = answers("dcgm")["gpu-fleet"]
    assert Part("gpu-fleet", "Power", "All cards").is_answered_by(known)
    assert not Part("gpu-fleet", "Power", "limit .*").is_answered_by(known), "a query of its own in a known panel"
    assert not Part("gpu-fleet", "Power of racks", ".*").is_answered_by(known)
    assert not Part("gpu-fleet", "Nodes | Lost", ".*").is_answered_by([("Nodes | Lost", {})]), "empty is no answer"

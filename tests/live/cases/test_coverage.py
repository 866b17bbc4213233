"""Every panel of every board has a known answer, for every exporter that it is built for."""

from __future__ import annotations

from functools import cache

import pytest

from builder.catalog.profiles import GPU_PROFILES
from tests.live.cases.coverage import Part, answers, parts
from tests.live.cases.opened import boards
from tests.live.cases.readings import READINGS

KNOWN_EMPTY: dict[str, set[tuple[str, str]]] = {}
"""Of a profile: queries that no fleet fills."""


@cache
def unanswered(profile: str) -> list[Part]:
    known = answers(profile)
    everything = [part for board in boards(profile).values() for part in parts(board)]
    return [part for part in everything if not part.is_answered_by(known[part.board])]


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_every_query_has_a_known_answer(profile: str) -> None:
    missing = {(part.board, f"{part.name}: {part.legend}") for part in unanswered(profile)}
    assert missing == KNOWN_EMPTY.get(profile, set())


def test_all_boards_are_looked_at() -> None:
    assert set(boards("dcgm")) == set(READINGS)
    assert sum(len(parts(board)) for board in boards("dcgm").values()) > 150


def test_a_panel_without_an_answer_would_be_seen() -> None:
    known = answers("dcgm")["gpu-fleet"]
    assert Part("gpu-fleet", "Power", "All cards").is_answered_by(known)
    assert not Part("gpu-fleet", "Power", "limit .*").is_answered_by(known), "a query of its own in a known panel"
    assert not Part("gpu-fleet", "Power of racks", ".*").is_answered_by(known)
    assert not Part("gpu-fleet", "Nodes | Lost", ".*").is_answered_by([("Nodes | Lost", {})]), "empty is no answer"

"""Hundreds of pushes through faults and kills; after each, one clean push puts everything right.

Each run is decided by its number: the version, the API, what is there before, the faults, and the moments of the
kills. What must hold afterwards: Grafana equals the code, nobody else's board was touched, none is lost, none is there
twice, and no version was made twice.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import pairwise

import pytest

from builder.config import Place
from builder.diff import content_hash
from builder.targets.grafana.push import push
from builder.targets.grafana.signature import read_signature
from builder.testing import FakeGrafana
from builder.testing.grafana import StoredBoard
from tests.targets.grafana.pushing import SERVED, Boards, at, board, changed, options, some
from tests.targets.grafana.victims import Push, push_and_kill

RUNS = 320
_CHUNK = 20
_PUSHES = {"project": "fleet", "attempts": 4, "seconds": 1.0}


@pytest.mark.parametrize("first", range(0, RUNS, _CHUNK))
def test_a_clean_push_puts_everything_right(first: int) -> None:
    hit = sum((_run(number) for number in range(first, first + _CHUNK)), Counter())
    assert hit["kills"] > 2 and hit["faults"] > 50 and hit["lost writes"] > 2, f"too tame to prove anything: {hit}"


def _run(number: int) -> Counter[str]:
    hit: Counter[str] = Counter()
    chance = random.Random(number)
    version, api = SERVED[number % len(SERVED)]
    nested = version >= "11" and chance.random() < 0.5
    folders = (Place("team", "Team"), Place("gpu", "GPU")) if nested else (Place("gpu", "GPU"),)
    with FakeGrafana(version=version, seed=number, search_lag=0, latency=0.002) as grafana:
        foreign = _others(grafana)
        old, new = _generations(chance)
        if chance.random() < 0.6:
            assert push(old, at(grafana, folders=folders), options(api, **_PUSHES)).exit_code == 0
        grafana.faults.storm(chance.uniform(0.0, 0.5), method="POST|PUT|DELETE")
        grafana.faults.storm(chance.uniform(0.0, 0.3))
        for _ in range(chance.randint(1, 3)):
            killed_after = chance.uniform(0.0, 0.25) if chance.random() < 0.7 else None
            boards = new if chance.random() < 0.8 else old
            more = {**_PUSHES, "prune": boards is new and chance.random() < 0.5}
            victim = Push(grafana.url, grafana.token, api, boards, folders, more, killed_after)
            hit["kills"] += push_and_kill(victim)
        hit["faults"] = len(grafana.faults.fired)
        hit["lost writes"] = sum(1 for request in grafana.writes if request.fault and request.applied)
        grafana.faults.clear()

        clean = options(api, **_PUSHES, prune=True)
        report = push(new, at(grafana, folders=folders), clean, confirm=lambda found: True)
        assert report.exit_code == 0, (number, report)
        _right(number, grafana, new, foreign)
        grafana.forget_requests()
        assert push(new, at(grafana, folders=folders), clean).writes == 0 and not grafana.writes, number
    return hit


def _generations(chance: random.Random) -> tuple[Boards, Boards]:
    """The boards as they were once, and as they are to be: some new, some changed, some gone."""
    old = some("a", "b", "c", "d", "e")
    new = copy.deepcopy({uid: old[uid] for uid in old if chance.random() < 0.8} | some("f", "g"))
    for uid in new:
        if chance.random() < 0.5:
            new = changed(new, uid, title=f"Board {uid}, changed", description=str(chance.random()))
    return old, new


def _others(grafana: FakeGrafana) -> dict[str, StoredBoard]:
    """Boards of other people: elsewhere, next to ours, of another project, from a file."""
    grafana.add_folder("theirs", "Theirs")
    grafana.add_board(board("x1", "Board a"), "theirs", user="alice")
    grafana.add_board(board("x2", "Board x", tags=["gpuboards", "gpuboards:other"]), "theirs", user="bob")
    grafana.add_board(board("x3", "Board y", tags=["gpuboards"]), user="carol")
    grafana.provision(board("x4", "Board z", tags=["gpuboards"]), "theirs")
    return dict(grafana.boards)


def _right(number: int, grafana: FakeGrafana, new: Boards, foreign: dict[str, StoredBoard]) -> None:
    stored = grafana.boards
    assert {uid: stored.get(uid) for uid in foreign} == foreign, number
    assert stored.keys() - foreign.keys() == new.keys(), number
    for uid, wanted in new.items():
        tagged = {**wanted, "tags": ["gpuboards", "gpuboards:fleet"]}
        assert content_hash(stored[uid].json) == content_hash(tagged), (number, uid)
        assert stored[uid].folder == "gpu", (number, uid)
        made = [read_signature(revision.message) for revision in stored[uid].history]
        contents = [signature.content for signature in made if signature]
        assert len(contents) == len(made), (number, uid, "a version that is not ours")
        twice = [one for one, following in pairwise(contents) if one == following]
        assert not twice, (number, uid, "a version was made twice")
    assert sorted(folder.uid for folder in grafana.folders.values()) in (
        ["gpu", "theirs"],
        ["gpu", "team", "theirs"],
    )

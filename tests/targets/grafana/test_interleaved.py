"""Somebody else acts before any request of a push, drawn by a seed: nothing that they did is ever lost."""

from __future__ import annotations

import random

import pytest

from builder.testing import FakeGrafana
from builder.testing.grafana.faults import Fault
from tests.targets.grafana.pushing import SERVED, board, changed, run, some

_RUNS = 12


def _guarded(version: str, api: str) -> tuple[str, ...]:
    """The requests in whose very moment somebody may act: what each API can promise."""
    if api == "apps":
        return ("GET", "POST", "PUT", "DELETE")
    # The classic API deletes whatever is there; and from 12 on no version and no number tells of a move in that moment.
    return ("GET", "POST") if version < "12" else ("GET",)


@pytest.mark.parametrize(("version", "api"), SERVED)
def test_nothing_of_others_is_lost(version: str, api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    acts = sum(_once(version, api, number, monkeypatch) for number in range(_RUNS))
    assert acts > _RUNS / 2


def _once(version: str, api: str, number: int, monkeypatch: pytest.MonkeyPatch) -> int:
    chance = random.Random(f"{version} {api} {number}")
    with FakeGrafana(version, search_lag=0) as grafana, monkeypatch.context() as patch:
        boards = some("a", "b", "c", "gone")
        run(grafana, boards, api, project="fleet")
        grafana.add_folder("else", "Elsewhere")
        boards = changed(changed(boards, "a", title="New"), "b", description="new")
        del boards["gone"]
        theirs: dict[str, tuple[object, ...]] = {}
        draw = grafana.faults.draw

        def act_first(method: str, path: str) -> Fault:
            if method in _guarded(version, api) and "dashboards" in path and chance.random() < 0.15:
                uid = chance.choice(["a", "b", "c", "gone"])
                _act(grafana, uid, chance.choice(["edit", "move", "anew"]))
                theirs[uid] = _state(grafana, uid)
            return draw(method, path)

        patch.setattr(grafana.faults, "draw", act_first)
        run(grafana, boards, api, project="fleet", prune=True, jobs=1)
        for uid, state in theirs.items():
            assert _state(grafana, uid) == state, (number, uid)
        return len(theirs)


def _act(grafana: FakeGrafana, uid: str, what: str) -> None:
    if uid not in grafana.boards:  # removed by the push, and now somebody makes one of their own
        what = "anew"
    if what == "edit":
        grafana.edit_in_ui(uid, lambda b: {**b, "description": "by hand"})
    elif what == "move":
        grafana.move_in_ui(uid, "else")
    else:
        if uid in grafana.boards:
            grafana.delete_in_ui(uid)
        grafana.add_board(board(uid, f"Anew {uid}"), "gpu")


def _state(grafana: FakeGrafana, uid: str) -> tuple[object, ...]:
    stored = grafana.boards[uid]
    return stored.id, stored.folder, stored.title, stored.spec.get("description")

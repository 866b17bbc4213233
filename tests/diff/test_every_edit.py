"""A comparison names every edit and nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder.diff import ABSENT, BoardDiff, Status, compare
from tests.diff.applying import untold
from tests.diff.edits import EDITS, Board, Hand, Told, with_noise

ROOT = Path(__file__).resolve().parents[2]


def with_annotation(board: Board) -> Board:
    """The board with an annotation besides Grafana's own."""
    board["annotations"]["list"].append({"name": "Restarts", "expr": "changes(x[5m])", "enable": True})
    return board


BOARDS = {
    path.stem: with_annotation(json.loads(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "provisioning" / "dashboards" / "gpuboards").glob("*.json"))
}
ROUNDS = 100
"""Dashboards edited in each of the tests below; seven of them, so 700 and some 2,000 edits in all."""


def folded(board: Board) -> Board:
    """The board with its second half in a collapsed row."""
    half = len(board["panels"]) // 2
    row = {
        "id": 4242,
        "type": "row",
        "title": "More",
        "collapsed": True,
        "gridPos": {"x": 0, "y": 5000, "w": 24, "h": 1},
        "panels": board["panels"][half:],
    }
    return {**board, "panels": [*board["panels"][:half], row]}


def told(diff: BoardDiff) -> list[Told]:
    """What the comparison says, in the form that edits are told in."""
    found: list[Told] = []
    for part in diff.parts:
        if part.status is not Status.CHANGED:
            found.append((part.what, part.name, part.status.value, (), None, None))
        for change in part.changes:
            found.append((part.what, part.name, change.kind.value, change.path, change.before, change.after))
    return found


def as_text(what: Told) -> str:
    return json.dumps([_without_none(each) if each is not ABSENT else "ABSENT" for each in what], sort_keys=True)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(member) for key, member in value.items() if member is not None}
    return [_without_none(each) for each in value] if isinstance(value, list | tuple) else value


def edit(board: Board, draw: random.Random) -> tuple[Board, list[Told], list[str], bool]:
    """A copy with one to five edits, and what has to be said about it."""
    hand = Hand(copy.deepcopy(board), draw)
    names = draw.sample(list(EDITS), draw.randint(1, 5))
    for name in names:
        EDITS[name](hand)
    return hand.board, hand.told, names, hand.identity_changed


@pytest.mark.parametrize("name", BOARDS)
def test_every_edit_is_named_and_nothing_else(name: str) -> None:
    draw = random.Random(f"edits of {name}")
    for number in range(ROUNDS):
        before = folded(BOARDS[name]) if number % 3 == 0 else BOARDS[name]
        after, expected, names, identity_changed = edit(before, draw)
        after = with_noise(after, draw, renumber=number % 2 == 0 and not identity_changed)
        diff = compare(before, after)
        found = told(diff)
        assert untold(diff, before, after) == []
        assert Counter(map(as_text, found)) == Counter(map(as_text, expected)), f"round {number}: {names}"


def test_every_kind_of_edit_comes_up() -> None:
    draw = random.Random("all kinds")
    done: Counter[str] = Counter()
    for name, make in EDITS.items():
        for board in BOARDS.values():
            hand = Hand(copy.deepcopy(board), draw)
            make(hand)
            done[name] += len(hand.told)
    assert [name for name in EDITS if not done[name]] == []


@pytest.mark.parametrize("name", BOARDS)
def test_noise_alone_is_no_difference(name: str) -> None:
    draw = random.Random(f"noise in {name}")
    for number in range(10):
        before = folded(BOARDS[name]) if number % 2 else BOARDS[name]
        noisy = with_noise(before, draw, renumber=number % 3 == 0)
        assert told(compare(before, noisy)) == []
        assert told(compare(noisy, before)) == []


def test_what_a_comparison_leaves_out_is_noticed() -> None:
    """The check above can fail."""
    before = BOARDS["gpu-node"]
    after = copy.deepcopy(before)
    panel = next(panel for panel in after["panels"] if panel["type"] == "timeseries")
    panel |= {"description": "Other", "interval": "99s"}
    diff = compare(before, after)
    assert untold(diff, before, after) == []
    assert untold(replace(diff, parts=()), before, after) != []
    (part,) = diff.parts
    assert untold(replace(diff, parts=(replace(part, changes=part.changes[:1]),)), before, after) != []

"""Answers of any shape: a server that says nonsense is refused or worked around, and is never a bug of ours."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import pytest

from builder.cli.options import as_json
from builder.cli.pushed import in_words
from builder.errors import ServerError
from builder.targets.grafana.pull import pull
from builder.targets.grafana.push import push
from builder.targets.http.wire import Reply, Wire
from builder.testing import FakeGrafana
from builder.testing.grafana import faults
from tests.targets.grafana.pushing import SERVED, at, board, changed, options, run, some

_NONSENSE = [None, 0, -1, 1.5, True, "", "x", "\ud800", "\x1b[2J", [], [None], [[]], [{"a": 1}], {}, {"a": None}]
_RUNS = 120


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, member in inner:
        yield from _places(member, (*place, key))


def _with(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    changed_ = copy.copy(value)
    changed_[place[0]] = _with(value[place[0]], place[1:], new)
    return changed_


@pytest.mark.parametrize("first", range(0, _RUNS, 40))
def test_one_member_of_an_answer_is_something_else(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, spoilt = Wire.exchange, 0

    def exchange(self: Wire, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Reply:
        nonlocal spoilt
        reply = honest(self, method, path, query, body)
        if chance.random() > 0.25:
            return reply
        try:
            said = reply.json()
        except ValueError:
            return reply
        spoilt += 1
        wrong = _with(said, chance.choice(list(_places(said))), chance.choice(_NONSENSE))
        return Reply(reply.status, reply.headers, json.dumps(wrong).encode())

    for number in range(first, first + 40):
        chance = random.Random(number)
        version, api = chance.choice(SERVED)
        with FakeGrafana(version, search_lag=0) as grafana:
            boards = some("one", "two", "gone")
            run(grafana, boards, api, project="fleet")
            grafana.edit_in_ui("one", lambda b: {**b, "description": "by hand"})
            del boards["gone"]
            boards = {**changed(boards, "two", title="New"), "three": board("three")}
            with monkeypatch.context() as patch:
                patch.setattr(Wire, "exchange", exchange)
                try:
                    if chance.random() < 0.3:
                        pull(at(grafana), options(api, attempts=2), folder="gpu")
                    else:
                        more = {"project": "fleet", "prune": True, "attempts": 2}
                        report = push(boards, at(grafana), options(api, **more), confirm=lambda found: True)
                        assert all(line.isprintable() for line in in_words(report).splitlines())
                        as_json(asdict(report))
                except ServerError as error:
                    assert error.what and error.fix
            assert grafana.boards["one"].spec["description"] == "by hand", number
    assert spoilt > 60


@pytest.mark.parametrize("text", ["[" * 100_000, '{"database":' * 50_000 + "1" + "}" * 50_000, "9" * 5000])
def test_json_that_no_parser_takes(grafana: FakeGrafana, text: str) -> None:
    grafana.faults.add(faults.wrong_json(text))
    with pytest.raises(ServerError, match="no Grafana"):
        run(grafana, some("one"))


def test_a_board_that_nests_too_deeply_is_its_own_failure(grafana: FakeGrafana) -> None:
    deep: dict[str, Any] = {}
    for _ in range(700):
        deep = {"a": deep}
    run(grafana, some("one"))
    grafana.boards["one"].spec["deep"] = deep  # through the API it would not get there
    report = run(grafana, some("one", "two"))
    assert {o.uid: o.result for o in report.outcomes} == {"one": "failed", "two": "done"}

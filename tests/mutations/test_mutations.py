"""The mutations are still mutations of what is there, of all of it, and a wrong query is really caught."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from builder import queries
from tests.mutations import answers
from tests.mutations.catalogue import MUTATIONS
from tests.mutations.model import Mutation
from tests.mutations.run import ROOT, Bench

FORM = {"question", "source", "listed", "watch", "kept"}
"""Modules that hold no expression: what a question is, and who is asked."""


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_it_applies_and_is_still_python(mutation: Mutation) -> None:
    before = mutation.path(ROOT).read_text(encoding="utf-8")
    after = mutation.mutated(ROOT)
    assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))


def test_no_module_of_questions_is_left_out() -> None:
    assert len(MUTATIONS) >= 60
    assert len({str(mutation) for mutation in MUTATIONS}) == len(MUTATIONS)
    (directory,) = map(Path, queries.__path__)
    modules = {file.stem for file in directory.glob("*.py")} - {"__init__"}
    assert {mutation.place.partition(".")[0] for mutation in MUTATIONS} == modules - FORM


@pytest.mark.parametrize("place", ["interconnect.no_such_question", "interconnect.pcie_replays"])
def test_what_is_not_there_is_said(place: str) -> None:
    with pytest.raises(ValueError, match=r"no no_such_question|0 times"):
        Mutation(place, "no such text", "").mutated(ROOT)


@pytest.mark.parametrize(
    ("stand_in", "real"),
    [
        (answers._asked, answers._ask),
        (answers._panel, answers._run_panel),
        (answers._verdict, answers._judge),
    ],
)
def test_what_remembers_is_called_as_what_it_stands_for(
    stand_in: Callable[..., object], real: Callable[..., object]
) -> None:
    assert list(inspect.signature(stand_in).parameters) == list(inspect.signature(real).parameters)


def test_a_wrong_query_is_caught_and_a_right_one_is_not(tmp_path: Path) -> None:
    bench = Bench.set_up(tmp_path / "copy", {}, tmp_path / "answers")
    steps = {"idioms": ("tests/queries/test_idioms.py", "-k", "errors")}
    wrong = Mutation("interconnect.pcie_replays", "* 60", "* 30")
    outcome = bench.try_out(wrong, steps)
    assert (outcome.caught_by, outcome.test) == (
        "idioms",
        "tests/queries/test_idioms.py::test_the_answer_is_right[errors on the way]",
    )
    assert wrong.path(bench.copy).read_text() == wrong.path(ROOT).read_text(), "the copy is put right again"
    right = Mutation("interconnect.pcie_replays", "* 60", "* 60.0")
    assert bench.try_out(right, steps).caught_by == ""

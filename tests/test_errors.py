"""What the user is told: one tree of errors, exit codes, places, and the nearest right name."""

from __future__ import annotations

import inspect
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder import errors
from builder.errors import (
    DefinitionError,
    GpuboardsError,
    ServerError,
    SignalMissing,
    UnknownName,
    cut,
    nearest,
    short,
    titled,
)

_CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn: dict[str, str] = {}
    above: list[str] = []
    for branch, name in re.findall(r"^ {4}([ │├└─]*)(\w+) {2,}", errors.__doc__ or "", re.M):
        depth = len(branch) // 4
        above[depth:] = [name]
        drawn[name] = above[depth - 1] if depth else "Exception"
    assert drawn == {c.__name__: c.__base__.__name__ for c in _CLASSES if c.__base__}


def test_the_exit_codes_in_the_docstring_are_the_exit_codes() -> None:
    drawn = {name: int(code) for name, code in re.findall(r"(\w+) +\((\d)\)", errors.__doc__ or "")}
    assert set(drawn) == {c.__name__ for c in _CLASSES if issubclass(c, GpuboardsError)} - {"GpuboardsError"}
    assert drawn == {name: getattr(errors, name).exit_code for name in drawn}


def test_what_where_and_fix_are_told() -> None:
    error = DefinitionError("a board without uid", where="boards.py:3", fix='uid="my-board"')
    assert str(error) == 'boards.py:3: a board without uid\n  fix: uid="my-board"'
    assert str(ServerError("refused")) == "refused"


def test_places_are_put_in_front_from_the_inside_out() -> None:
    error = DefinitionError("wrong", where="Stat").at("panel 'Heat'").at("boards.py:3")
    assert error.where == "boards.py:3: panel 'Heat': Stat"
    assert DefinitionError("wrong").at("boards.py:3").where == "boards.py:3"


def test_at_keeps_the_class() -> None:
    assert isinstance(UnknownName("colour", "blu", ["blue"]).at("here"), UnknownName)


def test_a_missing_signal_is_no_error_of_the_user() -> None:
    missing = SignalMissing("xid", "nvidia-smi", "run it with NVML")
    assert not isinstance(missing, GpuboardsError)
    assert str(missing) == "profile nvidia-smi does not export xid"
    assert missing.fix == "run it with NVML"


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("temprature", ["temperature", "power"], "did you mean temperature?"),
        ("DCGM", ["dcgm", "nv-gpu"], "did you mean dcgm?"),
        ("zzz", ["b", "a"], "known: a, b"),
        ("zzz", [], "there is none to choose from"),
        ("zzz", [f"n{i:02}" for i in range(25)], f"known: {', '.join(f'n{i:02}' for i in range(20))}, ..."),
    ],
)
def test_the_nearest_name(name: str, known: list[str], said: str) -> None:
    assert nearest(name, known) == said


@given(st.text(max_size=10), st.lists(st.text(max_size=10), max_size=30))
def test_nearest_answers_anything(name: str, known: list[str]) -> None:
    assert nearest(name, known) == nearest(name, reversed(known))


@given(st.text(st.characters(categories=["Ll"]), min_size=3, max_size=12))
def test_a_known_name_is_its_own_nearest(name: str) -> None:
    assert name in nearest(name, [name, "entirely-different-thing"])


class _Mute:
    def __repr__(self) -> str:
        raise ValueError


def test_any_value_can_be_shown_in_a_few_words() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert [short(value) for value in (5, "it's", None, [1])] == ["5", '"it\'s"', "None", "[1]"]
    assert [short(value) for value in (_Mute(), 10**5000, nested)] == ["<_Mute>", "<int>", "<list>"]
    assert short("x" * 1_000_000) == f"'{'x' * 79}..."
    assert short("\ud800\n") == r"'\ud800\n'"
    assert short("abcdef", at_most=3) == "'ab..."


def test_things_are_called_by_kind_and_title() -> None:
    assert [titled("Stat", title) for title in ("Power", "", "a\nb", 5)] == [
        'Stat "Power"',
        "Stat",
        'Stat "a b"',
        'Stat "5"',
    ]
    assert len(titled("Stat", "x" * 5000)) < 100
    assert cut("abc", 2) == "ab..." and cut("abc", 3) == "abc"


def test_a_name_of_any_type_can_be_unknown() -> None:
    for name in (None, 5, 10**5000, [], {}, b"x", _Mute(), "x" * 100_000):
        error = UnknownName("unit", name, ["watt", "bytes"])
        assert error.what.startswith("unknown unit ") and error.fix
        assert len(str(error)) < 300

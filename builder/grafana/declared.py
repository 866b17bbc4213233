"""What a definition gives is of the type that is declared for it, checked where it is given.

Python takes any value for any parameter, and a wrong one would show only when the board is written, far from its
line. The type hints that mypy reads are what is checked here, so that there is one declaration.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache, wraps
from typing import Any, Literal, ParamSpec, TypeGuard, TypeVar, Union, get_args, get_origin

from builder.errors import DefinitionError, short

P = ParamSpec("P")
R = TypeVar("R")
Fault = Callable[[Any], str]
"""What is wrong with a value, in words; empty where nothing is."""

_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "True or False", type(None): "None"}


def check_fields(made: Any, where: str = "") -> None:
    """Refuse a dataclass object with a field of another type than declared. For its ``__post_init__``."""
    for name, fault in _faults(made.__class__):
        value = getattr(made, name)
        wrong = fault(value)
        if wrong:
            raise _refused(wrong, value, f"{where or type(made).__name__}, {name}")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function, refusing an argument of another type than declared."""
    signature = inspect.signature(function)
    several = [p.name for p in signature.parameters.values() if p.kind is inspect.Parameter.VAR_POSITIONAL]
    free = [p.name for p in signature.parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        hints = hints_of(function)
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return function(*args, **kwargs)  # Python's own words name the function
        for name, value in given.items():
            if name not in free:
                for member in value if name in several else (value,):
                    check(member, hints[name], f"{function.__name__}, {name}")
        return function(*args, **kwargs)

    return call


def check(value: Any, hint: Any, where: str) -> None:
    """Refuse a value that a type hint does not admit."""
    wrong = fault_of(hint)(value)
    if wrong:
        raise _refused(wrong, value, where)


def is_number(value: Any) -> TypeGuard[float]:
    """True for what JSON can hold as a number that Grafana can read: JavaScript's are double floats."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max


def is_text(value: Any) -> TypeGuard[str]:
    """True for a text of whole characters."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


@cache
def hints_of(thing: Callable[..., Any]) -> Mapping[str, Any]:
    """The type hints of a function or a class, its text annotations resolved."""
    return typing.get_type_hints(thing)


@cache
def fault_of(hint: Any) -> Fault:
    """What finds what is wrong with a value for a type hint.

    NaN and infinity are no numbers, half a character is no text, and a text is no sequence. Which word of a Literal
    it is, is for the function itself to check: it names the nearest one.
    """
    origin, members = get_origin(hint), get_args(hint)
    if origin is Literal:
        return fault_of(str)
    if origin in (Union, types.UnionType):
        faults = [fault_of(alternative) for alternative in members]
        return _simple(lambda value: not all(fault(value) for fault in faults), hint)
    if origin is tuple and members[1:2] == (...,):
        return _of_sequence(fault_of(members[0]))
    if origin is tuple:
        return _of_tuple([fault_of(member) for member in members])
    if origin in (Sequence, list):
        return _of_sequence(fault_of(members[0]))
    if origin in (Mapping, dict):
        return _of_mapping(fault_of(members[0]), fault_of(members[1]))
    if typing.is_typeddict(hint):
        return _of_mapping(fault_of(str), fault_of(Any))
    if origin is Callable:
        return _simple(callable, hint)
    return _simple(_accepts(hint), hint)


def _accepts(kind: Any) -> Callable[[Any], bool]:
    if kind is str:
        return is_text
    if kind is float:
        return is_number
    if kind is int:
        return lambda value: isinstance(value, int) and is_number(value)
    if kind is Any or not isinstance(kind, type):
        return lambda value: True
    return lambda value: isinstance(value, kind)


def _simple(accepts: Callable[[Any], bool], hint: Any) -> Fault:
    return lambda value: "" if accepts(value) else f"{short(value)} is not {_words(hint)}"


def _of_sequence(fault: Fault) -> Fault:
    def faults(value: Any) -> str:
        if not isinstance(value, list | tuple):
            return f"{short(value)} is not a list"
        return _first(enumerate(map(fault, value)))

    return faults


def _of_tuple(members: Sequence[Fault]) -> Fault:
    def faults(value: Any) -> str:
        if not isinstance(value, list | tuple) or len(value) != len(members):
            return f"{short(value)} is not a tuple of {len(members)}"
        return _first(enumerate(fault(member) for fault, member in zip(members, value, strict=True)))

    return faults


def _of_mapping(key_fault: Fault, fault: Fault) -> Fault:
    def faults(value: Any) -> str:
        if not isinstance(value, Mapping):
            return f"{short(value)} is not a dict"
        return _first((short(key), key_fault(key) or fault(member)) for key, member in value.items())

    return faults


def _first(faults: Iterable[tuple[Any, str]]) -> str:
    return next((f"[{place}]: {wrong}" for place, wrong in faults if wrong), "")


def _words(hint: Any) -> str:
    """What a type hint admits, as messages say it."""
    if hint in _WORDS:
        return _WORDS[hint]
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(_words(alternative) for alternative in get_args(hint))
    if origin in (Sequence, list, tuple):
        return "a tuple" if origin is tuple else "a list"
    if origin in (Mapping, dict):
        return "a dict"
    name = "function" if origin is Callable else getattr(hint, "__name__", str(hint))
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


@cache
def _faults(cls: type) -> Sequence[tuple[str, Fault]]:
    hints = hints_of(cls)
    found = ((field.name, hints[field.name]) for field in fields(cls))
    return [(name, fault_of(hint)) for name, hint in found if hint is not Any]


def _refused(wrong: str, value: Any, where: str) -> DefinitionError:
    listed = isinstance(value, str) and wrong.endswith("is not a list")
    return DefinitionError(wrong, where=where, fix="write [ ] around it" if listed else "")

"""Two JSON values walked side by side. What a Spec calls noise, or a default spelled out, is no difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.diff.model import ABSENT, Change, Kind, Path


@dataclass(frozen=True)
class Spec:
    """What is known of a place: what absent means there, what it holds, and what to pass over.

    ``known`` says that the place holds an object, so that an empty one is the same as none. ``name`` calls the
    elements of a list, which are then matched by what they are called. ``whole`` values are not looked into.
    ``tidy`` brings a value into the form that is compared.
    """

    default: Any = ABSENT
    noise: bool = False
    known: bool = False
    members: Mapping[str, Spec] = field(default_factory=dict)
    name: Callable[[Any], str] | None = None
    element: Spec | None = None
    whole: bool = False
    tidy: Callable[[Any], Any] | None = None


PLAIN = Spec()


def spec(members: Mapping[str, Any]) -> Spec:
    """An object's Spec from its members: a Spec each, a mapping for an object, or the default value."""
    return Spec(
        known=True,
        members={
            name: given
            if isinstance(given, Spec)
            else spec(given)
            if isinstance(given, Mapping)
            else Spec(default=given)
            for name, given in members.items()
        },
    )


def merged(one: Spec, two: Spec) -> Spec:
    """Both in one; where both know a place, the second counts."""
    members = {**one.members}
    for name, given in two.members.items():
        members[name] = merged(members[name], given) if name in members and given.members else given
    return Spec(known=True, members=members)


def changes(before: Any, after: Any, known: Spec = PLAIN, path: Path = ()) -> Iterator[Change]:
    """Every difference between two values, one each."""
    if known.noise or before is after:
        return
    written = before, after = _meant(before, after, known), _meant(after, before, known)
    if known.tidy is not None:
        before, after = (value if value is ABSENT else known.tidy(value) for value in written)
    if isinstance(before, dict) and isinstance(after, dict) and not known.whole:
        yield from _of_objects(before, after, known, path)
    elif isinstance(before, list) and isinstance(after, list) and not known.whole:
        yield from _of_lists(before, after, known, path)
    elif not same(before, after):
        yield Change(Kind.SET, path, *written)


def same(one: Any, two: Any) -> bool:
    """True for equal JSON values; null members are as good as none, and true is not 1."""
    if isinstance(one, dict) and isinstance(two, dict):
        keys = {k for k, v in one.items() if v is not None} | {k for k, v in two.items() if v is not None}
        return all(same(one.get(key), two.get(key)) for key in keys)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    return one is two or (isinstance(one, bool) == isinstance(two, bool) and bool(one == two))


def _meant(value: Any, other: Any, known: Spec) -> Any:
    if value is None or value is ABSENT:
        if known.default is not ABSENT:
            value = known.default
        elif known.known and isinstance(other, dict):
            value = {}
        elif known.name is not None and isinstance(other, list):
            value = []
        else:
            return ABSENT
    return value


def _of_objects(before: Mapping[str, Any], after: Mapping[str, Any], known: Spec, path: Path) -> Iterator[Change]:
    for key in dict.fromkeys((*before, *after)):
        one, two = before.get(key, ABSENT), after.get(key, ABSENT)
        yield from changes(one, two, known.members.get(key, PLAIN), (*path, str(key)))


def _of_lists(before: Sequence[Any], after: Sequence[Any], known: Spec, path: Path) -> Iterator[Change]:
    if known.name is not None:
        yield from _of_named(called(before, known.name), called(after, known.name), known, path)
    elif len(before) == len(after) and all(isinstance(each, dict | list) for each in (*before, *after)):
        for number, (one, two) in enumerate(zip(before, after, strict=True)):
            yield from changes(one, two, known.element or PLAIN, (*path, str(number)))
    elif not same(before, after):
        yield Change(Kind.SET, path, before, after)


def _of_named(before: Mapping[str, Any], after: Mapping[str, Any], known: Spec, path: Path) -> Iterator[Change]:
    for name in dict.fromkeys((*before, *after)):
        if name in before and name in after:
            yield from changes(before[name], after[name], known.element or PLAIN, (*path, name))
        else:
            one, two = before.get(name, ABSENT), after.get(name, ABSENT)
            yield Change(Kind.SET, (*path, name), one, two, ahead_of(name, before, after))
    yield from order(before, after, path)


def ahead_of(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The element known from before that an added one was put in front of; empty at the end of the list."""
    if name in before:
        return ""
    names = list(after)
    return next((other for other in names[names.index(name) :] if other in before), "")


def order(before: Mapping[str, Any], after: Mapping[str, Any], path: Path) -> Iterator[Change]:
    """A change of order, as far as elements are on both sides."""
    one, two = [name for name in before if name in after], [name for name in after if name in before]
    if one != two:
        yield Change(Kind.ORDER, path, one, two)


def called(elements: Sequence[Any], name: Callable[[Any], str]) -> dict[str, Any]:
    """Elements by what they are called; a number sets apart those of one name."""
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for element in elements:
        base = name(element)
        counts[base] = counts.get(base, 0) + 1
        key = base if counts[base] == 1 else f"{base} ({counts[base]})"
        while key in found:
            key += "'"
        found[key] = element
    return found

"""Constructor parameters that are checked, for classes derived from grafanalib's.

grafanalib takes most strings unseen, and a misspelt parameter ends in a TypeError. The classes here say
which class, parameter and panel, and what would be right. Only what the author gave is checked: defaults
are right by a test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

import attr

from builder.errors import DefinitionError, UnknownName, nearest, short, titled
from builder.grafana.declared import is_number, is_text

Check = Callable[[Any], None]
_CHECK = "builder.check"
_BY_PLACE = "builder.by_place"
_Class = TypeVar("_Class", bound=type)
_INTERVAL = re.compile(r">?\d+(ms|[smhdwMy])|\$\w+|\$\{\w+\}")


def parameter(*, default: Any = attr.NOTHING, check: Check | None = None, kw_only: bool = True) -> Any:
    """A parameter, with the check that its value must pass where the author gives one.

    ``kw_only`` False: it may be given by place, in the order of declaration.
    """
    return attr.ib(default=default, metadata={_CHECK: check, _BY_PLACE: not kw_only})


def hidden(default: Any = None, *, shown: bool = True) -> Any:
    """An attribute that is no parameter: of the grafanalib class, or set later. ``shown`` in the representation."""
    return attr.ib(default=default, init=False, repr=shown)


def choice(*allowed: str, default: str) -> Any:
    """One of a few words."""

    def check(value: object) -> None:
        if not isinstance(value, str) or value not in allowed:
            raise UnknownName("value", value, allowed)

    return parameter(default=default, check=check)


def text(*, default: str, kw_only: bool = True) -> Any:
    """A string."""
    return parameter(default=default, check=_text, kw_only=kw_only)


def flag(*, default: bool) -> Any:
    """True or False."""
    return parameter(default=default, check=_typed("True or False", bool))


def number(
    *,
    default: float | None,
    at_least: float | None = None,
    at_most: float | None = None,
    optional: bool = False,
) -> Any:
    """A number; None too where that is the default or ``optional``."""
    none = optional or default is None
    return parameter(default=default, check=_number((int, float), "a number", none, at_least, at_most))


def whole(*, default: int | None, at_least: int | None = None, at_most: int | None = None) -> Any:
    """A whole number, or None where that is the default."""
    return parameter(default=default, check=_number((int,), "a whole number", default is None, at_least, at_most))


def each(check: Check, *, default: Sequence[Any], kw_only: bool = True) -> Any:
    """A sequence whose members must all pass a check."""

    def check_all(values: Any) -> None:
        sequence(values)
        for value in values:
            check(value)

    return parameter(default=default, check=check_all, kw_only=kw_only)


def duration(*, default: str) -> Any:
    """A duration such as 30s, with > for "at least", or a variable."""
    return parameter(default=default, check=check_duration)


def sequence(values: Any) -> None:
    """Refuse what is not a list or tuple."""
    if not isinstance(values, (list, tuple)):
        raise DefinitionError(f"{short(values)} is not a list", fix="write [ ] around it")


def check_duration(value: Any) -> None:
    """Refuse what Grafana cannot read as a duration."""
    if value != "" and not (isinstance(value, str) and _INTERVAL.fullmatch(value)):
        raise DefinitionError(f"{short(value)} is not an interval", fix='write it like "30s", or name a $variable')


def check_datasource(value: Any) -> None:
    """Refuse anything but {type, uid}."""
    if value is not None and not (isinstance(value, Mapping) and {"type", "uid"} <= value.keys()):
        raise DefinitionError(
            f"{short(value)} is not a data source", fix='{"type": "prometheus", "uid": "${datasource}"}'
        )


def _text(value: object) -> None:
    if not is_text(value):
        raise DefinitionError(f"{short(value)} is not a string")


def _typed(words: str, kind: type) -> Check:
    def check(value: object) -> None:
        if not isinstance(value, kind):
            raise DefinitionError(f"{short(value)} is not {words}")

    return check


def _number(kinds: tuple[type, ...], words: str, none: bool, at_least: float | None, at_most: float | None) -> Check:
    def check(value: Any) -> None:
        if value is None and none:
            return
        if not is_number(value) or (isinstance(value, float) and float not in kinds):
            raise DefinitionError(f"{short(value)} is not {words}")
        if at_least is not None and value < at_least:
            raise DefinitionError(f"{short(value)} is too small", fix=f"{at_least} or more")
        if at_most is not None and value > at_most:
            raise DefinitionError(f"{short(value)} is too large", fix=f"{at_most} or less")

    return check


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(parameter, choice, text, flag, number, whole, each, duration),
)
def parameters(cls: _Class) -> _Class:
    """Make a class an attrs class whose parameters are checked; ``Checked`` must be its first base."""
    made: Any = attr.s(auto_attribs=True, kw_only=True, init=False, eq=False)(cls)
    fields = [field for field in attr.fields(made) if field.init]
    made.checks = {field.name: field.metadata.get(_CHECK) for field in fields}
    made.by_place = tuple(field.name for field in fields if field.metadata.get(_BY_PLACE))
    made.required = tuple(field.name for field in fields if field.default is attr.NOTHING)
    return cast(_Class, made)


class Checked:
    """The constructor of all classes made by ``parameters``."""

    checks: ClassVar[Mapping[str, Check | None]] = {}
    by_place: ClassVar[tuple[str, ...]] = ()
    required: ClassVar[tuple[str, ...]] = ()
    named_by: ClassVar[str] = "title"
    """The parameter that tells one object of the class from another, for messages."""

    def __init__(self, *placed: Any, **given: Any) -> None:
        cls = type(self)
        if placed:
            given = cls._with_placed(placed, given)
        checks = cls.checks
        for name, value in given.items():
            if name not in checks:
                raise DefinitionError(
                    f"{cls.__name__} has no parameter {short(name)}",
                    where=_where(cls, given),
                    fix=nearest(name, checks),
                )
            check = checks[name]
            if check is not None:
                try:
                    check(value)
                except DefinitionError as error:
                    raise error.at(f"{_where(cls, given)}, {name}") from None
        missing = [name for name in cls.required if name not in given]
        if missing:
            raise DefinitionError(f"{cls.__name__} needs {', '.join(missing)}", where=_where(cls, given))
        self.__attrs_init__(**given)  # type: ignore[attr-defined]

    @classmethod
    def _with_placed(cls, placed: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
        names = cls.by_place
        if len(placed) > len(names):
            raise DefinitionError(
                f"{len(placed)} values without a name",
                where=_where(cls, given | dict(zip(names, placed, strict=False))),
                fix=f"only {', '.join(names)} goes without; name the others",
            )
        by_place = dict(zip(names, placed, strict=False))
        twice = by_place.keys() & given.keys()
        if twice:
            raise DefinitionError(f"{', '.join(sorted(twice))} given twice", where=_where(cls, by_place | given))
        return by_place | given


def _where(cls: type[Checked], given: Mapping[str, Any]) -> str:
    return titled(cls.__name__, given.get(cls.named_by, ""))

"""Variables whose values stand in the board: data sources, durations, fixed words, typed text, filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from builder.errors import DefinitionError, short
from builder.grafana.declared import check
from builder.grafana.parameters import (
    check_datasource,
    check_duration,
    duration,
    each,
    flag,
    parameter,
    parameters,
    text,
    whole,
)
from builder.grafana.variables.base import ALL, HIDE, Choosing, Variable, with_datasource


def _values(value: Any) -> None:
    check(value, Sequence[str] | Mapping[str, str], "")


@parameters
class DatasourceVariable(Variable):
    """A data source of one plugin; ``regex`` filters by its name, ``default`` is a uid.

    Without a default the first in the alphabet is chosen.
    """

    kind: ClassVar[str] = "datasource"

    plugin: str = text(default="prometheus", kw_only=False)
    regex: str = text(default="")

    def __attrs_post_init__(self) -> None:
        """Refuse a data source of no type."""
        if not self.plugin:
            raise DefinitionError("no type of data source", where=f"variable {self.name}", fix='plugin="prometheus"')

    def _own(self) -> dict[str, Any]:
        return {
            "current": {"text": self.default, "value": self.default} if self.default else {},
            "includeAll": False,
            "multi": False,
            "options": [],
            "query": self.plugin,
            "refresh": 1,
            "regex": self.regex,
        }


@parameters
class IntervalVariable(Variable):
    """A duration; with ``auto`` also one that Grafana derives from the time range."""

    kind: ClassVar[str] = "interval"

    values: Sequence[str] = each(check_duration, default=("1m", "5m", "15m", "1h", "6h", "1d"), kw_only=False)
    auto: bool = flag(default=False)
    auto_count: int = whole(default=30, at_least=1)
    auto_min: str = duration(default="10s")

    def __attrs_post_init__(self) -> None:
        """Refuse a variable that offers nothing."""
        if not self.values:
            raise DefinitionError("no values to choose from", where=f"variable {self.name}")

    def _own(self) -> dict[str, Any]:
        chosen = self.default or self.values[0]
        data: dict[str, Any] = {
            "auto": self.auto,
            "current": {"text": chosen, "value": chosen},
            "options": [],
            "query": ",".join(self.values),
            "refresh": 2,
        }
        if self.auto:
            data |= {"auto_count": self.auto_count, "auto_min": self.auto_min}
        return data


@parameters
class CustomVariable(Choosing):
    """Fixed values: a list, or a mapping from value to the text shown for it."""

    kind: ClassVar[str] = "custom"

    values: Sequence[str] | Mapping[str, str] = parameter(default=(), check=_values, kw_only=False)

    def __attrs_post_init__(self) -> None:
        """Refuse values that Grafana would read as something else, and a default that is not offered."""
        where = f"variable {self.name}"
        if not self.values:
            raise DefinitionError("no values to choose from", where=where)
        for word in [*self.values, *self._texts().values()]:
            if " : " in str(word) or word != str(word).strip():
                raise DefinitionError(f"{short(word)} cannot be a value or its text", where=where, fix="no ' : ' in it")
        chosen = [self.default] if isinstance(self.default, str) else list(self.default or ())
        for value in chosen:
            if value != ALL and value not in self.values:
                raise DefinitionError(
                    f"default {short(value)} is not one of the values", where=where, fix=", ".join(self.values)
                )

    def _texts(self) -> Mapping[str, str]:
        return self.values if isinstance(self.values, Mapping) else {}

    def _text_of(self, value: str) -> str:
        return self._texts().get(value, value)

    def _current_json(self) -> dict[str, Any]:
        current = super()._current_json()
        if current:
            return current
        first = next(iter(self.values))
        shown = self._text_of(first)
        return {"text": [shown], "value": [first]} if self.multi else {"text": shown, "value": first}

    def _own(self) -> dict[str, Any]:
        offered = [
            f"{_comma(shown)} : {_comma(value)}" if (shown := self._text_of(value)) != value else _comma(value)
            for value in self.values
        ]
        return self._choosing() | {"query": ",".join(offered)}


@parameters
class TextVariable(Variable):
    """A text that the reader types; ``default`` is what stands there first."""

    kind: ClassVar[str] = "textbox"

    default: str = text(default="", kw_only=False)

    def _own(self) -> dict[str, Any]:
        return {
            "current": {"text": self.default, "value": self.default},
            "options": [],
            "query": self.default,
        }


@parameters
class ConstantVariable(Variable):
    """A fixed value under a name; never shown."""

    kind: ClassVar[str] = "constant"

    value: str = text(default="", kw_only=False)

    def _own(self) -> dict[str, Any]:
        # Shown, Grafana's older migrations take a constant for a text box.
        return {
            "current": {"text": self.value, "value": self.value},
            "hide": HIDE["variable"],
            "options": [],
            "query": self.value,
            "skipUrlSync": True,
        }


@parameters
class AdhocVariable(Variable):
    """Filters that the reader adds to every query of one data source."""

    kind: ClassVar[str] = "adhoc"

    datasource: Any = parameter(default=None, check=check_datasource)

    def _own(self) -> dict[str, Any]:
        return with_datasource({"filters": []}, self.datasource)


def _comma(word: str) -> str:
    return word.replace(",", "\\,")

"""Dashboard variables. What one shows first follows from ``default``, ``multi`` and ``include_all``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from grafanalib import core

from builder.errors import DefinitionError
from builder.grafana.names import check_variable_name
from builder.grafana.parameters import (
    Checked,
    check_datasource,
    check_duration,
    choice,
    duration,
    each,
    flag,
    hidden,
    parameter,
    parameters,
    text,
    whole,
)

_HIDE = {"no": 0, "label": 1, "variable": 2}
_SORT = {
    "no": 0,
    "alphabetical": 1,
    "alphabetical-desc": 2,
    "numerical": 3,
    "numerical-desc": 4,
    "alphabetical-any-case": 5,
    "alphabetical-any-case-desc": 6,
    "natural": 7,
    "natural-desc": 8,
}
_REFRESH = {"load": 1, "time": 2}
_ALL = "$__all"
_PROMETHEUS_QUERY = re.compile(r"\s*(label_values|label_names|metrics|query_result)\s*\(.*\)\s*", re.DOTALL)
_PROMETHEUS_KINDS = {"label_names": 0, "label_values": 1, "metrics": 2, "query_result": 3}


@parameters
class Variable(Checked, core.Template):
    """What all variables have."""

    named_by: ClassVar[str] = "name"
    kind: ClassVar[str]

    name: str = parameter(check=check_variable_name, kw_only=False)
    label: str = text(default="")
    description: str = text(default="")
    hide: str = choice(*_HIDE, default="no")
    default: Any = parameter(default=None)

    query: Any = hidden(default="")
    dataSource: Any = hidden()  # noqa: N815 (the names are grafanalib's)
    allValue: Any = hidden()  # noqa: N815
    includeAll: Any = hidden(default=False)  # noqa: N815
    multi: Any = hidden(default=False)
    options: Any = hidden()
    regex: Any = hidden()
    useTags: Any = hidden()  # noqa: N815
    tagsQuery: Any = hidden()  # noqa: N815
    tagValuesQuery: Any = hidden()  # noqa: N815
    refresh: Any = hidden()
    type: Any = hidden()
    sort: Any = hidden()
    auto: Any = hidden()
    autoCount: Any = hidden()  # noqa: N815
    autoMin: Any = hidden()  # noqa: N815

    def __attrs_post_init__(self) -> None:
        """Nothing to derive; grafanalib would split and select here."""

    def to_json_data(self) -> dict[str, Any]:
        """The variable as Grafana saves it."""
        data: dict[str, Any] = {"name": self.name, "type": self.kind, "hide": _HIDE[self.hide]}
        if self.label:
            data["label"] = self.label
        if self.description:
            data["description"] = self.description
        data.update(self._own())
        return data

    def _own(self) -> dict[str, Any]:
        raise NotImplementedError


@parameters
class _Choosing(Variable):
    """A variable with options to choose from."""

    multi: bool = flag(default=False)
    include_all: bool = flag(default=False)
    all_value: str = text(default="")

    def _choosing(self) -> dict[str, Any]:
        if self.all_value and not self.include_all:
            raise DefinitionError(
                "all_value without include_all", where=f"variable {self.name}", fix="include_all=True"
            )
        data = {
            "current": self._current_json(),
            "includeAll": self.include_all,
            "multi": self.multi,
            "options": [],
        }
        if self.all_value:
            data["allValue"] = self.all_value
        return data

    def _current_json(self) -> dict[str, Any]:
        chosen = self.default
        if chosen is None:
            if not self.include_all:
                return {}
            chosen = _ALL
        values = [chosen] if isinstance(chosen, str) else list(chosen)
        if not self.multi and len(values) != 1:
            raise DefinitionError(
                f"{len(values)} values chosen of a variable that takes one",
                where=f"variable {self.name}",
                fix="multi=True",
            )
        texts = ["All" if value == _ALL else self._text_of(value) for value in values]
        return {"text": texts, "value": values} if self.multi else {"text": texts[0], "value": values[0]}

    def _text_of(self, value: str) -> str:
        return value


@parameters
class QueryVariable(_Choosing):
    """Values from Prometheus: ``label_values(up{job="x"}, instance)``, ``query_result(...)``, ..."""

    kind: ClassVar[str] = "query"

    query: str = text(default="", kw_only=False)
    datasource: Any = parameter(default=None, check=check_datasource)
    regex: str = text(default="")
    sort: str = choice(*_SORT, default="alphabetical")
    refresh: str = choice(*_REFRESH, default="time")

    def __attrs_post_init__(self) -> None:
        """Refuse a query that the Prometheus data source would not take for one."""
        if prometheus_query_json(self.query) is None:
            raise DefinitionError(
                f"{self.query!r} is not a variable query",
                where=f"variable {self.name}",
                fix=f"one of {', '.join(_PROMETHEUS_KINDS)}, with its argument in parentheses",
            )

    def _own(self) -> dict[str, Any]:
        data = self._choosing() | {
            "query": prometheus_query_json(self.query),
            "definition": self.query,
            "refresh": _REFRESH[self.refresh],
            "sort": _SORT[self.sort],
            "regex": self.regex,
        }
        return _with_datasource(data, self.datasource)


@parameters
class LokiQueryVariable(_Choosing):
    """The values of one label of the log streams that match a selector (all streams where it is empty)."""

    kind: ClassVar[str] = "query"

    log_label: str = text(default="", kw_only=False)
    stream: str = text(default="")
    datasource: Any = parameter(default=None, check=check_datasource)
    regex: str = text(default="")
    sort: str = choice(*_SORT, default="alphabetical")
    refresh: str = choice(*_REFRESH, default="time")

    def __attrs_post_init__(self) -> None:
        """Refuse a query without a label."""
        if not self.log_label:
            raise DefinitionError("no label to take the values of", where=f"variable {self.name}")

    def _own(self) -> dict[str, Any]:
        data = self._choosing() | {
            "query": {
                "label": self.log_label,
                "refId": "LokiVariableQueryEditor-VariableQuery",
                "stream": self.stream,
                "type": 1,
            },
            "definition": "",
            "refresh": _REFRESH[self.refresh],
            "sort": _SORT[self.sort],
            "regex": self.regex,
        }
        return _with_datasource(data, self.datasource)


@parameters
class DatasourceVariable(Variable):
    """A data source of one plugin; ``regex`` filters by its name, ``default`` is a uid.

    Without a default the first in the alphabet is chosen.
    """

    kind: ClassVar[str] = "datasource"

    plugin: str = text(default="prometheus", kw_only=False)
    regex: str = text(default="")

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
class CustomVariable(_Choosing):
    """Fixed values: a list, or a mapping from value to the text shown for it."""

    kind: ClassVar[str] = "custom"

    values: Sequence[str] | Mapping[str, str] = parameter(default=(), kw_only=False)

    def __attrs_post_init__(self) -> None:
        """Refuse values that Grafana would read as something else, and a default that is not offered."""
        where = f"variable {self.name}"
        if not self.values:
            raise DefinitionError("no values to choose from", where=where)
        for word in [*self.values, *self._texts().values()]:
            if " : " in str(word) or word != str(word).strip():
                raise DefinitionError(f"{word!r} cannot be a value or its text", where=where, fix="no ' : ' in it")
        chosen = [self.default] if isinstance(self.default, str) else list(self.default or ())
        for value in chosen:
            if value != _ALL and value not in self.values:
                raise DefinitionError(
                    f"default {value!r} is not one of the values", where=where, fix=", ".join(self.values)
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
            "hide": _HIDE["variable"],
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
        return _with_datasource({"filters": []}, self.datasource)


def prometheus_query_json(query: str) -> dict[str, Any] | None:
    """A variable query as Grafana saves it; None where the data source has no such function."""
    match = _PROMETHEUS_QUERY.fullmatch(query)
    if match is None:
        return None
    return {
        "qryType": _PROMETHEUS_KINDS[match[1]],
        "query": query,
        "refId": "PrometheusVariableQueryEditor-VariableQuery",
    }


def _with_datasource(data: dict[str, Any], datasource: Mapping[str, str] | None) -> dict[str, Any]:
    if datasource is not None:
        data["datasource"] = dict(datasource)
    return data


def _comma(word: str) -> str:
    return word.replace(",", "\\,")

"""What all variables have, and what those have that offer a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from grafanalib import core

from builder.errors import DefinitionError, short
from builder.grafana.declared import is_text
from builder.grafana.names import check_variable_name
from builder.grafana.parameters import Checked, choice, flag, hidden, parameter, parameters, text

HIDE = {"no": 0, "label": 1, "variable": 2}
ALL = "$__all"


def _default(value: Any) -> None:
    values = value if isinstance(value, list | tuple) else [value]
    if value is not None and not all(map(is_text, values)):
        raise DefinitionError(f"{short(value)} is not a value", fix="write it in quotes; several of them as a list")


@parameters
class Variable(Checked, core.Template):
    """What all variables have."""

    named_by: ClassVar[str] = "name"
    kind: ClassVar[str]

    name: str = parameter(check=check_variable_name, kw_only=False)
    label: str = text(default="")
    description: str = text(default="")
    hide: str = choice(*HIDE, default="no")
    default: Any = parameter(default=None, check=_default)

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
        """Nothing to derive; grafanalib would split and select here. Refuse what is of no kind."""
        if not hasattr(self, "kind"):
            kinds = "QueryVariable, CustomVariable, TextVariable, ..."
            raise DefinitionError("a variable of no kind", where=f"variable {self.name}", fix=f"use {kinds}")

    def to_json_data(self) -> dict[str, Any]:
        """The variable as Grafana saves it."""
        data: dict[str, Any] = {"name": self.name, "type": self.kind, "hide": HIDE[self.hide]}
        if self.label:
            data["label"] = self.label
        if self.description:
            data["description"] = self.description
        data.update(self._own())
        return data

    def _own(self) -> dict[str, Any]:
        raise NotImplementedError


@parameters
class Choosing(Variable):
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
            chosen = ALL
        values = [chosen] if isinstance(chosen, str) else list(chosen)
        if not self.multi and len(values) != 1:
            raise DefinitionError(
                f"{len(values)} values chosen of a variable that takes one",
                where=f"variable {self.name}",
                fix="multi=True",
            )
        texts = ["All" if value == ALL else self._text_of(value) for value in values]
        return {"text": texts, "value": values} if self.multi else {"text": texts[0], "value": values[0]}

    def _text_of(self, value: str) -> str:
        return value


def with_datasource(data: dict[str, Any], datasource: Mapping[str, str] | None) -> dict[str, Any]:
    """The variable with its data source, where it names one."""
    if datasource is not None:
        data["datasource"] = dict(datasource)
    return data

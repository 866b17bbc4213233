"""Variables whose values a data source knows."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from builder.errors import DefinitionError, short
from builder.grafana.parameters import check_datasource, choice, parameter, parameters, text
from builder.grafana.variables.base import Choosing, with_datasource

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
_PROMETHEUS_QUERY = re.compile(r"\s*(label_values|label_names|metrics|query_result)\s*\(.*\)\s*", re.DOTALL)
_PROMETHEUS_KINDS = {"label_names": 0, "label_values": 1, "metrics": 2, "query_result": 3}


@parameters
class QueryVariable(Choosing):
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
                f"{short(self.query)} is not a variable query",
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
        return with_datasource(data, self.datasource)


@parameters
class LokiQueryVariable(Choosing):
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
        return with_datasource(data, self.datasource)


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

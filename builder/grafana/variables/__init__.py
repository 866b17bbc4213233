"""Dashboard variables. What one shows first follows from ``default``, ``multi`` and ``include_all``."""

from builder.grafana.variables.base import Variable
from builder.grafana.variables.fixed import (
    AdhocVariable,
    ConstantVariable,
    CustomVariable,
    DatasourceVariable,
    IntervalVariable,
    TextVariable,
)
from builder.grafana.variables.query import LokiQueryVariable, QueryVariable, prometheus_query_json

__all__ = [
    "AdhocVariable",
    "ConstantVariable",
    "CustomVariable",
    "DatasourceVariable",
    "IntervalVariable",
    "LokiQueryVariable",
    "QueryVariable",
    "TextVariable",
    "Variable",
    "prometheus_query_json",
]

"""promql-parses: a query is PromQL once its variables are replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.errors import QueryError
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Variable
from builder.lint.promql.reading import read
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below
from builder.lint.sources import Sources
from builder.lint.world import World

_METRICSQL = re.compile(
    r"^\s*with\s*\(|\b(?:label_set|label_del|label_keep|label_copy|label_move|label_map|label_match|label_mismatch|"
    r"label_transform|label_value|label_lowercase|label_uppercase|histogram|tlast_change_over_time|tfirst_over_time|"
    r"tlast_over_time|tmin_over_time|tmax_over_time|default_rollup|rollup\w*|keep_last_value|keep_next_value|"
    r"interpolate|limit_offset|median|outliersk|outliers_iqr|any|share|zscore\w*|topk_\w+|bottomk_\w+|"
    r"range_\w+|running_\w+|count_eq_over_time|count_gt_over_time|count_le_over_time|count_ne_over_time|"
    r"share_gt_over_time|share_le_over_time|increase_pure|increase_prometheus|rate_prometheus|remove_resets|"
    r"union|alias|distinct|distinct_over_time|integrate|smooth_exponential|aggr_over_time|lag|lifetime|"
    r"sum2|sum2_over_time|geomean\w*|mode_over_time|hoeffding_\w+|ru|prometheus_buckets|buckets_limit)\s*\(|"
    r"\b(?:default|ifnot|if)\s+[\w({]|\bkeep_metric_names\b|"
    r"\b(?:rate|irate|increase|delta|avg_over_time|max_over_time|min_over_time|sum_over_time|last_over_time)"
    r"\s*\(\s*[\w:]+(?:\{[^}]*\})?\s*\)"
)
_LABEL_VALUES = re.compile(r"\s*label_values\(\s*(.+?)\s*,\s*[\w:]+\s*\)\s*", re.DOTALL | re.ASCII)
_QUERY_RESULT = re.compile(r"\s*query_result\((.+)\)\s*", re.DOTALL)


def _check_panel(panel: Panel, _board: Board, _world: World) -> Hits:
    for query in panel.queries:
        if query.error is not None:
            yield _hit(query.expr, query.error, query.place[len(panel.place) :])


def _check_variables(board: Board, _world: World) -> Hits:
    sources = Sources(board.variables, ())
    for variable in board.variables:
        kind = sources.language({"datasource": variable.data.get("datasource"), "expr": ""}, {})
        if variable.type != "query" or kind != "prometheus":
            continue
        for inner in _asked(variable):
            try:
                read(inner, frozenset(v.name for v in board.variables if v.numeric))
            except QueryError as error:
                key = ("query", "query") if below(variable.data, "query", "query") else ("query",)
                yield _hit(inner, error, (*variable.place, *key))


def _asked(variable: Variable) -> Iterator[str]:
    for form in (_LABEL_VALUES, _QUERY_RESULT):
        if match := form.fullmatch(variable.query):
            yield match[1]


def _hit(text: str, error: QueryError, at: tuple[str | int, ...]) -> Hit:
    if _METRICSQL.search(text):
        return Hit(
            "the query is MetricsQL, which Prometheus does not understand",
            (*at, "expr") if at[:1] == ("targets",) else at,
            fix="write it in PromQL, or keep the board for VictoriaMetrics alone and say so in an exception",
        )
    reason = error.what.removeprefix("not a PromQL expression: ").strip().splitlines() or ["it is empty"]
    return Hit(f"the query is not PromQL: {reason[0]}", (*at, "expr") if at[:1] == ("targets",) else at)


RULE = Rule(
    "promql-parses",
    Severity.BUG,
    why="The data source refuses the query and the panel shows an error instead of data.",
    fix="mend the query; try it in Explore with the variables filled in",
    on_board=_check_variables,
    on_panel=_check_panel,
)

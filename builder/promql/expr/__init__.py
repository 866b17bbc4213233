"""PromQL expressions that know their true kind and their labels, and refuse what cannot be right.

A value of type ``Expr`` is text plus what is known of its result: the kind (gauge, counter, ...) and
the labels it carries. Combining two values checks what Prometheus does not: ``rate()`` only of a counter,
a counter's level only where somebody says why, no aggregation that drops a label that is needed later,
no join without ``on()``.
"""

from builder.promql.expr.checks import require_labels, require_level
from builder.promql.expr.functions import (
    aggregate,
    any_bit,
    call,
    constant,
    divided,
    increase,
    over,
    over_time,
    rate,
    ratio,
    relabel,
    selector,
    selector_of,
    since,
    tag,
    top,
    union,
    with_zeros,
)
from builder.promql.expr.values import Expr
from builder.promql.expr.words import OPEN, RATE_INTERVAL, quote

__all__ = [
    "OPEN",
    "RATE_INTERVAL",
    "Expr",
    "aggregate",
    "any_bit",
    "call",
    "constant",
    "divided",
    "increase",
    "over",
    "over_time",
    "quote",
    "rate",
    "ratio",
    "relabel",
    "require_labels",
    "require_level",
    "selector",
    "selector_of",
    "since",
    "tag",
    "top",
    "union",
    "with_zeros",
]

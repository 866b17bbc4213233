"""What is usual for a card: its last hour, and the same hour of earlier days."""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate, over, over_time, selector, tag, union
from builder.queries.kept import Kept
from builder.queries.recorded import RecordedSource
from builder.queries.records import INSTANCE

_LABELS = (*INSTANCE, "model")
_DAYS = range(1, 8)
_SIGNALS = {"utilisation": "gpu:utilization_ratio", "power": "gpu:power_watts"}


def _last_hour(signal: str, name: str) -> Kept:
    def ask(source: RecordedSource) -> Expr:
        return source.over_time("avg", signal, "1h", keep=("model",))

    return Kept(f"{name}:avg1h", _LABELS, f"Mean {signal} of the card over the last hour.", ask)


def _earlier_days(signal: str, name: str) -> Kept:
    hour = f"{name}:avg1h"

    def ask(source: RecordedSource) -> Expr:
        source.kept(hour)
        days = [tag(over_time("last", over(selector(hour), "5m", offset=f"{n}d")), "day", str(n)) for n in _DAYS]
        return aggregate("avg", union(days), by=_LABELS)

    said = f"The same hour's mean {signal}, averaged over those of the last seven days that are known."
    return Kept(f"{name}:avg7d_avg1h", _LABELS, said, ask)


BASELINES = (
    *(_last_hour(*item) for item in _SIGNALS.items()),
    *(_earlier_days(*item) for item in _SIGNALS.items()),
)

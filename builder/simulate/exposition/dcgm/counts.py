"""What dcgm-exporter counts itself: XIDs and throttle reasons within a window, and since 4.8.3 XIDs in all.

Source: internal/pkg/collector of github.com/NVIDIA/dcgm-exporter (typed counter up to 4.8.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.simulate.exposition.columns import columns, labelled, spelled
from builder.simulate.exposition.dcgm.rows import Row, Setup
from builder.simulate.exposition.page import Family
from builder.simulate.model.device import WINDOW

_WINDOW = ("window_size_in_ms", str(WINDOW * 1000))


def families(setup: Setup, rows: Sequence[Row]) -> list[Family]:
    """The DCGM_EXP_* families of an extended counters file."""
    kind = "gauge" if setup.scheme.honest_types else "counter"
    shown = [row for row in rows if not row.silent]
    seen = Family("DCGM_EXP_XID_ERRORS_COUNT", kind, "Count of XID Errors within user-specified time window.")
    for row in shown:
        recent = row.device.recent_xids
        if not recent:
            seen.add(row.labels((_WINDOW,)), "0")
        for code, count in recent.items():
            seen.add(row.labels((_WINDOW, ("xid", str(code)))), str(count))
    return [seen, *_events(setup, shown, kind), *_totals(setup, shown)]


def _events(setup: Setup, rows: Sequence[Row], kind: str) -> Iterator[Family]:
    for name, reasons in labelled(setup.profile).items():
        family = Family(name, kind, "Count of clock events within the user-specified time window.")
        for row in rows:
            for reason, count in row.device.recent_reasons.items():
                match = reasons[reason].where[0]
                family.add(row.labels((_WINDOW, (match.label, match.value))), str(count))
        yield family


def _totals(setup: Setup, rows: Sequence[Row]) -> Iterator[Family]:
    if not setup.scheme.honest_types:
        return
    column = columns(setup.profile)["DCGM_EXP_XID_ERRORS_TOTAL"]
    family = Family(column.name, "counter", column.help)
    for row in rows:
        for code, count in row.device.xids.items():
            family.add(row.labels((("xid", spelled(setup.profile, "xid", "xid", str(code))),)), str(count))
    yield family

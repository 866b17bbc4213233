"""gpu-memory."""

from __future__ import annotations

from tests.live.cases.moment import Moment, Shown
from tests.live.cases.readings import gap, parts
from tests.live.cases.readings.gap import framework


def _used(m: Moment) -> Shown:
    """Bytes held on the cards whose framework reports."""
    return {name: held for name, held in m.held().items() if name in framework(m, "in_use")}


def _gap(m: Moment) -> Shown:
    return {name: held - framework(m, "in_use")[name] for name, held in _used(m).items()}


def _of_limit(m: Moment) -> Shown:
    limit = framework(m, "limit")
    return {name: use / limit[name] for name, use in framework(m, "in_use").items() if name in limit}


def _total(shown: Shown) -> Shown:
    return parts.one(list(shown.values()))


def _share_of_total(m: Moment) -> Shown:
    return {"": sum(_gap(m).values()) / sum(_used(m).values())} if _used(m) else {}


def _each_device(m: Moment, signal: str) -> Shown:
    return m.of(signal, m.devices)


def _shares(m: Moment) -> Shown:
    total = _each_device(m, "memory_total")
    return {name: used / total[name] for name, used in _each_device(m, "memory_used").items() if name in total}


def _tenths(m: Moment) -> Shown:
    known = m.exports("memory_total")
    return parts.bands((share * 100 for share in m.share_held().values()), unit=" %") if known else {}


PANELS = {
    "Held": lambda m: _total(m.held()),
    "Held, share": parts.memory_held,
    "In use by frameworks": lambda m: _total(framework(m, "in_use")),
    "Gap": lambda m: _total(_gap(m)),
    "Gap, share": _share_of_total,
    "Tightest framework": lambda m: parts.one(list(_of_limit(m).values()), max),
    "Device's view against the framework's": lambda m: {
        **parts.called("Device: used", _total(_used(m))),
        **parts.called("Framework: in use", _total(framework(m, "in_use"))),
    },
    "Gap by card": _gap,
    "Cards by gap | Gap": _gap,
    "Cards by gap | Gap, share": lambda m: {name: _gap(m)[name] / used for name, used in _used(m).items()},
    "Cards by gap | Used": _used,
    "Cards by gap | In use": lambda m: framework(m, "in_use"),
    "Cards by gap | Peak": lambda m: framework(m, "peak"),
    "Cards by gap | Pool": lambda m: framework(m, "pool"),
    "Cards by gap | Limit": lambda m: framework(m, "limit"),
    **gap.PANELS,
    "Memory held by card": lambda m: _each_device(m, "memory_used"),
    "Share of memory held": _shares,
    "Fullest now": _shares,
    "Cards by share of memory held": _tenths,
    "Free memory by card": lambda m: _each_device(m, "memory_free"),
    "Who holds it | Memory held": lambda m: parts.pods_holding(m, m.devices),
    "Who holds it | Utilisation": lambda m: parts.pods_using(m, m.devices),
    "In use against the limit": _of_limit,
    "In use and peak": lambda m: {
        **parts.prefixed("in use", framework(m, "in_use")),
        **parts.prefixed("peak", framework(m, "peak")),
    },
}

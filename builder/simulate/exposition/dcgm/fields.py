"""The fields of DCGM that dcgm-exporter reads: which the counters file asks for, their types and numbers.

Order and types: etc/default-counters.csv of github.com/NVIDIA/dcgm-exporter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from builder.catalog.model import Unit
from builder.catalog.profiles import PROFILES
from builder.catalog.profiles import dcgm as classic
from builder.catalog.xid import XIDS
from builder.simulate.exposition.columns import Column, columns
from builder.simulate.exposition.dcgm.rows import Row, Setup
from builder.simulate.exposition.page import Family, Pairs, go_number
from builder.simulate.model.device import Signals

_NOT_ON_MIG = frozenset({"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO"})
_PER_POD = frozenset({"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED"})  # real values with virtual GPUs, since 4.8.2
_GAUGE_SINCE_4 = frozenset({"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES"})
_ALWAYS_COUNTER = frozenset({"DCGM_FI_DEV_RETIRED_PENDING"})
_CLASSIC = frozenset(m.name for metrics in classic.SIGNALS.values() for m in metrics)


def families(setup: Setup, rows: Sequence[Row]) -> list[Family]:
    """Every field of the counters file, those of the default one first."""
    return [*(_family(setup, column, rows) for column in _chosen(setup)), *_extras(setup, rows)]


@lru_cache
def _chosen(setup: Setup) -> tuple[Column, ...]:
    """The families that the counters file asks for, those of the default one first."""
    found = [c for c in columns(setup.profile).values() if _written(setup, c)]
    return tuple(sorted(found, key=lambda column: not column.metric.default))


def _written(setup: Setup, column: Column) -> bool:
    name, scheme = column.name, setup.scheme
    if setup.counters != "extended" and not column.metric.default:
        return False
    if column.signal.name == "memory_reserved" and (setup.counters == "helm" or not scheme.profiling):
        return False
    if name.startswith("DCGM_FI_PROF_") and not scheme.profiling and setup.counters != "extended":
        return False
    if column.signal.name == "xid_errors":
        return False  # one series a code: see _windows
    if column.bits:
        return ("THROTTLE" in name) != scheme.profiling  # the old name, in the old schemes
    renamed = len({m.name for m in PROFILES[setup.profile].signals[column.signal.name]} - _CLASSIC) > 0
    return not (renamed and name in _CLASSIC)


def _family(setup: Setup, column: Column, rows: Sequence[Row]) -> Family:
    family = Family(column.name, _type(setup, column), column.help)
    number = _format(setup, column)
    for row in rows:
        if not _has(row, column.name):
            continue
        per_pod = column.name in _PER_POD
        value = column.value(row.own if row.own and per_pod else row.signals)
        if value is None or (row.silent and not per_pod):
            continue
        family.add(row.labels(_codes(setup, value) if column.signal.name == "xid" else ()), number(value))
    return family


def _has(row: Row, name: str) -> bool:
    """Whether the card can tell: no profiling fields on cards for gamers, no PCIe and GPU_UTIL on MIG instances."""
    if name.startswith("DCGM_FI_PROF_") and not row.device.card.model.data_centre:
        return False
    return row.instance is None or (name not in _NOT_ON_MIG and "PCIE" not in name)


def _codes(setup: Setup, value: float) -> Pairs:
    code = int(value)
    message = XIDS[code].meaning if code in XIDS else "Unknown Error" if code else "No Error"
    return (("err_code", str(code)), ("err_msg", message)) if setup.scheme.codes else ()


def _type(setup: Setup, column: Column) -> str:
    if column.name in _ALWAYS_COUNTER:
        return "counter"
    lies = not setup.scheme.honest_types and column.name not in _GAUGE_SINCE_4
    return column.declared_type if lies else column.true_type


def _format(setup: Setup, column: Column) -> Callable[[float], str]:
    if setup.scheme.honest_types:
        return go_number
    fraction = column.signal.unit is Unit.WATTS or (column.signal.unit is Unit.RATIO and column.metric.factor == 1)
    return _fraction if fraction else _whole


def _fraction(value: float) -> str:
    return f"{value:.6f}"


def _whole(value: float) -> str:
    return str(round(value))


def _busy_memory(signals: Signals) -> float:
    return round(signals.get("dram_activity", 0.3 * signals["utilisation"]) * 60)


def _used_share(signals: Signals) -> float:
    return signals["memory_used"] / (signals["memory_used"] + signals["memory_free"])


def _corrected(signals: Signals) -> float | None:
    return signals.get("ecc_corrected")


def _uncorrected(signals: Signals) -> float | None:
    return signals.get("ecc_uncorrected")


def _zero(_signals: Signals) -> float:
    return 0


_EXTRAS: tuple[tuple[str, str, str, Callable[[Signals], float | None], Callable[[float], str]], ...] = (
    ("DCGM_FI_DEV_MEM_COPY_UTIL", "default", "Time the memory controller was busy (in %).", _busy_memory, _whole),
    ("DCGM_FI_DEV_ENC_UTIL", "default", "Encoder utilization (in %).", _zero, _whole),
    ("DCGM_FI_DEV_DEC_UTIL", "default", "Decoder utilization (in %).", _zero, _whole),
    ("DCGM_FI_DEV_VGPU_LICENSE_STATUS", "default", "vGPU License status", _zero, _whole),
    ("DCGM_FI_DEV_ECC_SBE_AGG_TOTAL", "extended", "Total of single-bit persistent ECC errors.", _corrected, _whole),
    ("DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "extended", "Total of double-bit persistent ECC errors.", _uncorrected, _whole),
    ("DCGM_FI_DEV_FB_USED_PERCENT", "extended", "Memory used, a ratio despite its name.", _used_share, _fraction),
)
"""What the exporter writes and no signal of the catalogue needs: name, counters file, help, value, format."""


def _extras(setup: Setup, rows: Sequence[Row]) -> list[Family]:
    if setup.profile != "dcgm":
        return []
    found = []
    for name, counters, words, read, number in _EXTRAS:
        if counters == "extended" and setup.counters != "extended":
            continue
        family = Family(name, "counter" if name.endswith("_TOTAL") else "gauge", words)
        for row in rows:
            if not row.silent and not (row.instance is not None and name.endswith("_UTIL")):
                value = read(row.signals)
                if value is None:
                    continue
                family.add(row.labels(()), go_number(value) if setup.scheme.honest_types else number(value))
        found.append(family)
    return found

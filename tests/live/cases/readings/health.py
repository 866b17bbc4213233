"""gpu-health."""

from __future__ import annotations

from builder.catalog.profiles import GPU_PROFILES
from tests.live.cases.moment import Moment, Shown, named
from tests.live.cases.readings import parts


def _by_code(m: Moment) -> Shown:
    names = {card.uuid: named(card) for card in m.cards}
    counted = [r for r in m.readings() if r.signal == "xid_errors" and r.value]
    return {f"{names[r.labels['uuid']]}: XID {r.labels['xid']}": r.value for r in counted}


def _ages(m: Moment) -> Shown:
    return {node: m.age(node) or 0.0 for node in m.whole.nodes}


def _exported(m: Moment) -> Shown:
    """How many cards say something under each name."""
    exporting: dict[str, set[tuple[str, str]]] = {}
    for reading in m.readings():
        card = (reading.labels["node"], reading.labels["gpu"])
        exporting.setdefault(reading.metric, set()).add(card)
    info = GPU_PROFILES[m.fleet.profile].signals["device_info"][0].name
    return {info: len(m.cards), **{metric: len(cards) for metric, cards in exporting.items()}} if m.cards else {}


def _not_reporting(m: Moment) -> Shown:
    missing = {node: count - len(m.on(node).cards) for node, count in m.offered.items()}
    return {node: count for node, count in missing.items() if count > 0}


PANELS = {
    "Uncorrectable ECC": parts.with_ecc,
    "Cards with an XID": parts.with_xid,
    "Row remap": lambda m: {
        **parts.called("pending", parts.one(m.values("row_remap_pending"))),
        **parts.called("failed", parts.one(m.values("row_remap_failure"))),
    },
    "Lost cards": parts.lost_cards,
    "Silent nodes": lambda m: {"": len(m.silent)},
    "Oldest sample": lambda m: parts.one(list(_ages(m).values()), max),
    "Last XID by card | Last XID": parts.last_xid,
    "Last XID by card | What to do": parts.last_xid,
    "XIDs since the exporter started | Times": _by_code,
    "Memory errors and repairs | Uncorrected": lambda m: m.each("ecc_uncorrected"),
    "Memory errors and repairs | Corrected": lambda m: m.each("ecc_corrected"),
    "Memory errors and repairs | Remap pending": lambda m: m.each("row_remap_pending"),
    "Memory errors and repairs | Remap failed": lambda m: m.each("row_remap_failure"),
    "Memory errors and repairs | Rows remapped, uncorrected": lambda m: m.each("rows_remapped_uncorrected"),
    "Memory errors and repairs | Pages pending": lambda m: m.each("retired_pages_pending"),
    "Corrected memory errors": lambda m: m.rising("ecc_corrected", per=3600),
    "PCIe replays": lambda m: m.rising("pcie_replay", per=60),
    "NVLink errors": lambda m: m.rising("nvlink_errors", per=60),
    "Lost cards by name | Lost": parts.lost_by_name,
    "Silent nodes by name | Silent": lambda m: dict.fromkeys(m.silent, 1),
    "Nodes with fewer cards than they offer | Missing": _not_reporting,
    "What the cards export | Cards": _exported,
    "What the cards export | Share": lambda m: {metric: count / len(m.cards) for metric, count in _exported(m).items()},
    "Age of the newest sample by node": _ages,
    "Host clock offset": lambda m: {host.node: host.signals["clock_offset"] for host in m.hosts},
}

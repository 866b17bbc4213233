"""Whether hardware fails: ECC, XID, row remap."""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate
from builder.queries.inventory import counted
from builder.queries.question import question
from builder.queries.source import Source

_SINCE_LOAD = "counts since the driver was loaded and resets with it; any error at all matters"


@question
def last_xid(source: Source) -> Expr:
    """The last XID of each card that had one; it stays until the exporter restarts."""
    return source.level("xid").differs(0)


@question
def xid_cards(source: Source) -> Expr:
    """How many cards have had an XID since their exporter started."""
    with_xid = cards_with_xid.ask(source)
    if source.has("xid"):
        # DCGM 4.5 gives no value, not 0, where there was no XID, and the exporter then leaves the series out.
        return counted(with_xid, source.level("device_info"))
    # A counter by code begins with the first XID. What counts XIDs (NVML) counts energy too, from the start.
    return counted(with_xid, source.level("energy")) if source.has("energy") else aggregate("count", with_xid)


@question
def cards_with_xid(source: Source) -> Expr:
    """The cards that have had an XID since their exporter started; the value is the last code or how many."""
    if source.has("xid"):
        return source.level("xid").differs(0)
    return source.level("xid_errors").level("counts since the exporter started").above(0)


@question
def xid_count(source: Source) -> Expr:
    """XIDs since the exporter started, by card and code."""
    return source.level("xid_errors", keep=("xid",)).level("counts since the exporter started").above(0)


@question
def ecc_uncorrected(source: Source) -> Expr:
    """Uncorrectable memory errors since the driver was loaded, per card."""
    return source.level("ecc_uncorrected").level(_SINCE_LOAD)


@question
def ecc_corrected(source: Source) -> Expr:
    """Corrected memory errors since the driver was loaded, per card."""
    return source.level("ecc_corrected").level(_SINCE_LOAD)


@question
def ecc_cards(source: Source) -> Expr:
    """How many cards have had an uncorrectable memory error since the driver was loaded."""
    return aggregate("sum", ecc_uncorrected.ask(source).is_above(0))


@question
def node_xid_cards(source: Source) -> Expr:
    """How many cards of each node have had an XID since their exporter started; no row where none had."""
    return aggregate("count", cards_with_xid.ask(source), by=("cluster", "node"))


@question
def node_ecc_cards(source: Source) -> Expr:
    """How many cards of each node have had an uncorrectable memory error."""
    return aggregate("sum", ecc_uncorrected.ask(source).is_above(0), by=("cluster", "node"))


@question
def ecc_corrected_rate(source: Source) -> Expr:
    """Corrected memory errors per hour, per card."""
    return source.rate("ecc_corrected") * 3600


@question
def row_remap_pending_cards(source: Source) -> Expr:
    """How many cards wait for a reset to finish a row remap."""
    return aggregate("sum", source.level("row_remap_pending"))


@question
def row_remap_failed_cards(source: Source) -> Expr:
    """How many cards failed to remap a row and are due for replacement."""
    return aggregate("sum", source.level("row_remap_failure"))


@question
def rows_remapped_uncorrected(source: Source) -> Expr:
    """Rows remapped after uncorrectable errors, per card; the number stays with the card."""
    return source.level("rows_remapped_uncorrected").level("counts over the card's life")


@question
def retired_pages_pending(source: Source) -> Expr:
    """1 where a page retirement waits for a reboot (cards before Ampere)."""
    return source.level("retired_pages_pending")


@question
def row_remap_pending(source: Source) -> Expr:
    """1 where a row remap waits for a reset of the card."""
    return source.level("row_remap_pending")


@question
def row_remap_failure(source: Source) -> Expr:
    """1 where a row remap failed: the card is due for replacement."""
    return source.level("row_remap_failure")

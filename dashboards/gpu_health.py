"""gpu-health: is hardware failing, and is the telemetry itself sound?"""

from builder import Board, Column, Query, Row, Stat, TimeSeries, mappings, overrides, style, table, thresholds
from builder import variables as v
from builder.catalog.xid import XIDS
from builder.queries import health, interconnect, inventory, telemetry
from builder.queries.extremes import highest
from dashboards import _shared as shared

NODE = {"node": "Node"}
CARD = {"node": "Node", "gpu": "GPU"}
XID_MEANING = (mappings.value_map({xid.code: f"{xid.code} {xid.meaning}" for xid in XIDS.values()}),)
XID_ACTION = (mappings.value_map({xid.code: xid.action for xid in XIDS.values()}),)
STALE = thresholds(style.GOOD, (120, style.WARNING), (300, style.BAD))
SKEW = thresholds(style.BAD, (-30, style.WARNING), (-5, style.GOOD), (5, style.WARNING), (30, style.BAD))

board = Board(
    uid="gpu-health",
    title="GPU health",
    question="Is hardware failing (ECC, XID, row remap, NVLink, PCIe), and is the telemetry itself sound?",
    variables=[v.datasource, v.cluster, v.node, v.gpu_id],
    links=[shared.ALL_BOARDS],
    annotations=shared.CARD_ALERTS,
    refresh="5m",
    panels=[
        Row(
            "Now",
            [
                Stat(
                    "Uncorrectable ECC",
                    [Query(health.ecc_cards)],
                    description="Cards with an uncorrectable memory error since the driver was loaded. Drain and reset "
                    "the card; replace it when it comes back.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                ),
                Stat(
                    "Cards with an XID",
                    [Query(health.xid_cards)],
                    description="Cards that had an XID since their exporter started. The table says what each means.",
                    unit="none",
                    thresholds=shared.FEW_IS_GOOD,
                ),
                Stat(
                    "Row remap",
                    [
                        Query(health.row_remap_pending_cards, "pending"),
                        Query(health.row_remap_failed_cards, "failed"),
                    ],
                    description="Pending: reset the card when it is free. Failed: replace the card.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                    text_mode="value_and_name",
                ),
                shared.LOST_CARDS,
                Stat(
                    "Silent nodes",
                    [Query(telemetry.silent_node_count)],
                    description="Nodes that reported within a day and do not now: node, network or exporter. "
                    "No value alert can fire for them.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                ),
                Stat(
                    "Oldest sample",
                    [Query(telemetry.oldest_sample)],
                    description="Age of the newest sample of the node that is furthest behind. It grows while scrapes "
                    "fail; after five minutes the node is silent.",
                    unit="s",
                    decimals=0,
                    thresholds=STALE,
                ),
            ],
        ),
        Row(
            "Errors",
            [
                table(
                    "Last XID by card",
                    [
                        Column("Last XID", health.last_xid, {"mappings": XID_MEANING, "width": 320}),
                        Column("What to do", health.last_xid, {"mappings": XID_ACTION}),
                    ],
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="The code stays until the exporter restarts, so an old XID looks like a new one; the "
                    "node's kernel log has the time. A bare number is a code that NVIDIA's list does not explain.",
                    no_value="No XID since the exporters started",
                    pagination=True,
                ),
                table(
                    "XIDs since the exporter started",
                    [Column("Times", health.xid_count, {"decimals": 0})],
                    labels={**CARD, "xid": "XID"},
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="How often each code occurred, by card.",
                    overrides=[overrides.by_name("XID", mappings=XID_MEANING, min_width=320)],
                    no_value="No XID since the exporters started",
                    sort_by="Times",
                    pagination=True,
                ),
                table(
                    "Memory errors and repairs",
                    [
                        Column("Uncorrected", health.ecc_uncorrected, shared.COUNT_CELL),
                        Column("Corrected", health.ecc_corrected, {"decimals": 0}),
                        Column("Remap pending", health.row_remap_pending, shared.FLAG_CELL),
                        Column("Remap failed", health.row_remap_failure, shared.FLAG_CELL),
                        Column("Rows remapped, uncorrected", health.rows_remapped_uncorrected, {"decimals": 0}),
                        Column("Pages pending", health.retired_pages_pending, shared.FLAG_CELL),
                    ],
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="Errors count since the driver was loaded. Corrected errors alone are no alarm; "
                    "a pending remap needs a reset, a failed one a new card.",
                    sort_by="Uncorrected",
                    pagination=True,
                    filterable=True,
                ),
                TimeSeries(
                    "Corrected memory errors",
                    [Query(highest(health.ecc_corrected_rate, 20), style.CARD)],
                    description="Corrected errors per hour, the twenty cards with most. A storm announces worse.",
                    unit="short",
                    min=0,
                    data_links=[shared.TO_CARD],
                    **shared.RANKED,
                ),
                TimeSeries(
                    "PCIe replays",
                    [Query(highest(interconnect.pcie_replays, 20), style.CARD)],
                    description="Packets sent again per minute, the twenty cards with most. More than eight a minute: "
                    "reseat the card or check the riser.",
                    unit="short",
                    min=0,
                    data_links=[shared.TO_CARD],
                    thresholds=thresholds(style.GOOD, (8, style.WARNING)),
                    thresholds_style="dashed",
                    **shared.RANKED,
                ),
                TimeSeries(
                    "NVLink errors",
                    [Query(highest(interconnect.nvlink_errors, 20), style.CARD)],
                    description="Data CRC errors per minute, the twenty cards with most. A healthy link has none.",
                    unit="short",
                    min=0,
                    data_links=[shared.TO_CARD],
                    width=style.FULL,
                    **shared.RANKED,
                ),
            ],
        ),
        Row(
            "Missing",
            [
                table(
                    "Lost cards by name",
                    [Column("Lost", inventory.lost_cards, {"mappings": (mappings.value_map({1: "lost"}),)})],
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE]},
                    description="Cards that reported within a day and do not now, while their node still does. "
                    "XID 79 in the kernel log: power-cycle the node.",
                    no_value="No card is lost",
                    width=style.THIRD,
                ),
                table(
                    "Silent nodes by name",
                    [Column("Silent", telemetry.silent_nodes, {"mappings": (mappings.value_map({1: "silent"}),)})],
                    labels=NODE,
                    links={"node": [shared.ROW_TO_NODE]},
                    description="Nodes that reported within a day and do not now.",
                    no_value="No node is silent",
                    width=style.THIRD,
                ),
                table(
                    "Nodes with fewer cards than they offer",
                    [Column("Missing", telemetry.missing_cards, shared.COUNT_CELL)],
                    labels=NODE,
                    links={"node": [shared.ROW_TO_NODE]},
                    description="Cards that Kubernetes counts on a node and no exporter reports; also names a node whose "
                    "exporter never came up.",
                    no_value="Every card that a node offers reports",
                    width=style.THIRD,
                ),
            ],
        ),
        Row(
            "Telemetry",
            [
                table(
                    "What the cards export",
                    [
                        Column("Cards", telemetry.coverage, {"decimals": 0}),
                        Column("Share", telemetry.coverage_share, shared.RATIO_BAR),
                    ],
                    labels={"metric": "Metric"},
                    description="Metrics that the boards can use, and by how many cards each is exported. What is "
                    "missing here is not exported at all: `gpuboards explain METRIC` says how to switch it on.",
                    sort_by="Share",
                    sort_desc=False,
                    pagination=True,
                    width=style.HALF,
                    height=12,
                ),
                TimeSeries(
                    "Age of the newest sample by node",
                    [Query(highest(telemetry.sample_age, 20, each="node"), style.NODE)],
                    description="The twenty nodes that were furthest behind. A saw-tooth that climbs to minutes is a "
                    "scrape gap.",
                    unit="s",
                    min=0,
                    data_links=[shared.TO_NODE],
                    thresholds=STALE,
                    thresholds_style="dashed",
                    height=6,
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Host clock offset",
                    [Query(telemetry.clock_offset, style.NODE)],
                    description="A host whose clock is off by more than thirty seconds shows its metrics and logs at "
                    "the wrong time, and its samples may be refused.",
                    unit="s",
                    thresholds=SKEW,
                    thresholds_style="dashed",
                    height=6,
                ),
            ],
        ),
    ],
)

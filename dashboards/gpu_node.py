"""gpu-node: what is going on on this machine, card by card?"""

from builder import (
    BarGauge,
    Board,
    Column,
    LogQuery,
    Logs,
    Query,
    Row,
    Stat,
    StatusHistory,
    TimeSeries,
    alert_labels,
    mappings,
    overrides,
    style,
    table,
)
from builder import variables as v
from builder.queries import health, inventory, memory, power, thermal, traffic, utilisation, workloads
from dashboards import _shared as shared

CARD = {"gpu": "GPU", "model": "Model", "node": "Node"}

board = Board(
    uid="gpu-node",
    title="GPU node",
    question="What is going on on this machine, card by card? Click a card to see its history.",
    variables=[v.datasource, v.loki, v.cluster, v.one_node, v.gpu_id, v.namespace, v.pod],
    links=[shared.ALL_BOARDS],
    annotations=shared.CARD_ALERTS,
    panels=[
        Row(
            "Now",
            [
                Stat(
                    "Cards",
                    [Query(inventory.card_count)],
                    description="Cards of this node that report.",
                    unit="none",
                    color=style.NEUTRAL,
                ),
                Stat(
                    "Utilisation",
                    [Query(utilisation.fleet_utilisation)],
                    description="Mean over the node's cards of the share of time in which work ran.",
                    unit="percentunit",
                    decimals=0,
                    min=0,
                    max=1,
                    thresholds=shared.BUSY,
                ),
                Stat(
                    "Memory held",
                    [Query(memory.fleet_memory_share)],
                    description="Bytes held against all bytes of the node's cards.",
                    unit="percentunit",
                    decimals=0,
                    min=0,
                    max=1,
                    thresholds=shared.MEMORY,
                ),
                shared.HOTTEST_CARD,
                shared.POWER_NOW,
                shared.LOST_CARDS,
                table(
                    "Lost cards by name",
                    [
                        Column(
                            "Lost", inventory.lost_cards, {"mappings": (mappings.value_map({1: ("lost", style.BAD)}),)}
                        )
                    ],
                    labels={"gpu": "GPU", "uuid": "UUID", "node": "Node"},
                    links={"gpu": [shared.ROW_TO_CARD]},
                    description="Cards that reported within a day and do not now. The index is the one they had.",
                    no_value="No card is lost",
                    width=2 * style.THIRD,
                    height=5,
                ),
                shared.ALERT_LIST.with_(
                    labels=alert_labels("card", "node", variables={"node": "node"}),
                    description="Alerts of this node and its cards that fire, or will when it lasts.",
                    height=5,
                ),
                table(
                    "Cards",
                    [
                        Column(
                            "Reports",
                            inventory.cards,
                            {"mappings": (mappings.value_map({1: ("yes", style.GOOD)}),)},
                        ),
                        Column("Utilisation", utilisation.card_utilisation, shared.UTILISATION_CELL),
                        Column("Memory", memory.card_memory_share, shared.MEMORY_CELL),
                        Column("Core", thermal.temperature, shared.HEAT_CELL),
                        Column("Power", power.power, shared.POWER_CELL),
                        Column("Slowed down", thermal.throttle_now, shared.FLAG_CELL),
                        Column("Last XID", health.last_xid, {"decimals": 0, "no_value": "-"}),
                        Column("ECC uncorrected", health.ecc_uncorrected, shared.COUNT_CELL),
                        Column("Remap pending", health.row_remap_pending, shared.FLAG_CELL),
                    ],
                    labels=CARD,
                    links={"gpu": [shared.ROW_TO_CARD], "node": [shared.ROW_TO_LOGS]},
                    description="One row a card; click its index for its history. An XID stays until the exporter "
                    "restarts.",
                    sort_by="GPU",
                    sort_desc=False,
                    height=9,
                ),
            ],
        ),
        Row(
            "Who is on it",
            [
                table(
                    "Pods on this node",
                    [
                        Column("Memory held", workloads.workloads, shared.BYTES_CELL),
                        Column("Utilisation", workloads.workload_utilisation, shared.UTILISATION_CELL),
                    ],
                    labels=shared.HOLDER,
                    links={"pod": [shared.ROW_TO_LOGS]},
                    description="Pods that hold cards of this node. On shared cards each pod shows the whole card. "
                    "Click a pod for exactly its container's logs in this time range.",
                    no_value="No pod holds a card here, or the exporter has no pod labels",
                    sort_by="Memory held",
                ),
            ],
        ),
        Row(
            "Card by card",
            [
                TimeSeries(
                    "Utilisation",
                    [Query(utilisation.utilisation, style.INSTANCE)],
                    description="Share of time in which work ran, per card or MIG instance. One line far below the "
                    "others of its job is a straggler's neighbour, waiting.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                ),
                TimeSeries(
                    "Memory held",
                    [Query(memory.memory_share, style.INSTANCE)],
                    description="Bytes held against all bytes, per card or MIG instance.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                    thresholds=shared.MEMORY,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Core temperature",
                    [Query(thermal.temperature, style.CARD)],
                    description="One card hotter than its neighbours at the same load: check its airflow and paste.",
                    unit="celsius",
                    data_links=[shared.TO_CARD],
                    thresholds=shared.HEAT,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Power against the limit",
                    [
                        Query(power.power, style.CARD),
                        Query(power.power_limit, "limit " + style.CARD),
                    ],
                    description="Solid: power drawn. Dashed: the limit in force. A card that lies on its limit is "
                    "capped and its clocks fall.",
                    unit="watt",
                    min=0,
                    data_links=[shared.TO_CARD],
                    overrides=[
                        overrides.by_regex("/^limit /", line_style="dash", color=style.LIMIT, hide_from_legend=True)
                    ],
                ),
                StatusHistory(
                    "Slowed down by heat or power supply",
                    [Query(thermal.throttled_within, style.CARD)],
                    description="When each card's clocks were reduced by heat or the power supply. "
                    "The power cap is not counted: it is normal in dense training.",
                    mappings=shared.OFF_ON,
                    thresholds=shared.FEW_IS_GOOD,
                    legend_mode="hidden",
                    show_value="never",
                    per_page=50,
                    max_data_points=100,
                    width=style.HALF,
                ),
                TimeSeries(
                    "SM clock",
                    [Query(power.sm_clock, style.CARD)],
                    description="A clock that falls at high load means heat, the power cap, or an application "
                    "setting: the panel beside says which.",
                    unit="hertz",
                    min=0,
                    data_links=[shared.TO_CARD],
                ),
                BarGauge(
                    "Power share now",
                    [Query(power.power_share, style.CARD, instant=True)],
                    description="Power drawn against the limit. Full bars are capped cards.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    thresholds=shared.AT_LIMIT,
                    sort_by_name=True,
                    width=style.HALF,
                ),
                TimeSeries(
                    "PCIe and NVLink traffic",
                    [
                        Query(traffic.pcie_receive, "PCIe in " + style.CARD),
                        Query(traffic.pcie_transmit, "PCIe out " + style.CARD),
                        Query(traffic.nvlink_throughput, "NVLink " + style.CARD),
                    ],
                    description="PCIe in is what the input pipeline feeds. NVLink is both directions together.",
                    unit="Bps",
                    min=0,
                    data_links=[shared.TO_CARD],
                ),
            ],
        ),
        Row(
            "Logs",
            [
                Logs(
                    "Logs",
                    [LogQuery()],
                    description="Logs of the chosen pods (or, on bare metal, of the node). The selector is set in "
                    "the configuration.",
                    links=[shared.PANEL_TO_LOGS],
                    no_value="No log line in this time range",
                ),
            ],
            collapsed=True,
        ),
    ],
)

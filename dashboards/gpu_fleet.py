"""gpu-fleet: where is trouble, and who wastes?"""

from builder import Board, Column, Heatmap, Query, Row, Stat, TimeSeries, style, table
from builder import variables as v
from builder.queries import health, inventory, memory, power, thermal, utilisation, workloads
from builder.queries.extremes import lowest
from dashboards import _shared as shared

NODE = {"node": "Node"}
INSTANCE = {"node": "Node", "gpu": "GPU", "mig": "MIG"}

board = Board(
    uid="gpu-fleet",
    title="GPU fleet",
    question="Where is trouble, and who wastes? Click a node or a card to go one level down.",
    variables=[v.datasource, v.loki, v.cluster, v.node],
    refresh="5m",
    links=[shared.ALL_BOARDS],
    annotations=shared.ALERTS,
    panels=[
        Row(
            "Now",
            [
                Stat(
                    "Cards",
                    [Query(inventory.card_count)],
                    description="Cards that report. Those that went missing within a day are under 'Lost cards'.",
                    unit="none",
                    color=style.NEUTRAL,
                    width=3,
                ),
                Stat(
                    "Nodes",
                    [Query(inventory.node_count)],
                    description="Nodes with at least one card that reports.",
                    unit="none",
                    color=style.NEUTRAL,
                    width=3,
                ),
                Stat(
                    "Utilisation",
                    [Query(utilisation.fleet_utilisation)],
                    description="Mean over all cards of the share of time in which any work ran. "
                    "High is not the same as efficient: see the activity panels of a card.",
                    unit="percentunit",
                    decimals=0,
                    min=0,
                    max=1,
                    thresholds=shared.BUSY,
                    width=3,
                ),
                Stat(
                    "Memory held",
                    [Query(memory.fleet_memory_share)],
                    description="Bytes held against all bytes of all cards. "
                    "Frameworks hold memory they do not use; see the memory board.",
                    unit="percentunit",
                    decimals=0,
                    min=0,
                    max=1,
                    color=style.MEMORY,
                    width=3,
                ),
                shared.POWER_NOW.with_(width=3),
                shared.HOTTEST_CARD.with_(width=3),
                Stat(
                    "Idle but held",
                    [Query(workloads.idle_holder_count)],
                    description="Cards (or MIG instances) idle for ten minutes with more than {idle_memory} of their memory "
                    "held: a hung job, a forgotten notebook. The table below names them.",
                    unit="none",
                    thresholds=shared.FEW_IS_GOOD,
                    width=3,
                ),
                shared.LOST_CARDS.with_(width=3),
            ],
        ),
        Row(
            "Trouble",
            [
                shared.SLOWED_DOWN,
                Stat(
                    "At the power limit",
                    [Query(power.cards_at_power_limit)],
                    description="Cards that draw more than {power_near_limit} of their limit. Normal in dense training; "
                    "compare the limit with that of other cards of the model.",
                    unit="none",
                    color=style.NEUTRAL,
                ),
                shared.OVER_WARNING,
                Stat(
                    "Cards with an XID",
                    [Query(health.xid_cards)],
                    description="Cards that had an XID since their exporter started; it does not clear by itself. "
                    "The table below says on which nodes; the node's board has the code.",
                    unit="none",
                    thresholds=shared.FEW_IS_GOOD,
                ),
                Stat(
                    "Uncorrectable ECC",
                    [Query(health.ecc_cards)],
                    description="Cards with an uncorrectable memory error since the driver was loaded. "
                    "Drain and reset; replace when it comes back.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                ),
                Stat(
                    "Busy cards",
                    [Query(utilisation.busy_share)],
                    description="Share of the cards that are busier than the idle threshold.",
                    unit="percentunit",
                    decimals=0,
                    min=0,
                    max=1,
                    color=style.UTILISATION,
                ),
                table(
                    "Nodes",
                    [
                        Column("Cards", inventory.node_cards, {"decimals": 0}),
                        Column("Utilisation", utilisation.node_utilisation, shared.UTILISATION_CELL),
                        Column("Memory", memory.node_memory_share, shared.MEMORY_CELL),
                        Column("Hottest", thermal.node_temperature, shared.HEAT_CELL),
                        Column("Power", power.node_power, shared.POWER_CELL),
                        Column("Slowed down", thermal.node_throttled_cards, shared.COUNT_CELL),
                        Column("Lost", inventory.node_lost_cards, shared.COUNT_CELL),
                        Column("ECC", health.node_ecc_cards, shared.COUNT_CELL),
                        Column("XID", health.node_xid_cards, shared.COUNT_CELL),
                    ],
                    labels=NODE,
                    links={"node": [shared.ROW_TO_NODE]},
                    description="One row a node; click its name. Slowed down, lost, ECC (uncorrectable) and XID count cards.",
                    sort_by="Hottest",
                    filterable=True,
                    pagination=True,
                    height=10,
                ),
                table(
                    "Pods on nodes in trouble",
                    [
                        Column("Memory held", workloads.troubled_workloads, shared.BYTES_CELL),
                        Column("Utilisation", workloads.workload_utilisation_in_trouble, shared.UTILISATION_CELL),
                    ],
                    first=workloads.troubled_workloads,
                    labels=shared.HOLDER,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD], "pod": [shared.ROW_TO_LOGS]},
                    description="Who is hit: pods on nodes with a card that is too hot, slowed down or has "
                    "uncorrectable memory errors. Empty when no node is in trouble.",
                    no_value="No node in trouble",
                    sort_by="Memory held",
                    pagination=True,
                    width=2 * style.THIRD,
                    height=9,
                ),
                shared.ALERT_LIST.with_(height=9),
            ],
        ),
        Row(
            "Waste",
            [
                table(
                    "Idle but held",
                    [Column("Share held", workloads.idle_holders, shared.MEMORY_CELL)],
                    first=workloads.idle_holders,
                    labels=INSTANCE,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="Cards idle for ten minutes with more than {idle_memory} of their memory held. "
                    "Ask the owner, or look at the pod's logs from the node's board.",
                    no_value="No card is idle while held",
                    sort_by="Share held",
                    width=style.THIRD,
                ),
                table(
                    "Who holds them",
                    [Column("Memory held", workloads.idle_workloads, shared.BYTES_CELL)],
                    first=workloads.idle_workloads,
                    labels=shared.HOLDER,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD], "pod": [shared.ROW_TO_LOGS]},
                    description="Pods on cards that are idle while held: whom to ask.",
                    no_value="No pod holds an idle card, or the exporter has no pod labels",
                    sort_by="Memory held",
                    width=style.THIRD,
                ),
                table(
                    "Namespaces",
                    [
                        Column("Cards held", workloads.namespace_cards, {"decimals": 0}),
                        Column("Mean utilisation", workloads.namespace_utilisation, shared.UTILISATION_CELL),
                    ],
                    labels={"namespace": "Namespace"},
                    description="Who holds how many cards, and how busy they are. Many cards at low utilisation "
                    "is where to ask first.",
                    sort_by="Cards held",
                    width=style.THIRD,
                ),
            ],
        ),
        Row(
            "Over time",
            [
                TimeSeries(
                    "Utilisation and memory held",
                    [
                        Query(utilisation.fleet_utilisation, "Utilisation"),
                        Query(memory.fleet_memory_share, "Memory held"),
                        Query(utilisation.busy_share, "Busy cards"),
                    ],
                    description="Fleet means. Memory held while utilisation falls: jobs that hang or idle.",
                    unit="percentunit",
                    min=0,
                    max=1,
                ),
                TimeSeries(
                    "Power",
                    [Query(power.fleet_power, "All cards")],
                    description="Power drawn by all cards.",
                    unit="watt",
                    min=0,
                    color=style.POWER,
                    fill_opacity=10,
                ),
                Heatmap(
                    "Cards by utilisation",
                    [Query(utilisation.utilisation_distribution, "{{from}}")],
                    description="How many cards are in each tenth of utilisation. Two bands, one at the top and one "
                    "at the bottom: half of the fleet works and half waits.",
                    y_unit="percent",
                    color_scheme=style.COUNT_SCHEME,
                    rows_layout="ge",
                    width=style.FULL,
                ),
                TimeSeries(
                    "Least used nodes",
                    [Query(lowest(utilisation.node_utilisation, 20, each="node", by="avg"), style.NODE)],
                    description="Mean of each node's cards: the twenty nodes that were used least in this time range. Click a line for the node.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_NODE],
                    legend_mode="table",
                    legend_placement="right",
                    legend_calcs=["mean", "lastNotNull"],
                    legend_sort="Mean",
                    legend_sort_desc=False,
                    max_data_points=500,
                    width=style.FULL,
                ),
            ],
        ),
    ],
)

"""What the boards share: links one level down, looks of recurring columns, numbers that several begin with."""

from builder import (
    BOARD_TAG,
    AlertAnnotations,
    AlertList,
    LogsLink,
    PanelOptions,
    Properties,
    Query,
    Stat,
    alert_labels,
    board_link,
    cells,
    drill,
    mappings,
    style,
    thresholds,
)
from builder.queries import inventory, power, thermal

ALL_BOARDS = board_link("GPU boards", tags=[BOARD_TAG], tooltip="Same time range and variables")

# Where an alert fired, every graph is marked; the two switches are above the board.
ALERTS = (
    AlertAnnotations("Critical alerts", ["critical"], style.BAD),
    AlertAnnotations("Other alerts", ["warning", "info"], style.WARNING),
)
CARD_ALERTS = (
    AlertAnnotations("Critical alerts", ["critical"], style.BAD, about=["card", "node"]),
    AlertAnnotations("Other alerts", ["warning", "info"], style.WARNING, about=["card", "node"]),
)

TO_NODE = drill("gpu-node", "Open node ${__field.labels.node}", {"node": "node"})
TO_CARD = drill("gpu-detail", "Open card ${__field.labels.gpu}", {"node": "node", "gpu_id": "gpu"})
ROW_TO_NODE = drill("gpu-node", "Open node", {"node": "node"}, where="fields")
ROW_TO_CARD = drill("gpu-detail", "Open card", {"node": "node", "gpu_id": "gpu"}, where="fields")

# Who holds what: the columns of a table of pods.
HOLDER = {"gpu": "GPU", "mig": "MIG", "namespace": "Namespace", "pod": "Pod", "container": "Container", "node": "Node"}

ROW_TO_LOGS = LogsLink("Logs", "fields")
PANEL_TO_LOGS = LogsLink("These logs in Explore", "variables")

BUSY = thresholds(style.MISSING, ("utilisation_idle", style.GOOD))
MEMORY = thresholds(style.GOOD, ("memory_warning", style.WARNING), ("memory_critical", style.BAD))
GAP = thresholds(style.GOOD, ("memory_gap_warning", style.WARNING), ("memory_gap_critical", style.BAD))
HEAT = thresholds(style.GOOD, ("temperature_warning", style.WARNING), ("temperature_critical", style.BAD))
MEMORY_HEAT = thresholds(
    style.GOOD, ("memory_temperature_warning", style.WARNING), ("memory_temperature_critical", style.BAD)
)
HEADROOM = thresholds(style.BAD, ("headroom_very_low", style.WARNING), ("headroom_low", style.GOOD))
AT_LIMIT = thresholds(style.GOOD, ("power_near_limit", style.WARNING))
NONE_IS_GOOD = thresholds(style.GOOD, (1, style.BAD))
FEW_IS_GOOD = thresholds(style.GOOD, (1, style.WARNING))

YES_NO = (mappings.value_map({0: ("no", style.GOOD), 1: ("yes", style.BAD)}),)
OFF_ON = (mappings.value_map({0: ("-", style.MISSING), 1: ("active", style.WARNING)}),)

RATIO_BAR: Properties = {"unit": "percentunit", "decimals": 0, "min": 0, "max": 1, "cell": cells.gauge_bar()}
UTILISATION_CELL: Properties = {**RATIO_BAR, "thresholds": BUSY}
MEMORY_CELL: Properties = {**RATIO_BAR, "thresholds": MEMORY}
HEAT_CELL: Properties = {"unit": "celsius", "decimals": 0, "thresholds": HEAT, "cell": cells.colour_text()}
POWER_CELL: Properties = {"unit": "watt"}
BYTES_CELL: Properties = {"unit": "bytes", "decimals": 1}
FLAG_CELL: Properties = {"mappings": YES_NO, "thresholds": NONE_IS_GOOD, "cell": cells.colour_text()}
COUNT_CELL: Properties = {"decimals": 0, "thresholds": NONE_IS_GOOD, "cell": cells.colour_text()}

# A graph of the extremes of a fleet: the legend ranks them.
RANKED: PanelOptions = {
    "legend_mode": "table",
    "legend_placement": "right",
    "legend_calcs": ("max", "lastNotNull"),
    "legend_sort": "Max",
    "max_data_points": 300,
}
RANKED_LOWEST: PanelOptions = {
    **RANKED,
    "legend_calcs": ("min", "lastNotNull"),
    "legend_sort": "Min",
    "legend_sort_desc": False,
}

# Numbers that several boards begin with.
HOTTEST_CARD = Stat(
    "Hottest card",
    [Query(thermal.fleet_temperature)],
    description="Core temperature of the hottest card. The mean would hide it.",
    unit="celsius",
    decimals=0,
    thresholds=HEAT,
)
POWER_NOW = Stat(
    "Power",
    [Query(power.fleet_power)],
    description="Power drawn by the chosen cards.",
    unit="watt",
    color=style.POWER,
)
OVER_WARNING = Stat(
    "Over the warning temperature",
    [Query(thermal.hot_cards)],
    description="Cards at {temperature_warning} or above.",
    unit="none",
    thresholds=FEW_IS_GOOD,
)
SLOWED_DOWN = Stat(
    "Slowed down",
    [Query(thermal.throttled_cards)],
    description="Cards whose clocks are reduced by heat or the power supply. Check airflow and the node's power first.",
    unit="none",
    thresholds=NONE_IS_GOOD,
)
LOST_CARDS = Stat(
    "Lost cards",
    [Query(inventory.lost_card_count)],
    description="Cards that reported within a day and do not now, while their node still does.",
    unit="none",
    thresholds=NONE_IS_GOOD,
)

# Neither an alert's rule nor its state is an answer of the data source: Grafana asks all that evaluate rules, itself too.
ALERT_LIST = AlertList(
    "Alerts",
    labels=alert_labels("card", "node", "job"),
    group_by=["alertname"],
    states=["firing", "pending"],
    links=[{"title": "All rules", "url": "/alerting/list"}],
    description="Alerts of the whole fleet that fire, or will when it lasts. Open one for its cards, its command to "
    "run first, its runbook and its rule.",
    width=style.THIRD,
    height=10,
)

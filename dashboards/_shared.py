"""What the boards share: links one level down, looks of recurring columns, wordings."""

from builder import LogsLink, Properties, board_link, cells, drill, mappings, style, thresholds
from builder.grafana.board import TAG

ALL_BOARDS = board_link("GPU boards", tags=[TAG], tooltip="Same time range and variables")

TO_NODE = drill("gpu-node", "Open node ${__field.labels.node}", {"node": "node"})
TO_CARD = drill("gpu-detail", "Open card ${__field.labels.gpu}", {"node": "node", "gpu_id": "gpu"})
ROW_TO_NODE = drill("gpu-node", "Open node", {"node": "node"}, where="fields")
ROW_TO_CARD = drill("gpu-detail", "Open card", {"node": "node", "gpu_id": "gpu"}, where="fields")

ROW_TO_LOGS = LogsLink("Logs", "fields")
PANEL_TO_LOGS = LogsLink("These logs in Explore", "variables")

BUSY = thresholds(style.MISSING, ("utilisation_idle", style.GOOD))
MEMORY = thresholds(style.GOOD, ("memory_warning", style.WARNING), ("memory_critical", style.BAD))
GAP = thresholds(style.GOOD, ("memory_gap_warning", style.WARNING), ("memory_gap_critical", style.BAD))
HEAT = thresholds(style.GOOD, ("temperature_warning", style.WARNING), ("temperature_critical", style.BAD))
MEMORY_HEAT = thresholds(
    style.GOOD, ("memory_temperature_warning", style.WARNING), ("memory_temperature_critical", style.BAD)
)
HEADROOM = thresholds(style.BAD, (5, style.WARNING), (10, style.GOOD))
AT_LIMIT = thresholds(style.GOOD, ("power_near_limit", style.WARNING))
NONE_IS_GOOD = thresholds(style.GOOD, (1, style.BAD))
FEW_IS_GOOD = thresholds(style.GOOD, (1, style.WARNING))

YES_NO = (mappings.value_map({0: ("no", style.GOOD), 1: ("yes", style.BAD)}),)
OFF_ON = (mappings.value_map({0: ("-", style.MISSING), 1: ("active", style.WARNING)}),)

RATIO_BAR: Properties = {"unit": "percentunit", "decimals": 0, "min": 0, "max": 1, "cell": cells.gauge_bar()}
UTILISATION_CELL: Properties = {**RATIO_BAR, "thresholds": BUSY}
MEMORY_CELL: Properties = {**RATIO_BAR, "thresholds": MEMORY}
HEAT_CELL: Properties = {"unit": "celsius", "decimals": 0, "thresholds": HEAT, "cell": cells.colour_text()}
POWER_CELL: Properties = {"unit": "watt", "decimals": 0}
BYTES_CELL: Properties = {"unit": "bytes", "decimals": 1}
FLAG_CELL: Properties = {"mappings": YES_NO, "thresholds": NONE_IS_GOOD, "cell": cells.colour_text()}
COUNT_CELL: Properties = {"decimals": 0, "thresholds": NONE_IS_GOOD, "cell": cells.colour_text()}

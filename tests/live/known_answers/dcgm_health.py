"""Hardware that fails and telemetry with holes.

``dcgm-health``: of gpu-node-02 card 1 with a storm of corrected errors; gpu-node-04 has not been scraped for three
minutes; gpu-node-05 fell silent 55 minutes ago; Kubernetes offers eight cards on gpu-node-02, and four on
gpu-node-03, from which nothing ever came; the clock of gpu-node-02 is 42 seconds behind. ``dcgm-silent``: the only
exporter fell silent 55 minutes ago.
"""

from collections.abc import Mapping

from tests.live.known_answers.dcgm import BUSY, FREE, HOT, IDLE, N1, N2
from tests.live.known_answers.terms import Board, Fleets

N4 = "gpu-node-04"
QUIET_CARDS = dict.fromkeys((f"{N4} gpu 0", f"{N4} gpu 1"), 0)
NONE_OF_FOUR = dict.fromkeys((BUSY, FREE, IDLE, HOT), 0)

# What the boards read of the files of gpu-node-01, of the Helm chart, and of the long counters file.
_DEFAULT = (
    *("DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_DEV_MEM_CLOCK", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_GPU_TEMP"),
    *("DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER"),
    *("DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_USED"),
    *("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "DCGM_FI_DEV_ROW_REMAP_FAILURE"),
    *("DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS"),
    *("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_DRAM_ACTIVE"),
    *("DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES"),
)
_OPT_IN = (
    *("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "DCGM_FI_DEV_ROW_REMAP_PENDING"),
    *("DCGM_FI_DEV_RETIRED_SBE", "DCGM_FI_DEV_RETIRED_DBE", "DCGM_FI_DEV_RETIRED_PENDING"),
    *("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "DCGM_EXP_CLOCK_EVENTS_COUNT"),
    *("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "DCGM_FI_DEV_POWER_MGMT_LIMIT", "DCGM_FI_DEV_MAX_SM_CLOCK"),
    *("DCGM_FI_DEV_SLOWDOWN_TEMP", "DCGM_FI_DEV_GPU_TEMP_LIMIT"),
    *("DCGM_FI_DEV_POWER_VIOLATION", "DCGM_FI_DEV_THERMAL_VIOLATION"),
    *("DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_SM_OCCUPANCY"),
)
# The Helm chart's file has no FB_RESERVED, so that two of the four cards of fleet dcgm have one.
COVERAGE = {**dict.fromkeys(_DEFAULT, 4), "DCGM_FI_DEV_FB_RESERVED": 2}
# The counter by code begins with the first XID, which one card had.
_COVERAGE = {
    **dict.fromkeys((*_DEFAULT, "DCGM_FI_DEV_FB_RESERVED"), 6),
    **dict.fromkeys(_OPT_IN, 2),
    "DCGM_EXP_XID_ERRORS_TOTAL": 1,
}

_LAST_XID = {FREE: 43, HOT: 79}
DEFAULT_HEALTH: Board = {
    "Uncorrectable ECC": {},  # not exported, so there is no calm zero
    "Cards with an XID": {"": 2},
    "Row remap": {"failed": 0},  # pending is not exported
    "Lost cards": {"": 0},
    "Silent nodes": {"": 0},
    "Oldest sample": {"": 0},
    "Last XID by card | Last XID": _LAST_XID,
    "Last XID by card | What to do": _LAST_XID,
    "XIDs since the exporter started | Times": {},
    "Memory errors and repairs | Uncorrected": {},
    "Memory errors and repairs | Corrected": {},
    "Memory errors and repairs | Remap pending": {},
    "Memory errors and repairs | Remap failed": NONE_OF_FOUR,
    "Memory errors and repairs | Rows remapped, uncorrected": NONE_OF_FOUR,
    "Memory errors and repairs | Pages pending": {},
    "Corrected memory errors": {},
    "PCIe replays": NONE_OF_FOUR,
    "NVLink errors": {},
    "Lost cards by name | Lost": {},
    "Silent nodes by name | Silent": {},
    "Nodes with fewer cards than they offer | Missing": {},  # both nodes offer two
    "What the cards export | Cards": COVERAGE,
    "What the cards export | Share": {name: cards / 4 for name, cards in COVERAGE.items()},
    "Age of the newest sample by node": {N1: 0, N2: 0},
    "Host clock offset": {N1: 0.0015},
}

HEALTH: Board = {
    "Uncorrectable ECC": {"": 1},
    "Cards with an XID": {"": 2},
    "Row remap": {"pending": 1, "failed": 1},
    "Lost cards": {"": 0},  # a silent node has lost no card: it is silent
    "Silent nodes": {"": 1},
    "Oldest sample": {"": 180},
    "Last XID by card | Last XID": _LAST_XID,
    "Last XID by card | What to do": _LAST_XID,
    "XIDs since the exporter started | Times": {f"{HOT}: XID 79": 5},
    "Memory errors and repairs | Uncorrected": {IDLE: 0, HOT: 2},
    "Memory errors and repairs | Corrected": {IDLE: 3, HOT: 7240},
    "Memory errors and repairs | Remap pending": {IDLE: 0, HOT: 1},
    "Memory errors and repairs | Remap failed": {**NONE_OF_FOUR, **QUIET_CARDS, HOT: 1},
    "Memory errors and repairs | Rows remapped, uncorrected": {**NONE_OF_FOUR, **QUIET_CARDS, HOT: 1},
    "Memory errors and repairs | Pages pending": {IDLE: 0, HOT: 0},
    "Corrected memory errors": {IDLE: 0, HOT: 7200},  # two a second
    "PCIe replays": {**NONE_OF_FOUR, **QUIET_CARDS, HOT: 12},  # 0.2 a second
    "NVLink errors": {IDLE: 0, HOT: 6},  # 0.1 a second
    "Lost cards by name | Lost": {},
    "Silent nodes by name | Silent": {"gpu-node-05": 1},
    "Nodes with fewer cards than they offer | Missing": {N2: 8 - 2, "gpu-node-03": 4},
    "What the cards export | Cards": _COVERAGE,
    "What the cards export | Share": {name: cards / 6 for name, cards in _COVERAGE.items()},
    "Age of the newest sample by node": {N1: 0, N2: 0, N4: 180},
    "Host clock offset": {N1: 0.0015, N2: -42},
}

EXTENDED_HEALTH: Board = {
    "Uncorrectable ECC": {"": 1},
    "Row remap": {"pending": 1, "failed": 1},
    "Last XID by card | Last XID": _LAST_XID,
    "Memory errors and repairs | Uncorrected": {IDLE: 0, HOT: 2},
    "Corrected memory errors": {IDLE: 0, HOT: 36},  # 0.01 a second
    "NVLink errors": {IDLE: 0, HOT: 6},
}

_OF_CARD_0: Board = {
    "Uncorrectable ECC": {"": 0},
    "Cards with an XID": {"": 0},
    "Memory errors and repairs | Uncorrected": {IDLE: 0},
    # A choice of cards changes nothing about which nodes report, and how many cards they have.
    "Silent nodes": {"": 1},
    "Nodes with fewer cards than they offer | Missing": {N2: 8 - 2, "gpu-node-03": 4},
}

# Card 1 of gpu-node-01 has gone half an hour ago.
_LOST: Board = {
    "Lost cards": {"": 1},
    "Lost cards by name | Lost": {FREE: 1},
    "Silent nodes": {"": 0},
    "Silent nodes by name | Silent": {},
    "Last XID by card | Last XID": {},  # that of the lost card went with it
    "Age of the newest sample by node": {N1: 0},
}
_ANOTHER_CARD: Board = {
    "Lost cards": {"": 0},
    "Lost cards by name | Lost": {},
    "Silent nodes": {"": 0},
}

# Nothing is known of now: no zero is calm.
_SILENT: Mapping[str, Board] = {
    "gpu-fleet": {"Cards": {}, "Lost cards": {}, "Idle but held": {}, "Cards with an XID": {}, "Hottest card": {}},
    "gpu-health": {
        "Uncorrectable ECC": {},
        "Cards with an XID": {},
        "Lost cards": {},
        "Silent nodes": {"": 1},
        "Silent nodes by name | Silent": {N2: 1},
        "Oldest sample": {},
        "What the cards export | Cards": {},
    },
    "gpu-thermal": {"Hottest card": {}, "Hottest cards over time": {}, "Core temperature of the hottest cards": {}},
}

KNOWN: Fleets = {
    "dcgm-health": {"gpu-health": HEALTH, "gpu-health?var-gpu_id=0": _OF_CARD_0},
    "dcgm-silent": _SILENT,
}

LOST: Mapping[str, Board] = {
    "gpu-health": _LOST,
    "gpu-health?var-gpu_id=1": _LOST,
    "gpu-health?var-gpu_id=0": _ANOTHER_CARD,
}
"""What the board says of fleet ``dcgm-lost-card``."""

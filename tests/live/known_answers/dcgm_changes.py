"""What changes within the hour, several spellings of one fact, and two processes on one card."""

from collections.abc import Mapping

from tests.live.known_answers import dcgm
from tests.live.known_answers.terms import GIB, MIB, TENTHS, Board, Fleets, bands

_WATT_HOURS = 642.713 + 72.164

# Another pod held card 0 until half an hour ago. The counters went on, in series of other labels.
_CHURN: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Power": {"": 642.713 + 72.164, "All cards": 642.713 + 72.164},
        "Namespaces | Cards held": {"ml": 1},
        "Lost cards": {"": 0},
    },
    "gpu-node": {"Pods on this node | Memory held": {dcgm.BUSY_POD: 70837 * MIB}},
    "gpu-thermal": {"Energy in this time range": {"": _WATT_HOURS}},
}

# Card 1 of gpu-node-01 has gone half an hour ago, and its node still reports: nothing tells its last values as its own.
_LOST: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 1},
        "Lost cards": {"": 1},
        "Nodes | Lost": {dcgm.N1: 1},
        "Nodes | Cards": {dcgm.N1: 1},
        "Power": {"": 642.713, "All cards": 642.713},
        "Cards with an XID": {"": 0},  # the lost card had one
        "Cards by utilisation": bands(TENTHS, {90: 1}),
    },
    "gpu-node": {
        "Lost cards": {"": 1},
        "Lost cards by name | Lost": {dcgm.FREE: 1},
        "Cards | Reports": {dcgm.BUSY: 1},
        "Core temperature": {dcgm.BUSY: 58},
    },
    "gpu-node?var-gpu_id=1": {"Cards": {}, "Lost cards": {"": 1}, "Lost cards by name | Lost": {dcgm.FREE: 1}},
    "gpu-detail?var-gpu_id=1": {"Core temperature now (1)": {}, "GPU 1: clocks": {}},
    "gpu-memory": {
        "Fullest now": {dcgm.BUSY: 70837 / dcgm.TOTAL_1},
        "Cards by share of memory held": bands(TENTHS, {80: 1}, " %"),
        "Memory held by card": {dcgm.BUSY: 70837 * MIB},
    },
    "gpu-thermal": {"Cards by temperature | Core": {dcgm.BUSY: 58}, "Hottest cards over time": {dcgm.BUSY: 58}},
}

# Card 1 of gpu-node-02 was at 88 degrees and slowed down until half an hour ago; now it is at 40.
_COOLED: Mapping[str, Board] = {
    "gpu-fleet": {
        "Slowed down": {"": 0},
        "Over the warning temperature": {"": 0},
        "Nodes | Slowed down": {dcgm.N2: 0},
        # Two uncorrectable errors stay: the node is in trouble all the same.
        "Pods on nodes in trouble | Memory held": {dcgm.IDLE_POD: 61440 * MIB, dcgm.HOT_POD: 20480 * MIB},
    },
    "gpu-thermal": {
        "Hottest cards over time": {dcgm.IDLE: 41, dcgm.HOT: 40},
        "Slowed down by heat or power supply": {dcgm.HOT: 0},  # it was, so it is shown
        "Cards by temperature | Slowed down": {dcgm.IDLE: 0, dcgm.HOT: 0},
    },
}

_REASONS: Mapping[str, Board] = {
    "gpu-fleet": {"Slowed down": {"": 1}, "Nodes | Slowed down": {dcgm.N2: 1}},
    "gpu-detail": {
        "GPU 0: what reduces the clocks": {**dcgm.NO_REASON, "idle": 1},
        "GPU 1: what reduces the clocks": dcgm.HOT_REASONS,
    },
    "gpu-thermal": {
        "Held by the power cap": {"": 1},
        "Cards by temperature | Slowed down": {dcgm.IDLE: 0, dcgm.HOT: 1},
    },
}

# The exporter's own counts name only what occurred within their window.
_COUNTS: Mapping[str, Board] = {
    "gpu-fleet": {"Slowed down": {"": 1}, "Nodes | Slowed down": {dcgm.N2: 1}},
    "gpu-detail": {
        "GPU 0: what reduces the clocks": {"idle": 1},
        "GPU 1: what reduces the clocks": {
            "power cap": 1,
            "hardware slowdown": 1,
            "heat (driver)": 1,
            "heat (hardware)": 1,
        },
    },
    "gpu-thermal": {"Held by the power cap": {"": 1}, "Cards by temperature | Slowed down": {dcgm.HOT: 1}},
}

# 81960 MiB in all on gpu-node-02, which is 40 more than used + free + reserved.
_TOTAL: Mapping[str, Board] = {
    "gpu-memory": {
        "Held, share": {"": dcgm.USED / (2 * dcgm.TOTAL_1 + 2 * 81960)},
        "Fullest now": {
            dcgm.BUSY: 70837 / dcgm.TOTAL_1,
            dcgm.FREE: 1 / dcgm.TOTAL_1,
            dcgm.IDLE: 61440 / 81960,
            dcgm.HOT: 20480 / 81960,
        },
    },
}

# Rank 1 is on the card of rank 0: their tensors share what the device counts once.
_TWO_RANKS: Mapping[str, Board] = {
    "gpu-training": {"Jobs | Cards": {"ml/resnet50": 1}, "Jobs | Utilisation": {"ml/resnet50": 0.968342}},
    "gpu-memory": {
        "In use by frameworks": {"": (40 + 16) * GIB},
        "Gap": {"": 70837 * MIB - (40 + 16) * GIB},
        "Gap, share": {"": (70837 - (40 + 16) * 1024) / 70837},
        "Cards by gap | Gap": {dcgm.BUSY: 70837 * MIB - (40 + 16) * GIB},
        "Cards by gap | Used": {dcgm.BUSY: 70837 * MIB},
        "Cards by gap | Peak": {dcgm.BUSY: (48 + 18) * GIB},
        "In use against the limit": {dcgm.BUSY: (40 + 16) / (78 + 78)},
        # Pools of 83 GiB are more than the card holds: they take no more than there is.
        "What the gap is made of": {"Pool slack": 70837 * MIB - (40 + 16) * GIB, "Not told apart": 0},
    },
    "gpu-detail": {
        "GPU 0: device memory against the framework's": {
            "Device: used": 70837 * MIB,
            "Framework: in use": (40 + 16) * GIB,
            "Framework: pool": (64 + 19) * GIB,
            "Framework: limit": (78 + 78) * GIB,
            "Device: total": dcgm.TOTAL_1 * MIB,
        },
    },
}

KNOWN: Fleets = {
    "dcgm-pod-churn": _CHURN,
    "dcgm-lost-card": _LOST,
    "dcgm-cooled": _COOLED,
    "dcgm-old-reasons": _REASONS,
    "dcgm-event-counts": _COUNTS,
    "dcgm-fb-total": _TOTAL,
    "dcgm-two-ranks": _TWO_RANKS,
}

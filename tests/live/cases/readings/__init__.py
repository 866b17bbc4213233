"""For every panel of every board: how the truth of a fleet becomes what the panel shows.

``READINGS[board][panel]`` is a function of a moment (see ``tests.live.cases.moment``); a column of a table is
``panel | heading``. What it returns is all that the panel shows. Panels of gpu-detail are asked for one card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.live.cases.moment import Moment, Shown
from tests.live.cases.readings import detail, fleet, health, memory, node, thermal, training

Reading = Callable[[Moment], Shown]

READINGS: Mapping[str, Mapping[str, Reading]] = {
    "gpu-fleet": fleet.PANELS,
    "gpu-node": node.PANELS,
    "gpu-detail": detail.PANELS,
    "gpu-memory": memory.PANELS,
    "gpu-thermal": thermal.PANELS,
    "gpu-health": health.PANELS,
    "gpu-training": training.PANELS,
}

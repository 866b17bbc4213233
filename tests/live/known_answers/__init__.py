"""What each panel must show, worked out by hand from the exposition files, never by the code under test.

``KNOWN[fleet][board][panel][series] = value``. A board may carry variables as its address does
(``gpu-detail?var-node=gpu-node-02``); a column of a table is ``panel | heading``. What is listed for a panel
is all that it shows: a card that is not listed must not be there. ``None``: the exporter cannot answer the
panel, so that it is not on the board, and the build report says so.
"""

from __future__ import annotations

from tests.live.known_answers import dcgm, dcgm_changes, dcgm_health, dcgm_labels, dcgm_training, others
from tests.live.known_answers.terms import Board, Fleets, Panel

__all__ = ["KNOWN", "Board", "Panel"]

KNOWN: Fleets = {
    **dcgm.KNOWN,
    **dcgm_labels.KNOWN,
    **dcgm_changes.KNOWN,
    **dcgm_health.KNOWN,
    **dcgm_training.KNOWN,
    **others.KNOWN,
    "dcgm": {
        **dcgm.KNOWN["dcgm"],
        "gpu-health": dcgm_health.DEFAULT_HEALTH,
        "gpu-training": {**dcgm_training.TWO_PROCESSES, **dcgm_training.HOST},
    },
    "dcgm-extended": {
        **dcgm.KNOWN["dcgm-extended"],
        "gpu-health": dcgm_health.EXTENDED_HEALTH,
        "gpu-training": dcgm_training.TWO_PROCESSES,
    },
    "dcgm-lost-card": {**dcgm_changes.KNOWN["dcgm-lost-card"], **dcgm_health.LOST},
}

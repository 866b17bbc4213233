from builder import Board, Query, Stat, TimeSeries, style
from builder import variables as v
from builder.queries import utilisation

board = Board(
    uid="team-gpus",
    title="Team GPUs",
    question="Are our cards busy?",
    variables=[v.datasource, v.cluster, v.node],
    panels=[
        Stat("Busy cards", [Query(utilisation.busy_share)], unit="percentunit"),
        TimeSeries("Utilisation", [Query(utilisation.card_utilisation, style.CARD)], unit="percentunit", max=1),
    ],
)

"""A GPU fleet that speaks the exporters' exposition formats, with faults planted where one wants them.

    from builder.simulate import Fleet, history, truth

    fleet = Fleet(nodes=2, cards=8, profile="dcgm", faults=["hot:node-1/gpu-0@10m"], steady=True)
    fleet.exposition("node-1", fleet.start + 1800)      # what the exporter of node-1 answers
    truth(fleet, fleet.start + 1800).value("temperature", "node-1", "0")

Every value is a function of the fleet's fields, the place and the time, and nothing is stepped through from
a beginning: a node can be asked at any time, in any order, on any machine, and answers the same bytes.
``history`` is an OpenMetrics backfill of scrapes, ``builder.simulate.serve`` a server of live ones.
"""

from builder.simulate.backfill import history
from builder.simulate.fleet import START, Fleet
from builder.simulate.model.fault import KINDS, Fault, fault
from builder.simulate.targets import Target
from builder.simulate.truth import CardTruth, NodeTruth, Truth, truth

__all__ = [
    "KINDS",
    "START",
    "CardTruth",
    "Fault",
    "Fleet",
    "NodeTruth",
    "Target",
    "Truth",
    "fault",
    "history",
    "truth",
]

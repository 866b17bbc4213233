"""PromQL of one's own beside the catalogue's questions, a variable of one's own, and a stock grafanalib panel."""

from grafanalib.core import Target
from grafanalib.core import TimeSeries as StockTimeSeries

from builder import Board, Query, Row, Stat, TimeSeries, Values, thresholds
from builder import variables as v
from builder.queries import power

board = Board(
    uid="team-hall",
    title="Hall",
    question="What do the cards draw, and is the cooling all right?",
    variables=[v.datasource, v.cluster, Values("host", "node", label="Host", multi=False)],
    time_from="now-24h",
    panels=[
        Row(
            "Power",
            [
                Stat("All cards", [Query(power.fleet_power)], unit="watt"),
                TimeSeries("By host", [Query(power.node_power, "{{node}}")], unit="watt", min=0, stacking="normal"),
            ],
        ),
        Row(
            "Cooling",
            [
                Stat(
                    "Inlet",
                    [Query('max(hall_inlet_celsius{hall=~".+"})')],
                    unit="celsius",
                    thresholds=thresholds("semi-dark-blue", (27, "yellow"), (32, "dark-red")),
                    no_value="no sensor",
                ),
                StockTimeSeries(title="Pumps", targets=[Target(expr="sum by (pump) (hall_pump_up)", refId="A")]),
            ],
        ),
    ],
)

"""gpu-thermal: where is it hot, who is throttled, who runs into the power cap?"""

from builder import (
    Board,
    Column,
    Heatmap,
    Query,
    Row,
    Stat,
    StatusHistory,
    TimeSeries,
    overrides,
    style,
    table,
)
from builder import variables as v
from builder.queries import power, thermal
from builder.queries.extremes import highest, lowest
from dashboards import _shared as shared

CARD = {"node": "Node", "gpu": "GPU"}

board = Board(
    uid="gpu-thermal",
    title="GPU heat and power",
    question="Where is it hot, who is throttled, who runs into the power cap?",
    variables=[v.datasource, v.cluster, v.node, v.gpu_id],
    links=[shared.ALL_BOARDS],
    panels=[
        Row(
            "Now",
            [
                Stat(
                    "Hottest card",
                    [Query(thermal.fleet_temperature)],
                    description="Core temperature of the hottest card chosen.",
                    unit="celsius",
                    decimals=0,
                    thresholds=shared.HEAT,
                    graph_mode="area",
                ),
                Stat(
                    "Over the warning temperature",
                    [Query(thermal.hot_cards)],
                    description="Cards at or above the warning temperature of the configuration.",
                    unit="none",
                    thresholds=shared.FEW_IS_GOOD,
                ),
                Stat(
                    "Slowed down",
                    [Query(thermal.throttled_cards)],
                    description="Cards whose clocks are reduced by heat or the power supply.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                ),
                Stat(
                    "Held by the power cap",
                    [Query(thermal.power_capped_cards)],
                    description="Cards whose clocks are reduced to stay below the power limit. Normal in dense training.",
                    unit="none",
                    color=style.NEUTRAL,
                ),
                Stat(
                    "Power",
                    [Query(power.fleet_power)],
                    description="Power drawn by the chosen cards.",
                    unit="watt",
                    color=style.POWER,
                    graph_mode="area",
                ),
                Stat(
                    "Energy in this time range",
                    [Query(power.energy_used, instant=True)],
                    description="Energy used by the chosen cards over the time range, from the driver's counter.",
                    unit="joule",
                    color=style.POWER,
                ),
            ],
        ),
        Row(
            "Where it is hot",
            [
                Heatmap(
                    "Cards by temperature",
                    [Query(thermal.temperature_distribution, "{{from}}")],
                    description="How many cards are in each band of five degrees. A second cloud above the main one "
                    "is a hot aisle, a hot rack, or a node with a failed fan.",
                    y_unit="celsius",
                    color_scheme=style.COUNT_SCHEME,
                    rows_layout="ge",
                    height=9,
                ),
                Heatmap(
                    "Hottest cards over time",
                    [Query(highest(thermal.temperature, 40), style.CARD)],
                    description="One row a card, the forty that were hottest at any time of the range; the brighter "
                    "the hotter. Rows of one node that light up together: its airflow.",
                    unit="celsius",
                    color_scheme=style.TEMPERATURE_SCHEME,
                    color_scale="linear",
                    color_min=30,
                    color_max=95,
                    y_width=180,
                    max_data_points=200,
                    height=9,
                ),
                TimeSeries(
                    "Core temperature of the hottest cards",
                    [Query(highest(thermal.temperature, 20), style.CARD)],
                    description="The same cards at every step. Click a line for the card.",
                    unit="celsius",
                    data_links=[shared.TO_CARD],
                    thresholds=shared.HEAT,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Hottest card of each node",
                    [Query(highest(thermal.node_temperature, 20, each="node"), style.NODE)],
                    description="The twenty hottest nodes. Compare them at the same load: one that is hotter has an airflow problem.",
                    unit="celsius",
                    data_links=[shared.TO_NODE],
                    thresholds=shared.HEAT,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Headroom",
                    [Query(lowest(thermal.thermal_headroom, 20), style.CARD)],
                    description="Degrees left before a card slows itself down, by its own limit: the twenty cards "
                    "with the least. Below five it is about to happen.",
                    unit="celsius",
                    data_links=[shared.TO_CARD],
                    thresholds=shared.HEADROOM,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Memory temperature of the hottest cards",
                    [Query(highest(thermal.memory_temperature, 20), style.CARD)],
                    description="Memory stacks bear more than the core, and throttle on their own.",
                    unit="celsius",
                    data_links=[shared.TO_CARD],
                    thresholds=shared.MEMORY_HEAT,
                    thresholds_style="dashed",
                ),
                table(
                    "Cards by temperature",
                    [
                        Column("Core", thermal.temperature, shared.HEAT_CELL),
                        Column(
                            "Memory",
                            thermal.memory_temperature,
                            {**shared.HEAT_CELL, "thresholds": shared.MEMORY_HEAT},
                        ),
                        Column(
                            "Headroom",
                            thermal.thermal_headroom,
                            {**shared.HEAT_CELL, "thresholds": shared.HEADROOM},
                        ),
                        Column("Power", power.power, shared.POWER_CELL),
                        Column("Of limit", power.power_share, {**shared.RATIO_BAR, "thresholds": shared.AT_LIMIT}),
                        Column("Slowed down", thermal.throttle_now, shared.FLAG_CELL),
                    ],
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="Hottest first. Click a card for its history.",
                    sort_by="Core",
                    pagination=True,
                    filterable=True,
                ),
            ],
        ),
        Row(
            "Who is throttled",
            [
                StatusHistory(
                    "Slowed down by heat or power supply",
                    [Query(thermal.throttled_at_all, style.CARD)],
                    description="Cards that were slowed down at any time of the range, and when. "
                    "The power cap is not counted.",
                    mappings=shared.OFF_ON,
                    thresholds=shared.FEW_IS_GOOD,
                    legend_mode="hidden",
                    show_value="never",
                    per_page=50,
                    max_data_points=120,
                    no_value="No card was slowed down",
                ),
                TimeSeries(
                    "Share of time slowed down by heat",
                    [Query(highest(thermal.thermal_throttled_share, 20), style.CARD)],
                    description="The twenty cards slowed down most. From the driver's own counter, so that nothing between two scrapes is missed.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                ),
                TimeSeries(
                    "Share of time slowed down by the power limit",
                    [Query(highest(thermal.power_throttled_share, 20), style.CARD)],
                    description="The twenty cards slowed down most. High for all cards of a job: normal. High for one: its limit differs.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                ),
            ],
        ),
        Row(
            "Who runs into the power cap",
            [
                TimeSeries(
                    "Power against the limit",
                    [Query(highest(power.power_share, 20), style.CARD)],
                    description="1 is the limit in force; the twenty cards nearest to it. Cards that lie on it are capped.",
                    unit="percentunit",
                    min=0,
                    axis_soft_max=1,
                    data_links=[shared.TO_CARD],
                    thresholds=shared.AT_LIMIT,
                    thresholds_style="dashed",
                ),
                TimeSeries(
                    "Power and SM clock",
                    [
                        Query(highest(power.power, 10), "power " + style.CARD),
                        Query(power.clock_of_highest_power(10), "clock " + style.CARD),
                    ],
                    description="The ten cards that draw most. What the cap costs: clocks (right axis) that fall while power stays at the limit.",
                    unit="watt",
                    min=0,
                    data_links=[shared.TO_CARD],
                    overrides=[overrides.by_regex("/^clock /", unit="hertz", right_axis=True, line_style="dot")],
                ),
                TimeSeries(
                    "Power by node",
                    [Query(highest(power.node_power, 20, each="node", by="avg"), style.NODE)],
                    description="Power drawn by the cards of the twenty nodes that draw most.",
                    unit="watt",
                    min=0,
                    stacking="normal",
                    fill_opacity=20,
                    data_links=[shared.TO_NODE],
                    width=style.FULL,
                ),
            ],
        ),
    ],
)

"""gpu-detail: what happened to this card, and why?"""

from builder import (
    Board,
    Column,
    LogQuery,
    Logs,
    Query,
    Row,
    Stat,
    StateTimeline,
    TimeSeries,
    overrides,
    style,
    table,
)
from builder import variables as v
from builder.queries import health, memory, power, thermal, traffic, utilisation, workloads
from dashboards import _shared as shared

board = Board(
    uid="gpu-detail",
    title="GPU card",
    question="What happened to this card: utilisation, memory and temperature on one time axis, and why?",
    variables=[v.datasource, v.loki, v.cluster, v.one_node, v.gpu_id, v.namespace, v.pod],
    links=[shared.ALL_BOARDS],
    annotations=shared.CARD_ALERTS,
    panels=[
        Row(
            "$node GPU $gpu_id",
            [
                TimeSeries(
                    "GPU $gpu_id: utilisation, memory and temperature",
                    [
                        Query(utilisation.card_utilisation, "Utilisation"),
                        Query(memory.card_memory_share, "Memory held"),
                        Query(thermal.temperature, "Core temperature"),
                        Query(thermal.memory_temperature, "Memory temperature"),
                    ],
                    description="Shares on the left axis, degrees on the right. Utilisation drops while memory stays: "
                    "the job hangs or waits for input. Temperature climbs and utilisation falls: look at the clocks.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    line_width=2,
                    overrides=[
                        overrides.by_name("Utilisation", color=style.UTILISATION, fill_opacity=10),
                        overrides.by_name("Memory held", color=style.MEMORY),
                        overrides.by_name(
                            "Core temperature",
                            unit="celsius",
                            right_axis=True,
                            color=style.TEMPERATURE,
                            min=20,
                            max=110,
                            decimals=0,
                        ),
                        overrides.by_name(
                            "Memory temperature",
                            unit="celsius",
                            right_axis=True,
                            color=style.TEMPERATURE,
                            min=20,
                            max=110,
                            decimals=0,
                            line_style="dot",
                        ),
                    ],
                    width=16,
                    height=9,
                ),
                Stat(
                    "Core temperature now",
                    [Query(thermal.temperature)],
                    description="Core temperature.",
                    unit="celsius",
                    decimals=0,
                    thresholds=shared.HEAT,
                    height=3,
                ),
                Stat(
                    "Headroom",
                    [Query(thermal.thermal_headroom)],
                    description="Degrees left before the card slows itself down, by its own limit.",
                    unit="celsius",
                    decimals=0,
                    thresholds=shared.HEADROOM,
                    height=3,
                ),
                Stat(
                    "Last XID",
                    [Query(health.last_xid)],
                    description="Code of the last XID; it stays until the exporter restarts. 79: the card fell off "
                    "the bus. 48, 94, 95: memory errors. 13, 31, 43: most often the application. 74: NVLink.",
                    unit="none",
                    no_value="none",
                    thresholds=shared.FEW_IS_GOOD,
                    height=3,
                ),
                Stat(
                    "ECC uncorrected",
                    [Query(health.ecc_uncorrected)],
                    description="Since the driver was loaded. Any is too many: drain and reset the card.",
                    unit="none",
                    thresholds=shared.NONE_IS_GOOD,
                    height=3,
                ),
                Stat(
                    "ECC corrected",
                    [Query(health.ecc_corrected)],
                    description="Since the driver was loaded. A few are harmless; thousands announce worse.",
                    unit="none",
                    color=style.NEUTRAL,
                    height=3,
                ),
                Stat(
                    "Row remap",
                    [
                        Query(health.row_remap_pending, "pending"),
                        Query(health.row_remap_failure, "failed"),
                    ],
                    description="Pending: reset the card when it is free. Failed: replace the card.",
                    mappings=shared.YES_NO,
                    thresholds=shared.NONE_IS_GOOD,
                    text_mode="value_and_name",
                    height=3,
                ),
                TimeSeries(
                    "GPU $gpu_id: device memory against the framework's",
                    [
                        Query(memory.card_memory_used, "Device: used"),
                        Query(memory.framework_in_use, "Framework: in use"),
                        Query(memory.framework_pool, "Framework: pool"),
                        Query(memory.framework_limit, "Framework: limit"),
                        Query(memory.card_memory_total, "Device: total"),
                    ],
                    description="The shaded gap is held and not in live tensors: pool slack, contexts and libraries, "
                    "other processes. A rising lower edge is a leak.",
                    unit="bytes",
                    min=0,
                    overrides=[
                        overrides.by_name(
                            "Device: used",
                            color=style.MEMORY,
                            fill_below_to="Framework: in use",
                            fill_opacity=25,
                            line_width=2,
                        ),
                        overrides.by_name("Framework: in use", color=style.FRAMEWORK, line_width=2),
                        overrides.by_name("Framework: pool", color=style.FRAMEWORK, line_style="dash"),
                        overrides.by_name("Framework: limit", color=style.FRAMEWORK, line_style="dot"),
                        overrides.by_name("Device: total", color=style.LIMIT, line_style="dash"),
                    ],
                ),
                TimeSeries(
                    "GPU $gpu_id: power against its limit",
                    [Query(power.power, "Power"), Query(power.power_limit, "Limit")],
                    description="Power that lies on the limit: the card is capped and its clocks fall.",
                    unit="watt",
                    min=0,
                    overrides=[
                        overrides.by_name("Power", color=style.POWER, fill_opacity=15, line_width=2),
                        overrides.by_name("Limit", color=style.LIMIT, line_style="dash"),
                    ],
                ),
                TimeSeries(
                    "GPU $gpu_id: clocks",
                    [Query(power.sm_clock, "SM"), Query(power.memory_clock, "Memory")],
                    description="A fall of the SM clock at high load has a reason: see below.",
                    unit="hertz",
                    min=0,
                ),
                TimeSeries(
                    "GPU $gpu_id: how well it is used",
                    [
                        Query(utilisation.card_utilisation, "Any work"),
                        Query(utilisation.sm_activity, "SMs active"),
                        Query(utilisation.tensor_activity, "Tensor pipe"),
                        Query(utilisation.dram_activity, "Memory bandwidth"),
                    ],
                    description="Any work at 100 % says only that something ran. SMs active below half, or a tensor "
                    "pipe near zero in training, means wasted time: small batches, waiting collectives, slow input.",
                    unit="percentunit",
                    min=0,
                    max=1,
                ),
                StateTimeline(
                    "GPU $gpu_id: what reduces the clocks",
                    [Query(thermal.throttled(reason), name) for reason, name in thermal.REASONS.items()],
                    description="One band a reason. Heat or power brake: call whoever runs the hall. "
                    "Power cap: normal in dense training.",
                    mappings=shared.OFF_ON,
                    thresholds=shared.FEW_IS_GOOD,
                    legend_mode="hidden",
                    show_value="never",
                    width=style.HALF,
                ),
                TimeSeries(
                    "GPU $gpu_id: share of time slowed down",
                    [
                        Query(thermal.thermal_throttled_share, "by heat"),
                        Query(thermal.power_throttled_share, "by the power limit"),
                    ],
                    description="From the driver's own counters, so that nothing between two scrapes is missed.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    overrides=[
                        overrides.by_name("by heat", color=style.TEMPERATURE),
                        overrides.by_name("by the power limit", color=style.POWER),
                    ],
                ),
                TimeSeries(
                    "GPU $gpu_id: PCIe and NVLink",
                    [
                        Query(traffic.pcie_receive, "PCIe in"),
                        Query(traffic.pcie_transmit, "PCIe out"),
                        Query(traffic.nvlink_throughput, "NVLink"),
                    ],
                    description="PCIe in is what the input pipeline feeds. NVLink is both directions together.",
                    unit="Bps",
                    min=0,
                    width=style.FULL,
                ),
            ],
            repeat="gpu_id",
        ),
        Row(
            "Who was on it",
            [
                table(
                    "Pods on these cards",
                    [
                        Column("Memory held", workloads.workloads, shared.BYTES_CELL),
                        Column("Utilisation", workloads.workload_utilisation, shared.UTILISATION_CELL),
                    ],
                    labels=shared.HOLDER,
                    links={"pod": [shared.ROW_TO_LOGS]},
                    description="Click a pod for exactly its container's logs in this time range.",
                    no_value="No pod holds these cards, or the exporter has no pod labels",
                    sort_by="GPU",
                    sort_desc=False,
                ),
                Logs(
                    "Logs",
                    [LogQuery()],
                    description="Logs of the chosen pods (or, on bare metal, of the node).",
                    links=[shared.PANEL_TO_LOGS],
                    no_value="No log line in this time range",
                ),
            ],
        ),
    ],
)

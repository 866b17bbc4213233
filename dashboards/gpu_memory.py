"""gpu-memory: what holds the memory?"""

from builder import (
    BarGauge,
    Board,
    Column,
    Query,
    Row,
    Stat,
    Text,
    TimeSeries,
    overrides,
    style,
    table,
)
from builder import variables as v
from builder.queries import gap, memory, workloads
from builder.queries.extremes import highest, lowest
from dashboards import _shared as shared

CARD = {"node": "Node", "gpu": "GPU"}

SLACK, BESIDE, OTHERS, REST = "Pool slack", "Contexts and libraries", "Other processes", "Not told apart"

HOW_TO_READ = """\
**Used** is what the driver counts: pools, contexts, libraries, all processes. **In use** is what the framework
counts: live tensors. The **gap** between them is memory held and not in tensors - pool slack, CUDA contexts and
libraries (some 0.3 to 0.6 GiB a process), other processes, and a rest that nothing exported tells apart. TensorFlow
without memory growth takes nearly the whole card at its first step, so *used* then says nothing about pressure: read
*in use against the limit* instead. Per-process memory makes the rest smaller: nvidia_gpu_exporter with
`--collect.compute-apps`, dcgm-exporter 4.8.2 or later where pods share cards.
"""

board = Board(
    uid="gpu-memory",
    title="GPU memory",
    question="What holds the memory: the device's view against the framework's, and the gap between them?",
    variables=[v.datasource, v.loki, v.cluster, v.node, v.gpu_id],
    links=[shared.ALL_BOARDS],
    annotations=shared.CARD_ALERTS,
    refresh="5m",
    panels=[
        Row(
            "The gap",
            [
                Stat(
                    "Held",
                    [Query(memory.fleet_memory_used)],
                    description="Bytes held by all processes on the chosen cards.",
                    unit="bytes",
                    color=style.MEMORY,
                ),
                Stat(
                    "Held, share",
                    [Query(memory.fleet_memory_share)],
                    description="Bytes held against all bytes of the chosen cards.",
                    unit="percentunit",
                    decimals=0,
                    thresholds=shared.MEMORY,
                ),
                Stat(
                    "In use by frameworks",
                    [Query(memory.total(memory.framework_in_use))],
                    description="Bytes in live tensors on the chosen cards, as far as training processes report.",
                    unit="bytes",
                    color=style.FRAMEWORK,
                    no_value="no probe reports",
                ),
                Stat(
                    "Gap",
                    [Query(memory.total(memory.memory_gap))],
                    description="Held and not in live tensors, on cards whose framework reports.",
                    unit="bytes",
                    color=style.GAP,
                    no_value="no probe reports",
                ),
                Stat(
                    "Gap, share",
                    [Query(memory.total_gap_share)],
                    description="The gap against the bytes held, on cards whose framework reports. A large share "
                    "without memory growth is TensorFlow's pool; with it, look for other processes.",
                    unit="percentunit",
                    decimals=0,
                    thresholds=shared.GAP,
                    no_value="no probe reports",
                ),
                Stat(
                    "Tightest framework",
                    [Query(memory.tightest_framework)],
                    description="Highest share of a pool's limit in live tensors: the pressure that the driver "
                    "cannot see. Near 100 % the next large tensor fails.",
                    unit="percentunit",
                    decimals=0,
                    thresholds=shared.MEMORY,
                    no_value="no probe reports",
                ),
                TimeSeries(
                    "Device's view against the framework's",
                    [
                        Query(memory.total(memory.observed_memory_used), "Device: used"),
                        Query(memory.total(memory.framework_in_use), "Framework: in use"),
                    ],
                    description="Sums over the chosen cards whose framework reports. The shaded band is the gap: "
                    "held and not in live tensors.",
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
                    ],
                    width=14,
                    height=9,
                    no_value="no probe reports",
                ),
                TimeSeries(
                    "Gap by card",
                    [Query(highest(memory.memory_gap, 20), style.CARD)],
                    description="The twenty cards with the largest gap. A gap that grows while the framework's use is flat: a leaked context or a foreign "
                    "process. List the card's processes with nvidia-smi.",
                    unit="bytes",
                    data_links=[shared.TO_CARD],
                    width=10,
                    height=9,
                    no_value="no probe reports",
                    **shared.RANKED,
                ),
                TimeSeries(
                    "What the gap is made of",
                    [
                        Query(memory.total(gap.pool_slack), SLACK),
                        Query(memory.total(gap.beside_pools), BESIDE),
                        Query(memory.total(gap.other_processes), OTHERS),
                        Query(memory.total(gap.gap_rest), REST),
                    ],
                    description="Sums over the chosen cards whose framework reports; together they are the gap. Slack "
                    "is the pool's and comes back only by memory growth or a smaller pool. Others that rise: list the "
                    "card's processes. Not told apart: the exporter has no memory of single processes.",
                    unit="bytes",
                    min=0,
                    stacking="normal",
                    fill_opacity=40,
                    overrides=[
                        overrides.by_name(SLACK, color=style.FRAMEWORK),
                        overrides.by_name(BESIDE, color=style.MEMORY),
                        overrides.by_name(OTHERS, color=style.GAP),
                        overrides.by_name(REST, color=style.LIMIT),
                    ],
                    width=10,
                    height=9,
                    no_value="no probe reports",
                ),
                table(
                    "The gap, card by card",
                    [
                        Column(SLACK, gap.pool_slack, shared.BYTES_CELL),
                        Column(BESIDE, gap.beside_pools, shared.BYTES_CELL),
                        Column(OTHERS, gap.other_processes, shared.BYTES_CELL),
                        Column(REST, gap.gap_rest, shared.BYTES_CELL),
                    ],
                    first=gap.pool_slack,
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="The parts of each card's gap. Slack is the least it can be where a framework does not "
                    "tell its pool (TensorFlow with growth). An empty cell is a part that nobody tells; it is in the "
                    "last column.",
                    sort_by=SLACK,
                    pagination=True,
                    no_value="no probe reports",
                    width=14,
                    height=9,
                ),
                table(
                    "Cards by gap",
                    [
                        Column("Gap", memory.memory_gap, shared.BYTES_CELL),
                        Column(
                            "Gap, share",
                            memory.memory_gap_share,
                            {**shared.RATIO_BAR, "thresholds": shared.GAP},
                        ),
                        Column("Used", memory.observed_memory_used, shared.BYTES_CELL),
                        Column("In use", memory.framework_in_use, shared.BYTES_CELL),
                        Column("Peak", memory.framework_peak, shared.BYTES_CELL),
                        Column("Pool", memory.framework_pool, shared.BYTES_CELL),
                        Column("Limit", memory.framework_limit, shared.BYTES_CELL),
                    ],
                    first=memory.memory_gap,
                    labels=CARD,
                    links={"node": [shared.ROW_TO_NODE], "gpu": [shared.ROW_TO_CARD]},
                    description="Cards whose framework reports, largest gap first. Empty columns are values that "
                    "the framework does not tell.",
                    sort_by="Gap",
                    pagination=True,
                    no_value="no probe reports",
                ),
                Text("How to read the gap", content=HOW_TO_READ, height=4),
            ],
        ),
        Row(
            "What the driver sees",
            [
                TimeSeries(
                    "Memory held by card",
                    [Query(highest(memory.memory_used, 20, each="instance"), style.INSTANCE)],
                    description="Bytes held: the twenty cards or MIG instances that hold most.",
                    unit="bytes",
                    min=0,
                    data_links=[shared.TO_CARD],
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Share of memory held",
                    [Query(highest(memory.memory_share, 20, each="instance"), style.INSTANCE)],
                    description="Against used + free + reserved: the twenty fullest cards or MIG instances.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                    thresholds=shared.MEMORY,
                    thresholds_style="dashed",
                    **shared.RANKED,
                ),
                BarGauge(
                    "Fullest now",
                    [Query(memory.fullest(20), style.INSTANCE, instant=True)],
                    description="The twenty fullest cards or MIG instances.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    thresholds=shared.MEMORY,
                    data_links=[shared.TO_CARD],
                    width=style.HALF,
                ),
                BarGauge(
                    "Cards by share of memory held",
                    [Query(memory.memory_distribution, "{{from}} %", instant=True)],
                    description="How many cards hold which tenth of their memory now. Many at the far end with little "
                    "utilisation is memory held for nothing.",
                    unit="none",
                    min=0,
                    color=style.MEMORY,
                    orientation="vertical",
                    sort_by_name=True,
                    width=style.HALF,
                ),
                TimeSeries(
                    "Free memory by card",
                    [Query(lowest(memory.memory_free, 20, each="instance"), style.INSTANCE)],
                    description="Bytes that nobody holds: the twenty cards or MIG instances with the least.",
                    unit="bytes",
                    min=0,
                    data_links=[shared.TO_CARD],
                    **shared.RANKED_LOWEST,
                ),
                table(
                    "Who holds it",
                    [
                        Column("Memory held", workloads.workloads, shared.BYTES_CELL),
                        Column("Utilisation", workloads.workload_utilisation, shared.UTILISATION_CELL),
                    ],
                    first=workloads.workloads,
                    labels=shared.HOLDER,
                    links={
                        "node": [shared.ROW_TO_NODE],
                        "gpu": [shared.ROW_TO_CARD],
                        "pod": [shared.ROW_TO_LOGS],
                    },
                    description="Pods and the memory of the card they hold. On shared cards each pod shows the "
                    "whole card.",
                    sort_by="Memory held",
                    pagination=True,
                    no_value="No pod holds a card, or the exporter has no pod labels",
                    width=style.HALF,
                    height=8,
                ),
            ],
        ),
        Row(
            "What the framework sees",
            [
                TimeSeries(
                    "In use against the limit",
                    [Query(highest(memory.framework_share_of_limit, 20), style.CARD)],
                    description="The twenty tightest. Live tensors against the pool's limit. The only view of pressure where the pool "
                    "takes the whole card; a steady rise is a leak.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    data_links=[shared.TO_CARD],
                    thresholds=shared.MEMORY,
                    thresholds_style="dashed",
                    no_value="no probe reports",
                    **shared.RANKED,
                ),
                TimeSeries(
                    "In use and peak",
                    [
                        Query(highest(memory.framework_in_use, 10), "in use " + style.CARD),
                        Query(highest(memory.framework_peak, 10), "peak " + style.CARD),
                    ],
                    description="The ten cards with the highest. The peak decides whether a bigger batch fits, not the mean.",
                    unit="bytes",
                    min=0,
                    data_links=[shared.TO_CARD],
                    overrides=[overrides.by_regex("/^peak /", line_style="dash")],
                    no_value="no probe reports",
                    **shared.RANKED,
                ),
            ],
        ),
    ],
)

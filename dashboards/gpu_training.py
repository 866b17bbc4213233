"""gpu-training: is the training efficient, and if not, is it the GPU, the input pipeline or a straggler?"""

from builder import Board, Column, Query, Row, Stat, TimeSeries, overrides, style, table, thresholds
from builder import variables as v
from builder.queries import training, utilisation
from builder.queries.extremes import highest, lowest
from dashboards import _shared as shared

JOB = {"namespace": "Namespace", "training_job": "Job"}
PROCESS = {**JOB, "pod": "Pod", "rank": "Rank", "instance": "Instance"}
JOB_LEGEND = "{{namespace}} {{training_job}}"
PROCESS_LEGEND = "{{training_job}} rank {{rank}} {{pod}}"
WAITING = thresholds(style.GOOD, ("input_wait_warning", style.WARNING), ("input_wait_critical", style.BAD))
LAGGING = thresholds(style.GOOD, ("straggler_lag", style.WARNING))
LOW = thresholds(style.WARNING, ("efficiency_low", style.GOOD))

board = Board(
    uid="gpu-training",
    title="GPU training",
    question="Is the training efficient, and if not, is it the GPU, the input pipeline or a straggler?",
    variables=[v.datasource, v.cluster, v.node],
    links=[shared.ALL_BOARDS],
    annotations=shared.ALERTS,
    panels=[
        Row(
            "Jobs",
            [
                Stat(
                    "Running jobs",
                    [Query(training.active_jobs)],
                    description="Training jobs whose probe says that they run.",
                    unit="none",
                    color=style.NEUTRAL,
                    no_value="no probe reports",
                    width=6,
                ),
                Stat(
                    "Records per second",
                    [Query(training.fleet_throughput)],
                    description="Training records per second over all jobs.",
                    unit="cps",
                    color=style.UTILISATION,
                    no_value="no probe reports",
                    width=6,
                ),
                Stat(
                    "Waiting for input",
                    [Query(training.worst_input_wait)],
                    description="The highest share of step time that any job spends waiting for input. Above a fifth, "
                    "look at the input pipeline before the cards.",
                    unit="percentunit",
                    decimals=0,
                    thresholds=WAITING,
                    no_value="no probe reports",
                    width=6,
                ),
                Stat(
                    "Longest without a step",
                    [Query(training.longest_without_step)],
                    description="Seconds since the last step of the process that is furthest behind, over running jobs. "
                    "Far above the step time: the job hangs, evaluates, or writes a checkpoint.",
                    unit="s",
                    decimals=0,
                    color=style.NEUTRAL,
                    no_value="no probe reports",
                    width=6,
                ),
                table(
                    "Jobs",
                    [
                        Column("Cards", training.job_cards, {"decimals": 0}),
                        Column("Records/s", training.job_throughput, {"unit": "cps", "decimals": 1}),
                        Column("Step time", training.job_step_time, {"unit": "s"}),
                        Column(
                            "Waiting for input",
                            training.input_wait_share,
                            {**shared.RATIO_BAR, "thresholds": WAITING},
                        ),
                        Column("Utilisation", training.job_utilisation, {**shared.RATIO_BAR, "thresholds": LOW}),
                        Column("Since last step", training.seconds_since_step, {"unit": "s", "decimals": 0}),
                        Column("Since checkpoint", training.checkpoint_age, {"unit": "s", "decimals": 0}),
                    ],
                    labels=JOB,
                    description="One row a job. Much waiting and low utilisation: the input pipeline. Little waiting and "
                    "low utilisation: small batches, or a straggler below.",
                    sort_by="Utilisation",
                    sort_desc=False,
                    pagination=True,
                    filterable=True,
                    no_value="no probe reports",
                ),
                table(
                    "Jobs that advance on idle cards",
                    [Column("Utilisation", training.inefficient_jobs, {**shared.RATIO_BAR, "thresholds": LOW})],
                    labels=JOB,
                    description="Jobs that make steps while their cards are below the efficiency threshold. Ask for "
                    "bigger batches or fewer cards.",
                    no_value="None",
                    sort_by="Utilisation",
                    sort_desc=False,
                    width=style.HALF,
                ),
                table(
                    "Stragglers",
                    [
                        Column(
                            "Slower than the median by",
                            training.straggler_lag,
                            {"unit": "percentunit", "decimals": 0, "thresholds": LAGGING},
                        )
                    ],
                    labels=PROCESS,
                    description="Processes whose own step takes longer than their job's median. In a synchronous job "
                    "all wait for the slowest.",
                    no_value="No job with enough processes reports",
                    sort_by="Slower than the median by",
                    width=style.HALF,
                ),
            ],
        ),
        Row(
            "Throughput against utilisation",
            [
                TimeSeries(
                    "Records per second",
                    [Query(highest(training.job_throughput, 20, each="job", by="avg"), JOB_LEGEND)],
                    description="The twenty jobs with the highest throughput. A drop while utilisation stays high: "
                    "clocks or a straggler. A drop with utilisation: input.",
                    unit="cps",
                    min=0,
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Utilisation of the jobs' cards",
                    [Query(lowest(training.job_utilisation, 20, each="job", by="avg"), JOB_LEGEND)],
                    description="The twenty jobs whose cards are used least.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    **shared.RANKED_LOWEST,
                ),
                TimeSeries(
                    "Step time",
                    [Query(highest(training.job_step_time, 20, each="job"), JOB_LEGEND)],
                    description="Seconds a step takes, the twenty slowest jobs.",
                    unit="s",
                    min=0,
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Share of step time waiting for input",
                    [Query(highest(training.input_wait_share, 20, each="job"), JOB_LEGEND)],
                    description="The stall made visible: time in which cards wait for data.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    thresholds=WAITING,
                    thresholds_style="dashed",
                    **shared.RANKED,
                ),
            ],
        ),
        Row(
            "Why: input",
            [
                TimeSeries(
                    "Host CPU waiting for disks",
                    [Query(highest(training.host_io_wait, 20, each="node"), style.NODE)],
                    description="The twenty nodes that wait most. Together with input wait: storage is the bottleneck.",
                    unit="percentunit",
                    min=0,
                    data_links=[shared.TO_NODE],
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Busiest disk",
                    [Query(highest(training.host_disk_busy, 20, each="node"), style.NODE)],
                    description="Share of time in which the busiest disk of a node had work. Near 100 % it cannot give more.",
                    unit="percentunit",
                    min=0,
                    data_links=[shared.TO_NODE],
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Read from disks",
                    [Query(highest(training.host_disk_read, 20, each="node"), style.NODE)],
                    description="Bytes per second. Zero with input wait: data comes over the network.",
                    unit="Bps",
                    min=0,
                    data_links=[shared.TO_NODE],
                    **shared.RANKED,
                ),
                TimeSeries(
                    "Fleet utilisation",
                    [Query(utilisation.fleet_utilisation, "All cards")],
                    description="For comparison: what is lost on a job shows here when the job is large.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    color=style.UTILISATION,
                ),
            ],
        ),
        Row(
            "Why: stragglers",
            [
                TimeSeries(
                    "Slower than the job's median",
                    [Query(highest(training.straggler_lag, 20, each="process"), PROCESS_LEGEND)],
                    description="0.2 is a fifth slower. The twenty slowest processes of jobs with enough of them.",
                    unit="percentunit",
                    thresholds=LAGGING,
                    thresholds_style="dashed",
                    **shared.RANKED,
                ),
                TimeSeries(
                    "SM clock against the job's median",
                    [Query(lowest(training.clock_behind_peers, 20, each="job card"), "{{training_job}} {{uuid}}")],
                    description="A card whose clock is below that of its peers slows the whole job: heat, power cap, or "
                    "an application clock left behind.",
                    unit="percentunit",
                    overrides=[overrides.by_type("number", decimals=0)],
                    **shared.RANKED_LOWEST,
                ),
            ],
        ),
        Row(
            "What the probes say of themselves",
            [
                TimeSeries(
                    "Share of time by phase",
                    [Query(training.phase_share, "{{phase}}")],
                    description="Mean over all processes that report. What is not train is time in which the cards "
                    "make no progress; what is missing to 100 % is time outside training.",
                    unit="percentunit",
                    min=0,
                    max=1,
                    stacking="normal",
                    fill_opacity=40,
                    no_value="no probe reports",
                    width=8,
                ),
                table(
                    "Failures inside the probe",
                    [Column("Times", training.probe_failures, {"decimals": 0})],
                    first=training.probe_failures,
                    labels={**PROCESS, "op": "Operation"},
                    description="What the probe could not do since the process began. The training goes on; what the "
                    "operation would have told is missing. The process's log has the first of each kind.",
                    sort_by="Times",
                    pagination=True,
                    no_value="None",
                    width=8,
                ),
                table(
                    "Processes that do not know their card",
                    [Column("Devices", training.cardless_devices, {"decimals": 0})],
                    first=training.cardless_devices,
                    labels=PROCESS,
                    description="Their memory is on no board, since it can be joined to no card. Install nvidia-ml-py "
                    "beside the training, or set the probe's option cards.",
                    sort_by="Devices",
                    pagination=True,
                    no_value="None",
                    width=8,
                ),
            ],
            collapsed=True,
        ),
    ],
)

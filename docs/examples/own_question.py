"""A question of one's own, asked of the catalogue, so that the board works with every exporter that can answer it."""

from builder import BarGauge, Board, Column, Query, TimeSeries, drill, style, table
from builder import variables as v
from builder.promql.expr import Expr, aggregate
from builder.queries import memory, thermal, utilisation
from builder.queries.question import question
from builder.queries.source import Source

TO_CARD = drill("gpu-detail", "Open card", {"node": "node", "gpu_id": "gpu"}, where="fields")


@question
def utilisation_by_model(source: Source) -> Expr:
    """Mean utilisation of the cards of each model."""
    model = source.level("device_info", keep=("model",))
    busy = utilisation.card_utilisation.ask(source)
    return aggregate("avg", busy.join("*", model, on=source.card, group_left=("model",)), by=("model",))


board = Board(
    uid="team-models",
    title="GPU models",
    question="Which models are busy, and which cards are full?",
    variables=[v.datasource, v.cluster, v.node],
    panels=[
        BarGauge("By model now", [Query(utilisation_by_model, "{{model}}", instant=True)], unit="percentunit", max=1),
        TimeSeries("By model", [Query(utilisation_by_model, "{{model}}")], unit="percentunit", min=0, max=1),
        table(
            "Cards",
            [
                Column("Memory held", memory.card_memory_used, {"unit": "bytes"}),
                Column("Core", thermal.temperature, {"unit": "celsius"}),
            ],
            labels={"node": "Node", "gpu": "GPU"},
            links={"gpu": [TO_CARD]},
            sort_by="Memory held",
            width=style.FULL,
        ),
    ],
)

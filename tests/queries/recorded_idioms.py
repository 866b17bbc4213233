"""What recorded series answer, where nothing of the exporters is there to fall back on."""

from __future__ import annotations

from dataclasses import replace

from builder.promql.expr import Expr
from builder.queries import events, workloads
from builder.queries.question import Question
from builder.queries.raw import RawSource
from builder.queries.recorded import RecordedSource
from builder.queries.source import Source
from tests.queries.idioms import Idiom, card

_IN_POD = 'namespace="ml",node="na",pod="p"'


def _recorded(question: Question) -> Question:
    """The question, asked of recorded series."""

    def build(source: Source) -> Expr:
        assert isinstance(source, RawSource)
        return question.ask(RecordedSource(source))

    return replace(question, name=f"recorded {question.name}", build=build)


IDIOMS: dict[str, Idiom] = {
    "a recorded counter": Idiom(
        {f"gpu:ecc_corrected_total{{{card(0)}}}": "0+30x20"},
        {_recorded(events.counted_within("ecc_corrected", "5m")): {card(0): 300}},
    ),
    "a recorded code that changes, and one that stays": Idiom(
        {f"gpu:xid{{{card(0)}}}": "79x60", f"gpu:xid{{{card(1)}}}": "0x50 31x10"},
        {_recorded(events.new_xids("10m", "3m")): {card(1) + ',xid="31"': 1}},
        at="30m",
    ),
    "what is recorded by pod": Idiom(
        {
            f"gpu:utilization_ratio{{{card(0)}}}": "0.3x20",
            f'pod:utilization_ratio{{gpu="0",uuid="GPU-na0",{_IN_POD}}}': "0.9x20",
            f"gpu:memory_used_bytes{{{card(0)}}}": "100x20",
            f'pod:memory_used_bytes{{gpu="0",uuid="GPU-na0",{_IN_POD}}}': "80x20",
        },
        {
            _recorded(workloads.workloads): {f'gpu="0",{_IN_POD},uuid="GPU-na0"': 80},
            _recorded(workloads.workload_utilisation): {f'gpu="0",{_IN_POD},uuid="GPU-na0"': 0.9},
        },
    ),
}

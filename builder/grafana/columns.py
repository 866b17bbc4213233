"""Tables that answer several questions side by side, one column each.

Each column is an instant query; Grafana merges the rows that agree in all labels, so all questions of one
table must answer with the same labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.errors import DefinitionError
from builder.grafana.declared import check_fields, checked
from builder.grafana.overrides import Properties, by_name
from builder.grafana.panels.table import Table
from builder.grafana.query import Query, refuse_percent
from builder.grafana.transforms import merge, organize
from builder.promql.expr import Expr, top
from builder.queries.question import Question
from builder.queries.source import Source

_REFS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LABELS = ("cluster", "node", "gpu", "uuid", "mig", "model", "namespace", "pod", "container")


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it asks, and how its cells look (the properties of an override)."""

    title: str
    ask: Question | str
    look: Properties = field(default_factory=lambda: Properties())
    unfiltered: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        try:
            refuse_percent(self.ask, self.look.get("unit", ""))
        except DefinitionError as error:
            raise error.at(f'Column "{self.title}"') from None


@checked
def table(
    title: str,
    columns: Sequence[Column],
    *,
    labels: Mapping[str, str],
    links: Mapping[str, Sequence[Any]] | None = None,
    first: Question | None = None,
    rows: int = 100,
    **panel: Any,
) -> Table:
    """A table with one row for each combination of labels.

    ``labels`` maps the label columns to show to their headings, in order; other labels are hidden, so links may
    only use those that are shown. ``links`` gives data links to a label column or a heading. ``first`` limits a
    table that would grow with the fleet to the ``rows`` where its answer is highest.
    """
    if len(columns) > len(_REFS):
        raise DefinitionError(f"{len(columns)} columns", where=f'Table "{title}"', fix=f"{len(_REFS)} at most")
    refs = dict(zip(_REFS, columns, strict=False))
    values = {f"Value #{ref}": column.title for ref, column in refs.items()}
    overrides = [by_name(column.title, **column.look) for column in columns if column.look]
    for name, chosen in (links or {}).items():
        overrides.append(by_name(labels.get(name, name), links=list(chosen)))
    return Table(
        title,
        [
            Query(
                _limited(column.ask, first, rows), instant=True, format="table", ref=ref, unfiltered=column.unfiltered
            )
            for ref, column in refs.items()
        ],
        transformations=[
            merge(),
            organize(
                order=[*labels, *values],
                rename={**labels, **values},
                hide=["Time", *(label for label in _LABELS if label not in labels)],
            ),
        ],
        overrides=[*overrides, *panel.pop("overrides", ())],
        **panel,
    )


def _limited(ask: Question | str, first: Question | None, rows: int) -> Question | str:
    if first is None or isinstance(ask, str):
        return ask

    def keep(answer: Expr, source: Source) -> Expr:
        chosen = top(rows, first.ask(source))
        return chosen if ask is first else answer.join("and", chosen, on=sorted(answer.labels & chosen.labels))

    return ask.then(f"first {rows} by {first.name}", keep)

"""What a panel of a board asks: a question of the catalogue, PromQL of one's own, or the logs.

The build replaces these by PromTarget and LokiTarget once the profile is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import get_args

from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.declared import check_fields
from builder.grafana.links import Where
from builder.queries.question import Question

_FORMATS = ("time_series", "table", "heatmap")
_REF = re.compile(r"[A-Z]+")
_LEGEND_LABEL = re.compile(r"\{\{\s*([a-zA-Z_]\w*)\s*\}\}")


@dataclass(frozen=True, repr=False)
class Query:
    """One Prometheus query of a panel.

    ``ask`` is a question (``queries.utilisation.card_utilisation``) or PromQL, in which the board's variables
    may stand. ``legend`` may hold ``{{label}}``. ``instant`` asks for the end of the time range only.
    ``unfiltered`` names board variables that must not narrow this query.
    """

    ask: Question | str
    legend: str = ""
    instant: bool = False
    format: str = "time_series"
    ref: str = ""
    hide: bool = False
    unfiltered: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.ask, Question | str):
            raise DefinitionError(
                f"{short(self.ask)} is neither a question nor PromQL",
                where="Query",
                fix="take one from builder.queries, or write PromQL in quotes",
            )
        if isinstance(self.ask, str) and not self.ask.strip():
            raise DefinitionError("an empty query", where="Query")
        check_fields(self)
        if self.format not in _FORMATS:
            raise UnknownName("query format", self.format, _FORMATS, where="Query")
        if self.ref and not _REF.fullmatch(self.ref):
            raise DefinitionError(f"{short(self.ref)} is not a ref", where="Query", fix="capital letters: A, B, ...")

    def __repr__(self) -> str:
        """What was said, and no default: it stands in messages."""
        said = [f"{f.name}={value!r}" for f in fields(self)[1:] if (value := getattr(self, f.name)) != f.default]
        return f"Query({', '.join([repr(self.ask), *said])})"

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.ask.name if isinstance(self.ask, Question) else self.ask

    @property
    def legend_labels(self) -> tuple[str, ...]:
        """The labels that the legend needs."""
        return tuple(_LEGEND_LABEL.findall(self.legend))


def refuse_percent(ask: object, unit: str) -> None:
    """Refuse to show an answer of ``builder.queries`` in percent: 0.5 would be half a percent."""
    if unit != "percent" or not isinstance(ask, Question):
        return
    from builder.queries.listed import questions  # all of them: boards of nothing but PromQL need none

    if ask in questions().values():
        raise DefinitionError(f"{ask.name} in percent: questions answer ratios from 0 to 1", fix='unit="percentunit"')


@dataclass(frozen=True)
class LogQuery:
    """The logs that the configuration's selector finds for the board's variables.

    ``rest`` is LogQL appended to the selector, such as ``|= "error"``.
    """

    rest: str = ""
    max_lines: int = 500

    def __post_init__(self) -> None:
        check_fields(self)
        if self.max_lines < 1:
            raise DefinitionError(f"{self.max_lines} log lines", where="LogQuery", fix="max_lines=1 or more")


@dataclass(frozen=True)
class LogsLink:
    """A link to Explore with the logs that the configuration's selector finds.

    ``where`` says what fills the selector: the clicked row's columns ("fields"), the clicked series' labels
    ("labels"), or the board's variables. A selector that needs what is not there gets no link.
    """

    title: str = "Logs"
    where: Where = "fields"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.where not in get_args(Where):
            raise UnknownName("place of link values", self.where, get_args(Where), where="LogsLink")

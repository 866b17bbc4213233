"""A panel with its questions answered, or dropped where the source cannot answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from builder.catalog.model import LABELS, Scope
from builder.catalog.signals import SIGNALS
from builder.errors import DefinitionError, GpuboardsError, SignalMissing, UnknownName, short
from builder.grafana.board import Board, Values
from builder.grafana.context import LOKI, PROMETHEUS, Context, Note
from builder.grafana.dropped import without
from builder.grafana.jumps import Jumps, label_columns
from builder.grafana.layout import Row, as_row
from builder.grafana.links import CARRIED
from builder.grafana.normalise import clean_target
from builder.grafana.panels.base import ModernPanel, with_ref_ids
from builder.grafana.query import LogQuery, Query, refuse_percent
from builder.grafana.targets import LokiTarget, PromTarget
from builder.grafana.written import check_target
from builder.promql.expr import require_labels, require_level
from builder.promql.parse import check_query
from builder.queries.question import Question
from builder.queries.source import Filter
from builder.queries.watch import Watch

_FROM_ANY_COLUMN = ("model", "xid", "metric")
"""Labels that one column of a table may bring for all."""

_LINK_LABEL = re.compile(r"__field\.labels\.(\w+)")


@dataclass
class Answers:
    """Answers the questions of one board's panels.

    ``declared`` are the variables that it has, ``numbers`` those of them that hold a number.
    """

    board: Board
    context: Context
    notes: list[Note]
    declared: set[str]
    numbers: frozenset[str]

    def items(self, items: Sequence[Any]) -> Iterator[Any]:
        """Panels and rows with their questions answered; rows that lost all their panels are gone."""
        for item in map(as_row, items):
            if isinstance(item, Row):
                kept = [panel for panel in map(self.panel, item.panels) if panel is not None]
                if kept:
                    yield Row(item.title, kept, item.collapsed, item.repeat)
                continue
            panel = self.panel(item)
            if panel is not None:
                yield panel

    def panel(self, panel: Any) -> Any:
        """The panel with its queries answered, or None where none of them can be."""
        if not isinstance(panel, ModernPanel):
            if not hasattr(panel, "to_json_data"):
                raise DefinitionError(f"{short(panel)} is not a panel", fix="TimeSeries(...), Stat(...), Row(...), ...")
            return panel
        if not panel.targets:
            return self._jumps.fill(panel)
        targets, asked, gone, reasons = [], [], [], []
        for query, ref in zip(panel.targets, _refs(panel.targets), strict=True):
            try:
                target, signals = self._target(panel, query, ref)
            except SignalMissing as missing:
                gone.append((ref, getattr(query, "legend", "")))
                reasons.append(missing)
            except GpuboardsError as error:
                error.made_at = panel.made_at
                raise error.at(panel.where) from None
            else:
                targets.append(target)
                asked.append(signals)
        if reasons:
            self.notes.append(_note(self.board, panel, reasons, gone=not targets))
        if not targets:
            return None
        if gone:
            panel = without(panel, [ref for ref, _ in gone], [legend for _, legend in gone])
        first = targets[0]
        asked_first = first["datasource"] if isinstance(first, dict) else first.datasource
        datasource = panel.datasource or asked_first or PROMETHEUS
        made = self._jumps.fill(panel.with_(targets=targets, datasource=datasource))
        return self._honest(made, asked)

    def _target(self, panel: ModernPanel, query: Any, ref: str) -> tuple[Any, Sequence[str]]:
        """The query as Grafana takes it, and the signals it asks for."""
        if isinstance(query, LogQuery):
            return self._log_target(query, ref), ()
        if not isinstance(query, Query):
            return self._stock_target(panel, query, ref), ()
        signals: Sequence[str] = ()
        if isinstance(query.ask, Question):
            refuse_percent(query.ask, panel.unit)
            watch = Watch(self.context.source(self._filters(query.unfiltered)))
            answer = require_level(query.ask.ask(watch), "a panel")
            require_labels(answer, query.legend_labels, f"the legend {short(query.legend)}")
            for link in panel.data_links:
                require_labels(answer, _LINK_LABEL.findall(getattr(link, "url", "")), "a data link")
            if query.format == "table":
                require_labels(answer, self._needed_columns(panel, watch), "a column of the table")
            text, signals = answer.text, watch.asked
        else:
            text = query.ask
            check_query(text, self.numbers)
        return (
            PromTarget(
                text,
                query.legend,
                ref_id=ref,
                instant=query.instant or getattr(panel, "shows_the_last_only", False),
                format=query.format,
                interval=self.context.interval,  # of an instant query too: $__rate_interval follows from it
                hide=query.hide,
                datasource=PROMETHEUS,
            ),
            signals,
        )

    def _stock_target(self, panel: ModernPanel, query: Any, ref: str) -> dict[str, Any]:
        """A query of grafanalib, or a PromTarget, with what it asks checked."""
        source = panel.datasource or PROMETHEUS
        ours = isinstance(query, PromTarget | LokiTarget)
        data: dict[str, Any] = query.to_json_data() if ours else clean_target(query, source["type"])
        data["refId"] = ref
        data.setdefault("datasource", dict(source))
        check_target(data, source, self.numbers)
        return data

    def _needed_columns(self, panel: ModernPanel, source: Watch) -> list[str]:
        """The label columns that every query brings; a label of the card itself may stand in one query only.

        A label that the exporters never have leaves no column, as Grafana arranges only those that came.
        """
        return [name for name in label_columns(panel) if name not in _FROM_ANY_COLUMN and _may_come(name, source)]

    def _log_target(self, query: LogQuery, ref: str) -> LokiTarget:
        selector = self.context.logs.within(self._names)
        if selector is None:
            absent = [name for name in self.context.logs.fields if name not in self._names]
            raise SignalMissing(
                f"the label{'s' if len(absent) > 1 else ''} {', '.join(absent)}",
                self.context.source(()).name,
                "set logs.selector in gpuboards.yaml, for instance to the preset bare-metal",
            )
        expr = selector.for_panel(self._names, multi=self._several, rest=query.rest)
        return LokiTarget(expr, ref_id=ref, max_lines=query.max_lines, datasource=LOKI)

    def _honest(self, panel: ModernPanel, asked: Sequence[Sequence[str]]) -> ModernPanel:
        """Say what must be switched on first, and what is only approximate."""
        words, changes = [], {}
        off = [[fix for fix in map(self.context.opt_in, signals) if fix] for signals in asked]
        if all(off):
            fixes = dict.fromkeys(fix for fixes in off for fix in fixes)
            words.append(f"Not exported by default: {'; '.join(fixes)}.")
            # What the author says of emptiness may be a false all-clear here.
            changes["no_value"] = f"{panel.no_value}, or not exported" if panel.no_value else "not exported"
        joined = any(SIGNALS[name].scope is Scope.JOB for signals in asked for name in signals)
        if joined and self.context.approximate:
            words.append(f"Approximate: {self.context.approximate}.")
            changes["title"] = f"{panel.title} (approximate)"
        if not words:
            return panel
        return panel.with_(description="\n\n".join(filter(None, [panel.description, *words])), **changes)

    # what the board's variables say ------------------------------------------------------------

    @cached_property
    def _chosen(self) -> list[Values]:
        return [v for v in self.board.variables if isinstance(v, Values) and v.name in self.declared]

    @cached_property
    def _names(self) -> dict[str, str]:
        return {v.of: v.name for v in self._chosen}

    @cached_property
    def _several(self) -> list[str]:
        return [v.name for v in self._chosen if v.multi or v.include_all]

    @cached_property
    def _jumps(self) -> Jumps:
        mentioned = (*CARRIED, *(v.name for v in self.board.variables if isinstance(v, Values)))
        absent = [name for name in mentioned if name not in self.declared]
        return Jumps(self.context.logs, self._names, self._several, absent)

    def _filters(self, unfiltered: Sequence[str]) -> tuple[Filter, ...]:
        for name in unfiltered:
            if name not in self.declared:
                raise UnknownName("variable", name, self.declared)
        return tuple(v.filter for v in self._chosen if v.narrow and v.name not in unfiltered)


def _note(board: Board, panel: ModernPanel, reasons: Sequence[SignalMissing], *, gone: bool) -> Note:
    missing = dict.fromkeys(reason.signal for reason in reasons)
    fixes = dict.fromkeys(reason.fix for reason in reasons if reason.fix)
    return Note(board.uid, panel.title, gone, tuple(missing), "; ".join(fixes))


def _ref(query: Any) -> str:
    return next((ref for name in ("ref", "ref_id", "refId") if (ref := getattr(query, name, ""))), "")


def _refs(queries: Sequence[Any]) -> list[str]:
    """The ref of each query while all are there, so that one which drops out renames none of the others."""
    given = [{"refId": _ref(query)} for query in queries]
    return [named["refId"] for named in with_ref_ids(given)]


def _may_come(label: str, source: Watch) -> bool:
    return label not in LABELS or source.has_label(label)

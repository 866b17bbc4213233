"""Words instead of a picture: a query failed, there is no data, or this kind of panel is not drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from builder.errors import cut
from builder.preview.asked import Asked
from builder.preview.contents import Content, Note

_OTHERS = {
    "": "A library panel, or one without a type: what it shows is kept in a Grafana.",
    "logs": "Log lines come from Loki, which a preview does not ask.",
    "dashlist": "A list of dashboards: it needs the dashboards of a Grafana.",
    "alertlist": "A list of alerts: it needs the alerts of a Grafana.",
    "annolist": "A list of annotations: it needs a Grafana.",
    "news": "News from an address outside: a preview does not go there.",
}


def or_content(kinds: Mapping[str, Callable[[Asked], Content]]) -> Callable[[Asked], Content]:
    """The content by a panel's kind, or a note that says why there is none."""

    def content_of(asked: Asked) -> Content:
        kind = str(asked.panel.get("type", ""))
        queries = tuple(unasked.expr for unasked in asked.unasked if unasked.expr)
        if kind not in kinds:
            return Note(
                _OTHERS.get(kind, f"A panel of type {cut(kind, 60)}: not drawn in a preview."), "placeholder", queries
            )
        failed = [f"{answer.ref_id}: {answer.error}" for answer in asked.shown if answer.error]
        if failed and not any(answer.series for answer in asked.shown):
            return Note("The query failed", "error", tuple(failed))
        if asked.unasked and not asked.answers:
            source = asked.unasked[0].type or "another data source"
            return Note(f"Asks {cut(source, 60)}, which a preview does not.", "placeholder", queries)
        try:
            return kinds[kind](asked)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # Anybody's dashboard comes here, by hand or from an old Grafana: one panel must not cost the others.
            return Note("This panel's JSON is not understood", "error", (f"{type(error).__name__}: {error}",))

    return content_of

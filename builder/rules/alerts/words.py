"""What an alert says: its texts, and links that carry what it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

from builder.catalog.model import LABELS
from builder.catalog.xid import XIDS
from builder.queries.source import Filter, Source
from builder.rules.alerts.definition import Alert, told_by
from builder.rules.labels import Scope
from builder.rules.settings import Links
from builder.rules.thresholds import SETTINGS, Thresholds

_PROCESS = ("training_job", "rank", "instance", "xid")
_VARIABLES = {"cluster": "cluster", "node": "node", "gpu": "gpu_id", "namespace": "namespace", "pod": "pod"}
"""The board variables that labels fill."""

_FIELD = re.compile(r"\{([a-z]+)\}")
_MATCHER = re.compile(r'\w+\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"')
_MARK = "\ue000"
_BRACES = '{{ "{{" }}'


def texts(alert: Alert, source: Source, thresholds: Thresholds, links: Links) -> dict[str, str]:
    """The annotations of an alert, as Prometheus' templates."""
    words = {name: setting.shown(thresholds.named(name)) for name, setting in SETTINGS.items()}
    words |= {label: _label(label) for label in (*LABELS, *_PROCESS)}
    words |= {"where": _where(alert.scope, source), "value": alert.shows.value, "card": _card(source)}
    words |= {"xid_meaning": _of_xid("meaning", "not in NVIDIA's list"), "xid_action": _of_xid("action", "look it up")}
    holders = _holders(source) if alert.scope is Scope.CARD else ""
    said = {
        "summary": alert.summary.format_map(words),
        "description": " ".join(filter(None, (alert.description.format_map(words), _held_by(holders)))),
        "command": alert.command.format_map(words),
        "dashboard_url": _board(alert, source, links),
        "logs_url": _logs(alert, source, holders, links),
        "runbook_url": literal(links.runbook.replace("{alert}", alert.name)),
    }
    return {name: text for name, text in said.items() if text}


def literal(text: str) -> str:
    """A site's own text as a template that says just that: Prometheus fills in labels, too, as templates."""
    return text.replace("{{", _BRACES)


def filled_in(text: str) -> str:
    """What Prometheus makes of a ``literal``."""
    return text.replace(_BRACES, "{{")


def _label(name: str, of: str = "$labels.") -> str:
    return f"{{{{ {of}{name} }}}}"


def _card(source: Source) -> str:
    """What nvidia-smi takes for a card: its uuid, since indices of exporter and driver may differ."""
    if "uuid" not in source.card:
        return _label("gpu")
    return "{{ if $labels.uuid }}{{ $labels.uuid }}{{ else }}{{ $labels.gpu }}{{ end }}"


def _where(scope: Scope, source: Source) -> str:
    if scope is Scope.CARD:
        mig = "{{ with $labels.mig }} ({{ . }}){{ end }}"
        return f"GPU {_label('gpu')}{mig} on {_label('node')}"
    if scope is Scope.NODE:
        return _label("node")
    return f"{_label('namespace')}/{_label('training_job')}"


def _of_xid(what: str, otherwise: str) -> str:
    """What the catalogue says of the alert's XID: one branch for each text that several codes may share."""
    texts: dict[str, list[str]] = {}
    for code, xid in XIDS.items():
        texts.setdefault(getattr(xid, what), []).append(f'"{code}"')
    branches = [f"if eq $labels.xid {' '.join(known)} }}}}{text}" for text, known in texts.items()]
    return f"{{{{ {'{{ else '.join(branches)}{{{{ else }}}}{otherwise}{{{{ end }}}}"


# who holds the card ---------------------------------------------------------------------------


def _holders(source: Source) -> str:
    """A template that asks for the pods on the card; empty where they are not known.

    Asked when the alert is told, not part of the alert's own labels: a pod that restarts would end the alert and
    begin another one.
    """
    if not source.has_label("pod"):
        return ""
    labels = ("cluster", "node", "gpu")
    where = [Filter(label, f"{_MARK}{label}{_MARK}", "=") for label in labels]
    text = source.level(
        "memory_used", keep=("namespace", "pod", "container"), where=[Filter("pod", "", "!="), *where]
    ).text
    text = text.replace("%", "%%")
    for place, label in enumerate(labels, 1):
        text = text.replace(f"{_MARK}{label}{_MARK}", f"%[{place}]s")
    values = " ".join(f"$labels.{label}" for label in labels)
    return f"query (printf `{text}` {values}) | sortByLabel `pod`"


def _held_by(holders: str) -> str:
    if not holders:
        return ""
    one = "{{ if $i }}, {{ end }}{{ $holder.Labels.namespace }}/{{ $holder.Labels.pod }}"
    return f"{{{{ with {holders} }}}}Held by {{{{ range $i, $holder := . }}}}{one}{{{{ end }}}}.{{{{ end }}}}"


# links ----------------------------------------------------------------------------------------


def _board(alert: Alert, source: Source, links: Links) -> str:
    known = (*told_by(alert.scope, source), *(("namespace",) if alert.scope is Scope.JOB else ()))
    carried = [label for label in _VARIABLES if label in known]
    values = [f"var-{_VARIABLES[label]}={{{{ $labels.{label} | urlquery }}}}" for label in carried]
    return f"{links.grafana}/d/{alert.board}?{'&'.join(['from=now-3h', 'to=now', *values])}"


def _logs(alert: Alert, source: Source, holders: str, links: Links) -> str:
    """Explore with the logs of what the alert is about; empty where nothing tells which those are."""
    fields = set(_FIELD.findall(links.logs))
    if holders and not fields <= set(source.card):
        # The workload's logs, whichever workload holds the card when the alert is told.
        url = links.grafana + _explore(links, links.logs, ".Labels.")
        return f"{{{{ with {holders} }}}}{{{{ with first . }}}}{url}{{{{ end }}}}{{{{ end }}}}"
    known = {*told_by(alert.scope, source)} & set(LABELS)
    selector = _within(links.logs, known)
    return links.grafana + _explore(links, selector, "$labels.") if selector else ""


def _within(selector: str, known: set[str]) -> str:
    """The selector without the matchers of labels that an alert does not have; empty where none is left."""
    matchers = [m for m in _MATCHER.findall(selector) if set(_FIELD.findall(m)) <= known]
    return f"{{{','.join(matchers)}}}" if any(_FIELD.search(m) for m in matchers) else ""


def _explore(links: Links, selector: str, labels: str) -> str:
    query = {"refId": "A", "datasource": {"type": "loki", "uid": links.loki}, "expr": selector}
    span = {"from": "now-3h", "to": "now"}
    panes = {"gpu": {"datasource": links.loki, "queries": [query], "range": span}}
    encoded = json.dumps(panes, ensure_ascii=False, separators=(",", ":"))
    return f"/explore?schemaVersion=1&panes={''.join(_encoded(encoded, labels))}"


def _encoded(text: str, labels: str) -> Iterator[str]:
    """The text as part of a URL, with labels where it names them."""
    for place, part in enumerate(_FIELD.split(text)):
        yield f"{{{{ {labels}{part} | urlquery }}}}" if place % 2 else quote(part, safe="")

"""The alerting rules as Grafana evaluates them itself: what a file in its provisioning/alerting says.

Keys: https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/. Grafana
expands ``$`` in labels but neither in annotations nor in queries, so whoever writes the file doubles it in labels only.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from builder.errors import DefinitionError
from builder.rules.labels import SEVERITY, THRESHOLDS
from builder.rules.model import AlertRule, Group

BASE = 10
"""Grafana looks at its rules every 10 s; a group's interval is a multiple of that."""

_ASKED, _REDUCED, _CONDITION = "A", "B", "C"
_LOOKBACK = 600
_VALUE = re.compile(r"\$value\b")
_UID = 40


def alert_rules(groups: Iterable[Group], *, datasource: str, folder: str) -> dict[str, Any]:
    """The alerts of the groups; recording rules stay with Prometheus. ``datasource`` is a uid, ``folder`` a title.

    Raises DefinitionError for a group whose interval Grafana cannot keep.
    """
    seen: Counter[str] = Counter()
    written = []
    for group in groups:
        rules = [_rule(rule, seen, datasource) for rule in group.rules if isinstance(rule, AlertRule)]
        if not rules:
            continue
        if group.interval % BASE:
            raise DefinitionError(
                f"Grafana cannot evaluate a group every {group.interval} s",
                where=f"group {group.name}",
                fix=f"use a multiple of {BASE} s",
            )
        written.append(
            {"orgId": 1, "name": group.name, "folder": folder, "interval": f"{group.interval}s", "rules": rules}
        )
    return {"apiVersion": 1, "groups": written}


def _rule(rule: AlertRule, seen: Counter[str], datasource: str) -> dict[str, Any]:
    title = _title(rule, seen)
    kept = {"keepFiringFor": f"{rule.keep}s"} if rule.keep else {}
    return {
        "uid": _uid(title),
        "title": title,
        "condition": _CONDITION,
        "data": list(_data(rule, datasource)),
        # Nothing found is what a healthy fleet looks like.
        "noDataState": "OK",
        # A rule that cannot be evaluated guards nobody, and somebody has to know.
        "execErrState": "Error",
        "for": f"{rule.hold}s",
        **kept,
        "labels": {**rule.labels, SEVERITY: rule.severity.value},
        "annotations": {name: _templated(text) for name, text in rule.annotations.items()},
        "isPaused": False,
    }


def _title(rule: AlertRule, seen: Counter[str]) -> str:
    """The rule's title, unique in its folder; to Grafana it is the name of the alert, too.

    Of an alert that has a rule for each of several parts of the fleet, the others say which part they are about.
    """
    part = rule.labels.get(THRESHOLDS, "")
    title = f"{rule.alert} ({part})" if part else rule.alert
    seen[title] += 1
    return title if seen[title] == 1 else f"{title} {seen[title]}"


def _uid(title: str) -> str:
    uid = "gpuboards-" + re.sub(r"[^A-Za-z0-9]+", "-", title).lower()
    if len(uid) <= _UID:
        return uid
    return f"{uid[: _UID - 9]}-{hashlib.sha256(title.encode()).hexdigest()[:8]}"


def _data(rule: AlertRule, datasource: str) -> Iterator[dict[str, Any]]:
    """The expression, its last value, and a condition that holds wherever there is one, be it 0."""
    query = {
        "expr": rule.expr.text,
        "instant": True,
        "range": False,
        "editorMode": "code",
        "datasource": {"type": "prometheus", "uid": datasource},
    }
    reduced = {"type": "reduce", "expression": _ASKED, "reducer": "last"}
    condition = {"type": "math", "expression": f"is_null(${_REDUCED}) == 0"}
    yield _step(_ASKED, datasource, _LOOKBACK, query)
    yield _step(_REDUCED, "__expr__", 0, reduced)
    yield _step(_CONDITION, "__expr__", 0, condition)


def _step(name: str, datasource: str, lookback: int, model: dict[str, Any]) -> dict[str, Any]:
    if datasource == "__expr__":
        model = {**model, "datasource": {"type": "__expr__", "uid": "__expr__"}}
    return {
        "refId": name,
        "relativeTimeRange": {"from": lookback, "to": 0},
        "datasourceUid": datasource,
        "model": {"refId": name, **model},
    }


def _templated(text: str) -> str:
    """Prometheus' template as Grafana's: there ``$value`` is a sentence, and the number is the reduced one."""
    return _VALUE.sub(f"$values.{_REDUCED}.Value", text)

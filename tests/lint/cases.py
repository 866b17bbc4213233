"""Lint cases as they are written in ``rules/*.yaml`` and in the pages of ``docs/lint``, made into dashboards.

A case has a ``query``, a ``panel``, a ``board`` or several ``boards``; what it does not say is filled in.
In a panel ``expr`` and ``legend`` make its only query, ``unit`` and ``mappings`` are those of all fields,
``override`` is one by name, ``repeat_query: [n, expr]`` makes n queries. In a board ``variables`` are query
variables by name, ``link`` is a data link of its only panel, and ``repeat_panel: [n, m, expr]`` makes n panels
of m queries. ``profile`` chooses an exporter, ``whole`` says that there are no other
boards but those with a uid among ``others``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builder.catalog.profiles import HOST_PROFILES, TRAINING_PROFILES, profile
from builder.lint import Finding, LintConfig, Subject, lint


def findings(case: Mapping[str, Any], rule: str) -> list[Finding]:
    """What a rule finds in a case."""
    return [finding for finding in lint(subjects(case), _config(case)) if finding.rule == rule]


def subjects(case: Mapping[str, Any]) -> list[Subject]:
    """The dashboards of a case."""
    boards = case.get("boards") or [case["board"] if "board" in case else {"panels": [_of_query(case)]}]
    return [
        Subject(f"{number}.json", _board(board), folder=board.get("folder", "")) for number, board in enumerate(boards)
    ]


def _config(case: Mapping[str, Any]) -> LintConfig:
    config = LintConfig(whole=case.get("whole", False), others=frozenset(case.get("others", ())))
    if "profile" not in case:
        return config
    return replace(config, profiles=(profile(case["profile"]), *TRAINING_PROFILES.values(), *HOST_PROFILES.values()))


def _of_query(case: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"expr": case["query"]} if "query" in case else case["panel"]


def _board(board: Mapping[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"uid": "test", "title": "Test", "schemaVersion": 39, "panels": [], **board}
    data.pop("folder", None)
    variables = [
        {"name": name, "type": "query", "datasource": {"type": "prometheus"}, "query": query}
        for name, query in data.pop("variables", {}).items()
    ]
    if variables:
        data["templating"] = {"list": variables}
    if "repeat_panel" in data:
        data["panels"] = _panels(data.pop("repeat_panel"))
    if isinstance(data["panels"], Sequence) and not isinstance(data["panels"], str):
        data["panels"] = [_panel(panel) if isinstance(panel, Mapping) else panel for panel in data["panels"]]
    if link := data.pop("link", ""):
        linking = _panel({})
        linking["fieldConfig"]["defaults"]["links"] = [{"title": "Go", "url": link}]
        data["panels"].append(linking)
    return data


def _panels(repeated: Sequence[Any]) -> list[dict[str, Any]]:
    panels, queries, expr = repeated
    return [{"id": number + 1, "repeat_query": [queries, expr]} for number in range(panels)]


def _panel(panel: Mapping[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = dict(panel)
    if data.get("type") == "row":
        if "repeat_panel" in data:
            data["panels"] = [_panel(each) for each in _panels(data.pop("repeat_panel"))]
        return data
    if not {"type", "id"} & data.keys() or {"expr", "unit", "targets"} & data.keys():
        data = {"id": 1, "title": "Panel", "type": "timeseries", "targets": [{"refId": "A", "expr": "up"}], **data}
    if "expr" in data:
        data["targets"] = [{"refId": "A", "expr": data.pop("expr"), "legendFormat": data.pop("legend", "")}]
    if "repeat_query" in data:
        count, expr = data.pop("repeat_query")
        data["targets"] = [{"refId": f"Q{number}", "expr": expr} for number in range(count)]
    defaults = {key: data.pop(key) for key in ("unit", "mappings") if key in data}
    overrides = [_override(data.pop("override"))] if "override" in data else []
    data.setdefault("fieldConfig", {"defaults": defaults, "overrides": overrides})
    return data


def _override(override: Mapping[str, str]) -> dict[str, Any]:
    return {
        "matcher": {"id": "byName", "options": override["name"]},
        "properties": [{"id": "unit", "value": override["unit"]}],
    }

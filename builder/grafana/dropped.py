"""A panel after some of its queries dropped out: nothing in it may still mean them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from builder.grafana.panels.base import ModernPanel


def without(panel: ModernPanel, refs: Sequence[str], legends: Sequence[str]) -> ModernPanel:
    """The panel without renames, overrides, fills and sort order of the queries that dropped out."""
    columns = {f"Value #{ref}" for ref in refs}
    names = {legend for legend in legends if legend and "{{" not in legend}
    transformations = []
    for step in panel.transformations:
        if step["id"] == "organize":
            made = copy.deepcopy(dict(step))
            options = made.get("options", {})
            rename, order = options.get("renameByName", {}), options.get("indexByName", {})
            names |= {rename.pop(column) for column in list(rename) if column in columns}
            if order:
                kept_order = (name for name in order if name not in columns)
                options["indexByName"] = {name: place for place, name in enumerate(kept_order)}
            step = made
        transformations.append(step)
    kept = [_without_fill(override, names) for override in panel.overrides if not _means(override, names, refs)]
    changes: dict[str, Any] = {"transformations": transformations, "overrides": kept}
    if getattr(panel, "sort_by", "") in names:
        changes["sort_by"] = ""
    return panel.with_(**changes)


def _means(override: Any, names: set[str], refs: Sequence[str]) -> bool:
    matcher, options = getattr(override, "matcher", ""), getattr(override, "options", "")
    return (matcher == "byName" and options in names) or (matcher == "byFrameRefID" and options in refs)


def _without_fill(override: Any, names: set[str]) -> Any:
    properties = getattr(override, "properties", None)
    if properties is None:
        return override
    kept = tuple(p for p in properties if not (p[0] == "custom.fillBelowTo" and p[1] in names))
    return override if kept == properties else replace(override, properties=kept)

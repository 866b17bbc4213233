"""The section ``alerts`` of gpuboards.yaml: thresholds for all, for a cluster or a model; severities; links."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, get_type_hints

from builder.catalog.models import MODELS
from builder.config import checks
from builder.config.document import Value
from builder.errors import ConfigError, nearest, short
from builder.rules.model import Severity
from builder.rules.settings import AlertSettings, Changes
from builder.rules.stages import Stage
from builder.rules.thresholds import SETTINGS, Thresholds

_NAMES = tuple(f.name for f in fields(Thresholds))
_DURATION = re.compile(r"(\d{1,9})([smhd])")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SEVERITIES = (*(severity.value for severity in Severity), "off")


def read_alerts(value: Value) -> AlertSettings:
    """What the section says. Raises ConfigError, with file and line, for whatever cannot be meant."""
    entries = value.mapping()
    value.only([*_NAMES, "severity", "stage", "models", "clusters", "grafana_url", "runbook_url"])
    said: dict[str, Any] = {}
    if "grafana_url" in entries:
        said["grafana_url"] = _checked(entries["grafana_url"], str, checks.http_url)
    if "runbook_url" in entries:
        said["runbook_url"] = _checked(entries["runbook_url"], str, checks.not_empty)
    try:
        settings = AlertSettings(
            thresholds=Thresholds(**_thresholds(entries)),
            severity=_severity(entries),
            stage=_stage(entries),
            clusters=_parts(entries, "clusters"),
            models=_models(entries),
            **said,
        )
    except ConfigError as error:
        if error.where:
            raise
        raise value.fail(error.what, error.fix) from error
    for model in ("", *settings.models):
        for cluster in ("", *settings.clusters):
            settings.at(model, cluster)
    return settings


def _thresholds(entries: Mapping[str, Value]) -> dict[str, Any]:
    kinds = get_type_hints(Thresholds)
    known = {f.name: f.metadata["checks"] for f in fields(Thresholds)}
    return {
        name: _checked(_in_seconds(entries[name], name), kinds[name], *known[name])
        for name in _NAMES
        if name in entries
    }


def _in_seconds(value: Value, name: str) -> Value:
    """A duration may be written as a number of seconds or like ``10m``."""
    written = _DURATION.fullmatch(value.content) if isinstance(value.content, str) else None
    if written is None or SETTINGS[name].unit != "seconds":
        return value
    return replace(value, content=int(written[1]) * _UNITS[written[2]])


def _checked(value: Value, kind: type, *accepted: checks.Check) -> Any:
    content = value.scalar(kind)
    for check in accepted:
        try:
            check(content)
        except ConfigError as error:
            raise value.fail(error.what, error.fix) from error
    return content


def _severity(entries: Mapping[str, Value]) -> Mapping[str, str]:
    return _by_alert(entries, "severity", _SEVERITIES)


def _stage(entries: Mapping[str, Value]) -> Mapping[str, Stage]:
    said = _by_alert(entries, "stage", [stage.value for stage in Stage])
    return {alert: Stage(word) for alert, word in said.items()}


def _by_alert(entries: Mapping[str, Value], key: str, words: Collection[str]) -> Mapping[str, str]:
    """One of these words for each alert that is named."""
    if key not in entries:
        return {}
    from builder.rules.alerts import ALERTS

    value = entries[key]
    value.only(ALERTS)
    said = {name: _word(entry) for name, entry in value.mapping().items()}
    for name, word in said.items():
        if word not in words:
            raise value.mapping()[name].fail(f"{short(word)} is not a {key}", f"one of {', '.join(words)}")
    return said


def _word(value: Value) -> str:
    """YAML reads a bare ``off`` as false."""
    return "off" if value.content is False else str(value.scalar(str))


def _models(entries: Mapping[str, Value]) -> Mapping[str, Changes]:
    parts = _parts(entries, "models", "unlisted")
    for name in parts:
        entry = entries["models"].mapping()[name]
        said = entry.mapping().get("unlisted")
        if name not in MODELS and not (said and said.scalar(bool)):
            raise ConfigError(
                f"unknown model {short(name)} in {entries['models'].path}",
                where=entries["models"].key_places[name],
                fix=f"{nearest(name, MODELS)} (write `unlisted: true` below a model that gpuboards does not list)",
            )
    return parts


def _parts(entries: Mapping[str, Value], key: str, *more: str) -> Mapping[str, Changes]:
    """The changes for each model or cluster."""
    parts = entries[key].mapping() if key in entries else {}
    if "" in parts:  # it would stand for all of them, beside the rules that do
        fix = f"name one; what holds for all {key} goes into the section itself"
        raise ConfigError("a name is empty", where=entries[key].key_places[""], fix=fix)
    return {name: _part(part, more) for name, part in parts.items()}


def _part(value: Value, more: Collection[str]) -> Changes:
    entries = value.mapping()
    value.only([*_NAMES, "severity", *more])
    if not set(entries) - set(more):
        raise value.fail("says nothing", "name a threshold, or severity: {ALERT: critical|warning|info|off}")
    return Changes(_thresholds(entries), _severity(entries), value.where)

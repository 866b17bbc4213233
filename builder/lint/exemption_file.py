"""Exemptions as they are written down: our own file, and the ``.lint`` file of grafana/dashboard-linter.

Ours, ``.gpuboards-lint.yaml``::

    exemptions:
      - rule: legend-without-host
        board: gpu-node
        panel: Temperature
        reason: the board shows one node
        until: 2027-01-31

The other's format: https://github.com/grafana/dashboard-linter, section Exclusions and Warnings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from builder.config.document import Value, read
from builder.errors import ConfigError, nearest
from builder.lint.exemptions import Exemption

NAME = ".gpuboards-lint.yaml"
FOREIGN_NAME = ".lint"

_KEYS = ("rule", "board", "panel", "reason", "until")

COUNTERPARTS: Mapping[str, tuple[str, ...]] = {
    "template-datasource-rule": ("hard-coded-datasource",),
    "template-label-promql-rule": ("promql-parses",),
    "panel-datasource-rule": ("hard-coded-datasource",),
    "panel-title-description-rule": ("missing-title", "missing-description"),
    "panel-units-rule": ("missing-unit",),
    "target-promql-rule": ("promql-parses",),
    "target-rate-interval-rule": ("fixed-range-in-rate",),
    "target-counter-agg-rule": ("counter-without-rate",),
}
"""Our rules for those of dashboard-linter; the rules that it has alone are passed over."""


def exemptions(text: str, file: str, rules: Collection[str]) -> list[Exemption]:
    """The exemptions of our own file. Raises ConfigError, with the line, for what cannot be meant."""
    if not text.strip():
        return []
    root = read(text, file).mapping()
    for key, value in root.items():
        if key != "exemptions":
            raise value.fail(f"unknown key {key!r}", nearest(key, ("exemptions",)))
    listed = root.get("exemptions")
    return [_exemption(each, file, rules) for each in (listed.items() if listed and listed.content else ())]


def _exemption(entry: Value, file: str, rules: Collection[str]) -> Exemption:
    fields = entry.mapping()
    for key, value in fields.items():
        if key not in _KEYS:
            raise value.fail(f"unknown key {key!r}", nearest(key, _KEYS))
    texts = {key: str(value.content).strip() for key, value in fields.items() if value.content is not None}
    for key in ("rule", "reason"):
        if not texts.get(key):
            raise entry.fail(f"an exemption without a {key}", f"add `{key}:`; what nobody can explain is not exempt")
    if texts["rule"] not in rules:
        raise fields["rule"].fail(f"unknown rule {texts['rule']!r}", nearest(texts["rule"], rules))
    return Exemption(
        texts["rule"],
        texts["reason"],
        texts.get("board", ""),
        texts.get("panel", ""),
        _date(fields["until"]) if texts.get("until") else None,
        file,
        line_of(entry),
    )


def _date(value: Value) -> date:
    try:
        return date.fromisoformat(str(value.content))
    except ValueError:
        raise value.fail(f"{value.content!r} is not a date", "write it like 2027-01-31") from None


def line_of(value: Value) -> int:
    """The line at which a value stands."""
    number = value.where.rpartition(":")[2]
    return int(number) if number.isdigit() else 0


def foreign_exemptions(text: str, file: str, folder: str) -> list[Exemption]:
    """What a ``.lint`` file exempts in its own folder, under our names for the rules.

    Both ``exclusions`` and ``warnings`` count: the latter keep a rule from failing the other linter.
    Raises ConfigError where the file is not what that linter reads.
    """
    if not text.strip():
        return []
    root = read(text, file).mapping()
    found: list[Exemption] = []
    for section in ("exclusions", "warnings"):
        if section in root:
            for rule, value in root[section].mapping().items():
                found += _foreign(rule, value, file, folder)
    return found


def _foreign(rule: str, value: Value, file: str, folder: str) -> Iterator[Exemption]:
    fields = value.mapping()
    reason = str(fields["reason"].content) if "reason" in fields else "none given"
    listed = fields["entries"].items() if "entries" in fields and fields["entries"].content else []
    for ours in COUNTERPARTS.get(rule, ()):
        for entry in listed or (value,):
            names = _names(entry) if listed else {}
            yield Exemption(
                ours,
                reason,
                names.get("dashboard", ""),
                names.get("panel", ""),
                file=file,
                line=line_of(entry),
                folder=folder,
                ours=False,
            )


def _names(entry: Value) -> dict[str, str]:
    try:
        return {key: str(value.content) for key, value in entry.mapping().items() if value.content is not None}
    except ConfigError:
        return {}

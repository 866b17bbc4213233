"""``gpuboards rules explain``: what an alert says, when, by which thresholds, and what it needs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from builder.cli.options import as_json, config_option, format_option, load_config, profile_option

if TYPE_CHECKING:
    from builder.config import Config
    from builder.rules.alerts.build import Variant
    from builder.rules.thresholds import Setting


@click.command("explain")
@click.argument("name", metavar="ALERT")
@profile_option
@config_option
@format_option
def command(name: str, profile: str | None, config_file: str | None, output: str) -> None:
    """Tell what an alert says, when it fires, which thresholds decide, and what it needs."""
    from builder.errors import UnknownName
    from builder.rules.alerts import ALERTS

    config = load_config(config_file, profile=profile)
    if name not in ALERTS:
        raise UnknownName("alert", name, ALERTS)
    found = facts(name, config)
    click.echo(as_json(found) if output == "json" else "\n".join(lines(found)))


def facts(name: str, config: Config) -> dict[str, Any]:
    """All that is known of an alert under a configuration."""
    from dataclasses import replace

    from builder import alerting
    from builder.catalog.profiles import GPU_PROFILES
    from builder.rules.alerts import ALERTS
    from builder.rules.alerts.facts import in_words, needs
    from builder.rules.thresholds import SETTINGS

    alert = ALERTS[name]
    thresholds, severities = config.alerts.at()
    needed = needs(alert, alerting.source_of(config), thresholds)
    alone = replace(config, recording=replace(config.recording, also=()))
    answered = {p: needs(alert, alerting.source_of(replace(alone, profile=p)), thresholds) for p in GPU_PROFILES}
    rules = [v for v in alerting.alerts_of(config).variants if v.rule.alert == name]
    return {
        "alert": name,
        "severity": severities.get(name, alert.severity.value),
        "scope": alert.scope.value,
        "stage_at_most": config.alerts.stage[name].value if name in config.alerts.stage else None,
        "summary": in_words(alert.summary, thresholds),
        "description": in_words(alert.description, thresholds),
        "command": in_words(alert.command, thresholds),
        "thresholds": [
            {
                "name": setting.name,
                "value": thresholds.named(setting.name),
                "shown": setting.shown(thresholds.named(setting.name)),
                "low": setting.low,
                "high": setting.high,
                "help": setting.help,
                "elsewhere": list(_elsewhere(setting, rules, config)),
            }
            for setting in map(SETTINGS.__getitem__, needed.thresholds)
        ],
        "signals": list(needed.signals),
        "missing": needed.missing,
        "profiles": [p for p, need in answered.items() if not need.missing],
        "rules": [
            {
                "for_model": v.model,
                "for_cluster": v.cluster,
                "severity": v.rule.severity.value,
                "description": in_words(alert.description, config.alerts.at(v.model, v.cluster)[0]),
                "hold_seconds": v.rule.hold,
                "keep_seconds": v.rule.keep,
                "expr": v.rule.expr.text,
            }
            for v in rules
        ],
        "runbook": config.alerts.runbook_url.replace("{alert}", name),
    }


def _elsewhere(setting: Setting, rules: Sequence[Variant], config: Config) -> Iterator[dict[str, Any]]:
    """What the threshold is for a cluster or a model of card that has a rule of its own."""
    for key, parts in (("cluster", config.alerts.clusters), ("model", config.alerts.models)):
        for name in dict.fromkeys(getattr(variant, key) for variant in rules):
            if name and setting.name in parts[name].thresholds:
                value = float(parts[name].thresholds[setting.name])
                yield {f"for_{key}": name, "value": value, "shown": setting.shown(value)}


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The facts of an alert in words."""
    from builder.cli.text import WIDTH
    from builder.diff.layout import laid_out
    from builder.rules.backtest.text import span

    yield f"{found['alert']}: {found['severity']}, about a {found['scope']}"
    yield f"  {found['summary']}"
    yield from _wrapped(found["description"])
    for rule in found["rules"]:
        if rule["description"] != found["description"]:
            yield f"  for {_part(rule)}:"
            yield from _wrapped(rule["description"])
    yield f"  first: {found['command']}"
    yield f"  runbook: {found['runbook']}"
    if found["stage_at_most"]:
        yield f"  goes no further than the stage {found['stage_at_most']} (alerts.stage)"
    if found["thresholds"]:
        yield "thresholds (section alerts of the configuration):"
        width = max(len(each["name"]) for each in found["thresholds"])
        for each in found["thresholds"]:
            allowed = f"{each['low']:g} to {each['high']:g}"
            yield f"  {each['name']:<{width}}  {each['shown']:<8} {each['help']} ({allowed})"
            for other in each["elsewhere"]:
                yield f"  {'':<{width}}  {other['shown']:<8} for {_part(other)}"
    if found["missing"]:
        yield f"no rule: the profile does not export {found['missing']}"
    else:
        yield f"reads: {', '.join(found['signals'])}"
    yield f"profiles that have it: {', '.join(found['profiles']) or 'none'}"
    for rule in found["rules"]:
        part = f" for {_part(rule)}" if _part(rule) else ""
        when = f"after {span(rule['hold_seconds'])}" if rule["hold_seconds"] else "at once"
        yield f"rule{part} ({rule['severity']}, fires {when}):"
        yield from (f"  {line}" for line in laid_out(rule["expr"], WIDTH))


def _part(of: Mapping[str, Any]) -> str:
    """The model of card and the cluster that something is for; empty where it is for all others."""
    cluster = of.get("for_cluster", "")
    return " in ".join(filter(None, (of.get("for_model", ""), f"cluster {cluster}" if cluster else "")))


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 80, initial_indent="  ", subsequent_indent="  ")

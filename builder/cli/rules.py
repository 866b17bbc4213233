"""``gpuboards rules``: the rules that Prometheus evaluates, built, checked, explained and tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from builder.cli import rules_backtest, rules_explain, rules_test
from builder.cli.options import as_json, config_option, format_option, load_config, not_empty, profile_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from builder.build import Artifact
    from builder.config import Config
    from builder.rules.model import Group

OUT = {"prometheus": "provisioning/prometheus/rules", "prometheusrule": "provisioning/prometheus/rules"}
OUT |= {"grafana": "provisioning/alerting"}
STAGES = ("observe", "warn", "full")
"""The values of ``builder.rules.stages.Stage``, which ``--help`` does not wait for."""


@click.group("rules")
def command() -> None:
    """Recorded series, one name whatever the exporter, and the alerts on them.

    The same settings give the same bytes, always.
    """


@command.command("build")
@profile_option
@click.option("--out", metavar="DIR", callback=not_empty, help="Directory to write to (one that fits the format).")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if the directory differs.")
@click.option("--force", is_flag=True, help="Overwrite files that no earlier build wrote.")
@config_option
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    default="full",
    show_default=True,
    help="How far alerts go: recorded only, told in the chat, or told by severity.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["prometheus", "prometheusrule", "grafana"]),
    default="prometheus",
    show_default=True,
    help="Files for rule_files, PrometheusRules for the operator, or the alerts for Grafana to evaluate.",
)
def build(
    profile: str | None,
    out: str | None,
    only_check: bool,
    force: bool,
    config_file: str | None,
    stage: str,
    output: str,
) -> int:
    """Write the rule files; prometheus.yml reads them with `rule_files: [rules/*.yml]`."""
    from pathlib import Path

    from builder.cli.compared import USUAL, Comparison, rule_settings_of
    from builder.targets import manifest
    from builder.targets.files import check, write

    config = load_config(config_file, profile=profile)
    given = {"profile": profile, "config": config_file, "out": out}
    out = out or OUT[output]
    made_with = {**rule_settings_of(config), "format": output, "stage": stage}
    artifacts = _artifacts(config, stage, output)
    if only_check:
        differences = check(artifacts, Path(out))
        options = {name: value for name, value in given.items() if value}
        options |= {name: made for name, made in (("stage", stage), ("format", output)) if made != USUAL[name]}
        before = manifest.read(Path(out)).made_with
        found = Comparison(differences, out, before, made_with, options, "rules build", "the configuration says")
        click.echo("\n".join(found.lines()))
        return 1 if differences else 0
    report = write(artifacts, Path(out), force=force, made_with=made_with)
    click.echo(f"{out}: {', '.join(f'{len(paths)} {what}' for what, paths in vars(report).items())}")
    return 0


def _artifacts(config: Config, stage: str, output: str) -> Iterator[Artifact]:
    """The files, and on stderr what had to be left out of them."""
    from builder.alerting import alerts_of
    from builder.build import Artifact
    from builder.provisioning.grafana_alerting import grafana_alerting_files
    from builder.rule_files import build_rules
    from builder.rules.stages import Stage, marked

    made = alerts_of(config)
    alerts = marked(made.groups, Stage(stage))
    for left in made.left_out:
        click.echo(f"left out, because {config.profile} does not export {left.missing}: {left.alert}", err=True)
    if output == "grafana":
        for path, text in grafana_alerting_files(alerts, config).items():
            yield Artifact(path.rpartition("/")[2], text.encode())
        return
    for what in _lacks(config, alerts):
        click.echo(f"left out, because prometheus_version is {config.prometheus_version}: {what}", err=True)
    yield from build_rules(config, alerts, for_operator=output == "prometheusrule")


@command.command("check")
@profile_option
@config_option
@format_option
def check(profile: str | None, config_file: str | None, output: str) -> int:
    """Check the rules: by gpuboards itself, and by promtool where it is installed. Exit status 1 for any finding."""
    from dataclasses import asdict

    from builder.alerting import alert_groups
    from builder.rule_files import build_rules, rule_groups
    from builder.rules import check as own
    from builder.rules.alertmanager import Unguaranteed, unguaranteed
    from builder.rules.stages import Stage
    from builder.targets.promtool import check_rules

    config = load_config(config_file, profile=profile)
    alerts = alert_groups(config, Stage.FULL)
    groups = [*(group for several in rule_groups(config).values() for group in several), *alerts]
    findings: list[own.Finding | Unguaranteed] = [*own.check(groups), *unguaranteed(alerts)]
    said = check_rules({artifact.path: artifact.content for artifact in build_rules(config, alerts)})
    if said is None:
        click.echo("promtool is not installed: only gpuboards' own checks were made", err=True)
    if output == "json":
        click.echo(as_json({"findings": [asdict(found) for found in findings], "promtool": said}))
    else:
        for line in (*map(str, findings), *(f"promtool: {line}" for line in said or ())):
            click.echo(line)
        rules = sum(len(group.rules) for group in groups)
        click.echo(f"{len(groups)} groups, {rules} rules for {config.profile}: {len(findings)} findings", err=True)
    return 1 if findings or said else 0


def _lacks(config: Config, alerts: Sequence[Group]) -> tuple[str, ...]:
    from builder.rule_files import rule_groups
    from builder.rules.encode import Target

    groups = [*(group for several in rule_groups(config).values() for group in several), *alerts]
    return Target(config.prometheus_version, config.recording.query_offset).lacks(groups)


command.add_command(rules_backtest.command)
command.add_command(rules_explain.command)
command.add_command(rules_test.command)

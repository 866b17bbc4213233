"""``gpuboards rules``: the rules that Prometheus evaluates, built, checked, explained and tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from builder.cli import rules_explain, rules_test
from builder.cli.options import as_json, config_option, format_option, load_config, out_option, profile_option

if TYPE_CHECKING:
    from builder.config import Config

OUT = "provisioning/prometheus/rules"


@click.group("rules")
def command() -> None:
    """Recorded series, one name whatever the exporter, and the alerts on them.

    The same settings give the same bytes, always.
    """


@command.command("build")
@profile_option
@out_option(OUT)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if the directory differs.")
@click.option("--force", is_flag=True, help="Overwrite files that no earlier build wrote.")
@config_option
@click.option(
    "--format",
    "output",
    type=click.Choice(["prometheus", "prometheusrule"]),
    default="prometheus",
    show_default=True,
    help="Files for rule_files, or PrometheusRule for the Prometheus operator.",
)
def build(profile: str | None, out: str, only_check: bool, force: bool, config_file: str | None, output: str) -> int:
    """Write the rule files; prometheus.yml reads them with `rule_files: [rules/*.yml]`."""
    from pathlib import Path

    from builder.build import build_rules
    from builder.targets.files import check, write

    config = load_config(config_file, profile=profile)
    for what in _lacks(config):
        click.echo(f"left out, because prometheus_version is {config.prometheus_version}: {what}", err=True)
    artifacts = build_rules(config, for_operator=output == "prometheusrule")
    if only_check:
        differences = check(artifacts, Path(out))
        for word, paths in vars(differences).items():
            for path in paths:
                click.echo(f"{word}: {path}")
        click.echo(f"{out} differs" if differences else f"{out} is up to date", err=True)
        return 1 if differences else 0
    made_with = {"profile": config.profile, "also": list(config.recording.also), "format": output}
    report = write(artifacts, Path(out), force=force, made_with=made_with)
    click.echo(f"{out}: {', '.join(f'{len(paths)} {what}' for what, paths in vars(report).items())}")
    return 0


@command.command("check")
@profile_option
@config_option
@format_option
def check(profile: str | None, config_file: str | None, output: str) -> int:
    """Check the rules: by gpuboards itself, and by promtool where it is installed. Exit status 1 for any finding."""
    from dataclasses import asdict

    from builder.build import build_rules, rule_groups
    from builder.rules import check as own
    from builder.targets.promtool import check_rules

    config = load_config(config_file, profile=profile)
    groups = [group for several in rule_groups(config).values() for group in several]
    findings = own.check(groups)
    said = check_rules({artifact.path: artifact.content for artifact in build_rules(config)})
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


def _lacks(config: Config) -> tuple[str, ...]:
    from builder.build import rule_groups
    from builder.rules.encode import Target

    groups = [group for several in rule_groups(config).values() for group in several]
    return Target(config.prometheus_version, config.recording.query_offset).lacks(groups)


command.add_command(rules_explain.command)
command.add_command(rules_test.command)

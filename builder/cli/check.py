"""``gpuboards check``: lint of our boards and of anybody's dashboards, or their trial on a running Prometheus."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from builder.cli.check_live import FORMATS, check_live, live_options, refuse_without_server
from builder.cli.options import config_option, dashboards_option, load_config, profile_option, source_option

if TYPE_CHECKING:
    from builder.cli.checked import Checked

_SEVERITIES = click.Choice(["bug", "warning", "info"])


@click.command("check")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "github", "sarif", "markdown"]),
    default="text",
    help="How to answer; github and sarif without --prometheus, markdown with it.",
)
@click.option("--min-severity", type=_SEVERITIES, default="info", show_default=True, help="What to show.")
@click.option("--fail-on", type=_SEVERITIES, default="warning", show_default=True, help="What to exit with 1 for.")
@click.option("--only-changed", metavar="REV", help="Only panels that differ from this Git revision.")
@click.option("--fix", is_flag=True, help="Mend in the files what can be mended without changing what is shown.")
@click.option("--exemptions", "exemption_file", metavar="FILE", help="Accepted findings; default .gpuboards-lint.yaml.")
@click.option("--list-rules", is_flag=True, help="List the rules and check nothing.")
@live_options
@profile_option
@source_option
@dashboards_option
@config_option
def command(
    paths: tuple[str, ...],
    output: str,
    min_severity: str,
    fail_on: str,
    only_changed: str | None,
    fix: bool,
    exemption_file: str | None,
    list_rules: bool,
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
    **live: Any,
) -> int:
    """Find what is wrong with dashboards: the files and directories named, or the boards of --dashboards.

    With --prometheus they are opened on that server, and every panel is asked whether it shows anything. Credentials
    come from PROMETHEUS_TOKEN, or PROMETHEUS_USER and PROMETHEUS_PASSWORD, or what the options name.
    """
    if list_rules:
        click.echo(_rules())
        return 0
    server = live["prometheus"] is not None
    _refuse(server, output, only_changed, fix, exemption_file)
    if not server:
        refuse_without_server(live)
        _refuse_without_files(paths, only_changed, fix)
    from builder.cli.checked import from_definitions, from_files, written_exemptions
    from builder.cli.crash import versions
    from builder.config import resolve_profile
    from builder.lint import Severity
    from builder.lint.report.summary import Report

    config = load_config(config_file, profile=profile, source=source)
    checked = from_files(paths, config, profile) if paths else from_definitions(directories, config)
    if server:
        _say(checked, fail_on, min_severity)
        interval = 15 if paths else resolve_profile(config).interval  # what Grafana reckons with, and what we provision
        code = check_live(checked.subjects, live, output, interval=interval, least=min_severity, fail_on=fail_on)
        return 2 if checked.problems and code < 2 else code
    checked.exemptions = written_exemptions(exemption_file, checked.subjects)
    if fix:
        click.echo("mended {} findings in {} files".format(*checked.mend()), err=True)
    findings = checked.findings()
    if only_changed is not None:
        findings = checked.only_changed(findings, only_changed)
    shown = [finding for finding in findings if finding.severity >= Severity[min_severity.upper()]]
    _say(checked, fail_on, min_severity)
    unread = [str(problem) for problem in checked.problems]
    report = Report(shown, len(checked.subjects), unread, versions()["gpuboards"])
    if text := importlib.import_module(f"builder.lint.report.{output}").render(report):
        click.echo(text)
    if checked.problems:
        return 2
    return int(any(finding.severity >= Severity[fail_on.upper()] for finding in findings))


def _refuse(server: bool, output: str, only_changed: str | None, fix: bool, exemption_file: str | None) -> None:
    """Refuse what does not go together: a format of the other kind of check, and options of lint with a server."""
    from builder.errors import UsageError

    if server != (output == "markdown") and output not in ("text", "json"):
        kind = "a check on a server" if server else "lint"
        known = FORMATS if server else ("text", "json", "github", "sarif")
        raise UsageError(f"{kind} has no format {output}", where="--format", fix=f"use {' or '.join(known)}")
    if not server:
        return
    given = {"--only-changed": only_changed is not None, "--fix": fix, "--exemptions": exemption_file is not None}
    for option in (name for name, said in given.items() if said):
        raise UsageError(f"{option} is for dashboards that are read", fix="leave it or --prometheus out")


def _refuse_without_files(paths: tuple[str, ...], only_changed: str | None, fix: bool) -> None:
    from builder.errors import UsageError

    for option, given in (("--only-changed", only_changed is not None), ("--fix", fix)):
        if given and not paths:
            raise UsageError(
                f"{option} needs files",
                fix="name them, for example provisioning/dashboards; boards that are built have their definitions",
            )


def _say(checked: Checked, fail_on: str, min_severity: str) -> None:
    """What is to be said besides the findings."""
    from builder.lint import Severity

    for problem in checked.problems:
        click.echo(f"error: {problem}", err=True)
    if checked.others:
        click.echo(f"passed over: {checked.others} JSON files that are no classic dashboards", err=True)
    if Severity[fail_on.upper()] < Severity[min_severity.upper()]:
        click.echo(f"note: --fail-on {fail_on} may fail for what --min-severity {min_severity} hides", err=True)
    if not checked.subjects and not checked.problems:
        click.echo("note: there is no dashboard to check", err=True)


def _rules() -> str:
    from builder.lint.rules import RULES

    width = max(len(rule.id) for rule in RULES)
    return "\n".join(f"{rule.id:{width}}  {rule.severity.word:7}  {rule.fix}" for rule in RULES)

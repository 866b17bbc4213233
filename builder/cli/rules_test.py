"""``gpuboards rules test``: every alert on made-up data, judged by promtool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from builder.cli.options import as_json, config_option, format_option, load_config, not_empty, profile_option

if TYPE_CHECKING:
    from builder.alerting import UnitTests
    from builder.testing.promtool import Verdict


@click.command("test")
@click.argument("names", metavar="[ALERT]...", nargs=-1)
@click.option("--out", metavar="DIR", callback=not_empty, help="Write the rules and their tests there; run nothing.")
@profile_option
@config_option
@format_option
def command(names: tuple[str, ...], out: str | None, profile: str | None, config_file: str | None, output: str) -> int:
    """Prove by promtool that alerts fire, stay silent, clear, and survive gaps, new labels and a change of pods.

    The data is made from the profile's own spellings and the configured thresholds. All alerts, unless some are
    named.
    """
    from builder.alerting import alerts_of, unit_tests_of
    from builder.errors import UnknownName, UsageError
    from builder.rules.alerts import ALERTS

    for name in names:
        if name not in ALERTS:
            raise UnknownName("alert", name, ALERTS)
    config = load_config(config_file, profile=profile)
    built = alerts_of(config)
    tests = [each for each in unit_tests_of(config, built) if not names or each.alert in names]
    missing = [each for each in built.left_out if each.alert in names]
    if missing:
        raise UsageError(
            f"{missing[0].alert} has no rule: profile {config.profile} does not export {missing[0].missing}",
            fix=missing[0].fix,
        )
    if out is not None:
        _write(tests, out)
        click.echo(
            as_json({"out": out, "files": len(tests) * 2}) if output == "json" else f"{out}: {len(tests)} alerts"
        )
        return 0
    verdicts = _run(tests)
    judged = list(zip((each.name for each in tests), verdicts, strict=True))
    failed = [name for name, verdict in judged if not verdict.passed]
    if output == "json":
        results = [{"rule": name, "passed": v.passed, "said": "" if v.passed else v.said} for name, v in judged]
        click.echo(as_json({"profile": config.profile, "passed": not failed, "rules": results}))
    else:
        for verdict in verdicts:
            if not verdict.passed:
                click.echo(verdict.said)
        click.echo(f"{config.profile}: {len(tests) - len(failed)} of {len(tests)} rules passed")
        for name in failed:
            click.echo(f"failed: {name}")
    return 1 if failed else 0


def _run(tests: Sequence[UnitTests]) -> list[Verdict]:
    """The verdict on each, in order; a few at a time."""
    import os
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from builder.cli.progress import progress
    from builder.testing.promtool import promtool

    def judge(each: UnitTests) -> Verdict:
        files = dict([each.rules, each.tests])
        checked = promtool(["check", "rules"], files, on=[each.rules[0]])
        return promtool(["test", "rules"], files, on=[each.tests[0]]) if checked.passed else checked

    show = progress()
    with ThreadPoolExecutor(max_workers=max(os.cpu_count() or 1, 1)) as pool:
        pending = [pool.submit(judge, each) for each in tests]
        try:
            for done, judged in enumerate(as_completed(pending), start=1):
                judged.result()
                show("alerts", done, len(tests))
        except BaseException:
            pool.shutdown(cancel_futures=True)  # what has not begun need not, where promtool is missing
            raise
    return [judged.result() for judged in pending]


def _write(tests: Sequence[UnitTests], out: str) -> None:
    """All files or none. Raises OutputError."""
    from pathlib import Path

    from builder.errors import OutputError
    from builder.targets.atomic import staged

    try:
        with staged(Path(out)) as stage:
            for name, text in (file for each in tests for file in (each.rules, each.tests)):
                stage.add(name, text.encode())
            stage.put()
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=out, fix="choose another directory") from error

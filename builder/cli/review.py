"""``gpuboards review``: what a change does to the boards, as one report for a pull request."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from builder.cli.check_live import live_options, refuse_without_server
from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    load_config,
    not_empty,
    profile_option,
    source_option,
)

if TYPE_CHECKING:
    from builder.cli.review_pictures import Drawing
    from builder.config import Config
    from builder.review.model import Review

_SEVERITIES = click.Choice(["bug", "warning", "info", "never"])


@click.command("review")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--base", metavar="REV", help="What to compare with, for example origin/main.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="How to answer.",
)
@click.option(
    "--out", metavar="DIR", callback=not_empty, help="Also write review.md, review.json and review.html there."
)
@click.option(
    "--fail-on", type=_SEVERITIES, default="warning", show_default=True, help="New findings to exit with 1 for."
)
@click.option("--exemptions", "exemption_file", metavar="FILE", help="Accepted findings; default .gpuboards-lint.yaml.")
@click.option(
    "--artifact-url", metavar="URL", help="Where the page can be read; known by itself in Actions and GitLab CI."
)
@click.option("--post", type=click.Choice(["github", "gitlab"]), help="Make or renew the comment on the pull request.")
@click.option(
    "--number", type=click.IntRange(1), help="Of the pull or merge request, where the environment does not say."
)
@click.option(
    "--from", "directory", metavar="DIR", callback=not_empty, help="Post what an earlier --out wrote; build nothing."
)
@click.option(
    "--pictures/--no-pictures",
    default=None,
    help="Panels before and after in review.html; by itself where it can be drawn.",
)
@click.option("--fault", "faults", multiple=True, metavar="FAULT", help="Of the fleet in pictures; repeat it.")
@live_options
@profile_option
@source_option
@dashboards_option
@config_option
def command(
    paths: tuple[str, ...],
    base: str | None,
    output: str,
    out: str | None,
    fail_on: str,
    exemption_file: str | None,
    artifact_url: str | None,
    post: str | None,
    number: int | None,
    directory: str | None,
    pictures: bool | None,
    faults: tuple[str, ...],
    profile: str | None,
    source: str | None,
    directories: tuple[str, ...],
    config_file: str | None,
    **live: Any,
) -> int:
    """Report what the working tree changes in the boards since REV: in words, with new findings and sizes.

    The boards are built from the definitions, as few of them as the change can have touched; with PATHs they are JSON
    files there, as committed. With --prometheus the boards that differ are also opened on that server, as check does
    it. Exit status 1 for new findings (see --fail-on), not for changes.
    """
    from builder.errors import UsageError

    server = live["prometheus"] is not None
    if not server:
        refuse_without_server(live)
    if server and faults:
        raise UsageError("--fault is for a simulated fleet", fix="leave it or --prometheus out")
    if out is None and (pictures or faults):
        raise UsageError("pictures are in review.html", fix="say where to put it: --out review")

    if directory is not None:
        if post is None or base is not None or paths:
            raise UsageError("--from only posts", fix="gpuboards review --from DIR --post github")
        _post(post, _written(directory), number)
        return 0
    if base is None:
        raise UsageError("nothing says what to compare with", fix="name a revision: --base origin/main")
    from builder.cli.reviewed import reviewed
    from builder.cli.sides import Settings

    config = load_config(config_file, profile=profile, source=source)
    if faults:
        from builder.cli.review_pictures import check_faults

        check_faults(config, faults)
    settings = Settings(config, directories, config_file, profile, source)
    review = reviewed(base, paths, settings, exemption_file)
    trouble = ""
    if server:
        from builder.cli.review_live import asked

        review, trouble = asked(review, live, config, files=bool(paths))
    link = _artifact(artifact_url)
    if out is not None:
        _write_with_pictures(out, review, link, config, pictures, faults, live)
    click.echo(_answer(review, output, link), color=True)
    if post is not None:
        _post(post, _markdown(review, post, link), number)
    if trouble:
        click.echo(f"error: not all boards could be asked: {trouble}", err=True)
        return 3
    return _status(review, fail_on)


def _status(review: Review, fail_on: str) -> int:
    from builder.lint import Severity

    if fail_on == "never":
        return 0
    return int(any(finding.severity >= Severity[fail_on.upper()] for finding in review.findings))


def _answer(review: Review, output: str, link: str) -> str:
    if output == "json":
        from builder.review.facts import facts

        return as_json(facts(review))
    if output == "markdown":
        return _markdown(review, "github", link)
    from builder.review import text

    return text.render(review, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def _markdown(review: Review, forge: str, link: str) -> str:
    from builder.review import markdown

    return markdown.render(review, limit=markdown.LIMITS[forge], artifact=link)


def _artifact(given: str | None) -> str:
    """Where the forge keeps what the job leaves behind; empty where that is not known."""
    from builder.errors import UsageError

    if given is not None:
        if not given.startswith(("https://", "http://")) or any(c in given for c in " ()<>\n\"'"):
            raise UsageError("not a URL that can be linked to", where="--artifact-url")
        return given
    said = os.environ.get
    if said("GITHUB_RUN_ID") and said("GITHUB_REPOSITORY"):
        server = said("GITHUB_SERVER_URL", "https://github.com")
        return f"{server}/{said('GITHUB_REPOSITORY')}/actions/runs/{said('GITHUB_RUN_ID')}"
    return f"{said('CI_JOB_URL')}/artifacts/browse" if said("CI_JOB_URL") else ""


def _write_with_pictures(
    out: str,
    review: Review,
    link: str,
    config: Config,
    pictures: bool | None,
    faults: tuple[str, ...],
    live: dict[str, Any],
) -> None:
    from builder.cli.review_pictures import Drawing, Wanted, drawing

    if pictures is False:
        _write(out, review, link, Drawing())
        return
    with drawing(review, Wanted(config, bool(pictures), faults, live)) as drawn:
        for note in drawn.notes if drawn.draw is None else ():
            click.echo(f"note: {note}", err=True)
        _write(out, review, link, drawn)


def _write(out: str, review: Review, link: str, drawn: Drawing) -> None:
    from builder.review import page
    from builder.review.facts import facts
    from builder.targets.report_files import write_files

    texts = {
        "review.md": _markdown(review, "github", link),
        "review.json": f"{as_json(facts(review))}\n",
        "review.html": page.render(review, draw=drawn.draw, notes=drawn.notes),
    }
    write_files(out, {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})


def _written(directory: str) -> str:
    from pathlib import Path

    from builder.targets.dashboard_files import read

    return read(Path(directory, "review.md"))


def _post(forge: str, text: str, number: int | None) -> None:
    from builder.review.markdown import LIMITS, MARKER
    from builder.targets.forge import github, gitlab
    from builder.targets.forge.forge import Forge, post

    request: Forge
    if forge == "github":
        request, talk = github.connect(os.environ, number)
    else:
        request, talk = gitlab.connect(os.environ, number)
    try:
        done, comment = post(request, text[: LIMITS[forge] - len(MARKER) - 1], MARKER)
    finally:
        talk.close()
    click.echo(f"comment {done}{f': {comment.url}' if comment.url else ''}", err=True)

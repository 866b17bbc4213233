"""docs/review.md: its workflows are run as they stand, against a project and a forge on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.cli.prometheus_options import NAMES
from builder.cli.review import command as review
from tests.cli.test_bad_input import GOOD
from tests.docs.markdown import ROOT, blocks, rows
from tests.targets.forge.fake import ME, TOKEN, FakeForge, forge

PAGE = ROOT / "docs" / "review.md"
OWN = ROOT / ".github" / "workflows"
EXAMPLES = {block.file or "hook": yaml.safe_load(block.text) for block in blocks(PAGE) if block.language == "yaml"}
ACTIONS = EXAMPLES[".github/workflows/review.yml"], EXAMPLES[".github/workflows/comment.yml"]
GITLAB = EXAMPLES[".gitlab-ci.yml"]
HOOK = EXAMPLES[".pre-commit-config.yaml"]["repos"][0]["hooks"][0]


def commands(job: dict[str, Any]) -> list[str]:
    """What a job runs, but for the installation."""
    lines = job.get("script") or [step["run"] for step in job["steps"] if "run" in step]
    return [line for line in lines if not line.startswith(("pip install ", "apt-get ", "sudo apt-get "))]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout as the forges make it: a branch with a change, and the base as origin/main."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "mine.py").write_text(GOOD, encoding="utf-8")
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for line in (
        ("init", "--quiet", "--initial-branch=topic"),
        ("add", "."),
        (*who, "commit", "--quiet", "--message=boards"),
        ("update-ref", "refs/remotes/origin/main", "HEAD"),
    ):
        subprocess.run(["git", *line], cwd=tmp_path, check=True, timeout=60)
    (tmp_path / "boards" / "mine.py").write_text(GOOD.replace('"Utilisation"', '"Busy"'), encoding="utf-8")
    return tmp_path


@pytest.fixture
def hub() -> Iterator[FakeForge]:
    with forge() as running:
        yield running


def shell(line: str, here: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (here / "bin").mkdir(exist_ok=True)
    program = here / "bin" / "gpuboards"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m builder.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GPUBOARDS_", "GITHUB_", "CI_", "GITLAB_"))}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-ec", line],
        cwd=here,
        env={**clean, "PATH": path, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_github_actions(project: Path, hub: FakeForge) -> None:
    (build,) = commands(ACTIONS[0]["jobs"]["review"])
    done = shell(build, project, BASE="main")
    assert done.returncode == 0, done.stderr
    assert "renamed: Utilisation → Busy" in done.stdout
    run = {"head_branch": "topic", "head_sha": "abc", "head_repository": {"owner": {"login": ME}}}
    (project / "event.json").write_text(json.dumps({"workflow_run": run}), encoding="utf-8")
    hub.pulls = [{"number": 8, "head": {"label": f"{ME}:topic", "sha": "abc"}}]
    (post,) = commands(ACTIONS[1]["jobs"]["comment"])
    environment = {"GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": hub.url, "GITHUB_EVENT_PATH": "event.json"}
    done = shell(post, project, GITHUB_TOKEN=TOKEN, **environment)
    assert done.returncode == 0, done.stderr
    assert "`Utilisation` → `Busy`" in hub.comments[0]["body"]


def test_gitlab_ci(project: Path, hub: FakeForge) -> None:
    (build,), (post,) = (commands(GITLAB[name]) for name in ("review", "comment"))
    done = shell(build, project, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", CI_JOB_URL="https://lab.example/-/jobs/1")
    assert done.returncode == 0, done.stderr
    environment = {"CI_PROJECT_ID": "7", "CI_API_V4_URL": hub.url, "CI_MERGE_REQUEST_IID": "5"}
    done = shell(post, project, GITLAB_TOKEN=TOKEN, **environment)
    assert done.returncode == 0, done.stderr
    assert hub.writes == ["POST /projects/7/merge_requests/5/notes"]
    assert "(https://lab.example/-/jobs/1/artifacts/browse)" in hub.comments[0]["body"]


def test_the_hook(project: Path) -> None:
    done = shell(HOOK["entry"], project)
    assert done.returncode == 0, done.stderr
    assert "1 board differs" in done.stdout
    assert HOOK["language"] == "system" and HOOK["pass_filenames"] is False


def test_what_builds_holds_no_secret_and_what_holds_one_builds_nothing() -> None:
    for build, comment in (ACTIONS, [yaml.safe_load((OWN / f"{n}.yml").read_text()) for n in ("review", "comment")]):
        assert build["permissions"] == {"contents": "read"}
        assert build[True] == "pull_request", "YAML reads the key `on` as true"
        assert not any(word in json.dumps(build) for word in ("secrets.", "github.token", "TOKEN"))
        assert comment["permissions"]["pull-requests"] == "write"
        assert all("--from" in line for line in commands(comment["jobs"]["comment"]))
        assert list(comment[True]) == ["workflow_run"] and comment[True]["workflow_run"]["workflows"] == [build["name"]]
    assert "--from" in commands(GITLAB["comment"])[0]


def test_the_project_reviews_itself() -> None:
    own, shown = (
        commands(workflow["jobs"]["review"])
        for workflow in (yaml.safe_load((OWN / "review.yml").read_text()), ACTIONS[0])
    )
    assert own == [line.replace(" --dashboards boards", "") for line in shown]


def test_every_option_of_its_own_is_on_the_page() -> None:
    text = " ".join(cells[0] for cells in rows(PAGE)).replace("`", " ")
    elsewhere = {f"--{name.replace('_', '-')}" for name in NAMES}  # docs/check-live.md
    shared = {"--profile", "--source", "--dashboards", "--config", "--base", "--header", *elsewhere}
    options = {name for option in review.params for name in option.opts if name.startswith("--")}
    assert {name for name in options - shared if f"{name} " not in text} == set()

"""The README as a newcomer follows it: a fresh copy of the repository, one terminal, every block in order."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import yaml

from builder.config import parse
from tests.docs.markdown import ROOT, Block, blocks
from tests.docs.session import Answer, files_named, go_through, in_order, runs_here, shown

PAGE = blocks(ROOT / "README.md")
FILES = [block for block in PAGE if block.language in ("python", "yaml")]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".tools", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    """What the commands printed, in a copy of the repository in which nothing is prepared."""
    copy = tmp_path_factory.mktemp("clone") / "gpuboards"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    if (ROOT / ".tools").exists():
        (copy / ".tools").symlink_to(ROOT / ".tools")  # spares a download, and is what a second run finds
    unset = ("GPUBOARDS_", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    return go_through(PAGE, copy, environment)


@pytest.mark.live
def test_every_command_works_and_prints_what_the_page_shows(answers: list[Answer]) -> None:
    assert [answer.block for answer in answers] == [block for block in PAGE if runs_here(block)]
    for answer in answers:
        missing = in_order(shown(PAGE, answer.block), answer.output)
        assert not missing, f"README line {answer.block.line} shows {missing}, but it printed:\n{answer.output}"


def test_every_block_is_covered() -> None:
    for block in PAGE:
        assert block.language in ("sh", "python", "yaml", "text"), f"line {block.line}"
    illustrating = [block for block in PAGE if block.language == "text" and block.above]
    assert len(illustrating) == 1, "a text block shows the output of the commands above it, but for the mistake"


@pytest.mark.parametrize("block", [b for b in PAGE if b.language == "sh" and not runs_here(b)], ids=lambda b: b.line)
def test_commands_for_elsewhere_name_files_that_exist(block: Block) -> None:
    named = files_named(block)
    assert named
    assert all((ROOT / file).exists() for file in named)


def test_the_compose_command_gives_what_the_compose_file_asks_for() -> None:
    command = next(block.text for block in PAGE if "docker compose" in block.text)
    compose = (ROOT / "provisioning/compose.yaml").read_text()
    assert "${GRAFANA_ADMIN_PASSWORD:?" in compose and command.startswith("GRAFANA_ADMIN_PASSWORD=")
    assert "127.0.0.1:3000:3000" in yaml.safe_load(compose)["services"]["grafana"]["ports"]
    assert "http://127.0.0.1:3000" in (ROOT / "README.md").read_text()


def test_the_targets_file_is_one_that_prometheus_reads() -> None:
    block = next(block for block in FILES if block.file.startswith("provisioning/prometheus/"))
    settings = yaml.safe_load((ROOT / "provisioning/prometheus/prometheus.yml").read_text())
    patterns = [
        pattern
        for job in settings["scrape_configs"]
        for config in job.get("file_sd_configs", ())
        for pattern in config["files"]
    ]
    assert any(Path(block.file).match(f"provisioning/prometheus/{pattern}") for pattern in patterns)
    assert all(group["targets"] for group in yaml.safe_load(block.text))


def test_the_configuration_is_one() -> None:
    parse(next(block.text for block in FILES if block.file == "gpuboards.yaml"), "README.md")


def test_the_own_board_is_short_and_the_example() -> None:
    text = next(block.text for block in PAGE if block.language == "python")
    assert text == (ROOT / "docs/examples/team.py").read_text()
    assert len(text.splitlines()) <= 15


def test_the_mistake_says_what_the_page_shows(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from builder.cli import run

    good = next(block.text for block in PAGE if block.language == "python")
    shows = next(block.text for block in PAGE if block.language == "text" and block.above)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards/team.py").write_text(good.replace("busy_share", "busy_shares"))
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path)
        assert run(["build", "--dashboards", "boards", "--out", "team"]) == 2
    assert capfd.readouterr().err == shows
    assert not (tmp_path / "team").exists()

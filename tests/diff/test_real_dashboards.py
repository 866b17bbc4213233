"""Dashboards as people really changed them: every version of the same one beside the next."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from builder.diff import compare
from builder.diff.show import facts, html, markdown, text
from tests.diff.applying import untold

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = os.environ.get("GPUBOARDS_REFERENCE")
OURS = "provisioning/dashboards/gpuboards"


def upstream() -> Iterator[Any]:
    """Pairs of versions of one upstream dashboard: files of one uid."""
    versions: dict[str, list[Path]] = defaultdict(list)
    for path in sorted((Path(REFERENCE) / "data" / "dashboards").glob("*.json")) if REFERENCE else ():
        versions[json.loads(path.read_text(encoding="utf-8")).get("uid") or path.name].append(path)
    for paths in versions.values():
        for pair in combinations(paths, 2):
            yield pytest.param(*pair, id=" and ".join(path.stem for path in pair))


def is_told(before: dict[str, Any], after: dict[str, Any]) -> None:
    for one, two in ((before, after), (after, before)):
        diff = compare(one, two)
        assert bool(diff) == (one != two)
        assert untold(diff, one, two) == []
        for shown in (text.render([diff]), markdown.render([diff]), html.render(diff)):
            assert all(f" {part.what} " in shown or part.what in ("board",) or part.name for part in diff.parts)
        assert json.loads(json.dumps(facts.facts(diff)))["status"] == ("changed" if diff else "equal")


@pytest.mark.skipif(not REFERENCE, reason="upstream dashboards are not shipped; set GPUBOARDS_REFERENCE")
@pytest.mark.parametrize(("before", "after"), list(upstream()))
def test_versions_of_an_upstream_dashboard(before: Path, after: Path) -> None:
    is_told(*(json.loads(path.read_text(encoding="utf-8")) for path in (before, after)))


@pytest.mark.skipif(not REFERENCE, reason="upstream dashboards are not shipped; set GPUBOARDS_REFERENCE")
def test_an_upstream_dashboard_is_equal_to_itself() -> None:
    for path in (Path(str(REFERENCE)) / "data" / "dashboards").glob("*.json"):
        board = json.loads(path.read_text(encoding="utf-8"))
        assert not compare(board, json.loads(path.read_text(encoding="utf-8"))), path.name


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="no Git history here")
def test_our_boards_across_our_own_history() -> None:
    commits = git("log", "--reverse", "--format=%h", "--", OURS).split()
    if len(commits) < 2:
        pytest.skip("the history is cut off (shallow clone): nothing to compare")
    for old, new in pairwise(commits):
        names = git("ls-tree", "--name-only", f"{old}:{OURS}").split()
        for name in (name for name in names if re.fullmatch(r"[\w-]+\.json", name)):
            if name in git("ls-tree", "--name-only", f"{new}:{OURS}").split():
                is_told(*(json.loads(git("show", f"{commit}:{OURS}/{name}")) for commit in (old, new)))

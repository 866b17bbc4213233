"""Who may import whom: the contracts of pyproject.toml, and what they cannot see."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import BUILDER, ROOT, imports, name_of, tree_of

FACADE = "builder/__init__.py"
PLUG_INS = ("builder/cli/", "builder/lint/", "builder/probe/")
"""Commands, rules, and libraries that need not be installed are imported when they are used, by their names."""


def test_dependencies_run_one_way() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


def test_only_grafana_knows_grafanalib_however_it_is_imported() -> None:
    importers = {
        name_of(path) for path in BUILDER if any(name.split(".")[0] == "grafanalib" for name in imports(tree_of(path)))
    }
    assert importers
    assert {name for name in importers if not name.startswith("builder/grafana/")} == set()


@pytest.mark.parametrize("path", BUILDER, ids=name_of)
def test_nothing_is_imported_by_a_relative_name(path: Path) -> None:
    assert [name for name in imports(tree_of(path)) if name.startswith(".")] == []


def test_only_the_facade_and_plug_ins_import_by_a_computed_name() -> None:
    computed = {
        name_of(path)
        for path in BUILDER
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func)
    }
    assert {name for name in computed if not name.startswith(PLUG_INS)} == {FACADE}


def test_importing_the_package_imports_neither_grafanalib_nor_a_parser() -> None:
    code = "import sys, builder; sys.exit(any(m in sys.modules for m in ('grafanalib', 'promql_parser', 'yaml')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_review_starts_the_build_of_the_old_boards_before_it_imports_what_builds_and_checks() -> None:
    late = ("builder.build", "builder.diff", "builder.lint", "grafanalib", "hashlib", "promql_parser")
    code = f"import sys, builder.cli.reviewed; sys.exit(any(m in sys.modules for m in {late}))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_every_public_name_exists() -> None:
    import builder

    assert builder.__all__ == sorted(set(builder.__all__))
    assert [name for name in builder.__all__ if getattr(builder, name, None) is None] == []
    with pytest.raises(AttributeError, match="'builder' has no attribute 'TimeSerie'"):
        builder.TimeSerie  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    import builder

    tree = tree_of(ROOT / FACADE)
    checked = next(n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    seen = [alias.asname for n in checked.body if isinstance(n, ast.ImportFrom) for alias in n.names]
    assert sorted(filter(None, seen)) == builder.__all__

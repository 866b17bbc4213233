"""The project's own files and their syntax trees, for tests about the project itself."""

from __future__ import annotations

import ast
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BUILDER = sorted((ROOT / "builder").rglob("*.py"))
BOARDS = sorted(path for path in (ROOT / "dashboards").glob("*.py"))
_LEFT_BY_TOOLS = {".venv", ".tools", "__pycache__", "build", "dist"} | {
    f".{tool}_cache" for tool in ("mypy", "pytest", "ruff", "import_linter")
}


def name_of(path: Path) -> str:
    """The path as people write it: from the top of the project, with forward slashes."""
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, at whatever depth; ``from a import b`` is ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def committed() -> list[Path]:
    """Every file that belongs to the project: tracked, or not ignored; without git, all but what tools leave."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return sorted(
            path
            for path in ROOT.rglob("*")
            if path.is_file() and not any(part in _LEFT_BY_TOOLS or part.endswith(".egg-info") for part in path.parts)
        )
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())

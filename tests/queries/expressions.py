"""The goldens of the questions: what each becomes for each profile. Run as a module, it writes or checks them."""

from __future__ import annotations

import sys
from pathlib import Path

from builder.catalog.profiles import GPU_PROFILES
from builder.errors import SignalMissing
from builder.queries.source import Source
from tests.queries.asking import questions, source

FOLDER = Path(__file__).parent / "expressions"
VARIABLES = ("cluster", "node", "gpu", "namespace", "pod", "container", "model")


def path_of(profile: str) -> Path:
    """Where the golden of a profile lies."""
    return FOLDER / f"{profile}.txt"


def listing(profile: str) -> str:
    """Every question and variable with its expression, as asked by a board with $cluster, $node and $gpu_id."""
    asked = source(profile)
    lines = [f"# {profile}: what boards ask. Written by scripts/golden; do not edit.", ""]
    for name, question in sorted(questions().items()):
        try:
            answer = question.ask(asked).text
        except SignalMissing as missing:
            answer = f"- {missing}"
        lines += [name, f"  {answer}", ""]
    for label in VARIABLES:
        lines += [f"choices of {label}", f"  {_choices(asked, label)}", ""]
    return "\n".join(lines)


def _choices(asked: Source, label: str) -> str:
    try:
        choices = asked.choices(label)
    except SignalMissing as missing:
        return f"- {missing}"
    return f"{choices.query} {choices.regex}".strip()


def differing() -> list[str]:
    """The goldens that are not what the questions give, as paths."""
    wanted = {path_of(profile): listing(profile) for profile in GPU_PROFILES}
    stale = {path for path in FOLDER.glob("*.txt") if path not in wanted}
    differs = {p for p, text in wanted.items() if not p.exists() or p.read_text(encoding="utf-8") != text}
    return sorted(str(path.relative_to(Path.cwd())) for path in stale | differs)


def write() -> None:
    """Make the goldens what the questions give."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        if path.stem not in GPU_PROFILES:
            path.unlink()
    for profile in GPU_PROFILES:
        path_of(profile).write_text(listing(profile), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """``--check`` names what differs and returns 1; without it the files are written."""
    if arguments == ["--check"]:
        for path in differing():
            sys.stdout.write(f"{path} differs from what the questions give\n")
        return 1 if differing() else 0
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

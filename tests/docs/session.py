"""A page's blocks, gone through in order by one reader at one terminal."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs.markdown import Block

ELSEWHERE = re.compile(r"^(?:\w+='[^']*' )?(docker|kubectl|sudo)\b")
"""Commands that need another machine or change this one. They are read, not run: see ``files_named``."""

_MARK = "@@ block "


@dataclass(frozen=True)
class Answer:
    """A block that was run, and what it printed."""

    block: Block
    output: str


def runs_here(block: Block) -> bool:
    """True for commands that a test can run."""
    return block.language == "sh" and not ELSEWHERE.match(block.text)


def go_through(page: Sequence[Block], directory: Path, environment: Mapping[str, str]) -> list[Answer]:
    """Save the files and run the commands of a page; AssertionError with what was printed where one fails."""
    script = ["set -e"]
    for block in page:
        if block.language in ("python", "yaml"):
            script.append(_saving(block))
        elif runs_here(block):
            script += [f"echo {shlex.quote(_MARK + str(block.line))}", block.text]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=directory,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"exit code {done.returncode}:\n{done.stdout}"
    outputs = re.split(rf"^{_MARK}(\d+)\n", done.stdout, flags=re.MULTILINE)[1:]
    printed = dict(zip(outputs[::2], outputs[1::2], strict=True))
    return [Answer(block, printed[str(block.line)]) for block in page if runs_here(block)]


def _saving(block: Block) -> str:
    assert block.file, f"line {block.line}: the text above does not say which file this is"
    path = shlex.quote(block.file)
    return f"mkdir -p $(dirname {path})\ncat >{path} <<'END OF BLOCK'\n{block.text}END OF BLOCK"


def shown(page: Sequence[Block], block: Block) -> list[str]:
    """The lines that the page shows as the block's output, ``...`` left out; none where it shows nothing."""
    after = page[page.index(block) + 1 :]
    if not after or after[0].language != "text" or after[0].above:
        return []
    return [line for line in after[0].text.splitlines() if line.strip() not in ("...", "")]


def in_order(lines: Sequence[str], output: str) -> list[str]:
    """The lines that the output does not have, in this order; ``...`` in a line stands for anything."""
    there = iter(output.splitlines())
    patterns = {line: re.escape(line.rstrip()).replace(r"\.\.\.", ".+") for line in lines}
    return [line for line in lines if not any(re.fullmatch(patterns[line], found.rstrip()) for found in there)]


def files_named(block: Block) -> list[str]:
    """The files of the repository that the commands of a block name."""
    words = (word for line in block.text.splitlines() for word in line.split())
    return [word.partition("=")[2] or word for word in words if "provisioning/" in word and "/etc/" not in word]

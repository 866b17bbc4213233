"""What the tests read in a Markdown page: fenced blocks, links, headings, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FILE = re.compile(r"`([\w./-]+\.(?:py|ya?ml))`")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, its line, and the paragraph above it."""

    language: str
    text: str
    line: int
    above: str

    @property
    def file(self) -> str:
        """The file that the reader is asked to save the block as: the last one named in the paragraph above."""
        named = _FILE.findall(self.above)
        return named[-1] if named else ""


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text()
    found = []
    for match in _FENCE.finditer(text):
        before = text[: match.start()]
        above = before.rstrip("\n").rpartition("\n\n")[2]
        found.append(Block(match[1], match[2], before.count("\n") + 1, "" if above.endswith("```") else above))
    return found


def links(page: Path) -> list[str]:
    """The targets of a page's links, fenced blocks aside."""
    return _LINK.findall(_FENCE.sub("", page.read_text()))


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may name, as GitHub and GitLab spell it."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows(page: Path) -> Iterator[list[str]]:
    """The cells of each table row, heads and rules left out."""
    lines = page.read_text().splitlines()
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if line.startswith("|") and not line.startswith("|---") and not following.startswith("|---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]

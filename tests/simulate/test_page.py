"""docs/simulate.md lists kinds of fault and schemes as they are; `python -m tests.simulate.test_page` renews it."""

from __future__ import annotations

from pathlib import Path

from builder.simulate import KINDS
from builder.simulate.exposition.schemes import SCHEMES

PAGE = Path(__file__).parents[2] / "docs/simulate.md"
BEGIN, END = "<!-- kinds -->\n", "<!-- end -->"


def renewed(text: str) -> str:
    """The page with its table of faults as the code has it."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    rows = ["| kind | place | what | value |", "|---|---|---|---|"]
    for name, kind in KINDS.items():
        value = f"{kind.value:g} {kind.unit}" if kind.unit else ""
        rows.append(f"| `{name}` | {'node' if kind.on_node else 'card'} | {kind.help} | {value} |")
    return before + BEGIN + "\n".join(rows) + "\n" + END + after


def test_the_table_of_faults_is_up_to_date() -> None:
    assert renewed(PAGE.read_text()) == PAGE.read_text(), "run `python -m tests.simulate.test_page`"


def test_every_scheme_is_named() -> None:
    lines = PAGE.read_text().splitlines()
    for profile, schemes in SCHEMES.items():
        row = next(line for line in lines if line.startswith("| ") and f"`{profile}`" in line)
        assert all(f"`{name}`" in row for name in schemes), profile


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))

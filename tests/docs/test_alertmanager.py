"""docs/alertmanager.md against what the configuration takes and what the templates show."""

from __future__ import annotations

import re

from builder.config import parse
from builder.provisioning.alertmanager import alertmanager_files
from builder.rules.alertmanager import INHIBITIONS, texts
from builder.rules.alertmanager.kinds import KINDS
from builder.rules.alertmanager.settings import OLDEST
from tests.docs.markdown import ROOT, blocks, rows

PAGE = ROOT / "docs/alertmanager.md"
TEXT = PAGE.read_text(encoding="utf-8")


def _words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_every_kind_has_a_row_with_its_fields() -> None:
    kinds = [cells for cells in rows(PAGE) if len(cells) == 4 and re.fullmatch(r"0\.\d+", cells[3])]
    documented = {cells[0].strip("`"): cells for cells in kinds}
    assert documented.keys() == KINDS.keys()
    for name, kind in KINDS.items():
        _, needs, may, since = documented[name]
        assert _words(needs) | _words(may) | {"send_resolved"} == set(kind.fields), name
        assert set(kind.needs) <= _words(needs), name
        assert since == ".".join(map(str, kind.since or OLDEST)), name


def test_the_example_is_read() -> None:
    (example,) = [block for block in blocks(PAGE) if block.language == "yaml" and "alertmanager:" in block.text]
    settings = parse(example.text, "docs/alertmanager.md").alertmanager
    assert "alertmanager/dingtalk/gpuboards.tmpl" in alertmanager_files(settings)


def test_every_inhibition_has_a_row_with_the_labels_it_compares() -> None:
    table = TEXT.partition("## What silences what")[2].partition("\n\nTo Alertmanager")[0]
    compared = [re.findall(r"`(\w+)`", line.rpartition("| `")[2].join(("`", ""))) for line in table.splitlines()[4:]]
    assert compared == [list(rule.equal) for rule in INHIBITIONS]


def test_the_annotations_that_messages_show_are_named() -> None:
    section = TEXT.partition("## What a message says")[2]
    assert all(f"`{name}`" in section for name in texts.ANNOTATIONS)

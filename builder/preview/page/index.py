"""The page that leads to the pages of several boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from builder.preview.page.frame import POLICY, framed
from builder.preview.page.markup import tag, text


def index(boards: Sequence[tuple[str, str, str]], *, source: str, extra_head: str = "", policy: str = POLICY) -> str:
    """Links to the boards, each given by file name, title and description."""
    titles = Counter(title.strip() for _, title, _ in boards)
    items = [
        tag(
            "li",
            tag("a", text(_name(title, file, titles)), href=file),
            tag("p", text(description)) if description else "",
        )
        for file, title, description in boards
    ]
    honest = tag("p", tag("strong", "Preview, not Grafana."), f" {text(source)}", class_="honest")
    body = tag("header", tag("h1", "Preview of boards"), honest) + tag("main", tag("ul", *items, class_="index"))
    return framed("Preview of boards", body, extra_head=extra_head, policy=policy)


def _name(title: str, file: str, titles: Mapping[str, int]) -> str:
    """What to call a board: by its title alone where no other has it."""
    name = file.removesuffix(".html")
    return name if not title.strip() else title if titles[title.strip()] == 1 else f"{title} ({name})"

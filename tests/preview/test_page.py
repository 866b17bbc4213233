"""The page stands alone, says what it is, and shows text as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from builder.preview.page import complaint, index, page
from builder.preview.page.document import Drawn
from tests.preview.made import END, HOSTILE, board, every_kind, panel, series, target

MAY_STAND = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "article", "details", "summary"),
    *("h1", "h2", "h3", "p", "strong", "em", "a", "dl", "dt", "dd", "ul", "li", "div", "span", "i", "pre", "code"),
    *("table", "thead", "tbody", "tr", "th", "td", "fieldset", "legend", "label", "input"),
    *("svg", "defs", "g", "path", "use", "text", "tspan", "polyline", "clippath", "rect", "image"),
}


class Reader(HTMLParser):
    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html_markdown_and_script_in_a_name_are_shown_as_text() -> None:
    read = Reader(page(every_kind(HOSTILE), source=HOSTILE))
    assert {tag for tag, _ in read.tags} <= MAY_STAND
    for tag, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("href", "src", "xlink:href"):
            assert re.match(r"(#|data:image/png;base64,|$)", attributes.get(name) or ""), attributes
    shown = "".join(read.text)
    for what in ("row", "graph", "table", "one", "failed", "logs"):
        assert f"{HOSTILE} {what}" in shown or f"{HOSTILE} parse error" in shown, what
    assert "$x_1$" in shown  # no formula is made of it


def test_markdown_is_laid_out_in_a_text_panel_without_pictures_and_scripts() -> None:
    read = Reader(page(every_kind("*GPU* ![x](http://elsewhere/x.png) [y](javascript:z)"), source=""))
    assert ("em", {}) in read.tags
    assert not [attributes for tag, attributes in read.tags if tag in ("img", "a")]


def test_a_page_needs_nothing_from_elsewhere() -> None:
    markup = page(every_kind(), source="made")
    assert "default-src &#x27;none&#x27;" in markup
    without_names = markup.replace("http://www.w3.org/1999/xlink", "").replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in without_names and "https:" not in without_names
    assert "url(" not in re.sub(r"url\(#\w+\)", "", markup)
    assert "<script" not in markup


def test_a_page_says_that_it_is_no_grafana_and_where_its_data_are_from() -> None:
    shown = "".join(Reader(page(every_kind(), source="Data: made up")).text)
    assert "Preview, not Grafana. Data: made up, 2026-01-01 00:00 to 2026-01-01 01:00 UTC" in shown
    assert "Collapsed rows are opened" in shown


def test_every_panel_has_a_heading_and_every_drawing_is_told_in_words() -> None:
    read = Reader(page(every_kind(), source=""))
    identities = {attributes["id"] for _, attributes in read.tags if "id" in attributes}
    panels = [attributes for tag, attributes in read.tags if tag == "article"]
    assert len(panels) == 15
    assert all(attributes["aria-labelledby"] in identities for attributes in panels)
    drawings = [attributes for _, attributes in read.tags if attributes.get("role") == "img"]
    words = [str(attributes["aria-label"]).split(";")[0] for attributes in drawings]
    assert words == [
        "Graph of 3 series",
        "Gauge: value 42%",
        "Heatmap of 6 lines",
        "Histogram of 61 values from 0.0314 to 60.0",
        "State timeline of 1 series",
        "Status history of 1 series",
    ]


def test_what_can_be_scrolled_can_be_reached_by_key() -> None:
    read = Reader(page(every_kind(), source=""))
    scrolled = [a for _, a in read.tags if set((a.get("class") or "").split()) & {"table", "bars", "prose"}]
    assert len(scrolled) >= 4
    assert all(a.get("tabindex") == "0" for a in scrolled if "prose" not in (a.get("class") or "") or "tabindex" in a)


def test_no_two_elements_have_one_id() -> None:
    identities = [a["id"] for _, a in Reader(page(every_kind(), source="")).tags if "id" in a]
    assert len(identities) == len(set(identities))


def test_the_same_board_gives_the_same_bytes_and_what_was_drawn_is_not_drawn_again() -> None:
    drawn: Drawn = {}
    first = page(every_kind(), source="", drawn=drawn)
    assert len(drawn) == 15
    assert page(every_kind(), source="") == first
    marked: Drawn = dict.fromkeys(drawn, "drawn before")
    assert page(every_kind(), source="", drawn=marked).count("drawn before") == 15


def test_boards_of_one_title_and_of_none_are_told_apart() -> None:
    listed = index([("a.html", "GPU", ""), ("b.html", "GPU", ""), ("c.html", " ", ""), ("d.html", "D", "")], source="")
    assert re.findall(r"<a [^>]*>([^<]*)</a>", listed) == ["GPU (a)", "GPU (b)", "c", "D"]


def test_the_index_and_a_complaint_escape_too() -> None:
    listed = Reader(index([("a.html", HOSTILE, HOSTILE)], source=HOSTILE))
    assert [a["href"] for tag, a in listed.tags if tag == "a"] == ["a.html"]
    assert {tag for tag, _ in listed.tags} <= MAY_STAND
    assert HOSTILE in "".join(Reader(complaint(HOSTILE)).text)


def test_a_table_that_was_cut_says_so() -> None:
    rows = [series("", [(END, 1.0)], node=f"n{n}") for n in range(203)]
    cut = board([panel("table", "Long", 0, 0)], {"Long": [target(*rows, instant=True)]})
    assert "3 more rows" in "".join(Reader(page(cut, source="")).text)

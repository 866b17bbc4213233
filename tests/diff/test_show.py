"""Differences as people read them, and text that means nothing but itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from builder.diff import compare
from builder.diff.layout import laid_out, tokens
from builder.diff.marked import block, carets
from builder.diff.show import facts, html, markdown, text
from builder.diff.show.visible import visible
from tests.diff.test_compare import A, B, board, panel

EXPR = 'sum by (node) (rate(requests_total{job="$job"}[5m])) / sum by (node) (rate(limits_total{job="$job"}[5m]))'


def changed(**more: Any) -> dict[str, Any]:
    defaults = more.pop("defaults", None)
    return {**A, **more, **({"fieldConfig": {"defaults": defaults}} if defaults else {})}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"defaults": {"unit": "bytes"}}, {"defaults": {"unit": "s"}}, "unit: bytes → s"),
        ({}, {"defaults": {"min": 0}}, "minimum added: 0"),
        ({"defaults": {"noValue": "-"}}, {}, "text for no value removed, was: -"),
        ({}, {"defaults": {"color": {"mode": "fixed", "fixedColor": "red"}}}, "colour added: fixed red"),
        (
            {
                "defaults": {
                    "thresholds": {"mode": "absolute", "steps": [{"color": "green"}, {"color": "red", "value": 1}]}
                }
            },
            {
                "defaults": {
                    "thresholds": {"mode": "absolute", "steps": [{"color": "green"}, {"color": "red", "value": 2}]}
                }
            },
            "thresholds: green, red from 1 → green, red from 2",
        ),
        (
            {},
            {"defaults": {"mappings": [{"type": "value", "options": {"0": {"text": "down", "color": "red"}}}]}},
            "value mappings: none → 0 is down (red)",
        ),
        ({"defaults": {"custom": {"lineWidth": 1}}}, {"defaults": {"custom": {"lineWidth": 3}}}, "line width: 1 → 3"),
        ({}, {"options": {"legend": {"placement": "right"}}}, "legend: placement: bottom → right"),
        ({}, {"options": {"new": True}}, "options.new added: yes"),
        ({"transparent": True}, {}, "transparent background: yes → no"),
        ({}, {"gridPos": {**A["gridPos"], "w": 6}}, "resized: 12 × 8 → 6 × 8"),
        ({}, {"gridPos": {**A["gridPos"], "x": 12}}, "moved: column 0, line 0 → column 12, line 0"),
        ({}, {"datasource": {"type": "prometheus", "uid": "x"}}, "data source added: prometheus x"),
        ({}, {"type": "stat"}, "visualisation: timeseries → stat"),
    ],
)
def test_settings_in_words(before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    lines = text.render([compare(board(changed(**before)), board(changed(**after)))]).splitlines()
    assert [line.strip() for line in lines[2:]] == [said]


def test_words_are_used_only_where_they_say_everything() -> None:
    steps = [{"color": "green"}, {"color": "red", "value": 1, "odd": True}]
    shown = text.render(
        [compare(board(A), board(changed(defaults={"thresholds": {"mode": "absolute", "steps": steps}})))]
    )
    assert '"odd": true' in shown


def test_a_query_is_laid_out_and_what_changed_in_it_is_marked() -> None:
    one, two = (
        panel(0, "a", targets=[{"refId": "A", "expr": EXPR.replace("5m", window, 1)}]) for window in ("5m", "1m")
    )
    assert text.render([compare(board(one), board(two))]).splitlines() == [
        "~ B (b): 1 panel changed",
        "  ~ panel a",
        "      query A changed",
        '        - sum by (node) (rate(requests_total{job="$job"}[5m]))',
        "                                                         ^^",
        '        + sum by (node) (rate(requests_total{job="$job"}[1m]))',
        "                                                         ^^",
        '          / sum by (node) (rate(limits_total{job="$job"}[5m]))',
    ]
    assert "<del>5m</del>" in html.render(compare(board(one), board(two)))
    assert "\x1b[7;31m5m\x1b[0m" in text.render([compare(board(one), board(two))], colour=True)


@pytest.mark.parametrize(
    "query", [EXPR, "up", "", "((((", '{a="b"} |= "x" | json', "rate(x[$__rate_interval]) + -1", "# a\nup"]
)
def test_laying_out_changes_blanks_only(query: str) -> None:
    lines = laid_out(query, 20)
    assert tokens("\n".join(lines)) == tokens(query)


def test_equal_lines_far_from_a_difference_are_counted() -> None:
    lines = [str(number) for number in range(20)]
    shown = block(lines, [*lines[:10], "new", *lines[11:]])
    assert [line.sign for line in shown] == ["…", " ", " ", "-", "+", " ", " ", "…"]
    assert (shown[0].skipped, shown[-1].skipped) == (8, 7)
    assert carets(block(["a b c"], ["a x c"])[0]) == "  ^"


def test_marks_stand_below_what_they_mark_as_it_is_shown() -> None:
    below = carets(block(["\t負荷 e\u0301\x1b b"], ["\t負荷 e\u0301\x1b x"])[0], visible)
    assert below == " " * len("    ____ e" + "\\u001b ") + "^"


def test_a_large_difference_takes_no_time_to_mark() -> None:
    one, two = ([f"{side} {number}" for number in range(20_000)] for side in "ab")
    assert len(block(one, two)) == 40_000


# foreign text ------------------------------------------------------------------------------------

NASTY = "<script>alert(1)</script> [x](javascript:y) @everybody ``` `a` **b** <!-- -->\n# T\x1b[31m\u202e"


class Tags(HTMLParser):
    """Which elements and attributes a piece of HTML has, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.text += data


def nasty() -> tuple[dict[str, Any], dict[str, Any]]:
    one = board({**A, "title": NASTY, "description": "x"}, B, title=NASTY)
    two = board({**A, "title": NASTY, "description": NASTY * 3, NASTY: NASTY}, {**B, "title": NASTY}, title=NASTY + "2")
    two["templating"] = {"list": [{"name": NASTY, "query": NASTY}]}
    two["links"] = [{"title": NASTY, "url": NASTY}]
    return one, two


def test_a_page_shows_foreign_text_as_text() -> None:
    tags = Tags()
    tags.feed(html.render(compare(*nasty())))
    assert tags.found <= {"section", "class", "h3", "span", "ul", "li", "code", "pre", "ins", "del", "b"}
    assert "<script>alert(1)</script>" in tags.text


def test_markdown_shows_foreign_text_as_code() -> None:
    shown = markdown.render([compare(*nasty())])
    outside = without_code(shown)
    assert "<script" not in outside and "@" not in outside and "javascript" not in outside and "**" not in outside
    assert "\x1b" not in shown and "\u202e" not in shown


def without_code(source: str) -> str:
    """Markdown without its code blocks, code spans and <code> elements, as CommonMark finds them."""
    kept: list[str] = []
    fence = ""
    for line in source.splitlines():
        mark = line.strip()
        if fence:
            if mark == fence:
                fence = ""
        elif mark.startswith("```"):
            fence = mark[: len(mark) - len(mark.lstrip("`"))]
        else:
            kept.append(_without_spans(line))
    assert not fence, "a code block that nothing closes"
    return "\n".join(kept)


def _without_spans(line: str) -> str:
    line = re.sub(r"<code>[^<]*</code>", "", line)
    assert "`" not in re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line), line
    return re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line)


def test_a_terminal_is_not_steered() -> None:
    shown = text.render([compare(*nasty())])
    assert "\x1b" not in shown and "\u202e" not in shown
    assert visible("a\tb\x00") == "a    b\\u0000"


def test_data_is_whole() -> None:
    told = json.dumps(facts.facts(compare(*nasty())), ensure_ascii=False)
    assert json.dumps(NASTY * 3, ensure_ascii=False) in told

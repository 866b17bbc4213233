"""Foreign text made harmless to look at."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with what steers terminals or turns the reading direction written as an escape."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\t", "    "))


def on_one_line(text: str) -> str:
    """The same, without line breaks."""
    return visible(" ".join(text.split("\n")))

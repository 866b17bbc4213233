"""What a forge must be able to do, and the comment that is made or renewed with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Comment:
    """A comment of ours: its number, its text, and where a person reads it."""

    number: int
    text: str
    url: str = ""


class Forge(Protocol):
    """A pull or merge request that can be commented on. Every method raises ServerError where the forge refuses."""

    def comments(self) -> list[Comment]:
        """The comments that we ourselves wrote, oldest first."""

    def create(self, text: str) -> Comment:
        """A new comment."""

    def update(self, comment: Comment, text: str) -> Comment:
        """The comment with another text."""


def post(forge: Forge, text: str, marker: str) -> tuple[str, Comment]:
    """Put the text into the one comment that starts with the marker; what was done, and the comment.

    Only comments of our own are looked at: somebody else may write the marker too.
    """
    if not text.startswith(marker):
        text = f"{marker}\n{text}"
    ours = [comment for comment in forge.comments() if comment.text.startswith(marker)]
    if not ours:
        return "created", forge.create(text)
    if ours[0].text.strip() == text.strip():
        return "unchanged", ours[0]
    return "updated", forge.update(ours[0], text)

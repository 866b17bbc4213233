"""Which card a framework's device is: asked of whoever knows, never guessed."""

from __future__ import annotations

from builder.probe.cards.model import UNRESOLVED, Card, Match
from builder.probe.cards.resolve import Cards

__all__ = ["UNRESOLVED", "Card", "Cards", "Match"]

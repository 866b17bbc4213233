"""Dashboards compared by what they mean. Pure."""

from builder.diff.canonical import comparable, content_hash, stripped
from builder.diff.words import differences

__all__ = ["comparable", "content_hash", "differences", "stripped"]

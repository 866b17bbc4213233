"""The tables of docs/recording-rules.md, as the rules themselves give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config
from builder.rule_files import rule_groups
from builder.rules.model import RecordingRule
from builder.rules.recording import meanings

LEVELS = ("gpu", "pod", "process", "node", "namespace", "job", "cluster")


def _table(level: str) -> str:
    """Names of a level, what they hold, and the profiles whose rules give none."""
    lines = ["| name | holds | not for |", "|---|---|---|"]
    for name, meaning in meanings().items():
        if name.startswith(f"{level}:"):
            lacking = [profile for profile in GPU_PROFILES if name not in _given(profile)]
            if len(lacking) < len(GPU_PROFILES):
                lines.append(f"| `{name}` | {meaning} | {', '.join(f'`{profile}`' for profile in lacking)} |")
    return "\n".join(lines)


def tables() -> Mapping[str, Callable[[], str]]:
    """One table a level, by its name on the page."""
    return {f"recorded-{level}": partial(_table, level) for level in LEVELS}


@cache
def _given(profile: str) -> frozenset[str]:
    """All names that the rules of a profile give, with the probe beside it where its cards have a uuid."""
    groups = [group for level in rule_groups(Config(profile=profile)).values() for group in level]
    return frozenset(rule.record for group in groups for rule in group.rules if isinstance(rule, RecordingRule))

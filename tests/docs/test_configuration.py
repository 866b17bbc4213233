"""docs/configuration.md against the configuration itself: every key, its default, and what it may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import click
import pytest

from builder.cli.app import app
from builder.config import LOG_SELECTORS, Config, parse
from builder.errors import ConfigError
from builder.rules.thresholds import Thresholds
from tests.docs.markdown import ROOT, blocks, rows

PAGE = ROOT / "docs/configuration.md"
ROWS = {cells[0].strip("`"): cells for cells in rows(PAGE)}


def _settings(section: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Each key with its default and its checks."""
    for field in fields(section):
        value = getattr(section, field.name)
        if isinstance(value, Thresholds):  # the section `alerts` holds them beside its other keys
            yield from _settings(value, path)
        elif is_dataclass(value):
            yield from _settings(value, f"{path}{field.name}.")
        elif field.name != "profiles":
            yield f"{path}{field.name}", value, field.metadata.get("checks", ())


# What only `push` reads is documented with it, not before there is such a command.
NOT_YET = set() if app.get_command(click.Context(app), "push") else {"project", "contexts"}
SETTINGS = {key: (default, checks) for key, default, checks in _settings(Config()) if key not in NOT_YET}


def test_every_key_has_a_row_and_every_row_a_key() -> None:
    documented = {key for key, cells in ROWS.items() if len(cells) == 4}
    assert documented == {*SETTINGS, "profiles", "logs.preset"}


@pytest.mark.parametrize("key", SETTINGS)
def test_the_default_is_the_default(key: str) -> None:
    default = SETTINGS[key][0]
    said = ROWS[key][1].strip("`")
    if isinstance(default, tuple):
        default = ", ".join(default) or "none"
    assert said == (str(default).lower() if isinstance(default, bool) else str(default))


@pytest.mark.parametrize("key", SETTINGS)
def test_what_it_may_be_is_what_the_checks_take(key: str) -> None:
    default, checks = SETTINGS[key]
    may_be = ROWS[key][2]
    if isinstance(default, bool):
        assert may_be == "`true`, `false`"
    elif isinstance(default, int | float):
        low, high = re.fullmatch(r"a number from (\S+) to (\S+)", _fix(checks, 1e12)).groups()  # type: ignore[union-attr]
        assert may_be == f"{low} to {high}"
    elif "none of" in _what(checks, "?"):
        words = _what(checks, "?").partition("none of ")[2].split(", ")
        assert re.findall(r"`([^`]+)`", may_be) == words
    elif key != "profile":
        assert may_be, key


def test_the_profiles_are_all_there() -> None:
    from builder.catalog.profiles import GPU_PROFILES

    assert re.findall(r"`([^`]+)`", ROWS["profile"][2]) == list(GPU_PROFILES)


def test_the_presets_are_all_there() -> None:
    assert re.findall(r"`([^`]+)`", ROWS["logs.preset"][2]) == list(LOG_SELECTORS)
    assert all(selector in PAGE.read_text() for selector in LOG_SELECTORS.values())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("signal", "profiles: {dcgm: {signals: {power: {zzzzzzzz: 1}}}}"),
        ("label", "profiles: {dcgm: {labels: {node: {zzzzzzzz: 1}}}}"),
    ],
)
def test_the_keys_of_a_spelling_are_all_there(kind: str, text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text, "test")
    known = refused.value.fix.removeprefix("known: ").split(", ")
    table = PAGE.read_text().partition(f"| key of a {kind} |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(known)


def test_the_keys_of_an_override_are_all_there() -> None:
    with pytest.raises(ConfigError) as refused:
        parse("profiles: {dcgm: {zzzzzzzz: 1}}", "test")
    example = blocks(PAGE)[0].text
    for key in refused.value.fix.removeprefix("known: ").split(", "):
        assert f"    {key}:" in example


@pytest.mark.parametrize("block", [b for b in blocks(PAGE) if b.language == "yaml"], ids=lambda b: b.line)
def test_examples_are_read_and_build(block: Any) -> None:
    from builder.build import build_boards
    from builder.load import load

    boards, _ = build_boards(load(ROOT / "dashboards"), parse(block.text, "docs/configuration.md"))
    assert boards


def _what(checks: Any, value: Any) -> str:
    return _refusal(checks, value)[0]


def _fix(checks: Any, value: Any) -> str:
    return _refusal(checks, value)[1]


def _refusal(checks: Any, value: Any) -> tuple[str, str]:
    for check in checks:
        try:
            check(value)
        except ConfigError as error:
            return error.what, error.fix
    return "", ""

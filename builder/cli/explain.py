"""``gpuboards explain``: what a name means, whichever kind of name it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from builder.cli.options import (
    as_json,
    config_option,
    dashboards_option,
    format_option,
    load_config,
    load_definitions,
    profile_option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from builder.catalog.model import Profile
    from builder.config import Config
    from builder.load import Definition

KINDS = "signal, question, label, profile, metric, alert, recorded series, setting of alerts or board"
MOST = 20
"""How many names are offered in place of one that means nothing."""


@click.command("explain")
@click.argument("name", metavar="NAME")
@profile_option
@dashboards_option
@config_option
@format_option
def command(name: str, profile: str | None, directories: tuple[str, ...], config_file: str | None, output: str) -> None:
    """Tell what a signal, question, label, exporter profile, metric, alert, recorded series or board is.

    A part of a name is enough where only one name has it.
    """
    from builder.cli import facts, text

    config = load_config(config_file, profile=profile)
    profiles = facts.profiles(config, profile or "")
    found = _known(name, config, profiles) or _looked_for(name, config, profiles, load_definitions(directories))
    click.echo(as_json(found) if output == "json" else text.render(found))


def _catalogued(name: str, config: Config, profiles: Mapping[str, Profile]) -> dict[str, Any] | None:
    """What the name means without reading a board."""
    from builder.cli import facts

    return (
        facts.signal(name, profiles)
        or facts.profile(name, config)
        or facts.metric(name, profiles)
        or facts.label(name, profiles)
        or facts.question(name, config)
    )


def _known(name: str, config: Config, profiles: Mapping[str, Profile]) -> dict[str, Any] | None:
    """What the name means in the catalogue or in the rules, which are read for names that only they have."""
    found = _catalogued(name, config, profiles)
    if found is None:
        from builder.cli import facts_of_rules

        found = facts_of_rules.found(name, config)
    return found


def _looked_for(
    name: str, config: Config, profiles: Mapping[str, Profile], definitions: Sequence[Definition]
) -> dict[str, Any]:
    """The board of that name, or whatever it is a part of the name of. Raises UsageError for nothing, or several."""
    from builder.cli import facts, facts_of_rules
    from builder.cli.boards import describe
    from builder.errors import UsageError

    boards = {str(d.board.uid): d for d in definitions}  # type: ignore[attr-defined]
    known = facts.names(profiles) | boards.keys()
    of_rules = facts_of_rules.names()
    # What alerts and rules are called by is long, and has the names of signals in it: those come first.
    having = [name] if name in boards else _having(name, known) or _having(name, of_rules)
    if len(having) != 1:
        raise UsageError(f"no {KINDS} is called {name!r}", fix=_instead(name, having, known | of_rules))
    if having[0] in boards:
        return facts.board(next(describe([boards[having[0]]], config, [config.profile])))
    found = _known(having[0], config, profiles)
    assert found is not None, having[0]
    return found


def _having(part: str, names: set[str]) -> list[str]:
    return sorted(name for name in names if part.casefold() in name.casefold())


def _instead(name: str, having: Sequence[str], known: set[str]) -> str:
    """What may be meant: what is spelled like it, then what it is a part of."""
    from difflib import get_close_matches

    alike = get_close_matches(name, sorted(known), n=3, cutoff=0.8 if having else 0.5)
    near = list(dict.fromkeys([*alike, *having]))
    if not near:
        return "`gpuboards list --questions` shows the questions, `gpuboards explain dcgm` signals and labels"
    more = f" and {len(near) - MOST} more" if len(near) > MOST else ""
    return f"did you mean {' or '.join(near) if len(near) < 4 else ', '.join(near[:MOST])}{more}?"

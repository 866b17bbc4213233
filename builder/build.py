"""Boards in, files out. Pure and deterministic: the same definitions and configuration give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from builder.catalog.model import Profile
from builder.config import Config, culprit, resolve_profile
from builder.errors import ConfigError, DefinitionError, GpuboardsError, NothingLeft, cut, short
from builder.grafana.board import Board
from builder.grafana.context import AlertFacts, Context, Note
from builder.grafana.encode import encode
from builder.grafana.logs import LogSelector
from builder.grafana.normalise import clean_dashboard
from builder.grafana.render import lacking, render
from builder.load import Definition, users_line, users_mistake
from builder.provisioning import render as render_provisioning
from builder.queries.feeds import Feeds
from builder.queries.source import Filter, Source
from builder.rules.labels import IDENTITY

BOARDS = "dashboards/gpuboards"
"""Where the boards lie in the output directory; the provider file points Grafana there."""


@dataclass(frozen=True)
class Artifact:
    """A file to write; ``path`` is relative to the output directory, with forward slashes."""

    path: str
    content: bytes


@dataclass(frozen=True)
class BuiltBoard:
    """A board as JSON, notes on what was left out of it, and its definition."""

    uid: str
    data: Mapping[str, Any]
    notes: tuple[Note, ...]
    definition: Definition


def build(
    definitions: Iterable[Definition], config: Config, tell: Callable[[BuiltBoard], None] = lambda board: None
) -> Iterator[Artifact]:
    """All files of a provisioning directory, each made when it is asked for; ``tell`` hears of each board.

    Takes and gives one board at a time, so that what it needs of memory does not grow with their number.
    """
    for board in each_board(definitions, config):
        tell(board)
        try:
            content = encode(board.data)
        except DefinitionError as error:
            raise error.at(f"{board.definition.where}: board {short(board.uid)}") from None
        yield Artifact(f"{BOARDS}/{board.uid}.json", content)
    for path, text in render_provisioning(config).items():
        yield Artifact(path, text.encode())


def build_boards(definitions: Iterable[Definition], config: Config) -> tuple[dict[str, Mapping[str, Any]], list[Note]]:
    """The boards as JSON by uid, and notes on what was left out."""
    built = list(each_board(definitions, config))
    return {board.uid: board.data for board in built}, [note for board in built for note in board.notes]


def each_board(definitions: Iterable[Definition], config: Config) -> Iterator[BuiltBoard]:
    """The boards in the order of their definitions. Raises DefinitionError where two claim one uid or title."""
    context = context_of(config)
    places: dict[str, str] = {}
    titles: dict[str, str] = {config.folder.title.casefold(): "folder.title in the configuration"}
    for definition in definitions:
        place = definition.where
        data, notes = _made(definition, context, config)
        uid, title = data["uid"].casefold(), data["title"].casefold()
        if uid in places:
            # Spelled otherwise or not: some databases and file systems do not tell them apart.
            raise DefinitionError(
                f"two boards have the uid {short(data['uid'])}",
                where=f"{places[uid]} and {place}",
                fix="change one of them",
            )
        if title in titles:
            # Grafana up to 11.2 refuses it, and one refusal makes the whole provider read-only.
            raise DefinitionError(
                f"the title {short(data['title'])} is taken in folder {short(config.folder.title)}",
                where=f"{titles[title]} and {place}",
                fix="change one of them",
            )
        places[uid], titles[title] = place, place
        yield BuiltBoard(data["uid"], data, tuple(notes), definition)


def left_out(definition: Definition, context: Context) -> tuple[Note, ...]:
    """What a board would lack, found without writing it; of a board of which nothing is left, everything."""
    return tuple(lacking(definition.board, context)) if isinstance(definition.board, Board) else ()


def context_of(config: Config) -> Context:
    """What boards need to know of the configuration."""
    feeds = feeds_of(config)
    profiles = [p for p in (*feeds.gpus, feeds.training, feeds.host) if p]

    def source(filters: tuple[Filter, ...]) -> Source:
        if config.source != "recorded":
            return replace(feeds.raw, filters=filters)
        from builder.rules.recording import recorded  # here: most builds ask the exporters, and start without it

        return recorded(feeds, filters)

    return Context(
        source=source,
        opt_in=lambda signal: _opt_in(signal, profiles),
        thresholds=feeds.thresholds,
        logs=LogSelector(config.logs.selector),
        interval=f"{_renewed(config, feeds)}s",
        refresh=config.refresh,
        time_from=config.time_from,
        show_cluster=config.show_cluster,
        approximate=feeds.training.approximate if feeds.training else "",
        alerts=AlertFacts({scope.value: labels for scope, labels in IDENTITY.items()}, config.alerts.runbook_url),
    )


def feeds_of(config: Config) -> Feeds:
    """The profiles that boards and rules ask, as the configuration spells them, and its thresholds."""
    also = [name for name in config.recording.also if name != config.profile]
    return Feeds(
        gpus=tuple(resolve_profile(config, name) for name in (config.profile, *also)),
        training=training_of(config),
        host=None if config.host == "none" else resolve_profile(config, config.host),
        thresholds=asdict(config.thresholds),
    )


def _renewed(config: Config, feeds: Feeds) -> int:
    """How often there is a new value, in seconds."""
    interval = feeds.raw.gpu.interval
    return max(interval, config.recording.interval) if config.source == "recorded" else interval


def training_of(config: Config) -> Profile | None:
    """The training side asked for; by itself the probe, or the snippet where cards have no uuid to join on."""
    name = config.training
    if name == "auto":
        name = "probe" if "uuid" in resolve_profile(config).card else "tf-snippet"
    return None if name == "none" else resolve_profile(config, name)


def _made(definition: Definition, context: Context, config: Config) -> tuple[dict[str, Any], list[Note]]:
    """What ``_render`` gives; whatever goes wrong is said in terms of the user's own files."""
    name = short(getattr(definition.board, "uid", ""))
    try:
        return _render(definition.board, context)
    except GpuboardsError as error:
        place = "" if isinstance(error, NothingLeft) else culprit(config, lambda other: _works(definition, other))
        if place:
            what = f"board {name} cannot be built with it: {error.what}"
            raise ConfigError(what, where=place, fix="spell it otherwise, or leave it out") from error
        raise error.at(f"{users_line(error, definition)}: board {name}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        mistake = users_mistake(error, definition)
        if mistake is not None:
            raise mistake from error
        if isinstance(error, RecursionError):
            what = "something in it contains itself"
            raise DefinitionError(what, where=f"{definition.where}: board {name}") from error
        if isinstance(error, OSError):  # some classes of grafanalib read files when they are written
            what = f"something that it names cannot be read: {cut(str(error))}"
            raise DefinitionError(what, where=f"{definition.where}: board {name}") from error
        raise


def _works(definition: Definition, config: Config) -> bool:
    try:
        _render(definition.board, context_of(config))
    except GpuboardsError:
        return False
    return True


def _render(board: Any, context: Context) -> tuple[dict[str, Any], list[Note]]:
    if isinstance(board, Board):
        return render(board, context)
    return clean_dashboard(board), []


def _opt_in(signal: str, profiles: Sequence[Profile]) -> str:
    """How to switch a signal on, where no spelling of it is exported by default."""
    for profile in profiles:
        if profile.has(signal):
            metrics = profile.signals[signal]
            return "" if any(metric.default for metric in metrics) else metrics[0].enable
    return ""

"""Boards in, files out. Pure and deterministic: the same definitions and configuration give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from builder.catalog.model import Profile
from builder.config import Config, resolve_profile
from builder.errors import DefinitionError, GpuboardsError
from builder.grafana.board import Board
from builder.grafana.context import Context, Note
from builder.grafana.encode import encode
from builder.grafana.logs import LogSelector
from builder.grafana.normalise import clean_dashboard
from builder.grafana.render import render
from builder.load import Definition, users_mistake
from builder.provisioning import render as render_provisioning
from builder.queries.raw import RawSource
from builder.queries.source import Filter, Source

BOARDS = "dashboards/gpuboards"
"""Where the boards lie in the output directory; the provider file points Grafana there."""


@dataclass(frozen=True)
class Artifact:
    """A file to write; ``path`` is relative to the output directory, with forward slashes."""

    path: str
    content: bytes


@dataclass(frozen=True)
class BuiltBoard:
    """A board as JSON, and notes on what was left out of it."""

    uid: str
    data: Mapping[str, Any]
    notes: tuple[Note, ...]


def build(
    definitions: Iterable[Definition], config: Config, tell: Callable[[BuiltBoard], None] = lambda board: None
) -> Iterator[Artifact]:
    """All files of a provisioning directory, each made when it is asked for; ``tell`` hears of each board.

    Takes and gives one board at a time, so that what it needs of memory does not grow with their number.
    """
    for board in each_board(definitions, config):
        tell(board)
        yield Artifact(f"{BOARDS}/{board.uid}.json", encode(board.data))
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
    titles: dict[str, str] = {config.folder.title.casefold(): "the folder itself"}
    for definition in definitions:
        place = f"{definition.file}:{definition.line}"
        try:
            data, left_out = _render(definition.board, context)
        except GpuboardsError as error:
            raise error.at(f"{place}: board {getattr(definition.board, 'uid', '')!r}") from None
        except Exception as error:
            mistake = users_mistake(error, definition)
            if mistake is None:
                raise
            raise mistake from error
        uid, title = data["uid"], data["title"].casefold()
        if uid in places:
            raise DefinitionError(
                f"two boards have the uid {uid!r}",
                where=f"{places[uid]} and {place}",
                fix="change one of them",
            )
        if title in titles:
            # Grafana up to 11.2 refuses it, and one refusal makes the whole provider read-only.
            raise DefinitionError(
                f"the title {data['title']!r} is taken in folder {config.folder.title!r}",
                where=f"{titles[title]} and {place}",
                fix="change one of them",
            )
        places[uid], titles[title] = place, place
        yield BuiltBoard(uid, data, tuple(left_out))


def context_of(config: Config) -> Context:
    """What boards need to know of the configuration."""
    gpu = resolve_profile(config)
    training = _training(config, gpu)
    host = None if config.host == "none" else resolve_profile(config, config.host)
    thresholds = asdict(config.thresholds)

    def source(filters: tuple[Filter, ...]) -> Source:
        return RawSource(gpu, training, host, filters, thresholds)

    return Context(
        source=source,
        opt_in=lambda signal: _opt_in(signal, [p for p in (gpu, training, host) if p]),
        thresholds=thresholds,
        logs=LogSelector(config.logs.selector),
        interval=f"{gpu.interval}s",
        refresh=config.refresh,
        time_from=config.time_from,
        show_cluster=config.show_cluster,
        approximate=training.approximate if training else "",
    )


def _training(config: Config, gpu: Profile) -> Profile | None:
    """The training side asked for; by itself the probe, or the snippet where cards have no uuid to join on."""
    name = config.training
    if name == "auto":
        name = "probe" if "uuid" in gpu.card else "tf-snippet"
    return None if name == "none" else resolve_profile(config, name)


def _render(board: Any, context: Context) -> tuple[dict[str, Any], list[Note]]:
    if isinstance(board, Board):
        return render(board, context)
    data = clean_dashboard(board)
    if not data.get("uid"):
        raise DefinitionError("a dashboard without uid", fix="give it one, so that links to it stay")
    return data, []


def _opt_in(signal: str, profiles: Sequence[Profile]) -> str:
    """How to switch a signal on, where no spelling of it is exported by default."""
    for profile in profiles:
        if profile.has(signal):
            metrics = profile.signals[signal]
            return "" if any(metric.default for metric in metrics) else metrics[0].enable
    return ""

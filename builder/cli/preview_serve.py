"""``gpuboards preview --serve``: pages on loopback, drawn again when a definition is saved."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from builder.cli.options import DEFAULT_FILE, places
from builder.cli.preview_data import Ask, Data
from builder.cli.previewed import Dashboards, opened
from builder.errors import GpuboardsError, cut, printable
from builder.preview.page import complaint, index, page
from builder.preview.page.document import Drawn
from builder.targets.pages import POLICY, PageServer, script_tag

_EVERY = 0.2
"""Seconds between two looks at the files."""

State = Mapping[str, tuple[int, int]]
"""Modification time and size of every file that a board depends on."""


def watched(names: Sequence[str], directories: Sequence[str], config_file: str | None) -> Callable[[], State]:
    """What tells the state of the definitions, the dashboard files and the configuration."""

    def files() -> Iterator[Path]:
        for place in places(directories):
            yield from place.rglob("*.py") if place.is_dir() else [place]
        yield from (Path(name) for name in names if name.endswith(".json"))
        yield Path(config_file or DEFAULT_FILE)

    def state() -> State:
        found = {}
        for file in files():
            try:
                status = file.stat()
            except OSError:  # removed while we look, or not there at all
                continue
            found[str(file)] = (status.st_mtime_ns, status.st_size)
        return found

    return state


def serve_pages(read: Callable[[], Dashboards], data: Data, ask: Ask, state: Callable[[], State], port: int) -> int:
    """Serve until interrupted; ``read`` gives the dashboards as they are defined now."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with PageServer(port) as server:
        site = _Site(server, data, ask)
        try:
            seen = state()
            site.renew(read)
            click.echo(f"serving on {server.url}; ^C ends it", err=True)
            while True:
                time.sleep(_EVERY)
                now = state()
                if now != seen:
                    seen = now
                    site.renew(read)
        except KeyboardInterrupt:
            click.echo("ended", err=True)
    return 0


class _Site:
    """The pages as they were last drawn: only what has changed is drawn again."""

    def __init__(self, server: PageServer, data: Data, ask: Ask) -> None:
        self._server, self._data, self._ask = server, data, ask
        self._written: dict[str, str] = {}
        self._drawn: dict[str, Drawn] = {}

    def renew(self, read: Callable[[], Dashboards]) -> None:
        """Draw what has changed; a mistake is shown in place of the pages until it is mended."""
        began = time.monotonic()
        try:
            boards = read()
            changed = [name for name, board in boards.items() if self._written.get(name) != json.dumps(board)]
            for name in changed:
                self._draw(name, boards)
            self._index(boards)
        except GpuboardsError as error:
            click.echo(str(error), err=True)
            version = self._server.next_version()
            head = script_tag(version)
            self._server.problem(version, complaint(str(error), extra_head=head, policy=POLICY))
            return
        self._server.solved()
        if changed:
            click.echo(f"drew {', '.join(changed)} in {time.monotonic() - began:.1f} s", err=True)

    def _draw(self, name: str, boards: Dashboards) -> None:
        board, problems = opened(boards[name], self._data, self._ask)
        for problem in problems:
            click.echo(f"warning: {name}: {printable(cut(problem, 500))}", err=True)
        version = self._server.next_version()
        before = self._drawn.get(name, {})
        drawn: Drawn = dict(before)
        head = script_tag(version)
        content = page(board, source=self._data.words, drawn=drawn, extra_head=head, policy=POLICY)
        self._server.publish(f"/{name}.html", version, content)
        self._drawn[name] = drawn
        self._written[name] = json.dumps(boards[name])

    def _index(self, boards: Dashboards) -> None:
        for name in self._written.keys() - boards.keys():
            del self._written[name]
            self._server.withdraw(f"/{name}.html")
        listed = [(f"{n}.html", str(b.get("title") or n), str(b.get("description") or "")) for n, b in boards.items()]
        version = self._server.next_version()
        head = script_tag(version)
        content = index(listed, source=self._data.words, extra_head=head, policy=POLICY)
        self._server.publish("/index.html", version, content)

"""The search index, which on Grafana 12 and later lags behind what is stored."""

from __future__ import annotations

import time
from collections import deque

from builder.testing.grafana.model import StoredBoard, StoredFolder

Entry = StoredBoard | StoredFolder
Key = tuple[str, str]


class SearchIndex:
    """What search sees: each change ``lag`` seconds after it was made."""

    def __init__(self, lag: float) -> None:
        self.lag = lag
        self._seen: dict[Key, Entry] = {}
        self._pending: deque[tuple[float, Key, Entry | None]] = deque()

    def put(self, entry: Entry) -> None:
        """A board or folder was stored."""
        self._pending.append((time.monotonic() + self.lag, _key(entry), entry))

    def drop(self, entry: Entry) -> None:
        """A board or folder was deleted."""
        self._pending.append((time.monotonic() + self.lag, _key(entry), None))

    def settle(self) -> None:
        """See everything at once."""
        self._take(float("inf"))

    def entries(self) -> list[Entry]:
        """What search sees now."""
        self._take(time.monotonic())
        return list(self._seen.values())

    def _take(self, until: float) -> None:
        while self._pending and self._pending[0][0] <= until:
            _, key, entry = self._pending.popleft()
            if entry is None:
                self._seen.pop(key, None)
            else:
                self._seen[key] = entry


def _key(entry: Entry) -> Key:
    return ("folder" if isinstance(entry, StoredFolder) else "board", entry.uid)

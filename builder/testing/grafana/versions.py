"""What differs between the versions of Grafana, in one table; the rest of the package asks it.

Sources: Grafana's HTTP API and upgrade documentation of each version, and the behaviour of its releases.
Where they leave the exact version open, the choice is named in docs/testing.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from builder.errors import UsageError


@dataclass(frozen=True)
class Behaviour:
    """How one version of Grafana behaves."""

    version: str
    nested_folders: bool
    unique_titles: bool
    """Two boards of one title in one folder are refused, or taken over (up to 11.2)."""
    unified_storage: bool
    """Boards are objects of the /apis: generations, search behind writes, a size limit (from 12)."""
    saves_as_objects: bool
    """The classic save endpoint is a thin layer over /apis: 409 instead of 412 (from 13.1)."""
    refuses_v2_reads: bool
    """The classic read answers 406 for a board that is stored in schema v2 (12.0 to 13.0)."""
    numeric_datasource_ids: bool
    numeric_folder_ids: bool
    dashboard_apis: tuple[str, ...]
    """Versions of dashboard.grafana.app, the server's preferred one first; empty: no /apis at all."""
    folder_apis: tuple[str, ...]
    latest_schema: int
    """The schemaVersion that the server's own interface saves."""
    oldest_schema: int
    """The lowest schemaVersion that a strict write through /apis takes."""
    folder_name_status: int
    folder_uid_status: int

    @property
    def search_lag(self) -> float:
        """Seconds until search sees a write, unless told otherwise."""
        return 1.0 if self.unified_storage else 0.0


def behaviour_of(version: str, nested_folders: bool | None = None) -> Behaviour:
    """The behaviour of a version such as ``12.2.0``; UsageError where it is none."""
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if not numbers:
        raise UsageError(f"{version!r} is not a version of Grafana", fix='write it as "12.2.0"')
    at = (int(numbers[1]), int(numbers[2]))
    return Behaviour(
        version=version,
        nested_folders=at >= (11, 0) if nested_folders is None else nested_folders,
        unique_titles=at <= (11, 2),
        unified_storage=at >= (12, 0),
        saves_as_objects=at >= (13, 1),
        refuses_v2_reads=(12, 0) <= at <= (13, 0),
        numeric_datasource_ids=at < (13, 0),
        numeric_folder_ids=at < (13, 0),
        dashboard_apis=_dashboard_apis(at),
        folder_apis=("v1", "v1beta1") if at >= (13, 0) else ("v1beta1",) if at >= (12, 0) else (),
        latest_schema=_latest_schema(at),
        oldest_schema=21 if at == (12, 0) else 13 if at <= (12, 2) else 0,
        folder_name_status=409 if at >= (11, 0) else 412,
        folder_uid_status=412 if at >= (12, 0) else 409,
    )


def _dashboard_apis(at: tuple[int, int]) -> tuple[str, ...]:
    if at >= (13, 0):
        return ("v2", "v2beta1", "v2alpha1", "v0alpha1", "v1", "v1beta1")
    if at >= (12, 2):
        return ("v1beta1", "v0alpha1", "v2alpha1", "v2beta1")
    return ("v1beta1", "v0alpha1", "v2alpha1") if at >= (12, 0) else ()


def _latest_schema(at: tuple[int, int]) -> int:
    since = ((12, 2), 42), ((11, 6), 41), ((11, 4), 40)
    return next((schema for first, schema in since if at >= first), 39)

"""The version message: what wrote a version of a board, from which revision, and with what content.

It is how the next push knows whether the last version in Grafana is one of ours. The board's own content can
be compared by its hash. Where the server keeps a board in a form of its own, the number that the version was
to have tells: an edit gets a higher one, even an edit that keeps the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(
    r"gpuboards (?P<tool>\S+)(?: at (?P<revision>\S+))?: sha256 (?P<content>[0-9a-f]{64})"
    r" as version (?P<version>\d+) in folder (?P<folder>[A-Za-z0-9_-]*)"
)


@dataclass(frozen=True)
class Signature:
    """Who wrote a version (tool version, git revision) and what: content hash, version number, folder uid."""

    tool: str
    revision: str
    content: str
    version: int
    folder: str

    def __str__(self) -> str:
        at = f" at {self.revision}" if self.revision else ""
        written = f"sha256 {self.content} as version {self.version} in folder {self.folder}"
        return f"gpuboards {self.tool}{at}: {written}"


def read_signature(message: str) -> Signature | None:
    """The signature in a version message; None where something else wrote the version."""
    found = _FORM.fullmatch(message.strip())
    if not found:
        return None
    return Signature(found["tool"], found["revision"] or "", found["content"], int(found["version"]), found["folder"])

"""A request that came in, the answer that goes out, and the refusals that both APIs share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from builder.testing.grafana.model import Json


@dataclass(frozen=True)
class Request:
    """A request as read from the socket; header names are lower case, ``path`` is without the sub-path."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str] = field(repr=False)
    body: bytes

    def first(self, name: str, default: str = "") -> str:
        """The first value of a query parameter."""
        return self.query.get(name, [default])[0]

    def number(self, name: str, default: int) -> int:
        """The first value of a query parameter as a number; the default where it is none."""
        text = self.first(name)
        return int(text) if text.isdecimal() else default

    def json(self) -> Json:
        """The body as a JSON object; Refused with 400 where it is none."""
        try:
            value = json.loads(self.body)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise refused(400, "bad request data")
        return value


@dataclass(frozen=True)
class Response:
    """An answer: JSON unless ``body`` is text."""

    status: int
    body: Any
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """The bytes of the body."""
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class Refused(Exception):
    """Grafana answers with an error; raised from wherever that is found out."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status, response.body)
        self.response = response


def refused(code: int, message: str, /, **more: object) -> Refused:
    """A refusal of the classic API: ``{"message": ...}`` and what else the body carries."""
    return Refused(Response(code, {"message": message, **more}))


def failure(status: int, reason: str, message: str, *, resource: str = "", name: str = "") -> Refused:
    """A refusal of /apis: a Kubernetes ``Status``. ``resource`` is written ``dashboards.dashboard.grafana.app``."""
    body: Json = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": status,
    }
    if resource:
        kind, _, group = resource.partition(".")
        body["details"] = {"name": name, "group": group, "kind": kind}
    return Refused(Response(status, body))


def html(status: int, title: str, text: str = "", **headers: str) -> Response:
    """A page for a person; a client that expects JSON has to notice."""
    page = f"<!DOCTYPE html>\n<html>\n<head><title>{title}</title></head><body><h1>{title}</h1>{text}</body>\n</html>\n"
    return Response(status, page, "text/html; charset=utf-8", headers)

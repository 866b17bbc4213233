"""Requests to a forge's API, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from builder.errors import ServerError, cut
from builder.targets.grafana.endpoint import Endpoint
from builder.targets.http.address import proxy_to
from builder.targets.http.secret import Mask, Secret
from builder.targets.http.wire import Lost, Reply, TooLate, Wire

_TRANSIENT = (429, 500, 502, 503, 504)
_TRIES = 3
_MOST_PAGES = 50


@dataclass(frozen=True)
class Advice:
    """What to do where a forge says 401, 403 or 404."""

    unauthorised: str
    forbidden: str
    missing: str


class Talk:
    """A forge's API. ``header`` carries the token; ``advice`` is what this forge's users have to do."""

    def __init__(
        self,
        name: str,
        url: str,
        header: tuple[str, str],
        token: str,
        advice: Advice,
        environment: Mapping[str, str],
        *,
        seconds: float = 30,
    ) -> None:
        headers = {header[0]: Secret(header[1] + token)}
        proxy = proxy_to(url, "", environment)
        self._endpoint = Endpoint(name, url.rstrip("/"), headers, name, proxy=proxy, mask=Mask([Secret(token)]))
        self._advice = advice
        self._wire = Wire(self._endpoint, seconds=seconds, connections=1)

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def pages(self, doing: str, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The objects of a list, page by page."""
        for page in range(1, _MOST_PAGES + 1):
            found = self.json("GET", doing, path, query={**(query or {}), "per_page": 100, "page": page})
            if not isinstance(found, list):
                raise self._odd(doing)
            yield from (each for each in found if isinstance(each, dict))
            if len(found) < 100:
                return

    def object(self, method: str, doing: str, path: str, body: Any = None) -> dict[str, Any]:
        """The object that a request is answered with."""
        found = self.json(method, doing, path, body=body)
        if not isinstance(found, dict):
            raise self._odd(doing)
        return found

    def json(self, method: str, doing: str, path: str, *, query: Any = None, body: Any = None) -> Any:
        """The JSON that a request is answered with. Reading is tried again where a failure may pass."""
        for attempt in range(1, _TRIES + 1):
            try:
                reply = self._wire.exchange(method, path, query, body)
            except Lost as lost:
                if method == "GET" and lost.passing and attempt < _TRIES:
                    continue
                what = self._endpoint.mask(lost.what)
                fix = "try again later" if isinstance(lost, TooLate) else lost.fix
                raise ServerError(f"cannot {doing}: {what}", where=self._endpoint.url, fix=fix) from lost
            if reply.ok:
                try:
                    return reply.json()
                except (ValueError, RecursionError) as error:
                    raise self._odd(doing) from error
            if method != "GET" or reply.status not in _TRANSIENT or attempt == _TRIES:
                raise self._refusal(reply, doing)
        raise AssertionError("the last try ends it")

    def _odd(self, doing: str) -> ServerError:
        name = self._endpoint.name
        return ServerError(
            f"cannot {doing}: the answer is not what {name} answers",
            where=self._endpoint.url,
            fix=f"is this the URL of {name}'s API?",
        )

    def _refusal(self, reply: Reply, doing: str) -> ServerError:
        said = self._endpoint.mask(_said(reply))
        fix = {
            401: self._advice.unauthorised,
            403: "wait until the limit is lifted" if "rate limit" in said.casefold() else self._advice.forbidden,
            404: self._advice.missing,
            422: "the text was not accepted; the report itself is whole where it was written",
        }.get(reply.status, "try again later" if reply.status >= 500 or reply.status == 429 else "")
        what = f"cannot {doing}: {self._endpoint.name} answers {reply.status}{f': {said}' if said else ''}"
        return ServerError(what, where=self._endpoint.url, fix=fix)


def _said(reply: Reply) -> str:
    """What the forge has to say about it, on one line."""
    try:
        body = reply.json()
    except ValueError:
        return ""
    found = [body.get(key) for key in ("message", "error", "error_description")] if isinstance(body, dict) else []
    details = body.get("errors") if isinstance(body, dict) else None
    for each in details if isinstance(details, list) else []:
        found.append(each.get("message") or each.get("code") if isinstance(each, dict) else each)
    text = "; ".join(each if isinstance(each, str) else str(each) for each in found if each)
    return cut(" ".join("".join(c if c.isprintable() else " " for c in text).split()))

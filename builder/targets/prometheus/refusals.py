"""What it means when a Prometheus, or something in front of it, does not answer a question."""

from __future__ import annotations

from typing import Any

from builder.errors import ServerError
from builder.targets.http.address import Address
from builder.targets.http.failures import OutOfReach, is_page, one_line
from builder.targets.http.wire import Lost, Reply

_PLAIN_TO_TLS = (b"HTTP request to an HTTPS server", b"plain HTTP request was sent to HTTPS port")  # Go, nginx
_OWN_URL = "use the URL at which Prometheus' own page opens in a browser, with the path that it is served under"


class QueryRefused(ServerError):
    """Prometheus answered, and what it says is that this question has no answer. ``kind`` is its error type."""

    def __init__(self, kind: str, what: str, *, fix: str = "") -> None:
        super().__init__(what, fix=fix)
        self.kind = kind


class Unusable(OutOfReach):
    """Something answered, and not as a Prometheus does. ``status`` is the HTTP status."""

    def __init__(self, what: str, *, where: str, fix: str, status: int) -> None:
        super().__init__(what, where=where, fix=fix)
        self.status = status


def refused_query(body: dict[str, Any], address: Address) -> QueryRefused:
    """The error for an answer whose status is ``error``."""
    kind, said = (one_line(address.mask(str(body.get(key) or ""))) for key in ("errorType", "error"))
    fix = "narrow what it selects, or allow more with --timeout" if kind in ("timeout", "canceled") else ""
    return QueryRefused(kind, f"{kind}: {said}", fix=fix)


def unusable(reply: Reply, body: Any, doing: str, address: Address) -> Unusable:
    """The error for a reply that is no answer of Prometheus' API."""
    what, fix = _meaning(reply, body, address)
    return Unusable(f"cannot {doing}: {what}", where=address.url, fix=fix, status=reply.status)


def out_of_reach(lost: Lost, doing: str, address: Address) -> OutOfReach:
    """The error for a reply that never came."""
    return OutOfReach(f"cannot {doing}: {address.mask(lost.what)}", where=address.url, fix=lost.fix)


def _meaning(reply: Reply, body: Any, address: Address) -> tuple[str, str]:
    status, said = reply.status, _said(reply, body, address)
    if status in (301, 302, 303, 307, 308):
        return _redirect(reply, address)
    if status == 401:
        return f"the credentials are refused ({address.asks_as}){said}", _credentials(address)
    if status == 403:
        return f"not allowed ({address.asks_as}){said}", "ask for the right to query, or use other credentials"
    if status == 400 and any(sign in reply.body for sign in _PLAIN_TO_TLS):
        return "the server speaks TLS", "write https:// instead of http://"
    if status == 407:
        return "the proxy wants credentials", "put them into HTTPS_PROXY"
    if status == 429:
        return "the server asks to slow down", "try again later, or with fewer --jobs"
    if is_page(reply):
        return f"the answer is a web page (status {status})", _OWN_URL
    if status in (404, 405):
        return f"there is no Prometheus API at this URL (status {status}){said}", _OWN_URL
    if status >= 500:
        return f"the server failed with status {status}{said}", "try again; if it stays, read the server's log"
    if 200 <= status < 300:
        return "the answer is not what Prometheus answers", _OWN_URL
    return f"refused with status {status}{said}", "see what the server says"


def _credentials(address: Address) -> str:
    if address.headers.get("Authorization"):
        return "has the token or password expired, or is it meant for another server?"
    return "set PROMETHEUS_TOKEN, or PROMETHEUS_USER and PROMETHEUS_PASSWORD, or use --token-file or --user"


def _redirect(reply: Reply, address: Address) -> tuple[str, str]:
    target = address.mask(reply.headers.get("location", "nowhere").partition("?")[0])
    if any(word in target.lower() for word in ("login", "oauth", "signin", "sso", "auth")):
        return f"the server wants a login (redirects to {target})", "use a URL that is reached without single sign-on"
    return f"the server redirects to {target}", "use the URL that it redirects to, without /api/v1 and what follows"


def _said(reply: Reply, body: Any, address: Address) -> str:
    if isinstance(body, dict):
        words = next((str(body[key]) for key in ("error", "message") if body.get(key)), "")
    else:
        words = "" if is_page(reply) else reply.body[:1200].decode("utf-8", "replace")
    text = one_line(address.mask(words))
    return f": {text}" if text else ""

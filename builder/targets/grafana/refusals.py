"""What a server's refusal means, in words, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.errors import printable
from builder.targets.http.failures import LONGEST, NotJson, OutOfReach, Refused, body_of, is_page, one_line

if TYPE_CHECKING:
    from builder.targets.grafana.endpoint import Endpoint
    from builder.targets.http.wire import Lost, Reply

_PLAIN_TO_TLS = (b"HTTP request to an HTTPS server", b"plain HTTP request was sent to HTTPS port")  # Go, nginx


def refusal(reply: Reply, doing: str, endpoint: Endpoint) -> Refused:
    """The error for a reply that is no success."""
    body, said = body_of(reply), endpoint.mask(_said(reply))
    what, fix = _meaning(reply, said, endpoint)
    return Refused(f"cannot {doing}: {what}", where=endpoint.url, fix=fix, status=reply.status, body=body)


def not_json(reply: Reply, doing: str, endpoint: Endpoint) -> NotJson:
    """The error for a success that is not what an API answers."""
    kind = "a web page" if is_page(reply) else "not what Grafana answers"
    return NotJson(
        f"cannot {doing}: the answer is {kind}",
        where=endpoint.url,
        fix="is this the URL of Grafana itself, with the path that it is served under, and not of a login page?",
        status=reply.status,
    )


def out_of_reach(lost: Lost, doing: str, endpoint: Endpoint) -> OutOfReach:
    """The error for a reply that never came."""
    return OutOfReach(f"cannot {doing}: {endpoint.mask(lost.what)}", where=endpoint.url, fix=lost.fix)


def _meaning(reply: Reply, said: str, endpoint: Endpoint) -> tuple[str, str]:
    status = reply.status
    if status in (301, 302, 303, 307, 308):
        return _redirect(reply, endpoint)
    if status == 401:
        return (
            f"the credentials are refused ({endpoint.asks_as}){_colon(said)}",
            "has the token expired, or is it of another Grafana or organisation? "
            "Make a new one under Administration > Service accounts",
        )
    if status == 403 and "quota" in said.casefold():
        return (
            f"the organisation may have no more{_colon(said)}",
            "remove what is not needed, or raise Grafana's [quota]",
        )
    if status == 403:
        return (
            f"not allowed ({endpoint.asks_as}){_colon(said)}",
            "give the service account the role Editor, or rights to create and write boards in this folder",
        )
    if status == 400 and any(sign in reply.body for sign in _PLAIN_TO_TLS):
        return "the server speaks TLS", "write https:// instead of http://"
    if status == 407:
        return "the proxy wants credentials", "put them into HTTP_PROXY: http://USER:PASSWORD@HOST"
    if status == 413:
        return f"the board is too large{_colon(said)}", "split it, or raise the limit of Grafana or of the proxy"
    if status == 429:
        return "the server asks to slow down", "try again later, or with fewer --jobs"
    if is_page(reply):
        return (
            f"the answer is a web page with status {status}",
            "is this the URL of Grafana itself, with the path that it is served under? Is Grafana up behind its proxy?",
        )
    if status == 404:
        return f"not found{_colon(said)}", "is this the URL of a Grafana, with the path that it is served under?"
    if status >= 500:
        return f"the server failed with status {status}{_colon(said)}", "try again; if it stays, read Grafana's log"
    return f"refused with status {status}{_colon(said)}", "see what Grafana says"


def _redirect(reply: Reply, endpoint: Endpoint) -> tuple[str, str]:
    target = printable(endpoint.mask(reply.headers.get("location", "nowhere").partition("?")[0]))
    if "login" in target:
        fix = "use a service-account token, and a URL at which the API is reachable without single sign-on"
        return f"the server wants a login (redirects to {target})", fix
    return f"the server redirects to {target}", "use the URL that it redirects to"


def _colon(said: str) -> str:
    return f": {said}" if said else ""


def _said(reply: Reply) -> str:
    body = body_of(reply)
    if isinstance(body, dict):
        text = ": ".join(str(body[key]) for key in ("message", "error") if body.get(key))
    else:
        text = "" if is_page(reply) else reply.body[: 4 * LONGEST].decode("utf-8", "replace")
    return one_line(text)

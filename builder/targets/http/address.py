"""Where a server is and as whom it is asked: URLs without their secrets, credentials, proxies."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote, urlsplit

from builder.config.contexts import Tls
from builder.errors import ConfigError
from builder.targets.http.secret import Mask, Secret


class Address(Protocol):
    """A server to talk to, as far as one request needs to know it."""

    @property
    def url(self) -> str:
        """Where it is, without credentials and without a final slash; it may have a path."""

    @property
    def headers(self) -> Mapping[str, Secret]:
        """What every request carries."""

    @property
    def asks_as(self) -> str:
        """Where the credentials came from, for messages."""

    @property
    def tls(self) -> Tls:
        """How the server is recognised."""

    @property
    def proxy(self) -> Secret:
        """The proxy to go through; empty for none."""

    @property
    def mask(self) -> Mask:
        """Cuts the secrets out of text."""

    @property
    def hints(self) -> Hints:
        """What its messages advise."""


@dataclass(frozen=True)
class Hints:
    """What to do about what goes wrong on the way to a server, in the words of those who set it up."""

    kind: str
    ca_file: str
    client_cert: str
    proxy: str


@dataclass(frozen=True)
class Credentials:
    """Headers that say who asks, where they came from, and what of them nobody may see."""

    headers: Mapping[str, Secret]
    origin: str
    secrets: tuple[Secret, ...]


def bearer(token: Secret, origin: str) -> Credentials:
    """A token."""
    return Credentials({"Authorization": Secret(f"Bearer {token.reveal()}")}, origin, (token,))


def basic(user: str, password: Secret, origin: str) -> Credentials:
    """A user and a password."""
    pair = base64.b64encode(f"{user}:{password.reveal()}".encode()).decode()
    # A user without a password is a token in the place of the user.
    hidden = (password or Secret(user), Secret(pair))
    return Credentials({"Authorization": Secret(f"Basic {pair}")}, origin, hidden)


def split(url: str, wrong: ConfigError, origin: str) -> tuple[str, Credentials | None]:
    """A URL without the credentials that it may hold, and those. Raises ``wrong`` where it is none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in ("http", "https") or not host or port == 0 or parts.query or parts.fragment:
        raise wrong
    if any(c.isspace() or not c.isprintable() for c in url):
        raise wrong
    plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
    if not parts.username:
        return plain, None
    user, password = unquote(parts.username), Secret(unquote(parts.password or ""))
    return plain, basic(user, password, origin)


def proxy_to(url: str, configured: str, environment: Mapping[str, str]) -> Secret:
    """The proxy to go through, as a secret, since its URL may hold a password; empty for none."""
    import urllib.request

    if configured:
        return Secret(configured)
    parts = urlsplit(url)
    names = (f"{parts.scheme}_proxy", "all_proxy", "no_proxy")
    said = {n: environment.get(n) or environment.get(n.upper(), "") for n in names}
    if urllib.request.proxy_bypass_environment(  # type: ignore[attr-defined]
        parts.hostname or "", {"no": said["no_proxy"]}
    ):
        return Secret("")
    found = said[names[0]] or said["all_proxy"]
    if found and "://" not in found:
        found = f"http://{found}"
    if found and not found.startswith(("http://", "https://")):
        raise ConfigError("only http and https proxies are spoken to", where="the proxy of the environment")
    return Secret(found)


def user_info(url: str) -> list[Secret]:
    """The secrets in a proxy's URL."""
    user, _, password = urlsplit(url).netloc.rpartition("@")[0].partition(":")
    hidden = password or user
    return [Secret(part) for part in (hidden, unquote(hidden), f"{user}:{password}") if hidden]

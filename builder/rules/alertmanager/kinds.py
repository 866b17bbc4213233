"""The kinds of channels: what each takes, which secrets it needs, and from which Alertmanager on.

Secrets come from files alone, so a kind lists the keys that would hold one inline (refused) and those that name a
file. Versions: the ``sanitize`` functions of pkg/alertmanager/amcfg.go in github.com/prometheus-operator/
prometheus-operator, and docs/configuration.md of github.com/prometheus/alertmanager.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Version = tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """A kind of channel.

    ``needs`` are fields that must be there, ``may`` those that may, ``files`` the fields that name a file with a
    secret (those of them in ``needs`` must be there, too), and ``inline`` what such a file is written for. ``since``
    is the first Alertmanager that takes the kind in this form, and ``older`` says what to do before it.
    ``together`` are fields of which none goes without the others.
    """

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    inline: Mapping[str, str] = field(default_factory=dict)
    urls: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    since: Version = ()
    newer: Mapping[str, Version] = field(default_factory=dict)
    older: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """Every key that may be written."""
        return (*self.needs, *self.may)


_HTTP = ("username", "password_file", "credentials_file", "ca_file")
_HTTP_FILES = ("password_file", "credentials_file", "ca_file")
_HTTP_INLINE = {"password": "password_file", "credentials": "credentials_file", "bearer_token": "credentials_file"}
_LOGIN = (("username", "password_file"),)

KINDS: dict[str, Kind] = {
    "webhook": Kind(
        may=("url", "url_file", *_HTTP, "send_resolved"),
        files=("url_file", *_HTTP_FILES),
        inline={"token": "url_file", "secret": "url_file", **_HTTP_INLINE},
        urls=("url",),
        flags=("send_resolved",),
        together=_LOGIN,
        newer={"url_file": (0, 26)},
        older="put the secret into a file of user and password (username, password_file) or of a bearer token "
        "(credentials_file), or send through a bridge that holds it",
    ),
    "dingtalk": Kind(
        needs=("url", "target"),
        may=(*_HTTP, "send_resolved"),
        files=_HTTP_FILES,
        inline={"access_token": "the configuration of the bridge", "secret": "the configuration of the bridge"}
        | _HTTP_INLINE,
        urls=("url",),
        flags=("send_resolved",),
        together=_LOGIN,
    ),
    "wecom": Kind(
        needs=("corp_id", "agent_id", "api_secret_file"),
        may=("to_user", "to_party", "to_tag", "send_resolved"),
        files=("api_secret_file",),
        inline={"api_secret": "api_secret_file", "secret": "api_secret_file"},
        flags=("send_resolved",),
        since=(0, 31),
        older="it takes the secret in its configuration only: use a bridge, as `webhook: {url: ...}`, or a newer "
        "Alertmanager",
    ),
    "wecom_robot": Kind(
        needs=("url_file",),
        may=("send_resolved",),
        files=("url_file",),
        inline={"url": "url_file", "key": "url_file"},
        flags=("send_resolved",),
        since=(0, 32),
        older="it cannot write what the robot reads: use a bridge, as `webhook: {url: ...}`, or a newer Alertmanager",
    ),
    "slack": Kind(
        needs=("api_url_file", "channel"),
        may=("send_resolved",),
        files=("api_url_file",),
        inline={"api_url": "api_url_file", "token": "api_url_file"},
        flags=("send_resolved",),
    ),
    "email": Kind(
        needs=("to", "from", "smarthost"),
        may=("auth_username", "auth_password_file", "require_tls", "send_resolved"),
        files=("auth_password_file",),
        inline={"auth_password": "auth_password_file", "password": "auth_password_file"},
        flags=("require_tls", "send_resolved"),
        together=(("auth_username", "auth_password_file"),),
    ),
    "pagerduty": Kind(
        needs=("routing_key_file",),
        may=("send_resolved",),
        files=("routing_key_file",),
        inline={"routing_key": "routing_key_file", "service_key": "routing_key_file"},
        flags=("send_resolved",),
    ),
}
"""What each kind takes. A webhook needs one of ``url`` and ``url_file``."""

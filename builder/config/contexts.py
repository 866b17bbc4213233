"""Where boards are pushed to: one context for each Grafana.

A context says where a secret is, never what it is: the file is committed, and its text appears in messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Auth:
    """Who asks: a service-account token, or a user with a password. All empty: the environment says."""

    token_env: str = ""
    token_file: str = ""
    token_command: str = ""
    user: str = ""
    password_env: str = ""

    @property
    def given(self) -> bool:
        """True where the context itself says who asks."""
        return any(vars(self).values())


@dataclass(frozen=True)
class Tls:
    """How the server is recognised (default: by the system's authorities) and how it recognises us."""

    ca_file: str = ""
    client_cert: str = ""
    client_key: str = ""
    insecure: bool = False


@dataclass(frozen=True)
class Header:
    """An extra header, whose value is kept in an environment variable, in a file, or is no secret at all."""

    env: str = ""
    file: str = ""
    value: str = ""


@dataclass(frozen=True)
class Place:
    """A folder by its uid. Without a title it has to be there already."""

    uid: str
    title: str = ""


@dataclass(frozen=True)
class Context:
    """A Grafana to push to.

    ``folders`` lead from the outermost to the one that holds the boards; empty: the configuration's folder.
    ``datasources`` maps a data source type (``prometheus``, ``loki``), or a uid that boards name, to a uid of this
    Grafana. ``org`` 0 is the organisation that the credentials belong to.
    """

    url: str
    org: int = 0
    folders: tuple[Place, ...] = ()
    auth: Auth = Auth()
    tls: Tls = Tls()
    proxy: str = ""
    headers: Mapping[str, Header] = field(default_factory=dict)
    datasources: Mapping[str, str] = field(default_factory=dict)
    where: str = ""

"""Rights: which account may do what, and where.

A permission is an action with scopes, as in Grafana's role-based access control
(https://grafana.com/docs/grafana/latest/administration/roles-and-permissions/access-control/).
A right on a folder holds for everything below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.testing.grafana.exchange import Refused, refused

Role = Literal["None", "Viewer", "Editor", "Admin"]
Permissions = Mapping[str, Sequence[str]]

_READS = ("dashboards:read", "folders:read", "datasources:read", "orgs:read")
_WRITES = ("dashboards:create", "dashboards:write", "dashboards:delete", "folders:create", "folders:write")
_ADMINISTERS = ("folders:delete", "datasources:write", "dashboards.permissions:write", "folders.permissions:write")
_EVERYWHERE = {
    "dashboards": ("dashboards:*", "folders:*"),
    "folders": ("folders:*",),
    "datasources": ("datasources:*",),
}

GENERAL = "general"
"""How scopes spell the root folder."""


def permissions_of(role: Role, folders: Sequence[str] | None = None) -> Permissions:
    """The permissions of a role; with ``folders``, its writes hold only in those (``""`` is the root) and below."""
    if role == "None":
        return {}
    reads = {action: _everywhere(action) for action in _READS}
    if role == "Viewer":
        return reads
    actions = _WRITES + (_ADMINISTERS if role == "Admin" else ("folders:delete",))
    inside = None if folders is None else tuple(f"folders:uid:{uid or GENERAL}" for uid in folders)
    if inside == ():
        return reads
    return reads | {action: inside or _everywhere(action) for action in actions}


def _everywhere(action: str) -> tuple[str, ...]:
    return _EVERYWHERE.get(action.partition(":")[0].partition(".")[0], ())


@dataclass(frozen=True)
class Account:
    """A user or a service account."""

    login: str
    role: Role
    permissions: Permissions
    orgs: frozenset[int]
    is_service: bool = False
    is_server_admin: bool = False
    expired: bool = False


NOBODY = Account("", "None", {}, frozenset({1}))


@dataclass(frozen=True)
class Caller:
    """An account acting in one organisation."""

    account: Account
    org: int

    @property
    def login(self) -> str:
        return self.account.login

    def may(self, action: str, scopes: Iterable[str]) -> bool:
        """Whether one of the scopes is granted for the action."""
        return not set(scopes).isdisjoint(self.account.permissions.get(action, ()))

    def require_any(self, *actions: str) -> None:
        """Refuse with 403 where the account has none of the actions in any scope."""
        if not any(action in self.account.permissions for action in actions):
            raise access_denied(*actions)

    def require(self, action: str, scopes: Iterable[str]) -> None:
        """Refuse with 403 where the action is not granted in any of the scopes."""
        if not self.may(action, scopes):
            raise access_denied(action)


def access_denied(*actions: str) -> Refused:
    """The 403 of Grafana's access control, which names what is needed."""
    needed = actions[0] if len(actions) == 1 else f"any of {', '.join(actions)}"
    return refused(
        403,
        f"You'll need additional permissions to perform this action. Permissions needed: {needed}",
        title="Access denied",
        accessErrorId="ACE0000000001",
    )


def folder_scopes(chain: Iterable[str]) -> tuple[str, ...]:
    """The scopes that cover a folder, given its uid and those of its ancestors."""
    return ("folders:*", *(f"folders:uid:{uid or GENERAL}" for uid in chain))


def board_scopes(uid: str, chain: Iterable[str]) -> tuple[str, ...]:
    """The scopes that cover a board, given its uid and its folder with ancestors."""
    return ("dashboards:*", f"dashboards:uid:{uid}", *folder_scopes(chain))

"""What is behind the sockets: state that a test reads, accounts, and what others do in that Grafana."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from builder.errors import UsageError
from builder.testing.grafana import apps, classic
from builder.testing.grafana.accounts import Accounts
from builder.testing.grafana.instance import Instance, Settings
from builder.testing.grafana.model import DataSource, Json, StoredBoard, StoredFolder
from builder.testing.grafana.permissions import Account, Permissions, Role, permissions_of
from builder.testing.grafana.storage import Org, Store, new_uid
from builder.testing.grafana.versions import Behaviour

Manager = Literal["", "repo", "terraform", "kubectl", "plugin"]
_MANAGER = "grafana.app/managedBy"


@dataclass(frozen=True)
class OrgView:
    """A snapshot of one organisation."""

    id: int
    name: str
    boards: Mapping[str, StoredBoard]
    folders: Mapping[str, StoredFolder]


class Backstage:
    """A Grafana without its network. All state can be read from any thread, as values that do not change."""

    user = "admin"

    def __init__(
        self, behaviour: Behaviour, settings: Settings, search_lag: float, datasources: Sequence[DataSource]
    ) -> None:
        self.version = behaviour.version
        self._behaviour = behaviour
        self._settings = settings
        self._accounts = Accounts()
        self._store = Store(behaviour, search_lag, datasources)
        self._instance = Instance(behaviour, settings, self._store, self._accounts, (*classic.ROUTES, *apps.ROUTES))
        self.password = secrets.token_hex(8)
        self.add_org(1, "Main Org.")
        self.token = self.add_token("Admin", login="sa-1-gpuboards")

    # What is stored

    @property
    def boards(self) -> dict[str, StoredBoard]:
        """The boards of organisation 1 by uid."""
        return dict(self.org(1).boards)

    @property
    def folders(self) -> dict[str, StoredFolder]:
        """The folders of organisation 1 by uid."""
        return dict(self.org(1).folders)

    def org(self, number: int) -> OrgView:
        """What an organisation holds now."""
        with self._instance.lock:
            org = self._org(number)
            return OrgView(org.id, org.name, dict(org.boards), dict(org.folders))

    def settle(self) -> None:
        """Let search see all that is stored, now."""
        with self._instance.lock:
            for org in self._store.orgs.values():
                org.index.settle()

    @property
    def database_ok(self) -> bool:
        """False makes the health check answer 503."""
        return self._settings.database_ok

    @database_ok.setter
    def database_ok(self, ok: bool) -> None:
        self._settings.database_ok = ok

    # Accounts

    def add_org(self, number: int, name: str) -> None:
        """Another organisation; the administrator is a member."""
        with self._instance.lock:
            self._store.add_org(number, name)
            orgs = frozenset(self._store.orgs)
            admin = Account(self.user, "Admin", permissions_of("Admin"), orgs, is_server_admin=True)
            self._accounts.users[self.user] = (self.password, admin)

    def add_token(
        self,
        role: Role = "Editor",
        *,
        login: str = "sa-1-other",
        org: int = 1,
        folders: Sequence[str] | None = None,
        permissions: Permissions | None = None,
        expired: bool = False,
    ) -> str:
        """The token of a new service account; with ``folders`` it may write only in those (``""``: the root)."""
        token = f"glsa_{secrets.token_hex(16)}_{secrets.token_hex(4)}"
        granted = permissions_of(role, folders) if permissions is None else permissions
        account = Account(login, role, granted, frozenset({org}), is_service=True, expired=expired)
        with self._instance.lock:
            self._accounts.tokens[token] = account
        return token

    def add_user(
        self,
        login: str,
        password: str,
        role: Role = "Editor",
        *,
        orgs: Sequence[int] = (1,),
        folders: Sequence[str] | None = None,
        permissions: Permissions | None = None,
    ) -> None:
        """A user for basic authentication."""
        granted = permissions_of(role, folders) if permissions is None else permissions
        with self._instance.lock:
            self._accounts.users[login] = (password, Account(login, role, granted, frozenset(orgs)))

    def revoke(self, token: str) -> None:
        """From now on the token is unknown."""
        with self._instance.lock:
            self._accounts.tokens.pop(token)

    # What others do

    def add_folder(self, uid: str, title: str, parent: str = "", *, user: str = "alice", org: int = 1) -> StoredFolder:
        """A folder that somebody made."""
        with self._instance.lock:
            home = self._org(org)
            self._check_folder(home, parent)
            return self._store.save_folder(home, uid, title, parent, by=user)

    def add_board(
        self,
        json: Mapping[str, Any],
        folder: str = "",
        *,
        user: str = "alice",
        message: str = "",
        managed_by: Manager = "",
        manager_id: str = "",
        allows_edits: bool = False,
        plugin: str = "",
        org: int = 1,
    ) -> StoredBoard:
        """A board that somebody made, or another tool, whose kind is ``managed_by``."""
        annotations = {}
        if managed_by:
            annotations = {_MANAGER: managed_by, "grafana.app/managerId": manager_id or managed_by}
        if allows_edits:
            annotations["grafana.app/managerAllowsEdits"] = "true"
        return self._put(json, folder, user, message, org, annotations=annotations, plugin=plugin)

    def provision(
        self,
        json: Mapping[str, Any],
        folder: str = "",
        *,
        path: str = "board.json",
        allow_ui_updates: bool = False,
        org: int = 1,
    ) -> StoredBoard:
        """A board from a file of a provisioning directory."""
        annotations = {}
        if self._store.behaviour.unified_storage:
            annotations = {
                _MANAGER: "classic-file-provisioning",
                "grafana.app/managerId": "gpuboards",
                "grafana.app/sourcePath": path,
            }
        return self._put(
            json, folder, "", "", org, annotations=annotations, provisioned=path, allow_ui_updates=allow_ui_updates
        )

    def edit_in_ui(
        self,
        uid: str,
        change: Callable[[Json], Json | None],
        *,
        user: str = "alice",
        message: str = "",
        schema: Literal["classic", "v2"] = "classic",
        org: int = 1,
    ) -> StoredBoard:
        """Save a board as a user of the interface would; ``change`` alters the JSON it is given, or returns another.

        ``schema="v2"``: stored in schema v2, as Grafana 13 does, so that the classic read of 12.0 to 13.0 refuses.
        UsageError where the interface would not let it be saved.
        """
        with self._instance.lock:
            board = self._editable(uid, org)
            edited = copy.deepcopy(board.spec)
            edited = change(edited) or edited
            edited["schemaVersion"] = max(edited.get("schemaVersion", 0), self._store.behaviour.latest_schema)
            api_version = "v2" if schema == "v2" else board.api_version
            return self._save(board, edited, board.folder, user, message, org, api_version=api_version)

    def move_in_ui(self, uid: str, folder: str, *, user: str = "alice", org: int = 1) -> StoredBoard:
        """Move a board to another folder (``""``: the root)."""
        with self._instance.lock:
            board = self._editable(uid, org)
            self._check_folder(self._org(org), folder)
            return self._save(board, board.spec, folder, user, "", org)

    def delete_in_ui(self, uid: str, *, org: int = 1) -> None:
        """Delete a board."""
        with self._instance.lock:
            self._store.delete_board(self._org(org), self._editable(uid, org).uid)

    def delete_folder_in_ui(self, uid: str, *, org: int = 1) -> None:
        """Delete a folder with everything inside."""
        with self._instance.lock:
            self._check_folder(self._org(org), uid)
            self._store.delete_folder(self._org(org), uid)

    def add_datasource(self, datasource: DataSource, *, org: int = 1) -> None:
        """Another data source."""
        with self._instance.lock:
            self._org(org).datasources.append(datasource)

    def remove_datasource(self, uid: str, *, org: int = 1) -> None:
        """Take the data source of this uid away."""
        with self._instance.lock:
            home = self._org(org)
            home.datasources = [source for source in home.datasources if source.uid != uid]

    def _org(self, number: int) -> Org:
        if number not in self._store.orgs:
            raise UsageError(f"there is no organisation {number}", fix="make it with add_org()")
        return self._store.orgs[number]

    def _put(
        self, json: Mapping[str, Any], folder: str, user: str, message: str, org: int, **attributes: Any
    ) -> StoredBoard:
        with self._instance.lock:
            home = self._org(org)
            self._check_folder(home, folder)
            uid = str(json.get("uid") or new_uid())
            existing = home.boards.get(uid)
            return self._store.save_board(
                home, dict(json), uid=uid, folder=folder, by=user, message=message, existing=existing, **attributes
            )

    def _save(
        self, board: StoredBoard, spec: Json, folder: str, user: str, message: str, org: int, **attributes: Any
    ) -> StoredBoard:
        return self._store.save_board(
            self._org(org),
            spec,
            uid=board.uid,
            folder=folder,
            by=user,
            message=message,
            existing=board,
            **attributes,
        )

    def _editable(self, uid: str, org: int) -> StoredBoard:
        board = self._org(org).boards.get(uid)
        if board is None:
            raise UsageError(f"there is no board {uid!r} in this Grafana")
        if not board.editable_by_others:
            raise UsageError(f"Grafana's interface does not save {uid!r}: it is provisioned or managed")
        return board

    @staticmethod
    def _check_folder(org: Org, folder: str) -> None:
        if folder and folder not in org.folders:
            raise UsageError(f"there is no folder {folder!r} in this Grafana", fix="make it with add_folder()")

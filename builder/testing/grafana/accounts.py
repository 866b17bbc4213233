"""Who is calling: bearer tokens and basic authentication, and the organisation that a request is for."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping

from builder.testing.grafana.exchange import Refused, refused
from builder.testing.grafana.permissions import Account, Caller


class Accounts:
    """The tokens and users of a Grafana."""

    def __init__(self) -> None:
        self.tokens: dict[str, Account] = {}
        self.users: dict[str, tuple[str, Account]] = {}

    def authenticate(self, headers: Mapping[str, str]) -> Caller:
        """The caller that the headers name; Refused with Grafana's 401 or 403."""
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        wanted = headers.get("x-grafana-org-id", "")
        org = int(wanted) if wanted.isdecimal() else 0
        if scheme.lower() == "bearer":
            return self._by_token(credentials.strip(), org)
        if scheme.lower() == "basic":
            return self._by_password(credentials.strip(), org)
        raise _unauthorized("Unauthorized", "auth.unauthorized")

    def _by_token(self, token: str, org: int) -> Caller:
        account = self.tokens.get(token)
        if account is None:
            raise _unauthorized("Invalid API key", "api-key.invalid")
        if account.expired:
            raise _unauthorized("Expired API key", "api-key.expired")
        (own,) = account.orgs
        if org not in (0, own):
            raise _unauthorized(
                "API key does not belong to the requested organization", "api-key.organization-mismatch"
            )
        return Caller(account, own)

    def _by_password(self, credentials: str, org: int) -> Caller:
        try:
            user, _, password = base64.b64decode(credentials, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            user = password = ""
        stored, account = self.users.get(user, ("", None))
        if account is None or not hmac.compare_digest(stored.encode(), password.encode()):
            raise _unauthorized("Invalid username or password", "password-auth.failed")
        if org and org not in account.orgs:
            raise refused(403, "user is not a member of the organization")
        return Caller(account, org or min(account.orgs))


def _unauthorized(message: str, message_id: str) -> Refused:
    return refused(401, message, messageId=message_id, statusCode=401, traceID="")

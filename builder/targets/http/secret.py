"""Values that nobody may see: they show as *** wherever they are printed, and are cut out of foreign text."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

_SHOWN = "***"
_SHORTEST = 3


class Secret:
    """A secret value. Only ``reveal()`` gives it; str, repr, format and pickle do not."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({_SHOWN})"

    def __str__(self) -> str:
        return _SHOWN

    def __format__(self, _spec: str) -> str:
        return _SHOWN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        raise TypeError("a secret is not stored")


class Mask:
    """Cuts known secrets, also as they look encoded, out of text that somebody else wrote."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        forms = {form for secret in secrets for form in _forms(secret.reveal())}
        self._forms = sorted((form for form in forms if len(form) >= _SHORTEST), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text without any of the secrets."""
        for form in self._forms:
            text = text.replace(form, _SHOWN)
        return text

    def __repr__(self) -> str:
        return f"Mask({len(self._forms)} forms)"


def _forms(value: str) -> tuple[str, ...]:
    escaped = (quote(value, safe=""), quote(value), quote_plus(value), json.dumps(value)[1:-1])
    return value, *escaped, base64.b64encode(value.encode()).decode()

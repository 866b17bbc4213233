"""Secrets read from where the configuration says they are kept. No message repeats what was read."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from builder.errors import ConfigError
from builder.targets.http.secret import Secret

_COMMAND_SECONDS = 30


def from_environment(name: str, where: str, environment: Mapping[str, str]) -> Secret:
    """The value of an environment variable."""
    return _sendable(_value(name, where, environment), where)


def password_from_environment(name: str, where: str, environment: Mapping[str, str]) -> Secret:
    """The same for a password, which is sent encoded: it may hold any character, and blanks at its ends count."""
    return Secret(_value(name, where, environment))


def _value(name: str, where: str, environment: Mapping[str, str]) -> str:
    value = environment.get(name, "")
    if not value.strip():
        raise ConfigError(f"the environment variable {name} is not set", where=where, fix=f"set {name}")
    return value


def from_file(name: str, where: str) -> Secret:
    """The one line of a file, as a mounted secret has it."""
    try:
        return _sendable(Path(name).expanduser().read_text(encoding="utf-8"), where)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise ConfigError(
            f"the file cannot be read: {reason}", where=where, fix="name a file that holds one line"
        ) from None


def from_command(command: str, where: str) -> Secret:
    """What a command prints on its first line, such as that of a password manager. No shell is used."""
    fix = "run the command by hand and see what it says"
    try:
        done = subprocess.run(
            shlex.split(command), capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"the command did not end within {_COMMAND_SECONDS} s", where=where, fix=fix) from None
    except subprocess.CalledProcessError as error:
        raise ConfigError(f"the command ended with exit code {error.returncode}", where=where, fix=fix) from None
    except (OSError, ValueError, IndexError):
        raise ConfigError("the command cannot be run", where=where, fix=fix) from None
    return _sendable(done.stdout.strip().partition("\n")[0], where)


def _sendable(text: str, where: str) -> Secret:
    """One line of printable characters: anything else cannot be sent in a header."""
    value = text.strip()
    if not value or not value.isascii() or not value.isprintable():
        what = "a character that cannot be sent (more than one line?)" if value else "nothing"
        raise ConfigError(f"there is {what} where a secret is expected", where=where, fix="one line of plain text")
    return Secret(value)

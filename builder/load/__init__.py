"""Board definitions read from Python files, with every mistake reported at the user's own line."""

from builder.load.definitions import Definition, load, read, users_line, users_mistake

__all__ = ["Definition", "load", "read", "users_line", "users_mistake"]

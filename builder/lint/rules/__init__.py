"""Every rule: each module here holds one, as ``RULE``, and is found by being here."""

from __future__ import annotations

import importlib
import pkgutil

from builder.lint.rule import Rule

RULES: tuple[Rule, ...] = tuple(
    importlib.import_module(f"{__name__}.{name}").RULE
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__))
)

BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}

"""Numbers of the configuration in descriptions, so that a text never says another threshold than the panel has."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"\{([a-z_]+)\}")


def with_thresholds(text: str, thresholds: Mapping[str, float]) -> str:
    """``at {temperature_warning} or above`` becomes ``at 80 °C or above``; other braces stay as they are."""

    def shown(match: re.Match[str]) -> str:
        name = match[1]
        if name not in thresholds:
            return match[0]
        value = thresholds[name]
        return f"{value:g} °C" if "temperature" in name or "headroom" in name else f"{value * 100:g} %"

    return _NAME.sub(shown, text)

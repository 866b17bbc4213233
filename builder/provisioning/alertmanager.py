"""Alertmanager's configuration and the texts of its messages, as files."""

from __future__ import annotations

from builder.provisioning.text import HEAD, document
from builder.rules.alertmanager import Settings, configuration, texts


def alertmanager_files(settings: Settings) -> dict[str, str]:
    """Text of each file by its path from the output directory; ``alertmanager/`` is mounted as /etc/alertmanager.

    The templates of the DingTalk bridge are there where a receiver uses the bridge, which mounts
    ``alertmanager/dingtalk/``.
    """
    told = sorted({name for name in (settings.pager, settings.chat, settings.info, settings.other) if name})
    remark = f"Told: {', '.join(told)}." if told else "Nobody is told: no receiver is configured (alertmanager.chat)."
    files = {
        "alertmanager/alertmanager.yml": document(configuration(settings), remark),
        "alertmanager/templates/gpuboards.tmpl": f"{HEAD}\n{texts.alertmanager()}",
    }
    if any(channel.kind == "dingtalk" for ways in settings.receivers.values() for channel in ways):
        files["alertmanager/dingtalk/gpuboards.tmpl"] = f"{HEAD}\n{texts.dingtalk()}"
    return files

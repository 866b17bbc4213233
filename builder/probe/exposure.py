"""How the numbers get out of the process: endpoint, target file, Pushgateway; and how all of that is closed again."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.probe.collector import Collector
from builder.probe.faults import Faults, tell
from builder.probe.identity import Identity, identify
from builder.probe.options import Settings

# What only an open probe needs is imported when it opens: most of it is HTTP and TLS.
if TYPE_CHECKING:
    from builder.probe.endpoint import Endpoint, Guard
    from builder.probe.gateway import Group, Pusher
    from builder.probe.sweeper import Sweeper

CLOSE_SECONDS = 3.0
_LAST_PORT = 65535


class Exposure:
    """What a process has open for its collector. Whatever cannot be opened or closed is noted."""

    def __init__(self, settings: Settings, collector: Collector, faults: Faults) -> None:
        self._settings = settings
        self._collector = collector
        self._faults = faults
        self._closed = False
        self._endpoint: Endpoint | None = None
        self._files: tuple[Path, ...] = ()
        self._pusher: Pusher | None = None
        self._sweeper: Sweeper | None = None
        self._registry: Any = None

    @property
    def url(self) -> str:
        """Where this process can be scraped from this machine; empty where it cannot."""
        endpoint = self._endpoint
        if endpoint is None:
            return ""
        return f"{endpoint.scheme}://{_bracketed(_reachable(self._settings.host))}:{endpoint.port}/metrics"

    def open(self, seconds: float) -> None:
        """Open what the settings ask for; goes on by itself where that takes longer than ``seconds``."""
        self._faults.bounded("start", self._open, seconds)

    def close(self) -> None:
        """Close what is open, and remove what was written for it elsewhere."""
        self._closed = True
        for close in (self._stop_pushing, self._sweep, self._close_endpoint, self._unregister):
            try:
                close()
            except Exception as error:
                self._faults.note("stop", error)

    def abandon(self) -> None:
        """In a forked child: what is open belongs to the parent, with its numbers in a script's registry."""
        self._closed = True
        self._collector.silent = True  # the registry's lock may be the parent's, so nothing is taken out of it
        if self._sweeper is not None:
            self._sweeper.abandon()
        if self._endpoint is not None:
            self._endpoint.abandon()
            self._endpoint = None

    def _open(self) -> None:
        from prometheus_client.registry import CollectorRegistry

        settings = self._settings
        identity = self._collector.identity = identify(settings, os.environ, self._faults.note)
        registry = self._registry = settings.registry if settings.registry is not None else CollectorRegistry()
        registry.register(self._collector)
        if settings.port is not None and not settings.sealed:
            self._serve(settings.port + identity.local_rank if settings.port else 0)
        if settings.file_sd and self._endpoint is not None:
            self._announce(identity, self._endpoint)
        groups = [_group(settings.gateway, identity)] if settings.gateway else []
        if self._files or groups:
            from builder.probe.sweeper import Sweeper

            # Before the first push: what a killed process leaves in a Pushgateway stays for ever.
            self._sweeper = Sweeper(self._files, groups)
        for group in groups:
            from builder.probe.gateway import Pusher

            self._pusher = Pusher(group, registry, settings.gateway_interval, self._faults.note)
        if self._closed:  # meanwhile, because this took too long
            self.close()

    def _serve(self, wanted: int) -> None:
        from builder.probe.endpoint import Endpoint

        try:
            guard = _guard(self._settings, self._faults)
            port = wanted if wanted <= _LAST_PORT else 0
            endpoint = Endpoint(self._settings.host, port, self._registry, guard, self._faults.note)
        except Exception as error:
            self._faults.note("endpoint", error)
            return
        self._endpoint = endpoint
        if wanted in (0, endpoint.port):
            tell(logging.INFO, "serving %s", self.url)
        else:
            why = "is in use" if wanted <= _LAST_PORT else "does not exist"
            tell(logging.WARNING, "serving %s (port %s %s)", self.url, wanted, why)

    def _announce(self, identity: Identity, endpoint: Endpoint) -> None:
        from builder.probe.discovery import announce

        settings = self._settings
        host = settings.advertise or _reachable(settings.host, identity.pod or identity.node)
        try:
            file = announce(settings.file_sd, f"{_bracketed(host)}:{endpoint.port}", endpoint.scheme, identity)
        except Exception as error:
            self._faults.note("file_sd", error)
        else:
            self._files = (file,)

    def _stop_pushing(self) -> None:
        pusher, self._pusher = self._pusher, None
        if pusher is not None:
            pusher.stop(CLOSE_SECONDS)

    def _sweep(self) -> None:
        sweeper, self._sweeper = self._sweeper, None
        files, self._files = self._files, ()
        try:
            if sweeper is not None:
                sweeper.sweep(CLOSE_SECONDS)
                return
        except Exception as error:
            self._faults.note("stop", error)
        if files:  # it could not be started, or was killed
            self._faults.bounded("stop", lambda: _unlink(files), CLOSE_SECONDS)

    def _close_endpoint(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.close()

    def _unregister(self) -> None:
        registry, self._registry = self._registry, None
        if registry is not None:
            registry.unregister(self._collector)


def _unlink(files: Sequence[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _group(address: str, identity: Identity) -> Group:
    """A group that no other process shares: they would replace each other's numbers."""
    from builder.probe.gateway import group

    labels = {
        "job": "training",
        "training_job": identity.job,
        "namespace": identity.namespace,
        "instance": identity.pod or f"{identity.node}:{os.getpid()}",
        "rank": str(identity.rank),
    }
    return group(address, {name: value for name, value in labels.items() if value})


def _guard(settings: Settings, faults: Faults) -> Guard:
    """Raises OSError, ValueError or ssl.SSLError where a secret or a certificate is no good: then nothing is served."""
    from builder.probe.certificate import Certificate
    from builder.probe.endpoint import Guard

    certificate = None
    if settings.certificate:
        certificate = Certificate(settings.certificate, settings.key)
        complaint = certificate.complaint()
        if complaint:
            faults.note("certificate", f"{settings.certificate}: {complaint}; a scrape that verifies it will fail")
    password = settings.password
    if settings.password_file:
        password = Path(settings.password_file).read_text(encoding="utf-8").rstrip("\n")
        if not password:
            raise ValueError(f"{settings.password_file} is empty")
    return Guard(certificate, settings.username, password)


def _reachable(host: str, name: str = "") -> str:
    """The address by which to reach what listens on ``host``."""
    if host in ("", "0.0.0.0", "::"):
        return name or ("::1" if host == "::" else "127.0.0.1")
    return host


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address

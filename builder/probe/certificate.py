"""The endpoint's certificate: loaded, checked for what a client would refuse, and loaded again when it is renewed."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

Note = Callable[[str, "BaseException | str"], None]


class Certificate:
    """A TLS context over two PEM files. Renewed files take effect with the next connection."""

    def __init__(self, certificate: str, key: str) -> None:
        """Raises OSError or ssl.SSLError where the files cannot be read or do not belong together."""
        self._files = (Path(certificate), Path(key))
        self._loaded = self._times()
        self._context = self._load()

    def context(self, note: Note) -> ssl.SSLContext:
        """The context, with the files as they are now; the old ones stay, and it is noted, where the new are broken."""
        try:
            times = self._times()
            if times != self._loaded:
                self._loaded = times  # once: what is broken is not read at every connection
                self._context = self._load()
        except (OSError, ssl.SSLError) as error:
            note("certificate", error)
        return self._context

    def complaint(self) -> str:
        """Why a client would refuse the certificate by its dates, or nothing."""
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname = False
        client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # its issuer is the client's business
        client.load_verify_locations(self._files[0])
        try:
            _shake_hands(client, self._context)
        except ssl.SSLCertVerificationError as error:
            return error.verify_message
        return ""

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(*self._files)
        return context

    def _times(self) -> tuple[int, ...]:
        return tuple(file.stat().st_mtime_ns for file in self._files)


def _shake_hands(client: ssl.SSLContext, server: ssl.SSLContext) -> None:
    """A handshake in memory."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(to_client, to_server), server.wrap_bio(to_server, to_client, server_side=True)]
    for _ in range(10):
        done = 0
        for end in ends:
            try:
                end.do_handshake()
                done += 1
            except ssl.SSLWantReadError:
                pass
        if done == len(ends):
            return

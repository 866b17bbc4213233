"""One request and its reply, or a Lost that says how far it got. The only importer of urllib3.

Redirects are not followed: a login page is no answer, and a token must not travel to another host.
"""

from __future__ import annotations

import contextlib
import json
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode, urlsplit

from builder.errors import ConfigError, cut
from builder.targets.http.watchdog import Watchdog

if TYPE_CHECKING:
    import urllib3

    from builder.config.contexts import Tls
    from builder.targets.http.address import Address, Hints

_LARGEST = 64 * 2**20
_CONNECT_SECONDS = 5


@dataclass(frozen=True)
class Reply:
    """What a server answered. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """True for a success."""
        return 200 <= self.status < 300

    def json(self) -> Any:
        """The body. Raises ValueError where it is not JSON, or JSON that nests too deeply to be anything."""
        try:
            return json.loads(self.body)
        except RecursionError:
            raise ValueError("nested too deeply") from None


class Lost(Exception):
    """No whole reply came. ``arrived``: the server may have received the request and acted on it."""

    def __init__(self, what: str, fix: str, *, arrived: bool, passing: bool = True) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.arrived = arrived
        self.passing = passing
        """False where another try would end the same way: a name that does not exist, TLS that does not fit."""


class TooLate(Lost):
    """The time limit passed before the reply was whole."""


class TooLarge(Lost):
    """The reply was cut off, because it is larger than any that is waited for."""


class Wire:
    """Connections to one server, for several threads."""

    def __init__(self, endpoint: Address, *, seconds: float, connections: int) -> None:
        self._endpoint = endpoint
        self._watchdog = Watchdog(seconds)
        self._seconds = seconds
        self._headers = {
            "Accept": "application/json",
            "User-Agent": "gpuboards",
            **{name: value.reveal() for name, value in endpoint.headers.items()},
        }
        self._pool = _pool(endpoint, self._watchdog, connections)

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()
        self._watchdog.close()

    def exchange(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Send one request, with JSON or a form in it. Raises Lost where no whole reply comes back in time."""
        from urllib3 import Timeout

        url = f"{self._endpoint.url}{path}" + (f"?{urlencode(query, doseq=True, errors='replace')}" if query else "")
        headers, content = self._headers, None
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        elif form is not None:
            headers = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
            content = urlencode(form, doseq=True, errors="replace").encode()
        with self._failing_clearly(), self._watchdog.exchange():
            response = self._pool.urlopen(
                method,
                url,
                body=content,
                headers=headers,
                redirect=False,
                retries=False,
                preload_content=False,
                timeout=Timeout(connect=min(_CONNECT_SECONDS, self._seconds), read=self._seconds),
            )
            try:
                received = response.read(_LARGEST + 1)
                if len(received) > _LARGEST:
                    fix = f"is this the URL of a {self._endpoint.hints.kind}?"
                    raise TooLarge("the reply is too large", fix, arrived=True, passing=False)
            except BaseException:
                response.close()
                raise
            response.release_conn()
            named = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status, named, received)

    @contextlib.contextmanager
    def _failing_clearly(self) -> Iterator[None]:
        from urllib3 import exceptions as wrong

        host = urlsplit(self._endpoint.url).netloc
        try:
            yield
        except TimeoutError as error:
            what = f"{host} did not finish its answer within {self._seconds:g} s"
            raise TooLate(what, "try again, or allow more with --timeout", arrived=True) from error
        except wrong.ReadTimeoutError as error:
            what = f"{host} did not answer within {self._seconds:g} s"
            raise TooLate(what, "try again, or allow more with --timeout", arrived=True) from error
        except (wrong.SSLError, ssl.SSLError) as error:
            raise _tls_failure(error, host, self._endpoint.hints) from error
        except wrong.ProxyError as error:
            raise _proxy_failure(error, self._endpoint.hints) from error
        except wrong.NameResolutionError as error:
            what, fix = f"the name {host.partition(':')[0]} is not known", "check the URL for a typing mistake"
            raise Lost(what, fix, arrived=False, passing="Temporary" in str(error)) from error
        except wrong.LocationValueError as error:
            what, fix = f"{cut(host, 80)} is not the name of a host", "check the URL for a typing mistake"
            raise Lost(what, fix, arrived=False, passing=False) from error
        except (wrong.NewConnectionError, wrong.ConnectTimeoutError) as error:
            what = f"{host} is out of reach: {_reason(error)}"
            raise Lost(what, "is the URL right, the server up, and no firewall in between?", arrived=False) from error
        except (wrong.HTTPError, OSError) as error:
            what = f"the connection to {host} broke"
            raise Lost(what, "try again; what is done already is kept", arrived=True) from error


def _reason(error: Exception) -> str:
    text = str(error).rpartition(": ")[2].strip()
    return text.removeprefix("[Errno 111] ").rstrip(".") or "no connection"


def _tls_failure(error: Exception, host: str, hints: Hints) -> Lost:
    text = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        reason = text.partition("certificate verify failed: ")[2].partition(" (_ssl")[0] or "it cannot be verified"
        if "mismatch" in reason or "not valid for" in reason:
            fix = "use the name that the certificate was made for"
        elif "expired" in reason:
            fix = "the certificate has to be renewed on the server"
        else:
            fix = f"name the authority that signed it: {hints.ca_file}"
        return Lost(f"the certificate of {host} is not trusted: {reason}", fix, arrived=False, passing=False)
    if any(sign in text for sign in ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "RECORD_LAYER", "HTTP_REQUEST")):
        return Lost(f"{host} does not speak TLS", "write http:// instead of https://", arrived=False, passing=False)
    fix = f"does it want a client certificate? {hints.client_cert}"
    if "CERTIFICATE_REQUIRED" in text or "HANDSHAKE_FAILURE" in text or "alert" in text.casefold():
        return Lost(f"{host} refused the TLS connection", fix, arrived=False, passing=False)
    # Who wants a certificate may also just hang up, before its refusal is read.
    return Lost(f"the TLS connection to {host} failed", f"try again; {fix}", arrived=True)


def _proxy_failure(error: Exception, hints: Hints) -> Lost:
    cause = str(getattr(error, "original_error", error))
    if "407" in cause:
        fix = "put them into HTTPS_PROXY: http://USER:PASSWORD@HOST"
        return Lost("the proxy wants credentials", fix, arrived=False, passing=False)
    fix = f"check {hints.proxy}, or HTTPS_PROXY; NO_PROXY names hosts to reach without it"
    return Lost("the proxy is out of reach, or refuses to connect", fix, arrived=False)


# the pool --------------------------------------------------------------------------------------


def _pool(endpoint: Address, watchdog: Watchdog, connections: int) -> urllib3.PoolManager:
    import urllib3

    options: dict[str, Any] = {"num_pools": 2, "maxsize": connections, "block": False}
    if endpoint.url.startswith("https:"):
        options["ssl_context"] = _ssl_context(endpoint.tls)
        if endpoint.tls.insecure:
            # Said once, in words, by the command; urllib3 would say it for each connection.
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    proxy = endpoint.proxy.reveal()
    if proxy:
        parts = urlsplit(proxy)
        address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        if parts.username:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            options["proxy_headers"] = urllib3.make_headers(proxy_basic_auth=pair)
        manager: urllib3.PoolManager = urllib3.ProxyManager(address, **options)
    else:
        manager = urllib3.PoolManager(**options)
    manager.pool_classes_by_scheme = _watched_pools(watchdog)
    return manager


def _watched_pools(watchdog: Watchdog) -> dict[str, type[Any]]:
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

    def pool(base: Any, connection: Any) -> type[Any]:
        def getresponse(self: Any) -> Any:
            if self.sock is not None:
                watchdog.watch(getattr(self.sock, "socket", self.sock))  # TLS inside a proxy's TLS has no own socket
            return connection.getresponse(self)

        watched = type(connection.__name__, (connection,), {"getresponse": getresponse})
        return type(base.__name__, (base,), {"ConnectionCls": watched})

    return {"http": pool(HTTPConnectionPool, HTTPConnection), "https": pool(HTTPSConnectionPool, HTTPSConnection)}


def _ssl_context(tls: Tls) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if tls.ca_file:
        context = _loaded(tls.ca_file, "ca_file", lambda: ssl.create_default_context(cafile=tls.ca_file))
    elif not context.get_ca_certs():
        import certifi  # a bare container has no authorities of its own

        context.load_verify_locations(certifi.where())
    if tls.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if tls.client_cert:
        key = tls.client_key or None
        # Without a password function OpenSSL would ask on the terminal.
        _loaded(tls.client_cert, "client_cert", lambda: context.load_cert_chain(tls.client_cert, key, lambda: ""))
    return context


def _loaded(file: str, setting: str, load: Any) -> Any:
    try:
        return load()
    except ssl.SSLError:
        fix = "PEM text is expected; a key must not be encrypted, and has to fit its certificate"
        raise ConfigError("not a certificate that can be used", where=f"tls.{setting}: {file}", fix=fix) from None
    except OSError as error:
        what, fix = f"cannot be read: {error.strerror or error}", "correct the path; it is seen from where you run this"
        raise ConfigError(what, where=f"tls.{setting}: {file}", fix=fix) from None

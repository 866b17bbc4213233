"""A headless Chromium, driven over its DevTools protocol through two pipes: no port, and no package for it.

Protocol: https://chromedevtools.github.io/devtools-protocol/; with --remote-debugging-pipe Chromium reads commands
from file descriptor 3 and answers on 4, each a JSON text that ends in a NUL.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
)

_PATIENCE = 120
"""Seconds that an answer may take, on a slow machine."""
_AS_3_AND_4 = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Gives the pipes the numbers that Chromium expects, and becomes Chromium."""


class Browser:
    """Chromium with one blank page, for as long as the context lasts."""

    def __init__(self) -> None:
        self._next = 0
        self._session = ""
        self._buffer = b""
        self._loaded: set[str] = set()
        self.failed: list[str] = []
        """What the pages asked for and did not get, or asked for at all outside of files."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            profile = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="gpuboards-chromium-", ignore_cleanup_errors=True)
            )
            self._start(stack, profile)
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
            self.call("Page.setLifecycleEventsEnabled", enabled=True)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self, stack: ExitStack, profile: str) -> None:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # A sandbox needs user namespaces, which root in a container has no use for.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        command = [_binary(), *_FLAGS, *sandbox, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AS_3_AND_4, str(to_read), str(to_write), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(to_read, to_write),
        )
        stack.callback(self._end)
        os.close(to_read)
        os.close(to_write)
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next((t["targetId"] for t in targets if t["type"] == "page"), None)
        target = page or self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def _end(self) -> None:
        os.close(self._write)
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)

    def call(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        """One command, and its result."""
        self._next += 1
        command: dict[str, Any] = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._next:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return dict(message["result"])

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], _PATIENCE)
            read = os.read(self._read, 1 << 16) if ready else b""
            if not read:
                raise RuntimeError("Chromium is gone" if ready else f"Chromium was silent for {_PATIENCE} s")
            self._buffer += read
        text, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: Mapping[str, Any]) -> None:
        parameters = message.get("params") or {}
        if message.get("method") == "Network.requestWillBeSent":
            url = str(parameters["request"]["url"])
            if not url.startswith(("file:", "data:", "about:")):
                self.failed.append(f"asked for {url}")
        elif message.get("method") == "Page.lifecycleEvent" and parameters["name"] == "load":
            self._loaded.add(parameters["loaderId"])
        elif message.get("method") == "Log.entryAdded":
            self.failed.append(str(parameters["entry"]["text"]))
        elif message.get("method") == "Runtime.exceptionThrown":
            self.failed.append(str(parameters["exceptionDetails"]["text"]))

    def open(self, file: Path, *, width: int = 1632, height: int = 900, dark: bool = True, scale: float = 1.0) -> None:
        """Load a file, in a window of this size, for a reader who prefers this theme."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 500,
        )
        self.prefer("dark" if dark else "light")
        loader = self.call("Page.navigate", url=file.resolve().as_uri())["loaderId"]
        while loader not in self._loaded:
            self._message()

    def prefer(self, theme: str) -> None:
        """Tell pages that the reader prefers ``dark`` or ``light``."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def screenshot(self) -> bytes:
        """PNG of the whole page, however far down it goes."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=self._whole())
        return base64.b64decode(shot["data"])

    def _whole(self) -> Mapping[str, float]:
        size: Sequence[float] = self.run(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        return {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}


def _binary() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise RuntimeError("chromium is not installed; on Debian: apt-get install --no-install-recommends chromium")

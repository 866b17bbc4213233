"""What boards ask of Prometheus' HTTP API.

API: https://prometheus.io/docs/prometheus/latest/querying/api/.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests

from builder.errors import ServerError
from builder.opening.server import Series


class Client:
    """A Prometheus server. Every method raises ServerError with the server's own words where it refuses."""

    def __init__(self, url: str, *, timeout: float = 30) -> None:
        self.url = url.rstrip("/")
        self._timeout = timeout
        self._session = requests.Session()
        self._session.trust_env = False  # a proxy in the environment is not meant for a local server

    def instant(self, expr: str, at: float) -> tuple[Series, ...]:
        """The answer at one time."""
        return _series(self._ask("query", {"query": expr, "time": str(at)}))

    def range(self, expr: str, start: float, end: float, step: float) -> tuple[Series, ...]:
        """The answers from start to end, every ``step`` seconds."""
        asked = {"query": expr, "start": str(start), "end": str(end), "step": str(step)}
        return _series(self._ask("query_range", asked))

    def label_values(self, label: str, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Values of a label among the selected series, sorted."""
        return tuple(self._ask(f"label/{label}/values", _selected(selector, start, end), method="GET"))

    def label_names(self, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Names of the labels of the selected series, sorted."""
        return tuple(self._ask("labels", _selected(selector, start, end)))

    def series(self, selector: str, *, start: float = 0, end: float = 0) -> tuple[Mapping[str, str], ...]:
        """Labels of the selected series."""
        return tuple(self._ask("series", _selected(selector, start, end)))

    def targets(self) -> tuple[Mapping[str, Any], ...]:
        """The active scrape targets with their health."""
        return tuple(self._ask("targets", {"state": "active"}, method="GET")["activeTargets"])

    def ready(self) -> bool:
        """True where the server answers queries."""
        try:
            return self._session.get(f"{self.url}/-/ready", timeout=self._timeout).ok
        except requests.RequestException:
            return False

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _ask(self, path: str, parameters: Mapping[str, str], method: str = "POST") -> Any:
        url = f"{self.url}/api/v1/{path}"
        in_url, in_body = (parameters, None) if method == "GET" else (None, parameters)
        try:
            response = self._session.request(method, url, params=in_url, data=in_body, timeout=self._timeout)
            answer = response.json()
        except requests.JSONDecodeError as error:
            raise ServerError(
                f"{url} answered {response.status_code} with something that is not JSON",
                fix="the address must be that of a Prometheus server",
            ) from error
        except requests.RequestException as error:
            raise ServerError(f"no answer from Prometheus: {error}", where=url, fix="is it running?") from error
        if answer.get("status") != "success":
            raise ServerError(f"{answer.get('errorType', 'error')}: {answer.get('error', response.text)}")
        return answer["data"]


def _selected(selector: str, start: float, end: float) -> dict[str, str]:
    asked = {"match[]": selector} if selector else {}
    return {**asked, "start": str(start), "end": str(end)} if end else asked


def _series(data: Any) -> tuple[Series, ...]:
    kind, result = data["resultType"], data["result"]
    if kind == "scalar":
        return (Series({}, (_point(result),)),)
    if kind == "string":
        raise ServerError("the answer is a string, not a number", fix="ask for a vector")
    return tuple(
        Series(found["metric"], tuple(_point(p) for p in found.get("values", [found.get("value")]))) for found in result
    )


def _point(pair: list[Any]) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])

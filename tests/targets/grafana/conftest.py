"""Every Grafana that is supported, with every API that it has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.testing import FakeGrafana
from tests.targets.grafana.pushing import SERVED


@pytest.fixture(params=SERVED, ids=lambda served: f"{served[0]}-{served[1]}")
def served(request: pytest.FixtureRequest) -> Iterator[tuple[FakeGrafana, str]]:
    """A Grafana and the API to use with it."""
    version, api = request.param
    with FakeGrafana(version=version) as grafana:
        yield grafana, api


@pytest.fixture(params=[s for s in SERVED if s[0] >= "11"], ids=lambda served: f"{served[0]}-{served[1]}")
def nesting(request: pytest.FixtureRequest) -> Iterator[tuple[FakeGrafana, str]]:
    """A Grafana whose folders nest, and the API to use with it."""
    version, api = request.param
    with FakeGrafana(version=version) as grafana:
        yield grafana, api


@pytest.fixture(params=[s for s in SERVED if s[0] >= "12"], ids=lambda served: f"{served[0]}-{served[1]}")
def unified(request: pytest.FixtureRequest) -> Iterator[tuple[FakeGrafana, str]]:
    """A Grafana that keeps boards as objects, and the API to use with it."""
    version, api = request.param
    with FakeGrafana(version=version) as grafana:
        yield grafana, api


@pytest.fixture
def grafana() -> Iterator[FakeGrafana]:
    """One Grafana, for what does not depend on its version."""
    with FakeGrafana(version="12.2.0") as grafana:
        yield grafana

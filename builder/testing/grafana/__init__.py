"""A Grafana for tests: its HTTP API over real sockets, from 10.4 to 13, with faults that a test switches on.

    from builder.testing import FakeGrafana

    with FakeGrafana(version="11.6.0") as grafana:
        push_with_your_pipeline(grafana.url, grafana.token)
        assert grafana.boards["gpu-fleet"].folder == "gpu"

docs/testing.md says what it covers, and where the sources leave a version open.
"""

from builder.testing.grafana import faults
from builder.testing.grafana.backstage import OrgView
from builder.testing.grafana.fake import FakeGrafana
from builder.testing.grafana.faults import Fault, Faults
from builder.testing.grafana.model import DataSource, LoggedRequest, Revision, StoredBoard, StoredFolder

__all__ = [
    "DataSource",
    "FakeGrafana",
    "Fault",
    "Faults",
    "LoggedRequest",
    "OrgView",
    "Revision",
    "StoredBoard",
    "StoredFolder",
    "faults",
]

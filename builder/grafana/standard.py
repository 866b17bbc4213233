"""The variables that boards share. Their names are public: links and bookmarks carry them."""

from __future__ import annotations

from builder.grafana.board import Values
from builder.grafana.variables import DatasourceVariable

datasource = DatasourceVariable(
    "datasource", "prometheus", label="Data source", description="The Prometheus that scrapes the exporters."
)
loki = DatasourceVariable("loki", "loki", label="Logs", description="The Loki that holds the logs.")

cluster = Values("cluster", "cluster", label="Cluster", description="Empty where series carry no cluster label.")
node = Values("node", "node", label="Node", description="The host, as the exporter calls it.")
one_node = Values(
    "node", "node", label="Node", description="The host, as the exporter calls it.", multi=False, include_all=False
)
gpu_id = Values("gpu_id", "gpu", label="GPU", description="The card's index on its node.", sort="numerical")
namespace = Values(
    "namespace", "namespace", label="Namespace", description="Of the pods that hold cards.", narrow=False
)
pod = Values("pod", "pod", label="Pod", description="Pods that hold the chosen cards.", narrow=False)

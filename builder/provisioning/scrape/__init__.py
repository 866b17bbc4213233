"""The scrape side as files: for Prometheus itself, for a Prometheus in Kubernetes, and for the Prometheus operator."""

from __future__ import annotations

from builder.config import Config
from builder.provisioning.scrape.jobs import gpu, host, jobs, training
from builder.provisioning.scrape.operator import monitor
from builder.provisioning.scrape.prometheus import in_kubernetes
from builder.provisioning.text import document, documents


def scrape_files(config: Config) -> dict[str, str]:
    """Text of each file by its path from the output directory; ``prometheus.yml`` itself is not among them."""
    scrape = config.scrape
    fragment = {"scrape_configs": [in_kubernetes(job, scrape) for job in jobs(config)]}
    files = {
        "prometheus/scrape/kubernetes.yml": document(
            fragment,
            "For a Prometheus in Kubernetes without the operator: name this file in scrape_config_files (Prometheus 2.43",
            "or later), or put its entries below scrape_configs.",
        )
    }
    parts = {"gpu": (gpu(config),), "training": training(config), "host": host(config)}
    for name, some in parts.items():
        if some:
            files[f"prometheus/operator/{name}.yaml"] = documents(
                [monitor(job, scrape) for job in some],
                "For the Prometheus operator: kubectl apply --filename <this file>",
                *(f"  gpuboards-{job.name}: {job.title}" for job in some),
                *(("Only where nothing scrapes them yet: what is scraped twice is counted twice.",) if name == "host" else ()),
            )
    return files

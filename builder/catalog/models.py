"""Card models as the driver names them, so that a misspelled one is found.

Names are those that ``nvidia-smi --query-gpu=name`` gives, which the exporters hand on as they are.
"""

from __future__ import annotations

MODELS: tuple[str, ...] = (
    "NVIDIA H100 80GB HBM3",
    "NVIDIA H100 PCIe",
    "NVIDIA H100 NVL",
    "NVIDIA H200",
    "NVIDIA H200 NVL",
    "NVIDIA H20",
    "NVIDIA H800",
    "NVIDIA GH200 480GB",
    "NVIDIA GH200 144G HBM3e",
    "NVIDIA B200",
    "NVIDIA B300 SXM6 AC",
    "NVIDIA GB200",
    "NVIDIA GB300",
    "NVIDIA A100-SXM4-40GB",
    "NVIDIA A100-SXM4-80GB",
    "NVIDIA A100-PCIE-40GB",
    "NVIDIA A100 80GB PCIe",
    "NVIDIA A800-SXM4-80GB",
    "NVIDIA A30",
    "NVIDIA A40",
    "NVIDIA A10",
    "NVIDIA A10G",
    "NVIDIA A16",
    "NVIDIA A2",
    "NVIDIA L4",
    "NVIDIA L20",
    "NVIDIA L40",
    "NVIDIA L40S",
    "NVIDIA RTX A4000",
    "NVIDIA RTX A5000",
    "NVIDIA RTX A6000",
    "NVIDIA RTX 6000 Ada Generation",
    "NVIDIA RTX PRO 6000 Blackwell Server Edition",
    "NVIDIA GeForce RTX 3090",
    "NVIDIA GeForce RTX 4090",
    "NVIDIA GeForce RTX 5090",
    "Tesla V100-SXM2-16GB",
    "Tesla V100-SXM2-32GB",
    "Tesla V100-PCIE-16GB",
    "Tesla V100-PCIE-32GB",
    "Tesla T4",
    "Tesla P100-SXM2-16GB",
    "Tesla P100-PCIE-16GB",
    "Tesla P40",
)
"""The models that are known. One that is not here may be named all the same, if the configuration says so."""

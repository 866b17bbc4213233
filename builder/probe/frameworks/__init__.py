"""How each framework tells what memory it holds. To add one: a class like these, and a line here."""

from __future__ import annotations

from builder.probe.frameworks.jax import Jax
from builder.probe.frameworks.model import Device, Framework, Memory
from builder.probe.frameworks.pytorch import PyTorch
from builder.probe.frameworks.tensorflow import TensorFlow

__all__ = ["FRAMEWORKS", "Device", "Framework", "Jax", "Memory", "PyTorch", "TensorFlow"]

FRAMEWORKS = (TensorFlow, PyTorch, Jax)
"""In the order in which a process that has imported several is named after one."""

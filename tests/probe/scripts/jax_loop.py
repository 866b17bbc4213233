"""A loop by hand on JAX, with the probe and without."""

from __future__ import annotations

import json
import urllib.request

from builder.probe import start

probe = start(port=0)


def scrape() -> str:
    with urllib.request.urlopen(probe.url, timeout=30) as answer:
        return str(answer.read().decode())


import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax._src import xla_bridge  # noqa: E402

before = scrape()
initialised = xla_bridge.backends_are_initialized()


def train(steps: object, after: object) -> float:
    weight = jnp.ones(64)
    update = jax.jit(lambda w: w - 0.1 * jax.grad(lambda v: jnp.sum(v**3))(w))
    for _ in steps:
        weight = update(weight)
        after()
    return float(jnp.sum(weight))


plain = train(range(10), lambda: None)
with probe.training():
    watched = train(probe.batches(range(10)), lambda: probe.step(records=4))
result = {"plain": plain, "watched": watched, "initialised": initialised, "before": before, "after": scrape()}
print(json.dumps(result))

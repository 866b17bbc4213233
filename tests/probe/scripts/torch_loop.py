"""A loop by hand on PyTorch, with the probe and without."""

from __future__ import annotations

import json
import urllib.request

from builder.probe import start

probe = start(port=0)


def scrape() -> str:
    with urllib.request.urlopen(probe.url, timeout=30) as answer:
        return str(answer.read().decode())


import torch  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402

before = scrape()


def train(wrap: object, after: object) -> float:
    torch.manual_seed(7)
    model = torch.nn.Linear(16, 1)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.rand(40, 16), torch.rand(40, 1)), batch_size=4, num_workers=1)
    for inputs, wanted in wrap(loader):
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(model(inputs), wanted).backward()
        optimiser.step()
        after()
    return float(sum(p.sum() for p in model.parameters()))


if __name__ == "__main__":
    plain = train(lambda loader: loader, lambda: None)
    with probe.training():
        watched = train(probe.batches, lambda: probe.step(records=4))
    initialised = torch.cuda.is_initialized()
    result = {"plain": plain, "watched": watched, "initialised": initialised, "before": before, "after": scrape()}
    print(json.dumps(result))

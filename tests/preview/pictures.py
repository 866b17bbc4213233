"""The pictures of docs/img: ``python -m tests.preview.pictures`` takes them anew, in a real browser."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from builder.cli.preview_data import Ask, simulated
from builder.cli.previewed import dashboards, opened
from builder.config import Config
from builder.preview.page import page
from tests.preview.browser import Browser

IMAGES = Path(__file__).parents[2] / "docs" / "img"
FAULTS = ("hot:node-1/gpu-0@3h", "power-cap:node-1/gpu-2@1h", "xid=79:node-0/gpu-1@2h")
COLOURS, ROUNDS = 192, 3
"""Of a picture's palette, which k-means draws near to the colours that are there."""


@dataclass(frozen=True)
class Shot:
    """A picture: of which board, for whom, and how wide the committed file is (pixels)."""

    name: str
    board: str
    dark: bool = True
    width: int = 1632
    saved: int = 1000
    height: int | None = None


SHOTS = (
    *(Shot(f"{uid}-dark", uid) for uid in ("gpu-detail", "gpu-fleet", "gpu-health", "gpu-memory")),
    *(Shot(f"{uid}-dark", uid) for uid in ("gpu-node", "gpu-thermal", "gpu-training")),
    Shot("gpu-memory-light", "gpu-memory", dark=False),
    Shot("gpu-thermal-telephone", "gpu-thermal", width=390, saved=390, height=2600),
)
CHOSEN: Mapping[str, tuple[str, ...]] = {"node": ("node-1",), "gpu_id": ("0",)}
"""For the board of one card; the others show all of the fleet."""


def main() -> None:
    """Simulate, draw, open, and save."""
    boards = dashboards((), (), Config())
    fleet = {"nodes": 2, "cards": 4, "faults": FAULTS, "mig": ()}
    with simulated(Config(), fleet, 6 * 3600) as data, Browser() as browser, tempfile.TemporaryDirectory() as folder:
        pages = {}
        for uid, dashboard in boards.items():
            board, _ = opened(dashboard, data, Ask(CHOSEN if uid == "gpu-detail" else {}))
            pages[uid] = Path(folder, f"{uid}.html")
            pages[uid].write_text(page(board, source=data.words), encoding="utf-8")
        for shot in SHOTS:
            browser.open(pages[shot.board], width=shot.width, dark=shot.dark)
            _save(shot, browser.screenshot())


def _save(shot: Shot, taken: bytes) -> None:
    with Image.open(io.BytesIO(taken)) as image:
        whole = image.convert("RGB")
    if shot.height:
        whole = whole.crop((0, 0, whole.width, min(shot.height, whole.height)))
    height = round(whole.height * shot.saved / whole.width)
    small = whole.resize((shot.saved, height), Image.Resampling.LANCZOS).quantize(
        COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=ROUNDS, dither=Image.Dither.NONE
    )
    IMAGES.mkdir(exist_ok=True)
    small.save(IMAGES / f"{shot.name}.png", optimize=True)


if __name__ == "__main__":
    main()

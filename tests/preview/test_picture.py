"""Pictures are drawn of every kind of panel, in both themes, and are the same every time."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import numpy
import pytest
from PIL import Image

from builder.preview import THEMES
from builder.preview.picture import board_picture, panel_picture, panel_pictures
from tests.preview.made import END, HOSTILE, board, every_kind, panel, series, target


@pytest.mark.parametrize("theme", THEMES)
def test_every_panel_is_a_picture_of_its_own_with_something_in_it(theme: str) -> None:
    for placed, shown in every_kind().panels:
        if placed.is_row:
            continue
        with Image.open(io.BytesIO(panel_picture(shown, placed.place, THEMES[theme], "png"))) as image:
            pixels = numpy.asarray(image.convert("RGB"))
        background = numpy.array(list(bytes.fromhex(THEMES[theme].panel[1:])))
        different = (pixels != background).any(axis=2)
        assert not different.all(), shown.title
        under_the_title = different[52:-12, 12:-12]
        assert under_the_title.sum() > 200, shown.title


def test_a_board_is_as_large_as_its_panels() -> None:
    with Image.open(io.BytesIO(board_picture(every_kind(), THEMES["dark"], "png"))) as image:
        assert image.size == (2448, 1920)


@pytest.mark.parametrize("name", ["GPU", f"{HOSTILE} \x1b[31m\x00\uffff 🔥 \u202e"])
def test_an_svg_is_well_formed_and_holds_names_as_text(name: str) -> None:
    content = board_picture(every_kind(name), THEMES["light"], "svg")
    root = ElementTree.fromstring(content)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "defs", "style", "g", "path", "use", "text", "tspan", "clipPath", "rect", "image"}
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    assert re.sub("[\x00\x1b\uffff]", "\ufffd", f"{name} row") in texts
    linked = [value for element in root.iter() for key, value in element.attrib.items() if key.endswith("href")]
    assert all(re.match(r"#|data:image/png;base64,", link) for link in linked)


def test_pictures_are_the_same_every_time() -> None:
    theme = THEMES["dark"]
    assert board_picture(every_kind(), theme, "svg") == board_picture(every_kind(), theme, "svg")
    one, other = (dict(panel_pictures(every_kind(), theme, "png")) for _ in range(2))
    assert one == other
    assert len(one) == 15


def test_copies_of_a_panel_have_files_of_their_own() -> None:
    repeated = panel("stat", "Card", 0, 0, repeat="gpu")
    made = board([repeated], {}, variables={"gpu": ["a/b", "a b", "../a"]})
    assert [name for name, _ in panel_pictures(made, THEMES["dark"], "svg")] == ["1-a_b", "1-a_b_", "1-.._a"]


def test_a_panel_with_a_time_of_its_own_and_one_sample_is_drawn_without_a_warning() -> None:
    drawn = board([panel("timeseries", "One", 0, 0, timeFrom="1h")], {"One": (target(series("a", [(END, 1.0)])),)})
    ((placed, shown),) = drawn.panels
    assert panel_picture(shown, placed.place, THEMES["dark"], "png").startswith(b"\x89PNG")

"""Tables of several questions: one row a device, one column a question."""

from __future__ import annotations

from typing import Any

import pytest

from builder import Board, Column, LogsLink, drill, queries, table, variables
from builder.build import context_of
from builder.config import LOG_SELECTORS, Config, Logs
from builder.errors import DefinitionError
from builder.grafana.render import render

CARD = {"node": "Node", "gpu": "GPU"}
TO_CARD = drill("gpu-detail", "Open", {"node": "node", "gpu_id": "gpu"}, where="fields")


def _cards(**panel: Any) -> Any:
    columns = [
        Column("Power", queries.power.power, {"unit": "watt"}),
        Column("PCIe", queries.traffic.pcie_receive, {"unit": "Bps"}),
        Column("Heat", queries.thermal.temperature),
    ]
    return table("Cards", columns, labels=CARD, **panel)


def _json(panel: Any, profile: str = "dcgm", **config: Any) -> dict[str, Any]:
    board = Board("own", "Own", [panel], variables=[variables.cluster])
    data, _ = render(board, context_of(Config(profile=profile, **config)))
    made: dict[str, Any] = data["panels"][0]
    return made


def _organized(panel: dict[str, Any]) -> dict[str, Any]:
    merge, organize = panel["transformations"]
    assert merge["id"] == "merge"
    options: dict[str, Any] = organize["options"]
    return options


def test_each_column_is_an_instant_table_query() -> None:
    targets = _json(_cards())["targets"]
    assert [(t["refId"], t["format"], t["instant"]) for t in targets] == [(r, "table", True) for r in "ABC"]


def test_labels_come_first_and_what_is_not_shown_is_hidden() -> None:
    options = _organized(_json(_cards()))
    assert options["renameByName"] == {**CARD, "Value #A": "Power", "Value #B": "PCIe", "Value #C": "Heat"}
    assert sorted(options["indexByName"], key=options["indexByName"].__getitem__)[:3] == ["node", "gpu", "Value #A"]
    assert {"Time", "uuid", "cluster", "pod"} <= set(options["excludeByName"])
    assert not set(CARD) & set(options["excludeByName"])


def test_a_column_that_drops_out_leaves_the_others_as_they_are() -> None:
    made = _json(_cards(sort_by="PCIe"), "nvidia-gpu")
    assert [t["refId"] for t in made["targets"]] == ["A", "C"]
    options = _organized(made)
    assert options["renameByName"] == {**CARD, "Value #A": "Power", "Value #C": "Heat"}
    assert sorted(options["indexByName"].values()) == list(range(4))
    names = [override["matcher"]["options"] for override in made["fieldConfig"]["overrides"]]
    assert "PCIe" not in names
    assert "sortBy" not in made.get("options", {})


def test_the_only_value_column_is_called_value_by_grafana() -> None:
    one = table("Cards", [Column("Power", queries.power.power)], labels=CARD)
    assert _organized(_json(one))["renameByName"] == {**CARD, "Value": "Power"}


def test_links_stand_on_the_column_as_it_is_headed() -> None:
    made = _json(_cards(links={"gpu": [TO_CARD], "Power": [TO_CARD]}))
    linked = [
        override["matcher"]["options"]
        for override in made["fieldConfig"]["overrides"]
        if any(p["id"] == "links" for p in override["properties"])
    ]
    assert linked == ["GPU", "Power"]


def test_a_jump_to_the_logs_brings_its_data_source_along() -> None:
    holders = table(
        "Holders",
        [Column("Memory", queries.workloads.workloads)],
        labels={"namespace": "Namespace", "pod": "Pod", "container": "Container"},
        links={"pod": [LogsLink()]},
    )
    data, _ = render(Board("own", "Own", [holders]), context_of(Config()))
    assert [v["name"] for v in data["templating"]["list"]] == ["datasource", "loki"]
    assert "/explore" in str(data["panels"][0]["fieldConfig"]["overrides"])


def test_a_jump_that_needs_columns_that_are_not_shown_is_left_out() -> None:
    made = _json(_cards(links={"node": [LogsLink()]}))
    assert "/explore" not in str(made)
    bare = _json(_cards(links={"node": [LogsLink()]}), logs=Logs(LOG_SELECTORS["bare-metal"]))
    assert "/explore" in str(bare)


def test_a_table_has_no_more_columns_than_letters() -> None:
    with pytest.raises(DefinitionError, match="27 columns") as caught:
        table("Wide", [Column(str(i), queries.power.power) for i in range(27)], labels=CARD)
    assert caught.value.fix == "26 at most"

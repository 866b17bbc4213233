"""Alerts on boards: what is declared, what is refused, and what Grafana is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder import AlertAnnotations, AlertList, Board, Text, alert_labels, variables
from builder.build import context_of
from builder.config import Config, parse
from builder.errors import DefinitionError
from builder.grafana.alerts import ABOUT, SEVERITIES
from builder.grafana.render import render
from builder.rules.labels import Scope
from builder.rules.model import Severity
from tests.grafana.judge import findings


def board(*panels: Any, chosen: Any = (variables.cluster, variables.node), **about: Any) -> Board:
    marks = [AlertAnnotations("Alerts", **about)]
    return Board("own", "Own", panels or [Text("Note", content="text")], variables=chosen, annotations=marks)


def written(made: Board, configuration: str = "") -> dict[str, Any]:
    config = parse(configuration, "gpuboards.yaml") if configuration else Config()
    return render(made, context_of(config))[0]


def mark(made: Board, configuration: str = "") -> dict[str, Any]:
    _, found = written(made, configuration)["annotations"]["list"]
    return dict(found)


def test_its_words_are_those_of_the_rules() -> None:
    assert set(ABOUT) == {scope.value for scope in Scope}
    assert set(SEVERITIES) == {severity.value for severity in Severity}


def test_the_board_s_variables_narrow_it() -> None:
    found = mark(board(about=["card", "job"], severities=["critical", "warning"]))
    assert found["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
    told = 'alertstate="firing",scope="{}",severity=~"critical|warning",cluster=~"$cluster"'
    card, job = told.format("card"), told.format("job")
    assert found["expr"] == f'ALERTS{{{card},node=~"$node"}} or ALERTS{{{job}}}'


def test_a_variable_that_drops_out_narrows_nothing() -> None:
    found = mark(board(chosen=(variables.cluster, variables.node, variables.pod)), "profile: nv-gpu\n")
    assert "$pod" not in found["expr"]


def test_it_links_to_the_rule_and_to_a_runbook_that_has_an_address() -> None:
    assert mark(board())["textFormat"] == '<a href="./alerting/list?search=rule:{{alertname}}">Rule</a>'
    found = mark(board(), "alerts: {runbook_url: 'https://wiki/gpu/{alert}'}\n")
    assert '<a href="https://wiki/gpu/{{alertname}}">Runbook</a>' in found["textFormat"]


def test_the_judge_takes_both(tmp_path: Path) -> None:
    listed = AlertList("Alerts", labels=alert_labels("card", variables={"node": "node"}))
    assert findings(written(board(listed, chosen=[variables.one_node])), tmp_path) == []


def test_the_filter_of_a_list() -> None:
    assert alert_labels("card", "node") == '{scope=~"card|node"}'
    assert alert_labels("job", variables={"cluster": "cluster"}) == '{scope=~"job",cluster="${cluster}"}'


def test_a_list_with_a_variable_that_the_board_lacks_is_refused() -> None:
    listed = AlertList("Alerts", labels=alert_labels("card", variables={"gpu": "gpu_id"}))
    with pytest.raises(DefinitionError, match="gpu_id"):
        written(board(listed))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: AlertAnnotations(" "), "without a name"),
        (lambda: AlertAnnotations("A", severities=[]), "no severity"),
        (lambda: AlertAnnotations("A", severities=["criticl"]), "criticl"),
        (lambda: AlertAnnotations("A", about=["cards"]), "cards"),
        (lambda: AlertAnnotations("A", about="card"), "is not a list"),
        (lambda: alert_labels(), "no subject"),
        (lambda: alert_labels("gpu"), "gpu"),
        (lambda: alert_labels("card", variables={"node": "no de"}), "no de"),
        (lambda: Board("own", "Own", [Text("Note", content="x")], annotations=["Alerts"]), "is not a dict"),
    ],
)
def test_refused(made: Any, message: str) -> None:
    with pytest.raises(DefinitionError, match=message) as caught:
        made()
    assert caught.value.fix

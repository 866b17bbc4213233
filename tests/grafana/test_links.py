"""Links, and what arrives where they lead: Grafana's part of the way is played here step by step."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import DefinitionError, UnknownName
from builder.grafana.links import Link, board_link, drill, panel_link, placeholder
from builder.grafana.logs import LogSelector, explore_logs

KUBERNETES = LogSelector('{namespace="{namespace}",pod="{pod}",container="{container}"}')
BARE_METAL = LogSelector('{job="syslog",host="{node}"} |= "gpu"')
NASTY = "a.b-c_d:9400[fe80::1%25eth0] %2F+x&y#z?k=v;'`${{}}~!*()|é漢"

# Grafana's variable syntax (@grafana/scenes, variables/constants), as of 10.4 to 13.
_VARIABLE = re.compile(r"\$(\w+)|\[\[(\w+?)(?::(\w+))?\]\]|\$\{(\w+)(?:\.([^:^}]+))?(?::([^}]+))?\}")
_PATH = re.compile(r'(labels|fields)(?:\.(\w+)|\["([^"]+)"\])')


def interpolated(url: str, values: dict[str, str], variables: dict[str, Any]) -> str:
    """The URL after Grafana put values in: labels and fields from ``values``, the rest from ``variables``."""

    def replace(match: re.Match[str]) -> str:
        name, path, form = match[1] or match[2] or match[4], match[5], match[3] or match[6]
        if path:
            found = _PATH.fullmatch(path)
            assert found, path
            value: Any = values[found[2] or found[3]]
        elif name in variables:
            value = variables[name]
        else:
            return match[0]
        return formatted(name, value, form)

    return _VARIABLE.sub(replace, url)


def formatted(name: str, value: Any, form: str | None) -> str:
    if form == "percentencode":
        text = "{" + ",".join(value) + "}" if isinstance(value, list) else value
        return quote(text, safe="")
    if form == "pipe":
        return "|".join(value) if isinstance(value, list) else str(value)
    if form == "queryparam":
        many = value if isinstance(value, list) else [value]
        return "&".join(f"var-{name}={quote(one, safe='')}" for one in many)
    assert form is None, form
    return str(value)


def arrived(url: str) -> dict[str, list[str]]:
    """The parameters as Grafana's own parser reads them: + is a space, then percent decoding."""
    query = url.partition("?")[2]
    pairs = [pair.partition("=") for pair in query.split("&")]
    found: dict[str, list[str]] = {}
    for key, _, value in pairs:
        found.setdefault(key, []).append(unquote(value.replace("+", "%20")))
    return found


def explored(link: Link, values: dict[str, str], variables: dict[str, Any] | None = None) -> dict[str, Any]:
    """The one pane that Explore opens."""
    given_ = {"__from": "1700000000000", "__to": "1700000360000", "loki": "logs_1", **(variables or {})}
    url = interpolated(link.url, values, given_)
    assert url.startswith("/explore?")
    parameters = arrived(url)
    assert parameters["schemaVersion"] == ["1"]
    (pane,) = json.loads(parameters["panes"][0]).values()
    assert pane["datasource"] == pane["queries"][0]["datasource"]["uid"] == "logs_1"
    assert pane["range"] == {"from": "1700000000000", "to": "1700000360000"}
    return dict(pane)


def matchers(expr: str) -> dict[str, tuple[str, str]]:
    """Label matchers of a LogQL selector with their strings unquoted."""
    found = re.findall(r'(\w+)(=~|!=|!~|=)("(?:[^"\\]|\\.)*")', expr)
    return {label: (op, json.loads(value)) for label, op, value in found}


@pytest.mark.parametrize("where", ["labels", "fields"])
def test_explore_opens_exactly_that_container(where: Any) -> None:
    values = {"namespace": "team", "pod": NASTY, "container": "main"}
    pane = explored(explore_logs(KUBERNETES, where=where), values)
    assert matchers(pane["queries"][0]["expr"]) == {
        "namespace": ("=", "team"),
        "pod": ("=", NASTY),
        "container": ("=", "main"),
    }


# What cannot arrive is what would end the JSON string; control characters have no place in a name either.
arriving = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co"], exclude_characters='"\\'), min_size=1)


@given(arriving, arriving)
def test_every_character_of_a_name_arrives(pod: str, node: str) -> None:
    pane = explored(explore_logs(KUBERNETES), {"namespace": "n", "pod": pod, "container": "c"})
    assert matchers(pane["queries"][0]["expr"])["pod"] == ("=", pod)
    pane = explored(explore_logs(BARE_METAL, where="fields"), {"node": node})
    assert pane["queries"][0]["expr"] == f'{{job="syslog",host="{node}"}} |= "gpu"'


def test_columns_and_labels_of_other_names() -> None:
    link = explore_logs(BARE_METAL, where="fields", sources={"node": "Node name"})
    assert '${__data.fields["Node name"]:percentencode}' in link.url
    pane = explored(link, {"Node name": "gpu-1"})
    assert matchers(pane["queries"][0]["expr"])["host"] == ("=", "gpu-1")


def test_variables_with_several_values() -> None:
    link = explore_logs(KUBERNETES, where="variables", multi=["pod"])
    variables = {"namespace": "team+a", "pod": ["a-1", "b-2"], "container": "main"}
    pane = explored(link, {}, variables)
    assert matchers(pane["queries"][0]["expr"]) == {
        "namespace": ("=", "team+a"),
        "pod": ("=~", "a-1|b-2"),
        "container": ("=", "main"),
    }


def test_the_same_selector_serves_the_panel() -> None:
    assert KUBERNETES.fields == ("namespace", "pod", "container")
    assert KUBERNETES.for_panel() == '{namespace="${namespace}",pod="${pod}",container="${container}"}'
    assert (
        KUBERNETES.for_panel({"pod": "workload"}, multi=["workload"], rest=' |= "error"')
        == '{namespace="${namespace}",pod=~"${workload}",container="${container}"} |= "error"'
    )


def test_text_beside_a_field_is_escaped_where_the_matcher_becomes_a_pattern() -> None:
    selector = LogSelector('{instance="{node}.example:9100"} |= "host {node}" != "x"')
    assert selector.for_panel(multi=["node"]) == (r'{instance=~"${node}\\.example:9100"} |~ "host ${node}" != "x"')
    assert selector.for_panel() == '{instance="${node}.example:9100"} |= "host ${node}" != "x"'


def test_patterns_of_the_author_stay() -> None:
    selector = LogSelector('{pod=~"{pod}-[0-9]{2}"} |~ `a"b{pod}`')
    assert selector.for_panel(multi=["pod"]) == '{pod=~"${pod}-[0-9]{2}"} |~ "a\\"b${pod}"'


def test_a_pipeline_may_follow() -> None:
    selector = LogSelector('{pod="{pod}"} | json | line_format "{{.message}} {pod}"')
    assert selector.fields == ("pod",)
    assert selector.for_panel() == '{pod="${pod}"} | json | line_format "{{.message}} {pod}"'


@pytest.mark.parametrize("wrong", ["", "pod", "{}", '{pod="{pod}"', '{pod="{pod}', "{pod={pod}}"])
def test_what_is_no_selector(wrong: str) -> None:
    with pytest.raises(DefinitionError):
        LogSelector(wrong)


def test_unknown_fields_of_a_selector() -> None:
    with pytest.raises(UnknownName) as caught:
        LogSelector('{pod="{pods}"}')
    assert "pod" in caught.value.fix


@pytest.mark.parametrize("where", ["labels", "fields"])
def test_drill_keeps_time_and_variables(where: Any) -> None:
    link = drill("gpu-node", "Node", {"node": "node", "gpu_id": "gpu"}, where=where)
    url = interpolated(
        link.url.replace("${__url_time_range}", "from=now-1h&to=now"),
        {"node": NASTY, "gpu": "0"},
        {"datasource": "prom", "cluster": ["a&b", "c"]},
    )
    assert url.startswith("/d/gpu-node?from=now-1h&to=now&")
    assert parse_qs(url.partition("?")[2]) == {
        "from": ["now-1h"],
        "to": ["now"],
        "var-datasource": ["prom"],
        "var-cluster": ["a&b", "c"],
        "var-node": [NASTY],
        "var-gpu_id": ["0"],
    }


def test_no_placeholder_is_left_to_the_default_encoding() -> None:
    links = [
        drill("a", "t", {"node": "node"}),
        panel_link("a", "t", fixed={"node": "x y"}),
        explore_logs(KUBERNETES, where="fields"),
    ]
    for link in links:
        for found in re.findall(r"\$\{([^}]*)\}", link.url):
            assert ":" in found or found in ("__url_time_range", "__from", "__to"), found


def test_fixed_values_are_encoded() -> None:
    assert panel_link("a", "t", carry=(), fixed={"node": "x y&z"}).url.endswith("&var-node=x%20y%26z")


def test_board_links() -> None:
    assert board_link("Boards", tags=["gpu"])["type"] == "dashboards"
    single = board_link("Fleet", uid="gpu-fleet")
    assert (single["type"], single["url"], single["asDropdown"]) == ("link", "/d/gpu-fleet", False)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: drill("a b", "t"),
        lambda: drill("a" * 41, "t"),
        lambda: drill("a", "t", {"no-de": "node"}),
        lambda: drill("a", "t", carry=("data source",)),
        lambda: placeholder("a}b", "fields"),
        lambda: placeholder("a:b", "fields"),
        lambda: placeholder("a", "columns"),  # type: ignore[arg-type]
        lambda: board_link("x"),
        lambda: board_link("x", tags=["a"], uid="b"),
    ],
)
def test_wrong_links_are_refused(wrong: Any) -> None:
    with pytest.raises(DefinitionError):
        wrong()

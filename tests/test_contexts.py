"""The section ``contexts``: everything that it may say, and every kind of mistake with its line."""

from __future__ import annotations

import pytest

from builder.config import Auth, Context, Header, Place, Tls, parse
from builder.errors import ConfigError


def test_everything_that_a_context_can_say() -> None:
    config = parse(
        """\
project: fleet
contexts:
  production:
    url: https://example.org/grafana/
    org: 3
    folder:
      - uid: platform
      - {title: GPU, uid: gpu}
    auth: {token_env: PROD_TOKEN}
    tls: {ca_file: /etc/ca.pem, client_cert: c.pem, client_key: k.pem}
    proxy: http://proxy:3128
    headers:
      X-Tenant: {value: team-a}
      X-Key: {env: KEY}
      X-Other: {file: /run/secrets/other}
    datasources: {prometheus: mimir, old-uid: mimir}
  dev: {url: "http://localhost:3000", auth: {user: admin, password_env: DEV}, tls: {insecure: true}}
""",
        "gpuboards.yaml",
    )
    assert config.project == "fleet"
    assert config.contexts["production"] == Context(
        url="https://example.org/grafana",
        org=3,
        folders=(Place("platform"), Place("gpu", "GPU")),
        auth=Auth(token_env="PROD_TOKEN"),
        tls=Tls("/etc/ca.pem", "c.pem", "k.pem"),
        proxy="http://proxy:3128",
        headers={
            "X-Tenant": Header(value="team-a"),
            "X-Key": Header("KEY"),
            "X-Other": Header(file="/run/secrets/other"),
        },
        datasources={"prometheus": "mimir", "old-uid": "mimir"},
        where="gpuboards.yaml:4",
    )
    assert config.contexts["dev"].tls.insecure and config.contexts["dev"].auth.user == "admin"


def test_without_contexts_there_are_none() -> None:
    assert parse("contexts:\n", "f").contexts == {} and parse("profile: dcgm", "f").project == ""


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("project: 'a b'", 1, "not a project name"),
        ("contexts: [x]", 1, "expected keys and values"),
        ("contexts: {a b: {url: 'http://x'}}", 1, "a context's name"),
        ("contexts:\n  x:\n    org: 1", 3, "no url"),
        ("contexts:\n  x:\n    url: http://x\n    folders: y", 4, "unknown key 'folders' in contexts.x"),
        ("contexts:\n  x:\n    url: nowhere", 3, "is not a URL"),
        ("contexts:\n  x:\n    url: 'http://x#y'", 3, "a query or a fragment"),
        ("contexts:\n  x:\n    url: http://x\n    org: 0", 4, "number of an organisation"),
        ("contexts:\n  x:\n    url: http://x\n    org: true", 4, "number of an organisation"),
        ("contexts:\n  x:\n    url: http://x\n    folder: []", 4, "no folder"),
        ("contexts:\n  x:\n    url: http://x\n    folder: {title: y}", 4, "a folder without uid"),
        ("contexts:\n  x:\n    url: http://x\n    folder: {uid: 'a b'}", 4, "is not a uid"),
        ("contexts:\n  x:\n    url: http://x\n    folder: {uid: general}", 4, "Grafana's own"),
        ("contexts:\n  x:\n    url: http://x\n    folder: [{uid: a}, {uid: a}]", 4, "the same folder twice"),
        (
            f"contexts:\n  x:\n    url: http://x\n    folder: [{','.join(f'{{uid: f{n}}}' for n in range(5))}]",
            4,
            "nests 4",
        ),
        ("contexts:\n  x:\n    url: http://x\n    auth: {}", 4, "says nothing"),
        ("contexts:\n  x:\n    url: http://x\n    auth: {token_env: A, token_file: b}", 4, "2 ways"),
        ("contexts:\n  x:\n    url: http://x\n    auth: {user: a}", 4, "go together"),
        ("contexts:\n  x:\n    url: http://x\n    auth: {password_env: A}", 4, "0 ways"),
        ("contexts:\n  x:\n    url: http://x\n    auth: {token_env: a-b}", 4, "environment variable"),
        ("contexts:\n  x:\n    url: http://x\n    auth: {token: abc}", 4, "unknown key 'token'"),
        ("contexts:\n  x:\n    url: http://x\n    tls: {client_key: k}", 4, "without its client_cert"),
        ("contexts:\n  x:\n    url: http://x\n    tls: {insecure: yes please}", 4, "expected true or false"),
        ("contexts:\n  x:\n    url: http://x\n    tls: {insecure: true, ca_file: c}", 4, "insecure beside"),
        ("contexts:\n  x:\n    url: http://x\n    headers: {'X Y': {value: z}}", 4, "not the name of a header"),
        ("contexts:\n  x:\n    url: http://x\n    headers: {Authorization: {env: Z}}", 4, "is set by gpuboards"),
        ("contexts:\n  x:\n    url: http://x\n    headers: {X: {env: Z, file: z}}", 4, "one source"),
        ("contexts:\n  x:\n    url: http://x\n    datasources: {prometheus: 'a b'}", 4, "is not a uid"),
        ("contexts:\n  x:\n    url: http://x\n    proxy: socks5://x", 4, "is not a URL"),
        ("contexts:\n  x:\n    url: http://x\n    url: http://y", 4, "is here twice"),
    ],
)
def test_every_mistake_has_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "gpuboards.yaml")
    assert what in str(caught.value) and caught.value.where == f"gpuboards.yaml:{line}"


def test_a_secret_in_the_file_is_refused_with_the_way_to_do_it() -> None:
    with pytest.raises(ConfigError, match="does not belong in the configuration") as caught:
        parse("contexts: {x: {url: 'http://x', auth: {password: abc}}}", "f")
    assert "token_env" in caught.value.fix

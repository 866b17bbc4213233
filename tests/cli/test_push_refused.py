"""Everything that can be wrong with a Grafana or the way to it: one clear message with the remedy, nothing written."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.testing import ExpositionServer, FakeGrafana
from builder.testing.grafana import DataSource, faults
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

TLS = Path(__file__).parent / "tls"
Push = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def push(gpuboards: Run, boards: Callable[..., Path]) -> Push:
    """Pushes one small board to this URL with this token; more environment may be given."""
    boards(mine=GOOD)

    def run(url: str, token: str = "glsa_x", *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        said = {"GRAFANA_URL": url, "GRAFANA_TOKEN": token, "NO_PROXY": "127.0.0.1", **environment}
        return gpuboards("push", "--dashboards", "boards", *arguments, environment=said)

    return run


def refused(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """It ended with this code and one message that says this, and how to mend it."""
    assert done.returncode == code, done
    assert done.stdout == "" and done.stderr.startswith("error: ") and "Traceback" not in done.stderr
    assert done.stderr.count("error: ") == 1 and done.stderr.count("  fix: ") == 1
    for word in words:
        assert word in done.stderr, done.stderr


@pytest.mark.parametrize(
    "url", ["grafana.example", "ftp://grafana.example", "http://", "http://a b", "https://x:99999"]
)
def test_what_is_no_url(push: Push, url: str) -> None:
    refused(push(url), 2, "GRAFANA_URL", "https://grafana.example")


def test_nothing_named(push: Push) -> None:
    refused(push(""), 2, "no Grafana named", "--context")


def test_no_credentials(push: Push) -> None:
    refused(push("http://127.0.0.1:1", ""), 2, "no credentials", "GRAFANA_TOKEN")


def test_out_of_reach(push: Push) -> None:
    refused(push("http://127.0.0.1:1"), 3, "127.0.0.1:1 is out of reach", "refused")


def test_a_name_that_nobody_knows(push: Push) -> None:
    refused(push("http://grafana.invalid"), 3, "the name grafana.invalid is not known", "typing mistake")


def test_what_is_no_name(push: Push) -> None:
    refused(push("http://a..b"), 3, "a..b is not the name of a host", "typing mistake")


def test_a_time_that_is_no_number(push: Push) -> None:
    done = push("http://127.0.0.1:1", "glsa_x", "--timeout", "nan")
    assert done.returncode == 2 and "not a number" in done.stderr


def test_the_quota_is_reached(push: Push) -> None:
    with FakeGrafana() as grafana:
        full = faults.Fault("quota", applied=False, reply=faults.Response(403, {"message": "Quota reached"}))
        grafana.faults.add(full, method="POST", path="dashboards$")
        done = push(grafana.url, grafana.token)
        assert done.returncode == 3 and "may have no more: Quota reached" in done.stdout and "[quota]" in done.stdout


def test_a_server_that_steers_the_terminal(push: Push) -> None:
    with FakeGrafana() as grafana:
        where = {"Location": "http://x/\x1b[2J\x07login"}
        steering = faults.Fault("steering", applied=False, reply=faults.Response(302, "", "text/html", where))
        grafana.faults.add(steering)
        refused(push(grafana.url, grafana.token), 3, "wants a login")
        assert not {"\x1b", "\x07"} & set(push(grafana.url, grafana.token).stderr)


def test_a_proxy_that_is_not_there(push: Push) -> None:
    done = push("http://grafana.example", HTTP_PROXY="http://user:hunter22@127.0.0.1:1", http_proxy="")
    refused(done, 3, "proxy")
    assert "hunter22" not in done.stderr


def test_something_else_answers(push: Push) -> None:
    with ExpositionServer({"metrics": "up 1\n"}) as other:
        refused(push(f"http://{other.address}"), 3, "there is no Grafana at this URL")


def test_a_page_answers(push: Push) -> None:
    with FakeGrafana() as grafana:
        grafana.faults.add(faults.wrong_json("<!doctype html><p>Welcome"), path="health")
        refused(push(grafana.url, grafana.token), 3, "there is no Grafana at this URL")


def test_the_path_is_missing(push: Push) -> None:
    with FakeGrafana(path="/grafana") as grafana:
        done = push(grafana.url.removesuffix("/grafana"), grafana.token)
        refused(done, 3, "redirects to", "/grafana", "use the URL that it redirects to")


def test_a_login_in_between(push: Push) -> None:
    with FakeGrafana() as grafana:
        grafana.faults.add(faults.login_redirect())
        refused(push(grafana.url, grafana.token), 3, "wants a login", "single sign-on")


@pytest.mark.parametrize("version", ["9.5.0", "10.3.1"])
def test_too_old(push: Push, version: str) -> None:
    with FakeGrafana(version=version) as grafana:
        refused(push(grafana.url, grafana.token), 3, f"Grafana {version} is older than 10.4", "provisioning")
        assert not grafana.writes


def test_an_api_that_it_does_not_have(push: Push) -> None:
    with FakeGrafana(version="11.6.0") as grafana:
        refused(push(grafana.url, grafana.token, "--api", "apps"), 3, "dashboard.grafana.app", "--api classic")


# credentials -----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["10.4.0", "12.2.0", "13.2.0"])
def test_tokens_that_do_not_do(push: Push, version: str) -> None:
    with FakeGrafana(version=version) as grafana:
        expired = grafana.add_token("Admin", expired=True)
        refused(push(grafana.url, expired), 3, "Expired API key", "Service accounts", "$GRAFANA_TOKEN")
        refused(push(grafana.url, "glsa_wrong"), 3, "the credentials are refused")
        viewer = grafana.add_token("Viewer")
        refused(push(grafana.url, viewer), 3, "do not allow to create boards", "dashboards:create")
        no_right = grafana.add_token("None")
        refused(push(grafana.url, no_right), 3, "not allowed", "Editor")
        assert not any(request.applied and request.status < 400 for request in grafana.writes)
        assert not grafana.boards and not grafana.folders


def test_no_right_to_make_the_folder(push: Push) -> None:
    with FakeGrafana() as grafana:
        rights = {
            a: ["dashboards:*", "folders:*"] for a in ("dashboards:create", "dashboards:write", "dashboards:read")
        }
        token = grafana.add_token(permissions={**rights, "folders:read": ["folders:*"]})
        refused(push(grafana.url, token), 3, "do not allow to create folder gpuboards", "folders:create")
        assert not grafana.writes


def test_no_right_in_the_folder(push: Push) -> None:
    with FakeGrafana() as grafana:
        grafana.add_folder("gpuboards", "GPU")
        grafana.add_folder("mine", "Mine")
        done = push(grafana.url, grafana.add_token("Editor", folders=["mine"]))
        assert done.returncode == 3 and not grafana.boards
        assert "not allowed" in done.stdout and "rights to create" in done.stdout and "1 failed" in done.stdout


def test_an_organisation_that_is_not_ours(push: Push) -> None:
    with FakeGrafana() as grafana:
        done = push(grafana.url, grafana.token, GRAFANA_ORG_ID="7")
        refused(done, 3, "credentials are refused", "organisation")
        refused(push(grafana.url, grafana.token, GRAFANA_ORG_ID="first"), 2, "GRAFANA_ORG_ID")


# data sources ----------------------------------------------------------------------------------


def test_no_prometheus(push: Push) -> None:
    with FakeGrafana(datasources=()) as grafana:
        refused(push(grafana.url, grafana.token), 3, "no data source of type prometheus", "Connections")
        assert not grafana.writes


@pytest.mark.parametrize(("uid", "what"), [("mimir", "no data source has the uid"), ("logs", "is of type loki")])
def test_a_data_source_that_does_not_do(gpuboards: Run, boards: Callable[..., Path], uid: str, what: str) -> None:
    directory = boards(mine=GOOD).parent
    with FakeGrafana(
        datasources=(DataSource("Main", "main", "prometheus"), DataSource("Logs", "logs", "loki"))
    ) as grafana:
        (directory / "gpuboards.yaml").write_text(
            f"contexts: {{it: {{url: '{grafana.url}', datasources: {{prometheus: {uid}}}}}}}"
        )
        done = gpuboards(
            "push", "--dashboards", "boards", environment={"GRAFANA_TOKEN": grafana.token, "GRAFANA_URL": ""}
        )
        refused(done, 3, what, "there are: main (Main, prometheus)")
        assert not grafana.writes


# TLS -------------------------------------------------------------------------------------------


def server(certificate: str, *, wants_client: bool = False) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / certificate)
    if wants_client:
        context.load_verify_locations(TLS / "authority.pem")
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def test_certificates_that_do_not_do(push: Push) -> None:
    with FakeGrafana(ssl_context=server("server.pem")) as grafana:
        refused(push(grafana.url, grafana.token), 3, "is not trusted", "ca_file")
        done = push(grafana.url.replace("https:", "http:"), grafana.token)
        refused(done, 3, "cannot reach Grafana")
    with FakeGrafana() as grafana:
        refused(push(grafana.url.replace("http:", "https:"), grafana.token), 3, "does not speak TLS", "http://")


def test_certificates_that_do(gpuboards: Run, boards: Callable[..., Path]) -> None:
    directory = boards(mine=GOOD).parent

    def run(grafana: FakeGrafana, tls: str) -> subprocess.CompletedProcess[str]:
        (directory / "gpuboards.yaml").write_text(f"contexts: {{it: {{url: '{grafana.url}', tls: {{{tls}}}}}}}")
        environment = {"GRAFANA_TOKEN": grafana.token, "GRAFANA_URL": ""}
        return gpuboards("push", "--dashboards", "boards", environment=environment)

    authority, client = f"ca_file: {TLS}/authority.pem", f"client_cert: {TLS}/client.pem"
    with FakeGrafana(ssl_context=server("server.pem")) as grafana:
        assert run(grafana, authority).returncode == 0 and "mine" in grafana.boards
        done = run(grafana, "insecure: true")
        assert done.returncode == 0 and done.stderr.startswith("warning: ") and done.stderr.count("\n") == 1
        refused(run(grafana, "ca_file: nowhere.pem"), 2, "tls.ca_file", "cannot be read")
        refused(run(grafana, f"ca_file: {__file__}"), 2, "tls.ca_file", "PEM")
    with FakeGrafana(ssl_context=server("elsewhere.pem")) as grafana:
        refused(run(grafana, authority), 3, "is not trusted", "the name that the certificate was made for")
    with FakeGrafana(ssl_context=server("server.pem", wants_client=True)) as grafana:
        assert run(grafana, f"{authority}, {client}").returncode == 0 and "mine" in grafana.boards
        assert run(grafana, authority).returncode == 3

"""One comment that is renewed, on either forge; and what their refusals say."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.errors import GpuboardsError, ServerError, UsageError
from builder.targets.forge import github, gitlab
from builder.targets.forge.forge import post
from builder.targets.forge.talk import Advice, Talk
from tests.targets.forge.fake import BOT, OTHER, TOKEN, FakeForge, forge

MARKER = "<!-- here -->"


@pytest.fixture(params=["github", "gitlab"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fake() -> Iterator[FakeForge]:
    with forge() as running:
        yield running


def environment(kind: str, fake: FakeForge, **more: str) -> dict[str, str]:
    of_kind = {
        "github": {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": fake.url},
        "gitlab": {"GITLAB_TOKEN": TOKEN, "CI_PROJECT_ID": "7", "CI_API_V4_URL": fake.url},
    }[kind]
    return {**of_kind, **more}


def posted(kind: str, fake: FakeForge, text: str, number: int | None = 3, **more: str) -> str:
    connect: Any = {"github": github.connect, "gitlab": gitlab.connect}[kind]
    request, talk = connect(environment(kind, fake, **more), number)
    try:
        return post(request, text, MARKER)[0]
    finally:
        talk.close()


def test_one_comment_is_made_and_then_renewed(kind: str, fake: FakeForge) -> None:
    fake.add("a comment of ours about something else")
    assert posted(kind, fake, f"{MARKER}\none") == "created"
    assert posted(kind, fake, f"{MARKER}\ntwo") == "updated"
    assert posted(kind, fake, f"{MARKER}\ntwo") == "unchanged"
    assert [comment["body"] for comment in fake.comments[1:]] == [f"{MARKER}\ntwo"]
    assert len(fake.writes) == 2


def test_the_marker_of_somebody_else_is_not_ours(kind: str, fake: FakeForge) -> None:
    fake.add(f"{MARKER} mine now", by=OTHER)
    fake.add(f"look: {MARKER}")
    assert posted(kind, fake, "text without a marker") == "created"
    assert fake.comments[0]["body"] == f"{MARKER} mine now"
    assert fake.comments[2]["body"] == f"{MARKER}\ntext without a marker"


def test_it_is_found_behind_many_comments(kind: str, fake: FakeForge) -> None:
    for number in range(230):
        fake.add(f"talk {number}", by=OTHER)
    fake.add(f"{MARKER} old")
    assert posted(kind, fake, f"{MARKER} new") == "updated"
    assert fake.comments[230]["body"] == f"{MARKER} new"


def test_the_token_of_actions_may_not_ask_who_it_is(fake: FakeForge) -> None:
    fake.login = None
    fake.add(f"{MARKER} old", by=BOT)
    assert posted("github", fake, f"{MARKER} new") == "updated"


@pytest.mark.parametrize(
    ("status", "said", "fix"),
    [
        (401, "Bad credentials", "_TOKEN to"),
        (403, "Resource not accessible by integration", "permissions|scope"),
        (403, "API rate limit exceeded", "wait until the limit is lifted"),
        (404, "Not Found", "check (GITHUB_REPOSITORY|CI_PROJECT_ID)"),
        (422, "Validation Failed", "the report itself is whole"),
        (500, "Oops", "try again later"),
    ],
)
def test_a_refusal_says_what_to_do(kind: str, fake: FakeForge, status: int, said: str, fix: str) -> None:
    import re

    fake.refuse = {("POST", "s"): (status, {"message": said, "errors": [{"message": "body is odd"}]})}
    with pytest.raises(ServerError) as raised:
        posted(kind, fake, MARKER)
    assert f"answers {status}: {said}; body is odd" in raised.value.what
    assert raised.value.exit_code == 3
    assert re.search(fix, raised.value.fix)
    assert len(fake.writes) == 1, "a write is not repeated"


def test_reading_is_tried_again_and_an_odd_answer_is_no_comment_list(kind: str, fake: FakeForge) -> None:
    fake.refuse = {("GET", "s"): (502, b"<html>")}
    with pytest.raises(ServerError, match="answers 502"):
        posted(kind, fake, MARKER)
    assert len(fake.seen) == 4
    for odd in (b"<html>login</html>", b"[" * 100_000):
        fake.refuse = {("GET", "s"): (200, odd)}
        with pytest.raises(ServerError, match="the answer is not what"):
            posted(kind, fake, MARKER)
    assert fake.writes == []


def test_a_token_is_never_shown(kind: str, fake: FakeForge) -> None:
    fake.refuse = {("GET", "/user"): (401, {"message": f"bad token {TOKEN}"})}
    with pytest.raises(ServerError) as raised:
        posted(kind, fake, MARKER)
    assert TOKEN not in str(raised.value) and "***" in str(raised.value)


def test_a_forge_that_takes_a_connection_and_never_answers() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        talk = Talk("GitHub", url, ("Authorization", "Bearer "), TOKEN, Advice("", "", ""), {}, seconds=0.2)
        with pytest.raises(ServerError, match=r"did not answer within 0\.2 s") as raised:
            talk.json("GET", "find the comment", "/x")
        talk.close()
    assert (raised.value.exit_code, raised.value.fix) == (3, "try again later"), "no option of ours would help"


def test_nobody_listens(kind: str, fake: FakeForge) -> None:
    fake.url = "http://127.0.0.1:9"
    with pytest.raises(ServerError, match="out of reach"):
        posted(kind, fake, MARKER)


# which request -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("github", "GITHUB_TOKEN"),
        ("github", "GITHUB_REPOSITORY"),
        ("gitlab", "GITLAB_TOKEN"),
        ("gitlab", "CI_PROJECT_ID"),
    ],
)
def test_what_the_environment_has_to_say(kind: str, missing: str, fake: FakeForge) -> None:
    with pytest.raises(UsageError) as raised:
        posted(kind, fake, MARKER, **{missing: " "})
    assert raised.value.where == missing and raised.value.fix
    assert fake.seen == []


def test_which_request_is_meant(kind: str, fake: FakeForge, tmp_path: Path) -> None:
    with pytest.raises(GpuboardsError, match="request is not known"):
        posted(kind, fake, MARKER, None)
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 12}}), encoding="utf-8")
    said = {"GITHUB_EVENT_PATH": str(event), "CI_MERGE_REQUEST_IID": "12", "CI_MERGE_REQUEST_PROJECT_ID": "a/b"}
    assert posted(kind, fake, MARKER, None, **said) == "created"
    assert "/12/" in fake.writes[-1]
    assert kind == "github" or "/projects/a%2Fb/" in fake.writes[-1]


def test_a_run_after_the_run_asks_for_the_pull_request_of_its_head(fake: FakeForge, tmp_path: Path) -> None:
    run = {"head_branch": "fix", "head_sha": "abc", "head_repository": {"owner": {"login": "fork"}}}
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"workflow_run": run}), encoding="utf-8")
    fake.pulls = [
        {"number": 4, "head": {"label": "fork:fix", "sha": "older"}},
        {"number": 5, "head": {"label": "fork:fix", "sha": "abc"}},
        {"number": 6, "head": {"label": "other:fix", "sha": "abc"}},
    ]
    assert posted("github", fake, MARKER, None, GITHUB_EVENT_PATH=str(event)) == "created"
    assert fake.writes == ["POST /repos/o/r/issues/5/comments"]
    fake.pulls = []
    with pytest.raises(UsageError, match="which pull request is not known"):
        posted("github", fake, MARKER, None, GITHUB_EVENT_PATH=str(event))

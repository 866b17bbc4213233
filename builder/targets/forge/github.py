"""GitHub: a pull request's comments (REST API, issues/comments), found from what Actions sets in the environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from builder.errors import UsageError
from builder.targets.forge.forge import Comment
from builder.targets.forge.talk import Advice, Talk

_API = "https://api.github.com"
_BOT = "github-actions[bot]"
_ADVICE = Advice(
    unauthorised="set GITHUB_TOKEN to a valid token; in Actions: env: {GITHUB_TOKEN: ${{ github.token }}}",
    forbidden="give the job `permissions: {pull-requests: write}`; the token of a pull request from a fork only reads:"
    " post from a workflow_run job, as docs/review.md shows",
    missing="check GITHUB_REPOSITORY and the number; a token that may not see the repository gets this answer too",
)


class GitHub:
    """One pull request."""

    def __init__(self, talk: Talk, repository: str, number: int) -> None:
        self._talk = talk
        self._repository = repository
        self._number = number

    def comments(self) -> list[Comment]:
        """The comments on the pull request that this token's owner wrote."""
        me = self._login()
        path = f"/repos/{self._repository}/issues/{self._number}/comments"
        found = self._talk.pages("read the comments", path)
        return [_comment(each) for each in found if (each.get("user") or {}).get("login") == me]

    def create(self, text: str) -> Comment:
        """A new comment on the pull request."""
        path = f"/repos/{self._repository}/issues/{self._number}/comments"
        return _comment(self._talk.object("POST", "post the comment", path, {"body": text}))

    def update(self, comment: Comment, text: str) -> Comment:
        """The comment with another text."""
        path = f"/repos/{self._repository}/issues/comments/{comment.number}"
        return _comment(self._talk.object("PATCH", "update the comment", path, {"body": text}))

    def _login(self) -> str:
        """Who we are. The token of Actions belongs to an app, which may not ask, and writes as a bot."""
        try:
            return str(self._talk.object("GET", "read whose token it is", "/user").get("login"))
        except Exception as error:
            if "answers 403" in str(error):
                return _BOT
            raise


def connect(environment: Mapping[str, str], number: int | None) -> tuple[GitHub, Talk]:
    """The pull request that is meant: by number, or the one that this run of Actions is about.

    Raises UsageError where the environment does not say which, or holds no token.
    """
    token, repository = (environment.get(name, "").strip() for name in ("GITHUB_TOKEN", "GITHUB_REPOSITORY"))
    if not token:
        raise UsageError("no token for GitHub", where="GITHUB_TOKEN", fix=_ADVICE.unauthorised)
    if repository.count("/") != 1 or not all(repository.split("/")):
        raise UsageError("which repository is not known", where="GITHUB_REPOSITORY", fix="set it to OWNER/NAME")
    url = environment.get("GITHUB_API_URL", "").strip() or _API
    talk = Talk("GitHub", url, ("Authorization", "Bearer "), token, _ADVICE, environment)
    try:
        number = number or _number(environment) or _of_run(talk, repository, _event(environment))
    except BaseException:
        talk.close()
        raise
    if not number:
        talk.close()
        raise UsageError("which pull request is not known", fix="run it for a pull request, or name it: --number N")
    return GitHub(talk, repository, number), talk


def _number(environment: Mapping[str, str]) -> int | None:
    for key in ("pull_request", "issue"):
        found = _event(environment).get(key)
        if isinstance(found, dict) and isinstance(found.get("number"), int):
            return int(found["number"])
    return None


def _of_run(talk: Talk, repository: str, event: Mapping[str, Any]) -> int | None:
    """The open pull request whose head the run that woke us was for; asked of GitHub, not read from an artifact."""
    run = event.get("workflow_run")
    if not isinstance(run, dict):
        return None
    owner = ((run.get("head_repository") or {}).get("owner") or {}).get("login")
    query = {"state": "open", "head": f"{owner}:{run.get('head_branch')}"}
    for found in talk.pages("find the pull request", f"/repos/{repository}/pulls", query):
        if (found.get("head") or {}).get("sha") == run.get("head_sha") and isinstance(found.get("number"), int):
            return int(found["number"])
    return None


def _event(environment: Mapping[str, str]) -> dict[str, Any]:
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    except (KeyError, OSError, ValueError):
        return {}
    return event if isinstance(event, dict) else {}


def _comment(data: Mapping[str, Any]) -> Comment:
    return Comment(int(data.get("id") or 0), str(data.get("body") or ""), str(data.get("html_url") or ""))

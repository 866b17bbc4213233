"""GitLab: a merge request's notes (REST API v4), found from what CI sets in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from builder.errors import UsageError
from builder.targets.forge.forge import Comment
from builder.targets.forge.talk import Advice, Talk

_API = "https://gitlab.com/api/v4"
_ADVICE = Advice(
    unauthorised="set GITLAB_TOKEN to a project access token with the scope api; CI_JOB_TOKEN may not write notes",
    forbidden="the token needs the scope api and the role Reporter or more in the project",
    missing="check CI_PROJECT_ID and the number; a token that may not see the project gets this answer too",
)


class GitLab:
    """One merge request."""

    def __init__(self, talk: Talk, project: str, number: int, link: str = "") -> None:
        self._talk = talk
        self._path = f"/projects/{quote(project, safe='')}/merge_requests/{number}/notes"
        self._link = link

    def comments(self) -> list[Comment]:
        """The notes on the merge request that this token's owner wrote."""
        me = self._talk.object("GET", "read whose token it is", "/user").get("id")
        found = self._talk.pages("read the notes", self._path, {"order_by": "created_at", "sort": "asc"})
        return [
            self._comment(each)
            for each in found
            if not each.get("system") and (each.get("author") or {}).get("id") == me
        ]

    def create(self, text: str) -> Comment:
        """A new note on the merge request."""
        return self._comment(self._talk.object("POST", "post the note", self._path, {"body": text}))

    def update(self, comment: Comment, text: str) -> Comment:
        """The note with another text."""
        path = f"{self._path}/{comment.number}"
        return self._comment(self._talk.object("PUT", "update the note", path, {"body": text}))

    def _comment(self, data: Mapping[str, Any]) -> Comment:
        number = int(data.get("id") or 0)
        return Comment(number, str(data.get("body") or ""), f"{self._link}#note_{number}" if self._link else "")


def connect(environment: Mapping[str, str], number: int | None) -> tuple[GitLab, Talk]:
    """The merge request that is meant: by number, or the one that this pipeline is for.

    Raises UsageError where the environment does not say which, or holds no token.
    """
    token = environment.get("GITLAB_TOKEN", "").strip()
    if not token:
        raise UsageError("no token for GitLab", where="GITLAB_TOKEN", fix=_ADVICE.unauthorised)
    of_request = environment.get("CI_MERGE_REQUEST_PROJECT_ID", "").strip()
    project = of_request or environment.get("CI_PROJECT_ID", "").strip()
    if not project:
        raise UsageError("which project is not known", where="CI_PROJECT_ID", fix="set it to the number or path")
    said = environment.get("CI_MERGE_REQUEST_IID", "").strip()
    number = number or (int(said) if said.isdecimal() else None)
    if not number:
        raise UsageError(
            "which merge request is not known", fix="run it in a merge request pipeline, or name it: --number N"
        )
    url = environment.get("CI_API_V4_URL", "").strip() or _API
    base = environment.get("CI_MERGE_REQUEST_PROJECT_URL", "").strip()
    talk = Talk("GitLab", url, ("PRIVATE-TOKEN", ""), token, _ADVICE, environment)
    return GitLab(talk, project, number, f"{base}/-/merge_requests/{number}" if base else ""), talk

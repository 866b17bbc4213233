"""Pages for a browser of this machine: it hears of news, sees a mistake, and nobody else reads along."""

from __future__ import annotations

import socket
import threading

import pytest
import requests

from builder.errors import UsageError
from builder.targets.pages import PageServer, script_tag


def ask(url: str, **headers: str) -> requests.Response:
    with requests.Session() as session:
        session.trust_env = False
        return session.get(url, headers=headers, timeout=30)


def test_a_page_is_served_and_the_first_is_the_index() -> None:
    with PageServer() as server:
        server.publish("/index.html", server.next_version(), "all")
        server.publish("/a.html", server.next_version(), "one")
        assert (ask(server.url).text, ask(f"{server.url}a.html").text) == ("all", "one")
        assert ask(f"{server.url}a.html").headers["Content-Type"] == "text/html; charset=utf-8"
        assert ask(f"{server.url}b.html").status_code == 404
        server.withdraw("/a.html")
        assert ask(f"{server.url}a.html").status_code == 404


def test_a_browser_that_waits_hears_of_a_new_version() -> None:
    with PageServer() as server:
        first = server.next_version()
        server.publish("/a.html", first, "one")
        heard: list[str] = []
        news = f"{server.url}version?path=/a.html&after={first}"
        waiting = threading.Thread(target=lambda: heard.append(ask(news).text))
        waiting.start()
        second = server.next_version()
        server.publish("/a.html", second, "two")
        waiting.join(30)
        assert heard == [str(second)]
        assert f'data-version="{second}"' in script_tag(second)
        assert "/version?" in ask(f"{server.url}reload.js").text


def test_a_problem_takes_the_place_of_every_page_until_it_is_solved() -> None:
    with PageServer() as server:
        server.publish("/a.html", 1, "one")
        server.problem(2, "broken")
        assert (ask(f"{server.url}a.html").text, ask(f"{server.url}b.html").text) == ("broken", "broken")
        assert ask(f"{server.url}version?path=/a.html&after=1").text == "2"
        server.solved()
        assert ask(f"{server.url}a.html").text == "one"


def test_a_page_from_elsewhere_cannot_read_along() -> None:
    with PageServer() as server:
        server.publish("/index.html", 1, "all")
        assert ask(server.url, Host=f"rebound.example:{server.port}").status_code == 421
        assert ask(server.url, Host=f"localhost:{server.port}").text == "all"


def test_a_port_that_is_taken_is_the_users_mistake() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match=r"--port: cannot listen on 127\.0\.0\.1"):
            PageServer(taken.getsockname()[1])
    with pytest.raises(UsageError, match="cannot listen"):
        PageServer(70000)

"""The server answers its own page and nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from tests.view.serving import served, session_of

from scrimp.errors import OptionError
from scrimp.outputs.page import FILES
from scrimp.viewing.server import PageServer


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    with served(session_of("broken_lock.dve")) as server:
        yield server


def request(
    server: PageServer, path: str, *, method: str = "GET", body: str = "", headers: dict[str, str] | None = None
) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", server.server_address[1], timeout=30)
    given = {"Host": server.host} | (headers or {})
    connection.request(method, path, body=body or None, headers=given)
    response = connection.getresponse()
    response.text = response.read().decode()  # type: ignore[attr-defined]
    connection.close()
    return response


def post(server: PageServer, verb: str, message: object, **headers: str) -> HTTPResponse:
    usual = {"Content-Type": "application/json", "Origin": f"http://{server.host}"}
    path = f"/{server.token}/{verb}"
    return request(server, path, method="POST", body=json.dumps(message), headers=usual | headers)


def test_it_listens_on_the_loopback_interface_only(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_every_page_has_another_token(server: PageServer) -> None:
    with served(session_of("broken_lock.dve")) as other:
        assert server.token != other.token
        assert len(server.token) >= 32


@pytest.mark.parametrize("file", ["", *FILES])
def test_the_files_of_the_page_are_served(server: PageServer, file: str) -> None:
    response = request(server, f"/{server.token}/{file}")
    assert response.status == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/", "/index.html", "/app.js", "/wrong/app.js", "//app.js"])
def test_a_request_without_the_token_is_refused(server: PageServer, path: str) -> None:
    assert request(server, path).status == 403


@pytest.mark.parametrize(
    "path", ["../server.py", "..%2fserver.py", "page/app.js", "/etc/passwd", "app.js/../../errors.py", "py.typed"]
)
def test_a_path_outside_of_the_pages_files_is_refused(server: PageServer, path: str) -> None:
    assert request(server, f"/{server.token}/{path}").status == 404


@pytest.mark.parametrize("host", ["evil.example", "localhost:1", "127.0.0.1", ""])
def test_another_host_is_refused(server: PageServer, host: str) -> None:
    assert request(server, f"/{server.token}/", headers={"Host": host}).status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_another_origin_is_refused(server: PageServer, origin: str) -> None:
    assert post(server, "open", {}, Origin=origin).status == 403
    assert request(server, f"/{server.token}/", headers={"Origin": origin}).status == 403


def test_a_request_that_a_browser_calls_cross_site_is_refused(server: PageServer) -> None:
    assert request(server, f"/{server.token}/", headers={"Sec-Fetch-Site": "cross-site"}).status == 403


def test_a_form_of_another_page_cannot_send_messages(server: PageServer) -> None:
    assert post(server, "open", {}, **{"Content-Type": "text/plain"}).status == 403


def test_messages_are_answered(server: PageServer) -> None:
    answer = json.loads(post(server, "open", {}).text)["answer"]  # type: ignore[attr-defined]
    assert answer["name"] == "broken_lock.dve"


@pytest.mark.parametrize(
    ("verb", "message"),
    [("nonsense", {}), ("open", []), ("state", {"walk": 9, "at": 0}), ("state", {"walk": 0}), ("steps", {"walk": "x"})],
)
def test_a_message_that_makes_no_sense_is_answered_by_the_reason(
    server: PageServer, verb: str, message: object
) -> None:
    post(server, "open", {})
    response = post(server, verb, message)
    assert response.status == 200
    problem = json.loads(response.text)["problem"]  # type: ignore[attr-defined]
    assert "defect" not in problem


def test_text_that_is_not_json_is_refused(server: PageServer) -> None:
    usual = {"Content-Type": "application/json", "Origin": f"http://{server.host}"}
    assert request(server, f"/{server.token}/open", method="POST", body="{", headers=usual).status == 400


def test_a_message_that_is_too_long_is_refused(server: PageServer) -> None:
    assert post(server, "open", {}, **{"Content-Length": "9999999"}).status == 413


def test_a_port_that_is_taken_is_refused(server: PageServer) -> None:
    with pytest.raises(OptionError, match="cannot listen there"):
        PageServer(session_of("broken_lock.dve"), port=int(server.server_address[1]))


def test_all_files_of_the_page_are_listed() -> None:
    folder = Path(__file__).parents[2] / "src" / "scrimp" / "page"
    assert {path.name for path in folder.iterdir()} == set(FILES)

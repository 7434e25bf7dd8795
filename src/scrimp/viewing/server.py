"""The server of the page: on the loopback interface only, and only for those who know its address.

The first part of every path is a random token. A request is refused if it lacks the token, names another host (a page
elsewhere could point a name of its own at this machine), comes from another origin, or asks for a file that is not one
of the page's own. The page may load nothing from anywhere else.
"""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from scrimp.errors import OptionError, ScrimpError
from scrimp.outputs.page import FILES, file_bytes
from scrimp.viewing.comparing import Comparison
from scrimp.viewing.session import Session

LOOPBACK = "127.0.0.1"
LARGEST_MESSAGE = 1_000_000
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class PageServer(ThreadingHTTPServer):
    """Serves one session until it is shut down."""

    daemon_threads = True

    def __init__(self, session: Session | Comparison, port: int = 0, token: str | None = None) -> None:
        self.session = session
        self.token = token or secrets.token_urlsafe(24)
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except (OSError, OverflowError) as error:
            raise OptionError(f"--port {port}: cannot listen there: {error}") from None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of a request is no news."""

    @property
    def host(self) -> str:
        return f"{LOOPBACK}:{self.server_address[1]}"

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{self.host}/{self.token}/"


class _Refused(Exception):
    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "scrimp"
    sys_version = ""
    timeout = 60

    @property
    def _page(self) -> PageServer:
        return cast(PageServer, self.server)

    def do_GET(self) -> None:
        self._respond(self._file)

    def do_POST(self) -> None:
        self._respond(self._message)

    def _respond(self, respond: Any) -> None:
        try:
            kind, content = respond(self._inner_path())
            self._send(HTTPStatus.OK, kind, content)
        except _Refused as refused:
            self.close_connection = True  # what it sent with the request was not read
            self._send(refused.status, "text/plain", str(refused).encode())
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _inner_path(self) -> str:
        """The part of the path after the token; refuses everything that does not come from the page."""
        if self.headers.get("Host") != self._page.host:
            raise _Refused(HTTPStatus.FORBIDDEN, "another host")
        origin = self.headers.get("Origin")
        if origin not in (None, f"http://{self._page.host}"):
            raise _Refused(HTTPStatus.FORBIDDEN, "another origin")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise _Refused(HTTPStatus.FORBIDDEN, "another site")
        token, _, path = self.path.removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(), self._page.token.encode()):
            raise _Refused(HTTPStatus.FORBIDDEN, "no token")
        return path

    def _file(self, path: str) -> tuple[str, bytes]:
        name = path.partition("?")[0] or "index.html"
        if name not in FILES:
            raise _Refused(HTTPStatus.NOT_FOUND, "no such file")
        return TYPES[name.rpartition(".")[2]], file_bytes(name)

    def _message(self, path: str) -> tuple[str, bytes]:
        """Answer a message. One that cannot be carried out is answered by the reason."""
        if self.headers.get("Content-Type") != "application/json" or self.headers.get("Origin") is None:
            raise _Refused(HTTPStatus.FORBIDDEN, "not a message of the page")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_MESSAGE:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the message is too long")
        try:
            arguments = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise _Refused(HTTPStatus.BAD_REQUEST, "not JSON") from None
        try:
            answer = {"answer": self._page.session.answer(path, arguments)}
        except ScrimpError as error:
            answer = {"problem": str(error)}
        except Exception as error:  # one message fails, the page stays usable
            answer = {"problem": f"{type(error).__name__}: {error}: this is a defect in scrimp, please report it"}
        return "application/json", json.dumps(answer, ensure_ascii=False).encode(errors="replace")

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing is printed for a request."""

"""pip fetched from an index on this machine: what is taken, what is refused, what is said."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.bring_pip import SHA256, WHEEL, FetchError, Index, configured_index, fetch_pip

CONTENT = b"as good as a wheel"
GOOD = hashlib.sha256(CONTENT).hexdigest()


class _Server(ThreadingHTTPServer):
    """Answers by what its table says, and keeps what it was asked."""

    answers: dict[str, tuple[int, dict[str, str], bytes]]
    asked: list[tuple[str, str | None]]


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Authorization"]))
        status, headers, body = self.server.answers.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[_Server]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        page = f'<a href="pip-1.0.tar.gz">old</a> <a href="../../files/{WHEEL}#sha256=0">new</a>'
        server.answers = {
            "/simple/pip/": (200, {"Content-Type": "text/html"}, page.encode()),
            f"/files/{WHEEL}": (200, {}, CONTENT),
        }
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def _index(server: _Server, login: str = "") -> Index:
    return Index(f"http://{login}127.0.0.1:{server.server_port}/simple")


def test_the_wheel_is_found_on_the_index_and_kept_under_its_name(
    server: _Server, tmp_path: Path
) -> None:
    wheel = fetch_pip(tmp_path, _index(server), sha256=GOOD)
    assert (wheel.name, wheel.read_bytes()) == (WHEEL, CONTENT)
    assert server.asked == [("/simple/pip/", None), (f"/files/{WHEEL}", None)]


def test_another_file_under_the_name_is_refused_and_not_kept(
    server: _Server, tmp_path: Path
) -> None:
    assert len(SHA256) == 64
    with pytest.raises(FetchError, match="wrong SHA-256"):
        fetch_pip(tmp_path, _index(server))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404, {}, b""), "Not Found"),
        ((200, {}, b"<a href='other.whl'>other</a>"), f"does not offer {WHEEL}"),
        ((302, {"Location": "/simple/pip/"}, b""), "no answer that can be used"),
        ((302, {"Location": "ftp://127.0.0.1:1/"}, b""), "no answer that can be used"),
        ((200, {}, f"<a href='gopher://x/{WHEEL}'>x</a>".encode()), "not an address of the web"),
        ((200, {}, b"\xff\xfe\x00"), "does not offer"),
    ],
)
def test_an_index_that_does_not_have_it_is_told_in_one_line(
    server: _Server, tmp_path: Path, answer: tuple[int, dict[str, str], bytes], said: str
) -> None:
    server.answers["/simple/pip/"] = answer
    with pytest.raises(FetchError, match=said) as caught:
        fetch_pip(tmp_path, _index(server), sha256=GOOD)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/simple", "no address", "http://[", ""])
def test_an_index_that_cannot_be_reached_is_told(tmp_path: Path, url: str) -> None:
    with pytest.raises(FetchError, match="no answer that can be used"):
        fetch_pip(tmp_path, Index(url))


def test_a_login_is_given_to_its_own_host_alone_and_never_told(
    server: _Server, tmp_path: Path
) -> None:
    fetch_pip(tmp_path, _index(server, "me:se%40cret@"), sha256=GOOD)
    login = "Basic " + base64.b64encode(b"me:se@cret").decode()
    assert [given for _path, given in server.asked] == [login, login]

    link = f"http://localhost:{server.server_port}/files/{WHEEL}"
    server.answers["/simple/pip/"] = (200, {}, f"<a href='{link}'>x</a>".encode())
    with pytest.raises(FetchError) as caught:
        fetch_pip(tmp_path, _index(server, "me:se%40cret@"))
    assert server.asked[-1] == (f"/files/{WHEEL}", None)
    assert "cret" not in str(caught.value)


def test_a_proxy_is_asked_where_pip_has_one(server: _Server, tmp_path: Path) -> None:
    server.answers = {f"http://index.invalid{path}": told for path, told in server.answers.items()}
    proxy = f"http://127.0.0.1:{server.server_port}"
    fetch_pip(tmp_path, Index("http://index.invalid/simple", proxy=proxy), sha256=GOOD)
    assert server.asked[0][0] == "http://index.invalid/simple/pip/"


def test_a_certificate_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FetchError):
        fetch_pip(tmp_path, Index(cert=str(tmp_path / "none.pem")))


def test_the_index_is_the_one_that_pip_would_ask(tmp_path: Path) -> None:
    home, system, own = tmp_path / "home", tmp_path / "system", tmp_path / "own.conf"
    index = partial(configured_index, etc=tmp_path / "etc")
    environment = {"HOME": str(home), "XDG_CONFIG_DIRS": str(system)}
    assert index(environment) == Index("https://pypi.org/simple", None, None)

    (system / "pip").mkdir(parents=True)
    (system / "pip" / "pip.conf").write_text(
        "[global]\nindex-url = http://system\nproxy = http://p:1\n[install]\ncert = /c.pem\n"
    )
    assert index(environment) == Index("http://system", "/c.pem", "http://p:1")
    (home / ".config" / "pip").mkdir(parents=True)
    (home / ".config" / "pip" / "pip.conf").write_text("[global]\nindex_url = http://%user\n")
    assert index(environment).url == "http://%user"
    own.write_text("[global]\nindex-url = http://own\n")
    environment["PIP_CONFIG_FILE"] = str(own)
    assert index(environment).url == "http://own"
    environment["PIP_INDEX_URL"] = "http://environment"
    environment["PIP_CERT"] = ""
    assert index(environment) == Index("http://environment", "/c.pem", "http://p:1")
    environment["PIP_CONFIG_FILE"] = "/dev/null"
    assert index(environment) == Index("http://environment", None, None)


def test_a_damaged_configuration_is_passed_over(tmp_path: Path) -> None:
    own = tmp_path / "pip.conf"
    own.write_bytes(b"\xff\xfe no section\n")
    assert configured_index({"PIP_CONFIG_FILE": str(own)}, tmp_path / "etc") == Index()

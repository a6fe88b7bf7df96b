"""The judge's client against a server on this machine that behaves badly in every known way."""

from __future__ import annotations

import contextlib
import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from madcat_studio.errors import UsageError
from madcat_studio.progress import SILENT
from madcat_studio.scoring.scorecards import judge
from madcat_studio.scoring.scorecards.filter_reply import CHECKS, DETAILS, read_filter_reply

KEY = "sk-very-secret-0123456789"


class Memory:
    """A ledger in memory."""

    def __init__(self, records: tuple[judge.Record, ...] = ()) -> None:
        self.kept = list(records)

    def records(self) -> list[judge.Record]:
        return list(self.kept)

    def add(self, record: judge.Record) -> None:
        self.kept.append(record)


class Server:
    """Answers each request by the next of ``behaviours``; the last one stays."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.behaviours: list[Callable[[http.server.BaseHTTPRequestHandler], None]] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append(
                    {"path": self.path, "headers": dict(self.headers), "body": json.loads(body)}
                )
                behaviours = outer.behaviours
                behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
                with contextlib.suppress(OSError):  # the client hung up, as it should
                    behaviour(self)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def send(data: bytes, status: int = 200, length: int | None = None, **headers: str):
    def behaviour(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(data) if length is None else length))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return behaviour


def envelope(content: object = "fine", finish: str = "stop", **message: object) -> bytes:
    return json.dumps(
        {
            "choices": [{"message": {"content": content, **message}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
        }
    ).encode()


def question(name: str = "one") -> judge.Question:
    return judge.Question(
        name, "Judge this.", (b"\x89PNG...",), f"Model Translation Result: {name}"
    )


def ask(
    server: Server,
    *questions: judge.Question,
    ledger: Memory | None = None,
    limits: judge.Limits | None = None,
    timeout: float = 60.0,
    **options: Any,
) -> tuple[list[judge.Answer], Memory, list[float]]:
    ledger = ledger or Memory()
    pauses: list[float] = []
    asked = judge.Judge(
        judge.Endpoint(server.base, "judge-1", KEY, timeout),
        ledger,
        limits or judge.Limits(),
        sleep=pauses.append,
        **options,
    )
    answers = list(asked.ask_all(questions or (question(),)))
    return answers, ledger, pauses


def test_a_question_is_sent_as_the_interface_wants_it(server: Server) -> None:
    server.behaviours = [send(envelope())]
    answers, _, _ = ask(server)
    assert answers == [judge.Answer("one", "fine", None)]
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["Authorization"] == f"Bearer {KEY}"
    body = request["body"]
    assert body["temperature"] == 0
    assert body["stream"] is False
    (message,) = body["messages"]
    kinds = [part["type"] for part in message["content"]]
    assert kinds == ["text", "image_url", "text"]
    assert message["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert message["content"][2]["text"].endswith("one")


def test_content_in_parts_is_joined(server: Server) -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    server.behaviours = [send(envelope(parts))]
    assert ask(server)[0][0].content == "ab"


@pytest.mark.parametrize(
    ("behaviour", "error", "requests"),
    [
        (send(b"no", 400), "http_400", 1),
        (send(b"no", 401), "http_401", 1),
        (send(b"no", 403), "http_403", 1),
        (send(b"no", 404), "http_404", 1),
        (send(b"oops", 500), "http_500", 3),
        (send(b"slow down", 429), "http_429", 3),
        (send(b"", 302, Location="http://127.0.0.1:9/"), "http_302", 3),
        (send(envelope(None, "content_filter")), "refused", 1),
        (send(envelope(None, refusal="I cannot")), "refused", 1),
        (send(envelope("half of", "length")), "truncated", 3),
        (send(b"<html>"), "bad_envelope", 3),
        (send(b"{}"), "bad_envelope", 3),
        (send(b"[]"), "bad_envelope", 3),
        (send(b'{"choices": []}'), "bad_envelope", 3),
        (send(envelope(None)), "bad_envelope", 3),
        (send(envelope(7)), "bad_envelope", 3),
        (send(b"[" * 100_000), "bad_envelope", 3),
        (send(b"\xff\xfe\x00"), "bad_envelope", 3),
        (send(envelope(), length=20), "bad_envelope", 3),
        (send(envelope(), length=5000), "transport", 3),
    ],
)  # fmt: skip
def test_failures_have_names_and_only_passing_ones_are_tried_again(
    server: Server, behaviour, error: str, requests: int
) -> None:
    server.behaviours = [behaviour]
    answers, ledger, pauses = ask(server)
    assert answers == [judge.Answer("one", None, error)]
    assert len(server.requests) == requests
    assert len(pauses) == requests - 1
    # Every attempt was kept, before and after.
    assert len(ledger.kept) == 2 * requests


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        asked = judge.Judge(
            judge.Endpoint(f"http://127.0.0.1:{port}/v1", "m", KEY),
            ledger := Memory(),
            sleep=lambda _: None,
        )
        (answer,) = asked.ask_all([question()])
    assert answer.error == "transport"
    assert "[ConnectionRefusedError]" in [one.reply.raw for one in ledger.kept if one.reply]


def test_a_server_that_says_nothing_is_given_up(server: Server) -> None:
    server.behaviours = [lambda handler: time.sleep(0.5)]
    answers, _, _ = ask(server, timeout=0.1)
    assert answers[0].error == "transport"


def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(2400):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.mark.long
def test_a_server_that_drips_is_given_up_all_the_same(server: Server) -> None:
    server.behaviours = [drip]
    start = time.monotonic()
    answers, _, _ = ask(server, timeout=0.2)
    assert answers[0].error == "transport"
    # Three attempts of 0.2 s, not of the two minutes that the server takes; every byte came well
    # within the time of a single read.
    assert time.monotonic() - start < 60


def test_a_failure_that_passes(server: Server) -> None:
    server.behaviours = [send(b"", 503, Retry_After="7"), send(b"x"), send(envelope())]
    answers, _, pauses = ask(server)
    assert answers[0].content == "fine"
    assert pauses == [7.0, 2.0]


def test_a_long_wish_to_wait_is_cut(server: Server) -> None:
    server.behaviours = [send(b"", 503, Retry_After="99999"), send(envelope())]
    assert ask(server)[2] == [60.0]


def test_the_key_is_cut_out_of_what_a_server_echoes(server: Server) -> None:
    server.behaviours = [send(f"bad key {KEY}".encode(), 401)]
    _, ledger, _ = ask(server)
    assert "[key]" in str(ledger.kept)
    assert KEY not in str(ledger.kept)
    assert KEY not in repr(judge.Endpoint(server.base, "m", KEY))


def test_a_key_that_is_echoed_with_escapes_is_cut_out_too(server: Server) -> None:
    hidden = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    data = envelope("your key is KEY").replace(b"KEY", hidden.encode())
    server.behaviours = [send(data)]
    answers, ledger, _ = ask(server)
    assert answers[0].content == "your key is [key]"
    assert hidden not in str(ledger.kept)
    assert KEY not in str(ledger.kept)


def test_what_was_paid_is_not_asked_again(server: Server) -> None:
    server.behaviours = [send(envelope())]
    _, ledger, _ = ask(server, question("a"), question("b"))
    answers, _, _ = ask(server, question("a"), question("b"), question("c"), ledger=ledger)
    assert [answer.content for answer in answers] == ["fine"] * 3
    assert len(server.requests) == 3


def test_another_question_about_the_same_sample_is_asked(server: Server) -> None:
    server.behaviours = [send(envelope())]
    _, ledger, _ = ask(server, question("a"))
    other = judge.Question("a", "Judge that.", (), "x")
    ask(server, other, ledger=ledger)
    assert len(server.requests) == 2


def test_paid_failures_are_not_paid_again_but_free_ones_are_tried(server: Server) -> None:
    server.behaviours = [send(envelope("x", "length"))]
    answers, ledger, _ = ask(server)
    assert ask(server, ledger=ledger)[0] == answers
    assert len(server.requests) == 3
    server.behaviours = [send(b"", 401)]
    _, ledger, _ = ask(server, question("b"))
    server.behaviours = [send(envelope())]
    answers, _, _ = ask(server, question("b"), ledger=ledger)
    assert answers[0].content == "fine"


def test_a_request_that_a_kill_cut_off_is_in_doubt(server: Server) -> None:
    server.behaviours = [send(envelope())]
    _, ledger, _ = ask(server)
    cut = Memory(tuple(ledger.kept[:1]))
    answers, _, _ = ask(server, ledger=Memory(tuple(cut.kept)))
    assert answers[0].error == "in_doubt"
    assert len(server.requests) == 1
    answers, _, _ = ask(server, ledger=Memory(tuple(cut.kept)), ask_doubtful=True)
    assert answers[0].content == "fine"


def test_the_cost_limit_counts_earlier_runs(server: Server) -> None:
    server.behaviours = [send(envelope())]
    # A reply costs 1 + 0.2 dollars.
    limits = judge.Limits(cost=2.0, prompt_price=1.0, completion_price=2.0)
    names = [question(name) for name in "abcd"]
    answers, ledger, _ = ask(server, *names, limits=limits)
    assert [answer.error for answer in answers] == [None, None, "cost_limit", "cost_limit"]
    answers, _, _ = ask(server, *names, limits=limits, ledger=ledger)
    assert len(server.requests) == 2
    assert [answer.error for answer in answers] == [None, None, "cost_limit", "cost_limit"]


def test_requests_are_spread_over_the_minute(server: Server) -> None:
    server.behaviours = [send(envelope())]
    _, _, pauses = ask(
        server,
        *[question(name) for name in "abc"],
        limits=judge.Limits(per_minute=30),
        clock=lambda: 100.0,
    )
    assert pauses == [2.0, 4.0]


def test_several_at_a_time_answer_in_order(server: Server) -> None:
    server.behaviours = [send(envelope())]
    names = [f"s{number}" for number in range(20)]
    answers, ledger, _ = ask(
        server, *[question(name) for name in names], limits=judge.Limits(parallel=4)
    )
    assert [answer.sample for answer in answers] == names
    assert len(ledger.kept) == 40


def test_a_user_can_stop_it(server: Server) -> None:
    server.behaviours = [send(envelope())]

    class StopAfterTwo:
        def __init__(self) -> None:
            self.done = 0

        def advance(self, done: int, total: int | None, text: str = "") -> None:
            self.done = done

        def cancelled(self) -> bool:
            return len(server.requests) >= 2

    asked = judge.Judge(judge.Endpoint(server.base, "m"), Memory())
    answers = list(asked.ask_all([question(name) for name in "abcd"], progress=StopAfterTwo()))
    assert [answer.error for answer in answers] == [None, None, "stopped", "stopped"]
    assert SILENT.cancelled() is False


@pytest.mark.parametrize(
    ("base", "key"),
    [
        ("ftp://host/v1", None),
        ("host/v1", None),
        ("https://user:pass@host/v1", None),
        ("https://host/v1?key=x", None),
        ("http://example.org/v1", "k"),
        ("https://host/v1", "two\nlines"),
    ],
)
def test_addresses_that_are_refused(base: str, key: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        judge.Endpoint(base, "m", key)
    assert caught.value.code == "scorecards.endpoint"
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [{"parallel": 0}, {"per_minute": 0}, {"cost": -1}, {"cost": 1.0}, {"prompt_price": -1}],
)
def test_limits_that_are_refused(values) -> None:
    with pytest.raises(UsageError):
        judge.Limits(**values)


def filter_value(**changes: Any) -> dict[str, Any]:
    return {
        "valid": True,
        "checks": dict.fromkeys(CHECKS, True),
        "reason": "OK",
        "details": {name: [] for name in DETAILS},
        **changes,
    }


def test_a_filters_reply() -> None:
    found = read_filter_reply(json.dumps(filter_value()))
    assert found.valid
    assert found.error is None


def test_a_filters_refusal_names_what_failed() -> None:
    checks = {**dict.fromkeys(CHECKS, True), "no_text_overlap": False}
    found = read_filter_reply(
        "```json\n" + json.dumps(filter_value(valid=False, checks=checks, reason="a  b")) + "\n```"
    )
    assert found.valid is False
    assert found.failed == ("no_text_overlap",)
    assert found.reason == "a b"
    assert found.warnings == ("markdown_fence",)


def test_a_contradiction_is_no_approval() -> None:
    checks = {**dict.fromkeys(CHECKS, True), "layout_consistent": False}
    found = read_filter_reply(json.dumps(filter_value(checks=checks)))
    assert found.valid is False
    assert "contradiction" in found.warnings


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "empty_response"),
        ("yes", "not_json"),
        ("[1]", "not_an_object"),
        (json.dumps({"valid": True}), "missing_checks"),
        (json.dumps(filter_value(valid="true")), "bad_valid"),
        (json.dumps(filter_value(checks={})), f"missing_{CHECKS[0]}"),
        (json.dumps(filter_value(details={})), f"missing_{DETAILS[0]}"),
        (json.dumps(filter_value(checks=dict.fromkeys(CHECKS, 1))), f"bad_{CHECKS[0]}"),
    ],
)
def test_filters_replies_that_do_not_hold(text: str, error: str) -> None:
    found = read_filter_reply(text)
    assert found.error == error
    assert found.valid is None

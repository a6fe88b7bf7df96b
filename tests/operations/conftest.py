"""What tests of many machines share."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.operations.schedulers import cluster_here


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A scheduler with two workers within this process."""
    with cluster_here() as address:
        yield address


@pytest.fixture
def judge() -> Iterator[Any]:
    """A judge on this machine; ``answers`` are given in turn, the last one for ever."""

    class State:
        def __init__(self) -> None:
            self.answers: list[str] = []
            self.bodies: list[Any] = []

    state = State()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            content = state.answers.pop(0) if len(state.answers) > 1 else state.answers[0]
            data = json.dumps(
                {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    state.base = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()

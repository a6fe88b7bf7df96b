"""The judge's log on disk: a run of 1,000 samples is killed and resumed; nothing is paid twice."""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.operations.scorecards.judging import open_log
from madcat_studio.scoring.scorecards import judge

SAMPLES = 1000

CHILD = """
import sys
from pathlib import Path
from madcat_studio.operations.scorecards.judging import open_log
from madcat_studio.scoring.scorecards import judge

with open_log(Path(sys.argv[2])) as log:
    asked = judge.Judge(judge.Endpoint(sys.argv[1], "m"), log, judge.Limits(parallel=2))
    questions = [judge.Question(f"s{n}", "p", (), f"t{n}") for n in range(int(sys.argv[3]))]
    for answer in asked.ask_all(questions):
        assert answer.error is None, answer
"""


@pytest.mark.long
def test_a_killed_run_is_resumed_without_paying_twice(tmp_path: Path) -> None:
    served: Counter[str] = Counter()
    enough = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name = body["messages"][0]["content"][-1]["text"]
            served[name] += 1
            if served.total() >= SAMPLES // 3:
                enough.set()
            data = json.dumps(
                {"choices": [{"message": {"content": name}, "finish_reason": "stop"}]}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except OSError:
                self.close_connection = True  # the child was killed

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    base = f"http://127.0.0.1:{server.server_address[1]}/v1"
    path = tmp_path / "judge.jsonl"
    try:
        child = subprocess.Popen([sys.executable, "-c", CHILD, base, str(path), str(SAMPLES)])
        assert enough.wait(60)
        child.kill()
        child.wait()
        assert served.total() < SAMPLES

        questions = [judge.Question(f"s{n}", "p", (), f"t{n}") for n in range(SAMPLES)]
        with open_log(path) as log:
            asked = judge.Judge(judge.Endpoint(base, "m"), log, judge.Limits(parallel=2))
            answers = list(asked.ask_all(questions))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert max(served.values()) == 1
    doubtful = [answer for answer in answers if answer.error == "in_doubt"]
    # At most what was under way when it was killed.
    assert len(doubtful) <= 2
    for number, answer in enumerate(answers):
        if answer.error is None:
            assert answer.content == f"t{number}"
        else:
            assert answer in doubtful


def test_a_line_that_a_kill_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    record = judge.Record("f", "s", 1, judge.Reply(None, "نعم", "raw", 1, 2))
    with open_log(path) as log:
        log.add(judge.Record("f", "s", 1, None))
        log.add(record)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"request": "f", "sam')
    with open_log(path) as log:
        assert list(log.records()) == [judge.Record("f", "s", 1, None), record]
        log.add(judge.Record("g", "t", 1, None))
    assert path.read_bytes().startswith(whole)
    assert path.read_bytes().count(b"\n") == 3


def test_a_file_that_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}\n')
    with open_log(path) as log, pytest.raises(FormatError) as caught:
        list(log.records())
    assert caught.value.code == "scorecards.judge-log"
    path.write_text("not json\n")
    with pytest.raises(FormatError), open_log(path):
        pass


def test_two_runs_cannot_share_a_log(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    with open_log(path), pytest.raises(WorldError) as caught, open_log(path):
        pass
    assert caught.value.code == "json.log-in-use"

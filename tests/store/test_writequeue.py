"""Who waits for a campaign's file gets it in the order of coming, whatever befalls others."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from madcat_studio.store import writequeue
from madcat_studio.store.writequeue import WriterQueue, begin_writing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="order is kept on Linux only")

# The module alone is loaded, since all of the store takes a second.
_PROGRAM = """
import runpy, sqlite3, sys
from pathlib import Path
begin_writing = runpy.run_path(sys.argv[3])["begin_writing"]
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
print("ready", flush=True)
for word in sys.stdin:
    begin_writing(connection, Path(sys.argv[2]))
    connection.execute("INSERT INTO came VALUES (?)", (word.strip(),))
    print("writes", flush=True)
    if word.strip() == "stay":
        sys.stdin.readline()
    connection.execute("COMMIT")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE came (who TEXT)")
    return path


@pytest.fixture
def line(tmp_path: Path) -> Path:
    return tmp_path / "file.sqlite-line"


@pytest.fixture
def start(file: Path, line: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    begun: list[subprocess.Popen[str]] = []

    def one() -> subprocess.Popen[str]:
        program = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(file), str(line), str(writequeue.__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        begun.append(program)
        return program

    yield one
    for program in begun:
        program.kill()
        for stream in (program.stdin, program.stdout):
            assert stream is not None
            stream.close()
        program.wait()


def say(program: subprocess.Popen[str], word: str) -> None:
    assert program.stdin is not None
    program.stdin.write(word + "\n")
    program.stdin.flush()


def hear(program: subprocess.Popen[str], word: str) -> None:
    assert program.stdout is not None
    assert program.stdout.readline() == word + "\n"


def until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.005)


def came(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [who for (who,) in connection.execute("SELECT who FROM came ORDER BY rowid")]


def length(line: Path) -> int:
    return line.stat().st_size if line.exists() else 0


def test_programs_write_in_the_order_in_which_they_came_though_some_are_killed(
    file: Path, line: Path, start: Callable[[], subprocess.Popen[str]]
) -> None:
    programs = [start() for _ in range(7)]
    for program in programs:
        hear(program, "ready")
    first, *others = programs
    say(first, "stay")
    hear(first, "writes")
    assert not line.exists(), "nobody has to wait yet"
    for number, program in enumerate(others, 1):
        say(program, str(number))
        until(lambda wanted=number: length(line) == wanted)  # type: ignore[misc]
    others[0].kill()  # the first of the line
    others[3].kill()  # one within it
    first.kill()  # the one that writes: what it wrote is gone
    first.wait()
    for number in (1, 2, 4, 5):
        hear(others[number], "writes")
    until(lambda: len(came(file)) == 4)
    assert came(file) == ["2", "3", "5", "6"]
    until(lambda: not line.exists())


def test_who_has_just_written_goes_behind_those_who_wait(
    file: Path, line: Path, start: Callable[[], subprocess.Popen[str]]
) -> None:
    hasty, patient = start(), start()
    for program in (hasty, patient):
        hear(program, "ready")
    say(hasty, "stay")
    hear(hasty, "writes")
    say(patient, "patient")
    until(lambda: length(line) == 1)
    for word in ("go on", "again", "again"):
        say(hasty, word)
    for _ in range(2):
        hear(hasty, "writes")
    hear(patient, "writes")
    until(lambda: len(came(file)) == 4)
    assert came(file)[:2] == ["stay", "patient"]


def test_one_who_is_stopped_in_the_line_does_not_keep_others_for_ever(
    file: Path,
    line: Path,
    start: Callable[[], subprocess.Popen[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writequeue, "TRUST_SECONDS", 0.2)
    holder, stopped = start(), start()
    for program in (holder, stopped):
        hear(program, "ready")
    say(holder, "stay")
    hear(holder, "writes")
    say(stopped, "stopped")
    until(lambda: length(line) == 1)
    os.kill(stopped.pid, signal.SIGSTOP)
    say(holder, "go on")
    until(lambda: came(file) == ["stay"])
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        begin_writing(connection, line)
        connection.execute("ROLLBACK")
    os.kill(stopped.pid, signal.SIGCONT)
    hear(stopped, "writes")


def test_threads_of_one_program_stand_in_the_same_line(file: Path, line: Path) -> None:
    order: list[int] = []

    def write(number: int) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            begin_writing(connection, line)
            order.append(number)
            connection.execute("COMMIT")

    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        begin_writing(holder, line)
        threads = []
        for number in range(1, 6):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            until(lambda wanted=number: length(line) == wanted)  # type: ignore[misc]
        holder.execute("COMMIT")
    for thread in threads:
        thread.join()
    assert order == [1, 2, 3, 4, 5]
    assert not line.exists()


def test_without_such_locks_all_look_as_before(
    file: Path, line: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.mkdir()  # no file can be made there
    with WriterQueue(line, time.monotonic() + 1) as place:
        assert not place.stands
        assert place.first()
    monkeypatch.setattr(writequeue, "BUSY_SECONDS", 0.1)
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as one,
        closing(sqlite3.connect(file, isolation_level=None)) as other,
    ):
        for where in (None, line):
            begin_writing(one, where)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                begin_writing(other, where)
            one.execute("COMMIT")
            begin_writing(other, where)
            other.execute("COMMIT")


def test_a_line_that_was_left_behind_hinders_nobody(file: Path, line: Path) -> None:
    line.write_bytes(bytes(12))  # all who stood there were killed
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        begin_writing(connection, line)
        connection.execute("COMMIT")
    assert not line.exists()

from __future__ import annotations

import gc
import sys
import threading
import weakref

import pytest
import shiboken6

from madcat_studio.gui.workers import Dispatcher, Follower, Queue


def test_the_newest_job_wins(qtbot) -> None:
    jobs = Dispatcher()
    begun, go = threading.Event(), threading.Event()
    results: list[str] = []

    def slow(_) -> str:
        begun.set()
        go.wait(60)
        return "old"

    jobs.submit(slow, results.append)
    assert begun.wait(60)
    jobs.submit(lambda _: "skipped", results.append)
    jobs.submit(lambda _: "new", results.append)
    go.set()
    qtbot.waitUntil(lambda: results == ["new"])
    qtbot.waitUntil(lambda: not jobs.busy)
    assert results == ["new"]


def test_what_runs_comes_to_its_end_and_the_newest_follows(qtbot) -> None:
    jobs = Follower()
    begun, go = threading.Event(), threading.Event()
    results: list[str] = []

    def slow(_) -> str:
        begun.set()
        go.wait(60)
        return "first"

    jobs.submit(slow, results.append)
    assert begun.wait(60)
    jobs.submit(lambda _: "skipped", results.append)
    jobs.submit(lambda _: "newest", results.append)
    go.set()
    qtbot.waitUntil(lambda: results == ["first", "newest"])
    qtbot.waitUntil(lambda: not jobs.busy)
    assert results == ["first", "newest"]


def test_parts_come_before_the_end_and_in_the_gui_thread(qtbot) -> None:
    jobs = Dispatcher()
    seen: list = []
    here = threading.get_ident()

    def work(ticket) -> str:
        ticket.part((1, threading.get_ident() == here))
        ticket.advance(1, None, "half")
        return "end"

    jobs.submit(
        work,
        lambda value: seen.append((value, threading.get_ident() == here)),
        part=seen.append,
        progress=lambda *state: seen.append(state),
    )
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert seen == [(1, False), (1, -1, "half"), ("end", True)]


def test_a_job_learns_that_nobody_waits(qtbot) -> None:
    jobs = Dispatcher()
    begun = threading.Event()
    stopped = threading.Event()

    def work(ticket) -> None:
        begun.set()
        while not ticket.cancelled():
            pass
        stopped.set()

    jobs.submit(work, lambda _: pytest.fail("nobody waits"))
    assert begun.wait(60)
    jobs.close()
    assert stopped.is_set()


def test_a_failure_goes_where_it_was_asked_for_or_to_the_one_place(qtbot, monkeypatch) -> None:
    jobs = Dispatcher()
    failures: list = []

    def work(_) -> None:
        raise KeyError("x")

    jobs.submit(work, lambda _: None, failed=failures.append)
    qtbot.waitUntil(lambda: len(failures) == 1)
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: failures.append(kind))
    jobs.submit(work, lambda _: None)
    qtbot.waitUntil(lambda: len(failures) == 2)
    assert failures[1] is KeyError


def test_a_queue_keeps_order_and_its_thread(qtbot) -> None:
    queue = Queue()
    results: list = []

    def failing(_) -> None:
        raise ValueError

    for number in range(20):
        queue.submit(lambda _, n=number: (n, threading.get_ident()), results.append)
    queue.submit(failing, results.append, failed=lambda _: results.append("failed"))
    queue.submit(lambda _: "after", results.append)
    qtbot.waitUntil(lambda: len(results) == 22)
    assert [result[0] for result in results[:20]] == list(range(20))
    assert len({thread for _, thread in results[:20]}) == 1
    assert results[20:] == ["failed", "after"]
    queue.close()


def test_garbage_waits_for_the_last_job_and_goes_in_the_thread_of_the_window(qtbot) -> None:
    gone_in: list[int] = []

    class Cycle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            gone_in.append(threading.get_ident())

    jobs, others = Dispatcher(), Queue()
    begun, go = threading.Event(), threading.Event()

    def work(_) -> int:
        Cycle()
        made = [[[n]] for n in range(60_000)]  # far more than what sets the collector off
        begun.set()
        go.wait(5)
        return len(made)

    jobs.submit(work, lambda _: None)
    assert begun.wait(5)
    others.submit(lambda _: None, lambda _: None)
    qtbot.waitUntil(lambda: not others.busy)
    assert not gc.isenabled(), "the other job still runs"
    assert gone_in == []
    go.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert gc.isenabled()
    gc.collect()
    assert gone_in == [threading.get_ident()]


def test_a_job_whose_window_is_gone_ends_in_silence_and_garbage_goes_again(qtbot) -> None:
    jobs = Dispatcher()
    begun, go = threading.Event(), threading.Event()

    def work(_) -> None:
        begun.set()
        go.wait(5)

    jobs.submit(work, lambda _: pytest.fail("nobody waits for it"))
    assert begun.wait(5)
    shiboken6.delete(jobs)  # as Qt does with all that a window holds
    assert not gc.isenabled(), "the job still runs"
    go.set()
    qtbot.waitUntil(gc.isenabled)


def test_a_job_that_is_done_holds_nothing(qtbot) -> None:
    """A page of ten thousand words that was judged once would stay until the window closes."""

    class Held:
        pass

    jobs = Dispatcher()
    left: list[weakref.ref[Held]] = []
    for _ in range(3):
        held = Held()
        left.append(weakref.ref(held))
        jobs.submit(lambda _, held=held: held, lambda _: None)
        del held
        qtbot.waitUntil(lambda: not jobs.busy)
    gc.collect()
    qtbot.waitUntil(lambda: [each() for each in left] == [None] * 3)

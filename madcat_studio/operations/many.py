"""Parts of a work on many machines: Dask distributed, or a cluster of processes on this one.

Parts go out as workers take them, a bounded number at a time, and their results come back in
order. A part whose worker died is given to another by Dask; what fails all the same is told with
its reason. Workers get nothing but a function of :mod:`madcat_ter.parts` with its arguments, and
forget both when the result is taken.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from madcat_studio.closing import Closing
from madcat_studio.errors import UsageError, WorldError
from madcat_studio.operations.nearby import Left, readable
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_ter import __version__
from madcat_ter.errors import MadcatError
from madcat_ter.parts import Broken, called

__all__ = ["Failure", "Many", "PartsFailed", "in_order", "workers"]

_Part = TypeVar("_Part")

_MOST_WORKERS = 1024
_BUSY = 3
"""Parts of each thread that are with the workers: one in work, the others on their way."""
_LOOK = 0.05
"""Seconds between two looks at whether the user wants to stop."""
_PATIENCE = 30.0
"""Seconds without any worker, or for a scheduler that does not answer."""
_MESSAGES_KEPT = "distributed.admin.low-level-log-length"
_MOST_FAILURES = 20
"""Parts that may fail until the others are not worth their time."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that gave no result.

    Attributes:
        part: its segments.
        segment: which of them, where that is known.
        reason: why.
    """

    part: str
    segment: str
    reason: str


class PartsFailed(WorldError):
    """Some parts gave no result, so that there is no whole one; ``failures`` tells which.

    Attributes:
        failures: in the order of the parts.
    """

    failures: tuple[Failure, ...] = ()


class Many(Closing):
    """Workers that do parts.

    Attributes:
        threads: how many parts are worked on at the same time.
        gone: the addresses of workers that went away while they were needed, in order.
    """

    def __init__(self, client: Any, cluster: _Local | None = None, *, near: bool = False) -> None:
        self.client = client
        self._cluster = cluster
        self._near = near
        self.threads = 0
        self.gone: list[str] = []
        self._away_since: float | None = None
        self._looked = 0.0

    def look(self) -> None:
        """See, every second, whether anybody is there to work.

        Raises:
            WorldError: ``many.no-workers``, ``many.scheduler-lost``.
        """
        now = time.monotonic()
        if now < self._looked + 1:
            return
        self._looked = now
        threads = self._threads()
        if threads:
            self.threads, self._away_since = threads, None
            return
        self._away_since = self._away_since or now
        if now - self._away_since > _PATIENCE:
            raise WorldError(
                "many.no-workers",
                f"the scheduler has had no worker for {_PATIENCE:.0f} seconds",
                remedy="Start workers: dask worker SCHEDULER",
            )

    def _threads(self) -> int:
        with self.answering():
            return sum(self.client.nthreads().values())

    def wait(self, progress: Progress) -> None:
        """Wait until the first workers are there.

        Raises:
            WorldError: as :meth:`look`; Cancelled: ``progress`` said so.
        """
        enough = self._cluster.count if self._cluster else 1
        while self.threads < enough:
            if progress.cancelled():
                raise Cancelled
            if self._cluster:
                self._cluster.look()
            self._looked = 0.0
            self.look()
            time.sleep(_LOOK)
        # Told as it happens: what a scheduler keeps of it is short, and nothing on this machine. It
        # comes the way of the results, so before those that others gave in the worker's place.
        self.client.subscribe_topic("all", self._hear)
        self._agree()
        self._near = self._near and self._reads_what_is_left()

    def _reads_what_is_left(self) -> bool:
        """Whether the workers of this machine can read what this process leaves them."""
        if not hasattr(os, "memfd_create"):
            return False
        with self.answering(), Left(()) as left:
            return all(self.client.run(readable, left.path).values())

    def leave(self, call: tuple[Any, ...]) -> Left | None:
        """Leave a call for workers of this machine; None where it must be sent."""
        if not self._near:
            return None
        try:
            return Left(call)
        except OSError:
            return None

    def take(self, futures: Sequence[Any]) -> list[Any]:
        """The results of what is done; those of this machine need not pass the scheduler."""
        with self.answering():
            found: list[Any] = self.client.gather(list(futures), direct=self._near or None)
        return found

    def _agree(self) -> None:
        """See that the workers' engine is ours: others may count otherwise."""
        with self.answering():
            found = self.client.run(_engine_version)
        wrong = {where: told for where, told in sorted(found.items()) if told != __version__}
        if wrong:
            where, told = next(iter(wrong.items()))
            raise WorldError(
                "many.other-engine",
                f"{len(wrong)} of {len(found)} workers have another madcat-ter than this machine "
                f"({told or 'none'} instead of {__version__})",
                where=where,
                remedy=f"Install it there: pip install madcat-ter=={__version__}",
            )

    def each(
        self, work: Callable[..., Any], calls: Sequence[tuple[Any, ...]], progress: Progress
    ) -> list[Any]:
        """What a function of the studio gives for each of several arguments, in their order.

        Workers that have the engine alone are not asked: then this process does it.

        Raises:
            PartsFailed, WorldError, Cancelled: as :func:`in_order`.
        """
        with self.answering():
            able = all(self.client.run(_has_studio).values())
        if not able:
            return [work(*call) for call in calls]
        parts = list(enumerate(calls, 1))
        done = in_order(
            self,
            parts,
            lambda one: (work, *one[1]),
            lambda one, _: f"comparison {one[0]}",
            progress,
        )
        return [result for _, result in done]

    def _hear(self, event: tuple[float, Any]) -> None:
        _, told = event
        if isinstance(told, dict) and told.get("action") == "remove-worker":
            self.gone.append(str(told["worker"]))

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Tell that the scheduler went away, however the client says so."""
        try:
            yield
        except MadcatError:
            raise
        except Exception as error:
            raise _lost(error) from error

    def close(self) -> None:
        """Let the workers go; those of our own end."""
        with contextlib.suppress(Exception):  # whoever is gone already needs no farewell
            self.client.close(timeout=0.2)
        if self._cluster is not None:
            self._cluster.close()


def _has_studio() -> bool:
    """What a worker says of the studio."""
    from importlib.util import find_spec

    return find_spec("madcat_studio") is not None and find_spec("scipy") is not None


def _engine_version() -> str:
    """What a worker says of its engine; it goes there as its code, so that none may be there."""
    try:
        import madcat_ter
        import madcat_ter.parts
    except ImportError:
        return ""
    return str(madcat_ter.__version__)


def _lost(error: BaseException) -> WorldError:
    return WorldError(
        "many.scheduler-lost",
        f"the scheduler no longer answers ({type(error).__name__})",
        remedy="Check that it is running, and run the command again; nothing was written",
    )


@contextmanager
def workers(on: str, progress: Progress = SILENT, *, near: bool = True) -> Iterator[Many]:
    """The workers that ``--on`` names, until the block ends.

    Args:
        on: ``local:N`` for N processes of this machine, or the address of a scheduler.
        progress: may cancel.
        near: processes of this machine read what is left for them in memory; without, they are
            sent it, as others are.

    Raises:
        UsageError: ``many.address``.
        WorldError: ``many.not-installed``, ``many.no-scheduler``, ``many.no-workers``,
            ``many.other-engine``.
        Cancelled: ``progress`` said so.
    """
    if find_spec("distributed") is None:
        raise WorldError(
            "many.not-installed",
            "the package distributed, which --on needs, is not installed",
            remedy="Install it with: pip install 'madcat-studio[many]'",
        )
    name, _, number = on.partition(":")
    if name == "local":
        if not number.isascii() or not number.isdecimal() or not 1 <= int(number) <= _MOST_WORKERS:
            raise UsageError(
                "many.address",
                f"{on!r} does not give a number of processes",
                remedy=f"Write local:4 for four, {_MOST_WORKERS} at most",
            )
        made = _of_this_machine(int(number), progress, near)
    else:
        made = Many(_client(on, progress))
    with made:
        made.wait(progress)
        yield made


def _client(address: str, progress: Progress, **more: Any) -> Any:
    import dask.config
    from distributed import Client

    _quiet()
    made: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def connect() -> None:
        try:
            # Or the last thousand messages are kept, with their texts.
            with dask.config.set({_MESSAGES_KEPT: 0}):
                made.put(Client(address, timeout=_PATIENCE / 3, set_as_default=False, **more))
        except Exception as error:
            made.put(error)

    # In a thread of its own: a client that is stopped while it connects waits long for its end.
    threading.Thread(target=connect, daemon=True).start()
    while True:
        with contextlib.suppress(queue.Empty):
            found = made.get(timeout=_LOOK)
            break
        if progress.cancelled():
            raise Cancelled
    if isinstance(found, OSError | TimeoutError):
        raise WorldError(
            "many.no-scheduler",
            f"no scheduler answers ({type(found).__name__})",
            where=address,
            remedy="Start one (dask scheduler) and give its address, such as tcp://host:8786; "
            "or use this machine: --on local:4",
        ) from found
    if isinstance(found, ValueError | TypeError):
        raise UsageError(
            "many.address",
            f"{address!r} is not the address of a scheduler",
            remedy="Write tcp://host:8786, or local:4 for four processes of this machine",
        ) from found
    if isinstance(found, Exception):
        raise found
    return found


def _quiet() -> None:
    """What Dask says of lost workers and connections, we tell in our own words."""
    import logging

    for name in list(logging.Logger.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class _Local(Closing):
    """A scheduler and workers as processes of this machine; no other user can talk to them."""

    def __init__(self, count: int) -> None:
        from distributed.security import Security

        self.count = count
        self._folder = Path(tempfile.mkdtemp(prefix="madcat-many-"))  # for its owner only
        self._processes: list[subprocess.Popen[bytes]] = []
        # Whoever reaches a scheduler can run code as its user: only who has the key does.
        self.security = Security.temporary()
        keys = []
        for flag, value in (
            ("--tls-ca-file", self.security.tls_ca_file),
            ("--tls-cert", self.security.tls_client_cert),
            ("--tls-key", self.security.tls_client_key),
        ):
            path = self._folder / flag.lstrip("-")
            path.write_text(value, "ascii")
            keys += [flag, str(path)]
        self.file = self._folder / "scheduler.json"
        common = ["--scheduler-file", str(self.file), "--no-dashboard", *keys]
        try:
            self._start(
                *("distributed.cli.dask_scheduler", "--host", "tls://127.0.0.1", "--port", "0"),
                *("--idle-timeout", "120s"),  # where this process is killed
                *common,
            )
            self._start(
                *("distributed.cli.dask_worker", "--nworkers", str(count), "--nthreads", "1"),
                *("--host", "127.0.0.1", "--death-timeout", "60", "--memory-limit", "0"),
                *("--local-directory", str(self._folder)),
                *common,
            )
        except BaseException:
            self.close()
            raise

    def _start(self, module: str, *arguments: str) -> None:
        # A session of their own: Ctrl+C on the terminal is for this process, which ends them.
        kept = "DASK_" + _MESSAGES_KEPT.replace(".", "__").replace("-", "_").upper()
        environment = {**os.environ, "TMPDIR": str(self._folder), kept: "0"}
        code = f"from {module} import main; main()"
        self._processes.append(
            subprocess.Popen(
                [sys.executable, "-c", code, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=environment,
            )
        )

    def look(self) -> None:
        """See that they run.

        Raises:
            WorldError: ``many.cannot-start``.
        """
        for process in self._processes:
            if process.poll() is not None:
                raise WorldError(
                    "many.cannot-start",
                    (
                        "the processes of this machine ended immediately (status "
                        f"{process.returncode})"
                    ),
                    remedy="They may have run out of memory: use fewer",
                )

    def kill(self) -> None:
        """End all at once."""
        for process in self._processes:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes.clear()

    def close(self) -> None:
        """End all, and remove what they kept on the disk."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def _of_this_machine(count: int, progress: Progress, near: bool) -> Many:
    cluster = _Local(count)
    try:
        while not cluster.file.exists():
            if progress.cancelled():
                raise Cancelled
            cluster.look()
            time.sleep(_LOOK)
        address = _address(cluster.file)
        client = _client(address, progress, security=cluster.security)
        return Many(client, cluster, near=near)
    except BaseException:
        cluster.close()
        raise


def _address(file: Path) -> str:
    """The scheduler's address from its file, which may be half written when it is first seen."""
    import json

    for _ in range(100):
        with contextlib.suppress(ValueError, KeyError):
            return str(json.loads(file.read_text("utf-8"))["address"])
        time.sleep(_LOOK)
    raise _lost(TimeoutError())


@dataclass(slots=True, eq=False)
class _Waiting(Generic[_Part]):
    """A part that was given out."""

    part: _Part
    future: Any
    left: Left | None = None
    result: Any = None
    there: bool = False

    def forget(self) -> None:
        """Have the workers forget it, and what was left for them."""
        if self.future is not None:
            self.future.release()
            self.future = None  # it knows us: garbage that would wait long, with all texts
        if self.left is not None:
            self.left.close()
            self.left = None


@dataclass(slots=True)
class _Flow(Generic[_Part]):
    """Parts that are with the workers, in their order."""

    many: Many
    work: Callable[[_Part], tuple[Any, ...]]
    place: Callable[[_Part, int | None], str]
    key: str = field(default_factory=lambda: f"madcat-{uuid.uuid4().hex[:12]}")
    waiting: deque[_Waiting[_Part]] = field(default_factory=deque)
    ended: queue.SimpleQueue[_Waiting[_Part]] = field(default_factory=queue.SimpleQueue)
    failures: list[Failure] = field(default_factory=list)
    given: int = 0

    def give(self, part: _Part) -> None:
        call = self.work(part)
        left = self.many.leave(call)
        with self.many.answering():
            # A key of its own: Dask would make one of the texts.
            future = self.many.client.submit(
                *(call if left is None else (called, left.path)),
                key=f"{self.key}-{self.given}",
                pure=False,
            )
        self.given += 1
        one = _Waiting(part, future, left)
        self.waiting.append(one)
        self._await(one)

    def collect(self) -> None:
        """Take the results that are there; wait a moment for one."""
        found: list[_Waiting[_Part]] = []
        with contextlib.suppress(queue.Empty):
            found.append(self.ended.get(timeout=_LOOK))
            while True:
                found.append(self.ended.get_nowait())
        states = [(one, one.future.status) for one in found]  # they change while we look
        good = [one for one, state in states if state == "finished"]
        results = self.many.take([one.future for one in good]) if good else []
        for one, result in zip(good, results, strict=True):
            one.result = result
        for one, state in states:
            if state == "cancelled":
                raise _lost(TimeoutError())
            if state not in ("finished", "error"):
                # Its worker died with the result, which was told as done. Dask has it made again.
                self._await(one)
                continue
            if state == "error":
                one.result = Broken(_said(one.future.exception()))
            one.forget()
            one.there = True

    def _await(self, one: _Waiting[_Part]) -> None:
        one.future.add_done_callback(lambda _: self.ended.put(one))

    def ready(self) -> Iterator[tuple[_Part, Any]]:
        """The first parts, as far as they are done."""
        while self.waiting and self.waiting[0].there:
            one = self.waiting.popleft()
            if isinstance(one.result, Broken):
                told = one.result
                segment = "" if told.row is None else self.place(one.part, told.row)
                self.failures.append(Failure(self.place(one.part, None), segment, told.reason))
                if len(self.failures) >= _MOST_FAILURES:
                    self.fail()
            else:
                yield one.part, one.result

    def fail(self) -> None:
        if self.failures:
            error = PartsFailed(
                "many.parts-failed",
                f"{len(self.failures)} of {self.given} parts gave no result; nothing was written",
                remedy="Mend what the table names, and run the command again",
            )
            error.failures = tuple(self.failures)
            raise error

    def drop(self) -> None:
        """Have the workers forget what is not done."""
        for one in self.waiting:
            one.forget()
        self.waiting.clear()


def _said(error: BaseException | None) -> str:
    """Why a part failed outside of its work; never with what it was given."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return (
            f"{error.allowed_failures + 1} workers ended while they had it, which often is a lack "
            "of memory"
        )
    return f"the worker could not begin it ({type(error).__name__})"


def in_order(
    many: Many,
    parts: Iterable[_Part],
    work: Callable[[_Part], tuple[Any, ...]],
    place: Callable[[_Part, int | None], str],
    progress: Progress = SILENT,
) -> Iterator[tuple[_Part, Any]]:
    """Each part with its result, in the order of the parts, as they are done.

    Args:
        many: who does them.
        parts: made one after another, as there is room for them.
        work: of a part, the function of :mod:`madcat_ter.parts` and its arguments.
        place: the name of a part's row, or of all of the part, for the table of failures.
        progress: may cancel.

    Raises:
        PartsFailed: some parts gave no result, told when all others are done.
        WorldError: as :meth:`Many.look`.
        Cancelled: ``progress`` said so.
    """
    flow = _Flow(many, work, place)
    rest = iter(parts)
    more = True
    try:
        while more or flow.waiting:
            if progress.cancelled():
                raise Cancelled
            many.look()
            if more and len(flow.waiting) < _BUSY * max(many.threads, 1):
                part = next(rest, None)
                if part is None:
                    more = False
                else:
                    flow.give(part)
                    if flow.ended.empty():
                        continue
            if flow.waiting:
                flow.collect()
                yield from flow.ready()
        flow.fail()
    finally:
        flow.drop()

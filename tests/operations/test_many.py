"""Many machines: the numbers of one, whoever works, falls away or stops."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import StudioError, WorldError
from madcat_studio.operations import many as room
from madcat_studio.operations.many import Many, PartsFailed, in_order, workers
from madcat_studio.operations.nearby import Left, readable
from madcat_studio.operations.scores import paired_parts
from madcat_studio.operations.scores.on_many import score_ter
from madcat_studio.progress import SILENT, Cancelled
from madcat_ter.options import TerOptions
from madcat_ter.parts import Broken, Pairs, hter_part, ter_part, wer_part
from tests.operations.schedulers import cluster_here

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None or find_spec("pyarrow") is None,
    reason="the extras many and parquet are not installed",
)

SECRET = "unutterable"
PROMPTLY = 5.0


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts so small that a short file has many."""
    monkeypatch.setattr(paired_parts, "_ROWS", 7)


def made(folder: Path, form: str, seed: int = 1, count: int = 60) -> tuple[Path, Path]:
    """Output and reference in a form; the ids of the reference in another order at the end."""
    rng = random.Random(seed)
    references = [" ".join(rng.choices("abcdefgh", k=rng.randrange(8))) for _ in range(count)]
    outputs = [" ".join(rng.sample(one.split(), len(one.split()))) + " x" for one in references]
    outputs[5] += " \u200f"
    outputs[50] += " \u200f \u200e"
    ids = [f"s{number}" for number in range(count)]
    paths = []
    for name, texts, mixed in (("hyp", outputs, False), ("ref", references, True)):
        rows = list(zip(ids, texts, strict=True))
        if mixed:
            rows[40:] = rows[:39:-1]
        path = folder / f"{name}{form}"
        if form == ".txt":
            path.write_text("\r\n".join(texts) + "\n", "utf-8", newline="")
        elif form == ".jsonl":
            lines = [json.dumps({"id": one, "text": text}) for one, text in rows]
            path.write_text("\n\n".join(lines), "utf-8")
        elif form == ".tsv":
            lines = [f"{one}\t{text}" for one, text in rows]
            path.write_text("\n".join(["segment\ttext", *lines]) + "\n", "utf-8")
        else:
            import pyarrow
            from pyarrow import parquet

            columns = dict(zip(("segment", "text"), zip(*rows, strict=True), strict=True))
            parquet.write_table(pyarrow.table(columns), path, row_group_size=9)
        paths.append(path)
    return paths[0], paths[1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("form", [".txt", ".jsonl", ".tsv", ".parquet"])
@pytest.mark.parametrize(
    "command",
    [
        "ter HYP REF --segments",
        "ter HYP REF REF --no-case --exact --format json",
        "ter HYP REF --out FILE.csv",
        "ter HYP REF --out FILE.json",
        "wer HYP REF --out FILE.jsonl --format json",
        "wer HYP REF --out FILE.parquet --confusions 4",
        "wer HYP REF --characters --nist --segments",
    ],
)
def test_the_numbers_are_those_of_one_machine(
    command: str, form: str, scheduler: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hyp, ref = made(tmp_path, form)
    words = command.replace("HYP", str(hyp)).replace("REF", str(ref)).split()
    told, written = [], []
    for name, more in (("one", []), ("many", ["--on", scheduler])):
        target = tmp_path / name
        target.mkdir()
        arguments = [word.replace("FILE", str(target / "out")) for word in words]
        assert main([*arguments, *more]) == 0
        out, err = capfd.readouterr()
        told.append((out.replace(str(target), ""), err.replace(str(target), "")))
        written.append({path.name: path.read_bytes() for path in target.iterdir()})
    assert told[1] == told[0]
    assert written[1] == written[0]
    assert "U+200F 2 times" in told[1][1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("forms", [("trn", "trn"), ("ctm", "stm")])
def test_transcripts_of_sclite(
    forms: tuple[str, str], scheduler: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines: dict[str, list[str]] = {"hyp": [], "ref": []}
    for number in range(30):
        words = "a b c d"[: 1 + number % 7 // 2 * 2]
        if forms == ("trn", "trn"):
            lines["hyp"].append(f"{words} x (s{number})")
            lines["ref"].append(f"{{ {words} / y / @ }} z (s{number})")
        else:
            lines["hyp"] += [
                f"f 1 {number}.{place} 0.05 {word}" for place, word in enumerate(words.split())
            ]
            lines["ref"].append(f"f 1 s {number}.0 {number}.9 {{ {words} / y }} z")
    paths = []
    for (name, rows), form in zip(lines.items(), forms, strict=True):
        paths.append(tmp_path / f"{name}.{form}")
        paths[-1].write_text("\n".join(rows) + "\n", "utf-8")
    told = []
    for more in ((), ("--on", scheduler)):
        assert main(["wer", *map(str, paths), "--segments", *more]) == 0
        told.append(capfd.readouterr())
    assert told[1] == told[0]
    assert "30" in told[0].out


@pytest.mark.usefixtures("small")
def test_a_table_of_what_failed_and_nothing_written(
    scheduler: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hyp, ref = made(tmp_path, ".jsonl")
    lines = hyp.read_text("utf-8").split("\n\n")
    for at in (10, 33):
        lines[at] = json.dumps({"id": f"s{at}", "text": f"{SECRET}\0"})
    hyp.write_text("\n".join(lines), "utf-8")
    out = tmp_path / "out.csv"
    assert main(["ter", str(hyp), str(ref), "--on", scheduler, "--out", str(out)]) == 2
    told = capfd.readouterr()
    rows = [line.split() for line in told.err.splitlines()]
    assert ["s7", "to", "s13", "s10"] in [row[:4] for row in rows]
    assert ["s28", "to", "s34", "s33"] in [row[:4] for row in rows]
    assert "holds a NUL character at position 11" in told.err
    assert "2 of 9 parts gave no result; nothing was written" in told.err
    assert "[many.parts-failed]" in told.err
    assert told.out == ""
    assert not out.exists()
    assert left(scheduler) == []


def left(scheduler: str) -> list[str]:
    """What workers still hold or have logged of the texts; waits for messages on their way."""
    from distributed import Client

    def held(dask_worker: Any) -> list[str]:
        return [*map(str, dask_worker.data), *map(str, dask_worker.state.tasks)]

    with Client(scheduler, set_as_default=False) as client:
        end = time.monotonic() + 5
        while (keys := [k for found in client.run(held).values() for k in found]) and (
            time.monotonic() < end
        ):
            time.sleep(0.02)
        logs = [str(line) for found in client.get_worker_logs().values() for line in found]
    return [*keys, *(line for line in logs if SECRET in line)]


@pytest.mark.usefixtures("small")
def test_nothing_of_the_texts_is_left(scheduler: str, tmp_path: Path) -> None:
    texts = [SECRET, f"{SECRET} a"] * 20
    for name in ("hyp", "ref"):
        (tmp_path / name).write_text("\n".join(texts), "utf-8")
    assert main(["ter", str(tmp_path / "hyp"), str(tmp_path / "ref"), "--on", scheduler]) == 0
    assert left(scheduler) == []
    assert SECRET not in repr(Pairs(texts, [texts]))


@pytest.mark.parametrize(
    "columns",
    [
        [["a", "b c", ""], ["", "", "é"]],
        [["a\nb", "\n", ""], ["x", "y", "z"], ["1", "2\n\n", "3"]],
        [["\ud800", "\0"], ["\U0001f600\n", ""]],
        [[""], [""]],
        [[], []],
    ],
)
def test_texts_arrive_as_they_left(columns: list[list[str]]) -> None:
    there = pickle.loads(pickle.dumps(Pairs(columns[0], columns[1:])))
    assert (there.outputs, there.columns) == (columns[0], columns[1:])


def test_an_error_within_a_part_tells_no_text() -> None:
    pairs = Pairs(["a", SECRET], [["a", "b"]])
    for found in (ter_part(pairs, None), wer_part(pairs, None)):  # type: ignore[arg-type]
        assert isinstance(found, Broken)
        assert SECRET not in repr(found)
        assert " in " in found.reason
        assert found.row is None
    broken = hter_part([("a", f"{SECRET}\0", ())], TerOptions())  # type: ignore[arg-type]
    assert isinstance(broken, Broken)
    assert SECRET not in repr(broken)


class Impatient:
    """Wants to stop when some parts are done."""

    def __init__(self, parts: int) -> None:
        self.parts, self.done = parts, 0

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        self.done = done

    def cancelled(self) -> bool:
        return self.done >= self.parts


@pytest.mark.usefixtures("small")
def test_stopped_in_the_middle(scheduler: str, tmp_path: Path) -> None:
    hyp, ref = made(tmp_path, ".txt", count=700)
    progress = Impatient(70)
    with workers(scheduler) as many, pytest.raises(Cancelled):
        score_ter(hyp, [ref], TerOptions(), many, progress=progress)
    assert 70 <= progress.done < 200
    assert left(scheduler) == []


@pytest.mark.long
def test_no_more_parts_are_on_their_way_than_workers_need(scheduler: str) -> None:
    given, taken, most = 0, 0, 0

    def parts() -> Iterator[Pairs]:
        nonlocal given
        for _ in range(100):
            given += 1
            yield Pairs(["a"], [["b"]])

    with workers(scheduler) as many:
        assert many.threads == 2
        for _part, found in in_order(
            many, parts(), lambda one: (ter_part, one, TerOptions()), lambda _part, _row: ""
        ):
            taken += 1
            most = max(most, given - taken)
            assert found.edits.tolist() == [1.0]
    assert (given, taken) == (100, 100)
    assert most <= 6


class Lost:
    """The result of a part, told as done so often before it can be taken: its workers died."""

    def __init__(self, result: object, times: int) -> None:
        self.result, self.times, self.status = result, times, "pending"

    def add_done_callback(self, tell: Callable[[object], None]) -> None:
        self.status = "pending" if self.times else "finished"
        self.times -= 1
        tell(self)

    def release(self) -> None:
        assert self.status == "finished"


class Loser:
    """A scheduler whose workers die with results that they have told."""

    def __init__(self, losses: list[int]) -> None:
        self.losses = list(losses)

    def submit(self, function: Callable[..., object], *arguments: object, **_: object) -> Lost:
        return Lost(function(*arguments), self.losses.pop(0))

    def gather(self, futures: list[Lost], direct: bool | None) -> list[object]:
        assert all(one.status == "finished" for one in futures)
        return [one.result for one in futures]


@pytest.mark.parametrize("losses", [[1, 0, 0], [0, 2, 1], [3, 3, 3]])
@pytest.mark.parametrize("near", [False, True])
def test_a_result_that_was_lost_is_waited_for_again(losses: list[int], near: bool) -> None:
    many = Many(Loser(losses), near=near)
    many.threads, many._looked = 1, time.monotonic() + 60
    parts = [Pairs([text], [["b"]]) for text in ("a", "b", "c d")]
    done = in_order(many, parts, lambda one: (ter_part, one, TerOptions()), lambda _p, _r: "")
    found = [(part, result.edits.tolist()) for part, result in done]
    assert found == [(parts[0], [1.0]), (parts[1], [0.0]), (parts[2], [2.0])]
    assert waiting_calls() == 0


def waiting_calls() -> int:
    """How many calls lie in this process's memory for others."""
    open_ones = list(Path("/proc/self/fd").iterdir())
    # What lists them is among them, and is closed by then.
    return sum("madcat-studio" in str(one.readlink()) for one in open_ones if one.is_symlink())


@pytest.mark.usefixtures("small")
def test_texts_are_left_for_workers_of_this_machine(scheduler: str, tmp_path: Path) -> None:
    hyp, ref = made(tmp_path, ".jsonl")
    with workers(scheduler) as many:
        assert not many._near  # it may be anywhere
        with score_ter(hyp, [ref], TerOptions(), many) as sent:
            wanted = list(sent.scores.segments.rows)
        assert many._reads_what_is_left()
        many._near = True
        sizes = []
        submit = many.client.submit

        def counted(function: Any, *arguments: Any, **more: Any) -> Any:
            sizes.append(len(pickle.dumps((function, arguments))))
            return submit(function, *arguments, **more)

        many.client.submit = counted
        with score_ter(hyp, [ref], TerOptions(), many) as found:
            assert list(found.scores.segments.rows) == wanted
    assert max(sizes) < 150
    assert len(sizes) > 5
    assert waiting_calls() == 0
    assert left(scheduler) == []


def test_a_call_is_there_until_it_is_forgotten() -> None:
    reading = "import sys; from madcat_ter.parts import called; print(called(sys.argv[1]))"
    with Left((max, 3, 4)) as call:
        done = subprocess.run(
            [sys.executable, "-c", reading, call.path], capture_output=True, text=True, check=True
        )
        assert done.stdout == "4\n"
        assert readable(call.path)
    assert not readable(call.path)


def test_a_call_for_which_there_is_no_room_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_name: str) -> int:
        raise OSError("too many open files")

    monkeypatch.setattr(os, "memfd_create", none)
    many = Many(Loser([0]), near=True)
    many.threads, many._looked = 1, time.monotonic() + 60
    parts = [Pairs(["a"], [["b"]])]
    done = in_order(many, parts, lambda one: (ter_part, one, TerOptions()), lambda _p, _r: "")
    assert [result.edits.tolist() for _, result in done] == [[1.0]]


@pytest.mark.long
def test_what_a_worker_could_not_even_begin(scheduler: str) -> None:
    class Unpacked(Exception):
        pass

    def fail(_part: str) -> None:
        raise Unpacked(SECRET)

    with workers(scheduler) as many, pytest.raises(PartsFailed) as told:
        list(in_order(many, ["one", "two"], lambda one: (fail, one), lambda one, _row: one))
    assert [(f.part, f.segment) for f in told.value.failures] == [("one", ""), ("two", "")]
    assert told.value.failures[0].reason == "the worker could not begin it (Unpacked)"


def test_a_part_that_kills_its_workers_is_told() -> None:
    from distributed.scheduler import KilledWorker

    error = KilledWorker("madcat-1", "tcp://1:1", 3)
    assert "4 workers ended while they had it" in room._said(error)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kept", [0, 1])
def test_who_ended_is_told_however_little_the_scheduler_keeps(
    kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import dask.config

    take, ended = Many.take, []

    def take_and_end_one(many: Many, futures: Sequence[Any]) -> list[Any]:
        if not ended:
            ended.append(min(many.client.nthreads()))
            many.client.run_on_scheduler(end, ended[0])
        return take(many, futures)

    async def end(address: str, dask_scheduler: Any) -> None:
        await dask_scheduler.remove_worker(address, stimulus_id="test")

    monkeypatch.setattr(Many, "take", take_and_end_one)
    hyp, ref = made(tmp_path, ".txt")
    with dask.config.set({"distributed.admin.low-level-log-length": kept}), cluster_here() as at:
        assert main(["ter", str(hyp), str(ref), "--on", at]) == 0
    assert f"note: 1 worker ended ({ended[0]}); others did their parts" in capfd.readouterr().err


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "find_spec", lambda _name: None)
    with pytest.raises(WorldError) as told, workers("local:2"):
        pass
    assert told.value.code == "many.not-installed"
    assert told.value.remedy == "Install it with: pip install 'madcat-studio[many]'"


@pytest.mark.parametrize("address", ["local:", "local:0", "local:x", "local:-1", "local:5000"])
def test_no_number_of_processes(address: str) -> None:
    with pytest.raises(StudioError) as told, workers(address):
        pass
    assert told.value.code == "many.address"


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_PATIENCE", 0.6)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(WorldError) as told, workers(f"tcp://127.0.0.1:{port}"):
        pass
    assert told.value.code == "many.no-scheduler"
    with pytest.raises(StudioError) as wrong, workers("nonsense://x"):
        pass
    assert wrong.value.code == "many.address"


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(room, "_PATIENCE", 0.3)
    with (
        LocalCluster(
            n_workers=0,
            processes=False,
            protocol="inproc://",
            dashboard_address=":0",
            silence_logs=False,
        ) as cluster,
        pytest.raises(WorldError) as told,
        workers(cluster.scheduler_address),
    ):
        pass
    assert told.value.code == "many.no-workers"


def test_another_engine_on_a_worker(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "__version__", "0.0.1")
    with pytest.raises(WorldError) as told, workers(scheduler):
        pass
    assert told.value.code == "many.other-engine"
    assert "2 of 2 workers" in told.value.reason


def long_file(folder: Path, count: int) -> tuple[Path, Path]:
    rng = random.Random(4)
    paths = folder / "hyp", folder / "ref"
    for path in paths:
        lines = (" ".join(rng.choices("abcdefghijklmnop", k=20)) for _ in range(count))
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return paths


@pytest.mark.long
def test_processes_of_this_machine_and_control_c(tmp_path: Path) -> None:
    hyp, ref = long_file(tmp_path, 100_000)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "madcat_studio", "ter", hyp, ref),
            *("--on", "local:2", "--out", tmp_path / "out.csv"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    with process:
        end = time.monotonic() + 60
        while not list(tmp_path.glob("madcat-many-*/dask-scratch-space")):
            assert time.monotonic() < end
            time.sleep(0.05)
        ours = children(process.pid)
        assert len(ours) == 2
        process.send_signal(signal.SIGINT)
        # On an idle machine it takes some tenths of a second.
        out, err = process.communicate(timeout=PROMPTLY)
    assert process.returncode == 130
    assert (out, err) == ("", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp", "ref"]
    assert [pid for pid in ours if Path(f"/proc/{pid}").exists()] == []


def children(parent: int) -> list[int]:
    """The processes that one started."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


@pytest.mark.soak
def test_soak_killed_workers_cost_their_parts_only(tmp_path: Path) -> None:
    hyp, ref = long_file(tmp_path, 300_000)
    assert main(["ter", str(hyp), str(ref), "--out", str(tmp_path / "one.csv")]) == 0
    killed = []

    def kill(many: Many) -> None:
        for _ in range(2):
            time.sleep(1.5)
            pids = many.client.run(os.getpid)
            killed.append(min(pids.values()))
            os.kill(killed[-1], signal.SIGKILL)

    with workers("local:2") as many:
        thread = threading.Thread(target=kill, args=(many,))
        thread.start()
        with score_ter(hyp, [ref], TerOptions(), many, progress=SILENT) as found:
            from madcat_studio.operations.scores.ter_wer import write_scores

            write_scores(found.scores, tmp_path / "many.csv")
        thread.join()
        gone = many.gone
    assert len(killed) == 2
    assert len(gone) == 2
    assert (tmp_path / "many.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()

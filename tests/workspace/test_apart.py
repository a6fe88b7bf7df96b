"""What is made in a copy of the process: the same bytes, and nothing of this process is touched."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from madcat_studio.edits import MoveVertex, Outline
from madcat_studio.errors import StudioError
from madcat_studio.formats import documents
from madcat_studio.operations.pages.convert import export_document
from madcat_studio.workspace.apart import made_apart
from tests.workspace.test_drafts import opened, path

__all__ = ["opened", "path"]

LINUX = sys.platform == "linux"


def in_thread(make) -> bytes | None:
    """As a save does: never in the thread of the window."""
    found: list[bytes | None] = []
    thread = threading.Thread(target=lambda: found.append(made_apart(make)))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("size", [0, 1, 5_000_000])
def test_bytes_are_made_elsewhere(size: int) -> None:
    here: list[int] = []

    def make() -> bytes:
        here.append(1)
        return bytes(os.getpid() % 251 for _ in range(1)) * size

    made = in_thread(make)
    assert here == [], "nothing of it happened in this process"
    if LINUX:
        assert made is not None
        assert len(made) == size
    else:
        assert made is None


def _fail() -> bytes:
    raise ValueError("of whatever kind")


@pytest.mark.parametrize(
    "make",
    [_fail, lambda: sys.exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL)],
    ids=["an error", "an exit", "a kill"],
)
def test_what_comes_to_no_end_gives_nothing(make) -> None:
    assert in_thread(make) is None


@pytest.mark.long
def test_nothing_stays_behind(tmp_path: Path) -> None:
    with (tmp_path / "open").open("wb") as stream:
        seen = in_thread(lambda: str(_is_open(stream.fileno())).encode())
        assert seen in (b"False", None), "the copy has none of this process's files"
        assert _is_open(stream.fileno())
    before = _open_files(), _children()  # such as a server that other tests use
    for make in (lambda: b"x", _fail):
        in_thread(make)
    assert (_open_files(), _children()) == before


def _children() -> set[str]:
    """The processes that this one began, those among them that ended and were not waited for."""
    found: set[str] = set()
    for thread in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # it ended meanwhile
            found.update((thread / "children").read_text().split())
    return found


def _open_files() -> int:
    return sum(_is_open(number) for number in range(256))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("suffix", [".madcat.xml", ".page.xml", ".alto.xml"])
def test_a_save_apart_writes_what_a_save_here_does(
    opened, path: Path, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = documents.write
    monkeypatch.setattr(
        documents, "write", lambda *arguments: (made.append(suffix), real(*arguments))[1]
    )
    original = path
    if suffix != ".madcat.xml":
        original = tmp_path / f"original{suffix}"
        export_document(opened(path).document, original)
    written = []
    for folder, apart in ((tmp_path / "a", False), (tmp_path / "b", True)):
        folder.mkdir()
        page = folder / f"p{suffix}"
        page.write_bytes(original.read_bytes())
        workspace = opened(page)
        workspace.execute(MoveVertex(Outline(0, 0, 0), 0, (4321, 567)))
        order = workspace.begin_save(workspace.document)
        made.clear()
        workspace.finish_save(order, order.run(apart=apart))
        assert bool(made) == (not (apart and LINUX)), "whether it was made in this process"
        assert not workspace.dirty
        written.append(page.read_bytes())
        workspace.undo()
        workspace.save()
        assert page.read_bytes() == workspace.source.data
    assert written[0] == written[1]


def test_an_error_is_the_one_that_a_save_here_meets(opened, path: Path) -> None:
    workspace = opened(path)
    workspace.execute(MoveVertex(Outline(0, 0, 0), 0, (1, 2)))
    workspace.document.sections[0].segments[0].translation = "what XML cannot hold: \x01"
    before = path.read_bytes()
    codes = []
    for apart in (False, True):
        with pytest.raises(StudioError) as caught:
            workspace.begin_save(workspace.document).run(apart=apart)
        codes.append(caught.value.code)
    assert codes == ["madcat.forbidden-character"] * 2
    assert path.read_bytes() == before

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.edits import LockLines, MoveVertex, Outline
from madcat_studio.errors import FormatError
from madcat_studio.formats.locks import find_locked, locks_file, read_locks, write_locks
from madcat_studio.formats.madcat import read
from madcat_studio.workspace.page import PageWorkspace

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLE, tmp_path / SAMPLE.name))


def locked(workspace: PageWorkspace) -> list[int]:
    return [n for n, line in enumerate(workspace.document.pages[0].lines) if line.locked]


def test_rows_come_back_and_none_leave_no_file(tmp_path: Path) -> None:
    table = tmp_path / "b.locks.tsv"
    rows = ((0, 2, "z2"), (1, 0, ""), (0, 4, "a\tb"))
    write_locks(table, rows)
    assert read_locks(table) == rows
    write_locks(table, ())
    assert not table.exists()
    assert read_locks(table) == ()
    write_locks(table, ())


def test_lines_are_found_by_id_and_of_doubled_ids_by_place() -> None:
    document = read(SAMPLE).document
    lines = document.pages[0].lines
    assert find_locked(document, ((0, 0, "z3"), (0, 1, "gone"), (7, 0, "z0"))) == [lines[3]]
    lines[4].id = "z3"
    assert find_locked(document, ((0, 4, "z3"),)) == [lines[4]]
    assert find_locked(document, ((0, 0, "z3"),)) == []


def test_a_damaged_table_is_told_and_locks_nothing(path: Path, tmp_path: Path) -> None:
    locks_file(path).write_text("page\tline\tid\none\t2\tz1\n")
    with pytest.raises(FormatError) as caught:
        read_locks(locks_file(path))
    assert caught.value.code == "locks.number"
    workspace = PageWorkspace.open(path, folder=tmp_path / "j")
    assert workspace.trouble is not None
    assert locked(workspace) == []
    workspace.close()


def test_a_crash_loses_no_lock(path: Path, tmp_path: Path) -> None:
    """Locks of an earlier session, of this one, and edits made before a lock, all come back."""
    write_locks(locks_file(path), ((0, 1, "z1"),))
    workspace = PageWorkspace.open(path, folder=tmp_path / "j")
    assert locked(workspace) == [1]
    workspace.execute(MoveVertex(Outline(0, 3), 0, (1, 2)))
    workspace.execute(LockLines(0, (3,), True))
    workspace.close()
    again = PageWorkspace.open(path, folder=tmp_path / "j")
    again.recover()
    assert locked(again) == [1, 3]
    again.undo()
    again.undo()
    again.save()
    assert path.read_bytes() == SAMPLE.read_bytes()
    assert read_locks(locks_file(path)) == ((0, 1, "z1"),)
    again.close()

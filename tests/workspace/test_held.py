"""What the hand holds when a session ends: let go where it was, as a step of the history."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.edits import LockLines, MovePolygon, MoveVertex, Outline
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.formats.documents import write
from madcat_studio.workspace.journal import Record
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_drafts import MOVE, opened, path
from tests.workspace.test_page_workspace import journals

__all__ = ["opened", "path"]

FARTHER = MoveVertex(Outline(0, 0, 0), 0, (7, 9))
TWO = CompositeEdit(
    (MovePolygon(Outline(0, 0, 0), 5, 6), MovePolygon(Outline(0, 1), -3, 2)), "Move 2 outlines"
)


def after(document_path: Path, *edits: object) -> bytes:
    """The file as it would be with these edits."""
    workspace = PageWorkspace.open(document_path, folder=document_path.parent / "elsewhere")
    for edit in edits:
        workspace.execute(edit)  # type: ignore[arg-type]
    data = write(workspace.document, workspace.source)
    workspace.close(discard=True)
    return data


def kill(workspace: PageWorkspace) -> None:
    """Leave the journal as a kill does."""
    workspace._journal._journal.close()


@pytest.mark.parametrize("held", [MOVE, TWO])
@pytest.mark.parametrize("edited", [False, True])
def test_a_drag_that_was_under_way_is_a_step_after_a_kill_and_after_the_next(
    opened, path: Path, held, edited: bool
) -> None:
    before = [FARTHER] if edited else []
    expected, original = after(path, *before, held), after(path, *before)
    workspace = opened(path)
    for edit in before:
        workspace.execute(edit)
    workspace.held.hold(FARTHER)
    workspace.held.hold(held)  # the hand went on
    assert write(workspace.document, workspace.source) == original  # and is no edit yet
    kill(workspace)
    for steps in (1, 3):  # the second time with an undo and a redo
        again = opened(path)
        assert again.recovery.steps == len(before) + steps
        again.recover()
        assert write(again.document, again.source) == expected
        assert (again.position, again.undo_label) == (len(before) + 1, held.label)
        again.undo()
        assert write(again.document, again.source) == original
        again.redo()
        kill(again)


@pytest.mark.parametrize(
    "end",
    [
        lambda w: w.held.hold(None),
        lambda w: w.execute(FARTHER),
        lambda w: w.undo(),
        lambda w: (w.undo(), w.redo()),
    ],
    ids=["put back", "became an edit", "undo", "redo"],
)
def test_what_came_after_it_ends_it(opened, path: Path, end) -> None:
    workspace = opened(path)
    workspace.execute(MOVE)
    workspace.held.hold(TWO)
    end(workspace)
    expected = write(workspace.document, workspace.source)
    kill(workspace)
    again = opened(path)
    again.recover()
    assert write(again.document, again.source) == expected


def test_a_hand_that_rests_writes_nothing(opened, path: Path) -> None:
    workspace = opened(path)
    workspace.held.hold(MOVE)
    size = workspace._journal._journal.path.stat().st_size
    workspace.held.hold(MoveVertex(Outline(0, 0, 0), 0, (1, 2)))
    assert workspace._journal._journal.path.stat().st_size == size
    workspace.held.hold(None)
    workspace.held.hold(None)
    workspace.close()
    assert journals() == []


def test_somebody_else_changed_the_file_meanwhile(opened, path: Path) -> None:
    """Then it is asked about, as all edits are."""
    expected = after(path, MOVE)
    workspace = opened(path)
    workspace.held.hold(MOVE)
    kill(workspace)
    path.write_bytes(path.read_bytes() + b"\n")
    again = opened(path)
    assert (again.recovery.steps, again.recovery.conflict) == (1, True)
    again.recover()
    assert write(again.document, again.source) == expected


def test_what_could_not_be_let_go_there_is_not(opened, path: Path) -> None:
    workspace = opened(path)
    workspace.execute(LockLines(0, (0,), True))
    workspace._keep(Record("held", MOVE))
    kill(workspace)
    again = opened(path)
    again.recover()
    assert again.position == 1


def test_a_torn_record_leaves_the_place_before(opened, path: Path) -> None:
    first, second = after(path, MOVE), after(path, FARTHER)
    workspace = opened(path)
    workspace.held.hold(MOVE)
    workspace.held.hold(FARTHER)
    kill(workspace)
    journal = workspace._journal._journal
    whole = journal.path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for cut in (start, start + 5, len(whole) - 1, len(whole)):
        journal.path.write_bytes(whole[:cut])
        again = PageWorkspace.open(path)
        again.recover()
        assert write(again.document, again.source) == (second if cut == len(whole) else first)
        kill(again)

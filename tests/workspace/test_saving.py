"""Saving while edits go on, and kills at every moment of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.edits import MoveVertex, Outline
from madcat_studio.errors import WorldError
from madcat_studio.formats.madcat import read
from madcat_studio.model.copies import copy_document
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_page_workspace import SAMPLE

WORD = Outline(0, 0, 0)


def move(workspace: PageWorkspace, x: int) -> None:
    workspace.execute(MoveVertex(WORD, 0, (x, 2)))


def x_of(document) -> int:
    return document.pages[0].lines[0].words[0].polygon[0][0]


@pytest.fixture
def workspace(tmp_path: Path):
    made = PageWorkspace.open(shutil.copy(SAMPLE, tmp_path))
    yield made
    made.close(discard=True)


def ordered(workspace: PageWorkspace):
    return workspace.begin_save(copy_document(workspace.document))


def test_what_comes_while_a_save_runs_is_unsaved(workspace: PageWorkspace) -> None:
    move(workspace, 1)
    order = ordered(workspace)
    move(workspace, 2)
    workspace.finish_save(order, order.run())
    assert x_of(read(workspace.path).document) == 1
    assert workspace.dirty
    workspace.undo()
    assert not workspace.dirty
    workspace.redo()
    workspace.save()
    assert x_of(read(workspace.path).document) == 2


def test_a_saved_state_that_no_step_leads_to_any_more_is_no_clean_one(
    workspace: PageWorkspace,
) -> None:
    move(workspace, 1)
    order = ordered(workspace)
    workspace.undo()
    move(workspace, 3)
    workspace.finish_save(order, order.run())
    assert workspace.dirty
    workspace.undo()
    assert workspace.dirty
    workspace.save()
    assert not workspace.dirty


def test_a_save_that_fails_leaves_all_as_it_was(workspace: PageWorkspace, monkeypatch) -> None:
    from madcat_studio.workspace import saving

    move(workspace, 1)
    before = workspace.path.read_bytes()
    order = ordered(workspace)

    def refuse(*_: object, **__: object) -> None:
        raise WorldError("file.cannot-write", "no space", where=workspace.path)

    monkeypatch.setattr(saving, "save", refuse)
    with pytest.raises(WorldError):
        order.run()
    assert (workspace.path.read_bytes(), workspace.dirty) == (before, True)


def killed(workspace: PageWorkspace) -> PageWorkspace:
    workspace._journal._journal.close()
    return PageWorkspace.open(workspace.path)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_kill_while_a_save_runs_loses_nothing_and_asks_nothing(
    workspace: PageWorkspace, replaced: bool
) -> None:
    """Also in the moment after the file was replaced, when nobody has noted it yet."""
    move(workspace, 1)
    order = ordered(workspace)
    move(workspace, 2)
    if replaced:
        order.run()
    again = killed(workspace)
    assert again.recovery is not None
    assert (again.recovery.steps, again.recovery.conflict) == (1 if replaced else 2, False)
    again.recover()
    assert x_of(again.document) == 2
    again.undo()
    assert again.dirty != replaced
    again.close(discard=True)


def test_a_kill_just_after_the_file_was_replaced_leaves_nothing_unsaved(
    workspace: PageWorkspace,
) -> None:
    move(workspace, 1)
    ordered(workspace).run()
    again = killed(workspace)
    assert again.recovery is not None
    assert (again.recovery.steps, again.recovery.conflict) == (0, False)
    again.recover()
    assert (again.dirty, x_of(again.document)) == (False, 1)
    again.close()


def test_somebody_else_who_writes_after_the_kill_is_noticed(workspace: PageWorkspace) -> None:
    move(workspace, 1)
    ordered(workspace).run()
    workspace.path.write_bytes(workspace.path.read_bytes() + b"\n")
    again = killed(workspace)
    assert again.recovery is not None
    assert again.recovery.conflict
    again.close(discard=True)

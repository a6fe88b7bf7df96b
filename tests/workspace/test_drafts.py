"""What is begun and not finished: kept with the document, and after a crash."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from madcat_studio.edits import MoveVertex, Outline
from madcat_studio.workspace.drafts import WHOLE, Drafts, DraftStep
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_page_workspace import SAMPLE, journals

OUTLINE, LINK = (0, "polygon"), (WHOLE, "link")
MOVE = MoveVertex(Outline(0, 0, 0), 0, (1, 2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLE, tmp_path))


@pytest.fixture
def opened() -> Iterator[Callable[[Path], PageWorkspace]]:
    """Opens pages, and lets go of them at the end."""
    with ExitStack() as stack:

        def open_page(path: Path) -> PageWorkspace:
            workspace = PageWorkspace.open(path)
            stack.callback(workspace.close)
            return workspace

        yield open_page


def add(drafts: Drafts, *points: tuple[float, float]) -> None:
    for point in points:
        drafts.do(DraftStep(OUTLINE, "add", (point,)))


def test_points_are_taken_back_and_made_again_one_by_one_or_all_at_once() -> None:
    drafts = Drafts()
    add(drafts, (1, 1), (2, 2), (3, 3))
    drafts.do(DraftStep(OUTLINE, "back"))
    assert drafts.points(OUTLINE) == [(1, 1), (2, 2)]
    drafts.do(DraftStep(OUTLINE, "clear"))
    assert (drafts.points(OUTLINE), drafts.begun()) == ([], [])
    drafts.do(DraftStep(OUTLINE, "again"))
    assert drafts.points(OUTLINE) == [(1, 1), (2, 2)]
    drafts.do(DraftStep(OUTLINE, "again"))
    assert drafts.points(OUTLINE) == [(1, 1), (2, 2), (3, 3)]
    drafts.do(DraftStep(OUTLINE, "back"))
    add(drafts, (4, 4))
    assert not drafts.can_again(OUTLINE)


def test_what_was_edited_before_a_draft_is_made_again_before_it(opened, path: Path) -> None:
    workspace = opened(path)
    workspace.execute(MOVE)
    add(workspace.drafts, (1, 1))
    workspace.drafts.do(DraftStep(OUTLINE, "back"))
    assert workspace.drafts.can_again(OUTLINE)
    workspace.undo()
    assert not workspace.drafts.can_again(OUTLINE)
    workspace.redo()
    assert workspace.drafts.can_again(OUTLINE)
    workspace.execute(MOVE)
    assert not workspace.drafts.can_again(OUTLINE)


def left_by_a_crash(opened, path: Path, *, edited: bool, save: bool = False) -> PageWorkspace:
    workspace = opened(path)
    if edited:
        workspace.execute(MOVE)
    add(workspace.drafts, (1, 1), (2.5, 2))
    workspace.drafts.do(DraftStep(LINK, "set", value={"token": (0, 0, 0)}))
    if save:
        workspace.save()
    workspace._journal._journal.close()  # as a kill leaves it
    return opened(path)


@pytest.mark.parametrize(("edited", "save"), [(False, False), (True, False), (True, True)])
def test_what_was_begun_is_there_after_a_crash(
    opened, path: Path, edited: bool, save: bool
) -> None:
    for _ in range(2):  # the second time: what came back and was left again
        workspace = left_by_a_crash(opened, path, edited=edited, save=save)
        recovery = workspace.recovery
        assert recovery is not None
        assert (recovery.steps > 0, recovery.begun) == (edited and not save, 2)
        workspace.recover()
        assert workspace.drafts.begun() == [OUTLINE, LINK]
        assert workspace.drafts.points(OUTLINE) == [(1, 1), (2.5, 2)]
        assert list(workspace.drafts.value(LINK)["token"]) == [0, 0, 0]
        workspace.close(discard=True)
    assert journals() == []


def test_what_was_begun_stays_when_somebody_else_changed_the_file(opened, path: Path) -> None:
    left_by_a_crash(opened, path, edited=True).close()
    path.write_bytes(path.read_bytes() + b"\n")
    workspace = opened(path)
    assert workspace.recovery is not None
    assert workspace.recovery.conflict
    workspace.discard_recovery()
    assert (workspace.dirty, workspace.drafts.begun()) == (False, [OUTLINE, LINK])
    workspace.close()
    again = opened(path)
    assert again.recovery is not None
    assert (again.recovery.steps, again.recovery.conflict) == (0, False)
    again.recover()
    assert again.drafts.points(OUTLINE) == [(1, 1), (2.5, 2)]
    again.take_theirs()
    again.close()
    assert opened(path).recovery.begun == 2


def test_saving_under_another_name_keeps_what_is_begun(opened, path: Path, tmp_path: Path) -> None:
    workspace = opened(path)
    add(workspace.drafts, (1, 1))
    other = tmp_path / "other.madcat.xml"
    workspace.save_as(other)
    workspace.close()
    assert opened(path).recovery is None
    assert opened(other).recovery.begun == 1


@pytest.mark.long
def test_a_kill_leaves_either_the_draft_or_what_it_became(opened, path: Path) -> None:
    """One record: there is no moment between the end of a draft and its edit."""
    workspace = opened(path)
    add(workspace.drafts, (1, 1), (2, 2))
    with workspace.drafts.finishing(OUTLINE):
        workspace.execute(MOVE)
    assert workspace.drafts.begun() == []
    journal = workspace._journal._journal
    journal.close()
    whole = journal.path.read_bytes()
    for cut in range(whole.rindex(b"\n", 0, -1) + 1, len(whole) + 1):
        journal.path.write_bytes(whole[:cut])
        again = opened(path)
        again.recover()
        assert (again.drafts.begun(), again.position) in [([OUTLINE], 0), ([], 1)]
        assert (again.position == 1) == (cut == len(whole))
        again._journal._journal.close()
        journal = again._journal._journal


def test_an_edit_that_is_refused_leaves_the_draft(opened, path: Path) -> None:
    workspace = opened(path)
    add(workspace.drafts, (1, 1))
    workspace.frozen = "the page is released"
    with pytest.raises(Exception, match="released"), workspace.drafts.finishing(OUTLINE):
        workspace.execute(MOVE)
    workspace.frozen = ""
    workspace.execute(MOVE)  # of something else: it ends no draft
    assert workspace.drafts.begun() == [OUTLINE]


def test_what_the_second_of_two_sessions_left_is_found_when_the_first_ended_well(
    opened, path: Path
) -> None:
    first, second = opened(path), opened(path)
    for workspace in (first, second):
        workspace.execute(MOVE)
    first.close(discard=True)
    second.close()  # as a kill leaves it
    assert opened(path).recovery.steps == 1

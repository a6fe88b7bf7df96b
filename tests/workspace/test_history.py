"""The history that pages, kits and plans share, and what the plan makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from madcat_studio.model.campaign import Editor, Team
from madcat_studio.workspace.history import History
from madcat_studio.workspace.plan import PlanWorkspace
from tests.planning.test_draft import plan


@dataclass(frozen=True)
class Step:
    label: str


ONE, TWO, THREE = Step("one"), Step("two"), Step("three")


def history(*steps: Step) -> History[Step]:
    made = History[Step]()
    for step in steps:
        made.push(step)
    return made


def test_steps_come_back_in_reverse_and_again_in_order() -> None:
    made = history(ONE, TWO)
    assert (made.undo_label, made.redo_label) == ("two", "")
    assert [made.undo(), made.undo(), made.undo()] == [TWO, ONE, None]
    assert (made.undo_label, made.redo_label) == ("", "one")
    assert [made.redo(), made.redo(), made.redo()] == [ONE, TWO, None]
    assert list(made.done) == [ONE, TWO]


def test_labels_and_counts_hold_whether_steps_are_done_or_undone() -> None:
    made = history(ONE, TWO, THREE)
    made.undo()
    made.undo()
    assert (made.position, made.count) == (1, 3)
    assert [made.label(number) for number in (-1, 0, 1, 2, 3)] == ["", "one", "two", "three", ""]
    assert list(made.steps()) == [ONE, TWO, THREE]


def test_a_new_step_drops_what_was_undone() -> None:
    made = history(ONE, TWO)
    made.undo()
    made.push(THREE)
    assert list(made.steps()) == [ONE, THREE]
    assert made.redo() is None


def test_the_saved_state_is_clean_wherever_steps_lead_back_to_it() -> None:
    made = history()
    assert made.clean
    made.push(ONE)
    assert not made.clean
    made.mark_saved()
    made.push(TWO)
    assert (made.clean, made.saved) == (False, 1)
    made.undo()
    assert made.clean
    made.undo()
    assert not made.clean
    made.push(THREE)
    assert made.saved is None, "the saved state was among the steps that were dropped"
    assert not made.clean


def test_amending_replaces_the_last_step_and_what_was_saved_with_it() -> None:
    made = history(ONE, TWO)
    made.mark_saved()
    made.amend(THREE)
    assert (list(made.done), made.saved) == ([ONE, THREE], None)
    made = history(ONE, TWO)
    made.saved = 1
    made.undo()
    made.redo()
    made.amend(THREE)
    assert (list(made.done), made.saved) == ([ONE, THREE], 1)


def test_a_plan_is_undone_and_redone_and_modified_is_what_the_campaign_has_not() -> None:
    start = plan()
    work = PlanWorkspace(start)
    first = work.preview("the teams of K1", lambda draft: draft.with_team("K1", "T2", "T4"))
    assert work.draft == start, "a preview changes nothing"
    work.make(first)
    assert (work.draft, work.figures) == (first.draft, first.figures)
    assert (work.modified, work.undo_label, work.redo_label) == (True, "the teams of K1", "")
    work.undo()
    assert (work.draft, work.modified) == (start, False)
    assert (work.undo_label, work.redo_label) == ("", "the teams of K1")
    work.undo()
    work.redo()
    work.written()
    assert (work.draft, work.modified) == (first.draft, False)
    work.undo()
    assert work.modified


def test_people_of_the_campaign_come_into_every_step_of_a_plan() -> None:
    start = plan()
    work = PlanWorkspace(start)
    work.make(work.preview("the teams of K1", lambda draft: draft.with_team("K1", "T2", "T4")))
    work.undo()
    late = Team("T9", (Editor("t9a"), Editor("t9b")))
    read = replace(start, teams=(*start.teams, late))
    assert work.meet(read)
    assert not work.meet(read), "they are known now"
    assert work.draft.teams[-1] == late
    work.redo()
    assert work.draft.teams[-1] == late
    work.make(work.preview("again", lambda draft: draft.with_team("K1", "T4", "T2")))
    assert work.draft.teams[-1] == late

"""The plan in the window: dragged, refused, undone, proposed, accepted; its people and texts."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from operator import methodcaller
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel

from madcat_studio.formats.tables import read_table
from madcat_studio.gui.coordinator.choosedialog import ChooseDialog
from madcat_studio.gui.coordinator.differencepanel import difference_lines
from madcat_studio.gui.coordinator.planmodel import PlanModel
from madcat_studio.gui.coordinator.proposaldialog import Wish
from madcat_studio.model.campaign import Editor, Pass
from madcat_studio.operations.campaign.filling import add_system, create
from madcat_studio.operations.people.teams import add_editors
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.paths import resources
from madcat_studio.planning.difference import Moved, PlanDifference, Restaffed, difference_of
from madcat_studio.planning.pairs import Overlap
from madcat_studio.planning.units import KitRules, UnitKey
from madcat_studio.store import open_campaign
from madcat_studio.workspace.plan import PlanWorkspace
from tests.gui.helpers import can, label, run

DEMO = resources() / "demo"
_COPY = Qt.DropAction.CopyAction


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's plan, nobody at work; made once."""
    where = tmp_path_factory.mktemp("planned") / "campaign"
    create(str(where), corpus=DEMO / "corpus.tsv", documents=DEMO / "reference", name="Pilot")
    for name in ("juniper", "tamarisk"):
        add_system(str(where), name=name, outputs=DEMO / "systems" / f"{name}_1")
    import_plan(
        str(where),
        teams=DEMO / "teams.tsv",
        kits=DEMO / "kits.tsv",
        assignments=DEMO / "assignments.tsv",
    )
    return where


@pytest.fixture
def where(planned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(planned, tmp_path / "campaign"))


@pytest.fixture
def opened(make_window, qtbot, where: Path):
    """The plan view of the campaign."""
    window = make_window(None)
    window.open(str(where), view="plan")
    view = window.view("plan")
    qtbot.waitUntil(lambda: view.kits.state is not None)
    return view


def _drop(model: PlanModel, kit: int, unit: int, onto: object) -> None:
    """Drag a manuscript and let it fall."""
    data = model.mimeData([model.index(unit, 0, model.index(kit, 0))])
    model.dropMimeData(data, _COPY, -1, -1, onto)


@pytest.mark.long
def test_an_exchange_is_shown_made_undone_and_written(opened, qtbot, where: Path) -> None:
    kits, model = opened.kits, opened.kits.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    before = kits.state.draft
    one, other = before.kits[0], before.kits[3]
    assert one.units[0].passage == other.units[0].passage
    _drop(model, 0, 0, model.index(0, 0, model.index(3, 0)))
    qtbot.waitUntil(kits.effect.isVisible)
    assert kits.effect.preview.changes  # every figure that moves
    assert kits.state.draft is before
    QTest.keyClick(kits.effect.make, Qt.Key.Key_Return)
    assert kits.state.draft.kits[3].units[0] == one.units[0]
    assert opened.is_modified()
    assert label(opened, "plan.undo").startswith("&Undo: Exchange")
    run(opened, "plan.undo")
    assert kits.state.draft.kits == before.kits
    assert not opened.is_modified()
    run(opened, "plan.redo")
    run(opened, "plan.accept")
    qtbot.waitUntil(lambda: not opened.is_modified())
    with open_campaign(where) as campaign:
        items = {item.base for item in campaign.plans.kits()[3].items if item.system == "juniper"}
    assert items == set(one.units[0].documents)
    del tester


@pytest.mark.long
def test_what_a_rule_forbids_is_refused_with_its_reason(opened, qtbot) -> None:
    kits, model = opened.kits, opened.kits.model
    before = kits.state.draft
    _drop(model, 0, 0, model.index(1, 0))
    qtbot.waitUntil(kits.effect.isVisible)
    assert kits.effect.preview is None
    assert "would be in kit K2 twice" in kits.effect.refusal.text()
    assert kits.effect.make.isHidden()
    QTest.keyClick(kits.effect.leave, Qt.Key.Key_Escape)
    assert kits.effect.isHidden()
    assert kits.state.draft is before


@pytest.mark.long
def test_a_claimed_kit_says_why_it_stays_and_takes_nothing(opened, qtbot, where: Path) -> None:
    with open_campaign(where) as campaign:  # as another program does
        part = campaign.plans.assignments("K1")[0]
        campaign.claims.claim("K1", part.team, Pass.FIRST, part.first, "there")
    model = opened.kits.model
    kit = model.index(0, 0)
    qtbot.waitUntil(lambda: model.place(kit).kit.frozen)
    unit = model.index(0, 0, kit)
    assert not model.flags(unit) & Qt.ItemFlag.ItemIsDragEnabled
    assert "has been claimed" in unit.data(Qt.ItemDataRole.ToolTipRole)
    data = model.mimeData([model.index(0, 0, model.index(1, 0))])
    assert not model.canDropMimeData(data, _COPY, -1, -1, kit)
    opened.kits.tree.choose(unit)
    assert not can(opened, "plan.move")


@pytest.mark.long
def test_a_plan_that_cannot_be_is_told_with_the_rule_that_binds(opened, qtbot) -> None:
    before = opened.kits.state.draft
    wish = Wish(KitRules(100, 0.1), Overlap.WIDE, frozenset(), True, 1)
    opened.propose(wish)
    bar = opened.shell.message_bar
    qtbot.waitUntil(lambda: not opened.job.busy)
    qtbot.waitUntil(bar.isVisible)
    assert "a manuscript is never split" in bar.text.text()
    assert opened.kits.state.draft is before


@pytest.mark.long
def test_a_proposal_can_be_stopped(opened, qtbot) -> None:
    before = opened.kits.state.draft
    opened.propose(Wish(KitRules(), Overlap.WIDE, frozenset(), True, 1))
    assert opened.job.busy
    assert not can(opened, "plan.propose")
    opened.job.stop.click()
    assert not opened.job.busy
    qtbot.waitUntil(lambda: not opened.job._worker.busy)
    assert opened.kits.state.draft is before
    assert can(opened, "plan.propose")


@pytest.mark.long
def test_people_are_replaced_and_passes_get_dates(opened, qtbot, where: Path, monkeypatch) -> None:
    from madcat_studio.gui.coordinator import peopletab

    people = opened.people
    qtbot.waitUntil(lambda: people.model.rowCount() == 12)
    tester = QAbstractItemModelTester(
        people.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    add_editors(str(where), "T1", (Editor("new.one", "New One"),))
    qtbot.waitUntil(lambda: len(people._teams[0].editors) == 3)
    people.table.setCurrentIndex(people.model.index(0, people.model.FIRST))
    monkeypatch.setattr(QDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(
        peopletab.ReplaceDialog, "chosen", lambda dialog: ("new.one", dialog.editor.currentText())
    )
    people._replace.click()
    first = people.model.index(0, people.model.FIRST)
    qtbot.waitUntil(lambda: first.data().startswith("new.one"))
    due = datetime(2048, 3, 12, 12, tzinfo=UTC)
    asked = peopletab.DueDialog.chosen

    def chosen(dialog: peopletab.DueDialog) -> object:
        dialog.passes.setCurrentText("review")
        return (), asked(dialog)[1], due

    monkeypatch.setattr(peopletab.DueDialog, "chosen", chosen)
    people._due.click()
    cell = people.model.index(0, people.model.REVIEW_DUE)
    qtbot.waitUntil(lambda: cell.data().startswith("2048-03-12"))
    assert people.model.index(0, people.model.FIRST_DUE).data() == ""
    people.tree.setCurrentItem(people.tree.topLevelItem(1))
    people._away.click()
    qtbot.waitUntil(lambda: "T2" in people._absent)
    qtbot.waitUntil(lambda: not (people._writer.busy or people._reader.busy))
    del tester


@pytest.mark.long
def test_guidelines_have_versions_until_editing_begins(opened, qtbot, where: Path) -> None:
    tab = opened.guidelines
    opened.tabs.setCurrentWidget(tab)
    for number, text in enumerate(("Edit little.", "Edit **less**."), 1):
        qtbot.waitUntil(lambda: not (tab._reader.busy or tab._writer.busy))
        tab.text.setPlainText(text)
        assert opened.is_modified()
        tab.save.click()
        qtbot.waitUntil(lambda wanted=number: tab.list.count() == wanted)
    assert not opened.is_modified()
    tab.list.setCurrentRow(1)
    assert tab.text.toPlainText() == "Edit little."
    tab.list.setCurrentRow(0)
    assert "less" in tab.page.toPlainText()
    with open_campaign(where) as campaign:
        part = campaign.plans.assignments("K1")[0]
        campaign.claims.claim("K1", part.team, Pass.FIRST, part.first, "there")
    qtbot.waitUntil(tab.text.isReadOnly)
    assert "Editing has begun" in tab.said.text()


@pytest.mark.long
def test_units_keep_their_names_in_drags(opened) -> None:
    model = opened.kits.model
    unit = model.place(model.index(1, 0, model.index(0, 0))).unit
    data = model.mimeData([model.index(1, 0, model.index(0, 0))])
    assert model.dragged(data) == unit.key


def test_one_of_many_is_found_by_typing(qtbot) -> None:
    dialog = ChooseDialog("Move", "Into", ["K1 (600 words)", "K20 (610 words)", "K2 (590 words)"])
    qtbot.addWidget(dialog)
    assert dialog.chosen() == 0
    QTest.keyClicks(dialog.field, "k2")
    assert dialog.chosen() == 1
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    assert dialog.chosen() == 2
    QTest.keyClicks(dialog.field, "x")
    assert dialog.chosen() is None
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.result() != QDialog.DialogCode.Accepted  # there is nothing to take


@pytest.mark.long
def test_who_comes_in_meanwhile_is_there_though_the_plan_is_not_accepted(
    opened, qtbot, where: Path
) -> None:
    kits = opened.kits
    kit = kits.state.draft.kits[0]
    roles = methodcaller("with_roles_turned", kit.name, kit.teams[0])
    before = kits.state.draft
    waits = kits.state.preview("another", roles)
    kits.state.make(kits.state.preview("roles", roles))
    kits.show_state(kits.state)
    add_editors(str(where), "T9", [Editor("new.one", "New One"), Editor("new.two", "New Two")])
    qtbot.waitUntil(lambda: kits.side.teams.rowCount() == len(before.teams) + 1)
    assert kits.state.modified
    assert kits.state.figures.teams.loads["T9"] == 0
    kits.state.make(waits)
    assert kits.state.draft.teams[-1].name == "T9", "of a change thought of before, too"
    kits.undo()
    kits.undo()
    assert not kits.state.modified
    assert kits.state.draft.teams[-1].name == "T9"


@pytest.mark.long
def test_what_a_plan_has_otherwise_is_shown_until_it_is_accepted(opened, qtbot, where) -> None:
    kits, panel = opened.kits, opened.kits.side.difference
    assert panel.isHidden()
    before = kits.state.draft
    opened.propose(Wish(KitRules(), Overlap.WIDE, frozenset(), True, 1))
    qtbot.waitUntil(panel.isVisible, timeout=60_000)
    found = difference_of(before, kits.state.draft)
    assert found.moved or found.new or found.restaffed
    said = panel.lines.text()
    assert said == "\n".join(difference_lines(found))
    if found.new:
        assert said.startswith(f"{len(found.new)} new kit")
    assert panel.findChildren(QLabel)[2].text() == found.figures[0].name
    with open_campaign(where) as campaign:
        assert {kit.name for kit in campaign.plans.kits()} == {kit.name for kit in before.kits}
    run(opened, "plan.accept")
    qtbot.waitUntil(panel.isHidden)
    assert not opened.is_modified()


@pytest.mark.long
def test_a_first_plan_is_compared_with_nothing(opened) -> None:
    state = PlanWorkspace(replace(opened.kits.state.draft, kits=()))
    full = opened.kits.state.draft
    state.make(state.preview("proposal", lambda _: full))
    assert state.modified
    assert state.difference is None


def test_the_lines_of_a_difference_name_what_fits() -> None:
    moved = [Moved(UnitKey("maple", f"M{n}"), "K1", "K2") for n in range(9)]
    staff = [Restaffed("K3", ("red", "blue"), ("blue", "green")), Restaffed("K4", (), ("red",))]
    lines = difference_lines(
        PlanDifference(
            new=tuple(f"N{n}" for n in range(12)),
            gone=("K7",),
            moved=(*moved, Moved(UnitKey("maple", "x"), "", "K1")),
            restaffed=tuple(staff),
            figures=(),
        )
    )
    assert list(lines) == [
        "12 new kits: N0, N1, N2, N3, N4, N5, N6, N7, and 4 more",
        "1 kit gone: K7",
        "1 manuscript comes in",
        "9 manuscripts in another kit:",
        *(f"   M{n} of maple: K1 → K2" for n in range(6)),
        "   and 3 more",
        "2 kits with other teams or roles:",
        "   K3: red, blue → blue, green",
        "   K4: – → red",
    ]


@pytest.mark.long
def test_an_accepted_plan_is_saved_as_tables(opened, qtbot, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    run(opened, "plan.tables")
    qtbot.waitUntil(lambda: not opened.job.busy)
    kits = read_table(tmp_path / "kits.tsv", required=("kit", "system", "base"))
    assert {row["kit"] for row in kits.rows} == {kit.name for kit in opened.kits.state.draft.kits}
    assert (tmp_path / "assignments.tsv").is_file()

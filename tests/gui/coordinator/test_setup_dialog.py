"""The steps of setting a campaign up, and adding to one later."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLineEdit,
)

from madcat_studio.gui.coordinator.adddialog import AddSystemDialog
from madcat_studio.gui.coordinator.referencesdialog import ReferencesDialog
from madcat_studio.gui.coordinator.selectiondialog import SelectDialog
from madcat_studio.gui.coordinator.setupdialog import SetupDialog
from madcat_studio.gui.coordinator.setupediting import EditingStep
from madcat_studio.model.campaign import (
    CampaignDocument,
    CampaignSegment,
    DataSet,
    EarlierScore,
    System,
)
from madcat_studio.operations.campaign.filling import create
from madcat_studio.operations.campaign.options import EDITING, SPELLING_OPTION, check_options
from madcat_studio.operations.corpus.from_folders import sort_out
from madcat_studio.paths import resources
from madcat_studio.store import create_campaign, open_campaign

DEMO = resources() / "demo"


def test_a_dropped_folder_is_sorted_by_the_names_in_it() -> None:
    found = sort_out([DEMO])
    assert found.references == found.images == DEMO / "reference"  # the fullest, not `pages`
    assert ("tamarisk", DEMO / "systems" / "tamarisk_1") in found.outputs
    assert [name for name, _ in found.outputs].count(
        "juniper"
    ) == 3  # one of another track, one defective
    assert found.corpus == DEMO / "corpus.tsv"
    assert found.standoff == DEMO / "scribe_errors.standoff.tsv"
    assert found.earlier == DEMO / "earlier"
    assert found.sequestered is None  # that of the earlier phase is its own
    assert sort_out([DEMO / "nothing"]).references is None


@pytest.mark.long
def test_what_must_be_mended_keeps_the_campaign_from_being_made(
    make_window, qtbot, tmp_path: Path
) -> None:
    window = make_window(None)
    dialog = SetupDialog(window, window)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.next.isEnabled()
    dialog.take([DEMO / "reference", DEMO / "corpus.tsv", DEMO / "defective", DEMO / "systems"])
    qtbot.waitUntil(lambda: not dialog.job.busy)
    where = tmp_path / "campaign"
    dialog.files.where.field.setText(str(where))
    for _ in range(3):
        dialog.next.click()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    table = dialog.findings.table
    assert table.model().index(0, 0).data() == "must be mended"
    assert "Two systems have this name" in dialog.findings.detail.text()
    assert not dialog.next.isEnabled()
    dialog.findings._copy.click()
    assert "output.system-twice" in QApplication.clipboard().text()
    for _ in range(3):
        dialog.back.click()
    dialog.files.systems.table.selectRow(0)
    dialog.files.systems.remove()
    create_campaign(where, "Another").close()
    for _ in range(3):
        dialog.next.click()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "There is already a campaign here" in dialog.findings.detail.text()
    dialog.back.click()
    dialog.editing.dictionary.setCurrentText("Klingon?")
    dialog.files.where.field.setText(str(tmp_path / "other"))
    dialog.next.click()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "editing.spelling cannot be 'Klingon?'" in dialog.findings.detail.text()
    dialog.reject()


def test_what_editors_see_can_be_set_for_every_option_that_there_is(qtbot) -> None:
    step = EditingStep()
    qtbot.addWidget(step)
    assert {*step.switches} == {*EDITING}
    # As a campaign that is made by a command: with the coach, and the spelling left open.
    assert step.options() == dict.fromkeys(EDITING, False) | {"editing.coach": True}
    for written, name in (
        ("American English", "en_US"),
        ("British English", "en_GB"),
        ("Spelling is not marked", "off"),
        (" de_DE ", "de_DE"),
    ):
        step.dictionary.setCurrentText(written)
        assert step.options()[SPELLING_OPTION] == name
        check_options(step.options())
    for name, box in step.switches.items():
        box.setChecked(not box.isChecked())
        assert step.options()[name] is (name != "editing.coach")
    assert "Record only the times" in step.told()


def places(dialog: SetupDialog) -> dict[str, tuple[int, int, int, int]]:
    """Where everything stands that somebody may point at."""
    found = {}
    for kind in (QLineEdit, QAbstractButton, QAbstractItemView):
        for number, widget in enumerate(dialog.findChildren(kind)):
            # Of what belongs to another widget its owner tells the place.
            if widget.isVisible() and not isinstance(widget.parent(), QAbstractScrollArea):
                at = widget.mapTo(dialog, QPoint())
                name = f"{kind.__name__} {number} {widget.accessibleName()}"
                found[name] = (at.x(), at.y(), widget.width(), widget.height())
    return found


@pytest.mark.long
@pytest.mark.usefixtures("few_simulations")
@pytest.mark.parametrize("size", [(940, 660), (1280, 720)])
def test_nothing_moves_while_a_campaign_is_set_up(
    make_window, qtbot, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Hints and bars come and go; what is pointed at stays where it is."""
    dialog = SetupDialog(window := make_window(None), window)
    qtbot.addWidget(dialog)
    dialog.resize(*size)
    dialog.show()

    def settled() -> dict[str, tuple[int, int, int, int]]:
        qtbot.waitUntil(lambda: not dialog.job.busy)
        QApplication.processEvents()
        return places(dialog)

    def stays(before: dict[str, tuple[int, int, int, int]]) -> None:
        now = places(dialog)
        assert {name: now[name] for name in before.keys() & now.keys()} == {
            name: before[name] for name in before.keys() & now.keys()
        }

    before = settled()
    assert dialog._said.isVisible()
    assert len(before) > 8
    for field, text in (
        (dialog.files.references.field, str(DEMO / "reference")),
        (dialog.files.images.field, str(DEMO / "reference")),
        (dialog.files.name, ""),
        (dialog.files.name, "Pilot"),
        (dialog.files.where.field, str(tmp_path / "campaign")),
    ):
        field.setText(text)
        QApplication.processEvents()
        stays(before)
    assert not dialog._said.isVisible()
    dialog.take([DEMO])
    QApplication.processEvents()
    stays(before)  # while the bar is seen
    settled()
    stays(before)
    for _ in ("defective", "of another track", "of another track"):
        dialog.files.systems.table.selectRow(0)
        dialog.files.systems.remove()
    dialog.next.click()
    before = settled()
    for row in (*dialog.lists.rows.values(), dialog.lists.earlier):
        row.field.setText(str(tmp_path))
        QApplication.processEvents()
        stays(before)
        row.field.setText("")
    for row in dialog.lists.rows.values():
        row.field.clear()
    dialog.take([DEMO / "corpus.tsv", DEMO / "teams.tsv", DEMO / "earlier"])
    settled()
    stays(before)
    dialog.next.click()
    before = settled()
    for box in dialog.editing.switches.values():
        box.setChecked(not box.isChecked())
        QApplication.processEvents()
        stays(before)
    dialog.editing.dictionary.setCurrentText("British English")
    QApplication.processEvents()
    stays(before)
    dialog.next.click()
    QApplication.processEvents()
    before = places(dialog)  # while it is being examined
    found = settled()
    buttons = {name for name in before if "Button" in name} & found.keys()
    assert {name: found[name] for name in buttons} == {name: before[name] for name in buttons}
    dialog.next.click()
    before = settled()
    assert dialog.stack.currentWidget() is dialog.summary
    for field in dialog.summary.lock.findChildren(QLineEdit):
        field.setText("open sesame")
        QApplication.processEvents()
        stays(before)
    answer = dialog.summary.cost.answer
    qtbot.waitUntil(lambda: answer.text() != "Calculating …", timeout=60_000)
    stays(before)
    dialog.reject()


@pytest.mark.long
def test_a_system_is_added_later_with_what_it_lacks_told(
    make_window, qtbot, tmp_path: Path
) -> None:
    where = tmp_path / "campaign"
    create(str(where), corpus=DEMO / "corpus.tsv", documents=DEMO / "reference")
    window = make_window(None)
    dialog = AddSystemDialog(window, str(where), window)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.start.isEnabled()
    dialog.folder.show_path(DEMO / "systems" / "tamarisk_1")
    assert dialog.name.text() == "tamarisk"
    dialog.start.click()
    qtbot.waitUntil(lambda: dialog.findings.isVisible())
    assert "12 documents of system tamarisk added" in dialog.findings.sentence.text()
    assert dialog.findings.table.rows.rowCount() == 1  # one empty segment
    dialog.leave.click()
    assert dialog.result() == QDialog.DialogCode.Accepted

    # A reference changed since: what follows is said, and only then is it taken in.
    refs = Path(shutil.copytree(DEMO / "reference", tmp_path / "refs"))
    file = refs / "DEMO_ARB_20480101.0001_1_SCR0001.madcat.xml"
    file.write_text(file.read_text(encoding="utf-8").replace(" the ", " The ", 1), encoding="utf-8")
    changed = ReferencesDialog(window, str(where), window)
    qtbot.addWidget(changed)
    changed.show()
    changed.folder.show_path(refs)
    changed.compare()
    qtbot.waitUntil(lambda: changed.table.rows.rowCount() == 1)
    assert "1 changed; 1 of them may be replaced" in changed.said.text()
    assert "the outputs of tamarisk stay" in changed.detail.toPlainText()
    changed.take.click()
    qtbot.waitUntil(lambda: changed.result() == QDialog.DialogCode.Accepted)
    with open_campaign(where) as campaign:
        assert campaign.audit_trail()[0].action == "replace reference"


@pytest.mark.long
def test_passages_are_selected_drawn_and_kept(make_window, qtbot, tmp_path: Path) -> None:
    where = tmp_path / "campaign"
    with create_campaign(where, "One") as campaign, campaign.transaction():
        scores = []
        for number in range(20):
            base, passage = f"D{number}_1_S1", f"p{number}"
            campaign.contents.add_document(
                CampaignDocument(base, base, passage, passage, "1", "S1", "exposed",
                                 DataSet.CONTROL, "", "web", ""),
                b"<madcat/>",
                [CampaignSegment("s1", "1", "نص", "A text.", 1, 2)],
                None,
            )  # fmt: skip
            scores.append(EarlierScore("old", base, passage, number, 20))
        campaign.contents.add_system(System("old", "X1", earlier=True))
        for score in scores:
            campaign.contents.add_output("old", score.base, b"<out/>", {"s1": "Texts."})
        campaign.earlier.add_scores(scores)
    window = make_window(None)
    dialog = SelectDialog(window, str(where), window)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.keep.isEnabled()
    dialog.count.setValue(50)
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "has only 20 passages, fewer than the 50 to choose" in dialog.said.text()
    dialog.count.setValue(5)
    dialog.start()
    qtbot.waitUntil(lambda: dialog.selected is not None)
    assert dialog.passages.rows.rowCount() == 5
    assert "5 passages" in dialog.drawing.accessibleDescription()
    assert dialog.match.rows.rowCount() == 2  # all, and the one genre
    dialog.keep.click()
    qtbot.waitUntil(lambda: dialog.result() == QDialog.DialogCode.Accepted)
    with open_campaign(where) as campaign:
        assert len(campaign.selections.chosen()[DataSet.CONTROL]) == 5

"""A corpus in the window: begun, assigned, changed, undone, saved, given out, ticked off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox

from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats.tables import read_table
from madcat_studio.gui.corpus import view as module
from madcat_studio.gui.corpus.choosedialog import ChooseDialog
from madcat_studio.gui.corpus.orderdialog import OrderDialog, OrderWish
from madcat_studio.gui.corpus.view import CorpusView
from madcat_studio.gui.views import LocationKind, kind_of
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.operations.planning.corpus import read_corpus
from madcat_studio.progress import Cancelled
from tests.gui.helpers import can, run


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    lines = ["passage\tsource_document\tgenre\ttokens\ttext"]
    for number in range(20):
        genre = "newswire" if number % 2 else "web"
        lines.append(f"p{number}\tDOC.{number:04}\t{genre}\t{120 + number}\tكتب الولد")
    (tmp_path / "passages.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    people = ["scribe\texposure", *(f"SCR{n}\t{'un' * (n % 2)}exposed" for n in range(1, 7))]
    (tmp_path / "scribes.tsv").write_text("\n".join(people) + "\n", "utf-8")
    return tmp_path


def wish(tables: Path, **other: Any) -> OrderWish:
    given: dict[str, Any] = {"training_scribes": None, "quotas": None, "data_set": "evaluation"}
    given |= {"track": "go-no-go", "copies": None, "seed": 1, **other}
    return OrderWish(tables / "passages.tsv", tables / "scribes.tsv", **given)


@pytest.fixture
def view(make_window, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch) -> CorpusView:
    """The view with a corpus that was begun from the tables."""
    window = make_window(None)
    window.show_view("corpus")
    shown = window.view("corpus")
    shown.make(wish(tables))
    settled(shown, qtbot)
    yield shown
    # What a test leaves unsaved is left without a question.
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)


def settled(view: CorpusView, qtbot) -> None:
    qtbot.waitUntil(lambda: not view.job.busy, timeout=30_000)


def assigned(view: CorpusView, qtbot) -> None:
    run(view, "corpus.assign")
    settled(view, qtbot)


def quota(view: CorpusView, factor: str, level: str = "") -> tuple[object, ...]:
    rows = view.quotas.table.rows
    for row in range(rows.rowCount()):
        if (rows.value(row, "factor"), rows.value(row, "level")) == (factor, level):
            return tuple(rows.value(row, key) for key in ("target", "actual", "missing", "remedy"))
    raise AssertionError(factor)


def row_of(view: CorpusView, factor: str, level: str) -> int:
    rows = view.quotas.table.rows
    return next(
        row
        for row in range(rows.rowCount())
        if (rows.value(row, "factor"), rows.value(row, "level")) == (factor, level)
    )


def said(view: CorpusView) -> str:
    return view.shell.message_bar.text()


def test_an_empty_view_says_what_would_be_here_and_offers_a_way(make_window) -> None:
    window = make_window(None)
    window.show_view("corpus")
    shown = window.view("corpus")
    assert shown.screens.currentWidget() is shown.empty
    assert can(shown, "corpus.new")
    assert can(shown, "corpus.open")
    for action in ("save", "assign", "undo", "target", "sheets", "arrivals", "again", "export"):
        assert not can(shown, f"corpus.{action}")


def test_quotas_stand_before_and_after_scribes_are_assigned(view: CorpusView, qtbot) -> None:
    assert quota(view, "scribes") == (24, 6, 18, "add 18 scribes")
    assert quota(view, "copies") == (20, 0, 20, "have 20 passages copied by more scribes")
    assert "No scribes are assigned yet" in view.told.text()
    assert "All quotas are kept" not in view.told.text()
    assert view.scribes.said.text() == "No scribes are assigned yet."
    assigned(view, qtbot)
    assert quota(view, "copies") == (20, 20, 0, "")
    assert quota(view, "implement", "pencil") == (6, 6, 0, "")
    assert quota(view, "passages", "web") == (80, 10, 70, "add 70 passages of web")
    assert "share 60 of at most 60 passages (each pair counts up to 4)" in view.told.text()
    assert "no assignment has more." in view.told.text()
    assert "4 quotas are missed." in view.told.text()
    assert view.scribes.table.rows.rowCount() == 6
    assert view.copies.table.rows.rowCount() == 60
    assert view.overlap.map.matrix.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == (
        "SCR1 and SCR2: 4 passages shared"
    )
    view.copies.filter.setText("pencil SCR3")
    assert 0 < view.copies.table.proxy.rowCount() < 10


@pytest.mark.long
def test_it_is_saved_opened_again_and_a_campaign_starts_from_it(
    view: CorpusView, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert view.is_modified()
    assigned(view, qtbot)
    out = tables / "Evaluation 1"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    assert not can(view, "corpus.campaign")
    run(view, "corpus.save")
    settled(view, qtbot)
    assert not view.is_modified()
    assert view.title() == "Evaluation 1 – corpus"
    assert kind_of(str(out)) is LocationKind.CORPUS
    rows = read_table(out / "corpus.tsv", required=CORPUS_COLUMNS).rows
    assert len(rows) == 60
    before = view.state.plan
    assert read_corpus(out) == (before.order, before)
    started: list[Path] = []
    monkeypatch.setattr(
        "madcat_studio.gui.coordinator.setupdialog.set_up",
        lambda shell, parent, places: started.extend(places),
    )
    run(view, "corpus.campaign")
    assert started == [out]
    view.shell.open(str(out))
    settled(view, qtbot)
    assert view.state.plan == before
    assert view.state.undo_label == ""


def test_a_target_is_changed_by_key_and_taken_back(
    view: CorpusView, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assigned(view, qtbot)
    asked: list[tuple[str, float]] = []

    def answer(_parent, _title, label, value, *_) -> tuple[float, bool]:
        asked.append((label, value))
        return 20.0, True

    monkeypatch.setattr(QInputDialog, "getDouble", answer)
    view.quotas.table.choose(row_of(view, "implement", "pencil"))
    QTest.keyClick(view.quotas.table, Qt.Key.Key_Return)
    assert asked == [
        ("Percent of all copies for implement pencil; the others make up the rest", 10.0)
    ]
    assert quota(view, "implement", "pencil") == (12, 6, 6, "have 6 copies made pencil instead")
    assert quota(view, "implement", "ink") == (48, 54, 0, "")
    assert view.caution.isVisibleTo(view)
    assert view.undo_label == "change the quota of implement pencil"
    run(view, "corpus.undo")
    assert quota(view, "implement", "pencil") == (6, 6, 0, "")
    assert not view.caution.isVisibleTo(view)
    run(view, "corpus.redo")
    assigned(view, qtbot)
    assert quota(view, "implement", "pencil") == (12, 12, 0, "")
    assert not view.caution.isVisibleTo(view)
    for _ in range(3):
        run(view, "corpus.undo")
    assert view.state.plan is None
    assert not can(view, "corpus.undo")


def test_a_quota_that_cannot_be_met_is_told_and_nothing_changes(
    view: CorpusView, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[BaseException] = []
    monkeypatch.setattr(view.shell, "show_error", shown.append)
    monkeypatch.setattr(QInputDialog, "getDouble", lambda *_: (7.0, True))
    view.quotas.table.choose(row_of(view, "copies", ""))
    run(view, "corpus.target")
    assigned(view, qtbot)
    (error,) = shown
    assert isinstance(error, InputError)
    assert error.code == "scribes.too-few"
    assert "there are 6: 1 too few" in str(error)
    assert view.state.plan is None
    assert view.undo_label == "change the quota of copies"


def test_work_can_be_stopped(view: CorpusView, qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []

    def never(_order, *, progress):
        progress.advance(1, 2)
        begun.append(True)
        while not progress.cancelled():
            pass
        raise Cancelled

    monkeypatch.setattr(module, "plan_corpus", never)
    run(view, "corpus.assign")
    qtbot.waitUntil(lambda: bool(begun))
    assert not can(view, "corpus.assign")
    view.job.stop.click()
    settled(view, qtbot)
    assert view.state.plan is None
    assert can(view, "corpus.assign")


@pytest.mark.long
def test_sheets_are_written_for_each_scribe(
    view: CorpusView, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assigned(view, qtbot)
    out = tables / "sheets"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    run(view, "corpus.sheets")
    settled(view, qtbot)
    assert sorted(file.name for file in out.iterdir()) == [f"SCR{n}.pdf" for n in range(1, 7)]
    assert all(file.read_bytes().startswith(b"%PDF") for file in out.iterdir())


@pytest.mark.long
def test_what_has_come_in_is_ticked_off_by_scribe(
    view: CorpusView, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assigned(view, qtbot)
    scans = tables / "scans"
    (scans / "monday").mkdir(parents=True)
    bases = [one.base for one in view.state.plan.manuscripts]
    for base in bases[:58]:
        (scans / "monday" / f"{base}.tif").write_bytes(b"")
    (scans / "notes.txt").write_text("?", "utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(scans))
    run(view, "corpus.arrivals")
    settled(view, qtbot)
    assert view.tabs.currentWidget() is view.scribes
    rows = view.scribes.table.rows
    left = {
        rows.value(row, "scribe"): rows.value(row, "which")
        for row in range(rows.rowCount())
        if rows.value(row, "missing")
    }
    expected: dict[str, list[str]] = {}
    for base in bases[58:]:
        expected.setdefault(base.rpartition("_")[2], []).append(base)
    assert left == {scribe: ", ".join(own) for scribe, own in expected.items()}
    assert sum(rows.value(row, "arrived") for row in range(6)) == 58
    (scans / f"{bases[58]}.second.tif").write_bytes(b"")
    run(view, "corpus.again")
    settled(view, qtbot)
    assert sum(rows.value(row, "arrived") for row in range(6)) == 59
    files = [view.copies.table.rows.value(row, "file") for row in range(60)]
    assert files[58:] == [f"{bases[58]}.second.tif", None]
    # Another assignment has other copies: nothing of it has come in that is known.
    run(view, "corpus.undo")
    run(view, "corpus.redo")
    assert view.scribes.table.rows.value(0, "arrived") is None


def test_the_report_is_a_page_with_its_tables(
    view: CorpusView, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assigned(view, qtbot)
    out = tables / "report"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    run(view, "corpus.export")
    settled(view, qtbot)
    page = (out / "corpus.html").read_text("utf-8")
    assert "60 of 60 shared passages over pairs of scribes: no assignment has more" in page
    assert "add 70 passages of web" in page
    assert "Kept: 10 of 14 quotas" in page
    names = {file.name for file in out.iterdir()}
    assert names == {"corpus.html", "quotas.csv", "overlap.csv", "scribes.csv", "copies.csv"}
    assert len((out / "copies.csv").read_text("utf-8-sig").splitlines()) == 61


def test_other_passages_are_chosen_and_taken_back(view: CorpusView, qtbot, tables: Path) -> None:
    assigned(view, qtbot)
    dialog = ChooseDialog(view.shell, view)
    assert not dialog.choose.isEnabled()
    dialog.candidates.field.setText(str(tables / "passages.tsv"))
    dialog.count.setValue(9)
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    # Of 20 passages with 120 to 139 tokens, 9 of each genre have up to 137.
    assert dialog.chosen is not None
    assert "20 candidates, 18 can be chosen: 2 are shorter or longer." in dialog.said.text()
    dialog.count.setValue(10)
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.chosen is None
    assert not dialog.take.isEnabled()
    assert (
        "10 passages of newswire are wanted but only 9 can be chosen: 1 too few"
        in dialog.said.text()
    )
    dialog.count.setValue(9)
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    dialog.take.click()
    view.take_passages(dialog.chosen.passages)
    dialog.deleteLater()
    assert len(view.state.order.passages) == 18
    assert view.state.plan is None
    assert quota(view, "tokens") == (18, 18, 0, "")
    run(view, "corpus.undo")
    assert len(view.state.order.passages) == 20
    assert view.state.plan is not None


def test_the_dialog_asks_for_both_tables(qtbot, tables: Path) -> None:
    dialog = OrderDialog()
    qtbot.addWidget(dialog)
    assert dialog.wish() is None
    assert not dialog.start.isEnabled()
    dialog.passages.field.setText(str(tables / "passages.tsv"))
    assert not dialog.start.isEnabled()
    dialog.scribes.field.setText(str(tables / "scribes.tsv"))
    assert dialog.start.isEnabled()
    dialog.track.setText(" go-no-go ")
    assert dialog.wish() == wish(tables)
    dialog.copies.setValue(2)
    assert dialog.wish() == wish(tables, copies=2)


def test_a_bad_table_is_told_and_what_is_open_stays(
    view: CorpusView, qtbot, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[StudioError] = []
    monkeypatch.setattr(view.shell, "show_error", shown.append)
    before = view.state
    (tables / "scribes.tsv").write_text("scribe\texposure\nA\texposed\nB\t\n", "utf-8")
    view.make(wish(tables))
    settled(view, qtbot)
    assert [error.code for error in shown] == ["corpus.no-exposure"]
    assert view.state is before
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    view.open_location(str(tables), {})
    assert len(shown) == 1
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    (tables / "corpus_order.json").write_text("{}", "utf-8")
    view.open_location(str(tables), {})
    settled(view, qtbot)
    assert [error.code for error in shown[1:]] == ["corpus.order"]
    assert view.state is before


def test_it_is_heard(view: CorpusView, qtbot) -> None:
    assigned(view, qtbot)
    names = [
        QAccessible.queryAccessibleInterface(one).text(QAccessible.Text.Name)
        for one in (
            view.quotas.table,
            view.scribes.table,
            view.copies.table,
            view.overlap.map,
            view.quotas.filter,
        )
    ]
    assert names == [
        *("Quotas", "Scribes", "Copies"),
        *("Passages that pairs of scribes share", "Filter the rows"),
    ]

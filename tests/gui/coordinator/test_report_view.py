"""The report in the window: the report's own numbers, sorted, filtered, exported, opened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QPoint, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton

from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.gui.coordinator.tablemodel import ReportTableModel, ReportTableProxy
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.theme import DARK, LIGHT
from madcat_studio.model.campaign import Pass
from madcat_studio.operations.scores.report import Format, write_campaign_report
from madcat_studio.reports.tables import CellKind, Column
from madcat_studio.reports.verdict import Standing
from madcat_studio.scoring.resampling import Interval
from madcat_ter.hter import Denominator
from tests.gui.campaigns import CHANGES, finish
from tests.gui.helpers import can, run


def names(view) -> list[str]:
    return [table.name for table in view._scored.tables]


def show(view, name: str) -> None:
    view.tables.setCurrentRow(names(view).index(name))


def shown_column(view, key: str) -> list[object]:
    rows = range(view.proxy.rowCount())
    return [
        view.model.value(view.proxy.mapToSource(view.proxy.index(row, 0)).row(), key)
        for row in rows
    ]


def test_the_model_and_its_proxy_are_sound(qapp) -> None:
    model, proxy = ReportTableModel(), ReportTableProxy()
    proxy.setSourceModel(model)
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = QAbstractItemModelTester(model, fatal), QAbstractItemModelTester(proxy, fatal)
    columns = (
        Column("name", "Name", CellKind.TEXT),
        Column("rate", "Rate", CellKind.RATE),
        Column("late", "Late", CellKind.FLAG),
    )
    rows = (("b", 0.1, True), ("a", None, False), ("C", 1.5, True), ("d", "n/a", False))
    model.show_table(columns, rows)
    proxy.sort(1, Qt.SortOrder.AscendingOrder)
    assert [proxy.index(row, 0).data() for row in range(4)] == ["a", "b", "C", "d"]
    proxy.sort(0, Qt.SortOrder.DescendingOrder)
    assert [proxy.index(row, 0).data() for row in range(4)] == ["d", "C", "b", "a"]
    proxy.filter_by("YES c")
    assert proxy.rowCount() == 1
    assert proxy.index(0, 1).data().startswith("150.00")
    proxy.filter_by("")
    model.show_table((), ())
    assert proxy.rowCount() == 0
    del testers


def test_the_numbers_are_those_of_the_json_report(report, campaign: Path, tmp_path: Path) -> None:
    view = report()
    (file,), _ = write_campaign_report(campaign, tmp_path / "out", formats=[Format.JSON])
    tables = {table["name"]: table for table in json.loads(file.read_text("utf-8"))["tables"]}
    assert names(view) == list(tables)
    for name in ("systems", "segments", "by-kit"):
        show(view, name)
        for key in ("edits", "words", "hter"):
            assert shown_column(view, key) == [row[key] for row in tables[name]["rows"]], name


def test_the_same_table_stays_where_others_go(report) -> None:
    view = report()
    show(view, "by-kit")
    left = tuple(table for table in view._scored.tables if table.name != "agreement")
    view._show(replace(view._scored, tables=left))
    assert names(view)[view.tables.currentRow()] == "by-kit"
    assert shown_column(view, "kit") == ["K1"]


@pytest.mark.long
def test_what_is_not_final_is_called_preliminary(report, qtbot, campaign: Path) -> None:
    view = report()
    assert view.caution.isVisible()
    assert "one team only" in view.caution.text()
    finish(campaign, "blue", Pass.REVIEW, "blue2", {})
    run(view, "report.refresh")
    qtbot.waitUntil(lambda: view.ready and not view.caution.isVisible())


def test_the_verdict_is_what_is_read_first(report, qtbot) -> None:
    view = report()
    panel = view.parts.verdict
    assert view.tables.currentRow() == 0
    assert panel.isVisible()
    assert not can(view, "report.filter")
    verdict = view._scored.verdict
    said = [label.text() for label in panel.findChildren(QLabel)]
    for one in verdict.standings:
        assert {f"{one.place}.", one.system, one.figures} <= set(said)
    for duel in verdict.duels:
        assert duel.sentence in said
    assert len(panel.findChildren(AlignmentView)) == len(verdict.lines) > 0
    drawn = [one._alignment.text for one in panel.findChildren(AlignmentView)]
    assert drawn == [line.final for line in verdict.lines]
    # The handwriting comes with the pictures.
    qtbot.waitUntil(lambda: bool(view.pictures.pictures))
    line = verdict.lines[0]
    [label] = panel._handwriting[line.document, line.segment]
    assert label.isVisible() == (not label.pixmap().isNull())


def test_a_line_that_is_bad_in_two_systems_shows_its_handwriting_twice(report) -> None:
    view = report()
    panel, verdict = view.parts.verdict, view._scored.verdict
    line = verdict.lines[0]
    other = replace(line, system="another")
    panel.show_verdict(replace(verdict, lines=(line, other)))
    png = QByteArray()
    buffer = QBuffer(png)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    drawn = QImage(30, 20, QImage.Format.Format_RGB32)
    drawn.fill(Qt.GlobalColor.white)
    assert drawn.save(buffer, "PNG")
    address = f"data:image/png;base64,{bytes(png.toBase64().data()).decode()}"
    panel.show_handwriting({(line.document, line.segment): address})
    pictures = [
        one
        for one in panel.findChildren(QLabel)
        if one.accessibleName() == "The handwriting of this segment"
    ]
    assert [one.pixmap().width() for one in pictures] == [30, 30]


def test_an_interval_is_not_parted_by_the_mark_of_its_decimals(report, spoken) -> None:
    view = report()
    standing = Standing("maple", 1, 1, 0.131, Interval(0.131, 0.098, 0.1702), 6)
    verdict = replace(view._scored.verdict, standings=(standing,))
    told = {}
    for language in ("en", "ar", "es", "fr"):
        spoken(language)
        view.parts.verdict.show_verdict(verdict)
        shown = [label.text() for label in view.parts.verdict.widget().findChildren(QLabel)]
        told[language] = [text.replace("\u202f", " ") for text in shown if text.endswith("]")]
    assert told == {
        "en": ["13.1 % [9.8 %, 17.0 %]"],
        "ar": ["١٣٫١ % [٩٫٨ %, ١٧٫٠ %]"],
        "es": ["13,1 % [9,8 %; 17,0 %]"],
        "fr": ["13,1 % [9,8 %\u00a0; 17,0 %]"],
    }


def test_a_line_of_the_verdict_leads_to_its_segment(report, monkeypatch) -> None:
    view = report()
    opened: list[dict[str, str]] = []
    monkeypatch.setattr(SegmentDialog, "exec", lambda self: opened.append(self._target))
    line = view._scored.verdict.lines[0]
    button = view.parts.verdict.findChildren(QPushButton)[0]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [{"system": line.system, "document": line.document, "segment": line.segment}]


@pytest.mark.parametrize("width", [700, 1280, 1800])
def test_the_whole_signature_is_in_sight(report, width: int) -> None:
    view = report()
    view.window().resize(width, 720)
    QApplication.processEvents()
    line = view.signature
    lines = line.document().size().height()
    assert lines > 1 or width > 1500
    assert line.viewport().height() >= lines * line.fontMetrics().lineSpacing()
    assert not line.verticalScrollBar().maximum()
    assert line.text() == view._scored.signatures["chosen"]
    line.selectAll()
    line.copy()
    assert QApplication.clipboard().text() == line.text()


def test_rows_are_sorted_by_value_and_filtered_by_words(report) -> None:
    view = report()
    show(view, "segments")
    column = [column.key for column in view._scored.tables[view.tables.currentRow()].columns].index(
        "edits"
    )
    header = view.table.horizontalHeader()
    view.table.horizontalScrollBar().setValue(header.sectionPosition(column))
    place = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    edits = shown_column(view, "edits")
    assert edits == sorted(edits)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert shown_column(view, "edits") == sorted(edits, reverse=True)
    run(view, "report.filter")
    QTest.keyClicks(view.filter, "S3")
    assert shown_column(view, "segment") == ["s3"]


@pytest.mark.long
def test_the_denominator_can_be_changed(report, qtbot) -> None:
    view = report()
    show(view, "systems")
    before = shown_column(view, "words")
    view.denominator.setFocus()
    QTest.keyClick(view.denominator, Qt.Key.Key_Down)
    qtbot.waitUntil(
        lambda: view._scored.denominator is Denominator.REFERENCE and view.table.isVisible()
    )
    assert view.tables.currentRow() == names(view).index("systems")
    assert "denominator:reference" in view.signature.text()
    assert shown_column(view, "words") != before


@pytest.mark.long
def test_everything_is_exported(report, qtbot, tmp_path: Path) -> None:
    view = report()
    told: list[str] = []
    view.shell.messages.posted.connect(lambda message: told.append(message.text))
    view.export(tmp_path / "report")
    qtbot.waitUntil(lambda: bool(told))
    kinds = {file.suffix for file in (tmp_path / "report").iterdir()}
    assert kinds == {".html", ".xlsx", ".csv", ".json", ".svg", ".pdf"}
    assert str(tmp_path / "report") in told[0]


@pytest.mark.long
def test_the_pictures_of_the_report_are_drawn_in_the_colours_of_the_theme(report, qtbot) -> None:
    view = report()
    show(view, "systems")
    assert can(view, "report.filter")
    view.window().commands.named("report.pictures").trigger()
    assert view.pictures.isVisible()
    assert not can(view, "report.filter")
    assert not can(view, "report.open-segment")
    qtbot.waitUntil(lambda: bool(view.pictures.pictures))
    names = [picture.accessibleName() for picture in view.pictures.pictures]
    assert names[:2] == ["Systems", "Distribution"]
    seen = []
    for colours in (LIGHT, DARK):
        view.pictures.apply_theme(colours)
        picture = view.pictures.pictures[0]
        drawn = picture._renderer.defaultSize()
        assert abs(picture.height() / picture.width() - drawn.height() / drawn.width()) < 0.01
        image = picture.grab().toImage()
        found = {
            image.pixelColor(x, y).name()
            for x in range(0, image.width(), 2)
            for y in range(0, image.height(), 2)
        }
        seen.append(sorted({"#0072b2", "#62b8ec"} & found))
    assert seen == [["#0072b2"], ["#62b8ec"]]
    view.window().commands.named("report.refresh").trigger()
    qtbot.waitUntil(lambda: view.ready)
    assert view.pictures.isVisible()
    qtbot.waitUntil(lambda: bool(view.pictures.pictures))
    show(view, "systems")
    assert view.table.isVisible()


def test_the_evidence_is_written(report, qtbot, tmp_path: Path, monkeypatch) -> None:
    view = report()
    told: list[str] = []
    view.shell.messages.posted.connect(lambda message: told.append(message.text))
    folder = tmp_path / "evidence"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    view.window().commands.named("report.evidence").trigger()
    assert view.job.isVisible()
    assert not can(view, "report.export")
    qtbot.waitUntil(lambda: bool(told))
    assert not view.job.isVisible()
    assert {"expected.tsv", "README.txt"} < {file.name for file in folder.iterdir()}
    assert str(folder) in told[0]


@pytest.mark.parametrize("work", ["export", "write_evidence"])
def test_exporting_can_be_stopped(report, qtbot, tmp_path: Path, work: str) -> None:
    view = report()
    told: list[object] = []
    view.shell.messages.posted.connect(told.append)
    getattr(view, work)(tmp_path / "out")
    QTest.mouseClick(view.job.stop, Qt.MouseButton.LeftButton)
    assert can(view, "report.export")
    qtbot.waitUntil(lambda: not view.job._worker.busy)
    assert told == []
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


def test_scoring_can_be_cancelled(make_window, qtbot, campaign: Path) -> None:
    window = make_window(None)
    window.open(str(campaign), view="report")
    view = window.view("report")
    view.waiting.stop.click()
    qtbot.waitUntil(lambda: not view.worker.busy)
    assert view.model.rowCount() == 0
    assert not can(view, "report.export")
    view.shown(str(campaign))
    qtbot.waitUntil(lambda: view.model.rowCount() > 0)


def test_a_segment_is_opened_by_a_click_on_its_name(report) -> None:
    view = report()
    show(view, "segments")
    row = shown_column(view, "segment").index("s2")
    column = [one.key for one in view._scored.tables[view.tables.currentRow()].columns].index(
        "segment"
    )
    index = view.proxy.index(row, column)
    view.table.scrollTo(index)
    seen: list[object] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, SegmentDialog):
            return
        drawn = dialog.findChildren(AlignmentView)
        if drawn:
            seen.extend(view.alignment.text for view in drawn)
            dialog.reject()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(50)
    QTest.mouseClick(
        view.table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=view.table.visualRect(index).center(),
    )
    timer.stop()
    assert seen == [CHANGES["s2"]]


@pytest.mark.parametrize("gone", [True, False])
def test_a_segment_leads_to_its_page_or_says_why_not(report, qtbot, campaign, gone: bool) -> None:
    view = report()
    target = {"system": "Secretly Alpha", "document": "D_1_S1", "segment": "gone" if gone else "s1"}
    told: list[str] = []
    view.shell.messages.posted.connect(lambda message: told.append(message.text))
    dialog = SegmentDialog(view.shell, str(campaign), target, view)
    dialog.show()
    if gone:
        qtbot.waitUntil(lambda: bool(told))
        assert "no longer has this segment" in told[0]
        return
    qtbot.waitUntil(lambda: bool(dialog.findChildren(AlignmentView)))
    opened: list[tuple[str, object]] = []
    view.shell.open = lambda place, **how: opened.append((place, how["target"]))
    dialog._page.click()
    qtbot.waitUntil(lambda: bool(opened))
    assert Path(opened[0][0]).read_bytes() == b"<madcat/>"
    assert opened[0][1] == {"segment": "s1"}

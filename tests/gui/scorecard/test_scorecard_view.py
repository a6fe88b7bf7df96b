"""Saved scorecards in the window: opened, looked at, followed to pages, exported, made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox

from madcat_studio.gui.coordinator.tablemodel import ReportTableProxy
from madcat_studio.gui.page.view import PageView
from madcat_studio.gui.scorecard.cardmodel import CardTableModel
from madcat_studio.gui.scorecard.cardorder import CardKind, CardOrder, make_card
from madcat_studio.gui.scorecard.newcard import NewCardDialog
from madcat_studio.gui.scorecard.plot import IntervalPlot
from madcat_studio.gui.views import LocationKind, kind_of
from madcat_studio.operations.pages.find_page import find_page
from madcat_studio.operations.scorecards.files import read_card
from madcat_studio.progress import SILENT, Cancelled
from madcat_studio.reports.cards import PlotRow, shown_cell
from madcat_studio.reports.tables import CellKind, Column
from tests.gui.helpers import NORMAL, TWO_PAGES, can, copy_sample
from tests.gui.scorecard.conftest import ltb_order


def told_by(window) -> list[object]:
    told: list[object] = []
    window.messages.posted.connect(told.append)
    return told


def texts(view) -> str:
    return "\n".join(label.text() for label in view.overview.findChildren(QLabel))


def test_the_model_and_its_proxy_are_sound(qapp) -> None:
    model, proxy = CardTableModel(), ReportTableProxy()
    proxy.setSourceModel(model)
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = QAbstractItemModelTester(model, fatal), QAbstractItemModelTester(proxy, fatal)
    columns = (
        Column("metric", "Metric"),
        Column("value", "Value", CellKind.NUMBER),
        Column("ok", "OK", CellKind.FLAG),
    )
    rows = (
        ("chrf_plus_plus", 61.237, True),
        ("composite", 0.51237, False),
        ("bleu", None, False),
    )
    model.show_table(columns, rows)
    shown = [model.index(row, 1).data() for row in range(3)]
    assert shown == ["61.24", "0.5124", ""]
    proxy.sort(1, Qt.SortOrder.DescendingOrder)
    assert [proxy.index(row, 0).data() for row in range(3)] == [
        "chrf_plus_plus",
        "composite",
        "bleu",
    ]
    proxy.filter_by("0.5124")
    assert proxy.rowCount() == 1
    model.show_table((), ())
    assert proxy.rowCount() == 0
    del testers


def test_results_are_told_from_pages(ltb: Path, tmp_path: Path) -> None:
    assert kind_of(str(ltb)) is LocationKind.SCORECARD
    other = tmp_path / "result.saved"
    other.write_bytes(b"\xef\xbb\xbf" + ltb.read_bytes())
    assert kind_of(str(other)) is LocationKind.SCORECARD
    for content in (b"", b"<madcat/>", b'["madcat-studio-ltb"]', b'{"a": 1}'):
        other.write_bytes(content)
        assert kind_of(str(other)) is LocationKind.PAGE
    assert kind_of(str(tmp_path / "gone")) is LocationKind.PAGE


def test_every_table_is_that_of_the_file(ltb: Path, opened) -> None:
    view, report = opened(ltb), read_card(ltb)
    assert view.window().windowTitle().startswith(f"{report.title} – LTB-100")
    assert view.tables.count() == 1 + len(report.tables)
    for table in report.tables:
        view.show_table(table.name)
        rows = list(table.rows)
        assert view.model.rowCount() == len(rows)
        for number, row in enumerate(rows):
            for column in range(len(row)):
                told = view.model.index(number, column).data()
                assert told == shown_cell(row, column, table.columns)


def test_the_overview_says_what_to_beware_of(ltb: Path, opened, qtbot) -> None:
    view = opened(ltb)
    report = view.report
    shown = texts(view)
    for sentence in (*report.warnings, *report.notes, *report.figures[0].how):
        assert sentence in shown
    assert "unverified" in shown
    (plot,) = view.overview.findChildren(IntervalPlot)
    assert plot.accessibleName().endswith("end-to-end")
    view.show_table("pairs")
    assert report.warnings[0] in view.caution.text()
    assert len(report.warnings) > 2
    assert "see the overview" in view.caution.text()
    assert view.caution.isVisible()


def test_types_of_systems_are_drawn_apart(pages, tmp_path: Path, opened) -> None:
    import shutil

    truth, system = pages
    oracle = tmp_path / "oracle"
    shutil.copytree(system, oracle)
    (oracle / "manifest.json").write_text('{"system_type": "oracle-layout"}')
    order = CardOrder(
        CardKind.PAGES, (system, oracle), tmp_path / "out", truth=truth, files="linesys"
    )
    view = opened(make_card(order, SILENT))
    plots = view.overview.findChildren(IntervalPlot)
    assert [plot.accessibleName().rsplit(", ")[-1] for plot in plots] == [
        "end-to-end",
        "oracle-layout",
    ]
    assert "oracle" not in plots[0].accessibleDescription()


def test_runs_that_are_not_comparable_are_told(runs, tmp_path: Path, opened) -> None:
    view = opened(make_card(CardOrder(CardKind.RUNS, tuple(runs), tmp_path / "out"), SILENT))
    assert "not comparable" in texts(view)
    view.show_table("runs")
    assert "not comparable" in view.caution.text()
    assert view.model.rowCount() == 2


def test_absent_scores_of_images_stay_empty(samples, tmp_path: Path, opened) -> None:
    view = opened(make_card(CardOrder(CardKind.IMAGES, (samples,), tmp_path / "out"), SILENT))
    assert view.report.kind == "IMTBench"
    view.show_table("systems")
    assert view.model.value(0, "all") is None
    columns = range(view.model.columnCount())
    assert "0.000" not in {view.model.index(0, column).data() for column in columns}
    view.show_table("by-scenario")
    shown = [view.model.index(0, column).data() for column in columns]
    assert "0.800" in shown
    assert "" in shown


def test_the_plot_follows_the_theme(qtbot) -> None:
    from madcat_studio.gui.theme import DARK, LIGHT

    rows = [PlotRow("a & <b>", 50.0, 40.0, 60.0), PlotRow("c", 20.0, None, None)]
    plot = IntervalPlot(rows, (0.0, 100.0), "Plot", LIGHT)
    qtbot.addWidget(plot)
    assert plot.sizeHint().width() == 860
    seen = []
    for colours in (LIGHT, DARK):
        plot.apply_theme(colours)
        image = plot.grab().toImage()
        found = {
            image.pixelColor(x, y).name()
            for x in range(440, 560, 2)
            for y in range(0, image.height(), 2)
        }
        seen.append({LIGHT.accent, DARK.accent} & found)
    assert seen == [{LIGHT.accent}, {DARK.accent}]
    assert "a & <b>: 50.00, from 40.00 to 60.00" in plot.accessibleDescription()


def test_rows_are_filtered_and_sorted(ltb: Path, opened) -> None:
    view = opened(ltb)
    assert not can(view, "scorecard.filter")
    view.show_table("regions")
    rows = view.model.rowCount()
    assert rows > 1
    view.window().commands.named("scorecard.filter").trigger()
    QTest.keyClicks(view.filter, str(view.model.value(0, "region")))
    assert 0 < view.proxy.rowCount() < rows


def test_the_signature_is_copied(ltb: Path, opened) -> None:
    view = opened(ltb)
    view.window().commands.named("scorecard.copy-signature").trigger()
    assert QGuiApplication.clipboard().text() == next(iter(view.report.signatures.values()))


def click_region(view, row: int) -> None:
    view.show_table("regions")
    columns = [column.key for column in view.report.table("regions").columns]
    index = view.proxy.index(row, columns.index("region"))
    view.table.scrollTo(index)
    where = view.table.visualRect(index).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)


@pytest.mark.long
def test_a_region_leads_to_its_page_and_the_folder_is_asked_for_once(
    ltb: Path, pages, opened, qtbot, monkeypatch
) -> None:
    view = opened(ltb)
    window = view.window()
    asked: list[str] = []

    def choose(parent, title, *_: object) -> str:
        asked.append(title)
        return str(pages[0])

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
    regions = list(view.report.table("regions").records())
    wanted = ((1, NORMAL, 0), (0, NORMAL, 0), (len(regions) - 1, TWO_PAGES, 1))
    for row, document, page_number in wanted:
        window.show_view("scorecard")
        name = regions[row]["region"]
        click_region(view, row)

        def there(name: object = name, document: str = document) -> bool:
            page = window.view("page")
            return (
                isinstance(page, PageView)
                and page.isVisible()
                and page.workspace is not None
                and page.workspace.path == pages[0] / f"{document}.madcat.xml"
                and page.side.segment_list.currentIndex().data() == name
            )

        qtbot.waitUntil(there)
        assert window.view("page").page_number == page_number
    assert len(asked) == 1
    assert NORMAL in asked[0]


def test_enter_opens_the_page_and_no_folder_is_no_page(
    ltb: Path, opened, qtbot, monkeypatch, tmp_path: Path
) -> None:
    view = opened(ltb)
    told = told_by(view.window())
    (tmp_path / "empty").mkdir()
    answers = ["", str(tmp_path / "empty")]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: answers.pop(0))
    view.show_table("documents")
    view.table.setCurrentIndex(view.proxy.index(0, 0))
    assert can(view, "scorecard.open-page")
    for left in (1, 0):
        view.table.setFocus()
        QTest.keyClick(view.table, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda left=left: len(answers) == left)
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].code == "gui.page-not-found"
    assert view.isVisible()


def test_pages_are_found_by_their_document(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    page = copy_sample(TWO_PAGES, deep, image=False)
    system = deep / f"{TWO_PAGES}.linesys.madcat.xml"
    page.rename(system)
    folders = [tmp_path / "gone", tmp_path]
    assert find_page(f"{TWO_PAGES}#2", folders) == system
    assert find_page(TWO_PAGES, folders, deep=False) is None
    reference = copy_sample(TWO_PAGES, deep, image=False)
    assert find_page(TWO_PAGES, folders) == reference
    assert find_page("", folders) is None
    assert find_page(TWO_PAGES[:-1], folders) is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: "", "scorecards.not-a-result"),
        (lambda text: text[: len(text) // 2], "scorecards.not-a-result"),
        (lambda text: '{"format": "another"}', "scorecards.not-a-result"),
        (lambda text: text.replace('"version": 1', '"version": 2', 1), "scorecards.newer-result"),
        (lambda text: text.replace('"version": 1', '"version": "x"', 1), "scorecards.not-a-result"),
    ],
)
def test_what_is_no_result_is_told_and_the_open_one_stays(
    ltb: Path, opened, qtbot, tmp_path: Path, change, code: str
) -> None:
    view = opened(ltb)
    told = told_by(view.window())
    bad = tmp_path / "bad.json"
    bad.write_text(change(ltb.read_text("utf-8")), encoding="utf-8")
    view.shell.open(str(bad))
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].code == code
    assert str(bad) in told[0].detail
    assert view.report.title
    assert view.tables.isVisible()


def _spoil(value: dict, where: str) -> None:
    table = next(one for one in value["tables"] if one["rows"])
    match where:
        case "short row":
            table["rows"][0].pop()
        case "nested cell":
            table["rows"][0][0] = ["a"]
        case "kind":
            table["columns"][0]["kind"] = "picture"
        case "plot":
            value["plot"]["rows"][0]["point"] = float("nan")
        case "range":
            value["plot"]["range"] = [1, 1]
        case "title":
            value["title"] = 7
        case "warnings":
            value["warnings"] = "none"
        case "signature":
            value["signatures"] = {"a": None}


@pytest.mark.parametrize(
    "where",
    ["short row", "nested cell", "kind", "plot", "range", "title", "warnings", "signature"],
)
def test_damage_inside_a_result_is_told_when_nothing_is_open(
    ltb: Path, make_window, qtbot, where: str
) -> None:
    value = json.loads(ltb.read_text("utf-8"))
    _spoil(value, where)
    ltb.write_text(json.dumps(value), encoding="utf-8")
    window = make_window(None)
    told = told_by(window)
    window.open(str(ltb))
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].code == "scorecards.not-a-result"
    assert window.view("scorecard").report is None


def test_a_result_is_opened_by_dropping_it(ltb: Path, make_window, qtbot) -> None:
    window = make_window(None)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(ltb))])
    event = QDropEvent(
        QPointF(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: (view := window.view("scorecard")) is not None and view.isVisible())


def test_a_result_is_opened_by_the_dialog(ltb: Path, make_window, qtbot, monkeypatch) -> None:
    window = make_window(None)
    window.show_view("scorecard")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(ltb), ""))
    window.commands.named("scorecard.open").trigger()
    view = window.view("scorecard")
    qtbot.waitUntil(lambda: view.report is not None)
    window.show_view("home")
    assert any(str(ltb) == button.toolTip() for button, _ in window.welcome._rows)


def test_everything_is_exported(ltb: Path, opened, qtbot, tmp_path: Path) -> None:
    view = opened(ltb)
    told = told_by(view.window())
    view.export(tmp_path / "written")
    qtbot.waitUntil(lambda: bool(told))
    kinds = {file.suffix for file in (tmp_path / "written").iterdir()}
    assert kinds == {".html", ".xlsx", ".csv", ".json"}
    assert read_card(tmp_path / "written" / "ltb.json") == read_card(ltb)
    told.clear()
    (tmp_path / "file").touch()
    view.export(tmp_path / "file")
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].code.startswith("report.")


def with_dialog(act) -> QTimer:
    """Calls ``act`` with the dialog once it is open."""
    timer = QTimer()

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, NewCardDialog):
            timer.stop()
            act(dialog)

    timer.timeout.connect(look)
    timer.start(30)
    return timer


@pytest.mark.long
def test_a_scorecard_is_made_and_its_regions_lead_to_pages(
    pages, make_window, qtbot, tmp_path: Path, monkeypatch
) -> None:
    window = make_window(None)
    window.show_view("scorecard")
    view = window.view("scorecard")
    truth, system = pages

    def fill(dialog: NewCardDialog) -> None:
        assert not dialog.start.isEnabled()
        dialog.kind.setCurrentIndex(dialog.kind.findData(str(CardKind.PAGES)))
        dialog.truth(CardKind.PAGES).field.setText(str(truth))
        dialog.inputs(CardKind.PAGES).add([str(system), str(system)])
        assert dialog.inputs(CardKind.PAGES).paths() == (system,)
        assert not dialog.start.isEnabled()
        dialog.folder.field.setText(str(tmp_path / "made"))
        dialog.files.setCurrentIndex(dialog.files.findData("linesys"))
        dialog.start.click()

    timer = with_dialog(fill)
    window.commands.named("scorecard.new").trigger()
    qtbot.waitUntil(lambda: view.report is not None)
    assert (tmp_path / "made" / "ltb.html").is_file()
    # The folder of the ground truth is known by now, so nobody is asked.
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", pytest.fail)
    click_region(view, 0)
    qtbot.waitUntil(lambda: (page := window.view("page")) is not None and page.isVisible())
    del timer


@pytest.mark.long
def test_all_tasks_are_evaluated_and_a_segment_leads_to_its_page(
    pages, make_window, qtbot, tmp_path: Path, monkeypatch
) -> None:
    window = make_window(None)
    window.show_view("scorecard")
    view = window.view("scorecard")
    references, system = pages

    def fill(dialog: NewCardDialog) -> None:
        assert dialog.chosen_kind() is CardKind.TASKS
        dialog.truth(CardKind.TASKS).field.setText(str(references))
        assert not dialog.start.isEnabled()
        dialog.inputs(CardKind.TASKS).add([str(system)])
        dialog.folder.field.setText(str(tmp_path / "made"))
        dialog.start.click()

    timer = with_dialog(fill)
    window.commands.named("scorecard.new").trigger()
    qtbot.waitUntil(lambda: view.report is not None)
    assert view.report.kind == "Evaluation"
    assert [row["rate"] for row in view.report.table("tasks").records()] == [0, 0]  # a copy
    assert (tmp_path / "made" / "evaluation.xlsx").is_file()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", pytest.fail)
    view.show_table("segments")
    columns = [column.key for column in view.report.table("segments").columns]
    index = view.proxy.index(0, columns.index("segment"))
    assert view.model.is_link(view.proxy.mapToSource(index))
    view._on_click(index)
    qtbot.waitUntil(lambda: (page := window.view("page")) is not None and page.isVisible())
    page = window.view("page")
    qtbot.waitUntil(lambda: page.workspace is not None)
    qtbot.waitUntil(lambda: page.side.segment_list.currentIndex().data() == index.data())
    del timer


def test_what_fails_is_told_and_offered_again(pages, make_window, qtbot, tmp_path: Path) -> None:
    window = make_window(None)
    window.show_view("scorecard")
    view, told = window.view("scorecard"), told_by(window)
    order = ltb_order((tmp_path / "gone", pages[1]), tmp_path / "made")
    view.make(order)
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].code == "file.not-found"
    assert can(view, "scorecard.new")
    assert not (tmp_path / "made").exists()
    seen: list[object] = []

    def look(dialog: NewCardDialog) -> None:
        seen.append(dialog.order())
        dialog.reject()

    timer = with_dialog(look)
    window.commands.named("scorecard.new").trigger()
    assert seen == [order]
    del timer


def test_scoring_can_be_cancelled(pages, make_window, qtbot, tmp_path: Path) -> None:
    window = make_window(None)
    window.show_view("scorecard")
    view, told = window.view("scorecard"), told_by(window)
    view.make(ltb_order(pages, tmp_path / "made"))
    assert not can(view, "scorecard.new")
    view.waiting.stop.click()
    qtbot.waitUntil(lambda: not view.worker.busy)
    assert view.report is None
    assert told == []
    assert can(view, "scorecard.new")


def test_nothing_is_written_after_a_cancel(pages, tmp_path: Path) -> None:
    class Stopped:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            pass

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        make_card(ltb_order(pages, tmp_path / "made"), Stopped())
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("kind", list(CardKind))
def test_the_dialog_keeps_what_was_asked_for(qtbot, tmp_path: Path, kind: CardKind) -> None:
    order = CardOrder(
        kind,
        (tmp_path / "a", tmp_path / "b"),
        tmp_path / "out",
        truth=tmp_path / "truth" if kind in (CardKind.TASKS, CardKind.PAGES) else None,
        profile="sacrebleu",
        pair="ar-en",
        files="wordsys",
        polygons=True,
        campaign="/a/campaign" if kind in (CardKind.TASKS, CardKind.RUNS) else "",
        corpus=tmp_path / "corpus.tsv",
        conditions=tmp_path / "writing_conditions.tab",
        standoff=tmp_path / "errors.tsv",
        source="ar",
        target="en",
        glossary=tmp_path / "terms.tsv",
        code_switching=True,
        comet=tmp_path / "c.ckpt",
        backbone=tmp_path / "w.pth",
    )
    dialog = NewCardDialog(order)
    qtbot.addWidget(dialog)
    assert dialog.order() == order
    dialog.inputs(kind).list.selectAll()
    dialog.inputs(kind)._remove()
    if kind is CardKind.RUNS:
        assert dialog.order() is not None  # a campaign's systems are runs
        dialog.campaign(kind).field.clear()
    assert dialog.order() is None


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_an_older_result_is_replaced_only_if_wanted(
    ltb: Path, pages, qtbot, monkeypatch, answer: str
) -> None:
    button = QMessageBox.StandardButton[answer]
    monkeypatch.setattr(QMessageBox, "question", lambda *_: button)
    dialog = NewCardDialog(ltb_order(pages, ltb.parent))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.start.click()
    assert dialog.isVisible() is (answer == "No")


def test_files_are_dropped_into_the_dialog(qtbot, pages) -> None:
    dialog = NewCardDialog()
    dialog.kind.setCurrentIndex(dialog.kind.findData(str(CardKind.PAGES)))
    qtbot.addWidget(dialog)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(pages[1])), QUrl("https://example.org/a")])
    event = QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    dialog.inputs(CardKind.PAGES).dropEvent(event)
    assert dialog.inputs(CardKind.PAGES).paths() == (pages[1],)


def test_what_was_not_computed_takes_no_room_in_long_tables(runs, tmp_path: Path, opened) -> None:
    view = opened(make_card(CardOrder(CardKind.RUNS, tuple(runs), tmp_path / "out"), SILENT))
    for name, hidden in (("entries", True), ("by-difficulty", False), ("entries", True)):
        view.show_table(name)
        columns = range(view.model.columnCount())
        empty = [
            column
            for column in columns
            if not any(view.model.index(row, column).data() for row in range(view.model.rowCount()))
        ]
        assert [column for column in columns if view.table.isColumnHidden(column)] == (
            empty if hidden else []
        )
    assert empty


def test_many_warnings_leave_room_for_the_plot(ltb: Path, opened) -> None:
    value = json.loads(ltb.read_text("utf-8"))
    value["warnings"] = [f"Beware of number {number}." for number in range(30)]
    ltb.write_text(json.dumps(value), encoding="utf-8")
    view = opened(ltb)
    shown = texts(view)
    assert all(sentence in shown for sentence in value["warnings"])
    (plot,) = view.overview.findChildren(IntervalPlot)
    assert plot.mapTo(view.overview, QPoint(0, plot.height())).y() < view.overview.height()


def test_a_campaigns_systems_are_runs(make_window, qtbot, tmp_path: Path) -> None:
    from tests.gui.campaigns import make_campaign

    campaign = make_campaign(tmp_path / "حملة")
    window = make_window(None)
    window.show_view("scorecard")
    view = window.view("scorecard")
    view.make(CardOrder(CardKind.RUNS, (), tmp_path / "out", campaign=str(campaign), target="en"))
    qtbot.waitUntil(lambda: view.report is not None)
    view.show_table("runs")
    assert view.model.value(0, "run") == "Secretly Alpha"

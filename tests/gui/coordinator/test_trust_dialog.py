"""Which metric may be trusted, in the window: the table, the points, tables of scores."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator import trustdialog
from madcat_studio.gui.coordinator.trustdialog import TrustDialog
from madcat_studio.scoring.resampling import Resampling
from tests.gui.helpers import can, run
from tests.operations.test_trust import hters, make, table_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("trusted") / "campaign")


@pytest.fixture
def dialog(make_window, qtbot, made: Path, monkeypatch: pytest.MonkeyPatch):
    # What the window shows is what it is given; how sure that is has tests of its own.
    few = partial(trustdialog.trust, resampling=Resampling(resamples=100))
    monkeypatch.setattr(trustdialog, "trust", few)
    window = make_window(None)
    window.open(str(made), view="report")
    view = window.view("report")
    qtbot.waitUntil(lambda: view.has_result() and not view.worker.busy, timeout=60_000)
    shown = TrustDialog(view.shell, str(made), view)
    shown.show()
    qtbot.waitUntil(lambda: shown.found is not None, timeout=60_000)
    yield shown
    shown.reject()


def names(dialog: TrustDialog) -> list[object]:
    rows = range(dialog.metrics.rows.rowCount())
    return [dialog.metrics.rows.value(row, "metric") for row in rows]


@pytest.mark.long
def test_it_shows_the_metrics_of_the_report_and_their_points(dialog: TrustDialog, qtbot) -> None:
    expected = [one["metric"] for one in dialog.found.report.table("metrics").records()]
    assert names(dialog) == expected
    told = dialog.found.told
    assert len(dialog.plot.dots) == len(told.points) == 36
    for row, at in enumerate(dialog.found.order):
        dialog.metrics.choose(row)
        metric = told.metrics[at]
        for dot, point in zip(dialog.plot.dots, told.points, strict=True):
            assert dot.x == told.said[point.row]
            assert dot.y == told.scores[at][point.row]
            assert metric.name in dot.told
            assert f"{point.document}/{point.segment}" in dot.told
    assert "over 4 source documents" in dialog.told.text().lower()


@pytest.mark.long
def test_a_click_and_the_keys_open_the_output_behind_a_point(
    dialog: TrustDialog, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[dict[str, str]] = []

    class Shown:
        def __init__(self, shell, location, target, parent) -> None:
            opened.append(dict(target))

        def exec(self) -> None: ...

        def deleteLater(self) -> None: ...

    monkeypatch.setattr("madcat_studio.gui.coordinator.trustdialog.SegmentDialog", Shown)
    plot = dialog.plot
    at = plot.place(7)
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    # Of points that lie on one another any is meant.
    point = dialog.found.told.points[plot.current]
    assert plot.place(plot.current) == at
    assert opened.pop() == {
        "system": point.system,
        "document": point.document,
        "segment": point.segment,
        "kit": point.kit,
    }
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert plot.current == -1
    assert not opened
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    order = sorted(range(36), key=lambda n: (plot.dots[n].x, plot.dots[n].y))
    assert plot.current == order[1]
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert opened.pop()["document"] == dialog.found.told.points[order[1]].document


@pytest.mark.long
def test_each_point_is_read_out_and_can_be_pressed(dialog: TrustDialog) -> None:
    parts = dialog.plot.spoken.parts()
    assert [part.name for part in parts] == [dot.told for dot in dialog.plot.dots]
    opened: list[int] = []
    dialog.plot.opened.disconnect()
    dialog.plot.opened.connect(opened.append)
    parts[3].act()
    assert opened == [3]
    box = parts[3].box()
    assert box.contains(dialog.plot.place(3).toPoint())


@pytest.mark.long
def test_scores_are_added_turned_and_held_against(dialog: TrustDialog, qtbot, tmp_path) -> None:
    table = table_of(tmp_path / "mqm.tsv", lambda _, hter: 10 * hter, "MQM")
    dialog.add_scores(table)
    qtbot.waitUntil(lambda: "MQM" in names(dialog), timeout=60_000)
    assert dialog.metrics.rows.value(names(dialog).index("MQM"), "tau_b") == pytest.approx(-1)
    assert "MQM says the opposite of HTER" in dialog.told.text()
    (action,) = dialog.less.menu().actions()
    action.setChecked(True)
    qtbot.waitUntil(lambda: names(dialog)[0] == "MQM", timeout=60_000)
    dialog.against.setCurrentIndex(dialog.against.findData("MQM"))
    dialog.compute()
    qtbot.waitUntil(lambda: names(dialog)[0] == "HTER", timeout=60_000)
    assert dialog.found.told.people.name == "MQM"


@pytest.mark.long
def test_a_table_of_other_segments_is_told_and_what_was_shown_stays(
    dialog: TrustDialog, qtbot, tmp_path
) -> None:
    before = names(dialog)
    table = tmp_path / "other.tsv"
    table.write_text("system\tbase\tsegment\tCOMET\nAlpha\tZ\ts0\t1\n", "utf-8")
    dialog.add_scores(table)
    qtbot.waitUntil(lambda: "trust.other-segments" in dialog.told.text(), timeout=60_000)
    assert names(dialog) == before
    good = table_of(tmp_path / "good.tsv", lambda _, hter: -hter)
    dialog.add_scores(good)
    qtbot.waitUntil(lambda: "COMET" in names(dialog), timeout=60_000)
    assert len(hters()) == len(dialog.plot.dots)


@pytest.mark.long
def test_the_report_is_exported_with_all_of_it(dialog: TrustDialog, qtbot, tmp_path) -> None:
    dialog.export(tmp_path / "out")
    qtbot.waitUntil(lambda: not dialog._worker.busy, timeout=60_000)
    assert (tmp_path / "out" / "trust.json").exists()
    assert (tmp_path / "out" / "trust.html").exists()


@pytest.mark.long
def test_the_action_opens_it(make_window, qtbot, made, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "madcat_studio.gui.coordinator.trustdialog.open_trust",
        lambda shell, location, parent, track: opened.append(location),
    )
    window = make_window(None)
    window.open(str(made), view="report")
    view = window.view("report")
    qtbot.waitUntil(lambda: can(view, "report.trust") and not view.worker.busy, timeout=60_000)
    run(view, "report.trust")
    assert opened == [str(made)]


@pytest.mark.long
def test_of_several_tracks_it_is_that_of_the_report(
    dialog: TrustDialog, qtbot, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is held over two tracks: the window says which one, as the command's --track does."""
    view = dialog.parent()
    given: list[object] = []
    monkeypatch.setattr(
        "madcat_studio.gui.coordinator.trustdialog.open_trust", lambda *all_of: given.extend(all_of)
    )
    view.parts.tracks.show_tracks(("challenge", "go-no-go"), "challenge")
    run(view, "report.trust")
    assert given[1:] == [str(made), view, "challenge"]
    shown: list[StudioError] = []
    monkeypatch.setattr(view.shell, "show_error", shown.append)
    other = TrustDialog(view.shell, str(made), view, "challenge")
    qtbot.waitUntil(lambda: bool(shown))
    assert shown[0].code == "trust.track"
    assert "no track challenge" in str(shown[0])
    other.deleteLater()

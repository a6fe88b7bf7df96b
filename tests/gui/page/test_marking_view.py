"""Marking in the window, with real keys and a real mouse."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from madcat_studio.formats.standoff import NAME, read_errors
from madcat_studio.gui.page.marking.feature import MarkingFeature
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.settings import DOUBTFUL_ONLY
from tests.gui.helpers import PageUser

WORDS = ("محمد", "يكتب", "كتابا", "بالقلم")
PLAIN, SHIFT, ALT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
)
ENTER, BACK = Qt.Key.Key_Return, Qt.Key.Key_Backspace
LEFT = Qt.MouseButton.LeftButton


def write_page(folder: Path, *, tokens: bool = True, scan: bool = True, page: bool = True) -> Path:
    made = "".join(
        f'<token id="s1-{n}" ref_id="" status=""><source>{word}</source></token>'
        for n, word in enumerate(WORDS, 1)
    )
    sheet = '<page id="p1" width="850" height="600"/>' if page else ""
    path = folder / "D.madcat.xml"
    path.write_text(
        f'<madcat><doc id="D" src="D.png"><image>{sheet}</image>'
        f'<content><section id="c"><segment id="s1">{made if tokens else ""}'
        f"<transcription>{' '.join(WORDS)}</transcription></segment></section></content>"
        "</doc></madcat>",
        encoding="utf-8",
    )
    if scan:
        image = Image.new("L", (850, 600), 255)
        draw = ImageDraw.Draw(image)
        for top in (100, 300):
            for right in (800, 500):
                draw.rectangle((right - 130, top, right, top + 40), fill=0)
        image.save(folder / "D.png", dpi=(200, 200))
    return path


class Marker:
    """Somebody who marks a page."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        found = [one for one in self.view.features if isinstance(one, MarkingFeature)]
        self.feature = found[0]
        someone.window.commands.named("page.mark").trigger()

    @property
    def marking(self):
        assert self.feature.marking is not None
        return self.feature.marking

    def proposals_are_there(self) -> Marker:
        self.someone.wait(lambda: self.marking.writing is not None)
        return self

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.keyClick(self.view.canvas, key, modifiers)

    def at(self, x: float, y: float) -> QPoint:
        return self.view.canvas.camera.to_view(QPointF(x, y)).toPoint()

    def click(self, x: float, y: float, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.mouseClick(self.view.canvas.viewport(), LEFT, modifiers, self.at(x, y))

    def words(self) -> list[list[str]]:
        document = self.view.workspace.document
        text_of = self.view.choice.text_of
        return [
            [text_of(ShapeKey(n, k)) for k in range(len(line.words))]
            for n, line in enumerate(document.pages[0].lines)
        ]

    def current(self) -> str:
        return self.marking.text(self.marking.current)


@pytest.fixture
def begin(user, tmp_path: Path):
    def start(**how: bool) -> Marker:
        return Marker(user(write_page(tmp_path, **how)))

    return start


@pytest.mark.long
def test_a_page_is_marked_with_one_key_a_word_and_undone_byte_for_byte(begin) -> None:
    marker = begin().proposals_are_there()
    view, path = marker.view, marker.view.workspace.path
    before = path.read_bytes()
    bar = marker.feature.bar
    assert bar.isVisible()
    assert bar.strip.accessibleName() == "Current word: محمد"
    assert marker.current() == "محمد"
    assert len(view.canvas.tools.sketch.strokes) == 2
    marker.key(ENTER)
    assert marker.current() == "يكتب"
    assert view.side.token_list.currentIndex().row() == 1
    assert bar.progress.text() == "1 of 4 words"
    marker.key(ENTER, SHIFT)
    assert marker.current() == "كتابا"
    bar.buttons["line"].click()
    assert marker.words() == [["محمد", "يكتب"], ["كتابا", "بالقلم"]]
    assert marker.marking.current is None
    assert bar.strip.accessibleName() == "All words are marked"
    assert not bar.buttons["accept"].isEnabled()
    commands = marker.someone.window.commands
    assert commands.named("page.undo").text() == "&Undo: Mark 2 words"
    commands.named("page.undo").trigger()
    assert marker.current() == "كتابا"
    commands.named("page.redo").trigger()
    commands.named("page.save").trigger()
    assert view.workspace.document.pages[0].lines[1].words[1].id == "t3"
    while commands.named("page.undo").isEnabled():
        commands.named("page.undo").trigger()
    assert marker.current() == "محمد"
    commands.named("page.save").trigger()
    assert path.read_bytes() == before
    commands.named("page.mark").trigger()
    assert not bar.isVisible()
    assert view.canvas.tools.tool.name == "select"
    assert not view.canvas.tools.sketch.strokes


@pytest.mark.long
def test_frames_and_corners_are_drawn(begin) -> None:
    marker = begin().proposals_are_there()
    someone, view = marker.someone, marker.view
    someone.drag(marker.at(820, 80), marker.at(650, 160))
    polygon = someone.polygon(ShapeKey(0, 0))
    assert [tuple(round(x) for x in corner) for corner in polygon] == [
        pytest.approx(corner, abs=4) for corner in ((801, 100), (670, 100), (670, 141), (801, 141))
    ]
    # Corner after corner, one of them taken back; the first again ends it.
    for x, y in ((520, 80), (350, 80), (10, 10)):
        marker.click(x, y)
    marker.key(BACK)
    for x, y in ((350, 160), (520, 160), (521, 81)):
        marker.click(x, y)
    drawn = someone.polygon(ShapeKey(0, 1))
    assert [tuple(corner) for corner in drawn] == [
        pytest.approx(corner, abs=3) for corner in ((520, 80), (350, 80), (350, 160), (520, 160))
    ]
    assert all(isinstance(value, int) for corner in drawn for value in corner)
    assert marker.current() == "كتابا"
    # Esc gives an outline up, and Enter ends one.
    marker.click(820, 280)
    marker.click(650, 280)
    marker.key(Qt.Key.Key_Escape)
    assert len(view.canvas.tools.sketch.strokes) == 2
    for x, y in ((820, 280), (650, 280), (650, 360)):
        marker.click(x, y)
    marker.key(ENTER)
    assert len(someone.polygon(ShapeKey(1, 0))) == 3
    assert view.workspace.undo_label == "Mark a word"


@pytest.mark.long
def test_a_frame_with_alt_stays_as_drawn(begin) -> None:
    marker = begin().proposals_are_there()
    viewport = marker.view.canvas.viewport()
    start, end = marker.at(840, 60), marker.at(640, 180)
    QTest.mousePress(viewport, LEFT, ALT, start)
    from tests.gui.helpers import send_move

    send_move(marker.view.canvas, (start + end) / 2, modifiers=ALT)
    send_move(marker.view.canvas, end, modifiers=ALT)
    QTest.mouseRelease(viewport, LEFT, ALT, end)
    xs = [x for x, _ in marker.someone.polygon(ShapeKey(0, 0))]
    assert (min(xs), max(xs)) == pytest.approx((640, 840), abs=3)


@pytest.mark.long
def test_ends_of_a_proposal_are_moved_with_arrows(begin) -> None:
    marker = begin().proposals_are_there()
    marker.key(Qt.Key.Key_Left)
    assert marker.marking.parts == (0, 1)
    marker.key(Qt.Key.Key_Left, SHIFT)
    assert marker.marking.parts == (1,)
    marker.key(Qt.Key.Key_Right, SHIFT)
    marker.key(Qt.Key.Key_Right)
    assert marker.marking.parts == (0,)


@pytest.mark.long
def test_missing_extra_and_misspelt_words_reach_the_stand_off_file(begin) -> None:
    marker = begin().proposals_are_there()
    bar = marker.feature.bar
    marker.key(Qt.Key.Key_M)
    assert marker.current() == "يكتب"
    marker.key(Qt.Key.Key_E)
    assert bar.box.isVisible()
    QTest.keyClicks(bar.box, "x")
    QTest.keyClick(bar.box, Qt.Key.Key_Escape)
    assert not bar.box.isVisible()
    bar.buttons["extra"].click()
    marker.someone.drag(marker.at(820, 80), marker.at(650, 160))
    assert len(marker.words()) == 0  # the outline waits for what the word says
    bar.box.setText("زائد")
    QTest.keyClick(bar.box, ENTER)
    assert marker.words() == [["زائد"]]
    assert marker.current() == "يكتب"
    marker.key(Qt.Key.Key_S)
    assert bar.box.text() == "يكتب"
    bar.box.setText("يكتبو")
    QTest.keyClick(bar.box, ENTER)
    assert marker.current() == "كتابا"
    marker.someone.window.commands.named("page.save").trigger()
    errors = read_errors(marker.view.workspace.path.with_name(NAME), "D")
    assert {token: (e.error, e.written, e.intended) for (_, token), e in errors.items()} == {
        "s1-1": ("missing", "", "محمد"),
        "s1-5": ("extra", "زائد", ""),
        "s1-2": ("typo", "يكتبو", "يكتب"),
    }
    assert [
        token.source for token in marker.view.workspace.document.sections[0].segments[0].tokens
    ] == [
        "محمد",
        "زائد",
        "يكتب",
        "كتابا",
        "بالقلم",
    ]


@pytest.mark.long
def test_enter_goes_on_after_redo_and_from_what_is_marked(begin) -> None:
    marker = begin().proposals_are_there()
    commands = marker.someone.window.commands
    bar = marker.feature.bar
    marker.key(ENTER)
    marker.key(Qt.Key.Key_E)
    bar.box.setText("زائد")
    QTest.keyClick(bar.box, ENTER)
    assert marker.current() == "يكتب"
    commands.named("page.undo").trigger()
    assert marker.current() == "يكتب"
    commands.named("page.redo").trigger()
    assert marker.current() == "يكتب"
    commands.named("page.undo").trigger()
    commands.named("page.undo").trigger()
    assert marker.current() == "محمد"
    commands.named("page.redo").trigger()
    assert marker.current() == "يكتب"
    marker.key(BACK)
    marker.key(ENTER, SHIFT)
    assert marker.current() == "يكتب"
    assert marker.view.workspace.position == 1


@pytest.mark.long
def test_back_later_and_choosing(begin) -> None:
    marker = begin().proposals_are_there()
    marker.key(ENTER)
    marker.key(Qt.Key.Key_N)
    assert marker.current() == "كتابا"
    marker.key(BACK)
    marker.key(BACK)
    assert marker.current() == "محمد"
    marker.view.side.token_list.setCurrentIndex(marker.view.side.token_model.index(3))
    assert marker.current() == "بالقلم"
    marker.click(735, 120, CTRL)
    assert marker.current() == "محمد"
    strip = marker.feature.bar.strip
    strip.repaint()
    place, number = strip._places[0]
    QTest.mouseClick(strip, LEFT, PLAIN, place.center().toPoint())
    assert marker.marking.current == marker.marking.tokens[number]


@pytest.mark.long
def test_tokens_are_made_of_a_transcription_and_without_a_scan_one_draws(begin) -> None:
    marker = begin(tokens=False, scan=False)
    assert marker.current() == "محمد"
    assert "without the scan" in marker.feature.bar.remark.text()
    assert marker.view.workspace.undo_label == "Make tokens from the transcription"
    marker.key(ENTER)
    assert marker.words() == []
    marker.someone.drag(marker.at(820, 80), marker.at(650, 160))
    assert marker.words() == [["محمد"]]


@pytest.mark.long
def test_what_is_odd_is_said(begin, user, tmp_path: Path) -> None:
    path = write_page(tmp_path)
    path.write_text(
        path.read_text(encoding="utf-8").replace("محمد يكتب", "محمد كتب"), encoding="utf-8"
    )
    marker = Marker(user(path))
    remark = marker.feature.bar.remark
    assert "differ in segment s1" in remark.text()
    marker.proposals_are_there()
    marker.view.workspace.frozen = "the page is released"
    marker.key(ENTER)
    assert marker.words() == []
    assert "he page is released" in marker.someone.window.message_bar.text.text()


@pytest.mark.long
def test_a_document_without_a_page_cannot_be_marked(begin) -> None:
    someone_feature = begin(page=False)
    assert someone_feature.feature.marking is None
    assert "no page to mark words on" in someone_feature.someone.window.message_bar.text.text()
    assert not someone_feature.someone.window.commands.named("page.mark").isChecked()


def write_doubt(folder: Path) -> Path:
    """A page whose third word is written far wider than its letters ask for."""
    path = write_page(folder)
    image = Image.new("L", (850, 600), 255)
    draw = ImageDraw.Draw(image)
    for top, right, width in ((100, 800, 130), (100, 500, 130), (300, 800, 420), (300, 250, 130)):
        draw.rectangle((right - width, top, right, top + 40), fill=0)
    image.save(folder / "D.png", dpi=(200, 200))
    return path


@pytest.mark.long
def test_all_sure_words_are_taken_with_one_key_and_what_is_doubtful_is_said(
    user, tmp_path: Path
) -> None:
    marker = Marker(user(write_doubt(tmp_path))).proposals_are_there()
    bar = marker.feature.bar
    assert [marker.marking.is_sure(place) for place in marker.marking.tokens] == [
        True,
        True,
        False,
        True,
    ]
    assert not bar.doubt.isVisible()
    # The current word, those that are sure, and the doubtful one in a colour of its own.
    colours = marker.view.canvas.base.colours
    assert [stroke.colour for stroke in marker.view.canvas.tools.sketch.strokes] == [
        colours.linked,
        colours.doubtful,
        colours.chosen,
    ]
    marker.key(Qt.Key.Key_A)
    assert marker.current() == "كتابا"
    assert bar.progress.text() == "3 of 4 words"
    assert bar.doubt.isVisible()
    assert not bar.buttons["sure"].isEnabled()
    assert bar.buttons["accept"].isEnabled()
    marker.someone.window.commands.named("page.undo").trigger()
    assert bar.progress.text() == "0 of 4 words"
    bar.buttons["sure"].click()
    assert bar.progress.text() == "3 of 4 words"
    marker.key(ENTER)
    assert marker.marking.left() == 0


@pytest.mark.long
def test_enter_stops_only_at_doubtful_words_where_that_is_set(user, tmp_path: Path) -> None:
    someone = user(write_doubt(tmp_path))
    someone.view.shell.settings.set(DOUBTFUL_ONLY, True)
    marker = Marker(someone).proposals_are_there()
    assert marker.current() == "كتابا"
    marker.key(ENTER)
    assert marker.marking.current is None
    assert marker.feature.bar.progress.text() == "1 of 4 words"
    marker.key(Qt.Key.Key_A)
    assert marker.marking.left() == 0


def test_the_search_for_the_writing_is_shown_and_can_be_stopped(begin, monkeypatch) -> None:
    from madcat_studio.gui.page.marking import feature

    begun, go_on = threading.Event(), threading.Event()
    real = feature.read_writing

    def slow(*arguments, **named):
        begun.set()
        go_on.wait(10)
        return real(*arguments, **named)

    monkeypatch.setattr(feature, "read_writing", slow)
    marker = begin()
    seeking = marker.feature.bar.seeking
    assert begun.wait(10)
    assert seeking.isVisible()
    marker.key(Qt.Key.Key_Escape)
    assert not seeking.isVisible()
    assert marker.feature.marking is not None  # only the search ended
    go_on.set()
    marker.someone.wait(lambda: not marker.feature._finding.busy)
    assert marker.marking.writing is None
    assert not seeking.isVisible()


def test_a_word_is_framed_by_keys_alone(user, tmp_path: Path) -> None:
    marker = Marker(user(write_page(tmp_path, scan=False)))
    canvas, key, keys = marker.view.canvas, marker.key, Qt.Key
    shift, ctrl = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
    canvas.camera.fit()
    key(keys.Key_Space)
    start = marker.feature._tool._cross
    assert start is not None
    assert marker.marking.proposal == ()
    key(keys.Key_Space)
    for _ in range(3):
        key(keys.Key_Left, shift)
    key(keys.Key_Down)
    key(keys.Key_Up, ctrl)
    end = marker.feature._tool._cross
    scale = canvas.camera.scale()
    assert end.x() == pytest.approx(start.x() - 120 / scale, abs=1)
    assert end.y() == pytest.approx(start.y() + 8 / scale - 1, abs=1)
    assert marker.view.workspace.drafts.points((0, "frame"))[-1] == pytest.approx(
        (end.x(), end.y()), abs=0.01
    )
    key(keys.Key_Space)
    (word,) = marker.view.workspace.document.pages[0].words()
    xs, ys = [x for x, _ in word.polygon], [y for _, y in word.polygon]
    assert (min(xs), max(xs)) == pytest.approx((end.x(), start.x()), abs=1)
    assert (min(ys), max(ys)) == pytest.approx((start.y(), end.y()), abs=1)
    assert marker.current() == WORDS[1]
    assert marker.feature._tool._cross is None
    # The next begins where nothing is proposed: Esc puts the cross away, and a frame with it.
    for taps in (1, 2):
        for _ in range(taps):
            key(keys.Key_Space)
        key(keys.Key_Left)
        key(keys.Key_Escape)
        assert marker.feature._tool._cross is None
        assert not canvas.tools.begun.has("frame")
        assert marker.feature.is_on


@pytest.mark.long
def test_the_cross_begins_at_the_proposal_and_arrows_are_its_until_it_ends(begin) -> None:
    marker = begin().proposals_are_there()
    proposed = marker.marking.proposal
    marker.key(Qt.Key.Key_Space)
    cross = marker.feature._tool._cross
    assert (cross.x(), cross.y()) == (max(x for x, _ in proposed), min(y for _, y in proposed))
    marker.key(Qt.Key.Key_Left)
    assert marker.marking.proposal == proposed
    marker.key(Qt.Key.Key_Escape)
    marker.key(Qt.Key.Key_Left)
    assert marker.marking.proposal != proposed


@pytest.mark.long
@pytest.mark.parametrize(("scale", "closer"), [(0.1, True), (0.5, False)])
def test_marking_begins_where_words_can_be_judged_and_leaves_the_zoom_from_then_on(
    user, tmp_path: Path, scale: float, closer: bool
) -> None:
    someone = user(write_page(tmp_path))
    camera = someone.view.canvas.camera
    camera.fit_width()
    wide = camera.scale()
    camera.zoom_to(scale)
    marker = Marker(someone).proposals_are_there()
    assert camera.scale() == pytest.approx(wide if closer else scale)
    camera.zoom_to(0.1)
    marker.key(ENTER)
    assert camera.scale() == pytest.approx(0.1)

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QImageReader
from PySide6.QtTest import QTest

from madcat_studio.formats.madcat import read
from madcat_studio.gui.page import scan
from madcat_studio.gui.page.colouring import ByProblem, ByStatus, by_line
from madcat_studio.gui.page.seeing import Seeing
from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey
from madcat_studio.gui.page.thumbnails import thumbnail
from madcat_studio.gui.page.tone import PLAIN, Tone
from madcat_studio.gui.settings import SEE_COLOURS, SEEING
from madcat_studio.model.links import link
from madcat_studio.model.problem import Severity
from tests.gui.helpers import BROKEN, NORMAL, SAMPLES, TWO_PAGES, copy_sample, is_checked

SWITCHES = (
    "show-scan", "show-lines", "show-words", "show-labels", "fill", "order", "loupe", "minimap",
    "thumbnails",
)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return copy_sample(NORMAL, tmp_path)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A page without its scan, which opens faster."""
    return copy_sample(NORMAL, tmp_path, image=False)


def seeing(someone) -> Seeing:
    return next(part for part in someone.view.features if isinstance(part, Seeing))


def picture(someone) -> QImage:
    someone.view.canvas.settle_now()
    return someone.view.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def pixels(image: QImage) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()


# Tone


@pytest.mark.parametrize(
    ("tone", "black", "middle", "white"),
    [
        (PLAIN, 0, 128, 255),
        (Tone(brightness=100), 255, 255, 255),
        (Tone(brightness=-100), 0, 1, 0),
        (Tone(contrast=-100), 126, 128, 129),
        (Tone(gamma=200), 0, 181, 255),
        (Tone(gamma=50), 0, 64, 255),
    ],
)
def test_a_tone_is_what_it_says(tone: Tone, black: int, middle: int, white: int) -> None:
    table = tone.table()
    found = [int(table[0]), int(table[128]), int(table[255])]
    assert found == pytest.approx([black, middle, white], abs=3)
    assert (np.diff(table.astype(int)) >= 0).all()


def test_the_steepest_contrast_is_nearly_black_and_white() -> None:
    table = Tone(contrast=100).table()
    assert (table[:120] == 0).all()
    assert (table[136:] == 255).all()


@pytest.mark.parametrize("grey", [True, False])
def test_a_tone_changes_pixels_in_place_and_no_alpha(grey: bool) -> None:
    image = QImage(7, 3, QImage.Format.Format_RGB32)
    image.fill(QColor(40, 40, 40) if grey else QColor(10, 100, 200))
    tone = Tone(brightness=10, contrast=20, gamma=130)
    tone.apply(image, grey=grey)
    table = tone.table()
    expected = [40, 40, 40] if grey else [10, 100, 200]
    colour = image.pixelColor(6, 2)
    assert [colour.red(), colour.green(), colour.blue()] == [int(table[v]) for v in expected]
    assert colour.alpha() == 255


# Colours


def test_words_have_the_colour_of_their_line() -> None:
    shapes = PageShapes(read(SAMPLES / f"{NORMAL}.madcat.xml").document.pages[0])
    classes = by_line(shapes).classes
    for index in range(len(shapes.sets[OutlineKind.WORD])):
        line = shapes.key(OutlineKind.WORD, index).line
        assert classes[OutlineKind.WORD][index] == classes[OutlineKind.LINE][line]
    assert len(set(classes[OutlineKind.LINE].tolist())) == 6


def test_words_have_the_colour_of_their_tokens_status() -> None:
    document = read(SAMPLES / f"{NORMAL}.madcat.xml").document
    tokens = document.sections[0].segments[0].tokens
    tokens[0].status, tokens[1].status, tokens[2].ref_id = "typo", "extra", None
    shapes, links = PageShapes(document.pages[0]), link(document)

    def status_of(key: ShapeKey) -> str | None:
        found = links.tokens_of.get((0, key.line, key.word))
        if not found:
            return None
        s, g, t = found[0]
        return document.sections[s].segments[g].tokens[t].status or ""

    colouring = ByStatus(shapes, status_of).colouring()
    of = {
        name: {
            shapes.key(OutlineKind.WORD, n)
            for n in np.flatnonzero(colouring.classes[OutlineKind.WORD] == k)
        }
        for k, name in enumerate(colouring.names)
    }
    assert of["typo"] == {ShapeKey(*links.word_of[0, 0, 0][1:])}
    assert of["extra"] == {ShapeKey(*links.word_of[0, 0, 1][1:])}
    assert len(of["no token"]) == 1
    assert colouring.classes[OutlineKind.LINE].tolist() == [0, 1, 1, 1, 1, 1]


def test_outlines_have_the_colour_of_their_worst_problem() -> None:
    shapes = PageShapes(read(SAMPLES / f"{NORMAL}.madcat.xml").document.pages[0])
    worst = {ShapeKey(1): Severity.WARNING, ShapeKey(1, 2): Severity.ERROR, ShapeKey(99): "note"}
    colouring = ByProblem(shapes, worst).colouring()
    assert colouring.classes[OutlineKind.LINE].tolist() == [0, 2, 0, 0, 0, 0]
    assert np.flatnonzero(colouring.classes[OutlineKind.WORD]).tolist() == [
        shapes.index(ShapeKey(1, 2))
    ]


@pytest.mark.long
def test_colours_follow_edits_and_problems(user, tmp_path: Path) -> None:
    someone = user(copy_sample(BROKEN, tmp_path, image=False))
    someone.wait(lambda: someone.view.side.problems.model.rowCount() > 25)
    legend = seeing(someone).legend
    names = []
    for _ in SEE_COLOURS.choices:
        someone.press(Qt.Key.Key_7, Qt.KeyboardModifier.AltModifier)
        picture(someone)
        names.append([row.text().split("; ")[1] for row in legend._rows if not row.isHidden()])
    assert names[0] == names[3] == []
    assert names[1][:2] == ["no token", "token without a status"]
    assert names[2] == ["no problem", "note", "warning", "error"]
    assert someone.window.settings.get(SEE_COLOURS) == "layer"


# Everything by key, remembered


@pytest.mark.long
def test_all_that_is_set_is_remembered(user, make_window, bare: Path) -> None:
    someone = user(bare)
    commands = someone.window.commands
    before = {name: commands.named(f"page.{name}").isChecked() for name in SWITCHES}
    for name in SWITCHES:
        commands.named(f"page.{name}").trigger()
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4, Qt.Key.Key_F4, Qt.Key.Key_F5):
        someone.press(key)
    someone.press(Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert someone.view.canvas.base.tone == Tone(10, 20, 110)
    assert someone.view.canvas.base.look.opacity == 0.9
    assert (
        not commands.named("page.stronger").isEnabled() or someone.view.canvas.base.look.opacity < 1
    )
    someone.window.settings.set(SEE_COLOURS, "line")
    again = type(someone.window.settings)()
    for setting in SEEING:
        assert again.get(setting) == someone.window.settings.get(setting), setting.key
    for name in SWITCHES:
        assert commands.named(f"page.{name}").isChecked() is not before[name], name
    commands.named("page.plain").trigger()
    assert someone.view.canvas.base.tone == PLAIN
    assert someone.view.canvas.base.look.opacity == 1.0


@pytest.mark.long
def test_defaults_leave_what_is_seen(user, bare: Path) -> None:
    someone = user(bare)
    someone.press(Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    someone.window.settings.reset()
    assert someone.view.canvas.base.look.fill


@pytest.mark.long
def test_what_is_switched_on_is_seen_and_off_leaves_no_trace(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    someone.view.canvas.camera.fit_width()
    before = pixels(picture(someone))
    commands = someone.window.commands
    for name in ("fill", "order", "show-labels", "loupe", "minimap"):
        commands.named(f"page.{name}").trigger()
        assert (pixels(picture(someone)) != before).any(), name
        commands.named(f"page.{name}").trigger()
        assert (pixels(picture(someone)) == before).all(), name
    for action, back in (
        ("page.darker", "page.brighter"),
        ("page.more-contrast", "page.less-contrast"),
        ("page.more-gamma", "page.less-gamma"),
        ("page.fainter", "page.stronger"),
    ):
        commands.named(action).trigger()
        assert (pixels(picture(someone)) != before).any(), action
        commands.named(back).trigger()
        assert (pixels(picture(someone)) == before).all(), action


@pytest.mark.long
def test_a_move_with_everything_on_leaves_no_seams(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    for name in ("fill", "order", "show-labels"):
        someone.window.commands.named(f"page.{name}").trigger()
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4):
        someone.press(key)
    someone.press(Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    someone.window.settings.set(SEE_COLOURS, "line")
    canvas = someone.view.canvas
    canvas.camera.zoom_to(0.5)
    picture(someone)
    for dx, dy in ((-40, -25), (13, 7), (30, -60)):
        canvas.camera.scroll_by(dx, dy)
        canvas.viewport().repaint()
    pieces = pixels(picture(someone))
    canvas.base.invalidate_scan()
    whole = pixels(picture(someone))
    # An antialiased stroke may differ in one step where a strip begins.
    assert np.mean(pieces != whole) < 0.002


@pytest.mark.long
def test_the_order_is_drawn_past_outlines_without_points(user, tmp_path: Path) -> None:
    """A word of the page has no polygon: arrows and numbers leave it out."""
    someone = user(copy_sample(BROKEN, tmp_path, image=False))
    page = someone.view.workspace.document.pages[0]
    assert any(not word.polygon for line in page.lines for word in line.words)
    someone.view.canvas.camera.zoom_to(0.4)
    someone.view.canvas.outlines.reveal([ShapeKey(0, 1)])
    plain = pixels(picture(someone))
    someone.window.commands.named("page.order").trigger()
    assert np.any(pixels(picture(someone)) != plain)


@pytest.mark.long
def test_an_edit_moves_the_arrows_of_its_neighbours(user, bare: Path) -> None:
    someone = user(bare)
    someone.window.commands.named("page.order").trigger()
    canvas = someone.view.canvas
    canvas.camera.zoom_to(0.4)
    key = ShapeKey(2, 2)
    canvas.outlines.reveal([key])
    picture(someone)
    someone.click(someone.at(key))
    start = someone.at(key, 1)
    someone.drag(start, start + QPoint(-25, -50))
    canvas.selection.choose([])
    edited = pixels(picture(someone))
    canvas.base.invalidate_scan()
    assert np.mean(edited != pixels(picture(someone))) < 0.0005


# Turning


@pytest.mark.long
def test_gestures_are_right_on_a_turned_page(user, bare: Path) -> None:
    someone = user(bare)
    canvas, key = someone.view.canvas, ShapeKey(1, 1)
    before = someone.polygon(key)
    x, y = before[2]
    # By how far the page is turned: what a drag and an arrow key to the right do on it.
    ways = {90: ((20, -40), (0, -1)), 180: ((-40, -20), (-1, 0)), 270: ((-20, 40), (0, 1))}
    for turn, (dragged, nudged) in ways.items():
        someone.press(Qt.Key.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
        assert canvas.camera.turn == turn
        canvas.camera.fit()
        assert canvas.camera.scale() == pytest.approx(canvas.camera.fitting_scale())
        canvas.camera.zoom_to(0.5)
        canvas.outlines.reveal([key])
        canvas.selection.choose([])
        someone.click(someone.at(key))
        assert canvas.selection.key == key
        start = someone.at(key, 2)
        someone.drag(start, start + QPoint(20, 10))
        wanted = (x + dragged[0], y + dragged[1])
        assert someone.polygon(key)[2] == pytest.approx(wanted, abs=2)
        assert someone.polygon(key)[:2] == before[:2]
        someone.window.commands.named("page.undo").trigger()
        assert someone.polygon(key) == before
        canvas.selection.mark_vertices([2])
        someone.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert someone.polygon(key)[2] == (x + nudged[0], y + nudged[1])
        someone.window.commands.named("page.undo").trigger()
        assert not someone.view.workspace.dirty


@pytest.mark.long
def test_a_turned_page_shows_the_same_pixels(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    canvas = someone.view.canvas
    for kind in OutlineKind:
        canvas.outlines.set_visible(kind, False)
    canvas.camera.zoom_to(1.0)
    place = QPointF(canvas.shapes.width / 2, canvas.shapes.height / 2)
    canvas.camera.centre_on(place)
    upright = pixels(picture(someone))
    middle = canvas.camera.to_view(place).toPoint()
    r = 100
    part = upright[middle.y() - r : middle.y() + r, middle.x() - r : middle.x() + r]
    assert len(np.unique(part)) > 1
    canvas.camera.set_turn(180)
    middle = canvas.camera.to_view(place).toPoint()
    turned = pixels(picture(someone))
    other = turned[middle.y() - r : middle.y() + r, middle.x() - r : middle.x() + r]
    assert (other[::-1, ::-1] == part).all()


@pytest.mark.long
def test_each_document_keeps_its_turn(user, tmp_path: Path) -> None:
    pages = [copy_sample(name, tmp_path, image=False) for name in (NORMAL, TWO_PAGES)]
    someone = user(tmp_path)
    someone.opened(min(pages))
    someone.window.commands.named("page.turn-left").trigger()
    someone.window.open(str(max(pages)))
    someone.opened(max(pages))
    assert someone.view.canvas.camera.turn == 0
    someone.window.open(str(min(pages)))
    someone.opened(min(pages))
    assert someone.view.canvas.camera.turn == 270


@pytest.mark.long
def test_what_is_chosen_is_fitted(user, bare: Path) -> None:
    someone = user(bare)
    assert not someone.window.commands.named("page.fit-choice").isEnabled()
    someone.click(someone.at(ShapeKey(1, 1)))
    for turn in (0, 90):
        someone.view.canvas.camera.set_turn(turn)
        someone.press(Qt.Key.Key_7, Qt.KeyboardModifier.ControlModifier)
        canvas = someone.view.canvas
        left, top, right, bottom = canvas.shapes.box(ShapeKey(1, 1))
        corners = [
            canvas.camera.to_view(QPointF(x, y)) for x in (left, right) for y in (top, bottom)
        ]
        wide = max(p.x() for p in corners) - min(p.x() for p in corners)
        high = max(p.y() for p in corners) - min(p.y() for p in corners)
        room = canvas.viewport().size()
        assert max(wide / room.width(), high / room.height()) > 0.8
        assert all(canvas.viewport().rect().contains(p.toPoint()) for p in corners)


# Overlays


@pytest.mark.long
def test_the_map_shows_where_one_is_and_leads_there(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    someone.press(Qt.Key.Key_9, Qt.KeyboardModifier.AltModifier)
    minimap, canvas = seeing(someone).minimap, someone.view.canvas
    canvas.camera.zoom_to(1.0)
    for point in (QPoint(30, 40), QPoint(100, 150)):
        QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=point)
        middle = canvas.camera.to_page(QPointF(canvas.viewport().rect().center()))
        wide = point.x() / minimap.width() * canvas.shapes.width
        assert middle.x() == pytest.approx(wide, abs=30)
    canvas.camera.set_turn(90)
    seeing(someone).minimap.show_page()
    assert minimap.width() > minimap.height()
    assert canvas.viewport().rect().contains(minimap.geometry())


@pytest.mark.long
def test_the_loupe_makes_way_for_the_pointer(user, bare: Path) -> None:
    someone = user(bare)
    someone.press(Qt.Key.Key_8, Qt.KeyboardModifier.AltModifier)
    loupe = seeing(someone).loupe
    assert loupe.isVisible()
    first = loupe.geometry()
    QTest.mouseMove(someone.view.canvas.viewport(), first.center())
    someone.view.canvas.tools.pointed.emit(
        someone.view.canvas.camera.to_page(QPointF(first.center()))
    )
    assert not loupe.geometry().contains(first.center())


@pytest.mark.long
def test_the_sliders_are_there_for_the_keyboard(user, bare: Path) -> None:
    someone = user(bare)
    someone.press(Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    panel = seeing(someone).panel
    assert panel.isVisible()
    assert is_checked(someone.view, "page.picture")
    slider = panel.sliders["see.brightness"]
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    assert someone.view.canvas.base.tone == Tone(brightness=10)
    panel.colours.setCurrentIndex(1)
    assert someone.view.canvas.base.look.palette
    panel.plain.emit()
    assert slider.value() == 0
    panel.closed.emit()
    assert not is_checked(someone.view, "page.picture")


@pytest.mark.long
def test_pages_have_small_pictures_in_the_list(user, tmp_path: Path) -> None:
    copy_sample(NORMAL, tmp_path)
    copy_sample(TWO_PAGES, tmp_path, image=False)
    someone = user(tmp_path)
    someone.wait(lambda: len(seeing(someone).thumbnails._made) == 2)
    files = someone.view.files
    shown = [
        files.item(row).icon().pixmap(files.iconSize()).toImage().pixelColor(28, 36).alpha()
        for row in range(2)
    ]
    with_scan = [path.name.startswith(NORMAL) for path in files.files]
    assert [alpha == 255 for alpha in shown] == with_scan
    someone.window.commands.named("page.thumbnails").trigger()
    assert files.iconSize().isEmpty()
    assert files.item(0).icon().isNull()


def test_a_small_picture_is_not_read_from_a_mapped_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who writes such a file anew meanwhile would end the program."""
    page = copy_sample(NORMAL, tmp_path)
    mapped: list[bool] = []

    class Watched(QImageReader):
        def read(self) -> QImage:
            read = super().read()
            mapped.append(str(tmp_path) in Path("/proc/self/maps").read_text("utf-8"))
            return read

    monkeypatch.setattr("PySide6.QtGui.QImageReader", Watched)
    small = thumbnail(page, QSize(56, 72))
    assert small is not None
    assert small.height() == 72
    assert mapped == [False]


@pytest.mark.long
def test_a_large_page_gets_its_half_level_when_it_is_looked_at(
    user, page: Path, monkeypatch
) -> None:
    monkeypatch.setattr(scan, "_LARGE", 1_000_000)
    someone = user(page)
    someone.scan_is_there()
    pyramid = someone.view.canvas.base.pyramid
    someone.wait(lambda: 8 in pyramid.factors())
    assert 2 not in pyramid.factors()
    someone.view.canvas.camera.zoom_to(0.4)
    someone.wait(lambda: 2 in pyramid.factors())
    assert pyramid.best(0.4).factor == 2


@pytest.mark.long
def test_a_plan_gets_its_quarter_level_when_it_is_looked_at(user, page: Path, monkeypatch) -> None:
    monkeypatch.setattr(scan, "_LARGE", 1_000_000)
    monkeypatch.setattr(scan, "_HUGE", 1_000_000)
    image = page.with_name(page.name.replace(".madcat.xml", ".tif"))
    Image.open(image).convert("1").save(image)
    someone = user(page)
    someone.scan_is_there()
    pyramid = someone.view.canvas.base.pyramid
    someone.wait(lambda: 16 in pyramid.factors())
    assert not {2, 4} & set(pyramid.factors())
    someone.view.canvas.camera.zoom_to(0.2)
    someone.wait(lambda: 4 in pyramid.factors())
    assert (pyramid.best(0.2).factor, 2 in pyramid.factors()) == (4, False)

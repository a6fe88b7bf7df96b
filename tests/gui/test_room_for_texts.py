"""Texts have the room they need in a window of 1280 x 720: in every view, and in every dialog.

In every language, and where each text is 40 % longer and the window is mirrored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from madcat_studio.gui import translation
from madcat_studio.gui.views import VIEWS
from tests.gui.dialogs import DIALOGS, Stage, all_kinds, faces
from tests.gui.helpers import NORMAL, copy_sample
from tests.gui.measuring import Measured, longer, measure
from tests.gui.numbers import latin_numbers

SIZE = QSize(1280, 720)
LANGUAGES = ("en", "ar", "es", "fr", "longer")
MAY_BE_CUT = {"longer": 0.05}
MAY_BE_CUT_IN_A_LANGUAGE = 0.02


@pytest.fixture(params=LANGUAGES)
def language(
    request: pytest.FixtureRequest,
    spoken: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    qapp: QGuiApplication,
) -> str:
    if request.param == "longer":
        monkeypatch.setattr(translation, "_translated", longer)
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    else:
        spoken(request.param)
    return str(request.param)


def settle() -> None:
    for _ in range(3):  # what is laid out at last may be asked for by what was laid out first
        QCoreApplication.processEvents()


def looked_at(faces: Iterator[None], name: str, window: QWidget) -> Measured:
    """The texts of each of the faces; each fault with where it is."""
    total = Measured([], [], [], [])
    for _ in faces:
        settle()
        found = measure(window)
        cut = [f"{name}: {text}" for text in found.cut]
        over = [f"{name}: {text}" for text in found.over]
        total = Measured(
            total.seen + found.seen, total.cut + cut, total.over + over, total.items + found.items
        )
    return total


def rooms(window, campaign: Path, page: Path, qtbot) -> Iterator[Measured]:
    """Every view: with a campaign, a kit and a page that are open, and with all its tabs."""
    window.open(str(page))
    qtbot.waitUntil(lambda: window.front() == "page" and window.view("page").workspace is not None)
    window.open(str(campaign), view="kit", target={"editor": "blue2"})
    view = window.view("kit")
    qtbot.waitUntil(lambda: bool(view.desk_page.buttons))
    yield looked_at(iter([None]), "desk", window)
    view.desk_page.buttons[0].click()
    qtbot.waitUntil(lambda: view.kit_page.workspace is not None)
    for name in ("home", *(spec.id for spec in VIEWS)):
        window.show_view(name)
        window.message_bar.dismiss()  # it lies over the view until then
        shown = window.current_view()
        around = faces(shown, stacks=False) if shown is not None else iter([None])
        yield looked_at(around, name, window)
        for button in window.rail.buttons.values():
            assert button.sizeHint().width() <= button.width(), f"{name}: {button.text()}"


def dialogs(stage: Stage) -> Iterator[Measured]:
    """Every dialog, with all its tabs and steps."""
    for kind, make in DIALOGS.items():
        dialog = make(stage)
        dialog.show()
        yield looked_at(faces(dialog), kind.__name__, dialog)
        fits = dialog.width() <= SIZE.width() and dialog.height() <= SIZE.height()
        assert fits, f"{kind.__name__} is {dialog.size().toTuple()}"
        dialog.reject()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)


def test_every_dialog_is_among_those_that_are_measured() -> None:
    assert all_kinds() == set(DIALOGS)


@pytest.mark.long
def test_texts_have_room(
    language: str,
    make_window,
    campaign: Path,
    tmp_path: Path,
    qtbot,
    capsys,
) -> None:
    window = make_window()
    window.resize(SIZE)
    page = copy_sample(NORMAL, tmp_path / "pages", image=False)
    found = list(rooms(window, campaign, page, qtbot))
    found += dialogs(Stage(window, campaign, tmp_path, qtbot.waitUntil))
    seen = len([text for one in found for text in one.seen])
    cut = [text for one in found for text in dict.fromkeys(one.cut)]
    over = [text for one in found for text in dict.fromkeys(one.over)]
    with capsys.disabled():
        print(f"\n{language}: {seen} texts were measured; cut: {len(cut)} {cut}; over: {over}")
    assert seen > 1000
    assert len(cut) <= MAY_BE_CUT.get(language, MAY_BE_CUT_IN_A_LANGUAGE) * seen, "\n".join(cut)
    assert over == [], "\n".join(over)
    if language == "ar":
        assert wrong_numbers(found) == []


OF_THE_FILES = (
    "The bridge is 178 metres long.",
    "\u2068250\u2069",
    "K1 (600 words)",
    "K2 (590 words)",
)
"""What stands in the campaign and on the page, and what the tests ask themselves."""


def wrong_numbers(found: list[Measured]) -> list[str]:
    """Texts in Arabic whose numbers are not."""
    shown = dict.fromkeys(text for one in found for text in (*one.seen, *one.items))
    return [
        text
        for text in shown
        if latin_numbers(text) and not any(one in text for one in OF_THE_FILES)
    ]


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: QLabel("a text that was never given any room"), ["cut"]),
        (lambda: QPushButton("a text that was never given any room"), ["cut"]),
        (lambda: QLabel("short"), ["over"]),
        (lambda: QLabel(""), []),
    ],
)
def test_what_has_no_room_is_found(qtbot, make: Callable[[], QWidget], found: list[str]) -> None:
    """Too long a text in a place of its own, and a text over another one."""
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.resize(400, 200)
    other = QLabel("another text", dialog)
    other.setGeometry(0, 0, 200, 30)
    planted = make()
    planted.setParent(dialog)
    planted.setGeometry(*((0, 100, 80, 30) if found == ["cut"] else (40, 5, 80, 20)))
    dialog.show()
    measured = measure(dialog)
    kinds = ["cut"] * len(measured.cut) + ["over"] * len(measured.over)
    assert kinds == found


def test_a_wrapped_text_that_is_not_high_enough_is_found(qtbot) -> None:
    label = QLabel("a text of so many words that it needs three lines or four in this width")
    label.setWordWrap(True)
    qtbot.addWidget(label)
    holder = QDialog()
    qtbot.addWidget(holder)
    holder.resize(300, 300)
    label.setParent(holder)
    label.setGeometry(0, 0, 120, label.fontMetrics().height())
    holder.show()
    assert measure(holder).cut == [label.text()]
    label.resize(120, 200)
    assert measure(holder).cut == []


def test_longer_texts_are_longer_by_two_fifths_and_keep_their_values() -> None:
    for text in ("Save", "&File", "{name} is saved.", "Step {number} of {all}", "a <b>word</b>"):
        values = re.findall(r"\{\w*\}|<[^>]*>", text)
        plain = re.sub(r"\{\w*\}|<[^>]*>", "", text)
        made = longer(text)
        assert re.findall(r"\{\w*\}|<[^>]*>", made) == values
        assert len(made) - len(text) == round(0.4 * len(plain))

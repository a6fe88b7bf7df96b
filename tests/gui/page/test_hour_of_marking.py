"""Real work, recorded: four pages of different hands are marked from nothing, by events alone.

Somebody opens each scan with its transcript, takes what is sure with one key, looks at every other
word, takes what is right and draws what is not, finds what was taken wrongly and draws that anew,
and saves. It is counted what they press, click and drag. How long a person takes for that is
reckoned as by Card, Moran and Newell (1980): 0.28 s a key or button, 1.1 s to point, 1.35 s to look
and decide, once a page for what is taken as sure, 0.15 s for each of its words to glance over it.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from benchmarks.ink_truth import RIGHT, Outline, TruePage, shares
from benchmarks.made_hands import make, polygons
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.marking.feature import MarkingFeature
from madcat_studio.model.links import link
from madcat_studio.operations.pages.new_page import new_page
from tests.gui.helpers import PageUser

PAGES = (("stains", 0), ("columns", 1), ("latin", 2), ("touching", 0))
"""Kinds and seeds: hands Tajawal, Cairo, Indie Flower, and Tajawal with words that touch."""
KEY, POINT, DECIDE, GLANCE = 0.28, 1.1, 1.35, 0.15
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ENTER = Qt.Key.Key_Return
CORNERS = 6


class Hand:
    """Whoever marks: knows where each word's ink is, and has a keyboard and a mouse."""

    def __init__(self, someone: PageUser, qtbot: object, truth: TruePage, hulls: list[Outline]):
        self.someone, self.view, self._bot = someone, someone.view, qtbot
        self.truth, self.hulls = truth, hulls
        self.done: Counter[str] = Counter()
        [self.feature] = [one for one in self.view.features if isinstance(one, MarkingFeature)]

    @property
    def marking(self):
        return self.feature.marking

    def wait(self, condition) -> None:
        self._bot.waitUntil(condition, timeout=120_000)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        self.done["keys"] += 1
        QTest.keyClick(self.view.canvas, key, modifiers)

    def at(self, point: tuple[float, float]) -> QPoint:
        return self.view.canvas.camera.to_view(QPointF(*point)).toPoint()

    def click(self, point: tuple[float, float], modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        self.done["clicks"] += 1
        viewport = self.view.canvas.viewport()
        QTest.mouseMove(viewport, self.at(point))
        QTest.mouseClick(viewport, LEFT, modifiers, self.at(point))

    def frame(self, number: int) -> None:
        """Drag a frame around a word."""
        self.done["drags"] += 1
        xs, ys = zip(*self.hulls[number], strict=True)
        self.someone.drag(self.at((min(xs) - 4, min(ys) - 4)), self.at((max(xs) + 4, max(ys) + 4)))

    def is_right(self, number: int, outline: Outline) -> bool:
        """Whether an outline holds a word's ink and hardly any other."""
        proposed: list[Outline] = [()] * len(self.truth.texts)
        proposed[number] = outline
        return shares(self.truth, proposed)[number] >= RIGHT

    def outline_of(self, number: int) -> Outline:
        """What the document has for a word; empty where it has none."""
        place = self.marking.tokens[number]
        word = self.marking.links.word_of.get(place)
        if word is None:
            return ()
        page, line, at = word
        return self.view.workspace.document.pages[page].lines[line].words[at].polygon

    def draw(self, number: int) -> None:
        """Draw the current word: a frame, and where that takes in others' ink its corners."""
        self.frame(number)
        if self.is_right(number, self.outline_of(number)):
            return
        self.marking.choose(self.marking.tokens[number])
        self.done["keys"] += 1  # Backspace leads there
        for corner in few_corners(self.hulls[number]):
            self.click(corner)
        self.press(ENTER)

    def mark(self) -> None:
        """The whole page, from nothing."""
        self.press_action("page.mark")
        self.wait(lambda: self.marking is not None and self.marking.writing is not None)
        self.press(Qt.Key.Key_A)
        self.done["glanced"] += len(self.marking.tokens) - self.marking.left()
        self.done["decisions"] += 1
        while (current := self.marking.current) is not None and self.marking.left():
            number = self.marking.tokens.index(current)
            if self.outline_of(number):
                self.press(Qt.Key.Key_N)
                continue
            self.done["decisions"] += 1
            if self.is_right(number, self.marking.proposal):
                self.press(ENTER)
            else:
                self.draw(number)
        for number in range(len(self.hulls)):
            if not self.is_right(number, self.outline_of(number)):
                self.done["found wrong"] += 1
                self.done["decisions"] += 1
                self.done["clicks"] += 1  # on its token in the side panel
                self.feature._choose(self.marking.tokens[number])
                self.draw(number)
        self.press_action("page.save")
        self.wait(lambda: not self.view.is_modified())

    def press_action(self, name: str) -> None:
        """An action by its keys: one press of them."""
        self.done["keys"] += 1
        self.someone.window.commands.named(name).trigger()


def few_corners(hull: Outline) -> list[tuple[float, float]]:
    """A hull with so many corners as somebody clicks: those go that cut off least."""
    points = [(float(x), float(y)) for x, y in hull]
    while len(points) > CORNERS:

        def area(at: int, points: list[tuple[float, float]] = points) -> float:
            (ax, ay), (bx, by) = points[at - 1], points[at]
            cx, cy = points[(at + 1) % len(points)]
            return abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))

        points.pop(min(range(len(points)), key=area))
    middle = np.mean(points, axis=0)
    # A little outside, as a hand does it.
    return [tuple(middle + (np.array(point) - middle) * 1.04) for point in points]


@pytest.mark.soak
def test_four_pages_of_different_hands_are_marked_from_nothing(
    user, qtbot, tmp_path: Path, record_property
) -> None:
    total: Counter[str] = Counter()
    words = right = 0
    began = time.perf_counter()
    for kind, seed in PAGES:
        made = make(kind, seed)
        scan = tmp_path / f"{kind}{seed}.tif"
        made.image.save(scan, dpi=(made.dpi, made.dpi), compression="tiff_lzw")
        text = tmp_path / f"{kind}{seed}.txt"
        text.write_text(" ".join(made.texts) + "\n", encoding="utf-8")
        path = new_page(scan, text)
        labels = np.where(made.labels > 0, made.labels, 0).astype(np.int32)
        truth = TruePage(made.texts, scan, made.labels != 0, labels=labels)
        outlines = polygons(made)
        someone = user(path)
        qtbot.waitUntil(lambda s=someone: s.view.scan.image is not None, timeout=60_000)
        someone.view.canvas.camera.fit_width()
        hand = Hand(someone, qtbot, truth, [outlines[word.label] for word in made.words])
        hand.mark()
        # What is on the disk: every word linked to its own token, in its ink.
        document = read(path).document
        found = link(document).word_of
        lying = [document.pages[p].lines[n].words[k].polygon for p, n, k in found.values()]
        assert len(lying) == len(made.words)
        good = sum(share >= RIGHT for share in shares(truth, lying))
        actions = hand.done["keys"] + hand.done["clicks"] + hand.done["drags"]
        record_property(
            f"{kind}, {len(made.words)} words",
            f"{actions} actions, {actions / len(made.words):.2f} a word; right in the end {good}",
        )
        words, right = words + len(made.words), right + good
        total += hand.done
        someone.window.close()
    actions = total["keys"] + total["clicks"] + total["drags"]
    reckoned = (
        KEY * (total["keys"] + total["clicks"] + 2 * total["drags"])
        + POINT * (total["clicks"] + 2 * total["drags"])
        + DECIDE * total["decisions"]
        + GLANCE * total["glanced"]
    )
    record_property("words", words)
    record_property("actions", actions)
    record_property("of these", {name: total[name] for name in ("keys", "clicks", "drags")})
    record_property("looks that decide", total["decisions"])
    record_property("taken as sure and wrong", total["found wrong"])
    record_property("reckoned minutes of a person", round(reckoned / 60, 1))
    record_property("seconds of the machine", round(time.perf_counter() - began))
    assert right >= 0.98 * words
    assert actions <= 1.5 * words
    assert total["found wrong"] <= 0.02 * words

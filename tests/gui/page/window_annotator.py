"""A page is edited in the real window until it is killed: ``window_annotator.py SEED [PAGE]``.

Without PAGE the window brings back what the killed one before it had open. It first says what it
shows; then, before each gesture, which one comes, and after it what the document is: whoever has
read that may count on finding it again.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from copy import deepcopy
from dataclasses import replace

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from madcat_studio.edits import MoveWord, SetTokenStatus, SetTranslation
from madcat_studio.gui.app import make_application, make_window
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import OutlineKind
from madcat_studio.gui.page.tools.dragging import DragVertices
from madcat_studio.gui.page.view import PageView
from madcat_studio.model.document import Document

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
GESTURES = {
    "drag": 6,
    "hold": 4,
    "nudge": 5,
    "delete": 2,
    "text": 3,
    "move": 2,
    "undo": 5,
    "redo": 3,
    "history": 1,
    "save": 1,
    "draft": 12,
    "link": 1,
    "mark": 1,
    "finish": 2,
}
"""What is done, and how often."""
STROKES = ("freehand", "order", "rectangle", "cut", "brush", "erase")
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def digest(document: Document) -> str:
    """Everything that a document says, whichever file it was read from."""
    pages = [
        replace(
            page,
            origin=None,
            lines=[
                replace(
                    line, origin=None, words=[replace(word, origin=None) for word in line.words]
                )
                for line in page.lines
            ],
        )
        for page in document.pages
    ]
    sections = [
        replace(
            section,
            origin=None,
            segments=[
                replace(
                    segment, origin=None, tokens=[replace(t, origin=None) for t in segment.tokens]
                )
                for segment in section.segments
            ],
        )
        for section in document.sections
    ]
    plain = replace(document, origin=None, pages=pages, sections=sections)
    return hashlib.sha256(repr(plain).encode()).hexdigest()


class Annotator:
    """Somebody who edits without thinking."""

    def __init__(self, view: PageView, seed: int) -> None:
        self.view = view
        self.chance = random.Random(seed)
        self.waits = False
        self.held_at: QPoint | None = None

    def gesture(self) -> None:
        """One edit, undo, redo, walk through the history or save."""
        if self.waits:
            return
        self.let_go()
        act = self.chance.choices(list(GESTURES), list(GESTURES.values()))[0]
        if act in ("drag", "hold", "nudge", "delete"):
            self.view.put_tool_away()  # whatever is begun waits
        tools, name = self.view.canvas.tools, act
        if (act == "undo" and tools.unfinished) or (act == "redo" and tools.taken_back):
            name = "draft"
        self.say("will", name)
        getattr(self, act)()
        self.say("did", self.state(), self.drafts())

    def say(self, *words: object) -> None:
        print(json.dumps(words), flush=True)

    def state(self) -> str:
        workspace = self.view.workspace
        assert workspace is not None
        held = workspace.held.edit
        if held is None:
            return digest(workspace.document)
        # A kill lets go of what the hand holds, where it is.
        copy = deepcopy(workspace.document)
        held.apply(copy)
        return digest(copy)

    def drafts(self) -> list[object]:
        """What is begun, by page and name."""
        workspace = self.view.workspace
        assert workspace is not None
        drafts = workspace.drafts
        return sorted(
            [*key, [list(point) for point in drafts.points(key)], key == (-1, "link")]
            for key in drafts.begun()
        )

    def states(self) -> list[str]:
        """What the document is, was a step before, and would be a step later ("" where none)."""
        workspace = self.view.workspace
        assert workspace is not None
        at, found = workspace.position, [self.state()]
        for there in (at - 1, at + 1):
            inside = 0 <= there <= workspace.history.count
            workspace.go_to(there if inside else at)
            found.append(self.state() if inside else "")
            workspace.go_to(at)
        return found

    def choose(self) -> int:
        """Choose a word by a click; how many vertices it has."""
        canvas = self.view.canvas
        assert canvas.shapes is not None
        key = canvas.shapes.key(
            OutlineKind.WORD, self.chance.randrange(len(canvas.shapes.sets[OutlineKind.WORD]))
        )
        canvas.outlines.reveal([key], zoom=True)
        canvas.selection.choose([key])
        return len(canvas.shapes.points(key))

    def drag(self) -> None:
        end = self.begin_drag()
        if end is not None:
            QTest.mouseRelease(self.view.canvas.viewport(), LEFT, PLAIN, end)

    def hold(self) -> None:
        """A drag whose end is not yet: it counts once it is kept."""
        self.held_at = self.begin_drag()
        self.waits = True
        while self.held_at is not None and self.drag_is_young():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        self.waits = False

    def drag_is_young(self) -> bool:
        """Whether where the hand is waits to be kept."""
        gesture = self.view.canvas.tools._gesture
        return isinstance(gesture, DragVertices) and gesture._soon.isActive()

    def let_go(self) -> None:
        """End what is held, where it is."""
        if self.held_at is not None:
            QTest.mouseRelease(self.view.canvas.viewport(), LEFT, PLAIN, self.held_at)
        self.held_at = None

    def begin_drag(self) -> QPoint | None:
        count, canvas = self.choose(), self.view.canvas
        if canvas.selection.key is None or canvas.shapes is None or not count:
            return None
        x, y = canvas.shapes.points(canvas.selection.key)[self.chance.randrange(count)].tolist()
        start = canvas.camera.to_view(QPointF(x, y)).toPoint()
        end = start + QPointF(self.chance.randint(-25, 25), self.chance.randint(5, 25)).toPoint()
        QTest.mousePress(canvas.viewport(), LEFT, PLAIN, start)
        for place in ((start + end) / 2, end):
            self.move_mouse(place)
        return end

    def move_mouse(self, place: QPoint) -> None:
        viewport = self.view.canvas.viewport()
        QApplication.sendEvent(
            viewport,
            QMouseEvent(
                QEvent.Type.MouseMove,
                QPointF(place),
                QPointF(viewport.mapToGlobal(place)),
                Qt.MouseButton.NoButton,
                LEFT,
                PLAIN,
            ),
        )

    def nudge(self) -> None:
        if not self.choose():
            return
        QTest.keyClick(self.view.canvas, Qt.Key.Key_V)
        QTest.keyClick(self.view.canvas, Qt.Key.Key_Left, CTRL)

    def delete(self) -> None:
        if self.choose() > 3:
            QTest.keyClick(self.view.canvas, Qt.Key.Key_V)
            QTest.keyClick(self.view.canvas, Qt.Key.Key_Delete)

    def text(self) -> None:
        workspace = self.view.workspace
        assert workspace is not None
        segments = workspace.document.sections[0].segments
        number = self.chance.randrange(len(segments))
        if self.chance.random() < 0.5:
            text = f"كلمة {self.chance.random()}"
            self.view.execute(SetTranslation(0, number, text))
        elif segments[number].tokens:
            token = self.chance.randrange(len(segments[number].tokens))
            self.view.execute(SetTokenStatus(0, number, token, self.chance.choice(["typo", ""])))

    def move(self) -> None:
        workspace = self.view.workspace
        assert workspace is not None
        lines = workspace.document.pages[0].lines
        full = [number for number, line in enumerate(lines) if len(line.words) > 1]
        line = self.chance.choice(full)
        word = self.chance.randrange(len(lines[line].words))
        other = self.chance.randrange(len(lines))
        self.view.execute(MoveWord(0, line, word, other, 0))

    def place(self) -> QPoint:
        size = self.view.canvas.viewport().size()
        return QPoint(
            self.chance.randint(40, size.width() - 40), self.chance.randint(40, size.height() - 40)
        )

    def draft(self) -> None:
        """One step of something that is begun: a corner, or a part of a stroke."""
        toolbox, canvas = self.view.features.toolbox, self.view.canvas
        if self.view.features.marking.is_on:
            self.corner()
        elif self.chance.random() < 0.4:
            toolbox.take("polygon")
            self.corner()
        elif canvas.tools.tool.name in STROKES:
            self.move_mouse(self.place())
        else:
            tool = self.chance.choice(STROKES)
            if tool in ("brush", "erase"):
                self.choose()  # what is painted
            toolbox.take(tool)
            QTest.mousePress(canvas.viewport(), LEFT, PLAIN, self.place())

    def corner(self) -> None:
        """A click that ends nothing: not beside the first corner."""
        canvas, place = self.view.canvas, self.place()
        corners = canvas.tools.begun.points(canvas.tools.tool.name)
        first = canvas.camera.to_view(corners[0]).toPoint() if corners else QPoint()
        if (place - first).manhattanLength() > 40:
            QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, place)

    def mark(self) -> None:
        """Begin to mark, which makes tokens where there are none, or end it."""
        self.view.features.marking.toggle()

    def link(self) -> None:
        """Half of a link, for the token of whichever word."""
        self.view.put_tool_away()
        self.choose()
        self.view.canvas.selection.clear()
        self.view.features.tokens.begin_linking()

    def finish(self) -> None:
        QTest.keyClick(self.view.canvas, Qt.Key.Key_Return)

    def undo(self) -> None:
        QTest.keyClick(self.view.window(), Qt.Key.Key_Z, CTRL)

    def redo(self) -> None:
        QTest.keyClick(self.view.window(), Qt.Key.Key_Z, CTRL | SHIFT)

    def history(self) -> None:
        workspace = self.view.workspace
        assert workspace is not None
        workspace.go_to(self.chance.randint(0, workspace.history.count))

    def save(self) -> None:
        QTest.keyClick(self.view.window(), Qt.Key.Key_S, CTRL)


def accept(dialog: LinkDialog) -> QDialog.DialogCode:
    """A question is answered at once: the first answer."""
    dialog.accept()
    return QDialog.DialogCode.Accepted


def main(seed: int, page: str | None) -> None:
    LinkDialog.exec = accept  # type: ignore[method-assign, assignment]
    application = make_application()
    window = make_window(application, location=page)

    def shown() -> bool:
        view = window.view("page")
        return isinstance(view, PageView) and view.workspace is not None

    while not shown():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    view = window.view("page")
    assert isinstance(view, PageView)
    assert view.workspace is not None
    annotator = Annotator(view, seed)
    message = window.message_bar.message
    told = message.code if message is not None else ""
    begun = annotator.drafts()
    annotator.say("shows", *annotator.states(), view.workspace.dirty, told, begun)
    timer = QTimer()
    timer.timeout.connect(annotator.gesture)
    timer.start(3)
    application.exec()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)

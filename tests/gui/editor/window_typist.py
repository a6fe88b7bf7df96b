"""The real window, typed into until it is killed: ``window_typist.py CAMPAIGN SEED``.

Before each key it says what it is about to do, and after it what all texts are on the screen, how
many letters were struck and for how long the kit is open:
whoever has read that may count on finding them again.
"""

from __future__ import annotations

import json
import random
import sys
import time

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.app import make_application, make_window
from madcat_studio.gui.editor.view import KitView


def main(where: str, seed: int) -> None:
    chance = random.Random(seed)
    application = make_application()
    window = make_window(application, location=where)
    wait = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
    while not isinstance(window.current_view(), KitView):
        QApplication.processEvents(wait)
    view = window.current_view()
    assert isinstance(view, KitView)
    desk, page = view.desk_page, view.kit_page
    row = desk.who.findData("red1")
    desk.who.setCurrentIndex(row)
    desk.who.activated.emit(row)
    while not desk.buttons:
        QApplication.processEvents(wait)
    desk.buttons[0].click()
    while page.workspace is None:
        QApplication.processEvents(wait)
    kit = page.workspace
    keys, began = 0, time.monotonic()

    def strike() -> None:
        nonlocal keys
        action = chance.random()
        undoing = 0.8 <= action < 0.87
        letter = chance.choice("abcdef ,.")
        print(json.dumps(["will", kit.current, letter, undoing]), flush=True)
        if action < 0.8:
            QTest.keyClicks(page.box, letter)
            # Where the system gave nothing there is no box to type into.
            keys += bool(kit.segments[kit.current].output)
        elif undoing:
            QTest.keyClick(page.box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        elif action < 0.94:
            view.confirm()
        else:
            page.side.chosen.emit(chance.randrange(len(kit.segments)))
        texts = [kit.own(index).text for index in range(len(kit.segments))]
        print(json.dumps(["did", texts, keys, time.monotonic() - began]), flush=True)

    timer = QTimer()
    timer.timeout.connect(strike)
    timer.start(3)
    application.exec()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

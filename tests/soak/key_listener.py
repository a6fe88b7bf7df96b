"""A window that says which action a key means and does none: ``key_listener.py PAGE``.

It prints the number of its window and every action that has keys, then reads ids, one a line: that
action can be used from then on, and no other with the same keys, as where one of two is at hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QSocketNotifier

from madcat_studio.gui.app import make_application, make_window
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.view import PageView


def say(*words: object) -> None:
    print(json.dumps(words), flush=True)


def telling(action: Action[Any]) -> Action[Any]:
    """The same, which says its name and does nothing."""
    return action._replace(run=lambda _: say("ran", action.id))


def main(page: str) -> None:
    application = make_application()
    window = make_window(application, location=page)
    window.show()
    while not (isinstance(view := window.view("page"), PageView) and view.workspace):
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    commands = window.commands
    actions = {action.id: action for action in commands.declared()}
    wanted = [""]

    def can(identifier: str) -> bool:
        keys = set(actions[wanted[0]].shortcut) if wanted[0] in actions else set()
        return identifier == wanted[0] or not keys & set(actions[identifier].shortcut)

    for identifier, action in commands._declared.items():
        commands._declared[identifier] = telling(action)._replace(
            enabled=lambda _, one=identifier: can(one)
        )
    own = view.canvas.tools.keys
    of_event = own.action
    own.action = lambda event: None if (found := of_event(event)) is None else telling(found)

    def hear() -> None:
        wanted[0] = sys.stdin.readline().strip()
        view.canvas.setFocus()
        commands.refresh()
        say("ready", wanted[0])

    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(hear)
    view.canvas.setFocus()
    page_actions = [a for a in actions.values() if a.id.startswith("page.") and a.shortcut]
    say("window", int(window.winId()), {a.id: a.shortcut for a in page_actions})
    application.exec()


if __name__ == "__main__":
    main(str(Path(sys.argv[1])))

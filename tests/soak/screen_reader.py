"""What a screen reader does, under the system's Python with pyatspi: ``screen_reader.py PID``.

It finds the program that runs with this number, walks through its window over the accessibility
bus, types and presses through it as well, and prints what it was told as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyatspi  # these two come with the system, not with the project
from gi.repository import GLib

PATIENCE = 60.0
VISIBLE = pyatspi.STATE_VISIBLE


def wait(ready: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if found := ready():
                return found
        except (LookupError, NotImplementedError, RuntimeError):
            pass  # it was made anew meanwhile
        time.sleep(0.1)
    raise TimeoutError("what was waited for did not come")


def below(thing: Any) -> Iterator[Any]:
    yield thing
    for number in range(thing.childCount):
        child = thing.getChildAtIndex(number)
        if child is not None:
            yield from below(child)


def find(within: Any, role: str, name: str) -> Any:
    for one in below(within):
        if one.getRoleName() == role and one.name == name and one.getState().contains(VISIBLE):
            return one
    return None


def program(number: int) -> Any:
    desktop = pyatspi.Registry.getDesktop(0)
    for at in range(desktop.childCount):
        one = desktop.getChildAtIndex(at)
        if one is not None and one.get_process_id() == number and one.childCount:
            return one
    return None


def listened() -> bool:
    """Let the events come in that are there."""
    context = GLib.MainContext.default()
    while context.pending():
        context.iteration(False)
    return True


def text_of(thing: Any) -> str:
    text = thing.queryText()
    return str(text.getText(0, text.characterCount))


def children(thing: Any) -> list[str]:
    thing.clear_cache()
    return [thing.getChildAtIndex(number).name for number in range(thing.childCount)]


def main(number: int) -> None:
    told: dict[str, object] = {}
    application = wait(lambda: program(number))
    reference = wait(lambda: find(application, "text", "Reference"))
    told["reference"] = text_of(reference)
    told["word"] = reference.queryText().getTextAtOffset(5, pyatspi.TEXT_BOUNDARY_WORD_START)[0]
    told["output"] = text_of(find(application, "text", "Output"))
    rows = find(application, "list", "Segments of the kit")
    told["rows"] = [[one.name, one.description] for one in list(below(rows))[1:]]

    heard: list[str] = []

    def listen(event: Any) -> None:
        heard.append(event.any_data if isinstance(event.any_data, str) else event.source.name)

    pyatspi.Registry.registerEventListener(listen, "object:property-change:accessible-description")
    box = find(application, "text", "Your text")
    box.queryEditableText().setTextContents("The mayor opened the new bridge on Monday.")
    changes = find(application, "list", "What changed")
    wait(lambda: len(children(changes)) == 1)
    told["changes"] = children(changes)
    wait(lambda: listened() and any("moved" in one for one in heard))
    told["heard"] = next(one for one in heard if "moved" in one)
    moved = changes.getChildAtIndex(0)
    place = moved.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    told["has a place"] = place.width > 0 and place.height > 0
    action = moved.queryAction()
    told["action"] = action.getName(0)
    action.doAction(0)
    wait(lambda: not children(changes))
    told["after pressing"] = text_of(box)
    print(json.dumps(told, ensure_ascii=False))


if __name__ == "__main__":
    main(int(sys.argv[1]))

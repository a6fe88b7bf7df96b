"""What can be done with tokens, as data."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host(
        "page.edit-token",
        mark("&Text of the token"),
        "page",
        ("F2",),
        section=3,
        hint=mark("Edit what the chosen token says"),
    ),
    by_host(
        "page.edit-texts",
        mark("Texts of the segment…"),
        "page",
        ("Shift+F2",),
        section=3,
        hint=mark("Edit transcription and translation of the chosen segment"),
    ),
    by_host(
        "page.link",
        mark("Lin&k token and word"),
        "page",
        ("Ctrl+L",),
        "link",
        section=3,
        hint=mark("Then click the word on the page, or the token where a word is chosen"),
    ),
    by_host(
        "page.unlink",
        mark("&Unlink the token"),
        "page",
        ("Ctrl+U",),
        "unlink",
        section=3,
        hint=mark("The token keeps its text and has no word on the page any more"),
    ),
    by_host(
        "page.add-token",
        mark("Add a token after it"),
        "page",
        ("Ctrl+Ins",),
        section=3,
        hint=mark("A new token behind the chosen one, without a word"),
    ),
    by_host(
        "page.remove-token",
        mark("Remove the token"),
        "page",
        ("Ctrl+Del",),
        section=3,
        hint=mark("The token goes; its word stays on the page"),
    ),
)

KEYS: tuple[Key, ...] = (
    Key(mark("Click in a transcription"), mark("choose the token of that word, and its outline")),
    Key(mark("Enter in a token's box"), mark("keep the text; the keys go back to the tokens")),
    Key(mark("Ctrl and Enter there"), mark("keep it and go on to the next token")),
)

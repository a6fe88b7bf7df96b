"""What can be done with tokens, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "KEYS"]

tokens = page_actions()

tokens(
    "edit-token",
    mark("&Text of the token"),
    "page",
    ("F2",),
    section=3,
    hint=mark("Edit what the chosen token says"),
    run=lambda view: view.features.tokens.edit_text(),
    enabled=lambda view: view.features.tokens.has_token,
)

tokens(
    "edit-texts",
    mark("Texts of the segment…"),
    "page",
    ("Shift+F2",),
    section=3,
    hint=mark("Edit transcription and translation of the chosen segment"),
    run=lambda view: view.features.tokens.edit_texts(),
    enabled=lambda view: view.features.tokens.has_segment,
)

tokens(
    "link",
    mark("Lin&k token and word"),
    "page",
    ("Ctrl+L",),
    "link",
    section=3,
    hint=mark("Then click the word on the page, or the token where a word is chosen"),
    run=lambda view: view.features.tokens.begin_linking(),
    enabled=lambda view: view.features.tokens.can_link,
)

tokens(
    "unlink",
    mark("&Unlink the token"),
    "page",
    ("Ctrl+U",),
    "unlink",
    section=3,
    hint=mark("The token keeps its text but loses its word on the page"),
    run=lambda view: view.features.tokens.unlink(),
    enabled=lambda view: view.features.tokens.is_linked,
)

tokens(
    "add-token",
    mark("Add a token after it"),
    "page",
    ("Ctrl+Ins",),
    section=3,
    hint=mark("A new token after the chosen one, without a word"),
    run=lambda view: view.features.tokens.add_token(),
    enabled=lambda view: view.features.tokens.has_token,
)

tokens(
    "remove-token",
    mark("Remove the token"),
    "page",
    ("Ctrl+Del",),
    section=3,
    hint=mark("The token goes; its word stays on the page"),
    run=lambda view: view.features.tokens.remove_token(),
    enabled=lambda view: view.features.tokens.has_token,
)

ACTIONS: tuple[Action[PageView], ...] = tuple(tokens)

KEYS: tuple[Key, ...] = (
    Key(mark("Click in a transcription"), mark("choose the token of that word, and its outline")),
    Key(mark("Enter in a token's box"), mark("keep the text; the keys go back to the tokens")),
    Key(mark("Ctrl and Enter there"), mark("keep it and go on to the next token")),
)

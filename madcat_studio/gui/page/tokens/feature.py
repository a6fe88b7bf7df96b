"""Tokens beside the page: edited in boxes, linked to words, lit in the transcription."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QSplitter, QVBoxLayout

from madcat_studio.edits import (
    AddToken,
    CompositeEdit,
    Edit,
    LinkToken,
    RemoveToken,
    SetScribeError,
    SetTokenStatus,
    SetTokenText,
    TokenValue,
)
from madcat_studio.errors import InputError
from madcat_studio.gui import fonts
from madcat_studio.gui.beside import put_beside
from madcat_studio.gui.page.begun import LINK
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.tokens.editor import TokenEditor
from madcat_studio.gui.page.tokens.linking import LinkTool
from madcat_studio.gui.page.tokens.remembered import known_statuses, remember_status
from madcat_studio.gui.page.tokens.texts import TextsDialog
from madcat_studio.gui.translation import tr
from madcat_studio.model.change import Change
from madcat_studio.model.characters import remove_forbidden
from madcat_studio.model.document import Document, Token, TokenError
from madcat_studio.model.freshids import fresh_token_id
from madcat_studio.model.links import TokenIndex, WordIndex, link

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["TokenFeature"]


class TokenFeature(Feature):
    """Edits the token that is chosen in the list.

    Attributes:
        editor: the boxes below the tokens.
    """

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        side = view.side
        self.editor = TokenEditor()
        box = side.token_list.parentWidget()
        layout = box.layout() if box is not None else None
        assert box is not None
        assert isinstance(layout, QVBoxLayout)
        layout.addWidget(self.editor)
        splitter = box.parentWidget()
        if isinstance(splitter, QSplitter):
            splitter.setSizes([400, 400])
        self._token: TokenIndex | None = None
        self._statuses: list[str] | None = None
        self._begun = view.canvas.tools.begun
        self._begun.changed.connect(self._on_begun)
        self._tool = LinkTool(view.canvas.tools, self._take_word, self._stop_linking)
        side.token_list.selectionModel().currentChanged.connect(lambda *_: self._show())
        # Not while one walks over the tokens: only what is clicked, or taken with Enter.
        side.token_list.clicked.connect(self._on_taken)
        side.token_list.activated.connect(self._on_taken)
        # After the click has chosen the segment, which chooses none of its tokens.
        side.segment_delegate.word_chosen.connect(
            self._on_transcription, Qt.ConnectionType.QueuedConnection
        )
        view.choice.changed.connect(self._show)
        self.editor.text_given.connect(self._on_text)
        self.editor.status_given.connect(self._on_status)
        self.editor.error_given.connect(self._on_error)
        self.editor.left.connect(self._on_left)

    # As a feature of the view

    @property
    def has_token(self) -> bool:
        """Whether a token is chosen; a new document is asked before its first is shown."""
        document = self._document()
        return document is not None and self._token is not None and _is_there(document, self._token)

    @property
    def is_linked(self) -> bool:
        """Whether the chosen token has a word."""
        document, token = self._document(), self._token
        return (
            document is not None
            and token is not None
            and self.has_token
            and bool(_token(document, token).ref_id)
        )

    @property
    def has_segment(self) -> bool:
        """Whether a segment is chosen."""
        return self.view.side.segment_list.currentIndex().isValid()

    @property
    def can_link(self) -> bool:
        """Whether there is a token or a word to begin with."""
        begun = self._begun.has(LINK)
        return begun or self._token is not None or self._chosen_word() is not None

    def edit_text(self) -> None:
        """The keyboard to the text of the chosen token."""
        self.view.side.bring()
        self.editor.edit_text()

    def unlink(self) -> None:
        """Take the chosen token's word away from it."""
        if self._token is not None:
            self.view.execute(LinkToken(*self._token, ""))

    def document_shown(self) -> None:
        """Say what is wrong with the files beside it."""
        self._token = self._statuses = None
        self._put_tool_away()
        workspace = self.view.workspace
        if workspace is not None and workspace.trouble is not None:
            trouble, workspace.trouble = workspace.trouble, None
            self.view.shell.show_error(trouble)

    def page_shown(self) -> None:
        """Nothing is chosen on another page unless its token is."""
        self._show()
        if self._begun.resume([LINK]):
            self._go_on()

    def changed(self, change: Change) -> None:
        """The lists were made anew: the token that was chosen still is."""
        token, document = self._token, self._document()
        side = self.view.side
        if change.structure or change.segments:
            self._statuses = None
        if document is None or token is None or change == Change():
            return
        section, segment, number = token
        if change.structure or change.segments:
            there = section < len(document.sections) and segment < len(
                document.sections[section].segments
            )
            if not there:
                self._token = None
            else:
                tokens = len(document.sections[section].segments[segment].tokens)
                side.mark_segment((section, segment))
                self.view.choice.show_tokens((section, segment))
                side.mark_token(min(number, tokens - 1) if tokens else None)
        self._show()

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        self.editor.apply_theme(fonts.arabic(self.view.shell.settings))
        self._show()

    def shut_down(self) -> None:
        """Keep what stands in the box."""
        focus = self.editor.focusWidget()
        if focus is not None:
            focus.clearFocus()

    # What is shown

    def _document(self) -> Document | None:
        return self.view.workspace.document if self.view.workspace is not None else None

    def _show(self) -> None:
        side, document = self.view.side, self._document()
        row = side.token_list.currentIndex().row()
        before = self._token
        if document is None or not 0 <= row < side.token_model.rowCount():
            self._token = None
            side.segment_delegate.mark(None)
            self.editor.show_token(None, None, (), ())
            if before is not None:
                self.view.state_changed.emit()
            return
        self._token = place = side.token_model.place(row)
        token = _token(document, place)
        if self._statuses is None:
            self._statuses = known_statuses(
                document, self.view.choice.links.statuses, self.view.shell.settings
            )
        statuses = self._statuses
        error = document.scribe_errors.get(_name(document, place))
        self.editor.show_token(token, error, statuses, statuses)
        side.segment_delegate.mark(place)
        if place != before:
            side.segment_list.viewport().update()
            self.view.state_changed.emit()

    # What the boxes give

    def _on_text(self, text: str) -> None:
        token = self._token
        if token is None:
            return
        clean, removed = remove_forbidden(text)
        self._tell_removed(removed)
        self.view.execute(SetTokenText(*token, clean))
        self._show()

    def _tell_removed(self, removed: Sequence[str]) -> None:
        if removed:
            self.view.shell.messages.info(
                tr(
                    "These characters cannot be stored in a file and were left out: {which}",
                    which=", ".join(removed),
                )
            )

    def edit_texts(self) -> None:
        """Edit transcription and translation of the segment that is marked."""
        document, side = self._document(), self.view.side
        index = side.segment_list.currentIndex()
        if document is None or not index.isValid():
            return
        section, number = place = side.segment_model.place(index.row())
        segment = document.sections[section].segments[number]
        settings = self.view.shell.settings
        dialog = TextsDialog(
            segment, fonts.arabic(settings), fonts.english(settings), self.view.widget
        )
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        edit, removed = dialog.edit(place) if accepted else (None, ())
        dialog.deleteLater()
        self._tell_removed(removed)
        if edit is not None:
            self.view.execute(edit)

    def _on_status(self, status: str) -> None:
        if self._token is not None and self.view.execute(SetTokenStatus(*self._token, status)):
            remember_status(status)
            self._statuses = None
        self._show()

    def _on_error(self, error: TokenError) -> None:
        if self._token is None:
            return
        edit = SetScribeError(*self._token, error.error, error.written, error.intended)
        if self.view.execute(edit):
            remember_status(error.error)
            self._statuses = None
        self._show()

    def _on_left(self, further: bool) -> None:
        tokens = self.view.side.token_list
        if not further:
            tokens.setFocus()
            return
        row = tokens.currentIndex().row() + 1
        if row < self.view.side.token_model.rowCount():
            tokens.setCurrentIndex(self.view.side.token_model.index(row))
            self.editor.edit_text()

    def _on_transcription(self, place: TokenIndex) -> None:
        """A word of a transcription was clicked."""
        side = self.view.side
        side.mark_segment(place[:2])
        self.view.choice.show_tokens(place[:2])
        side.mark_token(place[2])
        self.view.choice.token(place)
        side.token_chosen.emit(place)

    # Tokens come and go

    def add_token(self) -> None:
        """A new token behind the chosen one, without a word."""
        document, place = self._document(), self._token
        if document is None or place is None:
            return
        section, segment, number = place
        identifier = fresh_token_id(document, document.sections[section].segments[segment])
        added = AddToken(section, segment, number + 1, TokenValue(identifier, "", "", ""))
        if self.view.execute(added):
            self.view.side.token_list.setCurrentIndex(self.view.side.token_model.index(number + 1))
            self.editor.edit_text()

    def remove_token(self) -> None:
        """Remove the chosen token; its word stays on the page."""
        document, place = self._document(), self._token
        if document is None or place is None:
            return
        edits: list[Edit] = [RemoveToken(*place)]
        if _name(document, place) in document.scribe_errors:
            edits.insert(0, SetScribeError(*place, ""))
        self.view.execute(CompositeEdit(tuple(edits), "Remove a token"))

    # Linking

    def _chosen_word(self) -> WordIndex | None:
        key = self.view.canvas.selection.key
        if key is None or key.word is None:
            return None
        return (self.view.page_number, key.line, key.word)

    def begin_linking(self) -> None:
        """Wait for the other half of a link: a word for the token, or a token for the word."""
        word, token = self._chosen_word(), self._token
        links = self.view.choice.links
        free = word is not None and not links.tokens_of.get(word)
        if word is not None and (free or token is None):
            # A word without a token: which token is its?
            self._begun.set(LINK, {"word": word})
        elif token is not None:
            self._begun.set(LINK, {"token": token})
        self._go_on()

    def _go_on(self) -> None:
        """Wait for the other half of the link that is begun."""
        if self._waiting_word is not None:
            self.view.side.bring()
            self.view.side.token_list.setFocus()
            self.view.shell.messages.info(
                tr("Now click the token of this word, or walk to it and press Enter.")
            )
        elif self._waiting_token is not None:
            self.view.canvas.tools.use(self._tool)
            self.view.canvas.setFocus()

    @property
    def _waiting_token(self) -> TokenIndex | None:
        """The token that waits for a word, if it is there still."""
        document, place = self._document(), self._half("token")
        return place if document is not None and place and _is_there(document, place) else None

    @property
    def _waiting_word(self) -> WordIndex | None:
        """The word that waits for a token, if it is there still."""
        document, place = self._document(), self._half("word")
        return place if document is not None and place and _has_word(document, place) else None

    def _half(self, kind: str) -> tuple[int, int, int] | None:
        value = self._begun.value(LINK)
        if value is None or kind not in value:
            return None
        first, second, third = (int(number) for number in value[kind])
        return first, second, third

    def _stop_linking(self) -> None:
        self._begun.give_up(LINK)
        self._put_tool_away()

    def _put_tool_away(self) -> None:
        if self.view.canvas.tools.tool is self._tool:
            self.view.put_tool_away()

    def _on_begun(self, name: str) -> None:
        """Undo and redo take the link that is begun away, and bring it back."""
        if name != LINK:
            return
        if not self._begun.has(LINK):
            self._put_tool_away()
        elif self._waiting_token is not None and self.view.canvas.tools.tool is not self._tool:
            self.view.canvas.tools.use(self._tool)

    def _take_word(self, key: ShapeKey) -> None:
        token = self._waiting_token
        if token is not None and key.word is not None:
            with self._begun.finishing(LINK):
                self._link(token, (self.view.page_number, key.line, key.word))
            self._stop_linking()

    def _on_taken(self, index: QModelIndex) -> None:
        word = self._waiting_word
        if word is not None and index.isValid():
            with self._begun.finishing(LINK):
                self._link(self.view.side.token_model.place(index.row()), word)
            self._begun.give_up(LINK)

    def _link(self, place: TokenIndex, word: WordIndex) -> None:
        """Link a token to a word; where the word has another token, ask."""
        document, links = self._document(), self.view.choice.links
        if document is None or links.word_of.get(place) == word:
            return
        page, line, number = word
        identifier = document.pages[page].lines[line].words[number].id
        edits: list[Edit] = [LinkToken(*place, identifier)]
        others = [other for other in links.tokens_of.get(word, []) if other != place]
        if others:
            answer = self._ask(document, others, ShapeKey(line, number))
            if answer is None:
                return
            if answer:
                edits = [*(LinkToken(*other, "") for other in others), *edits]
        edit = (
            edits[0] if len(edits) == 1 else CompositeEdit(tuple(edits), "Link a token to a word")
        )
        if not identifier or not self._would_link(document, edit, place, word):
            self.view.shell.show_error(
                InputError(
                    "page.id-in-doubt",
                    "the word has no id, or shares it with another word, so no token can "
                    "be linked to it",
                    where=identifier or "",
                    remedy="First give every word in the file its own id",
                )
            )
            return
        if self.view.execute(edit):
            self.view.choice.token(place)

    def _would_link(
        self, document: Document, edit: Edit, place: TokenIndex, word: WordIndex
    ) -> bool:
        """Whether the token would really have this word then: ids may be doubled."""
        page, line, number = word
        identifier = document.pages[page].lines[line].words[number].id or ""
        if self.view.choice.links.words_named(identifier) == 1:
            return identifier == identifier.strip()
        _, back = edit.apply(document)
        try:
            return link(document).word_of.get(place) == word
        finally:
            back.apply(document)

    def _ask(self, document: Document, others: list[TokenIndex], word: ShapeKey) -> bool | None:
        """Whether the other tokens of a word let it go; None to leave all as it is."""
        box = QMessageBox(self.view.widget)
        box.setWindowTitle(tr("The word has a token"))
        names = "، ".join(_token(document, other).source or "∅" for other in others)
        box.setText(tr("The word is linked to \u2068{names}\u2069 already.", names=names))
        roles = QMessageBox.ButtonRole
        move = box.addButton(tr("Link only the new one"), roles.AcceptRole)
        both = box.addButton(tr("Link both"), roles.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(move)
        put_beside(box, self.view.canvas.on_screen([word]), self.view.widget)
        box.exec()
        chosen = box.clickedButton()
        answer = True if chosen is move else False if chosen is both else None
        box.deleteLater()
        return answer


def _is_there(document: Document, place: TokenIndex) -> bool:
    section, segment, token = place
    return (
        section < len(document.sections)
        and segment < len(document.sections[section].segments)
        and token < len(document.sections[section].segments[segment].tokens)
    )


def _has_word(document: Document, place: WordIndex) -> bool:
    page, line, word = place
    return (
        page < len(document.pages)
        and line < len(document.pages[page].lines)
        and word < len(document.pages[page].lines[line].words)
    )


def _token(document: Document, place: TokenIndex) -> Token:
    section, segment, token = place
    return document.sections[section].segments[segment].tokens[token]


def _name(document: Document, place: TokenIndex) -> tuple[str, str]:
    section, segment, _ = place
    name = document.sections[section].segments[segment].id or ""
    return name, _token(document, place).id or ""

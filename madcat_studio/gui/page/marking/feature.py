"""Marking a page from its transcript: joins session, tool and bar to the view of pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent

from madcat_studio.errors import InputError, StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.keyboard import key_of
from madcat_studio.gui.page.begun import QUESTION
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.marking.bar import MarkingBar
from madcat_studio.gui.page.marking.beside import Beside, Scanned
from madcat_studio.gui.page.marking.strip import Shown
from madcat_studio.gui.page.marking.tool import MarkTool
from madcat_studio.gui.settings import DOUBTFUL_ONLY, STATUS_EXTRA, STATUS_MISSING, STATUS_MISSPELT
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.change import Change
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.links import TokenIndex
from madcat_studio.model.names import segment_name
from madcat_studio.operations.pages.marking import read_writing, unlike_transcriptions
from madcat_studio.pages.writing import Writing
from madcat_studio.workspace.marking import Fault, Marking, Statuses, Step

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["MarkingFeature"]

_AROUND = 12
"""Tokens that are shown on either side; more than fit."""
_LEGIBLE = 14.0
"""View pixels of a word that can be judged."""
_PROPOSED = 250
"""Tokens before and after the current one whose proposals are shown: more than a page of
handwriting has, and few enough to be drawn while the mouse moves."""
_KEYS = {
    Qt.Key.Key_A: "sure",
    Qt.Key.Key_M: "missing",
    Qt.Key.Key_E: "extra",
    Qt.Key.Key_S: "misspelt",
    Qt.Key.Key_N: "skip",
    Qt.Key.Key_Backspace: "back",
}


class MarkingFeature(Feature):
    """One word after the other, as the transcript has them.

    Attributes:
        marking: the session, None while no page is being marked.
        bar: below the page.
        beside: a segmenter, asked as well.
    """

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self.marking: Marking | None = None
        self._asked: Fault | None = None
        self._outline: Polygon | None = None
        self._own = self._to_see = False
        self._finding = Dispatcher(self)
        self.bar = MarkingBar()
        view.column.addWidget(self.bar)
        self._tool = MarkTool(view.canvas.tools, self)
        self.beside = Beside(view, self.bar.seeking)
        self._begun = view.canvas.tools.begun
        self._begun.changed.connect(self._on_begun)
        self.bar.pressed.connect(self._on_button)
        self.bar.chosen.connect(self._on_number)
        self.bar.seeking.stopped.connect(self._stop_seeking)
        self.bar.said.connect(self._on_said)
        self.bar.given_up.connect(self._give_up_asking)
        self.bar.box.textEdited.connect(self._keep_question)
        view.side.token_chosen.connect(self._on_token)
        view.canvas.tools.changed.connect(self._on_tool)
        view.canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While a page is being marked, its letters are not the shortcuts of other tools."""
        if (
            self.marking is not None
            and event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._tool.wants(key_of(event), event.modifiers())
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)

    # As a feature of the view

    @property
    def is_on(self) -> bool:
        """Whether the page is being marked."""
        return self.marking is not None

    def toggle(self) -> None:
        """Begin or end marking."""
        if self.marking is not None:
            self._leave()
        else:
            self._to_see = True
            self._begin()

    def page_shown(self) -> None:
        """Go on with the page that is shown now."""
        if self._begun.resume(self._tool.drafts):
            self._begin(tokens=False)  # to come back after a crash edits nothing
        elif self.marking is not None:
            self._begin()

    def changed(self, change: Change) -> None:
        """Follow what was edited, here or elsewhere."""
        marking = self.marking
        if marking is None or change == Change():
            return
        if self._own:
            marking.document_changed()  # shown once the step is whole
            return
        before = {place for place in marking.tokens if marking.step(place) is not Step.OPEN}
        stood = marking.current is not None and marking.current not in before
        marking.document_changed()
        opened = (p for p in marking.tokens if p in before and marking.step(p) is Step.OPEN)
        again = next(opened, None)
        if again is not None:
            marking.choose(again)  # an undo: its word comes again
        elif stood and _settled(marking):
            marking.skip()  # a redo: on to the word that came after it then
        self._refresh()

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        settings = self.view.shell.settings
        self.bar.apply_theme(
            fonts.arabic(settings, scale=1.9),
            fonts.arabic(settings),
            self.view.shell.theme.colours,
        )

    def shut_down(self) -> None:
        """Stop looking for ink."""
        self._finding.close()
        self.beside.close()

    # Beginning and ending

    def _begin(self, *, tokens: bool = True) -> None:
        """Begin; ``tokens``: make those of segments that have only a transcription."""
        view, workspace = self.view, self.view.workspace
        if workspace is None or not workspace.document.pages:
            view.shell.show_error(
                InputError(
                    "page.no-page",
                    "the document has no page to mark words on",
                    where=workspace.path.name if workspace is not None else "",
                    remedy="Start from an input that has its page, such as .lineseg",
                )
            )
            self._leave()
            return
        settings = view.shell.settings
        statuses = Statuses(
            settings.get(STATUS_MISSING), settings.get(STATUS_EXTRA), settings.get(STATUS_MISSPELT)
        )
        self._ask_nothing()
        self.marking = marking = Marking(
            workspace, view.page_number, statuses, lambda edit: view.execute(edit) is not None
        )
        marking.doubtful_only = settings.get(DOUBTFUL_ONLY)
        if tokens and marking.make_tokens():
            marking.to_first_open()
        self.bar.show()
        view.canvas.tools.use(self._tool)
        self._go_on(marking)
        self._find_writing(marking)
        self._say_what_is_odd()
        self._refresh(follow=True)
        view.canvas.setFocus()

    def _leave(self) -> None:
        self._stop_seeking()
        self.marking = None
        self._ask_nothing()
        self.bar.hide()
        canvas = self.view.canvas
        if canvas.tools.tool is self._tool:
            self.view.put_tool_away()
        self.view.state_changed.emit()

    def _on_tool(self) -> None:
        if self.marking is not None and self.view.canvas.tools.tool is not self._tool:
            self._leave()

    def _find_writing(self, marking: Marking) -> None:
        self.beside.cancel()
        image = self.view.scan.image
        if image is None:
            return
        path, frame = image
        page = marking.workspace.document.pages[marking.page]
        # A copy: the page is edited on while the thread looks at it.
        frozen = replace(page, lines=[replace(line, words=[]) for line in page.lines])

        texts, open_end = marking.expected(), marking.open_end

        def work(ticket: Ticket) -> Writing:
            return read_writing(path, frame, frozen, texts, open_end=open_end, progress=ticket)

        def follow(writing: Writing) -> None:
            if marking is self.marking:
                marking.found_writing(writing)
                if marking.doubtful_only:
                    marking.to_first_open()
                self._say_what_is_odd()
                self._refresh(follow=True)

        def done(writing: Writing) -> None:
            self.bar.seeking.hide()
            follow(writing)
            scanned = Scanned(path, frame, frozen, texts, open_end)
            self.beside.look(marking, writing, scanned, follow)

        seeking = self.bar.seeking
        seeking.begin(tr("Finding the writing on the scan"))
        self._finding.submit(work, done, failed=self._on_unreadable, progress=seeking.advance)

    def _stop_seeking(self) -> None:
        self._finding.cancel()
        self.beside.cancel()
        self.bar.seeking.hide()

    def _on_unreadable(self, error: BaseException) -> None:
        self.bar.seeking.hide()
        if isinstance(error, StudioError):  # the strip above the page says so already
            self._say_what_is_odd()
        else:
            self.view.shell.show_error(error)

    def _say_what_is_odd(self) -> None:
        marking = self.marking
        if marking is None:
            return
        document = marking.workspace.document
        remarks = []
        if marking.workspace.frozen:
            remarks.append(tr("Nothing can be marked: {why}.", why=marking.workspace.frozen))
        if not marking.tokens:
            remarks.append(tr("The document has neither tokens nor a transcription."))
        unlike = unlike_transcriptions(document, marking.statuses.extra)
        if unlike:
            names = ", ".join(segment_name(document, *place) for place in unlike[:4])
            remarks.append(
                tr(
                    "Tokens and transcription differ in {segments}; the tokens are used.",
                    segments=names + (" …" if len(unlike) > 4 else ""),
                )
            )
        if self.view.scan.image is None:
            remarks.append(tr("Nothing can be proposed without the scan; draw the outlines."))
        elif marking.writing is not None and not marking.writing.parts:
            remarks.append(tr("No writing was found on the scan; draw the outlines."))
        self.bar.say(" ".join(remarks))

    # What the tool and the bar ask for

    def accept(self, *, line: bool) -> None:
        """Take the proposal, or those of the whole line."""
        marking = self.marking
        if marking is None:
            return
        if self._asked is not None:
            self._on_said(self.bar.box.text())
        elif marking.proposal:
            self._step(marking.accept_line if line else marking.accept)
        elif _settled(marking):
            self._step(marking.skip)
        else:
            self.view.hint.emit(tr("Nothing is proposed here: draw the outline of the word"))

    def drew(self, polygon: Polygon, *, rough: bool) -> None:
        """An outline was drawn for the current word, or for the one that is asked about."""
        marking = self.marking
        if marking is None:
            return
        if rough and marking.writing is not None:
            polygon = marking.writing.fitted(polygon) or polygon
        if self._asked is not None:
            self._outline = polygon
            self._keep_question()
            self._tool.refresh()
            self.bar.box.setFocus()
        else:
            self._step(lambda: marking.draw(polygon))

    def knows(self, key: Qt.Key) -> bool:
        """Whether a letter key says something of the current word."""
        return key in _KEYS

    def answer(self, key: Qt.Key) -> bool:
        """Do what a letter key says."""
        if not self.knows(key):
            return False
        self._on_button(_KEYS[key])
        return True

    def reach(self, side: int, step: int) -> None:
        """Adjust the proposal."""
        if self.marking is not None and self.marking.reach(side, step):
            self._refresh()

    def choose_at(self, point: QPointF) -> None:
        """Go to the word that is marked at a point."""
        marking = self.marking
        target = self.view.canvas.tools.target(point, bodies=True)
        if marking is None or target is None or target.key.word is None:
            return
        word = (marking.page, target.key.line, target.key.word)
        tokens = marking.links.tokens_of.get(word)
        if tokens:
            self._choose(tokens[0])

    def give_up(self) -> bool:
        """Esc: leave the question that is asked, else the search for the writing."""
        if self._asked is None and self.bar.seeking.isVisible():
            self._stop_seeking()
            return True
        if self._asked is None:
            return False
        self._give_up_asking()
        return True

    def outlines(self) -> tuple[Polygon, list[Polygon], list[Polygon]]:
        """What is proposed for the current word, for others surely, and for others with doubt."""
        marking = self.marking
        if marking is None:
            return (), [], []
        return self._outline or marking.proposal, *marking.proposals_around(_PROPOSED)

    def _on_button(self, name: str) -> None:
        marking = self.marking
        if marking is None:
            return
        if name in ("accept", "line"):
            self.accept(line=name == "line")
        elif name == "sure":
            self._step(marking.accept_sure)
        elif name == "missing":
            self._step(marking.missing)
        elif name in ("extra", "misspelt"):
            self._ask(Fault.EXTRA if name == "extra" else Fault.MISSPELT)
        elif name == "back":
            self._step(marking.back)
        else:
            self._step(marking.skip)

    def _ask(self, fault: Fault) -> None:
        marking = self.marking
        if marking is None or (fault is Fault.MISSPELT and marking.current is None):
            return
        self._asked, self._outline = fault, None
        if fault is Fault.EXTRA:
            question = tr("Outline the extra word; it says:")
            self.bar.ask(question, "")
        else:
            current = marking.current
            assert current is not None
            self.bar.ask(tr("The page says:"), marking.text(current))
        self._keep_question()
        self._tool.refresh()

    # What is begun: it waits, and comes back after a crash

    def _keep_question(self, _: str = "") -> None:
        if self._asked is not None:
            value = {"fault": self._asked.name, "text": self.bar.box.text()}
            self._begun.set(QUESTION, self._at() | value | {"outline": self._outline})

    def _at(self) -> dict[str, object]:
        """Which word was the current one."""
        return {"token": self.marking.current if self.marking is not None else None}

    def _on_begun(self, name: str) -> None:
        if self.marking is None or name not in self._tool.drafts:
            return
        if name == QUESTION:
            if self._begun.has(QUESTION) != (self._asked is not None):
                self._show_question(self.marking)
        elif self._begun.points(name) and self._begun.value(name) is None:
            self._begun.set(name, self._at())

    def _go_on(self, marking: Marking) -> None:
        """With what was begun on this page before."""
        kept = (self._begun.value(name) for name in self._tool.drafts)
        token = next((value["token"] for value in kept if value and value.get("token")), None)
        if token is not None and tuple(token) in marking.tokens:
            marking.choose(tuple(token))
        self._show_question(marking)

    def _show_question(self, marking: Marking) -> None:
        value = self._begun.value(QUESTION)
        if value is None:
            self._ask_nothing()
            return
        self._asked = Fault[value["fault"]]
        outline = value.get("outline")
        self._outline = tuple((int(x), int(y)) for x, y in outline) if outline else None
        extra = self._asked is Fault.EXTRA
        self.bar.ask(
            tr("Outline the extra word; it says:") if extra else tr("The page says:"),
            value.get("text", ""),
        )
        self._tool.refresh()

    def _on_said(self, written: str) -> None:
        marking, asked = self.marking, self._asked
        if marking is None or asked is None:
            return
        outline = self._outline
        if asked is Fault.EXTRA:
            outline = outline or marking.proposal
            if not outline:
                self.view.hint.emit(tr("Draw the outline of the extra word first"))
                return
            self._step(lambda: marking.extra(outline, written))
        else:
            self._step(lambda: marking.misspelt(outline, written))

    def _give_up_asking(self) -> None:
        self._ask_nothing()
        self._begun.give_up(QUESTION)

    def _ask_nothing(self) -> None:
        """Show no question; one that was asked on the page before waits there."""
        asked, self._asked, self._outline = self._asked, None, None
        self.bar.ask_nothing()
        if asked is not None:
            self.view.canvas.setFocus()
            self._tool.refresh()

    def _on_number(self, number: int) -> None:
        if self.marking is not None and number < len(self.marking.tokens):
            self._choose(self.marking.tokens[number])

    def _on_token(self, place: TokenIndex) -> None:
        if self.marking is not None and place != self.marking.current:
            self._choose(place)

    def _choose(self, place: TokenIndex) -> None:
        marking = self.marking
        if marking is not None:
            self._step(lambda: marking.choose(place))

    def _step(self, act: Callable[[], object]) -> None:
        asked = self._asked is not None
        self._own = True
        try:
            if asked:
                with self._begun.finishing(QUESTION):
                    act()
            else:  # a corner or a frame may be what is being finished
                act()
        finally:
            self._own = False
        if asked:
            self._give_up_asking()
        self._refresh(follow=True)

    # Showing

    def _refresh(self, *, follow: bool = False) -> None:
        marking = self.marking
        if marking is None:
            return
        self._show_tokens(marking)
        self._tool.refresh()
        current = marking.current
        left = marking.left()
        done = len(marking.tokens) - left
        self.bar.progress.setText(
            tr_count(
                "{done} of {count} word",
                "{done} of {count} words",
                len(marking.tokens),
                done=tr_number(done),
            )
        )
        there = current is not None
        for name in ("missing", "misspelt", "skip"):
            self.bar.buttons[name].setEnabled(there)
        self.bar.buttons["accept"].setEnabled(bool(marking.proposal))
        self.bar.buttons["line"].setEnabled(bool(marking.proposal))
        self.bar.buttons["sure"].setEnabled(bool(marking.sure()))
        self.bar.doubt.setVisible(bool(marking.proposal) and not marking.is_sure(marking.current))
        self.bar.buttons["back"].setEnabled(marking.position > 0)
        if follow and current is not None:
            self._follow(marking, current)
        self.view.state_changed.emit()

    def _show_tokens(self, marking: Marking) -> None:
        faults = {marking.statuses.missing, marking.statuses.extra, marking.statuses.misspelt}

        def shown(number: int) -> Shown:
            place = marking.tokens[number]
            fault = marking.token(place).status in faults
            return Shown(number, marking.text(place), marking.step(place), fault)

        at, count = marking.position, len(marking.tokens)
        if not count:
            end = tr("There are no words to mark")
        elif marking.left():
            end = tr_count(
                "The end; {count} word is left", "The end; {count} words are left", marking.left()
            )
        else:
            end = tr("All words are marked")
        self.bar.strip.show_tokens(
            [shown(number) for number in range(at - 1, max(at - 1 - _AROUND, -1), -1)],
            shown(at) if at < count else None,
            [shown(number) for number in range(at + 1, min(at + 1 + _AROUND, count))],
            end,
        )

    def _follow(self, marking: Marking, current: TokenIndex) -> None:
        """Bring the current word into view, and its segment beside the page."""
        side = self.view.side
        side.mark_segment(current[:2])
        self.view.choice.show_tokens(current[:2])
        side.mark_token(current[2])
        word = marking.links.word_of.get(current)
        outline = marking.proposal
        if word is not None and word[0] == marking.page:
            page, line, number = word
            outline = marking.workspace.document.pages[page].lines[line].words[number].polygon
        box = bounding_box(outline)
        if box is not None:
            left, top, right, bottom = box
            target = QRectF(QPointF(left, top), QPointF(right, bottom))
            camera = self.view.canvas.camera
            if self._to_see and target.height() * camera.scale() < _LEGIBLE:
                camera.fit_width()  # once: whoever wants another zoom has it from then on
            self._to_see = False
            # With the surroundings, so that the word is not at the very edge.
            camera.reveal(target)


def _settled(marking: Marking) -> bool:
    """Whether the current token has its word, or a reason for having none."""
    current = marking.current
    return current is not None and marking.step(current) is not Step.OPEN

"""One open kit: the segments at the left, the current one in the middle. A mirror of the workspace.

The widget passes on what the editor does and shows what the workspace answers; it has no text of
its own. The alignment is made in a worker, and the newest text wins.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from madcat_studio.errors import InputError, StudioError, WorldError
from madcat_studio.gui.editor.aligner import SegmentAligner
from madcat_studio.gui.editor.coaching import Coach
from madcat_studio.gui.editor.findbar import FindBar
from madcat_studio.gui.editor.findings import FindingsPanel
from madcat_studio.gui.editor.keeping import Keeper
from madcat_studio.gui.editor.kitside import KitSide
from madcat_studio.gui.editor.lowerpanel import LowerPanel
from madcat_studio.gui.editor.pasttexts import PastTexts
from madcat_studio.gui.editor.placelight import PlaceLight
from madcat_studio.gui.editor.segmentpane import SegmentPane
from madcat_studio.gui.editor.speller import BoxSpeller
from madcat_studio.gui.editor.wordcommands import WordCommands
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.gui.workers import Dispatcher, Queue, Ticket
from madcat_studio.model.campaign import Pass
from madcat_studio.model.visits import Source
from madcat_studio.operations.campaign.options import Showing
from madcat_studio.operations.pages.segment_lines import DocumentLines
from madcat_studio.operations.scores.alignments import Aligned, Compared, compare, plain
from madcat_studio.workspace.advice import odd_characters
from madcat_studio.workspace.finding import Found
from madcat_studio.workspace.kit import KitChange, KitProblem, KitWorkspace
from madcat_studio.workspace.visits import BEAT_SECONDS, Activity
from madcat_ter.options import TerOptions

__all__ = ["KitPage"]

_CLOCK_MS = 1000


class KitPage(QWidget):
    """An open kit.

    Signals:
        changed: enablement and titles of actions may be different.
        notice: something the editor should be told, with the level ("info" or "warning").
        touched: a text or a state is another one, by each keystroke too.
    """

    changed = Signal()
    touched = Signal()
    notice = Signal(str, str)

    def __init__(
        self, theme: Theme, settings: Settings, store: Queue, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._settings, self._store = theme, settings, store
        self._scorer = SegmentAligner(self._aligned, self._unscored, self)
        self._first_scorer = Dispatcher(self)
        self._firsts: dict[int, Compared] = {}
        self._find_lines: Callable[[str], DocumentLines] | None = None
        self.lines: dict[str, DocumentLines] = {}
        self._workspace: KitWorkspace | None = None
        self._options = TerOptions()
        self.showing = Showing()
        self._known: frozenset[str] = frozenset()
        self._enabled = ("", "", False)
        self.keeper = Keeper(store, self)
        self.keeper.notice.connect(self.notice)
        self.keeper.moved.connect(self._show_saved)
        self.keeper.moved.connect(self.changed)
        self.keeper.trying.connect(self._look_for_lines)
        self._build()
        # Aligned after the letter is painted; keys that come together are aligned once.
        self._soon = self._timer(0, self._score_now)
        self._soon.setSingleShot(True)
        self._ticking = self._timer(_CLOCK_MS, self._show_clock)
        self._beating = self._timer(round(BEAT_SECONDS * 1000), self._beat)

    def _timer(self, interval: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(interval)
        timer.timeout.connect(act)
        return timer

    def _build(self) -> None:
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        outer.addWidget(split)
        self.side = KitSide()
        self.side.chosen.connect(self._on_row)
        split.addWidget(self.side)
        self.pane = SegmentPane(self._theme, self._settings)
        self.words = WordCommands(self, self.pane, lambda text: self.notice.emit(text, "info"))
        self.coach = Coach(
            self, self.pane, self._settings, lambda text: self.notice.emit(text, "info"), self
        )
        self.pane.taken_back.connect(self.words.take_back)
        self.pane.rejected.connect(self.words.reject)
        self.pane.picked.connect(self.words.insert)
        self.box = self.pane.box
        self.past = PastTexts(self, self._store, self._theme, self._settings, self.notice.emit)
        self.light = PlaceLight(self.pane, self._theme, self)
        self._spelling = BoxSpeller(self.box, self._settings, self)
        self._spelling.unusable.connect(self._tell_spelling)
        self.box.edited.connect(self._on_edited)
        self.box.caret_moved.connect(self._on_caret)
        self.box.left_out.connect(lambda text: self.notice.emit(text, "warning"))
        self.box.dragged.connect(self.words.drag)
        self.box.activity.connect(self._on_activity)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pane, 1)
        self.find_bar = FindBar(
            lambda: self._workspace, self.show_found, self.do, self.box.setFocus
        )
        self.find_bar.read.connect(self._show_read)
        column.addWidget(self.find_bar)
        self.findings = FindingsPanel()
        self.findings.closed.connect(self.box.setFocus)
        self.below = LowerPanel(self.coach.bar, self.findings, self)
        column.addWidget(self.below)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([300, 1000])
        self.setTabOrder(self.box, self.side.list)

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        self.pane.apply_theme()
        self.light.follow()
        self.side.apply_theme(self._settings, self._theme)

    # -- the kit ------------------------------------------------------------------------------

    @property
    def workspace(self) -> KitWorkspace | None:
        """The kit that is open."""
        return self._workspace

    def show_kit(
        self,
        workspace: KitWorkspace,
        options: TerOptions,
        *,
        showing: Showing,
        lines: Callable[[str], DocumentLines] | None = None,
        in_file: bool = False,
    ) -> None:
        """Show a kit that was opened.

        Args:
            workspace: the kit.
            options: how texts are aligned.
            showing: what the campaign shows of figures, advice and spelling.
            lines: finds a document's segments on its pages, in the store's thread; None: the
                editor does not see the page.
            in_file: whether the kit came as a file, and its texts are saved there.
        """
        self._workspace, self._options, self.showing = workspace, options, showing
        self.words.options = self.past.options = options
        self.light.begin(options)
        self.coach.begin(workspace, options, allowed=showing.coach)
        self._spelling.begin(showing.spelling)
        self._firsts = {}
        self._find_lines, self.lines = lines, {}
        self.keeper.begin(workspace, in_file=in_file)
        self.side.show_kit(workspace, options)
        self.pane.begin(
            review=workspace.claim.pass_ is Pass.REVIEW,
            source=any(segment.transcription is not None for segment in workspace.segments),
            page=lines is not None,
            figures=showing.figures,
        )
        self.apply_theme()
        self._show_segment()
        self.side.show_progress(workspace)
        self._show_clock()
        self._tell_recovery()
        self.keeper.look()
        self._ticking.start()
        self._beating.start()
        self._align_firsts(workspace)
        self.box.setFocus()

    def _tell_recovery(self) -> None:
        recovery = self._require().recovery
        if recovery.texts:
            names = ", ".join(tr_number(index + 1) for index in recovery.texts)
            self.notice.emit(
                tr("Unsaved text of an earlier session is back, in segment {names}.", names=names),
                "info",
            )
        if recovery.aside:
            self.notice.emit(
                tr_count(
                    "{count} older text of this machine was kept aside; the campaign has a newer.",
                    "{count} older texts of this machine were kept aside; the campaign has newer.",
                    recovery.aside,
                ),
                "warning",
            )

    def _require(self) -> KitWorkspace:
        assert self._workspace is not None
        return self._workspace

    def close_kit(self) -> None:
        """Save what is typed and let go."""
        workspace, self._workspace = self._workspace, None
        self._ticking.stop()
        self._beating.stop()
        self.keeper.end()
        self._soon.stop()
        self._scorer.cancel()
        self._first_scorer.cancel()
        self._spelling.stop()
        self.coach.stop()
        self.light.forget()
        self.find_bar.hide()
        self.findings.hide()
        self.side.show_kit(None, self._options)
        self.pane.strip.close_scan()
        if workspace is not None:
            workspace.close()

    def shut_down(self) -> None:
        """End threads and timers."""
        self.close_kit()
        self._scorer.close()
        self._first_scorer.close()
        self.side.worst.shut_down()
        self.pane.strip.shut_down()
        self._spelling.shut_down()
        self.coach.shut_down()

    # -- from the editor ----------------------------------------------------------------------

    def _on_edited(self, text: str, caret: int, anchor: int) -> None:
        if self._workspace is None:
            return
        try:
            change = self._workspace.set_text(text, caret, anchor, source=self.box.source)
        except Exception:
            # The pass is over: the box must not go on showing what nobody keeps.
            self._show_text()
            raise
        self.apply(change, typed=True)

    def _on_caret(self, caret: int, anchor: int) -> None:
        if self._workspace is not None:
            self._workspace.move_caret(caret, anchor)

    def _on_activity(self, activity: Activity) -> None:
        if self._workspace is not None:
            self._workspace.note(activity)

    def _beat(self) -> None:
        self._require().visits.beat()

    def _on_row(self, row: int) -> None:
        if self._workspace is not None:
            self.apply(self._workspace.go_to(row))
            self.box.setFocus()

    def do(self, act: Callable[[KitWorkspace], KitChange]) -> None:
        """Do something with the workspace and show what came of it."""
        if self._workspace is not None:
            self.apply(act(self._workspace))

    def put(self, text: str, caret: int, anchor: int, label: str, source: Source) -> None:
        """Give the current segment a text and a caret as one step."""
        workspace = self._require()
        if workspace.segments[workspace.current].output:
            self.apply(workspace.replace_all({workspace.current: text}, label, source))
            workspace.move_caret(caret, anchor)
            self._show_text()

    def show_found(self, found: Found) -> None:
        """Show a place of a text, selected; the keyboard stays where it is."""
        workspace = self._require()
        self.apply(workspace.go_to(found.index))
        self.pane.select_nothing()
        self.select(found.start, found.end)

    def _show_read(self, row: int, output: bool, start: int, end: int) -> None:
        """Show a place of a reference or an output; the keyboard stays where it is."""
        self.apply(self._require().go_to(row))
        self.pane.select_read(output, start, end)

    def show_problem(self, problem: KitProblem) -> None:
        """Go to what is to be seen to: the place is selected, and the keyboard is in the text."""
        workspace = self._require()
        self.apply(workspace.go_to(problem.index))
        if problem.start >= 0:
            self.select(problem.start, problem.end)
        self.box.setFocus()

    def select(self, start: int, end: int) -> None:
        """Select a part of the current text, as if the editor had done so."""
        self._require().move_caret(end, start)
        self._show_text(scroll=True)

    def spell(self, done: Callable[[tuple[KitProblem, ...]], None]) -> None:
        """Look at the spelling of the whole kit in a worker; nothing is found without one."""
        workspace = self._require()
        texts = [
            (index, segment, workspace.own(index).text)
            for index, segment in enumerate(workspace.segments)
        ]
        self._spelling.look_through(texts, done)

    @property
    def paused(self) -> bool:
        """Whether the clock stands still, until the editor goes on."""
        return self._workspace is not None and self._workspace.visits.paused

    def pause(self, paused: bool) -> None:
        """Stop the clock, or let it run again."""
        self._require().pause(paused)
        self._show_clock()

    # -- from the workspace -------------------------------------------------------------------

    def apply(self, change: KitChange, *, typed: bool = False) -> None:
        """Show what an action touched, and nothing else."""
        workspace = self._require()
        if typed and not change.states:
            self.side.row_typed(workspace.current)
        else:
            self.side.rows_changed(change.texts | change.states | {workspace.current})
        if change.current is not None:
            self._show_segment()
        elif workspace.current in change.texts:
            self._show_text(scroll=not typed)
        if typed:
            self._mark_odd()
        if typed and not change.states:
            self._show_saved()
        else:
            self._show_state()
            self.side.show_progress(workspace)
        if typed or change.texts or change.states or change.current is not None:
            self._score()
        if change.notice:
            self.notice.emit(change.notice, "warning")
        self.keeper.look()
        self.touched.emit()
        # Menus are asked anew only when an answer may be another one: not at every keystroke.
        now = (workspace.undo_label, workspace.redo_label, workspace.finished)
        if not typed or now != self._enabled:
            self._enabled = now
            self.changed.emit()

    def _show_segment(self) -> None:
        workspace = self._require()
        row = workspace.current
        segment = workspace.segments[row]
        self._known = frozenset(segment.output + segment.reference + (segment.first or ""))
        self.pane.show_segment(row, len(workspace.segments), segment, self._firsts.get(row))
        self.light.show_segment(segment.reference)
        self.side.show_row(row)
        self._show_lines()
        self._show_text(scroll=True)
        self._show_state()
        self._score()
        self.pane.reveal_box()

    def _show_lines(self) -> None:
        """The lines on the page; a document is looked for once, when its first segment is shown."""
        find = self._find_lines
        if find is None:
            return
        workspace = self._require()
        base, name = workspace.segments[workspace.current].name
        self.pane.strip.show_lines(self.lines.get(base), name)
        if base in self.lines:
            return

        def done(found: DocumentLines) -> None:
            if self._workspace is workspace:
                known = base in self.lines
                self.lines[base] = found
                if not known:
                    self._show_lines()
                    self.changed.emit()

        self._store.submit(lambda _: find(base), done, failed=self._no_lines(base))

    def _look_for_lines(self) -> None:
        """Look again for a page that could not be reached."""
        workspace = self._require()
        if workspace.segments[workspace.current].name.base not in self.lines:
            self._show_lines()

    def _no_lines(self, base: str) -> Callable[[BaseException], None]:
        def failed(error: BaseException) -> None:
            if not isinstance(error, StudioError):
                raise error
            if isinstance(error, WorldError):
                # It is looked for again, with what could not be saved meanwhile.
                self.pane.strip.say(tr("The page cannot be reached now."))
                return
            self.lines[base] = DocumentLines(None, {})
            why = tr_error(error).reason
            self.notice.emit(tr("The page cannot be shown: {why}", why=why), "warning")

        return failed

    def _show_text(self, *, scroll: bool = False) -> None:
        workspace = self._require()
        own = workspace.own(workspace.current)
        self.box.show_text(own.text, own.caret, own.anchor, scroll=scroll)
        self._mark_odd()

    def _mark_odd(self) -> None:
        """Mark what is nearly always a slip: characters that were nowhere before."""
        workspace = self._require()
        text = workspace.own(workspace.current).text
        self.pane.show_odd(text, odd_characters(text, self._known))
        self._spelling.look_at(text, *(one.reference for one in workspace.segments))
        self.coach.look_at(workspace.current, text)

    def _tell_spelling(self, why: str) -> None:
        self.notice.emit(tr("Spelling is not marked. {why}.", why=why), "warning")

    def _show_state(self) -> None:
        workspace = self._require()
        output = workspace.segments[workspace.current].output
        own = workspace.own(workspace.current)
        self.pane.show_state(own.state if output else None, own.flags)
        self._show_saved()

    def _show_saved(self) -> None:
        self.pane.saved.setText(self.keeper.where())
        if self._workspace is not None and self._workspace.taken is not None:
            self.box.setReadOnly(True)

    def _show_clock(self) -> None:
        self.side.show_clock(self._require().seconds(), paused=self.paused)

    # -- workers ------------------------------------------------------------------------------

    def _score(self) -> None:
        self._scorer.cancel()
        self._soon.start()

    def _score_now(self) -> None:
        workspace = self._require()
        row = workspace.current
        self._scorer.align(workspace.segments[row], workspace.own(row).text, self._options)

    def _aligned(self, aligned: Aligned) -> None:
        self.pane.pairs.show_aligned(aligned)
        self.light.show(aligned)

    def _unscored(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self.pane.pairs.forget(self._firsts.get(self._require().current))
        self.pane.changes.show_alignment(plain(""))

    def _align_firsts(self, workspace: KitWorkspace) -> None:
        """Align all texts of the first pass once, the one on the screen before the others."""
        start, count, options = workspace.current, len(workspace.segments), self._options
        texts = [
            (row % count, segment.output, segment.first)
            for row in range(start, start + count)
            if (segment := workspace.segments[row % count]).first is not None
        ]
        if not texts:
            return

        def work(ticket: Ticket) -> None:
            for row, output, first in texts:
                if ticket.cancelled():
                    return
                try:
                    ticket.part((row, compare(output, first or "", options)))
                except InputError:
                    continue  # too long to be aligned: it stands there plain

        def part(found: tuple[int, Compared]) -> None:
            row, compared = found
            self._firsts[row] = compared
            if self._workspace is workspace and workspace.current == row:
                self.pane.show_first(compared)

        self._first_scorer.submit(work, lambda _: None, part=part)

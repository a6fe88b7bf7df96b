"""The coach at the desk: counts a moment after typing stopped, in a worker, and changes nothing.

What it has to say stands below the text and is marked in it. The editor's own key or click takes a
piece of advice, as one step that undo takes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

from madcat_studio.coach.values import Advice, Coaching
from madcat_studio.errors import InputError
from madcat_studio.gui.editor.coachbar import CoachBar, change_text, saved_text
from madcat_studio.gui.editor.segmentpane import SegmentPane
from madcat_studio.gui.settings import COACH, Settings
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.visits import Source
from madcat_studio.operations.scores.coaching import coach_text
from madcat_studio.workspace.kit import KitProblem, KitWorkspace
from madcat_ter.options import TerOptions

__all__ = ["Coach"]

_LEAST_REST_MS, _MOST_REST_MS = 10, 150
_CHARACTERS = 160
"""A long text takes longer to count, by its square: who types in it is left alone for longer, so
that a key seldom comes while another thread counts."""


class _Page(Protocol):
    def select(self, start: int, end: int) -> None: ...

    def put(self, text: str, caret: int, anchor: int, label: str, source: Source) -> None: ...


class Coach(QObject):
    """Looks after the text of one page, where campaign and editor want it to."""

    def __init__(
        self,
        page: _Page,
        pane: SegmentPane,
        settings: Settings,
        tell: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        """Coach the editor of a page; ``tell`` says why nothing was done."""
        super().__init__(parent)
        self._page, self._pane, self._settings, self._tell = page, pane, settings, tell
        self.bar = CoachBar()
        self.bar.chosen.connect(self._choose)
        self.bar.taken.connect(self.take)
        self.bar.dismissed.connect(self.dismiss)
        self.bar.hide()
        self._kit: KitWorkspace | None = None
        self._options = TerOptions()
        self._allowed = False
        self._index = -1
        self._text: str | None = None
        self._said: Coaching | None = None
        self._advice: tuple[Advice, ...] = ()
        self._firsts: dict[int, Coaching] = {}
        self._worker, self._first_worker = Dispatcher(self), Dispatcher(self)
        self._through = Dispatcher(self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._count)
        settings.changed.connect(self._on_setting)

    @property
    def on(self) -> bool:
        """Whether the coach is at work: the campaign allows it, and the editor wants it."""
        return self._kit is not None and self._allowed and self._settings.get(COACH)

    @property
    def busy(self) -> bool:
        """Whether a text is being counted, or waits."""
        return self._rest.isActive() or self._worker.busy

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What stands there of the text on the screen."""
        return self._advice

    # -- the kit ------------------------------------------------------------------------------

    def begin(self, kit: KitWorkspace, options: TerOptions, *, allowed: bool) -> None:
        """Another kit is shown."""
        self.stop()
        self._kit, self._options, self._allowed = kit, options, allowed
        self.bar.setVisible(self.on)

    def stop(self) -> None:
        """No kit is shown."""
        self._rest.stop()
        for worker in (self._worker, self._first_worker, self._through):
            worker.cancel()
        self._kit, self._allowed, self._index, self._text = None, False, -1, None
        self._firsts = {}
        self._show(())
        self.bar.hide()

    def shut_down(self) -> None:
        """End timer and workers."""
        self.stop()
        for worker in (self._worker, self._first_worker, self._through):
            worker.close()

    def _on_setting(self, setting: object) -> None:
        if setting is not COACH or self._kit is None:
            return
        self.bar.setVisible(self.on)
        index, self._index = self._index, -1
        if self.on:
            self.look_at(index, self._kit.own(index).text)
        else:
            self._rest.stop()
            self._worker.cancel()
            self._kit.coaching.leave()
            self._show(())
            self._pane.show_first_advice("", "")

    # -- counting -----------------------------------------------------------------------------

    def look_at(self, index: int, text: str) -> None:
        """The text on the screen is another one."""
        another = index != self._index
        if not another and text == self._text:
            return  # only the caret was moved
        self._index, self._text = index, text
        self._worker.cancel()
        if not self.on:
            return
        if another:
            self._show(())
            self._look_at_first(index)
        rest = round((len(text) / _CHARACTERS) ** 2)
        self._rest.start(max(_LEAST_REST_MS, min(rest, _MOST_REST_MS)))

    def _count(self) -> None:
        assert self._kit is not None
        assert self._text is not None
        index, text, options = self._index, self._text, self._options
        segment = self._kit.segments[index]

        def done(said: Coaching) -> None:
            if (index, text) == (self._index, self._text) and self._kit is not None:
                self._show(self._kit.coaching.show(index, said.advice), said)

        self._worker.submit(
            lambda ticket: coach_text(
                segment.output, text, segment.reference, options, progress=ticket
            ),
            done,
            failed=self._uncounted,
        )

    def _uncounted(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self._show(())  # too long to be scored: the report says so

    def _look_at_first(self, index: int) -> None:
        """What a reviewer sees of the first pass."""
        assert self._kit is not None
        segment, options = self._kit.segments[index], self._options
        self._pane.show_first_advice("", "")
        first = segment.first
        if first is None:
            return

        def done(said: Coaching) -> None:
            self._firsts[index] = said
            if index == self._index and said.advice:
                edits = saved_text(said.avoidable)
                listed = "\n".join(
                    f"{change_text(one)} · {saved_text(one.saved)}" for one in said.advice
                )
                self._pane.show_first_advice(edits, listed)

        if index in self._firsts:
            done(self._firsts[index])
            return
        self._first_worker.submit(
            lambda ticket: coach_text(
                segment.output, first, segment.reference, options, progress=ticket
            ),
            done,
            failed=lambda _: None,
        )

    def look_through(self, done: Callable[[tuple[KitProblem, ...]], None]) -> None:
        """Count all texts of the kit in a worker, before it is handed over."""
        kit, options = self._kit, self._options
        if kit is None or not self.on:
            done(())
            return
        texts = [
            (index, segment, kit.own(index).text) for index, segment in enumerate(kit.segments)
        ]

        def work(ticket: Ticket) -> list[tuple[int, Coaching]]:
            found = []
            for index, segment, text in texts:
                try:
                    said = coach_text(
                        segment.output, text, segment.reference, options, progress=ticket
                    )
                except InputError:
                    continue
                found.append((index, said))
            return found

        self._through.submit(
            work,
            lambda found: done(
                tuple(_problem(index, one) for index, said in found for one in said.advice)
            ),
        )

    # -- showing ------------------------------------------------------------------------------

    def _show(self, advice: Sequence[Advice], said: Coaching | None = None) -> None:
        self._advice, self._said = tuple(advice), said
        whole = said.avoidable if said is not None and len(advice) == len(said.advice) else None
        self.bar.show_advice(self._advice, whole)
        text = self._text or ""
        self._pane.box.mark_coached(
            text, tuple(_seen(one.start, one.end, text) for each in advice for one in each.splices)
        )

    # -- the editor's ---------------------------------------------------------------------

    def go(self, direction: int) -> None:
        """Select the next piece of advice in the text, or the one before."""
        if not self._advice:
            self._nothing()
            return
        self.bar.go(direction)

    def _choose(self, number: int) -> None:
        if number < len(self._advice) and self._fresh():
            one = self._advice[number]
            self._page.select(one.start, one.end)

    def take(self) -> None:
        """Change the text as the chosen piece of advice says: one step that undo takes back."""
        one = self._chosen()
        if one is None or self._kit is None or self._text is None:
            return
        changed = one.apply(self._text)
        caret = min(one.start + len(one.splices[0].words), len(changed))
        self._kit.coaching.take(one)
        self._page.put(changed, caret, caret, tr("Take the coach's advice"), Source.OUTPUT)
        self._pane.box.setFocus()

    def dismiss(self) -> None:
        """Hear no more of the chosen piece of advice."""
        one = self._chosen()
        if one is None or self._kit is None or self._said is None:
            return
        self._kit.coaching.dismiss(one)
        self._show(tuple(other for other in self._advice if other is not one), self._said)
        self._pane.box.setFocus()

    def _chosen(self) -> Advice | None:
        number = self.bar.current()
        if not self._fresh() or not 0 <= number < len(self._advice):
            self._nothing()
            return None
        return self._advice[number]

    def _fresh(self) -> bool:
        """Whether what stands there is said of exactly the text on the screen."""
        return not self.busy

    def _nothing(self) -> None:
        if not self.on:
            self._tell(tr("The coach is switched off."))
        elif self.busy:
            self._tell(tr("The coach is still counting."))
        else:
            self._tell(tr("The coach has nothing to say about this text."))


def _seen(start: int, end: int, text: str) -> tuple[int, int]:
    """What is marked of a place: where words are missing, the character before it."""
    if start < end:
        return start, end
    return (start - 1, start) if start else (0, min(1, len(text)))


def _problem(index: int, one: Advice) -> KitProblem:
    what = tr("Coach: {change} · {saves}", change=change_text(one), saves=saved_text(one.saved))
    return KitProblem(index, "advice.coach", what, one.start, one.end)

"""Settling between several annotators: their outlines over the page, place by place, one answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QFileDialog

from madcat_studio.errors import StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.comparing.answers import TakingQuestions
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.settling.panel import SettlePanel, described
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.sketch import Sketch, Stroke, Tag
from madcat_studio.gui.page.tools.pointing import path_through
from madcat_studio.gui.settings import QUEUE_NAME
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.operations.pages.page_queue import me
from madcat_studio.operations.pages.settling import (
    Annotators,
    PageAgreement,
    Taken,
    by_majority,
    compare_annotators,
    difference_of,
    holding,
    read_annotators,
    record_file,
    same_outlines,
    take_version,
    taken_of,
    write_record,
)
from madcat_studio.pages.adjudication import Level
from madcat_studio.pages.settling import Place
from madcat_studio.workspace.decisions import Decisions, PlaceKey

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["SettleFeature"]

_COLOURS = tuple(map(QColor, ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#8a6d00", "#3b9ad9")))
"""Of versions, told apart by the colour-blind (Okabe and Ito)."""


class SettleFeature(Feature):
    """Lays the files of other annotators over the page that is shown.

    Attributes:
        panel: the places, a tab while there are other files.
        shown: the places that are not settled.
    """

    def __init__(self, view: PageHost, buttons: Sequence[Action[Any]]) -> None:
        super().__init__(view)
        self.panel = SettlePanel(view.shell.commands, buttons)
        self.panel.chosen.connect(self._on_row)
        self.panel.marked.connect(self.mark)
        self.panel.taken.connect(self.take_theirs)
        self.panel.hide()
        self.shown: list[Place] = []
        self._decisions: Decisions | None = None
        self._who: Annotators | None = None
        self._found: PageAgreement | None = None
        self._fresh = False
        self._row, self._version = -1, 0
        self._questions = TakingQuestions(view)
        self._jobs = Dispatcher(self)
        self._overlay = Sketch(_COLOURS[0])
        self._overlay.setZValue(12)
        view.canvas.scene().addItem(self._overlay)
        view.canvas.camera.zoomed.connect(self._overlay.set_scale)

    # Actions

    @property
    def is_on(self) -> bool:
        """Whether there are other files."""
        return self._who is not None

    @property
    def has_differences(self) -> bool:
        """Whether a place is left."""
        return self.is_on and bool(self.shown)

    @property
    def has_current(self) -> bool:
        """Whether a place is looked at."""
        return self.is_on and self._current() is not None

    def toggle(self) -> None:
        """Ask for the files of the other annotators, or leave them."""
        if self.is_on:
            self._go_on_with(())
            self.leave()
            return
        workspace = self.view.workspace
        if workspace is None:
            return
        paths, _ = QFileDialog.getOpenFileNames(
            self.view.widget,
            tr("The files of the other annotators"),
            str(workspace.path.parent),
            tr("Pages (*.xml *.hocr *.html);;All files (*)"),
        )
        if paths:
            self.open([Path(path) for path in paths])

    def open(self, others: Sequence[Path]) -> None:
        """Read the files of the other annotators."""
        workspace = self.view.workspace
        if workspace is None:
            return
        paths = [workspace.path, *(path for path in others if path != workspace.path)]

        def done(who: Annotators) -> None:
            if self.view.workspace is workspace:
                self._begin(who, Decisions(workspace.path))
                self._go_on_with(paths[1:])

        self._jobs.submit(lambda _: read_annotators(paths), done, failed=self.view.shell.show_error)

    def _begin(self, who: Annotators, decisions: Decisions) -> None:
        self._who, self._decisions = who, decisions
        self._row = 0
        self.panel.names.setText(" · ".join(who.names))
        self.view.side.tabs.addTab(self.panel, tr("Settling"))
        self.view.side.bring(self.panel)
        self._compare()

    def leave(self) -> None:
        """Without the other files."""
        self._jobs.cancel()
        if self._who is None:
            return
        self._who = self._found = self._decisions = None
        self.shown = []
        self._overlay.clear()
        self.view.side.tabs.removeTab(self.view.side.tabs.indexOf(self.panel))
        self.panel.hide()
        self.view.state_changed.emit()

    # As a feature

    def document_shown(self) -> None:
        """Another document has nothing to do with these files; it may have been begun before."""
        self.leave()
        workspace = self.view.workspace
        others = () if workspace is None else Decisions(workspace.path).others
        if others and all(path.is_file() for path in others):
            self.open(others)

    def page_shown(self) -> None:
        """The same page of the other files."""
        if self.is_on:
            self._row = 0
            self._compare()

    def changed(self, change: Change) -> None:
        """What differs may be something else now; with a save the record is written."""
        workspace = self.view.workspace
        if not self.is_on or workspace is None:
            return
        if change != Change():
            self._compare()
        elif self.taken and not workspace.dirty:
            self._write(workspace.path)

    @property
    def taken(self) -> Mapping[PlaceKey, Taken]:
        """Whose version was taken, by page, level and what the others have there."""
        return {} if self._decisions is None else self._decisions.taken

    def _decide(self, key: PlaceKey, taken: Taken) -> None:
        with self._kept():
            if self._decisions is not None:
                self._decisions.add(key, taken)

    def _go_on_with(self, others: Sequence[Path]) -> None:
        with self._kept():
            if self._decisions is not None:
                self._decisions.go_on_with(others)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Say it where something cannot be kept; it counts until the files are left."""
        try:
            yield
        except StudioError as error:
            self.view.shell.show_error(error)

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        self.panel.model.apply_theme(fonts.arabic(self.view.shell.settings))

    def shut_down(self) -> None:
        """Compare no more."""
        self._jobs.close()

    def _write(self, path: Path) -> None:
        workspace = self.view.workspace
        assert workspace is not None
        held = holding(list(self.taken.values()), workspace.document)
        try:
            write_record(record_file(path), held)
        except StudioError as error:
            self.view.shell.show_error(error)

    # Comparing

    def _others(self) -> list[Page] | None:
        number = self.view.page_number
        if self._who is None or number >= len(self._who.documents[0].pages):
            return None
        return [document.pages[number] for document in self._who.documents[1:]]

    def _compare(self) -> None:
        """Find the places in a thread, in the page as it is now."""
        workspace, others = self.view.workspace, self._others()
        if workspace is None or others is None:
            return
        self._fresh = False
        mine = workspace.document.pages[self.view.page_number]
        copy = replace(
            mine,
            lines=[
                replace(line, words=[replace(word) for word in line.words]) for line in mine.lines
            ],
        )
        self._jobs.submit(lambda _: compare_annotators([copy, *others]), self._on_compared)

    def _on_compared(self, found: PageAgreement) -> None:
        self._found, self._fresh = found, True
        self.shown = [place for place in found.places if not self._is_settled(place)]
        self._show_rows()
        self._go(min(self._row, len(self.shown) - 1))

    def _key(self, place: Place) -> PlaceKey:
        return self.view.page_number, place.level, place.key

    def _is_settled(self, place: Place) -> bool:
        taken = self.taken.get(self._key(place))
        return taken is not None and same_outlines(taken.polygons, place.own.polygons)

    def _current(self) -> Place | None:
        if self._fresh and 0 <= self._row < len(self.shown):
            return self.shown[self._row]
        return None

    def step(self, step: int) -> None:
        """Go to the next place, or to the one before."""
        if self.shown:
            self.view.side.bring(self.panel)
            self.panel.mark((self._row + step) % len(self.shown))

    def _on_row(self, row: int) -> None:
        self._go(row)

    def _go(self, row: int) -> None:
        """Look at a place; what most have is marked."""
        self._row, self._version = row, 0
        self._show_current()
        self.view.state_changed.emit()

    def mark(self, version: int) -> None:
        """Mark a version of the place, if there are so many."""
        place = self._current()
        if place is not None and version < len(place.versions):
            self._version = version
            self._show_current(reveal=False)

    # Showing

    def _show_rows(self) -> None:
        def words(place: Place) -> str:
            keys = [ShapeKey(*unit) for unit in place.mine]
            return " ".join(self.view.choice.text_of(key) for key in keys if key.word is not None)

        self.panel.show_places([(each, words(each)) for each in self.shown], self._row)
        found = self._found
        if found is None:
            return
        told = []
        for name, level in (
            (tr("Words"), found.agreement.words),
            (tr("Lines"), found.agreement.lines),
        ):
            alpha = "–" if level.alpha is None else tr_figure(f"{level.alpha:.3f}")
            told.append(
                tr_count(
                    "{name}: alpha {alpha}, {count} outlined by all",
                    "{name}: alpha {alpha}, {count} outlined by all",
                    level.by_all,
                    name=name,
                    alpha=alpha,
                )
            )
        left = tr_count("{count} place left", "{count} places left", len(self.shown))
        self.panel.figures.setText("\n".join((*told, left)))

    def _show_current(self, *, reveal: bool = True) -> None:
        place = self._current()
        if place is None or self._who is None:
            self._overlay.clear()
            self.panel.show_versions((), (), -1)
            return
        names, count = self._who.names, len(self._who.names)
        colours = [_COLOURS[n % len(_COLOURS)] for n in range(len(place.versions))]
        texts = [described(version, names, count) for version in place.versions]
        self.panel.show_versions(texts, colours, self._version)
        strokes, tags = [], []
        for number, (version, colour) in enumerate(zip(place.versions, colours, strict=True)):
            here = number == self._version
            path = _path(version.polygons)
            strokes.append(Stroke(path, colour, 2.6 if here else 1.4, 50 if here else 0))
            if version.polygons:
                box = path.boundingRect()
                at = QPointF(box.right() - (number + 0.5) * box.width() / 6, box.top())
                tags.append(Tag(at, tr_number(number + 1), colour))
        self._overlay.set_scale(self.view.canvas.camera.scale())
        self._overlay.show_all(strokes, tags)
        if reveal:
            self._reveal(place)

    def _reveal(self, place: Place) -> None:
        canvas = self.view.canvas
        keys = [ShapeKey(*unit) for unit in place.mine]
        canvas.selection.choose(keys)
        self.view.choice.outline(keys[0] if len(keys) == 1 else None)
        canvas.selection.link([])
        outlines = [polygon for version in place.versions for polygon in version.polygons]
        boxes = [box for each in outlines if (box := bounding_box(each)) is not None]
        if boxes:
            left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
            right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
            room = 0.8 * (bottom - top)
            target = QRectF(QPointF(left - room, top), QPointF(right + room, bottom))
            canvas.camera.reveal(target, zoom=place.level is Level.WORD)

    # The answers

    def keep_mine(self) -> None:
        """Leave the place as it is."""
        place = self._current()
        if place is not None:
            self._version = place.versions.index(place.own)
            self.take_theirs()

    def take_theirs(self) -> None:
        """Make the place as the marked version has it, and go on to the next."""
        place, workspace, who = self._current(), self.view.workspace, self._who
        others = self._others()
        if place is None or workspace is None or who is None or others is None:
            return
        version = place.versions[self._version]
        try:
            difference = difference_of(place, version)
            taken = taken_of(self.view.page_number, place, version, who.names, self._by)
            if difference is None:
                self._decide(self._key(place), taken)
                self._compare()
                return
            answers = self._questions.ask(difference)
            if answers is None:
                return
            edit = take_version(
                workspace.document,
                self.view.page_number,
                difference,
                others[version.annotators[0] - 1],
                keep=answers.keep,
                keeps=answers.keeps,
                unlink=answers.unlink,
                index=workspace.index,
            )
        except StudioError as error:
            self.view.shell.show_error(error)
            return
        self._decide(self._key(place), taken)
        self.view.execute(edit)

    @property
    def _by(self) -> str:
        return self.view.shell.settings.get(QUEUE_NAME) or me()

    def take_majority(self) -> None:
        """Wherever more than half have the same, take it; one step."""
        workspace, who, others = self.view.workspace, self._who, self._others()
        if workspace is None or who is None or others is None:
            return
        page = self.view.page_number
        made = by_majority(workspace.document, page, others, who.names, self._by)
        for key, taken in made.taken.items():
            self._decide((page, *key), taken)
        if made.edit is not None:
            self.view.execute(made.edit)
        else:
            self._compare()
        self.view.shell.messages.info(
            tr_count(
                "{count} place is settled by majority; {left} left.",
                "{count} places are settled by majority; {left} left.",
                len(made.taken),
                left=tr_number(made.left),
            )
        )


def _path(outlines: Sequence[Polygon]) -> QPainterPath:
    path = QPainterPath()
    for outline in outlines:
        path.addPath(path_through([QPointF(x, y) for x, y in outline], closed=True))
    return path

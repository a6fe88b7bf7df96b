"""What a page view keeps from edit to edit is what it would make anew, after each of many edits."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont
from PySide6.QtTest import QAbstractItemModelTester

from madcat_studio.errors import InputError
from madcat_studio.gui.page.arrows import ReadingOrder
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.colouring import ByProblem, ByStatus, by_line
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.ordermodel import OrderModel
from madcat_studio.gui.page.paths import Outlines
from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey, all_followed
from madcat_studio.gui.page.snapshot import Snapshots
from madcat_studio.model.change import Change
from madcat_studio.model.problem import Severity
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_random_walk import DATA, SAMPLE, Walker


class Follower:
    """Follows one page of a document, and compares."""

    def __init__(self, workspace: PageWorkspace) -> None:
        self.workspace = workspace
        self.known = 0
        self.copies = Snapshots()
        self.copies.take(workspace.document)
        self.begin()
        workspace.subscribe(self.changed)

    @property
    def page(self):
        return self.workspace.document.pages[0]

    def begin(self) -> None:
        self.shapes = PageShapes(self.page)
        self.outlines = {kind: Outlines(self.shapes.sets[kind]) for kind in OutlineKind}
        for outlines in self.outlines.values():
            outlines.paths(-1e6, -1e6, 1e6, 1e6)  # lays tiles
        self.statuses = ByStatus(self.shapes, self.status_of)
        self.bad = {line.id for line in self.page.lines[::2]}
        worst = {ShapeKey(n): Severity.ERROR for n in range(0, len(self.page.lines), 2)}
        self.problems = ByProblem(self.shapes, worst)
        self.chosen = [ShapeKey(n, 0) for n, line in enumerate(self.page.lines) if line.words]
        self.held = [self.page.lines[key.line].words[0] for key in self.chosen]

    def status_of(self, key: ShapeKey) -> str | None:
        tokens = self.workspace.index.tokens_of.get((0, key.line, key.word))
        if not tokens:
            return None
        s, g, t = tokens[0]
        return self.workspace.document.sections[s].segments[g].tokens[t].status or ""

    def changed(self, change: Change) -> None:
        self.copies.follow(change)
        shifts, touched = change.shifts_of(0), self.workspace.index.touched
        if shifts is None or touched is None:
            self.begin()
            return
        self.known += 1
        sources = self.shapes.follow(self.page, shifts) if shifts else {}
        for kind, found in sources.items():
            self.outlines[kind].follow(found)
        for page, line in change.lines:
            if page == 0:
                self.replace(ShapeKey(line), self.page.lines[line].polygon)
        for page, line, word in change.words:
            if page == 0:
                self.replace(ShapeKey(line, word), self.page.lines[line].words[word].polygon)
        self.statuses.follow(sources, [ShapeKey(n, k) for page, n, k in touched if page == 0])
        self.problems.follow(sources)
        self.chosen = all_followed(self.chosen, shifts)

    def replace(self, key: ShapeKey, polygon) -> None:
        self.shapes.replace(key, polygon)
        self.outlines[key.kind].changed(self.shapes.index(key))

    def compare(self) -> None:
        anew = PageShapes(self.page)
        for kind in OutlineKind:
            one, other = self.shapes.sets[kind], anew.sets[kind]
            assert np.array_equal(one.xy, other.xy)
            assert np.array_equal(one.offsets, other.offsets)
            assert np.array_equal(one.boxes, other.boxes)
            painted = [path for _, path in self.outlines[kind].paths(-1e6, -1e6, 1e6, 1e6)]
            fresh = [path for _, path in Outlines(other).paths(-1e6, -1e6, 1e6, 1e6)]
            count = sum(path.elementCount() for path in painted)
            assert count == sum(path.elementCount() for path in fresh)
        assert np.array_equal(self.shapes.owners(), anew.owners())
        kept, made = self.statuses.colouring(), ByStatus(anew, self.status_of).colouring()
        assert kept.names == made.names
        for kind in OutlineKind:
            assert np.array_equal(kept.classes[kind], made.classes[kind])
        classes = self.problems.colouring().classes[OutlineKind.LINE]
        marked = [self.page.lines[n].id for n in np.flatnonzero(classes).tolist()]
        assert set(marked) <= self.bad
        assert len(marked) == len(set(marked))
        assert self.copies.take(self.workspace.document) == self.workspace.document


@pytest.mark.long
@pytest.mark.parametrize("seed", [21, 22])
def test_arrays_copies_and_choice_follow_every_edit(tmp_path: Path, seed: int, qapp) -> None:
    path = tmp_path / SAMPLE
    shutil.copy(DATA / SAMPLE, path)
    workspace = PageWorkspace.open(path, folder=tmp_path / "journals")
    assert workspace.index.touched is None
    walker, follower = Walker(workspace.document, seed), Follower(workspace)
    for _ in range(150):
        if not walker.step(workspace):
            continue
        follower.compare()
    assert follower.known > 60  # followed, not begun anew
    workspace.close()


@pytest.mark.long
def test_words_that_were_chosen_are_the_same_words_after_any_move(tmp_path: Path) -> None:
    path = tmp_path / SAMPLE
    shutil.copy(DATA / SAMPLE, path)
    workspace = PageWorkspace.open(path, folder=tmp_path / "journals")
    walker = Walker(workspace.document, 5)
    kinds = [walker.make_move_word, walker.make_move_line, walker.make_add_line]
    follower = Follower(workspace)
    for step in range(60):
        try:
            workspace.execute(kinds[step % 3]())
        except (InputError, IndexError):
            continue
        found = [follower.page.lines[key.line].words[key.word] for key in follower.chosen]
        assert all(one is other for one, other in zip(found, follower.held, strict=True))
    workspace.close()


@pytest.mark.long
def test_the_list_of_the_order_follows_words(tmp_path: Path, qapp) -> None:
    path = tmp_path / SAMPLE
    shutil.copy(DATA / SAMPLE, path)
    workspace = PageWorkspace.open(path, folder=tmp_path / "journals")
    page = workspace.document.pages[0]
    model, anew = OrderModel(), OrderModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    walker = Walker(workspace.document, 9)
    kinds = [
        walker.make_move_word,
        walker.make_split_word,
        walker.make_merge_words,
        walker.make_remove_words,
        walker.make_link,
    ]
    assert workspace.index.touched is None

    def text_of(key: ShapeKey) -> str:
        tokens = workspace.index.tokens_of.get((0, key.line, key.word), [])
        return ",".join(map(str, tokens))

    model.show_page(page, text_of)
    told: set[tuple[int, int]] = set()
    model.dataChanged.connect(lambda first, _: told.add((first.parent().row(), first.row())))
    model.rowsInserted.connect(
        lambda parent, first, last: told.update((parent.row(), k) for k in range(first, last + 1))
    )

    def rows(which: OrderModel) -> list[list[str]]:
        lines = [which.index(n, 0) for n in range(which.rowCount())]
        return [
            [line.data(), *(which.index(k, 0, line).data() for k in range(which.rowCount(line)))]
            for line in lines
        ]

    def follow(change: Change) -> None:
        touched = workspace.index.touched
        assert touched is not None
        lines = [line for _, line in change.lines]
        model.follow(lines, [ShapeKey(n, k) for _, n, k in touched])

    workspace.subscribe(follow)
    for step in range(40):
        shown = rows(model)
        told.clear()
        try:
            workspace.execute(kinds[step % len(kinds)]())
        except (InputError, IndexError):
            continue
        anew.show_page(page, text_of)
        assert rows(model) == rows(anew)
        # What reads otherwise in a row that stayed was told.
        for n, (one, other) in enumerate(zip(shown, rows(model), strict=True)):
            if len(one) == len(other):
                differs = [k for k in range(1, len(one)) if one[k] != other[k]]
                assert {(n, k - 1) for k in differs} <= told
    del tester
    workspace.close()


@pytest.mark.long
def test_what_is_painted_after_structural_edits_is_what_is_painted_anew(
    tmp_path: Path, qtbot
) -> None:
    path = tmp_path / SAMPLE
    shutil.copy(DATA / SAMPLE, path)
    workspace = PageWorkspace.open(path, folder=tmp_path / "journals")
    page = workspace.document.pages[0]
    canvas = PageCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    shapes = PageShapes(page)
    canvas.set_page(shapes, None)
    canvas.show()
    canvas.camera.zoom_to(0.35)
    font = QFont()
    font.setPixelSize(14)
    look = canvas.base.look
    look.order = ReadingOrder(shapes, font, QColor("blue"), QColor("white"))
    links = workspace.index

    def text_of(index: int) -> str:
        key = shapes.key(OutlineKind.WORD, index)
        return "نص" if links.tokens_of.get((0, key.line, key.word)) else ""

    canvas.outlines.set_labels(
        WordLabels(shapes, text_of, font, colour=QColor("black"), ground=QColor("white"))
    )
    walker = Walker(workspace.document, 8)
    kinds = [
        walker.make_split_word,
        walker.make_merge_words,
        walker.make_remove_words,
        walker.make_move_word,
        walker.make_add_word,
        walker.make_remove_line,
    ]

    def follow(change: Change) -> None:
        shifts = change.shifts_of(0)
        assert shifts is not None
        if shifts:
            canvas.follow(page, shifts)
        for _, line in change.lines:
            canvas.outline_changed(ShapeKey(line), page.lines[line].polygon)
        for _, line, word in change.words:
            polygon = page.lines[line].words[word].polygon
            canvas.outline_changed(ShapeKey(line, word), polygon)
        assert links.touched is not None
        canvas.outlines.touch([ShapeKey(n, k) for p, n, k in links.touched if p == 0])
        colouring = by_line(shapes)
        canvas.outlines.set_classes(colouring.classes, tuple(map(QColor, colouring.colours)))

    workspace.subscribe(follow)
    compared = 0
    for step in range(36):
        try:
            workspace.execute(kinds[step % len(kinds)]())
            if step % 4 == 3:
                workspace.undo()
        except (InputError, IndexError):
            continue
        painted = canvas.grab().toImage()
        canvas.outlines.refresh()
        assert painted == canvas.grab().toImage()
        compared += 1
    assert compared > 20
    canvas.settle_now()
    workspace.close()

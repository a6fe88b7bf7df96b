"""Pictures of marking, tokens, comparing and the queue of pages at work."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from madcat_studio.paths import resources

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView
    from scripts.screenshots.studio import Studio

__all__ = ["compare", "flow", "marking", "queue", "settle", "tokens"]

T = TypeVar("T")


def _copied(studio: Studio, name: str, source: str, pattern: str) -> Path:
    """Files of the demo in a folder of their own, made once."""
    folder = studio.home / name
    if not folder.is_dir():
        folder.mkdir()
        for path in sorted((resources() / "demo" / source).glob(pattern)):
            shutil.copy(path, folder / path.name)
    return folder


def _feature(view: PageView, kind: type[T]) -> T:
    return next(feature for feature in view.features if isinstance(feature, kind))


def _opened(studio: Studio, path: Path) -> PageView:
    """A page with nothing begun on it."""
    from madcat_studio.gui.page.flow.feature import FlowFeature
    from madcat_studio.gui.page.marking.feature import MarkingFeature

    view = studio.pages(path)
    if _feature(view, FlowFeature).is_on:
        studio.window.commands.named("page.flow").trigger()
    if _feature(view, MarkingFeature).marking is not None:
        studio.window.commands.named("page.mark").trigger()
    return view


def marking(studio: Studio) -> None:
    """Some words are marked; one is proposed, and those after it."""
    from madcat_studio.gui.page.marking.feature import MarkingFeature

    folder = _copied(studio, "marking", "pages", "*.0005_*")
    view = studio.pages(min(folder.glob("*.madcat.xml")))
    feature = _feature(view, MarkingFeature)
    if feature.marking is None:
        studio.window.commands.named("page.mark").trigger()
    studio.wait(lambda: feature.marking is not None and feature.marking.writing is not None)
    view.canvas.camera.fit_width()
    if feature.marking is not None and feature.marking.left() > 8:
        feature.accept(line=False)
        feature.accept(line=False)


def flow(studio: Studio) -> None:
    """A line as wide as the view, with its tokens under it, two of them not marked yet."""
    from madcat_studio.edits import CompositeEdit, LinkToken
    from madcat_studio.edits.arranging import remove_words
    from madcat_studio.gui.page.flow.feature import FlowFeature
    from madcat_studio.gui.page.shapes import ShapeKey

    folder = _copied(studio, "flow", "reference", "*.0001_1_SCR0002*")
    view = _opened(studio, min(folder.glob("*.madcat.xml")))
    feature, workspace = _feature(view, FlowFeature), view.workspace
    assert workspace is not None
    if not workspace.can_undo:
        document = workspace.document
        tokens = workspace.index.tokens_of[0, 1, 2] + workspace.index.tokens_of[0, 1, 5]
        workspace.execute(CompositeEdit(tuple(LinkToken(*token, "") for token in tokens[:1]), ""))
        workspace.execute(remove_words(document, 0, [(1, 5)], unlink=True))
    view.canvas.selection.select([ShapeKey(1, 1)])
    if not feature.is_on:
        studio.window.commands.named("page.flow").trigger()
    view.canvas.selection.select([ShapeKey(1, 3)])


def tokens(studio: Studio) -> None:
    """A misspelt word: its token, its place in the transcription and on the page."""
    folder = _copied(studio, "tokens", "reference", "*.0001_1_SCR0002*")
    shutil.copy(resources() / "demo" / "scribe_errors.standoff.tsv", folder)
    view = _opened(studio, min(folder.glob("*.madcat.xml")))
    view.side.mark_segment((0, 3))
    view.choice.segment((0, 3))
    view.side.token_list.setCurrentIndex(view.side.token_model.index(10))
    view.canvas.camera.zoom_to(0.3)
    view.canvas.outlines.reveal(view.canvas.selection.keys)


def compare(studio: Studio) -> None:
    """Two annotators of one page, side by side, at a word that one of them joined."""
    from madcat_studio.gui.page.comparing.feature import CompareFeature
    from madcat_studio.pages.adjudication import DifferenceKind

    folder = _copied(studio, "compared", "pages", "*.0007_*")
    path = min(folder.glob("*.madcat.xml"))
    view = _opened(studio, path)
    feature = _feature(view, CompareFeature)
    feature.leave()
    feature.open(resources() / "demo" / "pages" / "second" / path.name)
    studio.wait(lambda: feature.panel.model.rowCount() > 0)
    studio.window.commands.named("page.side-by-side").trigger()
    model = feature.panel.model
    row = next(
        row
        for row in range(model.rowCount())
        if model.difference(row).kind is DifferenceKind.MERGED
    )
    feature.panel.mark(row)
    view.canvas.camera.zoom_to(0.3)


def settle(studio: Studio) -> None:
    """Three annotators of one page, at a word that two of them cut."""
    from madcat_studio.edits import RemoveWord, SetPolygon
    from madcat_studio.edits.base import Outline
    from madcat_studio.edits.splitting import split_word
    from madcat_studio.gui.page.settling.feature import SettleFeature
    from madcat_studio.model.geometry import bounding_box
    from madcat_studio.workspace.page import PageWorkspace

    folder = _copied(studio, "lead", "reference", "*.0001_1_SCR0002*")
    own = min(folder.glob("*.madcat.xml"))
    others = []
    for name in ("ana", "bob"):
        other = _copied(studio, name, "reference", "*.0001_1_SCR0002*") / own.name
        workspace = PageWorkspace.open(other)
        if other.read_bytes() == own.read_bytes():
            document = workspace.document
            box = bounding_box(document.pages[0].lines[1].words[3].polygon)
            assert box is not None
            left, top, right, bottom = box
            x = (left + right) / 2
            workspace.execute(split_word(document, 0, 1, 3, ((x, top - 20), (x - 20, bottom + 20))))
            moved = tuple((x, y + 60) for x, y in document.pages[0].lines[2].words[1].polygon)
            workspace.execute(SetPolygon(Outline(0, 2, 1), moved))
            if name == "bob":
                workspace.execute(RemoveWord(0, 3, 2))
            workspace.save()
        workspace.close()
        others.append(other)
    view = _opened(studio, own)
    feature = _feature(view, SettleFeature)
    if not feature.is_on:
        feature.open(others)
    studio.wait(lambda: feature.has_current)
    view.side.bring(feature.panel)


def queue(studio: Studio) -> None:
    """A folder in the middle of the work."""
    from madcat_studio.gui.page.queue.feature import QueueFeature
    from madcat_studio.gui.settings import QUEUE_NAME
    from madcat_studio.operations.pages import page_queue

    new = not (studio.home / "queued").is_dir()
    folder = _copied(studio, "queued", "reference", "*")
    pages = sorted(folder.glob("*.madcat.xml"))
    if new:
        for page, people in zip(
            pages, (("amal",), ("amal", "basim"), ("basim", "amal")), strict=False
        ):
            for number, person in enumerate(people):
                page_queue.claim(page, person)
                if number + 1 < len(people):
                    page_queue.finish(page, person)
        page_queue.finish(pages[2], "amal")
        page_queue.release(pages[2], "karim")
        page_queue.set_note(pages[0], "amal", "السطر ٣ يحتاج إلى نظر")
    studio.window.settings.set(QUEUE_NAME, "amal")
    view = _opened(studio, pages[0])
    studio.window.open(str(folder))
    feature = _feature(view, QueueFeature)
    studio.wait(lambda: feature.work is not None and len(view.files.files) > 1)
    studio.window.commands.named("page.queue").trigger()
    studio.settle(2500)  # the small pictures of the pages

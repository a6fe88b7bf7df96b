"""The view of pages: canvas, segments, tokens and problems, all lit by one choice.

It mirrors a workspace: a gesture becomes an edit, the workspace's change comes back, and only
what that names is shown anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from madcat_studio.edits import Edit
from madcat_studio.errors import InputError, StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.coreactions import OPEN_DEMO, OPEN_FOLDER, OPEN_PAGE
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.page.bars import PageBars
from madcat_studio.gui.page.camera import STEP
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.choice import Choice
from madcat_studio.gui.page.documents import Documents
from madcat_studio.gui.page.featureset import make_features
from madcat_studio.gui.page.filelist import IMAGE_SUFFIXES, FileList, base_name
from madcat_studio.gui.page.keys import CanvasKeys
from madcat_studio.gui.page.newpage import offer_page
from madcat_studio.gui.page.notice import Notice
from madcat_studio.gui.page.pagescan import PageScan
from madcat_studio.gui.page.shapes import PageShapes, ShapeKey
from madcat_studio.gui.page.side import SidePanel
from madcat_studio.gui.page.style import DARK, LIGHT, page_colours
from madcat_studio.gui.settings import AUTOSAVE, OUTLINE_COLOURS, OUTLINE_WIDTH, WHEEL, Setting
from madcat_studio.gui.toolbar import NameLabel, Toolbar
from madcat_studio.gui.translation import tr, tr_figure, tr_number, tr_report
from madcat_studio.gui.views import Shell, View
from madcat_studio.model.change import Change
from madcat_studio.model.document import Page
from madcat_studio.operations.pages.folder import pages_in
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["PageView"]


class PageView(View):
    """One document at a time, page by page."""

    def __init__(self, shell: Shell, bars: PageBars, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.documents = Documents(shell, self)
        self.documents.changed.connect(self._on_change)
        self.documents.save_as_wanted.connect(self.save_as)
        self._page = 0
        self._build(bars)
        self.choice = Choice(self.canvas, self.side, self._show_page, self)
        self.choice.changed.connect(self.state_changed)
        self.canvas.heard.text_of = self.choice.text_of
        self.scan = PageScan(self.canvas, self.notice, self)
        self.scan.failed.connect(shell.show_error)
        self.features = make_features(self, bars, self.splitter)
        self.documents.compare_wanted.connect(self.features.comparing.open)
        shell.settings.changed.connect(self._on_setting)
        self._on_setting(WHEEL)
        self.apply_theme()

    def _build(self, bars: PageBars) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.page_label, self.scale_label = QLabel("–"), QLabel()
        self.name_label = NameLabel()
        self.page_label.setAccessibleName(tr("Page number"))
        self.scale_label.setAccessibleName(tr("Zoom"))
        self.scale_label.setMinimumWidth(48)
        self.scale_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        after = {bars.number: self.page_label, bars.scale: self.scale_label}
        end = (self.name_label,)
        outer.addWidget(Toolbar(self.shell.commands, bars.tools, after=after, end=end))
        self.files = FileList()
        self.files.wanted.connect(lambda path: self._load(path, {}))
        self.notice = Notice()
        canvas = self.canvas = PageCanvas()
        canvas.tools.keys = CanvasKeys(bars.keys, self.shell.commands.keymap, self)
        canvas.setAcceptDrops(False)
        canvas.setMinimumSize(QSize(320, 240))
        canvas.camera.zoomed.connect(
            lambda scale: self.scale_label.setText(tr_figure(f"{scale * 100:.0f} %"))
        )
        middle = QWidget()
        # Features put strips above the page, and what they like beside it.
        self.column, self.beside = QVBoxLayout(middle), QHBoxLayout()
        for box in (self.column, self.beside):
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(0)
        self.beside.addWidget(canvas, 1)
        self.column.addWidget(self.notice)
        self.column.addLayout(self.beside, 1)
        self.side = SidePanel()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        for widget, stretch in ((self.files, 0), (middle, 1), (self.side, 0)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.hide()  # until there is something in it
        outer.addWidget(self.splitter, 1)
        self.empty = EmptyScreen(
            tr("No page is open"),
            tr("Open a page or a folder of pages. The demo has pages that you can change."),
            (
                (tr("Open a page"), lambda: self.shell.run(OPEN_PAGE)),
                (tr("Open a folder"), lambda: self.shell.run(OPEN_FOLDER)),
                (tr("Open the demo"), lambda: self.shell.run(OPEN_DEMO)),
            ),
        )
        outer.addWidget(self.empty, 1)

    # The view, as the shell sees it

    @property
    def widget(self) -> QWidget:
        """Itself, for features, which do not know it as a widget."""
        return self

    @property
    def workspace(self) -> PageWorkspace | None:
        """The document that is shown."""
        return self.documents.current

    @property
    def page_number(self) -> int:
        """Which page of it is shown, from 0."""
        return self._page

    def title(self) -> str:
        """The document's BASE and, where there are several, the page."""
        if self.workspace is None:
            return ""
        name = base_name(self.workspace.path)
        pages = len(self.workspace.document.pages)
        return f"{name}, {self._page + 1}/{pages}" if pages > 1 else name

    def is_modified(self) -> bool:
        """Whether the document that is shown has unsaved edits."""
        return self.workspace is not None and self.workspace.dirty

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open a document, or a folder of documents at its first or the one in ``target``.

        ``target`` may name ``base`` (a document of the folder), ``page`` (from 1) and ``segment``.
        """
        path = Path(location)
        if path.suffix.lower() in IMAGE_SUFFIXES:
            # A scan alone has no outlines; its document is what is meant.
            try:
                found = offer_page(path, self)
            except StudioError as error:
                self.shell.show_error(error)
                return
            if found is None:
                return
            path = found
        if not path.is_dir():
            files = self.files.files if path in self.files.files else [path]
            self._load(path, target, files=files)
            return
        files = pages_in(path) or pages_in(path, below=True)
        if not files:
            self.shell.show_error(
                InputError(
                    "gui.no-pages",
                    "there is no page in this folder",
                    where=path,
                    remedy="Pages are files in MADCAT XML, PAGE XML or ALTO",
                )
            )
            return
        base = target.get("base")
        wanted = next((file for file in files if base and file.name.startswith(base)), files[0])
        self._load(wanted, target, files=files, remember=location)

    def _load(
        self,
        path: Path,
        target: Mapping[str, str],
        *,
        files: list[Path] | None = None,
        remember: str | None = None,
    ) -> None:
        """Read a document; what is shown stays until that has succeeded."""
        if self.workspace is not None and path == self.workspace.path and files is None:
            return
        listed = self.files.files if files is None else files

        def done(workspace: PageWorkspace) -> None:
            self._show(workspace, listed, remember or str(path), target)

        self.documents.load(path, done, self._on_open_failed)

    def _on_open_failed(self, error: BaseException) -> None:
        self._mark_files()
        self.shell.show_error(error)

    def bring_back(self, locations: list[str]) -> None:
        """The document that was shown, and those with unsaved edits that waited behind it."""
        paths = [Path(location) for location in locations]
        # With their neighbours in the list, so that none of them has to be looked for.
        folders = dict.fromkeys(path.parent for path in paths)
        found = [path for folder in folders for path in pages_in(folder)]
        self.files.show_files(found)
        self.documents.bring_back(paths[:-1])

    def shown(self, campaign: str) -> None:
        """The view came to the front: open the pages that lie in the campaign's folder."""
        if self.workspace is None and campaign and "://" not in campaign:
            place = Path(campaign)
            folder = (place if place.is_dir() else place.parent) / "pages"
            if folder.is_dir() and pages_in(folder):
                self.open_location(str(folder), {})

    def may_close(self) -> bool:
        """Ask about documents that are not saved."""
        return self.documents.may_close()

    def shut_down(self) -> None:
        """Stop all work and close the documents."""
        self.scan.close()
        for feature in self.features:
            feature.shut_down()
        self.canvas.settle_now()
        self.documents.close()

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        colours, settings = self.shell.theme.colours, self.shell.settings
        arabic, english = fonts.arabic(settings), fonts.english(settings)
        self.side.apply_theme(arabic, english, colours, self.devicePixelRatioF())
        self._show_look()
        for feature in self.features:
            feature.apply_theme()

    def _show_look(self) -> None:
        """The colours and widths of outlines, as they are set."""
        settings, theme = self.shell.settings, DARK if self.shell.theme.colours.dark else LIGHT
        colours = page_colours(theme, settings.get(OUTLINE_COLOURS))
        width = self.canvas.base.look.width = settings.get(OUTLINE_WIDTH)
        self.canvas.scan.set_colours(colours)
        self.canvas.outlines.refresh()
        self.canvas.selection.set_look(colours, width)

    def _on_setting(self, setting: Setting[str] | Setting[int]) -> None:
        if setting is WHEEL:
            self.canvas.camera.wheel_zooms = self.shell.settings.get(WHEEL) == "zoom"
        elif setting is AUTOSAVE:
            self.documents.plan_autosave()
        elif setting in (OUTLINE_COLOURS, OUTLINE_WIDTH):
            self._show_look()

    # Showing a document and a page

    def _show(
        self,
        workspace: PageWorkspace,
        files: list[Path],
        location: str,
        target: Mapping[str, str],
    ) -> None:
        self.canvas.tools.leave_gesture("another document")
        left = self.documents.take(workspace)
        begun = self.canvas.tools.begun
        begun.show(workspace.drafts, 0)
        unfinished = begun.came_back() if left else None
        self.empty.hide()
        self.splitter.show()
        self.files.show_files(files)
        self._mark_files()
        self.side.show_document(workspace.document)
        for feature in self.features:
            feature.document_shown()
        self._show_page(int(target["page"]) - 1 if "page" in target else unfinished or 0)
        self.shell.opened(location, self)
        self._keep_session()
        if "segment" in target:
            self.choice.named_segment(target["segment"])
        self.canvas.setFocus()

    def _show_page(self, number: int) -> None:
        workspace = self.workspace
        if workspace is None:
            return
        self.canvas.tools.leave_gesture("another page")
        document = workspace.document
        pages = len(document.pages)
        self._page = min(max(number, 0), max(pages - 1, 0))
        self.canvas.tools.begun.show(workspace.drafts, self._page)
        self.choice.show_page(workspace, self._page)
        self.page_label.setText(f"{tr_number(self._page + 1 if pages else 0)} / {tr_number(pages)}")
        self.name_label.setText(base_name(workspace.path))
        self.name_label.setToolTip(str(workspace.path))
        page = document.pages[self._page] if pages else Page(None)
        self.canvas.set_page(self.features.ahead.shapes(page), None)
        self.scan.show_page(workspace.path, document, self._page)
        for feature in self.features:
            feature.page_shown()
        self.state_changed.emit()

    def _mark_files(self) -> None:
        shown = self.workspace.path if self.workspace is not None else None
        self.files.mark(shown, self.documents.unsaved())

    def turn_page(self, step: int) -> None:
        """To another page, over the end of a document to its neighbour in the folder."""
        workspace = self.workspace
        if workspace is None:
            return
        if 0 <= self._page + step < len(workspace.document.pages):
            self._show_page(self._page + step)
            return
        neighbour = self.files.neighbour(workspace.path, step)
        if neighbour is not None:
            self._load(neighbour, {})

    def can_turn_page(self, step: int) -> bool:
        """Whether there is another page that way."""
        workspace = self.workspace
        return workspace is not None and (
            0 <= self._page + step < len(workspace.document.pages)
            or self.files.neighbour(workspace.path, step) is not None
        )

    def _keep_session(self) -> None:
        shown = [] if self.workspace is None else [self.workspace.path]
        others = [path for path in self.documents.waiting() if path not in shown]
        self.shell.keep_session([str(path) for path in (*others, *shown)])

    # Edits

    def execute(self, edit: Edit) -> Change | None:
        """Make an edit and say what changed; an error is shown, and None says so."""
        if self.workspace is None:
            return None
        try:
            return self.workspace.execute(edit)
        except StudioError as error:
            self.shell.show_error(error)
            return None

    def _on_change(self, workspace: PageWorkspace, change: Change) -> None:
        """Show what an edit, an undo or a redo changed."""
        if workspace is self.workspace:
            if change.shifts is None:
                self._show_anew(workspace)
            else:
                self._show_parts(workspace, change)
            for feature in self.features:
                feature.changed(change)
            self.canvas.spoken.changed()
        self._mark_files()
        self._keep_session()
        self.state_changed.emit()

    def _show_anew(self, workspace: PageWorkspace) -> None:
        self.canvas.tools.drop_gesture("another document")
        document = workspace.document
        self.side.show_document(document)
        if self._page < len(document.pages):
            self.choice.show_page(workspace, self._page)
            self.canvas.set_shapes(PageShapes(document.pages[self._page]))
        else:
            self._show_page(len(document.pages) - 1)

    def _show_parts(self, workspace: PageWorkspace, change: Change) -> None:
        pages = workspace.document.pages
        shifts = change.shifts_of(self._page)
        if shifts:
            self.canvas.follow(pages[self._page], shifts)
        for page, line in change.lines:
            if page == self._page:
                self.canvas.outline_changed(ShapeKey(line), pages[page].lines[line].polygon)
        for page, line, word in change.words:
            if page == self._page:
                polygon = pages[page].lines[line].words[word].polygon
                self.canvas.outline_changed(ShapeKey(line, word), polygon)
        if change.segments:
            self.side.segment_model.changed(change.segments)
        shown = self.side.token_model.segment_place
        if shown is not None and (change.structure or shown in change.segments):
            self.choice.show_tokens(shown)

    # Actions

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        draft = bool(self.canvas.tools.unfinished)
        return draft or (self.workspace is not None and self.workspace.can_undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to make again."""
        draft = bool(self.canvas.tools.taken_back)
        return draft or (self.workspace is not None and self.workspace.can_redo)

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" for nothing."""
        tools = self.canvas.tools
        if tools.unfinished:
            return tools.begun.last_part(tools.unfinished)
        return "" if self.workspace is None else tr_report(self.workspace.undo_label)

    @property
    def redo_label(self) -> str:
        """What redo would make again, "" for nothing."""
        tools = self.canvas.tools
        if tools.taken_back:
            return tools.begun.last_part(tools.taken_back)
        return "" if self.workspace is None else tr_report(self.workspace.redo_label)

    def undo(self) -> None:
        """Take back the last of what is begun and not finished, else the last edit."""
        if not self.canvas.tools.take_back() and self.workspace is not None:
            self.workspace.undo()

    def redo(self) -> None:
        """Make again what was taken back."""
        if not self.canvas.tools.make_again() and self.workspace is not None:
            self.workspace.redo()

    def save(self) -> None:
        """Save the document, and say so."""
        if self.workspace is not None:
            self.documents.save_and_tell(self.workspace)

    def save_as(self) -> None:
        """Ask for another file, and save the document there."""
        workspace = self.workspace
        if workspace is None:
            return
        before = workspace.path
        if self.documents.save_as(workspace):
            self.scan.moved(before, workspace.path)
            self.files.show_files([workspace.path])
            self.name_label.setText(base_name(workspace.path))
            self.shell.opened(str(workspace.path), self)
            self._keep_session()

    def export(self) -> None:
        """Ask for a file in another format, and write the document there."""
        if self.workspace is not None:
            self.documents.export(self.workspace)

    def zoom(self, steps: int) -> None:
        """Show the page larger, or smaller."""
        self.canvas.camera.zoom_by(STEP**steps)

    def put_tool_away(self) -> None:
        """Take the tool that chooses into the hand."""
        self.features.toolbox.take("select")

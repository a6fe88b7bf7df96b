"""The view of pages: canvas, segments, tokens and problems, all lit by one choice.

It mirrors workspaces: a gesture becomes an edit, the workspace's change comes back, and only what
it names is shown anew. Documents that were left unsaved stay open behind the one that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QSplitter,
    QTableView,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.edits import AddVertex, DeleteVertices, Edit, MoveVertex, Outline
from madcat_studio.errors import ConflictError, InputError, StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.page.actions import TOOLBAR
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.loader import ScanLoader
from madcat_studio.gui.page.problems import ProblemModel, places_by_origin
from madcat_studio.gui.page.scan import ScanInfo
from madcat_studio.gui.page.segments import (
    SegmentDelegate,
    SegmentModel,
    TokenDelegate,
    TokenModel,
)
from madcat_studio.gui.page.shapes import Kind, PageShapes, ShapeKey
from madcat_studio.gui.page.snapshot import find_problems, snapshot
from madcat_studio.gui.page.style import DARK, LIGHT
from madcat_studio.gui.settings import AUTOSAVE, WHEEL, Setting
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.change import Change
from madcat_studio.model.document import Page
from madcat_studio.model.links import Links, SegmentIndex, link
from madcat_studio.model.problem import Problem, Severity
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["PageView"]

_CHECK_MS = 600
_SUFFIX = ".madcat.xml"
_SCALES = {"page.zoom-in": 1.25, "page.zoom-out": 0.8}


class PageView(View):
    """One document at a time, page by page; others may wait unsaved."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._open: dict[Path, PageWorkspace] = {}
        self._workspace: PageWorkspace | None = None
        self._page = 0
        self._links = Links()
        self._files: list[Path] = []
        self._image_path: Path | None = None
        self._located: dict[Path, Path] = {}
        self._labels_wanted = False
        self._syncing = False
        self._autosave_failed = False
        self._shown = {Kind.LINE: True, Kind.WORD: True}
        self._scan_shown = True
        self._opening = Dispatcher(self)
        self._checking = Dispatcher(self)
        self._loader = ScanLoader(self)
        self._loader.opened.connect(self._on_scan)
        self._loader.grew.connect(self._on_scan_grew)
        self._loader.failed.connect(self._on_scan_failed)
        self._check_timer = self._single_shot(self._check)
        self._check_timer.setInterval(_CHECK_MS)
        self._autosave_timer = self._single_shot(self._autosave)
        self._build()
        shell.settings.changed.connect(self._on_setting)
        self._on_setting(WHEEL)
        self.dress()

    def _single_shot(self, then: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(then)
        return timer

    # Building

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._build_toolbar())
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.file_list = QListWidget()
        self.file_list.setAccessibleName(tr("Documents of the folder"))
        self.file_list.setMinimumWidth(150)
        self.file_list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.file_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.file_list.currentRowChanged.connect(self._on_file)
        self.file_list.hide()
        self.splitter.addWidget(self.file_list)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.notice = QFrame()
        self.notice.setObjectName("message")
        self.notice.setProperty("level", "warning")
        row = QHBoxLayout(self.notice)
        row.setContentsMargins(14, 6, 10, 6)
        self.notice_text = QLabel()
        self.notice_text.setWordWrap(True)
        row.addWidget(self.notice_text, 1)
        self.locate_button = QPushButton(tr("Locate the image…"))
        self.locate_button.clicked.connect(lambda: self.trigger("page.locate", False))
        row.addWidget(self.locate_button)
        self.notice.hide()
        column.addWidget(self.notice)
        self.canvas = PageCanvas()
        self.canvas.setAcceptDrops(False)
        self.canvas.setMinimumSize(QSize(320, 240))
        self.canvas.chosen.connect(self._on_chosen)
        self.canvas.hovered.connect(lambda _: self._tell_place())
        self.canvas.pointed.connect(self._on_pointed)
        self.canvas.zoomed.connect(self._on_zoomed)
        self.canvas.vertex_moved.connect(self._on_vertex_moved)
        self.canvas.vertex_removed.connect(self._on_vertex_removed)
        self.canvas.vertex_added.connect(self._on_vertex_added)
        column.addWidget(self.canvas, 1)
        self.splitter.addWidget(middle)
        self.splitter.addWidget(self._build_side())
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setStretchFactor(2, 0)
        self.splitter.setSizes([210, 820, 400])
        outer.addWidget(self.splitter, 1)
        self._hover_text = ""
        self._pointer = QPointF()

    def _build_toolbar(self) -> QWidget:
        bar = QFrame()
        bar.setObjectName("toolbar")
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(2)
        for number, group in enumerate(TOOLBAR):
            if number:
                divider = QFrame()
                divider.setObjectName("divider")
                divider.setFixedWidth(11)
                divider.setFrameShape(QFrame.Shape.NoFrame)
                divider.setMaximumHeight(20)
                row.addSpacing(5)
                row.addWidget(divider)
                row.addSpacing(5)
            for identifier in group:
                button = QToolButton()
                button.setDefaultAction(self.shell.commands[identifier])
                button.setIconSize(QSize(20, 20))
                button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                row.addWidget(button)
                if identifier == "page.previous":
                    self.page_label = QLabel("–")
                    self.page_label.setAccessibleName(tr("Page number"))
                    row.addWidget(self.page_label)
                elif identifier == "page.zoom-out":
                    self.scale_label = QLabel("100 %")
                    self.scale_label.setAccessibleName(tr("Zoom"))
                    self.scale_label.setMinimumWidth(48)
                    self.scale_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
                    row.addWidget(self.scale_label)
        row.addStretch(1)
        self.name_label = QLabel()
        self.name_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(self.name_label)
        return bar

    def _build_side(self) -> QWidget:
        side = QWidget()
        side.setObjectName("side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side.setMinimumWidth(260)
        column = QVBoxLayout(side)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        column.addWidget(self.tabs)
        texts = QSplitter(Qt.Orientation.Vertical)
        texts.setChildrenCollapsible(False)
        self.segment_model = SegmentModel(self)
        self.segment_list = QListView()
        self.segment_list.setAccessibleName(tr("Segments"))
        self.segment_list.setModel(self.segment_model)
        self.segment_list.setMouseTracking(True)
        self.segment_list.setResizeMode(QListView.ResizeMode.Adjust)
        self.segment_list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.segment_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.segment_delegate = SegmentDelegate(self.segment_list)
        self.segment_list.setItemDelegate(self.segment_delegate)
        self.segment_list.selectionModel().currentChanged.connect(self._on_segment)
        self.segment_list.clicked.connect(self._on_segment_clicked)
        texts.addWidget(self.segment_list)
        words = QWidget()
        words_column = QVBoxLayout(words)
        words_column.setContentsMargins(0, 0, 0, 0)
        words_column.setSpacing(0)
        heading = QLabel(tr("Tokens of the segment"))
        heading.setObjectName("heading")
        words_column.addWidget(heading)
        self.token_model = TokenModel(self)
        self.token_list = QListView()
        self.token_list.setAccessibleName(tr("Tokens of the segment"))
        self.token_list.setObjectName("chips")
        self.token_list.setModel(self.token_model)
        self.token_list.setFlow(QListView.Flow.LeftToRight)
        self.token_list.setWrapping(True)
        self.token_list.setResizeMode(QListView.ResizeMode.Adjust)
        self.token_list.setMouseTracking(True)
        self.token_list.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.token_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.token_list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.token_delegate = TokenDelegate(self.token_list)
        self.token_list.setItemDelegate(self.token_delegate)
        self.token_list.selectionModel().currentChanged.connect(self._on_token)
        self.token_list.clicked.connect(lambda index: self._on_token(index, QModelIndex()))
        words_column.addWidget(self.token_list, 1)
        texts.addWidget(words)
        texts.setStretchFactor(0, 3)
        texts.setStretchFactor(1, 1)
        texts.setSizes([560, 220])
        self.tabs.addTab(texts, tr("Segments"))
        self.problem_model = ProblemModel(self)
        self.problem_table = QTableView()
        self.problem_table.setAccessibleName(tr("Problems"))
        self.problem_table.setModel(self.problem_model)
        self.problem_table.setShowGrid(False)
        self.problem_table.setWordWrap(False)
        self.problem_table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.problem_table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.problem_table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.problem_table.setTabKeyNavigation(False)
        self.problem_table.verticalHeader().hide()
        self.problem_table.verticalHeader().setDefaultSectionSize(30)
        self.problem_table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.problem_table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.resizeSection(1, 130)
        self.problem_table.selectionModel().currentRowChanged.connect(self._on_problem)
        self.problem_table.clicked.connect(lambda index: self._on_problem(index, QModelIndex()))
        self.tabs.addTab(self.problem_table, tr("Problems"))
        return side

    # The view, as the shell sees it

    def title(self) -> str:
        """The document's BASE and, where there are several, the page."""
        if self._workspace is None:
            return ""
        name = self._workspace.path.name.removesuffix(_SUFFIX)
        pages = len(self._workspace.document.pages)
        return f"{name}, {self._page + 1}/{pages}" if pages > 1 else name

    def is_modified(self) -> bool:
        """Whether the document that is shown has unsaved edits."""
        return self._workspace is not None and self._workspace.dirty

    @property
    def workspace(self) -> PageWorkspace | None:
        """The document that is shown."""
        return self._workspace

    @property
    def page_number(self) -> int:
        """Which page of it is shown, from 0."""
        return self._page

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open a document, or a folder of documents at its first or the one in ``target``.

        ``target`` may name ``base`` (a document of the folder) and ``segment``.
        """
        path = Path(location)
        if path.is_dir():
            files = sorted(path.glob(f"*{_SUFFIX}")) or sorted(path.rglob(f"*{_SUFFIX}"))
            if not files:
                self.shell.show_error(
                    InputError(
                        "gui.no-pages",
                        "there is no page in this folder",
                        where=path,
                        remedy="Pages are files called NAME.madcat.xml",
                    )
                )
                return
            base = target.get("base")
            wanted = next((f for f in files if base and f.name.startswith(base)), files[0])
            self._load(wanted, target, files=files, remember=location)
        else:
            self._load(path, target, files=self._files if path in self._files else [path])

    def _load(
        self,
        path: Path,
        target: Mapping[str, str],
        *,
        files: list[Path],
        remember: str | None = None,
    ) -> None:
        """Read a document in a thread; show it once it could be read."""
        already = self._open.get(path)
        if already is not None:
            self._opening.cancel()
            self._show(already, files, remember, target)
            return

        def work(_: Ticket) -> PageWorkspace:
            return PageWorkspace.open(path)

        self._opening.submit(
            work,
            lambda workspace: self._show(workspace, files, remember, target),
            failed=self._on_open_failed,
        )

    def _on_open_failed(self, error: BaseException) -> None:
        self._mark_file()
        self.shell.show_error(error)

    def may_close(self) -> bool:
        """Ask about documents that are not saved."""
        self._leave_clean(self._workspace)
        unsaved = [workspace for workspace in self._open.values() if workspace.dirty]
        if not unsaved:
            return True
        box = QMessageBox(self)
        box.setWindowTitle(tr("Unsaved pages"))
        box.setIcon(QMessageBox.Icon.NoIcon)
        names = "\n".join(workspace.path.name for workspace in unsaved[:8])
        box.setText(tr("These documents have edits that are not saved:\n\n{names}", names=names))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        chosen = box.exec()
        box.deleteLater()
        if chosen == buttons.Cancel:
            return False
        if chosen == buttons.Save:
            return all(self._save(workspace) for workspace in unsaved)
        for workspace in unsaved:
            workspace.close(discard=True)
            self._open.pop(workspace.path, None)
        return True

    def shut_down(self) -> None:
        """Stop all work and close the documents; journals of unsaved ones stay."""
        self._check_timer.stop()
        self._autosave_timer.stop()
        self._loader.close()
        self._opening.close()
        self._checking.close()
        self.canvas.rest()
        for workspace in self._open.values():
            workspace.close()
        self._open.clear()
        self._workspace = None

    def dress(self) -> None:
        """Follow theme and fonts."""
        colours, settings = self.shell.theme.colours, self.shell.settings
        arabic, english = fonts.arabic(settings), fonts.english(settings)
        self.segment_delegate.dress(arabic, english, colours)
        self.token_delegate.dress(arabic, english, colours)
        self.problem_model.dress(colours, self.devicePixelRatioF())
        self.segment_list.doItemsLayout()
        self.token_list.doItemsLayout()
        self.canvas.set_colours(DARK if colours.dark else LIGHT)
        self._show_labels()

    def _on_setting(self, setting: Setting[str] | Setting[int]) -> None:
        if setting is WHEEL:
            self.canvas.wheel_zooms = self.shell.settings.get(WHEEL) == "zoom"
        elif setting is AUTOSAVE:
            self._plan_autosave()

    # Showing a document and a page

    def _show(
        self,
        workspace: PageWorkspace,
        files: list[Path],
        remember: str | None,
        target: Mapping[str, str],
    ) -> None:
        before = self._workspace
        if workspace is not before:
            self._leave_clean(before)
            self._workspace = workspace
            if workspace.path not in self._open:
                self._open[workspace.path] = workspace
                workspace.subscribe(lambda change: self._on_change(workspace, change))
        self._files = files
        self._page = 0
        self._recover(workspace)
        self.segment_model.set_document(workspace.document)
        self._show_page(0)
        self._fill_files()
        self.problem_model.set_problems(workspace.problems)
        self._count_problems(workspace.problems)
        self._check()
        self.shell.opened(remember or str(workspace.path), self)
        self._keep_session()
        self._aim(target)
        self.canvas.setFocus()
        self.title_changed.emit()

    def _leave_clean(self, workspace: PageWorkspace | None) -> None:
        """Close a document that has nothing unsaved; keep the others open behind."""
        if workspace is None:
            return
        if self._autosave_timer.isActive():
            self._autosave_timer.stop()
            self._autosave()
        if not workspace.dirty and not workspace.can_undo:
            workspace.close()
            self._open.pop(workspace.path, None)
            if workspace is self._workspace:
                self._open[workspace.path] = workspace

    def _recover(self, workspace: PageWorkspace) -> None:
        recovery = workspace.recovery
        if recovery is None:
            return
        if recovery.conflict:
            box = QMessageBox(self)
            box.setWindowTitle(tr("Unsaved edits were found"))
            box.setText(
                tr(
                    "{name} has {steps} unsaved edits from a session that ended badly, and the "
                    "file itself was changed since.",
                    name=workspace.path.name,
                    steps=recovery.steps,
                )
            )
            mine = box.addButton(tr("Bring my edits back"), QMessageBox.ButtonRole.AcceptRole)
            box.addButton(tr("Keep the file"), QMessageBox.ButtonRole.RejectRole)
            box.exec()
            chosen = box.clickedButton() is mine
            box.deleteLater()
            if not chosen:
                workspace.discard_recovery()
                return
        workspace.recover()
        if recovery.steps:
            self.shell.messages.post(
                Message(
                    Level.WARNING if recovery.damaged else Level.INFO,
                    tr(
                        "{steps} unsaved edits of {name} were brought back. Save to keep them, "
                        "undo to take them back.",
                        steps=recovery.steps,
                        name=workspace.path.name,
                    ),
                )
            )

    def _show_page(self, number: int) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        document = workspace.document
        self._page = min(max(number, 0), max(len(document.pages) - 1, 0))
        self._links = link(document)
        pages = len(document.pages)
        self.page_label.setText(f"{self._page + 1} / {pages}" if pages else "0 / 0")
        self.name_label.setText(workspace.path.name.removesuffix(_SUFFIX))
        self.name_label.setToolTip(str(workspace.path))
        self.notice.hide()
        self._loader.cancel()
        self._image_path = None
        shapes = PageShapes(document.pages[self._page]) if pages else PageShapes(Page(None))
        self._find_scan(workspace)
        self.canvas.set_page(shapes, None)
        self._show_labels()
        if self.segment_model.rowCount() and not self.segment_list.currentIndex().isValid():
            self.token_model.set_segment(None, (0, 0), frozenset())
        self.state_changed.emit()
        self.title_changed.emit()

    def _fill_files(self) -> None:
        several = len(self._files) > 1
        if self.file_list.isHidden() == several:
            self.file_list.setVisible(several)
        if [
            self.file_list.item(n).data(Qt.ItemDataRole.UserRole)
            for n in range(self.file_list.count())
        ] != [str(path) for path in self._files]:
            self.file_list.blockSignals(True)
            self.file_list.clear()
            for path in self._files:
                item = QListWidgetItem(path.name.removesuffix(_SUFFIX))
                item.setData(Qt.ItemDataRole.UserRole, str(path))
                item.setToolTip(str(path))
                self.file_list.addItem(item)
            self.file_list.blockSignals(False)
        self._mark_file()

    def _mark_file(self) -> None:
        """Mark the document that is shown, and those that are not saved."""
        self.file_list.blockSignals(True)
        for number, path in enumerate(self._files):
            if number >= self.file_list.count():
                break
            item = self.file_list.item(number)
            workspace = self._open.get(path)
            dirty = workspace is not None and workspace.dirty
            item.setText(("• " if dirty else "") + path.name.removesuffix(_SUFFIX))
            if self._workspace is not None and path == self._workspace.path:
                self.file_list.setCurrentRow(number)
        self.file_list.blockSignals(False)

    def _on_file(self, row: int) -> None:
        if 0 <= row < len(self._files):
            path = self._files[row]
            if self._workspace is None or path != self._workspace.path:
                self._load(path, {}, files=self._files)

    def _turn(self, step: int) -> None:
        """To another page, over the end of a document to its neighbour in the folder."""
        workspace = self._workspace
        if workspace is None:
            return
        number = self._page + step
        if 0 <= number < len(workspace.document.pages):
            self._show_page(number)
        elif workspace.path in self._files:
            place = self._files.index(workspace.path) + step
            if 0 <= place < len(self._files):
                self._load(self._files[place], {}, files=self._files)

    def _can_turn(self, step: int) -> bool:
        workspace = self._workspace
        if workspace is None:
            return False
        if 0 <= self._page + step < len(workspace.document.pages):
            return True
        if workspace.path not in self._files:
            return False
        return 0 <= self._files.index(workspace.path) + step < len(self._files)

    def _aim(self, target: Mapping[str, str]) -> None:
        wanted = target.get("segment")
        if wanted is None or self._workspace is None:
            return
        for row in range(self.segment_model.rowCount()):
            if self.segment_model.index(row).data() == wanted:
                self.segment_list.setCurrentIndex(self.segment_model.index(row))
                self._light_segment(self.segment_model.place(row), reveal=True)
                return

    def _keep_session(self) -> None:
        unsaved = [str(path) for path, workspace in self._open.items() if workspace.dirty]
        shown = [str(self._workspace.path)] if self._workspace is not None else []
        self.shell.keep_session([p for p in unsaved if p not in shown] + shown)

    # The scan

    def _find_scan(self, workspace: PageWorkspace) -> None:
        document = workspace.document
        found = self._located.get(workspace.path)
        if found is None:
            src = document.src or workspace.path.name.removesuffix(_SUFFIX) + ".tif"
            found = ImageFinder().find(src, workspace.path)
        if found is None:
            named = document.src or tr("(the file names none)")
            self._notice(
                tr("The image {name} is not there; only the outlines are shown.", name=named)
            )
            return
        self._image_path = found
        self._loader.load(found, self._page if len(document.pages) > 1 else 0)

    def _on_scan(self, info: ScanInfo, pyramid: Pyramid) -> None:
        self.canvas.set_scan(pyramid)
        # Painted now, before the levels that are still being made take the processor.
        self.canvas.viewport().repaint()
        workspace = self._workspace
        if workspace is None or not workspace.document.pages:
            return
        page = workspace.document.pages[self._page]
        pages = len(workspace.document.pages)
        if page.width and page.height and (page.width, page.height) != (info.width, info.height):
            self._notice(
                tr(
                    "The image is {width} × {height} pixels, the file says {page_width} × "
                    "{page_height}. The outlines are shown where the file puts them.",
                    width=info.width,
                    height=info.height,
                    page_width=page.width,
                    page_height=page.height,
                )
            )
        elif info.turned:
            self._notice(
                tr(
                    "A tag in the image asks to turn it. It is shown as it is stored, because "
                    "the outlines are."
                ),
                locate=False,
            )
        elif info.frames > pages:
            self._notice(
                tr(
                    "The image has {frames} frames, the file {pages} page(s); frame {frame} is "
                    "shown.",
                    frames=info.frames,
                    pages=pages,
                    frame=self._page + 1,
                ),
                locate=False,
            )

    def _on_scan_grew(self) -> None:
        self.canvas.scan_grew()

    def _on_scan_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self.shell.show_error(error)
            return
        remedy = f" {error.remedy}." if error.remedy else ""
        reason = error.reason[:1].upper() + error.reason[1:]
        self._notice(f"{Path(error.where).name}: {reason}.{remedy}")

    def _notice(self, text: str, *, locate: bool = True) -> None:
        self.notice_text.setText(text)
        self.notice.setAccessibleName(text)
        self.locate_button.setVisible(locate)
        self.notice.show()

    def _locate(self) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        path, _ = QFileDialog.getOpenFileName(
            self,
            tr("Locate the image"),
            str(workspace.path.parent),
            tr("Images (*.tif *.tiff *.png *.jpg *.jpeg *.bmp);;All files (*)"),
        )
        if path:
            self._located[workspace.path] = Path(path)
            self.notice.hide()
            self._find_scan(workspace)

    # Labels and layers

    def _show_labels(self) -> None:
        shapes, workspace = self.canvas.shapes, self._workspace
        if not self._labels_wanted or shapes is None or workspace is None:
            self.canvas.set_labels(None)
            return
        texts: dict[int, str] = {}
        document = workspace.document
        for (page, line, word), tokens in self._links.tokens_of.items():
            if page != self._page:
                continue
            found = [document.sections[s].segments[g].tokens[t].source or "" for s, g, t in tokens]
            texts[shapes.index(ShapeKey(line, word))] = " ".join(filter(None, found))
        colours = LIGHT
        self.canvas.set_labels(
            WordLabels(
                shapes,
                texts,
                fonts.arabic(self.shell.settings, scale=0.85),
                colour=colours.label,
                ground=colours.label_ground,
            )
        )

    # One choice, lit everywhere

    def _on_chosen(self, key: ShapeKey | None) -> None:
        """A click on the page."""
        if key is None:
            self.canvas.link([])
            self._select(self.token_list, None)
        elif key.word is not None:
            tokens = self._links.tokens_of.get((self._page, key.line, key.word), [])
            if tokens:
                section, segment, token = tokens[0]
                self._show_segment((section, segment))
                self._select(self.token_list, token)
            else:
                segments = self._links.segments_of.get((self._page, key.line), [])
                self._select(self.token_list, None)
                if not segments:
                    self.canvas.link([])
        else:
            segments = self._links.segments_of.get((self._page, key.line), [])
            self._select(self.token_list, None)
            if segments:
                self._show_segment(segments[0])
            else:
                self.canvas.link([])
        self._tell_place()
        self.state_changed.emit()

    def _show_segment(self, place: SegmentIndex) -> None:
        """Mark a segment in the list, show its tokens, light its words; the page stays."""
        row = self.segment_model.row(place)
        self._select(self.segment_list, row)
        self._show_tokens(place)
        self.canvas.link(self._keys_of(place))

    def _show_tokens(self, place: SegmentIndex) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        segment = workspace.document.sections[place[0]].segments[place[1]]
        linked = frozenset(
            t for t in range(len(segment.tokens)) if (*place, t) in self._links.word_of
        )
        self.token_model.set_segment(segment, place, linked)

    def _keys_of(self, place: SegmentIndex) -> list[ShapeKey]:
        """The outlines of a segment on the page that is shown: its words, else its lines."""
        words = [
            ShapeKey(line, word)
            for page, line, word in self._links.words_of.get(place, [])
            if page == self._page
        ]
        if words:
            return words
        return [
            ShapeKey(line)
            for page, line in self._links.lines_of.get(place, [])
            if page == self._page
        ]

    def _on_segment(self, index: QModelIndex, _: QModelIndex) -> None:
        if not self._syncing and index.isValid():
            self._light_segment(self.segment_model.place(index.row()), reveal=True)

    def _on_segment_clicked(self, index: QModelIndex) -> None:
        self._light_segment(self.segment_model.place(index.row()), reveal=True)

    def _light_segment(self, place: SegmentIndex, *, reveal: bool) -> None:
        self._show_tokens(place)
        self._select(self.token_list, None)
        if not self._keys_of(place):
            # It lies on another page, wholly; go there.
            lines = self._links.lines_of.get(place, [])
            if lines and lines[0][0] != self._page:
                self._show_page(lines[0][0])
        keys = self._keys_of(place)
        self.canvas.choose(None)
        self.canvas.link(keys)
        if reveal:
            self.canvas.reveal(keys)
        self.state_changed.emit()

    def _on_token(self, index: QModelIndex, _: QModelIndex) -> None:
        if self._syncing or not index.isValid():
            return
        word = self._links.word_of.get(self.token_model.place(index.row()))
        if word is None:
            self.canvas.choose(None)
            return
        if word[0] != self._page:
            self._show_page(word[0])
        key = ShapeKey(word[1], word[2])
        self.canvas.link(self._keys_of(self.token_model.segment_place))
        self.canvas.choose(key)
        self.canvas.reveal([key])
        self.state_changed.emit()

    def _select(self, view: QListView, row: int | None) -> None:
        """Mark a row without the view telling that it was marked."""
        self._syncing = True
        selection = view.selectionModel()
        if row is None or row < 0:
            selection.clear()
        else:
            index = view.model().index(row, 0)
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            view.scrollTo(index)
        self._syncing = False

    # Problems

    def _check(self) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        opened = replace(workspace.read_document, document=snapshot(workspace.document))
        self._checking.submit(lambda _: find_problems(opened), self._on_problems)

    def _on_problems(self, problems: list[Problem]) -> None:
        row = self.problem_table.currentIndex().row()
        self._syncing = True
        self.problem_model.set_problems(problems)
        if 0 <= row < len(problems):
            self.problem_table.setCurrentIndex(self.problem_model.index(row, 0))
        self._syncing = False
        self._count_problems(problems)
        self.state_changed.emit()

    def _count_problems(self, problems: object) -> None:
        found = list(problems) if isinstance(problems, list | tuple) else []
        count = len(found)
        worst = sum(1 for problem in found if problem.severity is not Severity.NOTE)
        self.tabs.setTabText(1, tr("Problems ({count})", count=count) if count else tr("Problems"))
        self.tabs.setTabToolTip(1, tr("{count} of them matter", count=worst) if count else "")

    def _on_problem(self, index: QModelIndex, _: QModelIndex) -> None:
        if self._syncing or not index.isValid() or self._workspace is None:
            return
        problem = self.problem_model.problem(index.row())
        if problem.where.origin is None:
            return
        place = places_by_origin(self._workspace.document).get(problem.where.origin)
        if place is None:
            return
        kind, indices = place
        if kind in ("page", "line", "word"):
            if indices[0] != self._page:
                self._show_page(indices[0])
            if kind != "page":
                key = ShapeKey(*indices[1:])
                self.canvas.choose(key)
                self.canvas.reveal([key], zoom=True)
                self._on_chosen(key)
        else:
            row = self.segment_model.row((indices[0], indices[1]))
            self._select(self.segment_list, row)
            self._light_segment((indices[0], indices[1]), reveal=True)
            if kind == "token":
                self._select(self.token_list, indices[2])
                self._on_token(self.token_model.index(indices[2]), QModelIndex())

    def _next_problem(self) -> None:
        count = self.problem_model.rowCount()
        if count:
            self.tabs.setCurrentWidget(self.problem_table)
            row = (self.problem_table.currentIndex().row() + 1) % count
            self.problem_table.setCurrentIndex(self.problem_model.index(row, 0))

    # Edits

    def _outline(self, key: ShapeKey) -> Outline:
        return Outline(self._page, key.line, key.word)

    def _execute(self, edit: Edit) -> bool:
        if self._workspace is None:
            return False
        try:
            self._workspace.execute(edit)
        except StudioError as error:
            self.shell.show_error(error)
            return False
        if self._workspace.trouble is not None:
            trouble, self._workspace.trouble = self._workspace.trouble, None
            self.shell.show_error(trouble)
        return True

    def _on_vertex_moved(self, key: ShapeKey, index: int, point: QPointF) -> None:
        self._execute(MoveVertex(self._outline(key), index, (int(point.x()), int(point.y()))))

    def _on_vertex_removed(self, key: ShapeKey, index: int) -> None:
        self._execute(DeleteVertices(self._outline(key), (index,)))

    def _on_vertex_added(self, key: ShapeKey, before: int, point: QPointF) -> None:
        place = (int(point.x()), int(point.y()))
        if self._execute(AddVertex(self._outline(key), before + 1, place)):
            self.canvas.activate_vertex(before + 1)

    def _on_change(self, workspace: PageWorkspace, change: Change) -> None:
        if workspace is not self._workspace:
            return
        document = workspace.document
        if change.structure:
            self._links = link(document)
            if self._page >= len(document.pages):
                self._show_page(len(document.pages) - 1)
            elif document.pages:
                self.canvas.set_shapes(PageShapes(document.pages[self._page]))
            self.segment_model.set_document(document)
            self._show_labels()
        else:
            for page, line in change.lines:
                if page == self._page:
                    polygon = document.pages[page].lines[line].polygon
                    self.canvas.outline_changed(ShapeKey(line), polygon)
            for page, line, word in change.words:
                if page == self._page:
                    polygon = document.pages[page].lines[line].words[word].polygon
                    self.canvas.outline_changed(ShapeKey(line, word), polygon)
            if change.segments:
                self._links = link(document)
                self.segment_model.changed(change.segments)
                if self.token_model.segment_place in change.segments:
                    self._show_tokens(self.token_model.segment_place)
                self._show_labels()
        if change != Change():
            self._check_timer.start()
            self._plan_autosave()
        self._mark_file()
        self._keep_session()
        self.state_changed.emit()

    # Saving

    def _plan_autosave(self) -> None:
        seconds = self.shell.settings.get(AUTOSAVE)
        if seconds and self._workspace is not None and self._workspace.dirty:
            self._autosave_timer.start(seconds * 1000)
        else:
            self._autosave_timer.stop()

    def _autosave(self) -> None:
        workspace = self._workspace
        if workspace is None or not workspace.dirty:
            return
        try:
            workspace.save()
        except StudioError as error:
            # Told once, not every few seconds, until a save succeeds.
            if not self._autosave_failed:
                self._autosave_failed = True
                self.shell.show_error(error)
        else:
            self._autosave_failed = False

    def _save(self, workspace: PageWorkspace) -> bool:
        try:
            workspace.save()
        except ConflictError as error:
            return self._settle_conflict(workspace, error)
        except StudioError as error:
            self.shell.show_error(error)
            return False
        self._autosave_failed = False
        self._autosave_timer.stop()
        return True

    def _settle_conflict(self, workspace: PageWorkspace, error: ConflictError) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle(tr("The file was changed"))
        box.setText(tr("{name}: {reason}.", name=workspace.path.name, reason=error.reason))
        roles = QMessageBox.ButtonRole
        mine = box.addButton(tr("Replace it with mine"), roles.DestructiveRole)
        theirs = box.addButton(tr("Drop my edits and read it again"), roles.DestructiveRole)
        other = box.addButton(tr("Save mine as…"), roles.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(other)
        box.exec()
        chosen = box.clickedButton()
        box.deleteLater()
        try:
            if chosen is mine:
                workspace.save(overwrite=True)
                return True
            if chosen is theirs:
                workspace.take_theirs()
                return True
        except StudioError as failure:
            self.shell.show_error(failure)
            return False
        return self._save_as(workspace) if chosen is other else False

    def _save_as(self, workspace: PageWorkspace) -> bool:
        name, _ = QFileDialog.getSaveFileName(
            self,
            tr("Save as"),
            str(workspace.path),
            tr("MADCAT pages (*.madcat.xml)"),
        )
        if not name:
            return False
        path = Path(name)
        if path.suffix != ".xml":
            path = path.with_name(path.name + _SUFFIX)
        before = workspace.path
        try:
            # The dialog has asked already whether a file may be replaced.
            workspace.save_as(path, overwrite=True)
        except StudioError as error:
            self.shell.show_error(error)
            return False
        self._open.pop(before, None)
        self._open[workspace.path] = workspace
        if before in self._located:
            self._located[path] = self._located[before]
        elif self._image_path is not None:
            self._located[path] = self._image_path
        self._files = [path]
        self._fill_files()
        self.name_label.setText(path.name.removesuffix(_SUFFIX))
        self.title_changed.emit()
        return True

    # Actions

    def trigger(self, action: str, checked: bool) -> None:
        """Do what an action says."""
        workspace, canvas = self._workspace, self.canvas
        if workspace is None:
            return
        if action == "page.save":
            if self._save(workspace):
                self.shell.messages.info(tr("{name} is saved.", name=workspace.path.name))
        elif action == "page.save-as":
            self._save_as(workspace)
        elif action in ("page.undo", "page.redo"):
            self._step(workspace, back=action == "page.undo")
        elif action == "page.delete-vertex":
            key, vertex = canvas.chosen_key, canvas.active_vertex
            if key is not None and vertex is not None:
                canvas.activate_vertex(None)
                self._on_vertex_removed(key, vertex)
        elif action == "page.fit":
            canvas.fit()
        elif action == "page.fit-width":
            canvas.fit_width()
        elif action == "page.actual-size":
            canvas.zoom_to(1.0)
        elif action in _SCALES:
            canvas.zoom_by(_SCALES[action])
        elif action == "page.show-scan":
            self._scan_shown = checked
            canvas.set_scan_visible(checked)
        elif action in ("page.show-lines", "page.show-words"):
            kind = Kind.LINE if action == "page.show-lines" else Kind.WORD
            self._shown[kind] = checked
            canvas.set_visible(kind, checked)
        elif action == "page.show-labels":
            self._labels_wanted = checked
            self._show_labels()
        elif action in ("page.previous", "page.next"):
            self._turn(1 if action == "page.next" else -1)
        elif action == "page.locate":
            self._locate()
        elif action == "page.problems":
            self._next_problem()
        self.state_changed.emit()

    def _step(self, workspace: PageWorkspace, *, back: bool) -> None:
        try:
            if back:
                workspace.undo()
            else:
                workspace.redo()
        except StudioError as error:
            self.shell.show_error(error)

    def can(self, action: str) -> bool:
        """Whether an action can be used now."""
        workspace = self._workspace
        if workspace is None:
            return False
        if action == "page.save":
            return workspace.dirty
        if action == "page.undo":
            return workspace.can_undo
        if action == "page.redo":
            return workspace.can_redo
        if action == "page.delete-vertex":
            return self.canvas.active_vertex is not None
        if action in ("page.previous", "page.next"):
            return self._can_turn(1 if action == "page.next" else -1)
        if action == "page.problems":
            return self.problem_model.rowCount() > 0
        return True

    def is_checked(self, action: str) -> bool:
        """Whether a layer is shown."""
        return {
            "page.show-scan": self._scan_shown,
            "page.show-lines": self._shown[Kind.LINE],
            "page.show-words": self._shown[Kind.WORD],
            "page.show-labels": self._labels_wanted,
        }.get(action, False)

    def title_of(self, action: str) -> str | None:
        """What undo and redo would do."""
        workspace = self._workspace
        if workspace is None:
            return None
        if action == "page.undo" and workspace.undo_label:
            return tr("&Undo: {what}", what=workspace.undo_label)
        if action == "page.redo" and workspace.redo_label:
            return tr("&Redo: {what}", what=workspace.redo_label)
        return None

    # The status line

    def _on_zoomed(self, scale: float) -> None:
        self.scale_label.setText(f"{scale * 100:.0f} %")

    def _on_pointed(self, point: QPointF) -> None:
        self._pointer = point
        self._tell_place()

    def _tell_place(self) -> None:
        workspace = self._workspace
        if workspace is None or self._page >= len(workspace.document.pages):
            return
        parts = []
        key = self.canvas.hovered_key or self.canvas.chosen_key
        page = workspace.document.pages[self._page]
        if key is not None and key.line < len(page.lines):
            line = page.lines[key.line]
            parts.append(tr("line {id}", id=line.id or f"#{key.line + 1}"))
            if key.word is not None and key.word < len(line.words):
                word = line.words[key.word]
                parts.append(tr("word {id}", id=word.id or f"#{key.word + 1}"))
                for s, g, t in self._links.tokens_of.get((self._page, key.line, key.word), []):
                    segment = workspace.document.sections[s].segments[g]
                    # Isolated, so that an Arabic word does not turn the line around.
                    parts.append(f"\u2068{segment.tokens[t].source or ''}\u2069")
        parts.append(f"{self._pointer.x():.0f}, {self._pointer.y():.0f}")
        self.hint.emit("   ".join(parts))

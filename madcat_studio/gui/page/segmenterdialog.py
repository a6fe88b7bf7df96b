"""Which segmenter is asked for the lines of a page: one is chosen, fetched, or named."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError, UsageError
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import PathRow, add_row, make_button, make_form
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Ticket

if TYPE_CHECKING:
    from madcat_studio.operations.pages.segmenters import Segmenter

__all__ = ["SegmenterDialog"]

_NAME = Qt.ItemDataRole.UserRole


class SegmenterDialog(QDialog):
    """What is chosen holds at once; closing it stops what is being fetched."""

    manual = "segmenters"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Segmenter"))
        self.setMinimumWidth(620)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 18, 24, 18)
        layout.setSpacing(10)
        note = QLabel(
            tr(
                "A segmenter is a separate program that finds the lines of a page. Its lines "
                "are used if they make more words of the transcript sure than the lines in the "
                "ink do."
            )
        )
        note.setWordWrap(True)
        layout.addWidget(note)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Segmenters"))
        self.list.setFixedHeight(96)
        layout.addWidget(self.list)
        self.always = QCheckBox(tr("Always &take its lines, without comparing"))
        layout.addWidget(self.always)
        chosen = make_form()
        self.model = PathRow(tr("Model file"), hint=tr("its own"))
        add_row(chosen, tr("Its &model"), self.model, self.model.field)
        layout.addLayout(chosen)
        row = QHBoxLayout()
        self.install = make_button(tr("&Install kraken"), self._install)
        self.install.setToolTip(tr("Downloads it with pip into a separate folder; several GB"))
        self.remove = make_button(tr("&Remove"), self._remove)
        row.addWidget(self.install)
        row.addWidget(self.remove)
        row.addStretch(1)
        layout.addLayout(row)
        self.bar = JobBar()
        self.bar.busy_changed.connect(self._enable)
        layout.addWidget(self.bar)
        self.message = QLabel()
        self.message.setObjectName("caution")
        self.message.setWordWrap(True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.message.hide()
        layout.addWidget(self.message)
        layout.addSpacing(8)
        layout.addLayout(self._own_form())
        buttons = QDialogButtonBox()
        close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        close.setDefault(True)
        buttons.accepted.connect(self.accept)
        layout.addWidget(buttons)
        self._show()
        self.list.currentItemChanged.connect(lambda *_: self._chosen())
        self.always.toggled.connect(lambda _: self._use(None))
        self.model.chosen.connect(self._use_model)
        self.model.field.editingFinished.connect(self._use_model)

    def _own_form(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.addWidget(QLabel(tr("Your own program:")))
        form = make_form()
        self.name = QLineEdit()
        self.command = QLineEdit()
        self.command.setPlaceholderText(tr("such as: python3 mine.py --fast"))
        add_row(form, tr("&Name"), self.name)
        add_row(form, tr("&Command"), self.command)
        column.addLayout(form)
        row = QHBoxLayout()
        self.add = make_button(tr("&Add"), self._add)
        row.addWidget(self.add)
        row.addStretch(1)
        column.addLayout(row)
        return column

    def done(self, result: int) -> None:
        """Close; what is being fetched is given up."""
        self.bar.close_worker()
        super().done(result)

    # What is there

    def _show(self) -> None:
        """Show the list anew, with what is in use chosen."""
        from madcat_studio.operations.pages.segmenters import Segmenters, list_segmenters

        listed = Segmenters()
        try:
            listed = list_segmenters()
        except StudioError as error:
            self._say(error)
        self._all = {one.name: one for one in listed.all}
        self.list.blockSignals(True)
        self.list.clear()
        self._item(tr("None: the lines in the ink"), "")
        for one in listed.all:
            how = tr("installed") if one.installed else shlex.join(one.command)
            self._item(f"{one.name}  –  {how}", one.name)
        for number in range(self.list.count()):
            if self.list.item(number).data(_NAME) == listed.use:
                self.list.setCurrentRow(number)
        self.list.blockSignals(False)
        self.always.blockSignals(True)
        self.always.setChecked(listed.always)
        self.always.blockSignals(False)
        self._enable()

    def _item(self, text: str, name: str) -> None:
        item = QListWidgetItem(text)
        item.setData(_NAME, name)
        self.list.addItem(item)

    def _now(self) -> Segmenter | None:
        item = self.list.currentItem()
        return self._all.get(str(item.data(_NAME))) if item is not None else None

    def _enable(self) -> None:
        now, free = self._now(), not self.bar.busy
        self.model.field.setText(now.model if now is not None else "")
        of_chosen: tuple[QWidget, ...] = (self.always, self.model, self.remove)
        for widget in of_chosen:
            widget.setEnabled(now is not None and free)
        others: tuple[QWidget, ...] = (self.list, self.install, self.add)
        for widget in others:
            widget.setEnabled(free)
        self._grow()

    # What is done

    def _chosen(self) -> None:
        self.always.blockSignals(True)
        self.always.setChecked(False)
        self.always.blockSignals(False)
        self._use(None)
        self._enable()

    def _use_model(self) -> None:
        now, path = self._now(), self.model.path()
        said = str(path) if path is not None else ""
        if now is not None and said != now.model:
            self._use(said)
            self._show()

    def _use(self, model: str | None) -> None:
        from madcat_studio.operations.pages.segmenters import use_segmenter

        now = self._now()
        try:
            use_segmenter(
                now.name if now is not None else "", always=self.always.isChecked(), model=model
            )
            self.message.hide()
        except StudioError as error:
            self._say(error)

    def _add(self) -> None:
        from madcat_studio.operations.pages.segmenters import (
            Segmenter,
            add_segmenter,
            use_segmenter,
        )

        name = self.name.text().strip()
        try:
            try:
                command = tuple(shlex.split(self.command.text()))
            except ValueError:
                raise UsageError(
                    "segmenter.no-program",
                    "the command has an unpaired quotation mark",
                    remedy="Write it as on a command line",
                ) from None
            add_segmenter(Segmenter(name, command))
            use_segmenter(name)
        except StudioError as error:
            self._say(error)
            return
        self.name.clear()
        self.command.clear()
        self.message.hide()
        self._show()

    def _remove(self) -> None:
        from madcat_studio.operations.pages.segmenters import remove_segmenter

        now = self._now()
        if now is None:
            return
        try:
            remove_segmenter(now.name)
            self.message.hide()
        except StudioError as error:
            self._say(error)
        self._show()

    def _install(self) -> None:
        def work(ticket: Ticket) -> object:
            from madcat_studio.operations.pages.segmenter_install import install_segmenter

            return install_segmenter("kraken", progress=ticket)

        self.message.hide()
        self.bar.start(tr("Downloading kraken …"), work, lambda _: self._show(), self._failed)

    def _failed(self, error: BaseException) -> None:
        self._say(error)
        self._show()

    def _say(self, error: BaseException) -> None:
        self.message.setText(tr_failure(error))
        self.message.show()
        self._grow()

    def _grow(self) -> None:
        """Be as high as wrapped texts need; what stands below them must not be squeezed."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            needed = layout.totalHeightForWidth(self.width())
            self.resize(self.width(), max(self.height(), needed))

"""The manual beside the work: the page for a view, a word looked for, what a code means."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.manualpages import (
    ERRORS,
    Page,
    as_html,
    beside,
    explained,
    find,
    page,
    pages,
)
from madcat_studio.gui.theme import Colours, Theme
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.paths import manual

__all__ = ["ManualWindow"]

_PLACE = Qt.ItemDataRole.UserRole


class ManualWindow(QDialog):
    """The pages, and what is found in them. It stays open beside the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Manual"))
        self.resize(1000, 680)
        self._theme = theme
        self._way: list[tuple[str, str]] = []
        self._at = -1
        outer = QVBoxLayout(self)
        outer.setContentsMargins(14, 12, 14, 12)
        top = QHBoxLayout()
        self.back = self._button(top, tr("Back"), lambda: self._step(-1), "Alt+Left")
        self.forward = self._button(top, tr("Forward"), lambda: self._step(1), "Alt+Right")
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search the manual"))
        self.search.setAccessibleName(tr("Search the manual"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_list)
        top.addWidget(self.search, 1)
        outer.addLayout(top)
        parts = QSplitter()
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Pages of the manual"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda item, _: self._on_item(item))
        column.addWidget(self.list, 1)
        self._count = QLabel()
        self._count.setObjectName("quiet")
        column.addWidget(self._count)
        parts.addWidget(side)
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("The page"))
        self.text.setOpenLinks(False)
        self.text.setSearchPaths([str(manual())])
        # The manual is in English, whichever way the window runs.
        for part in (self.list, self.text):
            part.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.text.anchorClicked.connect(self._follow)
        parts.addWidget(self.text)
        parts.setSizes([250, 750])
        parts.setStretchFactor(1, 1)
        outer.addWidget(parts, 1)
        find_keys = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find_keys.activated.connect(self.search.setFocus)
        theme.changed.connect(self._show)
        self._show_list("")

    def _button(self, row: QHBoxLayout, text: str, run: object, keys: str) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setShortcut(QKeySequence(keys))
        button.clicked.connect(run)
        row.addWidget(button)
        return button

    @property
    def place(self) -> tuple[str, str]:
        """The name of the page that is shown, and the place in it."""
        return self._way[self._at] if self._way else ("", "")

    def show_page(self, name: str, anchor: str = "") -> None:
        """Show a page, at a heading or a code."""
        wanted = (name, anchor)
        if self.place != wanted:
            self._way = [*self._way[: self._at + 1], wanted]
            self._at = len(self._way) - 1
        self._show()

    def explain(self, code: str) -> None:
        """Show what the code of a message means."""
        self.search.clear()
        self.show_page(ERRORS, explained(code))

    def _step(self, by: int) -> None:
        if 0 <= self._at + by < len(self._way):
            self._at += by
            self._show()

    def _show(self) -> None:
        name, anchor = self.place
        wanted = page(name)
        if wanted is None:
            self.text.setPlainText(tr("The manual is not installed here."))
            return
        self.text.document().setDefaultStyleSheet(_style(self._theme.colours))
        self.text.setHtml(as_html(wanted))
        if anchor:
            self.text.scrollToAnchor(anchor)
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at + 1 < len(self._way))
        self._mark(wanted)

    def _mark(self, wanted: Page) -> None:
        """Show in the list which page is shown, where the list is that of the pages."""
        if self.search.text():
            return
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            if self.list.item(row).data(_PLACE)[0] == wanted.name:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _show_list(self, words: str) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        if words.strip():
            hits = find(words)
            for hit in hits:
                title = "" if hit.heading == hit.page.title else f"\n{hit.page.title}"
                self._add(f"{hit.heading}{title}", (hit.page.name, hit.anchor))
            self._count.setText(
                tr_count("{count} place", "{count} places", len(hits))
                if hits
                else tr("No page has all these words.")
            )
        else:
            for one in pages():
                self._add(one.title, (one.name, ""))
            self._count.clear()
        self.list.blockSignals(False)
        if not words and (wanted := page(self.place[0])):
            self._mark(wanted)

    def _add(self, text: str, place: tuple[str, str]) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(_PLACE, place)

    def _on_item(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.show_page(*item.data(_PLACE))

    def _follow(self, address: QUrl) -> None:
        """To another page, to a place in this one, or out into the browser."""
        if address.scheme():
            QDesktopServices.openUrl(address)
            return
        path = beside(self.place[0], address.path()) if address.path() else self.place[0]
        name = path.removesuffix(".md")
        if page(name) is not None:
            self.show_page(name, address.fragment())
        else:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(manual() / path)))


def _style(colours: Colours) -> str:
    """What a page looks like in a theme; of CSS Qt knows little."""
    return f"""
        body, p, li, td, th {{ color: {colours.text}; line-height: 135%; }}
        h1, h2, h3 {{ color: {colours.text}; }}
        a {{ color: {colours.accent}; }}
        code {{ background: {colours.hover}; font-family: monospace; }}
        pre {{ background: {colours.hover}; margin: 8px; }}
        table {{ border-collapse: collapse; margin-top: 6px; margin-bottom: 6px; }}
        td, th {{ border: 1px solid {colours.border}; padding: 5px; text-align: left; }}
        th {{ background: {colours.panel}; }}
    """

"""From a row of a result to its page: looks where pages were found before, and asks once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from madcat_studio.errors import InputError
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.pages.find_page import find_page

__all__ = ["PageFinder", "known_pages", "remember_pages"]

_KEY = "scorecard/pages"
_MOST = 12


def known_pages() -> list[Path]:
    """Folders in which pages were found before, the newest first."""
    value = window_state().value(_KEY, [])
    if isinstance(value, str):  # what Qt makes of a list of one
        value = [value]
    return [Path(one) for one in value if one] if isinstance(value, list) else []


def remember_pages(folder: Path) -> None:
    """Look for pages in this folder first from now on."""
    others = [str(one) for one in known_pages() if one != folder]
    window_state().setValue(_KEY, [str(folder), *others][:_MOST])


class PageFinder:
    """Opens the pages of a result's rows."""

    def __init__(self, shell: Shell, parent: QWidget) -> None:
        self._shell = shell
        self._parent = parent
        self._worker = Dispatcher(parent)

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    def open(self, target: Mapping[str, str], beside: Path | None) -> None:
        """Open the page of ``target["document"]``, at ``target["region"]`` if there is one.

        Args:
            target: ``document`` and, of a row that has one, ``region`` or ``segment``.
            beside: the result's own folder, which is looked into as well.
        """

        def look() -> Path | None:
            near = [] if beside is None else [beside]
            return find_page(target["document"], known_pages()) or find_page(
                target["document"], near, deep=False
            )

        def done(path: Path | None) -> None:
            if path is None:
                self._ask(target)
            else:
                self._show(path, target)

        self._worker.submit(lambda _: look(), done, failed=self._shell.show_error)

    def _show(self, path: Path, target: Mapping[str, str]) -> None:
        segment = target.get("region") or target.get("segment")
        place = {"segment": segment} if segment else {}
        # A document of several pages has its page's number in its id.
        _, mark, number = target["document"].rpartition("#")
        if mark and number.isdecimal():
            place["page"] = number
        self._shell.open(str(path), target=place)

    def _ask(self, target: Mapping[str, str]) -> None:
        document = target["document"]
        chosen = QFileDialog.getExistingDirectory(
            self._parent,
            tr("Where are the pages? Looking for {name}", name=f"{document}.madcat.xml"),
            str(window_state().value("folder", "")),
        )
        if not chosen:
            return
        folder = Path(chosen)

        def done(path: Path | None) -> None:
            if path is None:
                self._shell.show_error(
                    InputError(
                        "gui.page-not-found",
                        f"no page of the document “{document}” is in this folder",
                        where=folder,
                        remedy="Choose the folder of the ground truth; pages are NAME.madcat.xml",
                    )
                )
                return
            remember_pages(folder)
            self._show(path, target)

        self._worker.submit(
            lambda _: find_page(document, [folder]), done, failed=self._shell.show_error
        )

"""What follows from a corpus that is planned: sheets, scans that come in, a report, a campaign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from madcat_studio.gui.pathfields import input_folder, remember_input
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Ticket
from madcat_studio.operations.planning.corpus_report import corpus_page
from madcat_studio.operations.planning.scribes import (
    Arrivals,
    arrivals_of,
    write_scribes_sheets,
)
from madcat_studio.planning.corpus import CorpusPlan

__all__ = ["Copying", "CorpusHost"]


class CorpusHost(Protocol):
    """What shows the corpus.

    Attributes:
        folder: in which it is saved; None: in none yet.
    """

    shell: Shell
    folder: Path | None

    @property
    def plan(self) -> CorpusPlan | None:
        """Who copies what; None while nobody is assigned."""
        ...

    def work(self, what: str, work: Callable[[Ticket], Any], done: Callable[[Any], None]) -> None:
        """Do something long, with a bar and a way to stop it."""


class Copying(QObject):
    """Gives out what scribes are to copy, and ticks off what comes in.

    Attributes:
        arrivals: what has come in of the plan that is shown; None: nobody looked.

    Signals:
        looked: somebody looked for what has come in.
    """

    looked = Signal()

    def __init__(self, host: CorpusHost, window: QWidget) -> None:
        """Begin; ``host`` and ``window`` are one, as this knows it and as Qt does."""
        super().__init__(window)
        self._host, self._window = host, window
        self._scans: Path | None = None
        self.arrivals: Arrivals | None = None

    def begin(self) -> None:
        """Another corpus is shown: its scans lie elsewhere."""
        self.arrivals = self._scans = None

    def _ask_folder(self, title: str) -> Path | None:
        folder = QFileDialog.getExistingDirectory(self._window, title, input_folder())
        if not folder:
            return None
        remember_input(folder)
        return Path(folder)

    def ask_sheets(self) -> None:
        """Ask for a folder, and write what each scribe is to copy into it."""
        folder = self._ask_folder(tr("Write the scribes' sheets into a folder"))
        if folder is not None:
            self.write_sheets(folder)

    def write_sheets(self, folder: Path) -> None:
        """Write a PDF for each scribe."""
        plan = self._host.plan
        if plan is None:
            return

        def done(files: tuple[Path, ...]) -> None:
            self._host.shell.messages.info(
                tr_count(
                    "The sheets of {count} scribe are in {folder}.",
                    "The sheets of {count} scribes are in {folder}.",
                    len(files),
                    folder=folder,
                )
            )

        self._host.work(
            tr("Writing sheets"),
            lambda ticket: write_scribes_sheets(plan, folder, progress=ticket),
            done,
        )

    def ask_arrivals(self) -> None:
        """Ask for the folder of scans, and tick off what has come in."""
        folder = self._ask_folder(tr("The folder into which copies are scanned"))
        if folder is not None:
            self.look_into(folder)

    def look_again(self) -> None:
        """Look into the folder of scans again."""
        if self._scans is None:
            self.ask_arrivals()
        else:
            self.look_into(self._scans)

    def look_into(self, folder: Path) -> None:
        """Tick off the copies whose scans lie in a folder."""
        plan = self._host.plan
        if plan is None:
            return
        scribes = {one.base: one.scribe.name for one in plan.manuscripts}

        def done(found: Arrivals) -> None:
            self._scans, self.arrivals = folder, found
            self.looked.emit()
            missing = sum(len(bases) for bases in found.missing.values())
            said = tr_count(
                "{count} copy has come in", "{count} copies have come in", len(found.arrived)
            )
            left = tr_count("{count} is missing.", "{count} are missing.", missing)
            self._host.shell.messages.info(
                f"{said}, {left}"
                + (
                    " "
                    + tr_count(
                        "{count} file belongs to no copy.",
                        "{count} files belong to no copy.",
                        len(found.unknown),
                    )
                    if found.unknown
                    else ""
                ),
                detail="\n".join(str(one) for one in found.unknown),
            )

        self._host.work(
            tr("Looking for scans"),
            lambda ticket: arrivals_of(scribes, folder, progress=ticket),
            done,
        )

    def ask_export(self) -> None:
        """Ask for a folder, and write the report into it."""
        folder = self._ask_folder(tr("Export the report into a folder"))
        if folder is not None:
            self.export(folder)

    def export(self, folder: Path) -> None:
        """Write the corpus as a page to read, and its tables beside it."""
        plan, arrivals = self._host.plan, self.arrivals
        if plan is None:
            return

        def done(files: tuple[Path, ...]) -> None:
            self._host.shell.messages.info(
                tr("The report is {file}, its tables are beside it.", file=files[0])
            )

        self._host.work(tr("Exporting"), lambda _: corpus_page(plan, arrivals, folder), done)

    def set_up_campaign(self) -> None:
        """Begin a campaign from the tables that were saved."""
        from madcat_studio.gui.coordinator.setupdialog import set_up

        if self._host.folder is not None:
            set_up(self._host.shell, self._window, (self._host.folder,))

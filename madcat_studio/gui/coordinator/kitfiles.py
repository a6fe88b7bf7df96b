"""Kits as files, for the coordinator: one given out, several taken in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.passphrase import NewPassphrase, ask_passphrase
from madcat_studio.gui.pathfields import PathRow
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr, tr_count, tr_number, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.campaign import Editor, Pass, PassProgress
from madcat_studio.operations.campaign.kit_files import (
    call_back,
    export_kit,
    import_bundles,
    team_editors,
)
from madcat_studio.operations.checked import Outcome
from madcat_studio.store import is_locked

__all__ = ["GiveOutDialog", "KitFiles"]

_FOLDER = "kit-files/folder"


class GiveOutDialog(QDialog):
    """For whom, where to, and with what it is locked."""

    def __init__(
        self, which: PassProgress, editors: tuple[Editor, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Give a kit out as a file"))
        self.setMinimumWidth(560)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        step = tr("first pass") if which.pass_ is Pass.FIRST else tr("review")
        head = QLabel(
            tr("Kit {kit}, {step}, team {team}", kit=which.kit, step=step, team=which.team)
        )
        head.setObjectName("section")
        layout.addWidget(head)
        said = QLabel(
            tr(
                "The pass is claimed for the editor. The file holds only what this editor may "
                "see, and no system's name. The editor opens it in this program, offline, and "
                "sends it back with the texts in it."
            )
        )
        said.setObjectName("quiet")
        said.setWordWrap(True)
        layout.addWidget(said)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        self.editor = QComboBox()
        for one in editors:
            shown = f"{one.id} ({one.name})" if one.name and one.name != one.id else one.id
            self.editor.addItem(shown, one.id)
        self.editor.setCurrentIndex(max(self.editor.findData(which.editor), 0))
        # One who holds it, or is planned for it, is the one who gets it.
        self.editor.setEnabled(which.editor is None)
        form.addRow(tr("&For"), self.editor)
        self.folder = PathRow(tr("Folder for the file"), file=False, folder=True)
        kept = window_state().value(_FOLDER, "")
        self.folder.show_path(Path(str(kept)) if kept else None)
        self.folder.changed.connect(self._check)
        form.addRow(tr("F&older"), self.folder)
        layout.addLayout(form)
        self.lock = NewPassphrase(
            tr("&Lock the file with a passphrase"),
            tr("Nobody can read the file without it; a lost passphrase cannot be recovered"),
        )
        self.lock.changed.connect(self._check)
        layout.addWidget(self.lock)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.give = buttons.addButton(tr("Give out"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.give.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self._check()

    def _check(self) -> None:
        place = self.folder.path()
        self.give.setEnabled(place is not None and place.is_dir() and not self.lock.problem())

    def chosen(self) -> tuple[str, Path, str]:
        """Editor, folder, passphrase."""
        folder = self.folder.path() or Path()
        window_state().setValue(_FOLDER, str(folder))
        return str(self.editor.currentData()), folder, self.lock.passphrase()


class KitFiles:
    """Gives kits out and takes them in, for the view that owns it."""

    def __init__(self, view: QWidget, shell: Shell, done: Callable[[], None]) -> None:
        """Serve a view.

        Args:
            view: above which is asked.
            shell: for messages.
            done: called when the campaign has changed.
        """
        self._view, self._shell, self._done = view, shell, done
        self._worker = Dispatcher(view)

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def give_out(self, where: str, which: PassProgress) -> None:
        """Ask for whom and where to, and write the file."""

        def ask(editors: tuple[Editor, ...]) -> None:
            dialog = GiveOutDialog(which, editors, self._view)
            accepted, chosen = dialog.exec(), dialog.chosen()
            dialog.deleteLater()
            if accepted:
                self._write(where, which, *chosen)

        self._worker.submit(
            lambda _: team_editors(where, which.team), ask, failed=self._shell.show_error
        )

    def _write(
        self, where: str, which: PassProgress, editor: str, folder: Path, passphrase: str
    ) -> None:
        def done(outcome: Outcome) -> None:
            self._shell.messages.info(tr("Send {file}", file="\n".join(outcome.done)))
            self._done()

        self._worker.submit(
            lambda _: export_kit(
                *(where, which.kit, which.team, which.pass_, editor, folder),
                passphrase=passphrase,
            ),
            done,
            failed=self._shell.show_error,
        )

    def call_back(self, where: str, which: PassProgress) -> None:
        """Ask, and let the file of a pass count no more."""
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._view,
            tr("Call the file back?"),
            tr(
                "{who} can continue with kit {kit} in the window, from what the campaign has. "
                "Anything that still comes from the file is kept aside.",
                who=which.editor or "",
                kit=which.kit,
            ),
            buttons.Yes | buttons.Cancel,
        )
        if answer == buttons.Yes:
            self._worker.submit(
                lambda _: call_back(where, which.kit, which.team, which.pass_),
                lambda _: self._done(),
                failed=self._shell.show_error,
            )

    def take_in(self, where: str) -> None:
        """Ask for files that came back, and import them."""
        kept = str(window_state().value(_FOLDER, ""))
        names, _ = QFileDialog.getOpenFileNames(
            self._view,
            tr("Import kit files"),
            kept,
            tr("Kits (*.madcat-kit);;All files (*)"),
        )
        files = [Path(name) for name in names]
        passphrases: dict[Path, str] = {}
        for file in files:
            if is_locked(file):
                typed = ask_passphrase(self._view, file.name)
                passphrases[file] = typed or ""
        if files:
            window_state().setValue(_FOLDER, str(files[0].parent))
            self._import(where, files, passphrases)

    def _import(self, where: str, files: list[Path], passphrases: dict[Path, str]) -> None:
        def work(ticket: Ticket) -> Outcome:
            ask = passphrases.__getitem__
            return import_bundles(where, files, ask=ask, progress=ticket)

        def done(outcome: Outcome) -> None:
            lines = [*map(tr_report, outcome.done)]
            lines += [
                f"{one.where}: {tr_report(one.what)}"
                + (f". {tr_report(one.remedy)}" if one.remedy else "")
                for one in outcome.problems
            ]
            tell = self._shell.messages.warning if outcome.problems else self._shell.messages.info
            if len(files) == 1:
                tell("\n".join(lines))
            else:
                tell(
                    tr_count(
                        "{good} of {count} file was imported",
                        "{good} of {count} files were imported",
                        len(files),
                        good=tr_number(len(outcome.done)),
                    ),
                    detail="\n".join(lines),
                )
            self._done()

        self._worker.submit(work, done, failed=self._shell.show_error)

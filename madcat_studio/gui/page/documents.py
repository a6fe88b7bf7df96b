"""The documents that are open: the one that is shown, and those that wait unsaved behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from madcat_studio import log
from madcat_studio.edits import CompositeEdit, Edit
from madcat_studio.errors import ConflictError, StudioError
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat
from madcat_studio.formats.source import ReadDocument
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.failures import as_message
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.page.filelist import SUFFIX
from madcat_studio.gui.page.saver import Saver
from madcat_studio.gui.settings import AUTOSAVE
from madcat_studio.gui.translation import tr, tr_count, tr_number, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.pages.merging import Merge
from madcat_studio.workspace.meeting import meet
from madcat_studio.workspace.page import PageWorkspace, Recovery

__all__ = ["Documents"]


class Documents(QObject):
    """Opens, keeps, saves and closes workspaces; asks the user where that is needed.

    Attributes:
        current: the one that is shown.
        ahead: a document that was read before anybody asked for it.

    Signals:
        changed: PageWorkspace, Change.
        save_as_wanted: the shown document is to be saved in another file.
        compare_wanted: the shown document is to be compared with its file as it is now (Path).
    """

    changed = Signal(object, object)
    save_as_wanted = Signal()
    compare_wanted = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget) -> None:
        super().__init__(parent)
        self._shell = shell
        self._window = parent
        self._open: dict[Path, PageWorkspace] = {}
        self._opening = Dispatcher(self)
        self._autosave_failed = False
        self._asked: set[PageWorkspace] = set()
        self.saver = Saver(self._on_saved, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.autosave)
        self.current: PageWorkspace | None = None
        self.ahead: ReadDocument | None = None

    def unsaved(self) -> list[Path]:
        """The documents with unsaved edits."""
        return [path for path, workspace in self._open.items() if workspace.dirty]

    def is_open(self, path: Path) -> bool:
        """Whether a document is open, shown or behind the one that is."""
        return path in self._open

    def waiting(self) -> list[Path]:
        """The documents with unsaved edits, or with something begun."""
        return [path for path, workspace in self._open.items() if _has_unsaved(workspace)]

    # Opening

    def load(
        self,
        path: Path,
        done: Callable[[PageWorkspace], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Open a document in a thread, or take it from those that wait; the newest call wins."""
        waiting = self._open.get(path)
        if waiting is not None:
            self._opening.cancel()
            done(waiting)
            return
        ahead, self.ahead = self.ahead, None
        self._opening.submit(lambda _: PageWorkspace.open(path, ahead=ahead), done, failed=failed)

    def take(self, workspace: PageWorkspace) -> bool:
        """Make a document the one that is shown. What the one before left unsaved is kept.

        Returns:
            whether a session before left something that is there again.
        """
        if workspace is not self.current:
            self._put_away()
            self.current = workspace
        self._hold(workspace)
        left = workspace.recovery is not None
        self._recover(workspace)
        return left

    def _hold(self, workspace: PageWorkspace) -> None:
        if workspace.path not in self._open:
            self._open[workspace.path] = workspace
            workspace.subscribe(lambda change: self._on_change(workspace, change))

    def bring_back(self, paths: list[Path]) -> None:
        """Take documents that a session left unsaved; they wait behind the one that is shown.

        What cannot be brought back without a question waits until it is opened.
        """
        for path in paths:
            try:
                workspace = PageWorkspace.open(path)
            except StudioError:
                continue  # opening it will say what is wrong
            recovery = workspace.recovery
            if recovery is None or (recovery.conflict and recovery.steps):
                workspace.close()
                continue
            workspace.recover()
            self._hold(workspace)

    def _put_away(self) -> None:
        before = self.current
        if before is None:
            return
        if self._timer.isActive():
            self.autosave()
        # A document with a history stays open: its user may come back and undo.
        if not _has_unsaved(before) and not before.can_undo and not before.can_redo:
            self.saver.forget(before)
            before.close()
            self._open.pop(before.path, None)

    def _on_change(self, workspace: PageWorkspace, change: Change) -> None:
        self.saver.follow(workspace, change)
        if change != Change():
            self.plan_autosave()
        if workspace.trouble is not None:
            trouble, workspace.trouble = workspace.trouble, None
            self._shell.show_error(trouble)
        self.changed.emit(workspace, change)

    def _recover(self, workspace: PageWorkspace) -> None:
        recovery = workspace.recovery
        if recovery is None:
            return
        if recovery.conflict and recovery.steps and not self._wants_back(workspace, recovery):
            workspace.discard_recovery()
            return
        workspace.recover()
        if recovery.steps:
            self._tell_recovered(workspace, recovery)
        elif recovery.begun:
            name = workspace.path.name
            self._shell.messages.info(tr("What you began on {name} is back.", name=name))

    def _tell_recovered(self, workspace: PageWorkspace, recovery: Recovery) -> None:
        name = workspace.path.name
        parts = [
            tr_count(
                "One unsaved edit of {name} was brought back.",
                "{count} unsaved edits of {name} were brought back.",
                recovery.steps,
                name=name,
            ),
            tr("Save to keep what came back, or undo it."),
        ]
        if recovery.begun:
            parts.append(tr("What you began and did not finish is back as well."))
        if recovery.damaged:
            parts.append(tr("Later ones could not be read and are lost."))
        others = [path.name for path in self.unsaved() if path != workspace.path]
        if others:
            parts.append(
                tr(
                    "Unsaved edits of {count} more were brought back too.",
                    count=tr_number(len(others)),
                )
            )
        # It stays until its user has read it: a crash is no time for what goes by.
        self._shell.messages.post(
            Message(Level.WARNING, " ".join(parts), code="gui.recovered", detail="\n".join(others))
        )

    def _wants_back(self, workspace: PageWorkspace, recovery: Recovery) -> bool:
        box = QMessageBox(self._window)
        box.setWindowTitle(tr("Unsaved edits were found"))
        box.setText(
            tr_count(
                "{name} has {count} unsaved edit from a session that ended unexpectedly, and "
                "the file itself has changed since.",
                "{name} has {count} unsaved edits from a session that ended unexpectedly, and "
                "the file itself has changed since.",
                recovery.steps,
                name=workspace.path.name,
            )
        )
        mine = box.addButton(tr("Restore my edits"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(tr("Keep the file"), QMessageBox.ButtonRole.RejectRole)
        box.exec()
        wanted = box.clickedButton() is mine
        box.deleteLater()
        return wanted

    # Saving

    def plan_autosave(self) -> None:
        """Save the shown document by itself some time after the last edit, if set so."""
        seconds = self._shell.settings.get(AUTOSAVE)
        if seconds and self.current is not None and self.current.dirty:
            self._timer.start(seconds * 1000)
        else:
            self._timer.stop()

    def autosave(self) -> None:
        """Save the shown document now; a failure is told once until a save succeeds."""
        self._timer.stop()
        workspace = self.current
        if workspace is None or not workspace.dirty:
            return
        try:
            if self.saver.is_large(workspace):
                self.saver.begin(workspace)
                return
            workspace.save()
        except StudioError as error:
            self._autosave_ended(error)
        else:
            self._autosave_ended(None)

    def _autosave_ended(self, error: BaseException | None) -> None:
        if error is not None and not self._autosave_failed:
            self._shell.show_error(error)
        self._autosave_failed = error is not None

    def save_and_tell(self, workspace: PageWorkspace) -> None:
        """Save, a large page while its user goes on; say so when it is done."""
        self._asked.add(workspace)
        try:
            if self.saver.is_large(workspace):
                self.saver.begin(workspace)
                return
            self.saver.wait()
            workspace.save()
        except StudioError as error:
            self._on_saved(workspace, error)
        else:
            self._on_saved(workspace, None)

    def _on_saved(self, workspace: PageWorkspace, error: BaseException | None) -> None:
        """A save came to its end. What is said of a failure says what became of it as well."""
        if workspace not in self._asked:
            self._autosave_ended(error)
            return
        self._asked.discard(workspace)
        if error is None:
            self._was_saved()
            self._tell_saved(workspace)
        elif not isinstance(error, StudioError):
            self._shell.show_error(error)
        else:
            self._not_saved(workspace, error)

    def _tell_saved(self, workspace: PageWorkspace) -> None:
        self._shell.messages.info(tr("{name} is saved.", name=workspace.path.name))

    def _was_saved(self) -> None:
        self._autosave_failed = False
        self._timer.stop()

    def _not_saved(self, workspace: PageWorkspace, error: StudioError) -> bool:
        """Say why, or ask; whether it is saved after all."""
        if isinstance(error, ConflictError):
            return self.settle(workspace, tr_error(error).reason)
        self._tell_unsaved(workspace, error)
        return False

    def save(self, workspace: PageWorkspace) -> bool:
        """Save before anything else happens; where somebody else changed the file, ask."""
        self.saver.wait()
        try:
            workspace.save()
        except StudioError as error:
            return self._not_saved(workspace, error)
        self._was_saved()
        return True

    def _tell_unsaved(self, workspace: PageWorkspace, error: StudioError) -> None:
        """Why a document could not be saved, with the way out of it."""
        message = as_message(error)
        if error.code in ("file.cannot-write", "layout.cannot-hold"):
            elsewhere = (tr("Save as…"), lambda: self._save_elsewhere(workspace))
            message = message._replace(action=elsewhere)
        log.record_message(error)
        self._shell.messages.post(message)

    def _save_elsewhere(self, workspace: PageWorkspace) -> None:
        if workspace is self.current:
            self.save_as_wanted.emit()

    def save_as(self, workspace: PageWorkspace) -> bool:
        """Ask for another file and save there."""
        kinds = [tr("MADCAT pages (*.madcat.xml)")]
        if not workspace.path.name.endswith(SUFFIX):  # in place under another name, or as MADCAT
            kinds.insert(0, tr("Pages as they are (*.xml)"))
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save as"), str(workspace.path), ";;".join(kinds)
        )
        if not name:
            return False
        path = Path(name)
        if path.suffix != ".xml":
            path = path.with_name(path.name + SUFFIX)
        before = workspace.path
        self.saver.wait()
        try:
            # The dialog has asked already whether a file may be replaced.
            workspace.save_as(path, overwrite=True)
        except StudioError as error:
            self._shell.show_error(error)
            return False
        self._open.pop(before, None)
        self._open[workspace.path] = workspace
        return True

    def export(self, workspace: PageWorkspace) -> bool:
        """Ask for a file in another format and write the document there as it is now."""
        from madcat_studio.operations.pages.convert import export_document

        others = [TRAITS[kind] for kind in WRITTEN if kind is not FileFormat.MADCAT]
        kinds = {f"{traits.name} (*{traits.written})": traits.written for traits in others}
        base = str(workspace.path).removesuffix(SUFFIX)
        name, kind = QFileDialog.getSaveFileName(
            self._window, tr("Export"), f"{base}.page.xml", ";;".join(kinds)
        )
        if not name:
            return False
        path = Path(name)
        if not name.endswith(tuple(kinds.values())):
            path = path.with_name(path.name + kinds.get(kind, ".page.xml"))
        try:
            # The dialog has asked already whether a file may be replaced.
            result = export_document(workspace.document, path, overwrite=True)
        except StudioError as error:
            self._shell.show_error(error)
            return False
        written = ", ".join(output.name for output in result.outputs)
        lost = "\n".join(tr_report(problem.what) for problem in result.problems)
        text = (
            tr("{name} is written, but it cannot hold everything in the document.", name=written)
            if lost
            else tr("{name} is written.", name=written)
        )
        level = Level.WARNING if lost else Level.INFO
        self._shell.messages.post(Message(level, text, detail=lost))
        return True

    def settle(self, workspace: PageWorkspace, reason: str) -> bool:
        """Take over what collides with nothing; ask what becomes of the rest, if there is any.

        Nothing of either is lost: whichever is kept, the other is kept beside it.

        Returns:
            whether the document is saved, or is what is in the file, afterwards.
        """
        try:
            met = meet(workspace)
        except StudioError:
            met = None  # it cannot be read: which is kept is asked all the same
        if met is not None and met.edits and not met.collisions:
            return self._take_over(workspace, met.edits)
        box = QMessageBox(self._window)
        box.setWindowTitle(tr("The file was changed"))
        box.setText(tr("{name}: {reason}.", name=workspace.path.name, reason=reason))
        box.setInformativeText(
            tr(
                "Whichever you keep, the other is kept beside it, as {name}.theirs.bak or "
                "{name}.mine.bak.",
                name=workspace.path.name,
            )
        )
        roles = QMessageBox.ButtonRole
        if met is not None and met.collisions:
            box.setInformativeText(f"{_both_changed(met)} {box.informativeText()}")
        compare = box.addButton(tr("Compare"), roles.ActionRole)
        mine = box.addButton(tr("Keep mine"), roles.AcceptRole)
        theirs = box.addButton(tr("Take theirs"), roles.DestructiveRole)
        both = box.addButton(tr("Keep both: save mine as…"), roles.ActionRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(both)
        box.exec()
        chosen = box.clickedButton()
        box.deleteLater()
        if chosen is both:
            saved = self.save_as(workspace)
            if saved:
                self._tell_saved(workspace)
            return saved
        if chosen is compare and workspace is self.current:
            self.compare_wanted.emit(workspace.path)
        if chosen not in (mine, theirs):
            return False
        try:
            kept = workspace.save(overwrite=True) if chosen is mine else workspace.take_theirs()
        except StudioError as failure:
            self._shell.show_error(failure)
            return False
        if kept is not None:
            text = (
                tr("Yours is saved; theirs is kept as {name}.", name=kept.name)
                if chosen is mine
                else tr("Theirs is shown; yours is kept as {name}.", name=kept.name)
            )
            self._shell.messages.info(text, detail=str(kept))
        return True

    def _take_over(self, workspace: PageWorkspace, edits: Sequence[Edit]) -> bool:
        """What somebody else changed, as one step of undo, saved with mine."""
        try:
            workspace.execute(CompositeEdit(tuple(edits), "Adopt what somebody else changed"))
            kept = workspace.save(overwrite=True)
        except StudioError as failure:
            self._shell.show_error(failure)
            return False
        self._shell.messages.info(
            tr_count(
                "{name} is saved with {count} change by somebody else, which you can undo.",
                "{name} is saved with {count} changes by somebody else, which you can undo.",
                len(edits),
                name=workspace.path.name,
            ),
            detail=str(kept or ""),
        )
        return True

    # Closing

    def may_close(self) -> bool:
        """Ask about everything that is not saved; False keeps it all open."""
        if self._timer.isActive():
            self.autosave()
        self.saver.wait()
        unsaved = [workspace for workspace in self._open.values() if workspace.dirty]
        if not unsaved:
            return True
        box = QMessageBox(self._window)
        box.setWindowTitle(tr("Unsaved pages"))
        names = "\n".join(workspace.path.name for workspace in unsaved[:8])
        box.setText(tr("These documents have unsaved edits:\n\n{names}", names=names))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        chosen = box.exec()
        box.deleteLater()
        if chosen == buttons.Save:
            return all(self.save(workspace) for workspace in unsaved)
        if chosen == buttons.Discard:
            for workspace in unsaved:
                workspace.close(discard=True)
                self._open.pop(workspace.path, None)
            return True
        return False

    def close(self) -> None:
        """Close everything; the journals of unsaved documents stay for the next start."""
        self._timer.stop()
        self._opening.close()
        self.saver.close()
        for workspace in self._open.values():
            workspace.close()
        self._open.clear()
        self.current = None


def _both_changed(met: Merge) -> str:
    named = ", ".join(met.collisions[:3]) + (" …" if len(met.collisions) > 3 else "")
    return tr_count(
        "Both of you changed {named}.",
        "Both of you changed {count} places: {named}.",
        len(met.collisions),
        named=named,
    )


def _has_unsaved(workspace: PageWorkspace) -> bool:
    """Whether there are edits, or what is begun, that the file does not hold."""
    return workspace.dirty or bool(workspace.drafts.begun())

"""An open MADCAT document, without a window: edits, history, journal, saving, conflicts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from weakref import proxy

from madcat_studio.edits.base import Edit
from madcat_studio.edits.locks import LockLines
from madcat_studio.errors import ConflictError, InputError, StudioError
from madcat_studio.formats.documents import becomes_madcat, format_of, read_document, save, write
from madcat_studio.formats.files import keep_beside, read_file
from madcat_studio.formats.kinds import FileFormat
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.model.change import EVERYTHING, Change, combined
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.problem import Problem
from madcat_studio.operations.pages.convert import open_document, open_source
from madcat_studio.operations.pages.page_queue import why_frozen, work_of
from madcat_studio.workspace.ahead import make_ready, still_so
from madcat_studio.workspace.drafts import Drafts
from madcat_studio.workspace.edit_history import EditHistory, EditStep
from madcat_studio.workspace.held import Held
from madcat_studio.workspace.history import Point
from madcat_studio.workspace.journal import Record, journal_folder
from madcat_studio.workspace.locks import Locks
from madcat_studio.workspace.page_journal import PageJournal
from madcat_studio.workspace.page_state import DiskState, Recovery
from madcat_studio.workspace.saving import Saved, SaveOrder
from madcat_studio.workspace.standoff import Standoff

__all__ = ["DiskState", "PageWorkspace", "Recovery"]


class PageWorkspace:
    """One document that a user works on.

    Listeners are called with a :class:`Change` after every edit, undo and redo, and with an empty
    one after saving; then ``dirty`` and the labels may have changed too.

    Attributes:
        trouble: why edits cannot be kept against a crash, or None. Told once by whoever shows
            messages; editing goes on.
        imported_from: the file in another format that this document was made from, or None.
        frozen: why nothing may be edited ("the page is released"), or "".
        drafts: what is begun and not finished; kept like edits.
        held: what the hand is at while a button is down; kept like edits.
    """

    def __init__(self, opened: ReadDocument, *, folder: Path | None = None) -> None:
        if opened.source.path is None:
            raise ValueError("a workspace needs a document that has a path")
        self._path = opened.source.path
        self._take(opened)
        folder = folder if folder is not None else journal_folder()
        # Its parts know it weakly: a large page goes when it is let go, not when garbage is sought.
        me = proxy(self)
        self._journal = PageJournal(folder, partial(setattr, me, "trouble"))
        self._history = EditHistory()
        self.drafts = Drafts(
            lambda step: me._keep(Record("draft", draft=step)), lambda: me.position
        )
        self.held = Held(lambda record: me._keep(record))
        self._saving: Point[EditStep] | None = None
        self._backed_up = False
        self._index: DocumentIndex | None = None
        self._listeners: list[Callable[[Change], None]] = []
        self._standoff = Standoff()
        self._standoff.load(self._path, opened.document)
        self._locks = Locks()
        self._locks.load(self._path, opened.document)
        self.trouble: StudioError | None = self._standoff.trouble or self._locks.trouble
        self.frozen = ""
        self.imported_from: Path | None = None

    @classmethod
    def open(
        cls, path: Path | str, *, folder: Path | None = None, ahead: ReadDocument | None = None
    ) -> PageWorkspace:
        """Open a page; see ``recovery`` for what an earlier session left.

        MADCAT, PAGE XML and ALTO are saved in place. A file in another format (hOCR, GEDI) becomes
        a new, unsaved MADCAT document beside it, named by ``imported_from``; the file itself is
        never written.

        Args:
            path: the file.
            folder: where journals are; None for the user's state folder.
            ahead: a reading of it, taken if the file is still the same; nobody else may hold it.

        Raises:
            InputError, FormatError, WorldError: it cannot be read.
        """
        if ahead is None or not still_so(ahead, Path(path)):
            ahead = open_document(Path(path))
        opened = ahead
        workspace = cls(opened, folder=folder)
        if workspace._path != Path(path):
            workspace.imported_from = Path(path)
            workspace._history.saved = None
        workspace._journal.find_left(workspace._path, opened.source.sha256)
        workspace.look_whether_released()
        return workspace

    def _take(self, opened: ReadDocument) -> None:
        """Work on a document that was just read."""
        make_ready(opened)
        self._read, self._source = opened, opened.source

    # What is open

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def document(self) -> Document:
        """The model; only edits may change it."""
        return self._read.document

    @property
    def index(self) -> DocumentIndex:
        """The document's links and names as they are now; kept from edit to edit."""
        if self._index is None:
            self._index = DocumentIndex(self.document)
        return self._index

    @property
    def source(self) -> Source:
        """The bytes that were opened."""
        return self._source

    @property
    def by_lines(self) -> bool:
        """Whether each line is a segment of its own, as in PAGE XML, ALTO and what came of them."""
        if format_of(self._source) is not FileFormat.MADCAT:
            return True
        return any(page.regions for page in self.document.pages)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What reading noticed."""
        return self._read.problems

    @property
    def read_document(self) -> ReadDocument:
        """Document, source and problems together, as checks want them."""
        return self._read

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` after every change; returns what ends that."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    # History

    @property
    def dirty(self) -> bool:
        """Whether the document differs from the file as it was last saved."""
        return not self._history.clean

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self.position > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self.position < self._history.count

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" if nothing."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would do again, "" if nothing."""
        return self._history.redo_label

    @property
    def position(self) -> int:
        """How many steps lead from the file as it was opened to the document as it is."""
        return self._history.position

    @property
    def history(self) -> EditHistory:
        """The steps, to be looked at; they are made and taken back by this workspace."""
        return self._history

    def go_to(self, position: int) -> Change:
        """Undo or redo until so many steps are done; told to listeners as one change.

        Raises:
            ValueError: there is no such position.
            ConflictError: ``page.frozen``.
        """
        if not 0 <= position <= self._history.count:
            raise ValueError(f"the history has no position {position}")
        if self.position == position:
            return Change()
        changes: list[Change] = []
        self._refuse_frozen()
        while self.position != position:
            back = self.position > position
            step = self._history.take_back if back else self._history.make_again
            changes.append(step(self.document))
            self._keep(Record("undo" if back else "redo"))
        change = combined(changes)
        self._tell(change)
        return change

    def execute(self, edit: Edit, *, merge: bool = False) -> Change:
        """Make an edit.

        Args:
            edit: what to do.
            merge: join it with the step before, so that one undo takes both back.

        Raises:
            InputError: the edit makes no sense here; nothing is changed.
            ConflictError: ``page.frozen``.
        """
        self._refuse_frozen()
        change = self._history.do(self.document, edit, merge=merge)
        ends = self.drafts.take_finishing()
        self.drafts.edited(ends)
        self._keep(Record("do", edit, merge, ends=ends))
        self._tell(change)
        return change

    def undo(self) -> Change:
        """Take the last step back; an empty change if there is none."""
        return self.go_to(max(self.position - 1, 0))

    def redo(self) -> Change:
        """Make the step again that was taken back last; an empty change if there is none."""
        return self.go_to(min(self.position + 1, self._history.count))

    def look_whether_released(self) -> None:
        """Ask the queue beside the page whether it may be edited; ``frozen`` says why not."""
        try:
            self.frozen = why_frozen(work_of(self._path))
        except StudioError as error:
            self.trouble = self.trouble or error

    def _refuse_frozen(self) -> None:
        if self.frozen:
            raise ConflictError(
                "page.frozen",
                self.frozen,
                where=self._path.name,
                remedy="Ask the person who released it to reopen it",
            )

    def _keep(self, record: Record) -> None:
        if record.kind in ("do", "undo", "redo"):
            self.held.ended()
        self._journal.write(self._path, self._source, record)

    def _tell(self, change: Change) -> None:
        if change is EVERYTHING:
            self._index = None  # the document itself may be another one
        elif self._index is not None:
            self._index.follow(change)
        for listener in tuple(self._listeners):
            listener(change)

    # Saving

    def save(self, *, overwrite: bool = False) -> Path | None:
        """Save to the file, and scribe errors to the stand-off file.

        The file as it was opened is kept as ``NAME.bak``.

        Args:
            overwrite: also where somebody else changed the file ("mine"); theirs is kept beside
                it as ``NAME.theirs.bak``.

        Returns:
            where the other one's file was kept, None where there was none to keep.

        Raises:
            ConflictError: ``madcat.changed-on-disk``; ``page.frozen``: released meanwhile.
            WorldError: it cannot be written; the document stays dirty.
        """
        order = self.begin_save(self.document, overwrite=overwrite)
        return self.finish_save(order, order.run())

    def begin_save(self, document: Document, *, overwrite: bool = False) -> SaveOrder:
        """Order the save of the document as it is now, to be run in any thread.

        Args:
            document: the document, or a copy of it where edits may come until the end.
            overwrite: as for :meth:`save`.

        Raises:
            ConflictError: ``page.frozen``: released meanwhile.
        """
        if self.dirty:
            self.look_whether_released()
            self._refuse_frozen()
        self._journal.saving(self._path, self._source)
        return SaveOrder(
            self._path,
            document,
            self._source,
            self._history.point(),
            overwrite,
            not self._backed_up,
            self._journal.writing,
        )

    def finish_save(self, order: SaveOrder, saved: Saved) -> Path | None:
        """Take note of a save that is done; edits that came meanwhile are unsaved.

        Returns:
            as :meth:`save`.

        Raises:
            WorldError: what lies beside the page cannot be written.
        """
        self._source = saved.source
        # A save that wrote nothing kept nothing either.
        self._backed_up = self._backed_up or self._source.saved_sha256 != self._source.sha256
        self._save_beside(self._standoff.save, self._locks.save, document=order.document)
        self._history.mark_saved(order.point)
        self._journal.saved(self._path, self._source)
        self._tell(Change())
        return saved.kept

    def save_as(self, path: Path | str, *, overwrite: bool = False) -> None:
        """Save to another file and go on with that one.

        A PAGE XML or ALTO file under a name that ends in ``.madcat.xml`` becomes a MADCAT file, and
        its history begins anew.

        Raises:
            ConflictError: ``madcat.file-exists``.
            WorldError: it cannot be written.
        """
        other = becomes_madcat(Path(path), self._source)
        document = self.document
        if other:
            document = copy_document(document)
            document.id = base_of(path)
        source = save(path, document, self._source, overwrite=overwrite)
        self._journal.drop()
        self._path = Path(path)
        # From here on the new file is the base: its history began with this save.
        fresh = self._read_anew()
        if other:
            # Its elements are others than those that the steps so far refer to.
            self._take(fresh)
            self._history = EditHistory()
            self._tell(EVERYTHING)
        else:
            self._source = source.saved_as(self._path, fresh.source.sha256)
        edits = [step.edit for step in self._history.done]
        if edits:
            self._journal.begin_anew(self._path, self._source, edits)
        self._keep_drafts()
        self._save_beside(self._standoff.save_elsewhere, self._locks.save_elsewhere)
        self._history.mark_saved()
        self._tell(Change())

    def _read_anew(self) -> ReadDocument:
        return read_document(open_source(read_file(self._path), self._path))

    def _save_beside(
        self, *writes: Callable[[Path, Document], None], document: Document | None = None
    ) -> None:
        """Write the files beside; where that fails the document is saved, but not clean."""
        try:
            for write in writes:
                write(self._path, self.document if document is None else document)
        except StudioError:
            self._journal.saved(self._path, self._source)
            self._history.saved = None
            self._tell(Change())
            raise

    def disk_state(self) -> DiskState:
        """Whether somebody else changed or removed the file.

        Raises:
            WorldError: it cannot be read.
        """
        if not self._path.exists():
            return DiskState.GONE
        found = hashlib.sha256(read_file(self._path)).hexdigest()
        return DiskState.SAME if found == self._source.disk_sha256 else DiskState.CHANGED

    def take_theirs(self) -> Path | None:
        """Read the file anew and drop all edits, their history and their journal.

        Unsaved edits are not lost: the document with them is kept as ``NAME.mine.bak``.

        Returns:
            where it was kept, None where nothing was unsaved.

        Raises:
            InputError, FormatError, WorldError: the file cannot be read, or the edits cannot be
                kept; nothing is dropped.
        """
        fresh, kept = self._read_anew(), None
        if self.dirty:
            kept = keep_beside(self._path, "mine", write(self.document, self._source))
        self._journal.drop()
        self._take(fresh)
        self._standoff.load(self._path, fresh.document)
        self._locks.load(self._path, fresh.document)
        self._history = EditHistory()
        self._backed_up = False
        self._keep_drafts()
        self._tell(EVERYTHING)
        return kept

    def _keep_drafts(self) -> None:
        """What is begun lies on the scan, whatever becomes of the file: write it down anew."""
        for step in self.drafts.steps(len(self.document.pages)):
            self._keep(Record("draft", draft=step))

    # Recovery

    @property
    def recovery(self) -> Recovery | None:
        """What an earlier session left unsaved, None if nothing or once it was dealt with."""
        return self._journal.recovery(self._read.source.sha256)

    def recover(self) -> None:
        """Make everything again that the earlier session did, with its history."""
        left = self._journal.left
        if left is None:
            return
        if not left.unsaved:
            self.discard_recovery()  # nothing of the document: the file is as good, or newer
            return
        opened = read_document(open_source(left.base, self._path))
        self._take(opened)
        self._standoff.load(self._path, opened.document)
        self._history, self._saving = EditHistory(), None
        for record in left.records:
            self._replay(record)
        if not any(_unlocks(record.edit) for record in left.records):
            # What was edited was not locked then; what the table names besides still is.
            self._locks.load(self._path, self.document)
        if not self._path.exists() or self._standoff.differs(self.document):
            self._history.saved = None  # made from another format and never saved; or saved in part
        self._journal.take_left()
        if left.held is not None:
            with suppress(InputError):  # it could not have been let go there either
                self._history.do(self.document, left.held, merge=False)
                self._keep(Record("do", left.held))
        self._tell(EVERYTHING)

    def _replay(self, record: Record) -> None:
        if record.kind == "do" and record.edit is not None:
            self._history.do(self.document, record.edit, merge=record.merged)
            self.drafts.edited(record.ends)
        elif record.draft is not None:
            self.drafts.apply(record.draft)
        elif record.kind == "undo":
            self._history.take_back(self.document)
        elif record.kind == "redo":
            self._history.make_again(self.document)
        elif record.kind == "saving":
            self._saving = self._history.point()
        elif record.kind == "saved":
            self._history.mark_saved(self._saving)
            self._saving = None
            self._source = self._source.saved_as(self._path, record.sha256)
            self._backed_up = True

    def discard_recovery(self) -> None:
        """Delete the edits that the earlier session left; what it had begun goes on."""
        left = self._journal.left
        if left is None:
            return
        for step in left.drafts().steps(len(self.document.pages)):
            self.drafts.apply(step)
        steps = self.drafts.steps(len(self.document.pages))
        records = [Record("draft", draft=step) for step in steps]
        self._journal.hand_over(self._path, self._source, records)

    def close(self, *, discard: bool = False) -> None:
        """End the session.

        The journal is deleted if nothing is unsaved or begun, or ``discard`` says so; else it is
        left to be recovered.
        """
        wanted = self.dirty or bool(self.drafts.begun())
        self._journal.close(keep=wanted and not discard)
        self._listeners.clear()


def _unlocks(edit: Edit | None) -> bool:
    return isinstance(edit, LockLines) and not edit.locked

"""The live list of problems: found anew after every edit, gone to by key, mended where it is safe.

Rules run in a thread, on a copy. A mend belongs to the document as it was when it was found, so it
is applied only to that; where somebody edits faster than the rules run, it waits for the next
result and is applied if the problem is still there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from madcat_studio.edits import CompositeEdit, Edit, Outline
from madcat_studio.gui.memory import give_back
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.problems import can_mend, places
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.snapshot import Found, find_problems
from madcat_studio.gui.translation import tr, tr_report
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.operations.pages.mending import offer_edit

if TYPE_CHECKING:
    from madcat_studio.checks import Finding
    from madcat_studio.gui.page.host import PageHost
    from madcat_studio.gui.page.seeing import Seeing
    from madcat_studio.model.problem import Problem

__all__ = ["Checking"]

_CHECK_MS = 600
_MARKING = ("mark", "flow")
"""The tools with which what is not marked is gone through."""
_NOT_YET = "token-unlinked"
"""The problem of a token that has no word: while a page is being marked, none."""


class Checking(Feature):
    """Finds problems, lists them, mends them."""

    def __init__(self, view: PageHost, seeing: Seeing) -> None:
        super().__init__(view)
        self._seeing = seeing
        self._stale = True
        self._wanted: Finding | None = None
        self._wants_all = False
        self._marking, self._found = False, Found([], [], {})
        self._work = Dispatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_CHECK_MS)
        self._timer.timeout.connect(self._check)
        view.canvas.tools.changed.connect(self._on_tool)
        view.side.problems.mend.connect(self.mend)
        view.side.problems.mend_all.connect(self.mend_all)
        view.side.problems.marked.connect(view.state_changed)

    # Actions

    @property
    def has_problems(self) -> bool:
        """Whether a problem is listed."""
        return self.view.side.problems.model.rowCount() > 0

    @property
    def can_mend(self) -> bool:
        """Whether the marked problem can be mended."""
        return self.view.side.problems.can_mend

    def go(self, step: int) -> None:
        """Go to the next problem, or to the one before."""
        side = self.view.side
        side.tabs.setCurrentWidget(side.problems)
        side.problems.step(step)

    @property
    def at_rest(self) -> bool:
        """Whether everything is known that the rules say of the document as it is."""
        return not (self._stale or self._work.busy or self._timer.isActive())

    # Following the document

    def document_shown(self) -> None:
        """Show what reading noticed, until the rules have been asked."""
        workspace = self.view.workspace
        if workspace is None:
            return
        self._wanted = None
        self._stale = True
        noticed = _as_findings(workspace.problems)
        self._found = Found(noticed, [""] * len(noticed), {})
        self._show(self._found.findings)
        self.view.side.problems.show_progress(None)
        self._timer.start()

    def changed(self, change: Change) -> None:
        """Look again soon."""
        if change != Change():
            self._stale = True
            self._timer.start()

    def shut_down(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._work.close()

    def _check(self) -> None:
        """Look for problems in a thread, in the document as it is now."""
        workspace = self.view.workspace
        if workspace is None:
            return
        opened = workspace.read_document
        copies = self.view.documents.saver.snapshots(workspace)
        copy = replace(opened, document=copies.take(opened.document))
        self._stale = False

        def work(_: object) -> Found:
            # Geometry takes much and leaves it scattered, as the page before has done.
            give_back()
            try:
                return find_problems(copy)
            finally:
                give_back()

        self._work.submit(work, self._on_found)

    def _on_found(self, found: Found) -> None:
        self._found = found
        findings = found.findings
        self._show_found()
        if not self._stale:  # else the next result is on its way, and places may be others
            worst = {
                (page, ShapeKey(line, word)): severity
                for (page, line, word), severity in found.worst.items()
            }
            self._seeing.show_problems(worst)
        wanted, self._wanted = self._wanted, None
        if wanted is not None and not self._stale:
            again = [f for f in findings if can_mend(f) and _same(f, wanted)]
            if again:
                alike = [f for f in findings if f.problem.code == wanted.problem.code]
                self._apply([f for f in alike if can_mend(f)] if self._wants_all else again[:1])

    def _show_found(self) -> None:
        """What was found; while a page is being marked, less what is only not yet marked."""
        found = list(zip(self._found.findings, self._found.texts, strict=True))
        if self._marking:
            found = [each for each in found if each[0].problem.code != _NOT_YET]
        self._show([finding for finding, _ in found], [text for _, text in found])
        self.view.side.problems.show_progress(self._found.marked)

    def _on_tool(self) -> None:
        marking = self.view.canvas.tools.tool.name in _MARKING
        if marking != self._marking:
            self._marking = marking
            self._show_found()

    def _show(self, findings: Sequence[Finding], texts: Sequence[str] = ()) -> None:
        self.view.side.show_findings(findings, texts)
        self.view.state_changed.emit()

    # Mending

    def mend(self) -> None:
        """Do what can be done about the marked problem."""
        finding = self.view.side.problems.current()
        if finding is not None and can_mend(finding):
            self._mend([finding], everything=False)

    def mend_all(self) -> None:
        """Do what can be done about the marked problem and all others of its kind, at once."""
        alike = self.view.side.problems.of_kind()
        if alike:
            self._mend(alike, everything=True)

    def _mend(self, findings: list[Finding], *, everything: bool) -> None:
        if self._stale or self._work.busy:
            self._wanted, self._wants_all = findings[0], everything
            self._timer.stop()
            self._check()
        else:
            self._apply(findings)

    def _apply(self, findings: list[Finding]) -> None:
        """One step for problems of one kind, as they were found in the document as it is."""
        if findings[0].mend:
            label = tr("Mend: {what}", what=tr_report(findings[0].problem.what))
            found: Edit | None = CompositeEdit(
                tuple(edit for finding in findings for edit in finding.mend), label
            )
        else:
            found = self._offered(findings)
        if found is None:
            self.view.shell.messages.info(tr("It cannot be mended automatically."))
        elif self.view.execute(found):
            # Gone at once; the rules say soon whether anything came in its place.
            for finding in findings:
                self.view.side.problems.take_out(finding)

    def _offered(self, findings: list[Finding]) -> Edit | None:
        workspace = self.view.workspace
        if workspace is None:
            return None
        where = places(workspace.document)
        found = [where.of(finding.problem.where) for finding in findings]
        outlines = [Outline(*place[1]) for place in found if place and place[0] in ("line", "word")]
        return offer_edit(workspace.document, findings[0].problem.code, outlines)


def _as_findings(problems: Sequence[Problem]) -> list[Finding]:
    """What reading noticed; the rules are loaded only where there is something to say."""
    if not problems:
        return []
    from madcat_studio.checks import Finding

    return [Finding(problem) for problem in problems]


def _same(one: Finding, other: Finding) -> bool:
    """Whether two findings are of the same problem in the same place."""
    a, b = one.problem, other.problem
    return (a.code, a.where.element, a.where.origin) == (b.code, b.where.element, b.where.origin)

"""The kit that is open here and its editor's other places: told, compared, taken over again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.editor.asides import AsideDialog
from madcat_studio.gui.editor.elsewhere import taken_text
from madcat_studio.gui.editor.kitpage import KitPage
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.translation import mark, tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.model.campaign import Revision
from madcat_studio.workspace.desk import DeskKit

__all__ = ["TwoPlaces"]


class TwoPlaces:
    """Serves the view of kits.

    Attributes:
        opened: the kit of the desk that was opened last, to be taken over again.
    """

    def __init__(
        self,
        view: QWidget,
        page: KitPage,
        shell: Shell,
        *,
        reopen: Callable[[DeskKit], None],
        changed: Callable[[], None],
    ) -> None:
        """Follow what the page's keeper finds.

        Args:
            view: above which dialogs are shown.
            page: with the kit.
            shell: for messages.
            reopen: takes a kit over.
            changed: what can be done may be different.
        """
        self._view, self._page, self._shell = view, page, shell
        self._reopen, self._changed = reopen, changed
        self._asides: tuple[Revision, ...] = ()
        self.opened: DeskKit | None = None
        page.keeper.taken.connect(self._on_taken)
        page.keeper.asides.connect(self._on_asides)

    def end(self) -> None:
        """The kit is closed."""
        self._asides = ()

    @property
    def is_taken(self) -> bool:
        """Whether the kit was opened elsewhere since, and can only be read here."""
        workspace = self._page.workspace
        return workspace is not None and workspace.taken is not None

    @property
    def has_asides(self) -> bool:
        """Whether texts of this editor are kept aside."""
        return self._page.workspace is not None and bool(self._asides)

    def take_over(self) -> None:
        """Go on here with a kit that was opened elsewhere."""
        if self.opened is not None and self.is_taken:
            self._reopen(self.opened)

    def compare(self) -> None:
        """Show the texts that were kept aside beside those of the kit."""
        workspace = self._page.workspace
        if workspace is None or not self._asides:
            return
        dialog = AsideDialog(workspace, self._asides, self._shell.theme.colours, self._view)

        def use(one: Revision) -> None:
            texts = {dialog.number(one): one.text}
            self._page.do(lambda kit: kit.replace_all(texts, mark("Text kept aside")))

        dialog.wanted.connect(use)
        dialog.open()

    def _on_taken(self) -> None:
        workspace = self._page.workspace
        if workspace is None or workspace.taken is None:
            return
        text = taken_text(workspace.claim.kit, workspace.taken)
        again = (tr("Take it over"), self.take_over)
        self._shell.messages.post(Message(Level.WARNING, text, action=again))
        self._changed()

    def _on_asides(self, asides: tuple[Revision, ...]) -> None:
        new = {one.id for one in asides} - {one.id for one in self._asides}
        self._asides = asides
        self._changed()
        if new and not self.is_taken:
            text = tr_count(
                "{count} of your texts is kept aside, because the kit was open in another place.",
                "{count} of your texts are kept aside, because the kit was open in another place.",
                len(asides),
            )
            compare = (tr("Compare…"), self.compare)
            self._shell.messages.post(Message(Level.WARNING, text, action=compare))

"""The view of kits: the desk, and the kit that is open. It joins them to the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QWidget

from madcat_studio.errors import ConflictError, InputError, UsageError
from madcat_studio.gui.coreactions import OPEN_CAMPAIGN, OPEN_DEMO
from madcat_studio.gui.editor.deskpage import DeskPage
from madcat_studio.gui.editor.elsewhere import TAKEABLE, ask_take_over
from madcat_studio.gui.editor.finishing import Finishing, may_send_back
from madcat_studio.gui.editor.flags import FlagDialog
from madcat_studio.gui.editor.guidelines import TextDialog
from madcat_studio.gui.editor.kitfile import choose_copy
from madcat_studio.gui.editor.kitpage import KitPage
from madcat_studio.gui.editor.leaving import may_leave
from madcat_studio.gui.editor.recording import show_recorded, tell_recorded
from madcat_studio.gui.editor.translatedpage import TranslatedPage
from madcat_studio.gui.editor.twoplaces import TwoPlaces
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import FramedView
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.passphrase import ask_passphrase
from madcat_studio.gui.settings import ARABIC_SIZE, ENGLISH_SIZE, window_state
from madcat_studio.gui.translation import tr, tr_count, tr_report
from madcat_studio.gui.views import LocationKind, Shell, kind_of
from madcat_studio.gui.workers import Queue
from madcat_studio.model.campaign import Pass, Team
from madcat_studio.operations.campaign.options import Showing
from madcat_studio.operations.campaign.rooms import rooms_of
from madcat_studio.operations.pages.campaign_pages import sweep_pages
from madcat_studio.operations.scores.options import scoring_options
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.desk import Desk, DeskKit, Look
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["KitView"]


class _Opened(NamedTuple):
    """What is read when a campaign is opened."""

    campaign: Campaign
    options: dict[str, Any]
    teams: tuple[Team, ...]
    guidelines: str
    rooms: str


class KitView(FramedView):
    """Kits of one campaign, for one editor at a time; or one kit that came as a file."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Open a campaign to edit its kits, or try the demo."),
            (
                (tr("Open a campaign"), lambda: shell.run(OPEN_CAMPAIGN)),
                (tr("Open the demo"), lambda: shell.run(OPEN_DEMO)),
            ),
        )
        super().__init__(shell, empty, parent)
        self._store = Queue(self)
        self._desk: Desk | None = None
        self._bundle: OpenBundle | None = None
        self._location = ""
        self._editor = ""
        self._options: Mapping[str, object] = {}
        self._guidelines = ""
        self.desk_page = DeskPage()
        self.desk_page.chosen.connect(self._choose)
        self.desk_page.open_kit.connect(self._open_kit)
        self.desk_page.take_back.connect(self._take_back)
        self.kit_page = KitPage(shell.theme, shell.settings, self._store)
        self.kit_page.changed.connect(self.state_changed)
        self.kit_page.notice.connect(self._notice)
        self.places = TwoPlaces(
            self,
            self.kit_page,
            shell,
            reopen=lambda kit: self._open_kit(kit, take_over=True),
            changed=self.state_changed.emit,
        )
        self.kit_page.pane.confirm_wanted.connect(self.confirm)
        self.kit_page.pane.revert_wanted.connect(lambda: self.kit_page.do(KitWorkspace.revert))
        self.translated = TranslatedPage(self.kit_page, shell)
        self.finishing = Finishing(self, self.kit_page, self._hand_over)
        for page in (self.desk_page, self.kit_page):
            self.screens.addWidget(page)

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign and the kit."""
        workspace = self.kit_page.workspace
        if self._bundle is not None:
            name = self._bundle.name
        elif self._desk is not None:
            name = self._desk.campaign.name
        else:
            return ""
        return f"{name} – {tr('kit')} {workspace.claim.kit}" if workspace is not None else name

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open a campaign, and the desk comes up with the editor of last time; or a bundle."""
        if not self.may_close():
            return
        if kind_of(location) is LocationKind.KIT:
            self._open_bundle(location)
            return
        before, self._location = self._location, location

        def work(_: object) -> _Opened:
            campaign = open_campaign(location, for_editor=True)
            try:
                options, teams = dict(campaign.options()), Desk(campaign).teams()
                sweep_pages(campaign)
                guidelines = campaign.guidelines()[1]
                return _Opened(campaign, options, teams, guidelines, rooms_of(campaign))
            except BaseException:
                campaign.close()
                raise

        def done(opened: _Opened) -> None:
            campaign, options, teams, self._guidelines, rooms = opened
            self._let_go()
            self._desk, self._options = Desk(campaign), options
            known = {person.id for team in teams for person in team.editors}
            # A login to a server is one editor's; in a folder one says who one is.
            known_here = str(window_state().value(f"editor/{campaign.id}", ""))
            mine = campaign.editor or target.get("editor") or known_here
            self._editor = mine if mine in known else ""
            fixed = campaign.editor is not None
            self.desk_page.show_campaign(campaign.name, teams, self._editor, fixed=fixed)
            self.screens.setCurrentWidget(self.desk_page)
            self.shell.opened(location, self)
            self.shell.rooms_seen(location, rooms)
            self._refresh_desk()

        def failed(error: BaseException) -> None:
            self._location = before
            self.shell.show_error(error)

        self._store.submit(work, done, failed=failed)

    def _open_bundle(self, location: str, passphrase: str = "") -> None:
        """Open the kit of a bundle; the file takes the campaign's place."""
        if self._bundle is not None and self._location == location:
            self.shell.opened(location, self)
            return

        def work(_: object) -> tuple[OpenBundle, KitWorkspace]:
            bundle = OpenBundle(Path(location), passphrase)
            return bundle, KitWorkspace(bundle, bundle.claim, deliver_at_once=False)

        def done(opened: tuple[OpenBundle, KitWorkspace]) -> None:
            bundle, workspace = opened
            self._let_go()
            self._bundle, self._location = bundle, location
            self._options, self._guidelines = bundle.options, bundle.guidelines
            showing = Showing.of(self._options)
            self.kit_page.show_kit(
                workspace,
                scoring_options(self._options),
                showing=showing,
                lines=bundle.lines if showing.page else None,
                in_file=True,
            )
            tell_recorded(
                workspace, bundle.id, showing.spelling, self.shell.messages, self.show_recorded
            )
            self.screens.setCurrentWidget(self.kit_page)
            self.shell.opened(location, self)
            self.kit_page.box.setFocus()
            self.title_changed.emit()
            self.state_changed.emit()

        def failed(error: BaseException) -> None:
            locked = ("bundle.locked", "bundle.wrong-passphrase")
            if not (isinstance(error, UsageError) and error.code in locked):
                self.shell.show_error(error)
                return
            typed = ask_passphrase(self, Path(location).name, again=error.code == locked[1])
            if typed is not None:
                self._open_bundle(location, typed)

        self._store.submit(work, done, failed=failed)

    def shown(self, campaign: str) -> None:
        """The view came to the front: open the campaign that another view opened."""
        if campaign and campaign != self._location and self._bundle is None:
            self.open_location(campaign, {})

    def may_close(self) -> bool:
        """Nothing is ever lost: unconfirmed text is kept and offered again; or its editor knows."""
        return may_leave(self.kit_page.workspace, self)

    def shut_down(self) -> None:
        """Save, let go of the campaign, end threads."""
        self.finishing.shut_down()
        self.kit_page.shut_down()
        self._store.close()
        if self._bundle is not None:
            self._bundle.close()
        if self._desk is not None:
            self._desk.campaign.close()
            self._desk = None

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        self.kit_page.apply_theme()

    def _let_go(self) -> None:
        self.kit_page.close_kit()
        self._close_bundle()
        if self._desk is not None:
            campaign = self._desk.campaign
            self._store.submit(lambda _: campaign.close(), lambda _: None)
            self._desk = None

    def _close_bundle(self) -> None:
        if self._bundle is not None:
            bundle, self._bundle = self._bundle, None
            self._store.submit(lambda _: bundle.close(), lambda _: None)

    def _notice(self, text: str, level: str) -> None:
        self.shell.messages.post(Message(Level(level), text))

    # -- the desk -----------------------------------------------------------------------------

    def _choose(self, editor: str) -> None:
        if self._desk is None or not editor:
            return
        self._editor = editor
        self.desk_page.show_kits((), chosen=True, waiting=True)  # no card of somebody else's
        window_state().setValue(f"editor/{self._desk.campaign.id}", editor)
        self._refresh_desk()

    def _refresh_desk(self) -> None:
        desk, editor = self._desk, self._editor
        if desk is None:
            return
        if not editor:
            self.desk_page.who.setFocus()
            self.state_changed.emit()
            return

        def done(look: Look) -> None:
            for one in look.aside:
                told = tr_count(
                    "Kit {kit} has been given to somebody else. {count} of your texts that was "
                    "still on this machine is kept aside in the campaign.",
                    "Kit {kit} has been given to somebody else. {count} of your texts that were "
                    "still on this machine are kept aside in the campaign.",
                    one.texts,
                    kit=one.kit,
                )
                self._notice(told, "warning")
            if desk is self._desk and editor == self._editor:
                self.desk_page.show_kits(look.kits, chosen=True)
                self.desk_page.show_day(look.day)
                self.state_changed.emit()

        today = datetime.now().astimezone().date()
        self._store.submit(lambda _: desk.look(editor, today), done, failed=self.shell.show_error)

    def _open_kit(self, kit: DeskKit, *, take_over: bool = False) -> None:
        desk, editor = self._desk, self._editor
        if desk is None:
            return
        showing = Showing.of(self._options)

        def done(workspace: KitWorkspace) -> None:
            self.kit_page.show_kit(
                workspace,
                scoring_options(self._options),
                showing=showing,
                lines=(lambda page: desk.lines(kit.kit, page)) if showing.page else None,
            )
            tell_recorded(
                workspace,
                desk.campaign.id,
                showing.spelling,
                self.shell.messages,
                self.show_recorded,
            )
            self.screens.setCurrentWidget(self.kit_page)
            self.kit_page.box.setFocus()
            self.title_changed.emit()
            self.state_changed.emit()

        def failed(error: BaseException) -> None:
            if isinstance(error, ConflictError) and error.code in TAKEABLE and not take_over:
                if ask_take_over(kit, error, self):
                    self._open_kit(kit, take_over=True)
                return
            self.shell.show_error(error)
            self._refresh_desk()

        if self.has_kit:
            self._back_to_desk()  # it was opened elsewhere since, and is taken over again
        self.places.opened = kit
        self._store.submit(
            lambda _: desk.open(kit, editor, deliver_at_once=False, take_over=take_over),
            done,
            failed=failed,
        )

    def _take_back(self, kit: DeskKit) -> None:
        desk, editor = self._desk, self._editor
        if desk is not None:
            self._store.submit(
                lambda _: desk.take_back(kit, editor),
                lambda _: self._refresh_desk(),
                failed=self.shell.show_error,
            )

    def _back_to_desk(self) -> None:
        self.kit_page.close_kit()
        self.places.end()
        self.hint.emit("")
        if self._bundle is not None:
            self._close_bundle()
            self._location, self._guidelines = "", ""
            self.screens.setCurrentWidget(self.empty)
            self.title_changed.emit()
            self.state_changed.emit()
            return
        self.screens.setCurrentWidget(self.desk_page)
        self.title_changed.emit()
        self._refresh_desk()

    # -- actions ------------------------------------------------------------------------------

    @property
    def has_kit(self) -> bool:
        """Whether a kit is open."""
        return self.kit_page.workspace is not None

    @property
    def has_guidelines(self) -> bool:
        """Whether the campaign has guidelines."""
        return bool(self._guidelines)

    @property
    def in_file(self) -> bool:
        """Whether the kit came as a file."""
        return self._bundle is not None

    @property
    def in_review(self) -> bool:
        """Whether the kit that is open is in its second pass."""
        workspace = self.kit_page.workspace
        return workspace is not None and workspace.claim.pass_ is Pass.REVIEW

    @property
    def can_send_back(self) -> bool:
        """Whether segments of this kit may go back to the first pass."""
        return self.in_review and self._desk is not None and Showing.of(self._options).returns

    @property
    def can_change_editor(self) -> bool:
        """Whether somebody else may sit down at the desk: a login is one editor's."""
        return self._desk is not None and self._desk.campaign.editor is None

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" for nothing."""
        workspace = self.kit_page.workspace
        return tr_report(workspace.undo_label).lower() if workspace and workspace.undo_label else ""

    @property
    def redo_label(self) -> str:
        """What redo would make again, "" for nothing."""
        workspace = self.kit_page.workspace
        return tr_report(workspace.redo_label).lower() if workspace and workspace.redo_label else ""

    @property
    def revert_title(self) -> str | None:
        """What a segment goes back to; None where no kit is open."""
        if not self.has_kit:
            return None
        return tr("&Back to the first pass") if self.in_review else tr("&Back to the output")

    def begin_finding(self) -> None:
        """Find and replace, beginning with what is selected."""
        self.kit_page.find_bar.begin(self.kit_page.box.selected())

    def copy_output(self) -> None:
        """Copy the system's output."""
        QGuiApplication.clipboard().setText(self.kit_page.pane.output.body.text())

    def insert_selected(self) -> None:
        """Put what is selected beside the text into it."""
        self.kit_page.words.insert(self.kit_page.pane.selected_words())

    def toggle_invisible(self) -> None:
        """Show invisible characters, or no longer."""
        box = self.kit_page.box
        box.set_invisible(not box.show_invisible)

    def show_guidelines(self) -> None:
        """Show the guidelines of the campaign."""
        TextDialog(tr("Guidelines"), self._guidelines, self).open()

    def show_recorded(self) -> None:
        """Show what is recorded of the editor's work in this kit."""
        if self.kit_page.workspace is not None:
            show_recorded(self.kit_page.workspace, self)

    def hand_over(self) -> None:
        """Look through the kit, and hand it over."""
        self.finishing.begin()

    def close_kit(self) -> bool:
        """Back to the desk; whether it was done."""
        if not self.may_close():
            return False
        self._back_to_desk()
        return True

    def change_editor(self) -> None:
        """Let somebody else sit down at the desk."""
        if self.close_kit():
            self.desk_page.who.setFocus()
            self.desk_page.who.showPopup()

    def resize_text(self, step: int) -> None:
        """Both languages' texts, within the limits of their settings."""
        for setting in (ENGLISH_SIZE, ARABIC_SIZE):
            size = self.shell.settings.get(setting) + step
            self.shell.settings.set(setting, min(max(size, setting.least), setting.most))

    def confirm(self, *, stay: bool = False) -> None:
        """Confirm the segment, and go on to the next unless the editor stays."""
        act = KitWorkspace.confirm if stay else KitWorkspace.confirm_and_next
        try:
            self.kit_page.do(act)
        except InputError as error:
            if error.code != "kit.empty":
                raise
            reason, given = QInputDialog.getText(
                self,
                tr("The text is empty"),
                tr("Why is nothing left of it? An empty text is kept only with a reason."),
            )
            if given and reason.strip():
                self.kit_page.do(lambda kit: act(kit, reason))
            return
        workspace = self.kit_page.workspace
        ready = not stay and workspace is not None and not workspace.check()
        self.hint.emit(tr("All segments are confirmed: hand over the kit") if ready else "")

    def flag(self) -> None:
        """Ask what is to be said of the segment."""
        workspace = self.kit_page.workspace
        if workspace is None:
            return
        row = workspace.current
        flags = workspace.own(row).flags
        dialog = FlagDialog(row + 1, flags, self, returns=self.can_send_back)
        accepted, chosen = dialog.exec(), dialog.chosen()
        dialog.deleteLater()
        self.activateWindow()
        self.kit_page.box.setFocus()
        if accepted:
            self.kit_page.do(lambda kit: kit.set_flags(chosen))

    def _hand_over(self, workspace: KitWorkspace) -> None:
        def done(_: object) -> None:
            kit = workspace.claim.kit
            if self._bundle is None:
                self.shell.messages.info(tr("Kit {kit} is handed over.", kit=kit))
            else:
                file = self._bundle.path.name
                self.shell.messages.info(
                    tr("Kit {kit} is finished. Send the file {file} back.", kit=kit, file=file)
                )
            self._back_to_desk()

        self._store.submit(lambda _: workspace.hand_over(), done, failed=self.shell.show_error)

    def send_back(self) -> None:
        """Give the flagged segments back to the first editor."""
        desk, workspace = self._desk, self.kit_page.workspace
        if desk is None or workspace is None or not may_send_back(workspace, self):
            return

        def done(_: object) -> None:
            kit = workspace.claim.kit
            self.shell.messages.info(tr("Kit {kit} is with the first editor again.", kit=kit))
            self._back_to_desk()

        self._store.submit(lambda _: desk.send_back(workspace), done, failed=self.shell.show_error)

    def save_copy(self) -> None:
        """Write what is to be sent back: all that is typed, without the scans."""
        bundle, workspace = self._bundle, self.kit_page.workspace
        path = choose_copy(self, bundle.path) if bundle is not None else None
        if bundle is None or workspace is None or path is None:
            return

        def work(_: object) -> Path:
            workspace.save()
            return bundle.copy_to_send(path, replace_it=True)

        def done(sent: Path) -> None:
            self.shell.messages.info(tr("Send the file {file} back.", file=sent.name))

        self._store.submit(work, done, failed=self.shell.show_error)

"""Every dialog of the window as it may stand on the screen: for what must hold for each of them."""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtWidgets import QDialog, QStackedWidget, QTabWidget, QWidget

import madcat_studio.gui
from madcat_studio.gui import fonts
from madcat_studio.gui.coordinator.adddialog import AddEarlierDialog, AddSystemDialog
from madcat_studio.gui.coordinator.calendardialog import CalendarDialog
from madcat_studio.gui.coordinator.choosedialog import ChooseDialog
from madcat_studio.gui.coordinator.kitfiles import GiveOutDialog
from madcat_studio.gui.coordinator.peopledialogs import (
    DueDialog,
    EditorsDialog,
    PracticeDialog,
    ReplaceDialog,
)
from madcat_studio.gui.coordinator.proposaldialog import ProposeDialog
from madcat_studio.gui.coordinator.referencesdialog import ReferencesDialog
from madcat_studio.gui.coordinator.replay import ReplayDialog
from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.gui.coordinator.selectiondialog import SelectDialog
from madcat_studio.gui.coordinator.setupdialog import SetupDialog
from madcat_studio.gui.coordinator.trustdialog import TrustDialog
from madcat_studio.gui.corpus.choosedialog import ChooseDialog as ChoosePassagesDialog
from madcat_studio.gui.corpus.orderdialog import OrderDialog
from madcat_studio.gui.crashdialog import CrashDialog
from madcat_studio.gui.dialogs import SettingsDialog
from madcat_studio.gui.doors import Doors
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.asides import AsideDialog
from madcat_studio.gui.editor.flags import FlagDialog
from madcat_studio.gui.editor.guidelines import TextDialog
from madcat_studio.gui.editor.pasttexts import PastDialog
from madcat_studio.gui.keysdialog import KeysDialog
from madcat_studio.gui.mainwindow import MainWindow
from madcat_studio.gui.manualwindow import ManualWindow
from madcat_studio.gui.page.asklink import LinkDialog, PartDialog
from madcat_studio.gui.page.pdfpages import PdfPages
from madcat_studio.gui.page.queue.pace import PaceDialog
from madcat_studio.gui.page.segmenterdialog import SegmenterDialog
from madcat_studio.gui.page.tokens.texts import TextsDialog
from madcat_studio.gui.palette import Palette
from madcat_studio.gui.rendering.preview import PagePreview
from madcat_studio.gui.roomdialog import ChangePassphraseDialog, RoomDialog
from madcat_studio.gui.scorecard.cardorder import CardKind, CardOrder
from madcat_studio.gui.scorecard.newcard import NewCardDialog
from madcat_studio.gui.serverdialog import ServerDialog
from madcat_studio.gui.shortcutsheet import SheetView, ShortcutSheet
from madcat_studio.gui.submissiondialog import SubmissionDialog
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import VIEWS
from madcat_studio.model.campaign import (
    Editor,
    Flag,
    Pass,
    PassProgress,
    PassState,
    Revision,
    SegmentName,
    SegmentState,
    Team,
    new_id,
)
from madcat_studio.model.document import Segment
from madcat_studio.operations.pages.pace import FolderPace
from madcat_studio.pages.pace import Pace
from madcat_studio.planning.draft import Draft
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.workspace.past import Past
from madcat_ter.ter import TerOptions
from tests.gui.campaigns import OUTPUTS, REFERENCES

__all__ = ["DIALOGS", "Stage", "all_kinds", "faces"]

AT = datetime(2048, 3, 4, 9, 30, tzinfo=UTC)
TEAM = Team("red", (Editor("red1", "Rana Aldebaran"), Editor("red2", "Rolf Betelgeuse")))
TEXT, BEFORE = REFERENCES["s1"], OUTPUTS["s1"] or ""


class Stage:
    """What dialogs are opened over: a window with a campaign, some of which is edited.

    Attributes:
        window: it.
        campaign: the campaign's folder.
        folder: for what is written.
        wait: until something is so.
    """

    def __init__(
        self,
        window: MainWindow,
        campaign: Path,
        folder: Path,
        wait: Callable[[Callable[[], bool]], None],
    ) -> None:
        self.window, self.campaign, self.folder, self.wait = window, campaign, folder, wait

    @property
    def where(self) -> str:
        """The campaign, as it is opened."""
        return str(self.campaign)


Make = Callable[[Stage], QDialog]


def _link(stage: Stage) -> LinkDialog:
    return LinkDialog(
        tr("Split a word"),
        tr("The word is linked to the text. Which part keeps the link?"),
        ["the right-hand part", "the left-hand part"],
        fonts.english(stage.window.settings),
        stage.window,
    )


def _part(stage: Stage) -> PartDialog:
    return PartDialog(
        tr("Split a word"),
        tr("The word is linked to the text. Which part keeps the link?"),
        [
            "the right-hand part",
            tr("Split the text as well, at the bar; also in the transcription"),
        ],
        fonts.english(stage.window.settings),
        stage.window,
        word="المدينة",
        places=range(1, 7),
        place=4,
    )


def _pace(stage: Stage) -> PaceDialog:
    rows = tuple(Pace(name, "work", 12, 3.5, 3.4, 16.0, 2) for name in ("amal", "basim"))
    return PaceDialog(FolderPace((), rows, rows, 4.0), stage.window)


def _texts(stage: Stage) -> TextsDialog:
    segment = Segment("s1", [], transcription="افتتح رئيس البلدية الجسر", translation=TEXT)
    settings = stage.window.settings
    return TextsDialog(segment, fonts.arabic(settings), fonts.english(settings), stage.window)


def _asides(stage: Stage) -> AsideDialog:
    stage.window.open(stage.where, view="kit", target={"editor": "blue2"})
    view = stage.window.view("kit")
    stage.wait(lambda: bool(view.desk_page.buttons))
    view.desk_page.buttons[0].click()
    stage.wait(lambda: view.kit_page.workspace is not None)
    kit = view.kit_page.workspace
    aside = Revision(
        new_id(), "K1", "blue", Pass.REVIEW, kit.segments[0].name, "blue2", "laptop", AT,
        SegmentState.CONFIRMED, TEXT,
    )  # fmt: skip
    return AsideDialog(kit, [aside], stage.window.theme.colours, stage.window)


def _past(stage: Stage) -> PastDialog:
    texts = [Past(BEFORE), Past(TEXT, Pass.FIRST, True, AT, SegmentState.CONFIRMED)]
    window = stage.window
    return PastDialog(1, texts, BEFORE, TerOptions(), window.theme, window.settings, window)


def _segment_name(stage: Stage) -> SegmentName:
    return SegmentName("D_1_S1", "s2")


def _replay(stage: Stage) -> ReplayDialog:
    dialog = ReplayDialog(stage.window, stage.where, "K1", _segment_name(stage), stage.window)
    stage.wait(lambda: dialog.whose.count() > 0)
    return dialog


def _segment(stage: Stage) -> SegmentDialog:
    target = {"system": "Secretly Alpha", "document": "D_1_S1", "segment": "s2"}
    dialog = SegmentDialog(stage.window, stage.where, target, stage.window)
    stage.wait(lambda: bool(dialog.findChildren(AlignmentView)))
    return dialog


def _calendar(stage: Stage) -> CalendarDialog:
    dialog = CalendarDialog(stage.window, stage.where, stage.window)
    stage.wait(lambda: dialog.calendars is not None)
    return dialog


def _give_out(stage: Stage) -> GiveOutDialog:
    which = PassProgress(
        "K1", "red", Pass.FIRST, PassState.OPEN, "red1", None, None, 5, 0, 0, 30, 0
    )
    dialog = GiveOutDialog(which, TEAM.editors, stage.window)
    dialog.folder.show_path(stage.folder)
    dialog.lock.wanted.setChecked(True)
    return dialog


def _card(stage: Stage) -> NewCardDialog:
    inputs = (stage.folder / "juniper_1", stage.folder / "tamarisk_1")
    return NewCardDialog(CardOrder(CardKind.PAGES, inputs, stage.folder), stage.window)


def _keys(stage: Stage) -> KeysDialog:
    fixed = {spec.id: spec.fixed() for spec in VIEWS}
    return KeysDialog(stage.window.commands, [spec.id for spec in VIEWS], fixed, stage.window)


def _sheet(stage: Stage) -> ShortcutSheet:
    views = [SheetView(spec.id, spec.title, spec.keys()) for spec in VIEWS]
    return ShortcutSheet(stage.window.commands.declared(), views, "kit", stage.window)


def _palette(stage: Stage) -> Palette:
    stage.window.commands.named("help.find-action").trigger()
    return stage.window.findChildren(Palette)[-1]


def _manual(stage: Stage) -> ManualWindow:
    dialog = ManualWindow(stage.window.theme, stage.window)
    dialog.show_page("annotating")
    return dialog


def _pdf(stage: Stage) -> PdfPages:
    def wait(progress: Progress) -> Path:
        progress.advance(1, 4)
        while not progress.cancelled():
            time.sleep(0.01)
        raise Cancelled

    return PdfPages("letters.pdf", stage.window, wait)


DIALOGS: dict[type[QDialog], Make] = {
    AddEarlierDialog: lambda stage: AddEarlierDialog(stage.window, stage.where, stage.window),
    AddSystemDialog: lambda stage: AddSystemDialog(stage.window, stage.where, stage.window),
    AsideDialog: _asides,
    CalendarDialog: _calendar,
    ChangePassphraseDialog: lambda stage: ChangePassphraseDialog("pilot", stage.window),
    ChooseDialog: lambda stage: ChooseDialog(
        tr("Move the manuscript"),
        tr("Move {name} into", name="p-S1"),
        ["K1 (600 words)", "K2 (590 words)"],
        stage.window,
    ),
    ChoosePassagesDialog: lambda stage: ChoosePassagesDialog(stage.window, stage.window),
    CrashDialog: lambda stage: CrashDialog("ZeroDivisionError", "MADCAT Studio\n…", stage.window),
    Doors: lambda stage: Doors(stage.window, stage.window, lambda _: stage.campaign),
    DueDialog: lambda stage: DueDialog("K1", Pass.FIRST, AT, stage.window),
    EditorsDialog: lambda stage: EditorsDialog([TEAM], "red", stage.window),
    FlagDialog: lambda stage: FlagDialog(
        10, {Flag.SCRIBE_ERROR: "a letter too many"}, stage.window, returns=True
    ),
    GiveOutDialog: _give_out,
    KeysDialog: _keys,
    LinkDialog: _link,
    ManualWindow: _manual,
    NewCardDialog: _card,
    OrderDialog: lambda stage: OrderDialog(stage.window),
    PaceDialog: _pace,
    PagePreview: lambda stage: PagePreview(stage.window, stage.window),
    Palette: _palette,
    PartDialog: _part,
    PastDialog: _past,
    PdfPages: _pdf,
    PracticeDialog: lambda stage: PracticeDialog(["Secretly Alpha"], stage.window),
    ProposeDialog: lambda stage: ProposeDialog(Draft((), (TEAM,)), stage.window),
    ReferencesDialog: lambda stage: ReferencesDialog(stage.window, stage.where, stage.window),
    ReplaceDialog: lambda stage: ReplaceDialog(TEAM, Pass.REVIEW, "K1", None, stage.window),
    ReplayDialog: _replay,
    RoomDialog: lambda stage: RoomDialog("pilot", stage.window),
    SegmentDialog: _segment,
    SegmenterDialog: lambda stage: SegmenterDialog(stage.window),
    SelectDialog: lambda stage: SelectDialog(stage.window, stage.where, stage.window),
    ServerDialog: lambda stage: ServerDialog(
        stage.window, address="postgresql://red1@server/pilot"
    ),
    SettingsDialog: lambda stage: SettingsDialog(stage.window.settings, stage.window),
    SetupDialog: lambda stage: SetupDialog(stage.window, stage.window),
    ShortcutSheet: _sheet,
    SubmissionDialog: lambda stage: SubmissionDialog(stage.window),
    TextDialog: lambda stage: TextDialog(tr("Guidelines"), "Edit *little*.", stage.window),
    TextsDialog: _texts,
    TrustDialog: lambda stage: TrustDialog(stage.window, stage.where, stage.window),
}


def all_kinds() -> set[type[QDialog]]:
    """Every kind of dialog that the program has; what only others are made of begins with "_"."""
    for module in pkgutil.walk_packages(madcat_studio.gui.__path__, "madcat_studio.gui."):
        importlib.import_module(module.name)
    found: set[type[QDialog]] = set()
    waiting = [QDialog]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            ours = kind.__module__.startswith("madcat_studio.")
            if ours and not kind.__name__.startswith("_"):
                found.add(kind)
    return found


def faces(top: QWidget, *, stacks: bool = True) -> Iterator[None]:
    """Turn to every page of the tabs and stacks in a widget; after each it stands as it is then.

    Args:
        top: the widget.
        stacks: whether those that nobody turns by hand are turned, too.
    """
    yield
    yield from _turned(top, stacks, set())


def _turned(top: QWidget, stacks: bool, done: set[QStackedWidget]) -> Iterator[None]:
    for stack in top.findChildren(QStackedWidget):
        holder = stack.parentWidget()
        tabs = isinstance(holder, QTabWidget)
        if stack in done or not stack.isVisible() or not (tabs or stacks):
            continue
        done.add(stack)
        for number in range(stack.count()):
            (holder if isinstance(holder, QTabWidget) else stack).setCurrentIndex(number)
            yield
            yield from _turned(top, stacks, done)

"""The pictures of the views of a campaign: desk, kits, hand-over, board, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.coordinator.view import ReportView
    from madcat_studio.gui.editor.view import KitView
    from scripts.screenshots.studio import Studio

__all__ = [
    "board",
    "desk",
    "give_out",
    "hand_over",
    "kit",
    "kit_view",
    "replay",
    "report",
    "report_page",
    "report_pictures",
    "review",
    "segment",
    "segments",
    "trust",
    "trust_page",
]

_FIRST, _REVIEWER = "amara.okafor", "sione.tupou"
"""Editors of the demo: one is in the middle of a first pass, one in the middle of a review."""


def kit_view(studio: Studio) -> KitView:
    """The view of kits, with the demo campaign."""
    from madcat_studio.gui.editor.view import KitView

    view = studio.window.view("kit")
    if not isinstance(view, KitView) or not view.title():
        studio.campaign("kit")
        view = studio.window.view("kit")
    assert isinstance(view, KitView)
    studio.window.show_view("kit")
    return view


def _sit_down(studio: Studio, editor: str) -> KitView:
    """The desk of an editor, with nothing open."""
    view = kit_view(studio)
    if view.kit_page.workspace is not None:
        view.close_kit()
    page = view.desk_page
    row = page.who.findData(editor)
    page.who.setCurrentIndex(row)
    page.who.activated.emit(row)
    studio.wait(lambda: bool(page.buttons))
    return view


def _open(studio: Studio, editor: str, row: int) -> KitView:
    """The kit that an editor holds, at a segment, aligned and with its page."""
    view = _sit_down(studio, editor)
    page = view.kit_page
    view.desk_page.buttons[0].click()
    studio.wait(lambda: page.workspace is not None)
    page.side.chosen.emit(row)
    studio.wait(lambda: page.pane.strip.pyramid is not None)
    studio.settle(900)
    return view


def desk(studio: Studio) -> None:
    """The kits of an editor who has one to work on."""
    _sit_down(studio, _FIRST)


def kit(studio: Studio) -> None:
    """A first pass."""
    _open(studio, _FIRST, 9)


def review(studio: Studio) -> None:
    """A review: what the first pass did, and what the reviewer did to it."""
    view = _open(studio, _REVIEWER, 1)
    page = view.kit_page
    workspace = page.workspace
    assert workspace is not None
    text = workspace.segments[1].first or ""
    page.do(lambda kit: kit.replace_all({1: text.replace(" and ", " and also ", 1)}))
    studio.settle(900)


def hand_over(studio: Studio) -> None:
    """What is still to do before a kit can be handed over."""
    page = _open(studio, _FIRST, 9).kit_page
    studio.window.commands.named("kit.hand-over").trigger()
    studio.wait(lambda: page.findings.list.count() > 0)
    studio.settle(900)


def board(studio: Studio) -> None:
    """How the kits stand."""
    studio.campaign("board")


def give_out(studio: Studio) -> QWidget:
    """A kit that is given out as a file, locked."""
    from madcat_studio.gui.coordinator.board import BoardView
    from madcat_studio.gui.coordinator.kitfiles import GiveOutDialog
    from madcat_studio.model.campaign import PassState
    from madcat_studio.operations.campaign.kit_files import team_editors

    studio.campaign("board")
    view = studio.window.view("board")
    assert isinstance(view, BoardView)
    studio.wait(lambda: view.model.rowCount() > 0)
    indexes = (
        view.model.index(row, column)
        for row in range(view.model.rowCount())
        for column in (view.model.FIRST_PASS, view.model.REVIEW)
    )
    found = (view.model.pass_at(index) for index in indexes)
    which = next(one.progress for one in found if one and one.progress.state is PassState.OPEN)
    dialog = GiveOutDialog(
        which, team_editors(str(studio.home / "campaign"), which.team), studio.window
    )
    dialog.folder.show_path(studio.home)
    dialog.lock.wanted.setChecked(True)
    return dialog


def _report(studio: Studio, table: str) -> ReportView:
    from madcat_studio.gui.coordinator.view import ReportView

    studio.campaign("report")
    view = studio.window.view("report")
    assert isinstance(view, ReportView)
    studio.wait(lambda: view.ready and view.model.rowCount() > 0, 90)
    view.show_table(table)
    return view


def report(studio: Studio) -> None:
    """The verdict."""
    view = _report(studio, "verdict")
    studio.wait(lambda: bool(view.pictures.pictures), 60)


def report_page(studio: Studio) -> Path:
    """The verdict in the report's HTML, as a browser shows it."""
    studio.campaign("report")
    return studio.home / "campaign" / "report" / "go-no-go" / "hter.html"


def report_pictures(studio: Studio) -> None:
    """The drawings of the report."""
    from madcat_studio.gui.coordinator.view import ReportView

    report(studio)
    view = studio.window.view("report")
    assert isinstance(view, ReportView)
    view.show_pictures()
    studio.wait(lambda: bool(view.pictures.pictures))
    studio.settle(300)


def segments(studio: Studio) -> None:
    """All segments of the report."""
    _report(studio, "segments")


def trust(studio: Studio) -> QWidget:
    """Which metric may be trusted, and its outputs as points."""
    from madcat_studio.gui.coordinator.trustdialog import TrustDialog

    view = _report(studio, "verdict")
    track = view.parts.tracks.track() or ""
    dialog = TrustDialog(studio.window, view.location, studio.window, track)
    studio.wait(lambda: dialog.found is not None, 120)
    return dialog


def trust_page(studio: Studio) -> Path:
    """The same as a page, as a browser shows it."""
    from madcat_studio.operations.scorecards.files import write_card
    from madcat_studio.operations.scores.report import Format
    from madcat_studio.operations.scores.trust import trust as hold

    studio.campaign("board")
    folder = studio.home / "trust"
    folder.mkdir(exist_ok=True)
    found = hold(str(studio.home / "campaign"), track="go-no-go", pictures=True)
    return write_card(found.report, folder, [Format.HTML])[0]


def segment(studio: Studio) -> QWidget:
    """One scored segment."""
    from madcat_studio.gui.coordinator.segment import SegmentDialog
    from madcat_studio.gui.editor.alignment import AlignmentView

    view = _report(studio, "segments")
    dialog = SegmentDialog(
        studio.window,
        view.location,
        {key: str(view.model.value(3, key)) for key in ("system", "kit", "document", "segment")},
        studio.window,
    )
    dialog.show()
    studio.wait(lambda: bool(dialog.findChildren(AlignmentView)))
    return dialog


def replay(studio: Studio) -> QWidget:
    """How a segment's text came about: an editor's work, made for the picture."""
    from datetime import UTC, datetime

    from madcat_studio.gui.coordinator.replay import ReplayDialog
    from madcat_studio.model.campaign import Pass, SegmentName
    from madcat_studio.model.visits import Event, EventKind, Visit
    from madcat_studio.operations.scores.replay import replay_of

    view = _report(studio, "segments")
    kit, base, name, output = (
        str(view.model.value(3, key)) for key in ("kit", "document", "segment", "output")
    )
    typed, place = " on Monday", output.index(" ", 5)
    events = [Event(0, EventKind.FROM, (output,))]
    for number, letter in enumerate(typed):
        change = (place + number, "", letter, "typed")
        events.append(Event(9000 + 180 * number, EventKind.TEXT, change))
    pasted = (place, typed, " early on Monday morning", "pasted")
    events.append(Event(14_000, EventKind.TEXT, pasted))
    segment = SegmentName(base, name)
    visit = Visit(
        id="",
        kit=kit,
        team="red",
        pass_=Pass.FIRST,
        segment=segment,
        editor="juniper",
        machine="",
        at=datetime(2026, 1, 5, tzinfo=UTC),
        ms=31_000,
        events=tuple(events),
    )
    dialog = ReplayDialog(studio.window, view.location, kit, segment, studio.window)
    dialog.show()
    studio.wait(lambda: bool(dialog.told.text()))
    dialog.whose.clear()
    dialog.show_replays((replay_of([visit, visit]),))
    dialog.place.setValue(len(typed) + 1)
    return dialog

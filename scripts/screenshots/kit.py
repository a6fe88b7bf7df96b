"""The pictures of what an editor does by key: find, flag, go through changes, hand over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scripts.screenshots import campaign

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from scripts.screenshots.studio import Studio

__all__ = ["advice", "changes", "coach", "find", "flag", "long_segment", "pairs", "past"]


def find(studio: Studio) -> None:
    """Finding over the kit, by Ctrl+F, words and Enter."""
    campaign.kit(studio)
    view = campaign.kit_view(studio)
    studio.window.commands.named("kit.find").trigger()
    bar = view.kit_page.find_bar
    wanted = "the"
    bar.words.setText(wanted)
    bar.whole.setChecked(True)
    bar.find_next()
    studio.settle(900)


def coach(studio: Studio) -> None:
    """Which edits could be spared; the second piece of advice, by F9."""
    campaign.kit(studio)
    page = campaign.kit_view(studio).kit_page
    workspace = page.workspace
    assert workspace is not None
    # One whose output agrees with the reference where the words below are changed.
    outputs = [segment.output for segment in workspace.segments]
    page.side.chosen.emit(next(n for n, one in enumerate(outputs) if "network of the" in one))
    text = outputs[workspace.current]
    for old, new in (("The ", "This "), (" of ", " over "), (" and ", " as well as "), ("'", "’")):
        text = text.replace(old, new, 1)
    page.do(lambda kit: kit.replace_all({kit.current: text}))
    studio.wait(lambda: not page.coach.busy and bool(page.coach.advice))
    studio.window.commands.named("kit.next-advice").trigger()
    studio.settle(900)


def flag(studio: Studio) -> QWidget:
    """What can be said of a segment besides its text."""
    from madcat_studio.gui.editor.flags import FlagDialog
    from madcat_studio.model.campaign import Flag

    campaign.kit(studio)
    flags = {Flag.SCRIBE_ERROR: "one letter too many in the third word"}
    return FlagDialog(10, flags, studio.window, returns=True)


def changes(studio: Studio) -> None:
    """A reviewer goes through the changes, by F7."""
    campaign.review(studio)
    for _ in range(3):
        studio.window.commands.named("kit.next-change").trigger()
    studio.settle(900)


def long_segment(studio: Studio) -> None:
    """A segment of 300 words, side by side, in the middle of which somebody types."""
    where = studio.home / "long"
    view = campaign.kit_view(studio)
    if not where.is_dir():
        _make_long(studio, where)
        view.close_kit()
        studio.window.open(str(where), view="kit")
        who = view.desk_page.who
        studio.wait(lambda: who.findData("a") >= 0)
        who.setCurrentIndex(who.findData("a"))
        who.activated.emit(who.currentIndex())
        studio.wait(lambda: bool(view.desk_page.buttons))
        view.desk_page.buttons[0].click()
        studio.wait(lambda: view.kit_page.workspace is not None)
    page = view.kit_page
    segment = page.workspace.segments[0] if page.workspace is not None else None
    assert segment is not None
    words = segment.output.split()
    for number in range(9, len(words), 23):
        words[number] = segment.reference.split()[number]
    text = " ".join(words)
    page.do(lambda kit: kit.replace_all({0: text}))
    place = len(" ".join(words[:148]))
    page.select(place, place)
    studio.settle(1500)


def _make_long(studio: Studio, where: Path) -> None:
    """A campaign of one kit, whose only segment is made of the demo's."""
    from madcat_studio.model.campaign import (
        Assignment,
        CampaignDocument,
        CampaignSegment,
        DataSet,
        Editor,
        Kit,
        KitItem,
        System,
        Team,
    )
    from madcat_studio.store import create_campaign

    campaign.kit(studio)
    workspace = campaign.kit_view(studio).kit_page.workspace
    assert workspace is not None
    reference = " ".join(one.reference for one in workspace.segments if one.output)
    output = " ".join(one.output for one in workspace.segments if one.output)
    reference = " ".join(reference.split()[:300])
    output = " ".join(output.split()[:300])
    with create_campaign(where, "Long segments") as made, made.transaction():
        made.set_options({"editing.show_figures": True})
        document = CampaignDocument(
            base="D", source_document="D", passage="p", manuscript="m", page="1", scribe="S",
            exposure="exposed", data_set=DataSet.EVALUATION, track="", genre="web", sha256="",
        )  # fmt: skip
        segment = CampaignSegment("s1", "1", "", reference, 0, len(reference.split()))
        made.contents.add_document(document, b"<madcat/>", [segment])
        made.contents.add_system(System("S", "X1"))
        made.contents.add_output("S", "D", b"<out/>", {"s1": output})
        made.plans.add_team(Team("red", (Editor("a", "Rana"), Editor("b", "Rolf"))))
        made.plans.add_team(Team("blue", (Editor("c", "Bo"), Editor("d", "Bea"))))
        made.plans.plan_kit(Kit("K1", (KitItem("S", "D"),)))
        made.plans.assign(
            "K1", [Assignment("K1", "red", "a", "b"), Assignment("K1", "blue", "c", "d")]
        )


def pairs(studio: Studio) -> None:
    """A reviewer compares the own text with the output, by Ctrl+F7; side by side, by F12."""
    from madcat_studio.gui.settings import SIDE_BY_SIDE

    studio.window.settings.set(SIDE_BY_SIDE, "always")
    campaign.review(studio)
    panel = campaign.kit_view(studio).kit_page.pane.pairs
    panel.choose(panel.pair.OUTPUT)
    studio.settle(900)


def past(studio: Studio) -> QWidget:
    """What a segment said before, by Ctrl+Shift+V."""
    from madcat_studio.gui.editor.pasttexts import PastDialog
    from madcat_studio.gui.settings import SIDE_BY_SIDE

    studio.window.settings.set(SIDE_BY_SIDE, "long")
    campaign.review(studio)
    view = campaign.kit_view(studio)
    view.kit_page.pane.pairs.choose(view.kit_page.pane.pairs.pair.FIRST)
    studio.window.commands.named("kit.past").trigger()
    studio.wait(lambda: bool(view.findChildren(PastDialog)))
    dialog = view.findChildren(PastDialog)[-1]
    dialog.list.setCurrentRow(1)
    studio.settle(600)
    return dialog


def advice(studio: Studio) -> None:
    """What is only worth a look before a kit is handed over."""
    campaign.review(studio)
    page = campaign.kit_view(studio).kit_page
    workspace = page.workspace
    assert workspace is not None
    page.do(lambda kit: kit.replace_all({2: kit.own(2).text + '  Aproximately "'}))
    studio.window.commands.named("kit.next-finding").trigger()
    studio.wait(lambda: page.findings.list.count() > 0)
    studio.settle(900)

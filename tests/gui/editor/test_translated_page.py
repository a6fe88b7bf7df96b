"""The page with an editor's texts in place of the writing: where the coordinator allows it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import PIL.Image
import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget, QWidget

from madcat_studio.gui.rendering.preview import PagePreview
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
from madcat_studio.model.outlines import SegmentLines, spell_lines
from madcat_studio.store import create_campaign, open_campaign
from tests.gui.campaigns import REFERENCES, make_campaign
from tests.gui.editor.people import Person
from tests.gui.helpers import can, run

ALLOWED = {"editing.show_translated": True}


def sit_at(make_window, qtbot, where: Path) -> Person:
    person = Person(make_window(where), qtbot.waitUntil)
    person.sit_down("red1")
    return person


def previews(person: Person) -> list[PagePreview]:
    return person.view.window().findChildren(PagePreview)


@pytest.mark.long
def test_an_editor_sees_the_page_with_their_texts(make_window, qtbot, tmp_path: Path) -> None:
    where = make_campaign(tmp_path / "seen", show_page=True)
    with open_campaign(where) as campaign:
        campaign.set_options(ALLOWED)
    person = sit_at(make_window, qtbot, where)
    person.rewrite("The mayor opened it.")
    person.wait(lambda: can(person.view, "kit.translated"))
    run(person.view, "kit.translated")
    [preview] = previews(person)
    person.wait(preview.export.isEnabled)
    told = [part.name for part in preview.pages.spoken.parts()]
    name = person.kit.segments[0].name
    assert name.base != "D_1_S1"  # the kit knows pages by other names
    # No other segment has lines on the page.
    assert told == [f"{name.segment}: The mayor opened it."]
    notes = preview.findChild(QListWidget)
    said = " ".join(notes.item(row).text() for row in range(notes.count()))
    # Nothing of other segments, of the reference or of the system is told.
    for secret in ("Alpha", "D_1_S1", *(text for text in REFERENCES.values() if text)):
        assert secret not in said
    preview.close()


@pytest.mark.long
@pytest.mark.parametrize("show_page", [True, False])
def test_it_is_not_there_unless_both_are_allowed(
    make_window, qtbot, tmp_path: Path, show_page: bool
) -> None:
    where = make_campaign(tmp_path / "hidden", show_page=show_page)
    if not show_page:
        with open_campaign(where) as campaign:
            campaign.set_options(ALLOWED)
    person = sit_at(make_window, qtbot, where)
    if show_page:
        person.wait(lambda: bool(person.view.kit_page.lines))
    assert not can(person.view, "kit.translated")
    run(person.view, "kit.translated")  # as if the key came all the same
    assert previews(person) == []


def test_no_page_is_shown_before_a_kit_is_open(make_window, qtbot, tmp_path: Path) -> None:
    person = Person(make_window(make_campaign(tmp_path / "c")), qtbot.waitUntil)
    person.wait(lambda: person.window.current_view() is not None)
    assert not can(person.view, "kit.translated")


# ---- nothing in it tells a control page

PAGES = {
    "NEW_20480101.0001_1_SCR1": DataSet.EVALUATION,
    "OLD_20070213.0042_3_SCR9": DataSet.CONTROL,
    "NEW_20480102.0007_1_SCR2": DataSet.EVALUATION,
    "OLD_20060805.0013_2_SCR8": DataSet.CONTROL,
}


def with_control(where: Path) -> Path:
    """One kit of new and old pages, each with its scan and two segments with lines."""
    with create_campaign(where, "Mixed") as campaign, campaign.transaction():
        for number, (base, data_set) in enumerate(PAGES.items()):
            old = data_set is DataSet.CONTROL
            stream = io.BytesIO()
            # Each scan is another file: by one hash they would be told together.
            PIL.Image.new("L", (600, 800), 255 - number).save(stream, "TIFF")
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=base.partition("_1_")[0],
                    passage=base,
                    manuscript=base,
                    page="1",
                    scribe=base.rpartition("_")[2],
                    exposure="unexposed" if old else "exposed",
                    data_set=data_set,
                    track="",
                    genre="web" if old else "newswire",
                    sha256="",
                    image_name=f"{base}.tif",
                ),
                f"<madcat of='{base}'/>".encode(),
                [
                    CampaignSegment(
                        name,
                        "1",
                        "جملة",
                        f"the reference {name} of {base}",
                        1,
                        3,
                        lines=spell_lines(SegmentLines(0, (_line(top),))),
                    )
                    for name, top in (("s1", 100), ("s2", 300))
                ],
                stream.getvalue(),
            )
        for system, code, own in (
            ("New System", "X1", DataSet.EVALUATION),
            ("Old System", "X4", DataSet.CONTROL),
        ):
            campaign.contents.add_system(System(system, code))
            for base, data_set in PAGES.items():
                if data_set is own:
                    texts = {name: f"the words of {name}" for name in ("s1", "s2")}
                    campaign.contents.add_output(system, base, base.encode(), texts)
        campaign.plans.add_team(Team("red", (Editor("red1"), Editor("red2"))))
        items = tuple(
            KitItem("Old System" if own is DataSet.CONTROL else "New System", base)
            for base, own in PAGES.items()
        )
        campaign.plans.plan_kit(Kit("K1", items))
        campaign.plans.assign("K1", [Assignment("K1", "red", "red1", "red2")])
        campaign.set_options({"editing.show_page": True, **ALLOWED})
    return where


def _line(top: int) -> tuple[tuple[int, int], ...]:
    return ((60, top), (540, top), (540, top + 80), (60, top + 80))


def all_told(preview: PagePreview) -> str:
    """Every word that the window shows or says, and the name that a file would get."""
    labels = [one.text() for one in preview.findChildren(QLabel)]
    buttons = [one.text() for one in preview.findChildren(QAbstractButton)]
    lists = [
        one.item(row).text()
        for one in preview.findChildren(QListWidget)
        for row in range(one.count())
    ]
    tips = [one.toolTip() for one in preview.findChildren(QWidget)]
    spoken = [part.name for part in preview.pages.spoken.parts()]
    size = f"{preview.pages.spoken.role} {preview.width()}x{preview.height()}"
    return "\n".join(
        [preview.windowTitle(), preview._name, size, *labels, *buttons, *lists, *tips, *spoken]
    )


@pytest.mark.long
def test_nothing_tells_a_control_page_in_it(make_window, qtbot, tmp_path: Path) -> None:
    """Of new and old pages the same is told, but for the neutral names and the editor's words."""
    person = sit_at(make_window, qtbot, with_control(tmp_path / "mixed"))
    page = person.view.kit_page
    rows: dict[str, list[int]] = {}
    for row, segment in enumerate(person.kit.segments):
        rows.setdefault(segment.name.base, []).append(row)
    truth, told = [], []
    for base, own in rows.items():
        names = [person.kit.segments[row].name.segment for row in own]
        truth.append("OLD" in person.kit.segments[own[0]].reference)
        for row in own:
            page.apply(person.kit.go_to(row))
            person.rewrite("the same words")
        person.wait(lambda: can(person.view, "kit.translated"))
        run(person.view, "kit.translated")
        [preview] = previews(person)
        person.wait(preview.export.isEnabled)
        seen = all_told(preview)
        for secret in (*PAGES, "OLD", "NEW", "System", "X1", "X4", "reference"):
            assert secret not in seen
        for place, name in enumerate((base, *names)):
            assert name in seen
            seen = seen.replace(name, f"<{place}>")
        told.append(seen)
        preview.close()
        person.wait(lambda: previews(person) == [])
    assert sorted(truth) == [False, False, True, True]
    # The names themselves have one form, and all else is the same word for word.
    assert len({re.sub(r"\d", "0", base) for base in rows}) == 1
    assert len(told) == 4
    assert len(set(told)) == 1

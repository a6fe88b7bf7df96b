"""Which dictionary marks words in a kit: the campaign's, or the editor's own where it has none."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint

from madcat_studio.errors import ConflictError
from madcat_studio.gui.settings import DICTIONARY, SPELLING
from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.options import SPELLING_OPTION, Showing
from madcat_studio.store import BUNDLE_SUFFIX, give_out, open_campaign
from madcat_studio.workspace import dictionaries
from madcat_studio.workspace.bundle import OpenBundle
from tests.gui.editor.people import Person

TYPED = " the colour or color of the bridge"


@pytest.fixture
def seated(make_window, qtbot, campaign: Path):
    """Sits down in a campaign that has this dictionary; what the window told meanwhile."""

    def start(spelling: str) -> tuple[Person, list[str]]:
        with open_campaign(campaign) as opened:
            opened.set_options({SPELLING_OPTION: spelling})
        window = make_window(campaign)
        told: list[str] = []
        window.messages.posted.connect(lambda message: told.append(message.text))
        person = Person(window, qtbot.waitUntil)
        person.sit_down("red1")
        person.press("Ctrl+End")
        return person, told

    return start


def marked(person: Person) -> list[str]:
    return person.box.marks.words()


@pytest.mark.long
@pytest.mark.parametrize(
    ("spelling", "wrong", "title"),
    [("en_US", "colour", "American English"), ("en_GB", "color", "British English")],
)
def test_the_campaigns_dictionary_is_everybodys(
    seated, tmp_path: Path, spelling: str, wrong: str, title: str
) -> None:
    (tmp_path / "own.aff").write_bytes(b"SET UTF-8\n")
    (tmp_path / "own.dic").write_bytes(b"1\nnothing\n")
    person, told = seated(spelling)
    person.window.settings.set(DICTIONARY, str(tmp_path / "own.dic"))
    person.type(TYPED)
    person.wait(lambda: marked(person) == [wrong])
    assert told[0].endswith(f" Spelling follows {title}.")
    place = person.box.toPlainText().index(wrong)
    cursor = person.box.textCursor()
    cursor.setPosition(place + 2)
    menu = person.box.menu_at(person.box.cursorRect(cursor).center() + QPoint(1, 0))
    assert menu.actions()[0].text() == f"Not in {title}"
    assert not menu.actions()[0].isEnabled()
    menu.deleteLater()
    person.window.settings.set(SPELLING, False)  # for oneself it can be switched off
    assert marked(person) == []
    with open_campaign(person.view._location) as opened, pytest.raises(ConflictError):
        opened.set_options({SPELLING_OPTION: "off"})  # frozen: a kit is claimed


def test_a_campaign_can_have_none(seated, qtbot) -> None:
    person, told = seated("off")
    person.type(" frist")
    person.scored()
    assert not person.view.kit_page._spelling.on
    found: list[object] = []
    person.view.kit_page.spell(found.append)
    assert found == [()]
    assert "spelt" not in told[0]


@pytest.mark.long
def test_a_missing_one_is_told_once_with_how_to_get_it(
    seated, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dictionaries, "_folders", lambda: iter([tmp_path / "put here"]))
    monkeypatch.setattr(dictionaries, "own_folder", lambda: tmp_path / "put here")
    person, told = seated("xx_YY")
    person.window.message_bar.dismiss()
    del told[:]
    person.type(" frist")
    person.wait(lambda: bool(told))
    person.type(" secnod")
    person.scored()
    assert told == [
        "Spelling is not marked. The dictionary xx_YY is not on this machine. Install it, such as "
        f"hunspell-xx-yy, or put xx_YY.dic and xx_YY.aff into {tmp_path / 'put here'}."
    ]
    # It is put there: with the next kit it is taken.
    (tmp_path / "put here").mkdir()
    (tmp_path / "put here" / "xx_YY.aff").write_bytes(b"SET UTF-8\n")
    (tmp_path / "put here" / "xx_YY.dic").write_bytes(b"1\nfrist\n")
    person.window.view("kit").kit_page._spelling.begin("xx_YY")
    person.type(".")
    person.wait(lambda: "secnod" in marked(person))
    assert "frist" not in marked(person)


def test_it_goes_along_with_a_kit_as_a_file(campaign: Path, tmp_path: Path) -> None:
    path = tmp_path / f"K1{BUNDLE_SUFFIX}"
    with open_campaign(campaign) as opened:
        opened.set_options({SPELLING_OPTION: "en_GB"})
        give_out(opened, "K1", "red", Pass.FIRST, "red1", path)
    bundle = OpenBundle(path)
    assert Showing.of(bundle.options).spelling == "en_GB"
    bundle.close()

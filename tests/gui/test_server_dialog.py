"""Coming in to a campaign on a server. The server's part is played by a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from madcat_studio.errors import WorldError
from madcat_studio.gui import recent
from madcat_studio.gui.editor import view as kit_view
from madcat_studio.gui.serverdialog import ServerDialog
from madcat_studio.store import open_campaign, passwords
from tests.gui.campaigns import make_campaign

ADDRESS = "postgresql://e2thgr73ys@db.example/pilot"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets in whoever gives the password, as the editor red2."""
    folder = make_campaign(tmp_path / "campaign")
    monkeypatch.setattr(passwords, "_known", {})

    def come_in(location: str, *, for_editor: bool):
        assert for_editor
        given = passwords._known.get("e2thgr73ys@db.example:")
        if location == ADDRESS and given == "right":
            campaign = open_campaign(folder)
            campaign.editor = "red2"
            return campaign
        code = "store.password-wanted" if given is None else "store.login-refused"
        raise WorldError(code, "The database server asks for a password", where=ADDRESS)

    monkeypatch.setattr(kit_view, "open_campaign", come_in)


def dialogs(window) -> list[ServerDialog]:
    return [one for one in window.findChildren(ServerDialog) if one.isVisible()]


def dialog_of(window) -> ServerDialog:
    [found] = dialogs(window)
    return found


def test_a_campaign_on_a_server_is_opened_by_address_and_password(
    server: None, make_window, qtbot
) -> None:
    window = make_window()
    window.commands.named("file.open-server").trigger()
    dialog = dialog_of(window)
    assert not dialog.open_button.isEnabled()
    QTest.keyClicks(dialog.address, "mysql://x@y/z")
    assert not dialog.open_button.isEnabled()
    dialog.address.setText("  " + ADDRESS)
    QTest.keyClicks(dialog.password, "right")
    dialog.open_button.click()
    desk = lambda: window.view("kit").desk_page  # noqa: E731
    qtbot.waitUntil(lambda: window.view("kit") is not None and bool(desk().who.currentData()))
    assert (desk().who.currentData(), desk().who.isEnabled()) == ("red2", False)
    assert not window.commands.named("kit.change-editor").isEnabled()
    assert recent.recent() == [ADDRESS]


def test_who_has_given_no_password_or_a_wrong_one_is_asked(
    server: None, make_window, qtbot
) -> None:
    window = make_window(ADDRESS)
    qtbot.waitUntil(lambda: bool(dialogs(window)))
    window.messages.error("The server cannot be reached")  # of a try before
    for password in ("wrong", "right"):
        dialog = dialog_of(window)
        assert dialog.address.text() == ADDRESS
        QTest.keyClicks(dialog.password, password)
        dialog.open_button.click()
        if password == "wrong":
            qtbot.waitUntil(lambda: bool(dialogs(window)))
            said = [one.text() for one in dialog_of(window).findChildren(QLabel)]
            assert any("as it was given to you" in one for one in said)
    qtbot.waitUntil(lambda: bool(recent.recent()))
    assert window.message_bar.message is None


def test_a_password_in_an_address_is_neither_shown_nor_remembered(
    server: None, make_window, qtbot
) -> None:
    window = make_window(ADDRESS.replace("@", ":right@"))
    qtbot.waitUntil(lambda: bool(recent.recent()))
    assert recent.recent() == [ADDRESS]
    assert window.campaign == ADDRESS

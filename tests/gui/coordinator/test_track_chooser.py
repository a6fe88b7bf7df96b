"""The list of tracks is there where a campaign has several, and tells which is shown."""

from __future__ import annotations

from madcat_studio.gui.coordinator.trackchooser import TrackChooser


def test_tracks_are_offered_where_there_are_several(qtbot) -> None:
    chooser = TrackChooser()
    qtbot.addWidget(chooser)
    assert chooser.track() is None
    chooser.show_tracks(("",), "")
    assert chooser.isHidden()
    assert chooser.track() == ""
    chooser.show_tracks(("", "challenge", "go-no-go"), "challenge")
    assert not chooser.isHidden()
    assert chooser.track() == "challenge"
    assert chooser.list.itemText(0) == "no track"
    chooser.list.setCurrentIndex(2)
    with qtbot.waitSignal(chooser.chosen):
        chooser.list.activated.emit(2)
    assert chooser.track() == "go-no-go"

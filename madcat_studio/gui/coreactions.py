"""The actions of the window itself, whatever view is at the front."""

from __future__ import annotations

from madcat_studio.gui.actions import Action
from madcat_studio.gui.translation import mark

__all__ = ["CORE_ACTIONS"]

CORE_ACTIONS: tuple[Action, ...] = (
    Action(
        "file.new-campaign",
        mark("Set &up a campaign…"),
        "file",
        ("Ctrl+Shift+N",),
        "plan",
        hint=mark("From folders of references, images and systems' outputs, in clear steps"),
    ),
    Action("file.open-page", mark("&Open a page…"), "file", ("Ctrl+O",), "open"),
    Action("file.open-folder", mark("Open a &folder…"), "file", ("Ctrl+Shift+O",), "folder"),
    Action("file.open-campaign", mark("Open a &campaign…"), "file", (), "campaign"),
    Action(
        "file.open-server",
        mark("Open a campaign on a ser&ver…"),
        "file",
        ("Ctrl+Alt+S",),
        "campaign",
        hint=mark("A campaign that many work on: with the address and password you were given"),
    ),
    Action(
        "file.open-kit",
        mark("Open a &kit's file…"),
        "file",
        ("Ctrl+Alt+O",),
        "kit",
        hint=mark("A kit that came as a file, to edit without the network"),
    ),
    Action("file.open-scorecard", mark("Open a re&sult…"), "file", (), "scorecard"),
    Action("file.open-demo", mark("Open the &demo"), "file", (), "demo"),
    Action("file.recent", mark("Opened &last"), "file"),
    Action("file.quit", mark("&Quit"), "file", ("Ctrl+Q",), section=9),
    Action("edit.settings", mark("Se&ttings…"), "edit", ("Ctrl+,",), "settings", section=9),
    Action("view.home", mark("&Home"), "view", ("Ctrl+Home",), "home", section=8),
    Action("view.theme", mark("Light or dark"), "view", (), "theme", section=8),
    Action("view.dismiss", mark("Close the &message"), "view", ("Shift+Esc",), section=8),
    Action("view.full-screen", mark("F&ull screen"), "view", ("F11",), checkable=True, section=8),
    Action("help.shortcuts", mark("&Shortcuts"), "help", ("?", "F1"), "keyboard"),
    Action("help.log", mark("Show the &log's folder"), "help"),
    Action("help.about", mark("&About MADCAT Studio"), "help", (), "note", section=1),
)

"""The actions of the window itself, whatever view is at the front."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations
from madcat_studio.gui.translation import mark
from madcat_studio.gui.views import VIEWS, ViewSpec
from madcat_studio.model.doors import Door

if TYPE_CHECKING:
    from madcat_studio.gui.windowverbs import WindowVerbs

__all__ = [
    "CORE_ACTIONS",
    "FIND_ACTION",
    "MANUAL",
    "NEW_CAMPAIGN",
    "OPEN_CAMPAIGN",
    "OPEN_DEMO",
    "OPEN_RESULT",
    "RECENT",
]

file: Declarations[WindowVerbs] = Declarations("file")
edit: Declarations[WindowVerbs] = Declarations("edit")
view: Declarations[WindowVerbs] = Declarations("view")
help_: Declarations[WindowVerbs] = Declarations("help")

NEW_CAMPAIGN = file(
    "new-campaign",
    mark("Set &up a campaign…"),
    "file",
    ("Ctrl+Shift+N",),
    "plan",
    hint=mark("From folders of references, images and systems' outputs, in clear steps"),
    run=lambda window: window.new_campaign(),
    door=Door.NEW_CAMPAIGN,
)
OPEN_PAGE = file(
    "open-page",
    mark("&Open a page…"),
    "file",
    ("Ctrl+O",),
    "open",
    run=lambda window: window.open_page(),
)
OPEN_FOLDER = file(
    "open-folder",
    mark("Open a &folder…"),
    "file",
    ("Ctrl+Shift+O",),
    "folder",
    run=lambda window: window.open_folder(),
)
OPEN_CAMPAIGN = file(
    "open-campaign",
    mark("Open a &campaign…"),
    "file",
    icon="campaign",
    run=lambda window: window.open_campaign(),
)
file(
    "open-server",
    mark("Open a campaign on a ser&ver…"),
    "file",
    ("Ctrl+Shift+L",),
    "campaign",
    hint=mark(
        "A campaign that many people work on; you need the address and password you were given"
    ),
    run=lambda window: window.open_server(),
)
file(
    "open-kit",
    mark("Open a &kit's file…"),
    "file",
    ("Ctrl+Shift+M",),
    "kit",
    hint=mark("A kit that you received as a file, to edit offline"),
    run=lambda window: window.open_kit(),
)
OPEN_RESULT = file(
    "open-scorecard",
    mark("Open a resul&t…"),
    "file",
    icon="scorecard",
    run=lambda window: window.open_result(),
)
OPEN_DEMO = file(
    "open-demo",
    mark("Open the &demo"),
    "file",
    icon="demo",
    run=lambda window: window.open_demo(),
)
file(
    "submissions",
    mark("&Hand a submission in…"),
    "file",
    section=1,
    hint=mark("Checked, packed with what the site declares, copied and read back; and what came"),
    run=lambda window: window.show_submissions(),
)
file(
    "rooms",
    mark("Open the coordinator's &rooms…"),
    "file",
    ("Ctrl+Shift+D",),
    section=1,
    hint=mark("Plan, board and report; they need the coordinator's passphrase"),
    run=lambda window: window.use_door(),
    enabled=lambda window: window.has_door,
    label=lambda window: window.door_title,
)
file(
    "passphrase",
    mark("Coordinator's &passphrase…"),
    "file",
    section=1,
    hint=mark("Set, change or remove it, for a campaign in a folder"),
    run=lambda window: window.change_passphrase(),
    enabled=lambda window: window.can_change_passphrase,
)
RECENT = file("recent", mark("Open rece&nt"), "file", run=lambda window: window.show_recent())
file("quit", mark("&Quit"), "file", ("Ctrl+Q",), section=9, run=lambda window: window.quit())

edit(
    "settings",
    mark("Se&ttings…"),
    "edit",
    ("Ctrl+,",),
    "settings",
    section=9,
    run=lambda window: window.show_settings(),
)

view(
    "home",
    mark("&Home"),
    "view",
    ("Ctrl+Home",),
    "home",
    section=8,
    run=lambda window: window.show_view("home"),
)
view(
    "theme",
    mark("Light or dark"),
    "view",
    icon="theme",
    section=8,
    run=lambda window: window.change_theme(),
    label=lambda window: window.other_theme,
)
DISMISS = view(
    "dismiss",
    mark("Close the &message"),
    "view",
    ("Shift+Esc",),
    section=8,
    run=lambda window: window.dismiss_message(),
)
view(
    "full-screen",
    mark("F&ull screen"),
    "view",
    ("F11",),
    section=8,
    run=lambda window: window.fill_screen(),
    checked=lambda window: window.fills_screen,
)


def _show(spec: ViewSpec, window: WindowVerbs) -> None:
    window.show_view(spec.id)


for _spec in VIEWS:
    view(
        _spec.id,
        _spec.title,
        "view",
        (_spec.shortcut,) if _spec.shortcut else (),
        _spec.icon,
        section=8,
        run=partial(_show, _spec),
    )

MANUAL = help_(
    "manual",
    mark("&Manual for this view"),
    "help",
    ("F1",),
    "help",
    hint=mark("What you can do here, and how; it stays open beside the window"),
    run=lambda window: window.show_manual(),
)
FIND_ACTION = help_(
    "find-action",
    mark("Find an &action…"),
    "help",
    ("Ctrl+Shift+A",),
    "search",
    hint=mark("Search everything that you can do here"),
    run=lambda window: window.find_action(),
)
help_(
    "shortcuts",
    mark("&Shortcuts"),
    "help",
    ("?", "Shift+F1"),
    "keyboard",
    run=lambda window: window.show_shortcuts(),
)
help_(
    "tour",
    mark("Go to the &tour"),
    "help",
    ("Ctrl+F1",),
    hint=mark("To the note of the tour, or to the tour of this view; Enter continues, Esc leaves"),
    run=lambda window: window.show_tour(),
)
help_("log", mark("Show the &log folder"), "help", run=lambda window: window.show_log())
help_(
    "about",
    mark("A&bout MADCAT Studio"),
    "help",
    icon="note",
    section=1,
    run=lambda window: window.show_about(),
)

CORE_ACTIONS: tuple[Action[WindowVerbs], ...] = (*file, *edit, *view, *help_)

"""What can be done with a corpus that is planned. Light: nothing is read to build the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations, Key, redo_title, undo_title
from madcat_studio.gui.frame import show_next_tab
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.corpus.view import CorpusView

__all__ = ["ACTIONS", "KEYS"]

corpus: Declarations[CorpusView] = Declarations("corpus", lambda view: not view.job.busy)
opened = corpus.when(lambda view: view.is_open)
planned = corpus.when(lambda view: view.is_planned)

corpus(
    "new",
    mark("&New corpus…"),
    "corpus",
    ("Ctrl+N",),
    hint=mark("From a table of passages and one of scribes"),
    run=lambda view: view.ask_new(),
)

corpus(
    "open",
    mark("&Open a corpus…"),
    "corpus",
    icon="folder",
    hint=mark("A folder with a saved corpus"),
    run=lambda view: view.ask_open(),
)

opened(
    "save",
    mark("&Save the corpus"),
    "corpus",
    ("Ctrl+S",),
    "save",
    hint=mark("The corpus table and the writing conditions, from which a campaign starts"),
    run=lambda view: view.save(),
    enabled=lambda view: view.is_modified(),
)

opened(
    "save-as",
    mark("Save into another &folder…"),
    "corpus",
    ("Ctrl+Shift+S",),
    run=lambda view: view.ask_save(),
)

opened(
    "undo",
    mark("&Undo"),
    "corpus",
    ("Ctrl+Z",),
    "undo",
    section=1,
    run=lambda view: view.undo(),
    enabled=lambda view: bool(view.undo_label),
    label=lambda view: undo_title(view.undo_label),
)

opened(
    "redo",
    mark("&Redo"),
    "corpus",
    ("Ctrl+Shift+Z", "Ctrl+Y"),
    "redo",
    section=1,
    run=lambda view: view.redo(),
    enabled=lambda view: bool(view.redo_label),
    label=lambda view: redo_title(view.redo_label),
)

opened(
    "choose",
    mark("&Choose passages…"),
    "corpus",
    ("Ctrl+L",),
    section=2,
    hint=mark("By length and by the distribution of TER, and none from earlier sets"),
    run=lambda view: view.ask_passages(),
)

opened(
    "target",
    mark("Change the &target of the quota…"),
    "corpus",
    ("F2",),
    section=2,
    hint=mark("Of the chosen quota"),
    run=lambda view: view.ask_target(),
    enabled=lambda view: view.can_change_target,
)

opened(
    "assign",
    mark("&Assign scribes"),
    "corpus",
    ("Ctrl+P",),
    section=2,
    hint=mark("So that they overlap as much as they can, within the quotas"),
    run=lambda view: view.assign(),
    buttons=lambda view: [view.assign_button],
)

planned(
    "sheets",
    mark("S&heets for scribes…"),
    "corpus",
    ("Ctrl+Shift+P",),
    section=3,
    hint=mark("A PDF for each scribe: what to copy, with what, on what and how fast"),
    run=lambda view: view.copying.ask_sheets(),
)

planned(
    "arrivals",
    mark("&Look for arrived scans…"),
    "corpus",
    ("Ctrl+Shift+K",),
    section=3,
    hint=mark("Tick off the scans that lie in a folder"),
    run=lambda view: view.copying.ask_arrivals(),
)

planned(
    "again",
    mark("Look a&gain"),
    "corpus",
    ("F5",),
    section=3,
    hint=mark("In the last folder of scans"),
    run=lambda view: view.copying.look_again(),
)

planned(
    "export",
    mark("&Export the report…"),
    "corpus",
    ("Ctrl+E",),
    "export",
    section=3,
    hint=mark("Quotas, overlap, scribes and copies, as a page and as tables"),
    run=lambda view: view.copying.ask_export(),
)

planned(
    "campaign",
    mark("Set up a ca&mpaign from it…"),
    "corpus",
    icon="plan",
    section=3,
    run=lambda view: view.copying.set_up_campaign(),
    enabled=lambda view: not view.is_modified(),
)

opened(
    "next-tab",
    mark("Ne&xt: scribes, copies, overlap"),
    "corpus",
    ("Ctrl+Tab",),
    section=4,
    run=lambda view: show_next_tab(view.tabs),
)

ACTIONS: tuple[Action[CorpusView], ...] = tuple(corpus)

KEYS: tuple[Key, ...] = (
    Key(mark("Enter or double click on a quota"), mark("change its target")),
    Key(mark("Click on a heading"), mark("sort by it; again: the other way round")),
)

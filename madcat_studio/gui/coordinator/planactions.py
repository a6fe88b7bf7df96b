"""What can be done in the plan of a campaign. Light: no campaign is read to build the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations, Key, redo_title, undo_title
from madcat_studio.gui.frame import show_next_tab
from madcat_studio.gui.translation import mark
from madcat_studio.model.doors import Door

if TYPE_CHECKING:
    from madcat_studio.gui.coordinator.planview import PlanView

__all__ = ["ACTIONS", "KEYS"]

plan: Declarations[PlanView] = Declarations("plan", lambda view: view.is_ready)

plan(
    "propose",
    mark("&Propose kits and teams…"),
    "plan",
    ("Ctrl+P",),
    hint=mark("Let the program make kits of what is in none yet, and choose two teams for each"),
    run=lambda view: view.ask_proposal(),
    buttons=lambda view: [view.propose_button],
    door=Door.PROPOSE,
)

plan(
    "accept",
    mark("&Accept the plan"),
    "plan",
    ("Ctrl+S",),
    "save",
    hint=mark("Write the plan into the campaign as it is shown"),
    run=lambda view: view.accept(),
    buttons=lambda view: [view.accept_button],
    enabled=lambda view: view.kits.modified,
)

plan(
    "drop",
    mark("Back to the plan of the &campaign"),
    "plan",
    ("F5",),
    hint=mark("Discard what was proposed or changed since the plan was written"),
    run=lambda view: view.drop(),
)

plan(
    "next-tab",
    mark("&Next: people, guidelines"),
    "plan",
    ("Ctrl+Tab",),
    hint=mark("From kits to people to guidelines"),
    run=lambda view: show_next_tab(view.tabs),
)

plan(
    "undo",
    mark("&Undo"),
    "plan",
    ("Ctrl+Z",),
    "undo",
    section=1,
    run=lambda view: view.kits.undo(),
    enabled=lambda view: view.on_kits and bool(view.kits.undo_label),
    label=lambda view: undo_title(view.kits.undo_label),
)

plan(
    "redo",
    mark("&Redo"),
    "plan",
    ("Ctrl+Shift+Z", "Ctrl+Y"),
    "redo",
    section=1,
    run=lambda view: view.kits.redo(),
    enabled=lambda view: view.on_kits and bool(view.kits.redo_label),
    label=lambda view: redo_title(view.kits.redo_label),
)

plan(
    "move",
    mark("&Move the manuscript to another kit…"),
    "plan",
    ("M",),
    section=2,
    hint=mark("You see what it does to every figure before it is done"),
    run=lambda view: view.kits.ask_move(),
    enabled=lambda view: view.on_kits and view.kits.can_move,
)

plan(
    "exchange",
    mark("E&xchange the manuscript for another…"),
    "plan",
    ("X",),
    section=2,
    hint=mark("Two manuscripts change their kits"),
    run=lambda view: view.kits.ask_exchange(),
    enabled=lambda view: view.on_kits and view.kits.can_move,
)

plan(
    "team",
    mark("Give the kit to another &team…"),
    "plan",
    ("T",),
    section=2,
    hint=mark("One of the kit's two teams is replaced by another"),
    run=lambda view: view.kits.ask_team(),
    enabled=lambda view: view.on_kits and view.kits.can_give,
)

plan(
    "roles",
    mark("S&wap the roles of a team"),
    "plan",
    ("R",),
    section=2,
    hint=mark("First editor and reviewer of the chosen team change places"),
    run=lambda view: view.kits.ask_roles(),
    enabled=lambda view: view.on_kits and view.kits.can_give,
)

plan(
    "select",
    mark("&Select control, progress or evaluation passages…"),
    "plan",
    ("Ctrl+L",),
    section=3,
    hint=mark("Passages whose scores are distributed like the earlier phase's"),
    run=lambda view: view.select(),
    door=Door.SELECT,
)

plan(
    "add-system",
    mark("Add a s&ystem…"),
    "plan",
    section=4,
    hint=mark("The outputs of one more system"),
    run=lambda view: view.add_system(),
    door=Door.ADD_SYSTEM,
)

plan(
    "add-earlier",
    mark("Add an &earlier phase…"),
    "plan",
    section=4,
    hint=mark("Its outputs, finals and HTER, for the control and progress sets"),
    run=lambda view: view.add_earlier(),
    door=Door.ADD_EARLIER,
)

plan(
    "references",
    mark("Look for changed re&ferences…"),
    "plan",
    section=4,
    hint=mark("Compare the reference files with those in the campaign"),
    run=lambda view: view.look_for_references(),
)

plan(
    "tables",
    mark("Save the plan as ta&bles…"),
    "plan",
    ("Ctrl+E",),
    "export",
    section=4,
    hint=mark("kits.tsv and assignments.tsv, to read or to change elsewhere"),
    run=lambda view: view.save_tables(),
    enabled=lambda view: view.kits.has_kits,
)

ACTIONS: tuple[Action[PlanView], ...] = tuple(plan)

KEYS: tuple[Key, ...] = (
    Key(mark("Drag a manuscript onto a kit"), mark("move it; onto a manuscript: exchange them")),
    Key(mark("Drag a team onto a kit"), mark("replace one of the kit's teams")),
    Key(mark("+, −, *"), mark("open a kit, close it, open all of it")),
    Key(mark("Enter"), mark("make the change whose effect is shown")),
    Key(mark("Esc"), mark("leave it")),
)

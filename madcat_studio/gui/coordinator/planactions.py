"""What can be done in the plan of a campaign. Light: no campaign is read to build the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action, ...] = (
    Action(
        "plan.propose",
        mark("&Propose kits and teams…"),
        "plan",
        ("Ctrl+P",),
        hint=mark("Let the program divide what is in no kit yet, and choose two teams for each"),
    ),
    Action(
        "plan.accept",
        mark("&Accept the plan"),
        "plan",
        ("Ctrl+S",),
        "save",
        hint=mark("Write the plan as it is shown into the campaign"),
    ),
    Action(
        "plan.drop",
        mark("Back to the plan of the &campaign"),
        "plan",
        ("F5",),
        hint=mark("Forget what was proposed or changed since the plan was written"),
    ),
    Action(
        "plan.next-tab",
        mark("&Next: people, guidelines"),
        "plan",
        ("Ctrl+Tab",),
        hint=mark("From kits to people to guidelines"),
    ),
    Action("plan.undo", mark("&Undo"), "plan", ("Ctrl+Z",), "undo", section=1),
    Action("plan.redo", mark("&Redo"), "plan", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", section=1),
    Action(
        "plan.move",
        mark("&Move the manuscript to another kit…"),
        "plan",
        ("M",),
        section=2,
        hint=mark("What it does to every figure is shown before it is done"),
    ),
    Action(
        "plan.exchange",
        mark("E&xchange the manuscript for another…"),
        "plan",
        ("X",),
        section=2,
        hint=mark("Two manuscripts change their kits"),
    ),
    Action(
        "plan.team",
        mark("Give the kit to another &team…"),
        "plan",
        ("T",),
        section=2,
        hint=mark("One of the kit's two teams is replaced by another"),
    ),
    Action(
        "plan.roles",
        mark("T&urn the roles of a team"),
        "plan",
        ("R",),
        section=2,
        hint=mark("First editor and reviewer of the chosen team change places"),
    ),
    Action(
        "plan.select",
        mark("&Select control, progress or evaluation passages…"),
        "plan",
        ("Ctrl+L",),
        section=3,
        hint=mark("Passages whose scores are distributed like the earlier phase's"),
    ),
    Action(
        "plan.add-system",
        mark("Add a s&ystem…"),
        "plan",
        section=4,
        hint=mark("The outputs of one more system"),
    ),
    Action(
        "plan.add-earlier",
        mark("Add an &earlier phase…"),
        "plan",
        section=4,
        hint=mark("Its outputs, finals and HTER, for the control and progress sets"),
    ),
    Action(
        "plan.references",
        mark("Look for changed re&ferences…"),
        "plan",
        section=4,
        hint=mark("Compare the files of the references with those that the campaign took in"),
    ),
    Action(
        "plan.tables",
        mark("Save the plan as ta&bles…"),
        "plan",
        ("Ctrl+E",),
        "export",
        section=4,
        hint=mark("kits.tsv and assignments.tsv, to look at or to change elsewhere"),
    ),
)

KEYS: tuple[Key, ...] = (
    Key(mark("Drag a manuscript onto a kit"), mark("move it; onto a manuscript: exchange them")),
    Key(mark("Drag a team onto a kit"), mark("let it replace one of the kit's teams")),
    Key(mark("+, −, *"), mark("open a kit, close it, open all of it")),
    Key(mark("Enter"), mark("make the change whose effect is shown")),
    Key(mark("Esc"), mark("leave it")),
)

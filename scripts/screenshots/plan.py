"""The pictures of the coordinator's views: set-up, plan, people, guidelines, and what follows."""

from __future__ import annotations

import shutil
from datetime import date
from typing import TYPE_CHECKING

from madcat_studio.paths import resources

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.coordinator.board import BoardView
    from madcat_studio.gui.coordinator.planview import PlanView
    from madcat_studio.gui.coordinator.setupdialog import SetupDialog
    from scripts.screenshots.studio import Studio

__all__ = [
    "agreement",
    "audit_trail",
    "calendar",
    "guidelines",
    "overlap",
    "people",
    "plan",
    "plan_difference",
    "plan_effect",
    "select",
    "set_up",
    "set_up_findings",
    "set_up_summary",
]

_NAME = "Pilot"
_GUIDELINES = """# How to edit

Make the output mean what the **reference** means, in plain English, with as few edits as serve.

* Leave alone what is clumsy but right.
* Numbers and names must be those of the reference.
* An output that needs nothing is *confirmed unchanged*.
"""


# -- set-up -----------------------------------------------------------------------------------


def _dialog(studio: Studio) -> SetupDialog:
    from madcat_studio.gui.coordinator.setupdialog import SetupDialog

    dialog = SetupDialog(studio.window, studio.window)
    place = studio.home / "evaluation"
    if not place.is_dir():
        shutil.copytree(resources() / "demo", place)
    dialog.take([place])
    studio.wait(lambda: not dialog.job.busy)
    files, lists = dialog.files, dialog.lists
    table = files.systems.table
    # The pictures show no folder of the machine that they were taken on.
    home = str(studio.home)
    for field in (files.references, files.images, lists.earlier, *lists.rows.values()):
        field.field.setText(field.field.text().replace(home, "~"))
    for row in range(table.rowCount()):
        cell = table.item(row, 1)
        if cell is not None:
            cell.setText(cell.text().replace(home, "~"))
    dialog.files.name.setText(_NAME)
    dialog.files.where.field.setText(f"~/campaigns/{_NAME.lower()}")
    return dialog


def set_up(studio: Studio) -> QWidget:
    """The first step, filled by dropping a folder."""
    return _dialog(studio)


def set_up_findings(studio: Studio) -> QWidget:
    """What was found: two folders of one system, and what is only odd."""
    dialog = _dialog(studio)
    dialog.next.click()
    dialog.next.click()
    studio.wait(lambda: not dialog.job.busy, 60)
    return dialog


def set_up_summary(studio: Studio) -> QWidget:
    """What would be made."""
    dialog = _dialog(studio)
    dialog.files.systems.table.selectRow(0)
    dialog.files.systems.remove()
    dialog.next.click()
    dialog.next.click()
    studio.wait(lambda: not dialog.job.busy, 60)
    dialog.next.click()
    return dialog


# -- plan -------------------------------------------------------------------------------------


def _plan(studio: Studio) -> PlanView:
    """The plan of a campaign that nobody has begun, proposed and not accepted."""
    from madcat_studio.gui.coordinator.planview import PlanView
    from madcat_studio.gui.coordinator.proposaldialog import Wish
    from madcat_studio.operations.campaign.filling import add_system, create
    from madcat_studio.operations.campaign.guidelines import set_guidelines
    from madcat_studio.operations.people.passes import end_of, set_due
    from madcat_studio.operations.planning.tables import import_plan
    from madcat_studio.planning.pairs import Overlap
    from madcat_studio.planning.units import KitRules

    demo, where = resources() / "demo", studio.home / "pilot"
    if not where.is_dir():
        create(
            str(where),
            corpus=demo / "corpus.tsv",
            documents=demo / "reference",
            images=demo / "reference",
            name=_NAME,
        )
        for name in ("juniper", "tamarisk"):
            add_system(str(where), name=name, outputs=demo / "systems" / f"{name}_1")
        import_plan(
            str(where),
            teams=demo / "teams.tsv",
            kits=demo / "kits.tsv",
            assignments=demo / "assignments.tsv",
        )
        set_guidelines(str(where), "Edit as little as serves.\n")
        set_guidelines(str(where), _GUIDELINES)
        set_due(str(where), (), end_of(date(2048, 3, 12)))
    studio.window.open(str(where), view="plan")
    view = studio.window.view("plan")
    assert isinstance(view, PlanView)
    studio.wait(lambda: view.kits.state is not None)
    assert view.kits.state is not None
    if not view.kits.state.modified:
        view.propose(Wish(KitRules(), Overlap.WIDE, frozenset(), True, 1))
        studio.wait(lambda: not view.job.busy, 120)
    view.tabs.setCurrentIndex(0)
    view.kits.effect.clear()
    view.kits.tree.expandAll()
    studio.settle(300)
    return view


def plan(studio: Studio) -> None:
    """Kits with their manuscripts, and what the plan comes to."""
    _plan(studio)


def plan_difference(studio: Studio) -> None:
    """A plan that was proposed anew, beside what the campaign has."""
    view = _plan(studio)
    studio.wait(lambda: view.kits.side.difference.isVisible())


def plan_effect(studio: Studio) -> None:
    """What an exchange would do, before it is made."""
    view = _plan(studio)
    model = view.kits.model
    unit = model.index(0, 0, model.index(0, 0))
    other = model.place(model.index(0, 0, model.index(1, 0)))
    dragged = model.dragged(model.mimeData([unit]))
    view.kits.tree.choose(unit)
    view.kits.model.dropped.emit(dragged, other)
    studio.wait(lambda: view.kits.effect.isVisible())


def people(studio: Studio) -> None:
    """Teams, and who does what by when."""
    view = _plan(studio)
    view.tabs.setCurrentWidget(view.people)
    view.people.table.setCurrentIndex(view.people.model.index(3, 2))


def guidelines(studio: Studio) -> None:
    """Two versions of the guidelines."""
    view = _plan(studio)
    view.tabs.setCurrentWidget(view.guidelines)


def calendar(studio: Studio) -> QWidget:
    """The dates of a track: some its own, the others its campaign's, some of them passed."""
    from datetime import UTC, datetime, timedelta

    from madcat_studio.gui.coordinator.calendardialog import CalendarDialog
    from madcat_studio.model.calendar import Date
    from madcat_studio.operations.campaign.calendar import set_calendars

    studio.campaign("board")
    where = studio.home / "dated"
    if not where.is_dir():
        shutil.copytree(studio.home / "campaign", where)
    today = datetime.now(UTC).replace(hour=10, minute=0, second=0, microsecond=0)
    days = (-60, -45, -14, 7, 7, 12, 14, 45, 60)
    dates = {date: today + timedelta(days=day) for date, day in zip(Date, days, strict=True)}
    later = (Date.IMAGES_DUE, Date.TEXT_OUT, Date.TEXT_DUE)
    own = {date: dates[date] + timedelta(days=5) for date in later}
    set_calendars(str(where), {"": dates, "challenge": own})
    dialog = CalendarDialog(studio.window, str(where), studio.window)
    studio.wait(lambda: dialog.calendars is not None)
    dialog.tracks.choose("challenge")
    dialog.turn()
    return dialog


def select(studio: Studio) -> QWidget:
    """A control set out of the demo's earlier phase."""
    from madcat_studio.gui.coordinator.selectiondialog import SelectDialog

    studio.campaign("board")
    dialog = SelectDialog(studio.window, str(studio.home / "campaign"), studio.window)
    dialog.count.setValue(5)
    dialog.start()
    studio.wait(lambda: dialog.selected is not None, 60)
    return dialog


# -- following --------------------------------------------------------------------------------


def _board(studio: Studio) -> BoardView:
    from madcat_studio.gui.coordinator.board import BoardView

    studio.campaign("board")
    view = studio.window.view("board")
    assert isinstance(view, BoardView)
    return view


def next_steps(studio: Studio) -> None:
    """What is done, what comes next, and what waits."""
    view = _board(studio)
    view.tabs.setCurrentWidget(view.steps)


def overlap(studio: Studio) -> None:
    """What pairs of teams share."""
    view = _board(studio)
    view.tabs.setCurrentWidget(view.overlap)
    view.overlap.kind.setCurrentIndex(1)


def agreement(studio: Studio) -> None:
    """How far teams agree."""
    view = _board(studio)
    view.tabs.setCurrentWidget(view.agreement)
    studio.wait(lambda: view.agreement.raw.rows.rowCount() > 0, 90)


def audit_trail(studio: Studio) -> None:
    """Who did what."""
    view = _board(studio)
    view.tabs.setCurrentWidget(view.trail)

"""The tour of a campaign: board, report and plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.coordinator.verdictpanel import VerdictPanel
from madcat_studio.gui.coreactions import MANUAL
from madcat_studio.gui.guide import Led, Step
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.coordinator.board import BoardView
    from madcat_studio.gui.coordinator.planview import PlanView

__all__ = ["steps"]


def steps(led: Led) -> Sequence[Step]:
    """From the board to the report and the plan."""

    def board() -> QWidget | None:
        there = cast("BoardView | None", led.view("board"))
        return there.table if there is not None else None

    def verdict() -> QWidget | None:
        there = led.view("report")
        return there.findChild(VerdictPanel) if there is not None else None

    def plan() -> QWidget | None:
        there = cast("PlanView | None", led.view("plan"))
        return there.tabs if there is not None else None

    return (
        Step(
            tr("The board: each row is a team's kit, with who has it and how far it is."),
            board,
        ),
        Step(
            tr("Now the scores: open the report."),
            lambda: led.rail.buttons["report"],
            lambda: led.front() == "report",
        ),
        Step(
            tr(
                "It begins with which system is better and how certain that is, then where each "
                "is weak. The tables behind it are in the list on the left."
            ),
            verdict,
        ),
        Step(
            tr("And this is where it comes from: open the plan."),
            lambda: led.rail.buttons["plan"],
            lambda: led.front() == "plan",
        ),
        Step(
            tr(
                "Kits, people and guidelines. Propose makes kits and gives them to teams; "
                "nothing is written until you accept the plan. {manual} explains more.",
                manual=led.commands.key(MANUAL),
            ),
            plan,
        ),
    )

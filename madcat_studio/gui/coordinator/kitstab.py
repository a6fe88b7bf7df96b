"""The kits of the plan: what is dragged or asked for is shown with its effect, then made."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QDialog,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.choosedialog import ChooseDialog
from madcat_studio.gui.coordinator.planmodel import PlanModel, PlanNode
from madcat_studio.gui.coordinator.planside import PlanSide
from madcat_studio.gui.coordinator.plantree import PlanTree
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.planning.draft import Draft
from madcat_studio.planning.units import UnitKey
from madcat_studio.workspace.plan import PlanWorkspace, Preview

__all__ = ["KitsTab"]

_Edit = tuple[str, Callable[[Draft], Draft]]
"""What a change is called, and the change."""


class KitsTab(QWidget):
    """The tree of kits, and beside it what they come to.

    Signals:
        changed: the plan, the choice or what can be undone is another one.
        proposal_wanted: kits and teams are to be proposed.
    """

    changed = Signal()
    proposal_wanted = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.state: PlanWorkspace | None = None
        self._previewer = Dispatcher(self)
        self.model = PlanModel(self)
        self.model.dropped.connect(self._on_drop)
        self.tree = PlanTree(self.model, shell.theme)
        self.tree.hovered.connect(self._on_hover)
        self.tree.selectionModel().currentChanged.connect(lambda *_: self.changed.emit())
        self.side = PlanSide()
        self.effect = self.side.effect
        self.effect.wanted.connect(self._make)
        self.effect.unwanted.connect(self._leave)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.tree)
        split.addWidget(self.side)
        split.setStretchFactor(0, 1)
        split.setSizes([980, 360])
        self._split = split
        self.empty = EmptyScreen(
            tr("Nothing is planned yet"),
            tr(
                "Let the program propose kits and teams. You need at least two teams first: add "
                "them under “People”."
            ),
            ((tr("Propose kits and teams…"), self.proposal_wanted.emit),),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(split)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def show_state(self, state: PlanWorkspace) -> None:
        """Show a plan that was read or proposed."""
        self.state = state
        self.effect.clear()
        self._show()

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._previewer.close()

    @property
    def has_kits(self) -> bool:
        """Whether anything is planned."""
        return self.state is not None and bool(self.state.draft.kits)

    @property
    def modified(self) -> bool:
        """Whether the plan that is shown is another than the campaign's."""
        return self.state is not None and self.state.modified

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" for nothing."""
        return "" if self.state is None else self.state.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would make again, "" for nothing."""
        return "" if self.state is None else self.state.redo_label

    def undo(self) -> None:
        """Back to the plan before the last change."""
        if self.state is not None:
            self.state.undo()
            self._show()

    def redo(self) -> None:
        """Forward to it again."""
        if self.state is not None:
            self.state.redo()
            self._show()

    def _show(self) -> None:
        state = self.state
        assert state is not None
        chosen = self.tree.chosen()
        self.model.show_draft(state.draft)
        self.side.show_plan(state.draft, state.figures)
        self.side.difference.show_difference(state.difference)
        self._stack.setCurrentWidget(self._split if state.draft.kits else self.empty)
        if chosen is not None:
            unit = chosen.unit
            self.tree.choose(
                self.model.index_of_kit(chosen.kit.name)
                if unit is None
                else self.model.index_of_unit(unit.key)
            )
        self.changed.emit()

    # -- what can be changed ------------------------------------------------------------------

    def chosen(self) -> PlanNode | None:
        """The kit or manuscript that is chosen, where it may be changed."""
        place = self.tree.chosen()
        return place if place is not None and not place.kit.frozen else None

    @property
    def can_move(self) -> bool:
        """Whether a manuscript is chosen that may go to another kit."""
        place = self.chosen()
        return place is not None and place.unit is not None

    @property
    def can_give(self) -> bool:
        """Whether a kit is chosen that has teams, and may get others."""
        place = self.chosen()
        return place is not None and bool(place.kit.parts)

    def ask_move(self) -> None:
        """Ask to which kit the chosen manuscript goes."""
        place = self.chosen()
        if place is None or place.unit is None or self.state is None:
            return
        unit = place.unit.key
        kits = [
            kit for kit in self.state.draft.kits if kit.name != place.kit.name and not kit.frozen
        ]
        names = [
            tr_count("{kit} ({count} word)", "{kit} ({count} words)", kit.words, kit=kit.name)
            for kit in kits
        ]
        chosen = self._ask(
            tr("Move the manuscript"), tr("Move {name} into", name=unit.manuscript), names
        )
        if chosen is not None:
            self.preview(_move(unit, kits[chosen].name))

    def ask_exchange(self) -> None:
        """Ask for which other manuscript the chosen one is exchanged."""
        place = self.chosen()
        if place is None or place.unit is None or self.state is None:
            return
        unit = place.unit.key
        others = [
            (kit.name, one)
            for kit in self.state.draft.kits
            if kit.name != place.kit.name and not kit.frozen
            for one in kit.units
        ]
        names = [
            tr_count(
                "{kit}: {manuscript} of {system} ({count} word)",
                "{kit}: {manuscript} of {system} ({count} words)",
                one.words,
                kit=kit,
                manuscript=one.manuscript,
                system=one.system,
            )
            for kit, one in others
        ]
        chosen = self._ask(
            tr("Exchange the manuscript"), tr("Exchange {name} for", name=unit.manuscript), names
        )
        if chosen is not None:
            self.preview(_exchange(unit, others[chosen][1].key))

    def ask_team(self) -> None:
        """Ask which team gets the chosen kit, and instead of which."""
        place = self.chosen()
        if place is None or self.state is None:
            return
        edits = [
            edit
            for team in self.state.draft.there
            if team not in place.kit.teams
            for edit in _replacements(place, team)
        ]
        chosen = self._ask(
            tr("Give the kit to another team"),
            tr("Kit {kit}", kit=place.kit.name),
            [label for label, _ in edits],
        )
        if chosen is not None:
            self.preview(edits[chosen])

    def ask_roles(self) -> None:
        """Let first editor and reviewer of a team of the chosen kit change places."""
        place = self.chosen()
        if place is None:
            return
        kit = place.kit.name
        teams = [part.team for part in place.kit.parts]
        names = [
            tr("{team}: {first} and {reviewer}", team=part.team, first=part.first or "?",
               reviewer=part.reviewer or "?")
            for part in place.kit.parts
        ]  # fmt: skip
        chosen = self._ask(tr("Swap the roles"), tr("Kit {kit}", kit=kit), names)
        if chosen is not None:
            team = teams[chosen]
            self.preview(
                (
                    tr("Swap the roles of {team} in {kit}", team=team, kit=kit),
                    lambda draft: draft.with_roles_turned(kit, team),
                )
            )

    def _ask(self, title: str, label: str, items: list[str]) -> int | None:
        if not items:
            self._shell.messages.warning(tr("There is nothing else to choose from."))
            return None
        dialog = ChooseDialog(title, label, items, self)
        given = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        return dialog.chosen() if given else None

    # -- effects ------------------------------------------------------------------------------

    def preview(self, edit: _Edit, *, held: bool = False) -> None:
        """Show what a change would do."""
        state = self.state
        if state is None:
            return
        label, change = edit

        def failed(error: BaseException) -> None:
            if isinstance(error, StudioError):
                self.effect.show_refusal(label, error, held=held)
            else:
                self._shell.show_error(error)

        self._previewer.submit(
            lambda _: state.preview(label, change),
            lambda preview: self.effect.show_preview(preview, held=held),
            failed=failed,
        )

    def _make(self) -> None:
        preview: Preview | None = self.effect.preview
        self.effect.clear()
        self.tree.setFocus()
        if preview is not None and self.state is not None:
            self.state.make(preview)
            self._show()

    def _leave(self) -> None:
        self._previewer.cancel()
        self.effect.clear()
        self.tree.setFocus()

    def _edits(self, dragged: object, place: PlanNode) -> list[_Edit]:
        """What a drop of something at a place may mean."""
        if isinstance(dragged, UnitKey):
            if place.unit is None or place.unit.key == dragged:
                return [_move(dragged, place.kit.name)]
            return [_exchange(dragged, place.unit.key)]
        return _replacements(place, str(dragged))

    def _on_hover(self, dragged: object, place: PlanNode | None) -> None:
        edits = [] if dragged is None or place is None else self._edits(dragged, place)
        if place is None or place.kit.frozen or not edits:
            self._previewer.cancel()
            self.effect.clear()
        else:
            self.preview(edits[0], held=True)

    def _on_drop(self, dragged: object, place: PlanNode) -> None:
        # The drag itself must be over before anything is asked.
        QTimer.singleShot(0, self, lambda: self._dropped(dragged, place))

    def _dropped(self, dragged: object, place: PlanNode) -> None:
        edits = self._edits(dragged, place)
        if len(edits) == 1:
            self.preview(edits[0])
            return
        menu = QMenu(self)
        made = {menu.addAction(edit[0]): edit for edit in edits}
        chosen = menu.exec(QCursor.pos())
        menu.deleteLater()
        if chosen in made:
            self.preview(made[chosen])


def _move(unit: UnitKey, kit: str) -> _Edit:
    return (
        tr("Move {name} of {system} into {kit}", name=unit.manuscript, system=unit.system, kit=kit),
        lambda draft: draft.with_unit_moved(unit, kit),
    )


def _exchange(one: UnitKey, other: UnitKey) -> _Edit:
    return (
        tr(
            "Exchange {one} of {system} for {other} of {its}",
            one=one.manuscript,
            system=one.system,
            other=other.manuscript,
            its=other.system,
        ),
        lambda draft: draft.with_units_swapped(one, other),
    )


def _replacements(place: PlanNode, team: str) -> list[_Edit]:
    """A team instead of each of the kit's teams."""
    kit = place.kit.name

    def edit(old: str) -> _Edit:
        return (
            tr("{team} instead of {old} in {kit}", team=team, old=old, kit=kit),
            lambda draft: draft.with_team(kit, old, team),
        )

    return [edit(old) for old in place.kit.teams]

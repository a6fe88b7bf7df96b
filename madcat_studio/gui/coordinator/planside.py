"""Beside the kits: what the plan comes to, its teams, and the effect of a change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.changesgrid import figure_text
from madcat_studio.gui.coordinator.differencepanel import DifferencePanel
from madcat_studio.gui.coordinator.effectpanel import EffectPanel
from madcat_studio.gui.coordinator.planmodel import TEAM_MIME
from madcat_studio.gui.translation import tr, tr_figure, tr_number
from madcat_studio.planning.draft import Draft, DraftFigures

__all__ = ["PlanSide"]


class _Teams(QTableWidget):
    """Teams with what they have to do; a row can be dragged onto a kit."""

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setAccessibleName(tr("Teams"))
        for column, title in enumerate((tr("Team"), tr("Kits"), tr("Words"))):
            item = QTableWidgetItem(title)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, item)
        self.setToolTip(tr("Drag a team onto a kit to replace one of the kit's teams"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(26)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def mimeData(self, items: Sequence[QTableWidgetItem]) -> QMimeData:
        data = QMimeData()
        if items:
            team = self.item(items[0].row(), 0)
            name = str(team.data(Qt.ItemDataRole.UserRole)) if team is not None else ""
            data.setData(TEAM_MIME, name.encode())
        return data


class PlanSide(QWidget):
    """The panel at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(10)
        self.effect = EffectPanel()
        layout.addWidget(self.effect)
        self.difference = DifferencePanel()
        layout.addWidget(self.difference)
        layout.addWidget(_heading(tr("The plan in figures")))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(0, 1)
        layout.addLayout(self._grid)
        layout.addWidget(_heading(tr("Teams")))
        self.teams = _Teams()
        layout.addWidget(self.teams, 1)
        area.setWidget(page)
        outer.addWidget(area)

    def show_plan(self, draft: Draft, figures: DraftFigures) -> None:
        """Show figures and loads."""
        while (old := self._grid.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, (name, value, hint) in enumerate(_figures(draft, figures)):
            label = QLabel(name)
            label.setObjectName("quiet")
            label.setWordWrap(True)
            label.setToolTip(hint)
            text = QLabel(value)
            text.setToolTip(hint)
            self._grid.addWidget(label, row, 0)
            self._grid.addWidget(text, row, 1, Qt.AlignmentFlag.AlignRight)
        self.teams.setRowCount(len(draft.teams))
        for row, team in enumerate(draft.teams):
            away = team.name in draft.absent
            title = tr("{team} (away)", team=team.name) if away else team.name
            item = QTableWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, team.name)
            item.setToolTip(", ".join(editor.name or editor.id for editor in team.editors))
            self.teams.setItem(row, 0, item)
            loads = (figures.teams.loads.get(team.name, 0), figures.teams.words.get(team.name, 0))
            for column, count in enumerate(loads, 1):
                cell = QTableWidgetItem(tr_number(count))
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.teams.setItem(row, column, cell)
        self.teams.setMinimumHeight(min(len(draft.teams), 10) * 26 + 36)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("section")
    return label


def _figures(draft: Draft, figures: DraftFigures) -> list[tuple[str, str, str]]:
    """Name, value and meaning of what a coordinator looks at first."""
    kits, teams, rules = figures.kits, figures.teams, draft.rules
    words = kits.words or (0,)
    percent = "x missed by"
    return [
        (tr("kits"), tr_number(len(draft.kits)), tr("practice kits are not counted")),
        (
            tr("words of a kit"),
            f"{tr_number(min(words))} – {tr_number(max(words))}",
            tr(
                "the target is {target}, from {least} to {most}",
                target=tr_number(rules.target),
                least=tr_figure(f"{rules.least:.0f}"),
                most=tr_figure(f"{rules.most:.0f}"),
            ),
        ),
        (
            tr("outside the tolerance"),
            tr_number(kits.outside),
            tr("kits with fewer or more words than the tolerance allows"),
        ),
        (
            tr("genre mixture missed by"),
            figure_text(percent, kits.genre_miss),
            tr("mean over kits of the share of words in the wrong genre"),
        ),
        (
            tr("carry-over"),
            tr(
                "{count} (at least {bound})",
                count=tr_number(teams.carry_over),
                bound=tr_number(teams.carry_over_bound),
            ),
            tr("how often a team meets a passage again; no assignment has less than the bound"),
        ),
        (
            tr("pairs of teams"),
            tr_number(len(teams.pairs)),
            tr("pairs that share at least one kit"),
        ),
        (
            tr("all teams compared"),
            tr("yes") if teams.connected else tr("no"),
            tr("whether every team is compared with every other, at least through other teams"),
        ),
        (
            tr("systems over pairs missed by"),
            figure_text(percent, teams.system_miss),
            tr("how far the systems' shares of each pair's words are from their shares of all"),
        ),
    ]

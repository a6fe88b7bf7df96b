"""The dialog that asks by which rules kits and teams are proposed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import add_row, make_form
from madcat_studio.gui.settings import kept_number, window_state
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.planning.draft import Draft
from madcat_studio.planning.pairs import Overlap
from madcat_studio.planning.units import KitRules

__all__ = ["ProposeDialog", "Wish", "remembered_rules"]


class Wish(NamedTuple):
    """How a plan is to be proposed."""

    rules: KitRules
    overlap: Overlap
    absent: frozenset[str]
    anew: bool
    seed: int


def remembered_rules() -> KitRules:
    """The length of kits that was asked for last."""
    plain = KitRules()
    target = kept_number("plan/target", plain.target)
    tolerance = kept_number("plan/tolerance", round(100 * plain.tolerance))
    good = target >= 1 and 0 <= tolerance < 100
    return KitRules(target, tolerance / 100) if good else plain


class ProposeDialog(QDialog):
    """Asks; :meth:`wish` is what was asked for."""

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Propose kits and teams"))
        self.setMinimumWidth(560)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        form = make_form()
        rules = remembered_rules()
        self.target = _spin(1, 100_000, rules.target, tr(" words"))
        self.target.setToolTip(tr("Reference words of a kit: about one sitting"))
        add_row(form, tr("&Length of a kit"), self.target)
        self.tolerance = _spin(0, 99, round(100 * rules.tolerance), " %")
        self.tolerance.setToolTip(tr("By what share of it a kit may be longer or shorter"))
        add_row(form, tr("&Tolerance"), self.tolerance)
        self.overlap = QComboBox()
        self.overlap.addItem(tr("many pairs, three kits or more each"), str(Overlap.WIDE))
        self.overlap.addItem(tr("few pairs, many kits each"), str(Overlap.DEEP))
        self.overlap.setCurrentIndex(
            max(0, self.overlap.findData(str(window_state().value("plan/overlap", ""))))
        )
        add_row(form, tr("&Overlap of teams"), self.overlap)
        self.absent = QListWidget()
        self.absent.setToolTip(tr("Teams that are ticked get nothing"))
        for team in draft.teams:
            item = QListWidgetItem(team.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            away = team.name in draft.absent
            item.setCheckState(Qt.CheckState.Checked if away else Qt.CheckState.Unchecked)
            self.absent.addItem(item)
        self.absent.setFixedHeight(120)
        add_row(form, tr("&Absent teams"), self.absent)
        self.anew = QCheckBox(tr("Plan kits a&gain that nobody has claimed"))
        free = any(not kit.frozen for kit in draft.kits)
        self.anew.setEnabled(free)
        self.anew.setChecked(free)
        form.addRow("", self.anew)
        self.seed = _spin(0, 1_000_000, kept_number("plan/seed", 1), "")
        self.seed.setToolTip(tr("The same number gives the same plan, another number another one"))
        add_row(form, tr("&Seed"), self.seed)
        layout.addLayout(form)
        frozen = sum(kit.frozen for kit in draft.kits)
        note = QLabel(
            tr(
                "Manuscripts stay whole, and no passage is twice in a kit. "
                "Nothing is written before you accept the plan."
            )
            + (
                " "
                + tr_count(
                    "{count} claimed kit stays as it is.",
                    "{count} claimed kits stay as they are.",
                    frozen,
                )
                if frozen
                else ""
            )
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        layout.addWidget(note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        start = buttons.addButton(tr("&Propose"), QDialogButtonBox.ButtonRole.AcceptRole)
        start.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def wish(self) -> Wish:
        """What was asked for."""
        return Wish(
            KitRules(self.target.value(), self.tolerance.value() / 100),
            Overlap(self.overlap.currentData()),
            frozenset(self._ticked()),
            self.anew.isChecked(),
            self.seed.value(),
        )

    def _ticked(self) -> Collection[str]:
        items = [self.absent.item(row) for row in range(self.absent.count())]
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def accept(self) -> None:
        state = window_state()
        state.setValue("plan/target", self.target.value())
        state.setValue("plan/tolerance", self.tolerance.value())
        state.setValue("plan/overlap", self.overlap.currentData())
        state.setValue("plan/seed", self.seed.value())
        super().accept()


def _spin(least: int, most: int, value: int, unit: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setSuffix(unit)
    box.setValue(value)
    return box

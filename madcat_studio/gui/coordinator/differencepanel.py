"""How a plan that was not accepted differs from that of the campaign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.coordinator.changesgrid import ChangesGrid
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.planning.difference import PlanDifference

__all__ = ["DifferencePanel", "difference_lines"]

_KITS = 8
_LINES = 6


class DifferencePanel(QFrame):
    """Stands beside the plan as long as the plan is another than the campaign's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(tr("What the plan changes"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        title = QLabel(tr("Different from the campaign, until it is accepted"))
        title.setWordWrap(True)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        layout.addWidget(title)
        self.lines = QLabel()
        self.lines.setTextFormat(Qt.TextFormat.PlainText)
        self.lines.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.lines.setWordWrap(True)
        layout.addWidget(self.lines)
        self._figures = ChangesGrid()
        layout.addWidget(self._figures)
        self.hide()

    def show_difference(self, difference: PlanDifference | None) -> None:
        """Show one; None: the plan is the campaign's, or the campaign has none."""
        self.setVisible(difference is not None)
        if difference is None:
            return
        self.lines.setText("\n".join(difference_lines(difference)))
        self._figures.fill(difference.figures, tr("No figure changes."))


def difference_lines(difference: PlanDifference) -> Iterator[str]:
    """It in sentences, the longest lists cut."""
    new, gone = difference.new, difference.gone
    if new:
        names = _some(new, _KITS)
        yield tr_count(
            "{count} new kit: {names}", "{count} new kits: {names}", len(new), names=names
        )
    if gone:
        names = _some(gone, _KITS)
        yield tr_count(
            "{count} kit gone: {names}", "{count} kits gone: {names}", len(gone), names=names
        )
    added = sum(not one.before for one in difference.moved)
    dropped = sum(not one.after for one in difference.moved)
    if added:
        yield tr_count("{count} manuscript comes in", "{count} manuscripts come in", added)
    if dropped:
        yield tr_count("{count} manuscript drops out", "{count} manuscripts drop out", dropped)
    moved = [one for one in difference.moved if one.before and one.after]
    if moved:
        yield tr_count(
            "{count} manuscript in another kit:", "{count} manuscripts in another kit:", len(moved)
        )
        yield from _first(
            [
                tr("{name} of {system}: {before} → {after}", name=one.unit.manuscript,
                   system=one.unit.system, before=one.before, after=one.after)
                for one in moved
            ]
        )  # fmt: skip
    staff = difference.restaffed
    if staff:
        yield tr_count(
            "{count} kit with other teams or roles:", "{count} kits with other teams or roles:",
            len(staff),
        )  # fmt: skip
        yield from _first(
            [
                tr("{kit}: {before} → {after}", kit=one.kit, before=", ".join(one.before) or "–",
                   after=", ".join(one.after) or "–")
                for one in staff
            ]
        )  # fmt: skip


def _first(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"   {line}" for line in lines[:_LINES])
    if len(lines) > _LINES:
        yield "   " + tr("and {count} more", count=tr_number(len(lines) - _LINES))


def _some(names: Sequence[str], most: int) -> str:
    if len(names) <= most:
        return ", ".join(names)
    more = tr("and {count} more", count=tr_number(len(names) - most))
    return ", ".join([*names[:most], more])

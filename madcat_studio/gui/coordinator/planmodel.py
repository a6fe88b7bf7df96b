"""The kits of a plan as a tree: each kit with its manuscripts, and what may be dropped where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont

from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.planning.draft import Draft, DraftKit
from madcat_studio.planning.units import Unit, UnitKey

__all__ = ["TEAM_MIME", "UNIT_MIME", "PlanModel", "PlanNode"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

UNIT_MIME = "application/x-madcat-unit"
TEAM_MIME = "application/x-madcat-team"
_FEW = 8
"""Kits that are changed one by one; where more are others, the whole tree is made anew."""

_COPY, _LINK = Qt.DropAction.CopyAction, Qt.DropAction.LinkAction


class PlanNode(NamedTuple):
    """What a row is: a kit, or a unit of it."""

    kit: DraftKit
    unit: Unit | None


class PlanModel(QAbstractItemModel):
    """Kits at the top, their units below.

    Signals:
        dropped: a unit's key or a team's name, and the place on which it was dropped.
    """

    dropped = Signal(object, object)

    WORDS = Qt.ItemDataRole.UserRole + 1
    NAME, LENGTH, GENRES, SYSTEMS, TEAMS = range(5)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft: Draft | None = None
        self._kits: Sequence[DraftKit] = ()

    def show_draft(self, draft: Draft) -> None:
        """Show another draft; where only kits' contents differ, what is open stays open."""
        changed = sum(old != new for old, new in zip(self._kits, draft.kits, strict=False))
        same = [kit.name for kit in draft.kits] == [kit.name for kit in self._kits]
        if not same or changed > _FEW:
            self.beginResetModel()
            self.draft, self._kits = draft, draft.kits
            self.endResetModel()
            return
        self.draft = draft
        for row, (old, new) in enumerate(zip(self._kits, draft.kits, strict=True)):
            if old == new:
                continue
            kits = list(self._kits)
            parent = self.index(row, 0)
            if old.units != new.units:
                self.beginRemoveRows(parent, 0, len(old.units) - 1)
                kits[row] = DraftKit(old.name, (), old.parts, old.frozen)
                self._kits = tuple(kits)
                self.endRemoveRows()
                self.beginInsertRows(parent, 0, len(new.units) - 1)
                kits[row] = new
                self._kits = tuple(kits)
                self.endInsertRows()
            kits[row] = new
            self._kits = tuple(kits)
            self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def place(self, index: Index) -> PlanNode | None:
        """What a row is; None for no row."""
        if not index.isValid():
            return None
        if index.internalId() == 0:
            return PlanNode(self._kits[index.row()], None)
        kit = self._kits[index.internalId() - 1]
        return PlanNode(kit, kit.units[index.row()]) if index.row() < len(kit.units) else None

    def index_of_kit(self, name: str) -> QModelIndex:
        """The row of a kit."""
        for row, kit in enumerate(self._kits):
            if kit.name == name:
                return self.index(row, 0)
        return QModelIndex()

    def index_of_unit(self, key: UnitKey) -> QModelIndex:
        """The row of a unit, wherever it is now."""
        for row, kit in enumerate(self._kits):
            for number, unit in enumerate(kit.units):
                if unit.key == key:
                    return self.index(number, 0, self.index(row, 0))
        return QModelIndex()

    # -- the tree -----------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        # The number of the kit above, from 1; 0 for the kits themselves.
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._kits)
        if parent.internalId() or parent.column():
            return 0
        return len(self._kits[parent.row()].units)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 5

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            # The tree is not mirrored, as its names are not: its headings stand over them.
            absolute = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
            return int(absolute | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        titles = (tr("Kit"), tr("Words"), tr("Genres"), tr("Systems"), tr("Teams"))
        return titles[section] if 0 <= section < len(titles) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = self.place(index)
        if place is None:
            return None
        kit, unit = place
        column = index.column()
        if role == self.WORDS and column == self.LENGTH and unit is None:
            return kit.words
        if role == Qt.ItemDataRole.DisplayRole:
            return self._kit_text(kit, column) if unit is None else self._unit_text(unit, column)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == self.NAME:
            return self._spoken(kit, unit)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and column == self.LENGTH:
            return self._spoken_length(kit) if unit is None else None
        if role == Qt.ItemDataRole.ToolTipRole:
            if kit.frozen:
                return tr(
                    "Kit {kit} has been claimed, so it stays as it is: its editors have begun",
                    kit=kit.name,
                )
            return self._spoken(kit, unit)
        if role == Qt.ItemDataRole.FontRole and unit is None and column == self.NAME:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _kit_text(self, kit: DraftKit, column: int) -> str:
        if column == self.NAME:
            return tr("{kit}  (claimed)", kit=kit.name) if kit.frozen else kit.name
        if column == self.LENGTH:
            return tr_number(kit.words)
        if column == self.GENRES:
            return _shares([(unit.genre, unit.words) for unit in kit.units])
        if column == self.SYSTEMS:
            return _shares([(unit.system, unit.words) for unit in kit.units])
        return "  ·  ".join(kit.teams)

    def _unit_text(self, unit: Unit, column: int) -> str:
        if column == self.NAME:
            return unit.manuscript
        if column == self.LENGTH:
            return tr_number(unit.words)
        if column == self.GENRES:
            return unit.genre
        if column == self.SYSTEMS:
            return unit.system
        return "" if unit.data_set == "evaluation" else unit.data_set

    def _spoken(self, kit: DraftKit, unit: Unit | None) -> str:
        if unit is None:
            people = [
                f"{part.team} ({part.first or '?'}, {part.reviewer or '?'})" for part in kit.parts
            ]
            return tr(
                "Kit {kit}, {words}, {units}, teams {teams}",
                kit=kit.name,
                words=tr_count("{count} word", "{count} words", kit.words),
                units=tr_count("{count} manuscript", "{count} manuscripts", len(kit.units)),
                teams=", ".join(people) or tr("none yet"),
            )
        return tr(
            "Manuscript {manuscript} of passage {passage}, {words}, system {system}, in kit {kit}",
            manuscript=unit.manuscript,
            passage=unit.passage,
            words=tr_count("{count} word", "{count} words", unit.words),
            system=unit.system,
            kit=kit.name,
        )

    def _spoken_length(self, kit: DraftKit) -> str:
        """What the bar under the number shows."""
        if self.draft is None:
            return ""
        least, most = self.draft.rules.least, self.draft.rules.most
        band = {"least": tr_number(least), "most": tr_number(most)}
        if kit.words < least:
            return tr("shorter than wanted ({least} to {most})", **band)
        if kit.words > most:
            return tr("longer than wanted ({least} to {most})", **band)
        return tr("as long as wanted ({least} to {most})", **band)

    # -- dragging -----------------------------------------------------------------------------

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        place = self.place(index)
        if place is None or place.kit.frozen:
            return flags
        flags |= Qt.ItemFlag.ItemIsDropEnabled
        return flags if place.unit is None else flags | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [UNIT_MIME, TEAM_MIME]

    def supportedDropActions(self) -> Qt.DropAction:
        return _COPY | _LINK

    def supportedDragActions(self) -> Qt.DropAction:
        return _COPY

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        for index in indexes:
            place = self.place(index)
            if place is not None and place.unit is not None:
                key = place.unit.key
                data.setData(UNIT_MIME, json.dumps(key).encode())
                break
        return data

    def dragged(self, data: QMimeData) -> UnitKey | str | None:
        """What a drag carries: a unit's key, a team's name, or nothing of ours."""
        if data.hasFormat(UNIT_MIME):
            system, manuscript = json.loads(bytes(data.data(UNIT_MIME).data()))
            return UnitKey(system, manuscript)
        if data.hasFormat(TEAM_MIME):
            return bytes(data.data(TEAM_MIME).data()).decode()
        return None

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        place = self.place(parent)
        return (
            place is not None
            and not place.kit.frozen
            and (data.hasFormat(UNIT_MIME) or data.hasFormat(TEAM_MIME))
        )

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        place = self.place(parent)
        if place is None or not self.canDropMimeData(data, action, row, column, parent):
            return False
        self.dropped.emit(self.dragged(data), place)
        return False  # the model is not changed by the drop: the effect is shown first


def _shares(parts: Sequence[tuple[str, int]]) -> str:
    """``newswire 60 %, web 40 %``, by words."""
    words: dict[str, int] = {}
    for name, count in parts:
        words[name] = words.get(name, 0) + count
    total = max(sum(words.values()), 1)
    return ", ".join(
        f"{name} {tr_figure(f'{100 * count / total:.0f} %')}" for name, count in words.items()
    )

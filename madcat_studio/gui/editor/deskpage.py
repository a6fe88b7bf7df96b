"""The desk: who one is, and one's kits."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.editor.elsewhere import place_text
from madcat_studio.gui.editor.kitside import clock_text, pass_text
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.campaign import Pass, PassState, Team
from madcat_studio.workspace.desk import DaySheet, DeskKit

__all__ = ["DeskPage"]


class DeskPage(QWidget):
    """Chooses an editor and a kit.

    Signals:
        chosen: the id of an editor.
        open_kit: a kit to claim or to go on with.
        take_back: a kit to take back.
    """

    chosen = Signal(str)
    open_kit = Signal(object)
    take_back = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setObjectName("page")
        scroll.setWidget(page)
        outer.addWidget(scroll)
        row = QHBoxLayout(page)
        row.addStretch(1)
        column = QWidget()
        column.setMinimumWidth(520)
        column.setMaximumWidth(760)
        row.addWidget(column, 4)
        row.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 36, 0, 24)
        layout.setSpacing(10)
        self._title = QLabel()
        self._title.setObjectName("title")
        layout.addWidget(self._title)
        who = QHBoxLayout()
        label = QLabel(tr("&I am"))
        label.setObjectName("subtitle")
        self.who = QComboBox()
        self.who.setMinimumWidth(320)
        self.who.setPlaceholderText(tr("Choose your name"))
        label.setBuddy(self.who)
        self.who.activated.connect(self._choose)
        who.addWidget(label)
        who.addWidget(self.who)
        who.addStretch(1)
        layout.addLayout(who)
        layout.addSpacing(8)
        self._empty = QLabel()
        self._empty.setObjectName("subtitle")
        self._empty.setWordWrap(True)
        layout.addWidget(self._empty)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(8)
        layout.addLayout(self._cards)
        self._day = QLabel()
        self._day.setObjectName("quiet")
        layout.addSpacing(10)
        layout.addWidget(self._day)
        layout.addStretch(1)
        self._keep_focus = self.is_waiting = False
        self._made: list[QWidget] = []
        self.buttons: list[QPushButton] = []

    def _choose(self) -> None:
        # The keyboard stays: arrows and letters go through the names one by one.
        self._keep_focus = True
        self.chosen.emit(self.who.currentData() or "")

    def show_campaign(
        self, name: str, teams: Sequence[Team], editor: str, *, fixed: bool = False
    ) -> None:
        """Name the campaign and its editors; ``fixed``: the server says who one is."""
        self._title.setText(name)
        self.who.setEnabled(not fixed)
        self.who.setToolTip(tr("Your login to the server says who you are") if fixed else "")
        self.who.clear()
        for team in teams:
            for person in team.editors:
                shown = person.name or person.id
                self.who.addItem(tr("{name}, team {team}", name=shown, team=team.name), person.id)
        self.who.setCurrentIndex(self.who.findData(editor) if editor else -1)
        self.show_kits((), bool(editor), teams=bool(teams))

    def show_kits(
        self, kits: Sequence[DeskKit], chosen: bool, *, teams: bool = True, waiting: bool = False
    ) -> None:
        """List the editor's kits; ``waiting``: they are being looked for."""
        self.is_waiting = waiting
        for widget in self._made:
            self._cards.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._made, self.buttons = [], []
        last: PassState | None = None
        for kit in kits:
            if kit.state is not last:
                last = kit.state
                head = QLabel(
                    {
                        PassState.CLAIMED: tr("Your kits"),
                        PassState.OPEN: tr("Available to you"),
                        PassState.HANDED_OVER: tr("Handed over"),
                    }.get(kit.state, "")
                )
                head.setObjectName("section")
                self._cards.addWidget(head)
                self._made.append(head)
            card = self._card(kit)
            self._cards.addWidget(card)
            self._made.append(card)
        if waiting:
            text = tr("Looking for your kits …")
        elif not teams:
            text = tr("This campaign has no teams yet. The coordinator adds them.")
        elif not chosen:
            text = tr("Choose your name to see your kits.")
        else:
            text = tr("There is nothing for you to do now: no kit is available for your team.")
        self._day.hide()
        self._empty.setText(text)
        self._empty.setVisible(not kits)
        if not waiting:
            if not (self._keep_focus and self.who.hasFocus()):
                # Never on what is finished: whoever goes on pressing keys must not take it back.
                to_do = bool(kits) and kits[0].state is not PassState.HANDED_OVER
                (self.buttons[0] if to_do else self.who).setFocus()
            self._keep_focus = False

    def show_day(self, day: DaySheet) -> None:
        """What the editor did today."""
        self._day.setText(
            tr(
                "Today: {segments}, {words}, {time}",
                segments=tr_count(
                    "{count} segment confirmed", "{count} segments confirmed", day.segments
                ),
                words=tr_count("{count} word", "{count} words", day.words),
                time=clock_text(day.seconds),
            )
        )
        self._day.setVisible(bool(day.segments or day.seconds >= 60))

    def _card(self, kit: DeskKit) -> QWidget:
        card = QFrame()
        card.setObjectName("card")
        layout = QHBoxLayout(card)
        layout.setContentsMargins(18, 12, 14, 12)
        words = QVBoxLayout()
        words.setSpacing(3)
        name = QLabel(tr("Kit {kit}", kit=kit.kit))
        name.setObjectName("kitname")
        words.addWidget(name)
        facts = [pass_text(kit.pass_), tr_count("{count} word", "{count} words", kit.words)]
        if kit.state is not PassState.OPEN:
            facts.append(
                tr_count(
                    "{done} of {count} segment confirmed",
                    "{done} of {count} segments confirmed",
                    kit.segments,
                    done=tr_number(kit.confirmed),
                )
            )
        else:
            facts.append(tr_count("{count} segment", "{count} segments", kit.segments))
        detail = QLabel(" · ".join(facts))
        detail.setObjectName("quiet")
        words.addWidget(detail)
        if kit.sitting is not None and not kit.here:
            place = place_text(kit.sitting)
            where = QLabel(place[:1].upper() + place[1:])
            where.setObjectName("elsewhere")
            words.addWidget(where)
        layout.addLayout(words, 1)
        if kit.state is PassState.CLAIMED:
            bar = QProgressBar()
            bar.setTextVisible(False)
            bar.setFixedSize(140, 6)
            bar.setMaximum(max(kit.words, 1))
            bar.setValue(kit.words_done)
            layout.addWidget(bar, 0, Qt.AlignmentFlag.AlignVCenter)
            layout.addSpacing(10)
        if kit.state is PassState.HANDED_OVER and not kit.may_take_back:
            first = kit.pass_ is Pass.FIRST
            said = QLabel(tr("The reviewer has begun") if first else tr("Final"))
            said.setObjectName("quiet")
            layout.addWidget(said)
            return card
        text, signal = {
            PassState.CLAIMED: (tr("Continue"), self.open_kit),
            PassState.OPEN: (tr("Claim"), self.open_kit),
        }.get(kit.state, (tr("Take back"), self.take_back))
        button = QPushButton(text)
        if kit.state is PassState.CLAIMED:
            button.setObjectName("primary")
        button.setAccessibleName(f"{text}: {name.text()}, {detail.text()}")
        button.clicked.connect(lambda _=False, one=kit: signal.emit(one))
        layout.addWidget(button)
        self.buttons.append(button)
        return card

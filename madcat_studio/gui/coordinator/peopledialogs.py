"""Small dialogs about people: new editors, another editor for a pass, due dates, practice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import QDate
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import add_row, make_form
from madcat_studio.gui.translation import tr
from madcat_studio.model.campaign import Editor, Pass, Team
from madcat_studio.operations.people.passes import end_of

__all__ = ["DueDialog", "EditorsDialog", "PracticeDialog", "ReplaceDialog"]


class _FormDialog(QDialog):
    """A form with a note under it."""

    def __init__(self, title: str, do: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        self.form: QFormLayout = make_form()
        layout.addLayout(self.form)
        self.note = QLabel()
        self.note.setObjectName("quiet")
        self.note.setWordWrap(True)
        layout.addWidget(self.note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton(do, QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setDefault(True)
        for button in buttons.buttons():
            # Enter never cancels, also while the other button cannot be pressed.
            if isinstance(button, QPushButton):
                button.setAutoDefault(button is self.start)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


class EditorsDialog(_FormDialog):
    """A team and its editors, one a line."""

    def __init__(self, teams: Sequence[Team], chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Add editors"), tr("&Add"), parent)
        self.team = QComboBox()
        self.team.setEditable(True)
        self.team.addItems([team.name for team in teams])
        self.team.setCurrentText(chosen)
        add_row(self.form, tr("&Team"), self.team)
        self.editors = QPlainTextEdit()
        self.editors.setTabChangesFocus(True)
        self.editors.setFixedHeight(110)
        self.editors.setPlaceholderText(tr("one per line: a short name, then the full name"))
        add_row(self.form, tr("&Editors"), self.editors)
        self.note.setText(
            tr(
                "A new team needs two editors. A person may be in several teams, but never on "
                "both sides of one kit."
            )
        )
        self.team.editTextChanged.connect(lambda _: self._refresh())
        self.editors.textChanged.connect(self._refresh)
        self._refresh()

    def chosen(self) -> tuple[str, tuple[Editor, ...]]:
        """The team's name, and who joins."""
        lines = [line.replace("\t", " ").strip() for line in self.text()]
        people = [line.partition(" ") for line in lines if line]
        return (
            self.team.currentText().strip(),
            tuple(Editor(short.rstrip(",;"), name.strip()) for short, _, name in people),
        )

    def text(self) -> list[str]:
        """The lines as they were typed."""
        return self.editors.toPlainText().splitlines()

    def _refresh(self) -> None:
        team, editors = self.chosen()
        self.start.setEnabled(bool(team and editors))


class ReplaceDialog(_FormDialog):
    """Another editor for a pass."""

    def __init__(
        self, team: Team, pass_: Pass, kit: str, now: str | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Replace the editor"), tr("&Replace"), parent)
        which = tr("review") if pass_ is Pass.REVIEW else tr("first pass")
        self.form.addRow(
            tr("Pass"),
            QLabel(tr("{which} of kit {kit}, {team}", which=which, kit=kit, team=team.name)),
        )
        self.form.addRow(tr("Until now"), QLabel(now or tr("whoever claims it first")))
        self.editor = QComboBox()
        for one in team.editors:
            if one.id != now:
                text = f"{one.id} – {one.name}" if one.name else one.id
                self.editor.addItem(text, one.id)
        add_row(self.form, tr("&From now on"), self.editor)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(tr("for the audit trail"))
        add_row(self.form, tr("&Why"), self.reason)
        self.note.setText(
            tr(
                "What was written stays, and each editor's share is kept. Anything that the "
                "previous editor still delivers is kept aside."
            )
        )
        self.start.setEnabled(self.editor.count() > 0)

    def chosen(self) -> tuple[str, str]:
        """The editor's short name, and why."""
        return str(self.editor.currentData()), self.reason.text().strip()


class DueDialog(_FormDialog):
    """When passes are due."""

    def __init__(
        self, kit: str, pass_: Pass, due: datetime | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Due date"), tr("&Set the date"), parent)
        self.kits = QComboBox()
        self.kits.addItem(tr("kit {kit}", kit=kit), kit)
        self.kits.addItem(tr("all kits"), "")
        add_row(self.form, tr("&For"), self.kits)
        self.passes = QComboBox()
        self.passes.addItem(tr("first pass"), (Pass.FIRST.value,))
        self.passes.addItem(tr("review"), (Pass.REVIEW.value,))
        self.passes.addItem(tr("both passes"), (Pass.FIRST.value, Pass.REVIEW.value))
        self.passes.setCurrentIndex(1 if pass_ is Pass.REVIEW else 0)
        add_row(self.form, tr("&Pass"), self.passes)
        self.day = QDateEdit()
        self.day.setDisplayFormat("yyyy-MM-dd")
        self.day.setDate(
            QDate.currentDate().addDays(7)
            if due is None
            else QDate.fromString(due.astimezone().strftime("%Y-%m-%d"), "yyyy-MM-dd")
        )
        add_row(self.form, tr("&Day"), self.day)
        self.none = QCheckBox(tr("&No date"))
        self.none.toggled.connect(self.day.setDisabled)
        self.form.addRow("", self.none)
        self.note.setText(tr("It is due at the end of that day, for both teams of the kit."))

    def chosen(self) -> tuple[tuple[str, ...], tuple[Pass, ...], datetime | None]:
        """Kits (none: all), passes, and when."""
        kit = str(self.kits.currentData())
        passes = tuple(Pass(one) for one in self.passes.currentData())
        if self.none.isChecked():
            return (kit,) if kit else (), passes, None
        day = self.day.date()
        due = end_of(date(day.year(), day.month(), day.day()))
        return (kit,) if kit else (), passes, due


class PracticeDialog(_FormDialog):
    """A kit to practise on."""

    def __init__(self, systems: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(tr("Practice kit"), tr("&Make it"), parent)
        self.name = QLineEdit("PRACTICE")
        add_row(self.form, tr("&Name"), self.name)
        self.system = QComboBox()
        self.system.addItem(tr("the first that has any"), "")
        for system in systems:
            self.system.addItem(system, system)
        add_row(self.form, tr("&Output of"), self.system)
        self.words = QSpinBox()
        self.words.setRange(1, 10_000)
        self.words.setValue(200)
        self.words.setSuffix(tr(" words"))
        add_row(self.form, tr("&Length"), self.words)
        self.pages = QPlainTextEdit()
        self.pages.setTabChangesFocus(True)
        self.pages.setFixedHeight(80)
        self.pages.setPlaceholderText(tr("nothing: development and training pages"))
        add_row(self.form, tr("&Pages, one base name per line"), self.pages)
        self.note.setText(tr("Every team edits it; it is in no score and no report."))

    def chosen(self) -> tuple[str, str, tuple[str, ...], int]:
        """Name, system, base names and words."""
        bases = tuple(
            line.strip() for line in self.pages.toPlainText().splitlines() if line.strip()
        )
        return (
            self.name.text().strip() or "PRACTICE",
            str(self.system.currentData()),
            bases,
            self.words.value(),
        )

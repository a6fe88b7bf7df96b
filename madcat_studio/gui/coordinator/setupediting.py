"""The step of a set-up in which the coordinator says what editors see and may do."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.pathfields import add_row, make_form
from madcat_studio.gui.translation import mark, tr
from madcat_studio.model.visits import TIMES_ONLY_OPTION
from madcat_studio.operations.campaign.options import SPELLING_OFF, SPELLING_OPTION
from madcat_studio.operations.scores.options import COACH_OPTION
from madcat_studio.store import OptionValue
from madcat_studio.workspace.dictionaries import AMERICAN, BRITISH

__all__ = ["EditingStep"]

_SWITCHES: tuple[tuple[str, str, str], ...] = (
    (
        COACH_OPTION,
        mark("C&oach: which of their edits could be spared"),
        mark("while they edit, with the number that each would save; nothing is changed by itself"),
    ),
    ("editing.show_source", mark("The source's &transcription"), ""),
    ("editing.show_page", mark("The segment's lines on the &page"), ""),
    (
        "editing.show_translated",
        mark("The page with their texts &in place of the writing"),
        mark("only where they see the lines on the page"),
    ),
    ("editing.show_figures", mark("&HTER, edits and words of their current text"), ""),
    (
        "editing.allow_return",
        mark("Reviewers may &return segments to the first pass"),
        mark("with a message to the editor; the pass is open again for these"),
    ),
    (
        TIMES_ONLY_OPTION,
        mark("Record only the times of their work, nothing e&lse"),
        mark("no kinds of keys, no changes of the text; reports of effort show less"),
    ),
)
_DICTIONARIES: tuple[tuple[str, str], ...] = (
    ("", mark("Each editor's own choice")),
    (AMERICAN, mark("American English")),
    (BRITISH, mark("British English")),
    (SPELLING_OFF, mark("Spelling is not marked")),
)


class EditingStep(QWidget):
    """Switches for what editors see besides reference, output and text, and their dictionary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        note = QLabel(
            tr(
                "What editors see besides the reference, the output and their own text. It can be "
                "changed until the first kit is claimed; then it is frozen, so that all have the "
                "same."
            )
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        layout.addWidget(note)
        self.switches: dict[str, QCheckBox] = {}
        for name, title, hint in _SWITCHES:
            box = QCheckBox(tr(title))
            box.setToolTip(tr(hint) if hint else "")
            box.setChecked(name == COACH_OPTION)
            self.switches[name] = box
            layout.addWidget(box)
        form: QFormLayout = make_form()
        self.dictionary = QComboBox()
        self.dictionary.setEditable(True)
        self.dictionary.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for code, title in _DICTIONARIES:
            self.dictionary.addItem(tr(title), code)
        self.dictionary.setToolTip(
            tr("Or name another dictionary, such as de_DE, that every editor has installed.")
        )
        add_row(form, tr("&Spelling"), self.dictionary)
        layout.addLayout(form)
        layout.addStretch(1)

    def spelling(self) -> str:
        """The dictionary's name; "" leaves it to each editor."""
        written = self.dictionary.currentText().strip()
        found = self.dictionary.findText(written)
        return str(self.dictionary.itemData(found)) if found >= 0 else written

    def options(self) -> Mapping[str, OptionValue]:
        """What was chosen, for the campaign."""
        chosen: dict[str, OptionValue] = {
            name: box.isChecked() for name, box in self.switches.items()
        }
        if spelling := self.spelling():
            chosen[SPELLING_OPTION] = spelling
        return chosen

    def told(self) -> str:
        """The same in words, for the summary."""
        seen = [box.text().replace("&", "") for box in self.switches.values() if box.isChecked()]
        return "\n".join(seen) or tr("nothing besides the reference, the output and their text")

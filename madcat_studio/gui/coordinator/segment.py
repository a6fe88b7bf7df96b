"""One scored segment: both teams' texts, what each changed, which one counts and why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.replay import ReplayDialog
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.fonts import english
from madcat_studio.gui.readinglabel import ReadingLabel
from madcat_studio.gui.translation import tr, tr_count, tr_figure
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.campaign import SegmentName
from madcat_studio.operations.pages.campaign_pages import fetch_page, sweep_pages
from madcat_studio.operations.scores.segment import ShownSegment, show_segment
from madcat_studio.store import open_campaign
from madcat_ter.hter import Choice, Outcome, SegmentScore

__all__ = ["SegmentDialog"]


def _counted(edits: float, words: float) -> str:
    """Edits, words and the rate, in words; the rate of no words is n/a, never a division."""
    rate = (
        tr_figure(f"{100 * edits / words:.2f} %")
        if words
        else tr("n/a")
        if edits
        else tr_figure("0.00 %")
    )
    return tr(
        "{edits} in {words}, {rate}",
        edits=tr_count("{count} edit", "{count} edits", edits),
        words=tr_count("{count} word", "{count} words", words),
        rate=rate,
    )


def _headline(score: SegmentScore, choice: Choice) -> str:
    if choice.outcome is Outcome.NO_OUTPUT:
        return tr("The system gave nothing: the reference counts")
    if choice.team is None:
        return tr("No team has a final text yet")
    told = _counted(choice.edits, choice.words)
    team = score.teams[choice.team].team
    if choice.outcome is Outcome.TIE:
        return tr("Tie: {told}", told=told)
    if choice.outcome is Outcome.PRELIMINARY:
        return tr("Preliminary, team {team} only: {told}", team=team, told=told)
    return tr("Team {team} counts: {told}", team=team, told=told)


class SegmentDialog(QDialog):
    """Shows one segment of one system, from the campaign as it is now."""

    def __init__(
        self, shell: Shell, location: str, target: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shell, self._location, self._target = shell, location, target
        self._worker = Dispatcher(self)
        self._kit = ""
        self.setWindowTitle(
            tr(
                "{document}/{segment}, {system}",
                document=target["document"],
                segment=target["segment"],
                system=target["system"],
            )
        )
        self.resize(860, 640)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 10)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        outer.addWidget(self._scroll, 1)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._page = self._buttons.addButton(
            tr("Show on the &page"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self._page.setAutoDefault(False)
        self._page.clicked.connect(self._show_page)
        self._replay = self._buttons.addButton(
            tr("&Replay the work…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self._replay.setAutoDefault(False)
        self._replay.setEnabled(False)
        self._replay.clicked.connect(self._show_replay)
        self._buttons.rejected.connect(self.reject)
        foot = QVBoxLayout()
        foot.setContentsMargins(18, 0, 18, 0)
        foot.addWidget(self._buttons)
        outer.addLayout(foot)
        self._worker.submit(
            lambda _: show_segment(location, target), self._show, failed=self._failed
        )

    def done(self, result: int) -> None:
        self._worker.close()
        super().done(result)

    def _failed(self, error: BaseException) -> None:
        self.reject()
        self._shell.show_error(error)

    def _show(self, found: ShownSegment) -> None:
        record, choice = found.record, found.score.choice()
        self._kit = record.kit
        self._replay.setEnabled(True)
        page = QWidget()
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(18, 12, 18, 12)
        layout.setSpacing(4)
        head = QLabel(_headline(found.score, choice))
        head.setObjectName("kitname")
        head.setWordWrap(True)
        layout.addWidget(head)
        facts = QLabel(
            " · ".join(
                (
                    tr("kit {kit}", kit=record.kit),
                    record.genre,
                    tr("scribe {scribe}", scribe=record.scribe),
                    choice.reason,
                    *([tr("scribe error")] if record.scribe_error else []),
                )
            )
        )
        facts.setObjectName("quiet")
        facts.setWordWrap(True)
        layout.addWidget(facts)
        self._text(layout, tr("Reference"), record.reference)
        self._text(layout, tr("Output"), record.output or tr("(none)"))
        last = max(
            (number for number, one in enumerate(found.alignments) if one is not None), default=-1
        )
        for number, (team, drawn) in enumerate(zip(record.teams, found.alignments, strict=True)):
            counts = found.score.teams[number].final
            title = tr("Team {team}", team=team.team)
            if counts is not None:
                title += f" – {_counted(counts.edits, counts.words)}"
            if number == choice.team:
                title += tr(" – counts")
            if drawn is None:
                self._text(layout, title, team.final or tr("No final text yet"))
                continue
            self._head(layout, title)
            # The alignment spells the final text; what the output had stands above it.
            view = AlignmentView(self._shell.theme, legend=number == last)
            view.set_font(english(self._shell.settings))
            view.show_alignment(drawn)
            layout.addWidget(view)
        layout.addStretch(1)
        self._scroll.setWidget(page)

    def _head(self, layout: QVBoxLayout, title: str) -> None:
        head = QLabel(title)
        head.setObjectName("section")
        layout.addSpacing(10)
        layout.addWidget(head)

    def _text(self, layout: QVBoxLayout, title: str, text: str) -> None:
        self._head(layout, title)
        body = ReadingLabel(text)
        body.setFont(english(self._shell.settings))
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(body)

    def _show_replay(self) -> None:
        name = SegmentName(self._target["document"], self._target["segment"])
        dialog = ReplayDialog(self._shell, self._location, self._kit, name, self)
        dialog.exec()
        dialog.deleteLater()

    def _show_page(self) -> None:
        location, target = self._location, self._target

        def work(_: object) -> Path:
            with open_campaign(location, read_only=True) as campaign:
                sweep_pages(campaign)
                return fetch_page(campaign, target["document"])

        def done(path: Path) -> None:
            self.accept()
            self._shell.open(str(path), target={"segment": target["segment"]})

        self._worker.submit(work, done, failed=self._failed)

"""One scored segment: both teams' texts, what each changed, which one counts and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

from madcat_studio.errors import InputError
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.scoring import align
from madcat_studio.gui.fonts import english
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.campaign_pages import fetch_page
from madcat_studio.operations.report import scoring_options
from madcat_studio.scoring.changes import Alignment
from madcat_studio.scoring.hter import SegmentScore, score_segment
from madcat_studio.scoring.ter import TerOptions
from madcat_studio.store import open_campaign

__all__ = ["SegmentDialog"]


@dataclass(frozen=True, slots=True)
class _Found:
    record: SegmentRecord
    score: SegmentScore
    alignments: tuple[Alignment | None, ...]


def _find(location: str, target: Mapping[str, str]) -> _Found:
    with open_campaign(location, read_only=True) as campaign:
        options: TerOptions = scoring_options(campaign.options())
        for record in campaign.segment_records():
            if (record.system, record.base, record.segment) == (
                target["system"],
                target["document"],
                target["segment"],
            ) and target.get("kit", record.kit) == record.kit:
                alignments = tuple(
                    None
                    if team.final is None or not record.output
                    else align(record.output, team.final, options)
                    for team in record.teams
                )
                score = score_segment(record.output, record.reference, record.teams, options)
                return _Found(record, score, alignments)
    raise InputError(
        "gui.no-segment",
        "The campaign has no such segment any more",
        where=f"{target['document']}/{target['segment']}",
        remedy="Score the campaign again",
    )


class SegmentDialog(QDialog):
    """Shows one segment of one system, from the campaign as it is now."""

    def __init__(
        self, shell: Shell, location: str, target: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shell, self._location, self._target = shell, location, target
        self._worker = Dispatcher(self)
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
        self._buttons.rejected.connect(self.reject)
        outer.addWidget(self._buttons)
        self._worker.submit(lambda _: _find(location, target), self._show, failed=self._failed)

    def done(self, result: int) -> None:
        self._worker.close()
        super().done(result)

    def _failed(self, error: BaseException) -> None:
        self.reject()
        self._shell.show_error(error)

    def _show(self, found: _Found) -> None:
        record = found.record
        page = QWidget()
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setSpacing(6)
        choice = found.score.choice()
        head = QLabel(choice.reason)
        head.setObjectName("kitname")
        head.setWordWrap(True)
        layout.addWidget(head)
        facts = QLabel(
            " · ".join(
                (
                    tr("kit {kit}", kit=record.kit),
                    record.genre,
                    tr("scribe {scribe}", scribe=record.scribe),
                    *([tr("scribe error")] if record.scribe_error else []),
                )
            )
        )
        facts.setObjectName("quiet")
        layout.addWidget(facts)
        self._block(layout, tr("Reference"), record.reference)
        self._block(layout, tr("Output"), record.output or tr("(none)"))
        for number, (team, drawn) in enumerate(zip(record.teams, found.alignments, strict=True)):
            chosen = tr(" – counts") if number == choice.team else ""
            title = tr("Team {team}", team=team.team) + chosen
            if team.final is None:
                self._block(layout, title, tr("No final text yet"))
                continue
            self._block(layout, title, team.final)
            if drawn is not None:
                view = AlignmentView(self._shell.theme)
                view.set_font(english(self._shell.settings))
                view.show_alignment(drawn)
                layout.addWidget(view)
        layout.addStretch(1)
        self._scroll.setWidget(page)

    def _block(self, layout: QVBoxLayout, title: str, text: str) -> None:
        head = QLabel(title)
        head.setObjectName("section")
        layout.addSpacing(6)
        layout.addWidget(head)
        body = QLabel(text)
        body.setFont(english(self._shell.settings))
        body.setTextFormat(Qt.TextFormat.PlainText)
        body.setWordWrap(True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(body)

    def _show_page(self) -> None:
        location, target = self._location, self._target

        def work(_: object) -> Path:
            with open_campaign(location, read_only=True) as campaign:
                return fetch_page(campaign, target["document"])

        def done(path: Path) -> None:
            self.accept()
            self._shell.open(str(path), target={"segment": target["segment"]})

        self._worker.submit(work, done, failed=self._failed)

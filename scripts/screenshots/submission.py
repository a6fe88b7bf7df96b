"""The pictures of a submission that is handed in, and of those that were received."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from madcat_studio.model.declarations import Declaration, Manifest
from madcat_studio.operations.gather import gather
from madcat_studio.operations.pages.derive import Release, derive_files
from madcat_studio.operations.submission import pack_submission, receive_submission
from madcat_studio.pages.derive import Task
from madcat_studio.paths import resources

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.submissiondialog import SubmissionDialog
    from scripts.screenshots.studio import Studio

__all__ = ["hand_in", "received"]

_SITE = "أكاديمية العلوم"
_ALL = tuple(Declaration)
_DUE = datetime(2048, 11, 18, 15, tzinfo=UTC)
_CAME = (
    ("juniper_1", _ALL, datetime(2048, 11, 17, 9, 12, tzinfo=UTC)),
    ("juniper_2", _ALL, datetime(2048, 11, 18, 14, 40, tzinfo=UTC)),
    ("tamarisk_1", _ALL[:1], datetime(2048, 11, 18, 14, 58, tzinfo=UTC)),
    ("tamarisk_2", _ALL, datetime(2048, 11, 19, 8, 3, tzinfo=UTC)),
)


def _folders(studio: Studio) -> None:
    """Inputs as they are given out, the outputs of two systems, a drop folder, what came of it."""
    if (studio.home / "inputs").is_dir():
        return
    demo = resources() / "demo"
    pages = gather([str(demo / "reference")])
    for task in Task:
        [*derive_files(pages, studio.home / "inputs", task, Release(image_tasks_closed=True))]
    for name in ("juniper_1", "tamarisk_1"):
        shutil.copytree(demo / "systems" / name, studio.home / name)
    (studio.home / "drop").mkdir()
    for name, declared, moment in _CAME:
        outputs = studio.home / name
        if not outputs.is_dir():
            shutil.copytree(studio.home / f"{name[:-1]}1", outputs)
        archive, _ = pack_submission(
            outputs, studio.home / "inputs", manifest=Manifest(_SITE, declared)
        )
        receive_submission(
            archive, studio.home / "inputs", studio.home / "received", deadline=_DUE, now=moment
        )


def _dialog(studio: Studio) -> SubmissionDialog:
    from madcat_studio.gui.submissiondialog import SubmissionDialog

    _folders(studio)
    return SubmissionDialog(studio.window)


def hand_in(studio: Studio) -> QWidget:
    """Packed, copied, read back; the message to send."""
    dialog = _dialog(studio)
    pane = dialog.hand_in
    # As it is typed: the pictures show no folder of the machine that they were taken on.
    for row, name in ((pane.outputs, "juniper_1"), (pane.inputs, "inputs"), (pane.drop, "drop")):
        row.field.setText(f"~/{name}")
    pane.site.setText(_SITE)
    for one in (Declaration.NO_ADAPTATION, Declaration.NO_SEQUESTERED):
        pane.rules[one].setChecked(True)
    pane.go()
    studio.wait(pane.copy.isEnabled, 60)
    pane.said.setText(pane.said.text().replace(str(studio.home), "~"))
    return dialog


def received(studio: Studio) -> QWidget:
    """What came, what counts, and who has not declared which rule."""
    dialog = _dialog(studio)
    dialog.show_received()
    dialog.received.folder.field.setText("~/received")
    studio.wait(lambda: dialog.received.rows.topLevelItemCount() == len(_CAME), 60)
    return dialog

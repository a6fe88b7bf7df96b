"""Pictures of how a page can be shown, of its problems mended and of its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.page.view import PageView
    from scripts.screenshots.studio import Studio

__all__ = ["history", "keys", "order", "plain", "seeing", "turned"]


def plain(studio: Studio) -> PageView:
    """The demo's first page, shown as a new user sees it."""
    from madcat_studio.gui.settings import SEEING

    for setting in SEEING:
        studio.window.settings.set(setting, setting.default)
    view = studio.pages()
    if studio.window.commands.named("page.picture").isChecked():
        studio.window.commands.named("page.picture").trigger()
    view.canvas.camera.set_turn(0)
    return view


def order(studio: Studio) -> None:
    """Each line in a colour of its own, filled, with texts and reading order."""
    from PySide6.QtCore import QPointF

    from madcat_studio.gui.page.shapes import ShapeKey
    from madcat_studio.gui.settings import SEE_COLOURS, SEE_FILL, SEE_LABELS, SEE_ORDER

    view = plain(studio)
    settings = studio.window.settings
    for switch in (SEE_FILL, SEE_LABELS, SEE_ORDER):
        settings.set(switch, True)
    settings.set(SEE_COLOURS, "line")
    view.canvas.camera.zoom_to(0.3)
    shapes = view.canvas.shapes
    if shapes is not None:
        left, top, right, bottom = shapes.box(ShapeKey(3, 2))
        view.canvas.camera.centre_on(QPointF((left + right) / 2, (top + bottom) / 2))


def seeing(studio: Studio) -> None:
    """Loupe, map, sliders and the colours of the tokens' status."""
    from PySide6.QtCore import QPointF

    from madcat_studio.edits import SetTokenStatus
    from madcat_studio.gui.page.shapes import ShapeKey
    from madcat_studio.gui.settings import (
        SEE_COLOURS,
        SEE_CONTRAST,
        SEE_FILL,
        SEE_LOUPE,
        SEE_MINIMAP,
    )

    view = plain(studio)
    settings = studio.window.settings
    for switch in (SEE_FILL, SEE_LOUPE, SEE_MINIMAP):
        settings.set(switch, True)
    settings.set(SEE_COLOURS, "status")
    settings.set(SEE_CONTRAST, 20)
    workspace, canvas = view.workspace, view.canvas
    for number, status in ((3, "typo"), (4, "typo"), (6, "extra"), (12, "missing")):
        if workspace is not None:
            workspace.execute(SetTokenStatus(0, 2, number, status))
    canvas.camera.zoom_to(0.2)
    canvas.outlines.reveal([ShapeKey(6, 3)])
    x, y = canvas.shapes.points(ShapeKey(6, 3)).mean(axis=0) if canvas.shapes else (0.0, 0.0)
    canvas.tools.pointed.emit(QPointF(x, y))
    if not studio.window.commands.named("page.picture").isChecked():
        studio.window.commands.named("page.picture").trigger()


def turned(studio: Studio) -> None:
    """A page turned for the eye, its map turned with it."""
    from madcat_studio.gui.settings import SEE_MINIMAP

    view = plain(studio)
    studio.window.settings.set(SEE_MINIMAP, True)
    view.canvas.camera.set_turn(270)
    view.canvas.camera.zoom_to(0.2)


def history(studio: Studio) -> None:
    """Some edits, saved half-way, two of them undone."""
    from madcat_studio.edits import MoveVertex, Outline

    view = plain(studio)
    workspace = view.workspace
    if workspace is None:
        return
    workspace.go_to(0)
    if workspace.history.count != 6:
        for line in range(6):
            outline = Outline(0, line, None if line % 2 else 1)
            owner = workspace.document.pages[0].lines[line]
            x, y = (owner if line % 2 else owner.words[1]).polygon[0]
            workspace.execute(MoveVertex(outline, 0, (round(x) - 6, round(y) - 4)))
            if line == 2:
                workspace.save()
    workspace.go_to(4)
    studio.window.commands.named("page.history").trigger()


def keys(studio: Studio) -> QWidget:
    """Keys that are taken, told before they are given."""
    from PySide6.QtGui import QKeySequence

    from madcat_studio.gui.keysdialog import KeysDialog
    from madcat_studio.gui.views import VIEWS

    fixed = {spec.id: spec.fixed() for spec in VIEWS}
    commands = studio.window.commands
    dialog = KeysDialog(commands, [spec.id for spec in VIEWS], fixed, studio.window)
    wanted = "order"
    dialog.filter.setText(wanted)
    dialog.choose("page.order")
    dialog.edit.setKeySequence(QKeySequence("Ctrl+H"))
    return dialog

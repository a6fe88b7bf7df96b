"""Orders lines, and asks first where one would come among the lines of another region."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from madcat_studio.edits.arranging import joined_regions, order_lines
from madcat_studio.errors import StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.beside import put_beside
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.model.change import Change
from madcat_studio.model.document import Page

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["put_in_order"]

_MOST_NAMED = 6


def put_in_order(
    view: PageHost, order: Sequence[int], moved: Collection[int] | None = None
) -> Change | None:
    """Bring the lines of the page that is shown into an order, given by their numbers now.

    Lines of one region are read together. A line that would come among those of another is given
    to that region, or nothing is done: the user is asked. ``moved`` as for :func:`joined_regions`.
    """
    workspace, number = view.workspace, view.page_number
    if workspace is None:
        return None
    page = workspace.document.pages[number]
    joins = joined_regions(page, order, moved)
    if joins and not _agreed(view, page, joins):
        return None
    try:
        edit = order_lines(workspace.document, number, order, joins)
    except StudioError as error:
        view.shell.show_error(error)
        return None
    return view.execute(edit)


def _agreed(view: PageHost, page: Page, joins: Mapping[int, str]) -> bool:
    named = [f"{page.lines[line].id} → {region}" for line, region in joins.items()]
    more = ["…"] if len(named) > _MOST_NAMED else []
    count = len(named)
    text = tr_count(
        "{count} line would end up among the lines of another region, but the lines of a region "
        "are read together.",
        "{count} lines would end up among the lines of another region, but the lines of a "
        "region are read together.",
        count,
    )
    answers = [
        tr_count(
            "Give it to that region: {names}",
            "Move them to that region: {names}",
            count,
            names=", ".join([*named[:_MOST_NAMED], *more]),
        ),
        tr("Keep the order as it was"),
    ]
    font = fonts.english(view.shell.settings, scale=1.15)
    dialog = LinkDialog(tr("Reading order"), text, answers, font, view.widget)
    put_beside(dialog, view.canvas.on_screen([ShapeKey(line) for line in joins]), view.widget)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    agreed = accepted and dialog.answer() == 0
    dialog.deleteLater()
    return agreed

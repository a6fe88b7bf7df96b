"""The pictures of the view of evaluations: overview, regions, the dialog."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.scorecard.cardorder import CardKind, CardOrder
    from madcat_studio.gui.scorecard.view import ScorecardView
    from scripts.screenshots.studio import Studio

__all__ = ["card_boxes", "card_regions", "evaluation", "new_card", "new_evaluation", "scorecard"]


def _result(studio: Studio, kind: CardKind) -> ScorecardView:
    """The demo's two systems, scored."""
    from madcat_studio.gui.scorecard.cardorder import make_card
    from madcat_studio.progress import SILENT

    order = _order(studio, kind)
    if not order.result.is_file():
        make_card(order, SILENT)
    return _open(studio, order.result)


def _open(studio: Studio, result: Path) -> ScorecardView:
    from madcat_studio.gui.scorecard.view import ScorecardView
    from madcat_studio.operations.scorecards.files import read_card

    told = read_card(result)
    studio.window.open(str(result))
    studio.wait(
        lambda: (
            isinstance(view := studio.window.view("scorecard"), ScorecardView)
            and view.report is not None
            and view.report.signatures == told.signatures
            and view.report.hashes == told.hashes
            and view.isVisible()
        )
    )
    view = studio.window.view("scorecard")
    assert isinstance(view, ScorecardView)
    return view


def _order(studio: Studio, kind: CardKind) -> CardOrder:
    from madcat_studio.gui.scorecard.cardorder import CardOrder
    from madcat_studio.paths import resources

    systems = resources() / "demo" / "systems"
    return CardOrder(
        kind,
        (systems / "juniper_1", systems / "tamarisk_1"),
        studio.home / "scorecard",
        truth=resources() / "demo" / "reference",
        files="linesys",
    )


def scorecard(studio: Studio) -> None:
    """The overview of a result."""
    _result(studio, _pages())
    studio.settle(300)


def card_regions(studio: Studio) -> None:
    """All regions of a result."""
    view = _result(studio, _pages())
    studio.settle(300)
    view.show_table("regions")


def card_boxes(studio: Studio) -> None:
    """A page with the boxes of a system that looks for the regions itself."""
    import json
    from dataclasses import replace

    from madcat_studio.gui.scorecard.cardorder import make_card
    from madcat_studio.gui.scorecard.pages import remember_pages
    from madcat_studio.operations.scorecards.ltb import read_ground_truth
    from madcat_studio.progress import SILENT

    order = _order(studio, _pages())
    truth = order.truth
    assert truth is not None
    lines = []
    for document in read_ground_truth(truth).documents:
        regions = [
            {
                "region_id": "",
                "bbox": [x, y + (number % 3) * height / 3, width, height],
                "text": region.references.get("ar-en", ""),
                "reading_order": number,
            }
            for number, region in enumerate(document.regions)
            for x, y, width, height in [region.box]
            if number % 4 < 3
        ]
        regions.append({"bbox": [80, 80, 700, 260], "text": "a stamp", "reading_order": 99})
        lines.append(json.dumps({"doc_id": document.id, "regions": regions}))
    system = studio.home / "finder" / "ar-en.jsonl"
    system.parent.mkdir(exist_ok=True)
    system.write_text("\n".join(lines), encoding="utf-8")
    order = replace(order, inputs=(system,), folder=studio.home / "boxes", files="")
    remember_pages(truth)
    if not order.result.is_file():
        make_card(order, SILENT)
    view = _open(studio, order.result)
    studio.settle(300)
    view.show_table("documents")
    view.table.setCurrentIndex(view.proxy.index(1, 0))
    studio.wait(lambda: view.boxes.page.has_picture)


def evaluation(studio: Studio) -> None:
    """The overview of an evaluation of all tasks."""
    from madcat_studio.gui.scorecard.cardorder import CardKind

    _result(studio, CardKind.TASKS)
    studio.settle(300)


def new_card(studio: Studio) -> QWidget:
    """What is asked before a scorecard is made."""
    return _dialog(studio, _pages())


def new_evaluation(studio: Studio) -> QWidget:
    """What is asked before all tasks are evaluated."""
    from madcat_studio.gui.scorecard.cardorder import CardKind

    return _dialog(studio, CardKind.TASKS)


def _pages() -> CardKind:
    from madcat_studio.gui.scorecard.cardorder import CardKind

    return CardKind.PAGES


def _dialog(studio: Studio, kind: CardKind) -> QWidget:
    from madcat_studio.gui.scorecard.cardorder import CardOrder
    from madcat_studio.gui.scorecard.newcard import NewCardDialog

    data = Path("/data")
    order = CardOrder(
        kind,
        (data / "systems" / "juniper_1", data / "systems" / "tamarisk_1"),
        data / "scorecard",
        truth=data / "reference",
        files="linesys",
    )
    return NewCardDialog(order, studio.window)

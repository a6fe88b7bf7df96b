"""Whether editors could tell control pages from the others by their scans."""

from __future__ import annotations

from collections.abc import Iterable

from madcat_studio.model.campaign import DataSet, Kit
from madcat_studio.operations.checked import Checking, counted
from madcat_studio.store import Campaign

__all__ = ["warn_of_scans"]


def warn_of_scans(campaign: Campaign, kits: Iterable[Kit], checking: Checking) -> None:
    """Warn where pages are shown and planned control pages come without scans, or they alone with.

    A control page should look like any other; one without a scan among pages with one does not.
    """
    if campaign.options().get("editing.show_page") is not True:
        return
    planned = {item.base for kit in kits if not kit.practice for item in kit.items}
    control = {
        one.base
        for one in campaign.contents.documents()
        if one.base in planned and one.data_set is DataSet.CONTROL
    }
    shown = {one.base for one in campaign.contents.scans() if one.sha256 is not None}
    bare, others = control - shown, planned - control
    if bare and others & shown:
        _warn(checking, f"{counted(len(bare), 'control page')} without a scan", bare)
    elif control & shown and others and not others & shown:
        _warn(checking, "only control pages with a scan", control & shown)


def _warn(checking: Checking, what: str, pages: set[str]) -> None:
    checking.warn(
        "plan.control-scans",
        min(pages),
        f"there are {what}: editors, who are shown the pages, can tell them from the others",
        remedy="Give the scans with the earlier phase (`campaign create` takes them again), or "
        "do not show pages",
    )

"""All features of the page view, made once and in the order in which they are told of things."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from madcat_studio.gui.page.ahead import Ahead
from madcat_studio.gui.page.bars import PageBars
from madcat_studio.gui.page.checking import Checking
from madcat_studio.gui.page.comparing.feature import CompareFeature
from madcat_studio.gui.page.diskwatch import DiskWatch
from madcat_studio.gui.page.flow.feature import FlowFeature
from madcat_studio.gui.page.folding import Folding
from madcat_studio.gui.page.historyfeature import History
from madcat_studio.gui.page.host import PageHost
from madcat_studio.gui.page.marking.feature import MarkingFeature
from madcat_studio.gui.page.orderpanel import OrderPanel
from madcat_studio.gui.page.proposals import Proposals
from madcat_studio.gui.page.queue.feature import QueueFeature
from madcat_studio.gui.page.regions.feature import RegionFeature
from madcat_studio.gui.page.seeing import Seeing
from madcat_studio.gui.page.settling.feature import SettleFeature
from madcat_studio.gui.page.statusline import StatusLine
from madcat_studio.gui.page.tokens.feature import TokenFeature
from madcat_studio.gui.page.toolbox import Toolbox
from madcat_studio.gui.page.translated import Translated

if TYPE_CHECKING:
    from PySide6.QtWidgets import QSplitter

__all__ = ["PageFeatures", "make_features"]


class PageFeatures(NamedTuple):
    """The features, by what they are about."""

    seeing: Seeing
    checking: Checking
    history: History
    watch: DiskWatch
    status: StatusLine
    toolbox: Toolbox
    proposals: Proposals
    order: OrderPanel
    tokens: TokenFeature
    marking: MarkingFeature
    flow: FlowFeature
    queue: QueueFeature
    comparing: CompareFeature
    settling: SettleFeature
    regions: RegionFeature
    folding: Folding
    translated: Translated
    ahead: Ahead


def make_features(host: PageHost, bars: PageBars, panels: QSplitter) -> PageFeatures:
    """Make them for a view, with the buttons that are declared for their panels.

    Args:
        host: the view.
        bars: the buttons.
        panels: in which the page stands between its panels.
    """
    seeing, toolbox = Seeing(host), Toolbox(host, bars.palette)
    checking = Checking(host, seeing)
    return PageFeatures(
        seeing,
        checking,
        History(host),
        DiskWatch(host),
        StatusLine(host),
        toolbox,
        Proposals(host),
        OrderPanel(host),
        TokenFeature(host),
        MarkingFeature(host),
        FlowFeature(host, bars.flow),
        QueueFeature(host, bars.queue),
        CompareFeature(host, bars.comparing),
        SettleFeature(host, bars.settling),
        RegionFeature(host),
        Folding(host, panels, toolbox.palette.setVisible),
        Translated(host),
        Ahead(host, lambda: checking.at_rest),
    )

"""The questions about links where somebody else's outlines are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from madcat_studio.gui.page.asklink import LinkQuestions
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.model.links import TokenIndex
from madcat_studio.pages.adjudication import Difference, DifferenceKind

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["TakingAnswers", "TakingQuestions"]


class TakingAnswers(NamedTuple):
    """What becomes of links.

    Attributes:
        keep: where words become one, the token whose link stays; None joins their tokens.
        keeps: where a word becomes several, which of them keeps the link.
        unlink: where a word goes, whether its tokens are linked to none.
    """

    keep: TokenIndex | None = None
    keeps: int = 0
    unlink: bool = True


class TakingQuestions:
    """Asks about a difference of the page that a view shows."""

    def __init__(self, view: PageHost) -> None:
        self._view = view
        self._links = LinkQuestions(view)

    def ask(self, difference: Difference) -> TakingAnswers | None:
        """The answers; None: the user gave up."""
        page = self._view.page_number
        places = [(page, line, word) for line, word in difference.mine if word is not None]
        tokens = self._links.tokens(places)
        if tokens and difference.kind is DifferenceKind.MISSED:
            unlink = self._links.removed(tokens)
            return None if unlink is None else TakingAnswers(unlink=unlink)
        if len(tokens) > 1 and difference.kind is DifferenceKind.MERGED:
            kept = self._links.merged(tokens, texts=False)
            return None if kept is None else TakingAnswers(keep=kept.keep)
        if tokens and difference.kind is DifferenceKind.SPLIT:
            keeps = self._which_keeps(difference)
            return None if keeps is None else TakingAnswers(keeps=keeps)
        return TakingAnswers()

    def _which_keeps(self, difference: Difference) -> int | None:
        count = len(difference.theirs)
        answers = [
            tr("The right-hand part")
            if part == 0
            else tr("The left-hand part")
            if part == count - 1
            else tr("Part {number}, from the right", number=tr_number(part + 1))
            for part in range(count)
        ]
        text = tr("The word is linked to the text. Which part keeps the link?")
        around = [ShapeKey(*unit) for unit in difference.mine]
        return self._links.choose(tr("Split a word"), text, answers, around)

"""Which part of a page's writing is proposed for which token, while the page is being marked.

What lies in the outline of a word is taken. The rest is shared out among the open tokens, between
those that are marked; anew whenever something else became of the writing than what was proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import TokenIndex
from madcat_studio.pages.proposals import letter_size, propose
from madcat_studio.pages.writing import Writing

__all__ = ["Plan", "Step"]

_AT_ONCE = 8
"""From so many new outlines on they are looked up together."""


class Step(StrEnum):
    """What became of a token."""

    OPEN = "open"
    MARKED = "marked"
    MISSING = "missing"


class Plan:
    """The proposals for one page.

    Attributes:
        writing: what is written on it.
        taken: the parts that have a word, and whose.
    """

    def __init__(self, writing: Writing, page: int, *, open_end: bool) -> None:
        """Propose nothing yet.

        Args:
            writing: of the page.
            page: its number, from 0.
            open_end: whether the text may go on on another page.
        """
        self.writing = writing
        self.taken: dict[int, TokenIndex | None] = {}
        self._page, self._open_end = page, open_end
        self._parts: dict[TokenIndex, tuple[int, ...]] = {}
        self._sure: set[TokenIndex] = set()
        self._outlines: dict[tuple[int, ...], Polygon] = {}
        self._inside: dict[Polygon, tuple[int, ...]] = {}
        self._letter: float | None = None

    def parts(self, place: TokenIndex) -> tuple[int, ...]:
        """What a token has, or is proposed to have."""
        return self._parts.get(place, ())

    def is_sure(self, place: TokenIndex) -> bool:
        """Whether what is proposed for a token needs no look."""
        return place in self._sure

    def outline(self, parts: tuple[int, ...]) -> Polygon:
        """The outline around some parts."""
        if parts not in self._outlines:
            self._outlines[parts] = self.writing.outline(parts)
        return self._outlines[parts]

    def forget(self) -> None:
        """Other tokens are there now."""
        self._parts = {}

    def follow(
        self,
        steps: dict[TokenIndex, Step],
        links: DocumentIndex,
        page: Page,
        text: Callable[[TokenIndex], str],
    ) -> None:
        """Take in how the document is now, and propose anew where that is needed.

        Args:
            steps: what became of each token, in the order of the text.
            links: which token has which word.
            page: the one that is marked.
            text: what a token says.
        """
        self._take_stock(links, page)
        if self._is_outdated(steps):
            self._propose(steps, links, text)

    def _take_stock(self, links: DocumentIndex, page: Page) -> None:
        """Which parts of the writing lie in the outline of a word, and of which token's."""
        self.taken = {}
        fresh = [word.polygon for word in page.words() if word.polygon not in self._inside]
        if len(fresh) > _AT_ONCE:
            owners = self.writing.within(fresh)
            found: dict[Polygon, list[int]] = {outline: [] for outline in fresh}
            for part, outline in enumerate(owners):
                if outline is not None:
                    found[fresh[outline]].append(part)
            self._inside.update({outline: tuple(parts) for outline, parts in found.items()})
        else:
            self._inside.update({outline: self.writing.inside(outline) for outline in fresh})
        for n, line in enumerate(page.lines):
            for k, word in enumerate(line.words):
                parts = self._inside[word.polygon]
                if parts:
                    tokens = links.tokens_of.get((self._page, n, k))
                    owner = tokens[0] if tokens else (-1, -1, -1)
                    self.taken.update(dict.fromkeys(parts, owner))

    def _is_outdated(self, steps: dict[TokenIndex, Step]) -> bool:
        """Whether something else became of the writing than what was proposed."""
        for place, step in steps.items():
            planned = self._parts.get(place)
            if planned is None:
                return True
            if step is Step.OPEN and any(part in self.taken for part in planned):
                return True
            if step is not Step.OPEN and any(self.taken.get(part) != place for part in planned):
                return True
        return False

    def _propose(
        self,
        steps: dict[TokenIndex, Step],
        links: DocumentIndex,
        text: Callable[[TokenIndex], str],
    ) -> None:
        """Share out the free writing among the open tokens, between those that are marked."""
        count = len(self.writing.parts)
        plan: dict[TokenIndex, tuple[int, ...]] = dict.fromkeys(steps, ())
        self._sure = set()
        for part, owner in self.taken.items():
            if owner in plan:
                plan[owner] = (*plan[owner], part)
        run: list[TokenIndex] = []
        begin = 0
        for place, step in steps.items():
            word = links.word_of.get(place)
            if word is None:
                if step is Step.OPEN:
                    run.append(place)
                continue
            own = plan[place]
            if word[0] == self._page and own:
                self._propose_run(plan, run, begin, min(own), text, last=False)
                run, begin = [], max(own) + 1
            elif word[0] > self._page:
                self._propose_run(plan, run, begin, count, text, last=True)
                run, begin = [], count
            elif word[0] < self._page:
                run = []
        self._propose_run(plan, run, begin, count, text, last=True)
        if self._letter is None:
            # The whole page tells it better than what is left of it later.
            self._letter = letter_size(self.writing, [(text(p), plan[p]) for p in steps])
        self._parts = plan

    def _propose_run(
        self,
        plan: dict[TokenIndex, tuple[int, ...]],
        run: Sequence[TokenIndex],
        begin: int,
        stop: int,
        text: Callable[[TokenIndex], str],
        *,
        last: bool,
    ) -> None:
        if not run or begin >= stop:
            return
        proposals = propose(
            self.writing,
            [text(place) for place in run],
            taken=self.taken.keys(),
            first=begin,
            stop=stop,
            open_end=last and self._open_end,
            letter=self._letter,
        )
        for place, proposal in zip(run, proposals, strict=True):
            plan[place] = proposal.parts
            self._outlines[proposal.parts] = proposal.polygon
            if proposal.sure:
                self._sure.add(place)

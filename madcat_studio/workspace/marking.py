"""Marking a page from its transcript, step by step, without a window.

The session knows which token comes next and what is proposed for it. Every step is an edit of the
page's workspace, so that undo, the journal and every view see it like any other; the session
follows whatever happens to the document meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from madcat_studio.edits import Edit
from madcat_studio.model.document import Polygon, Token
from madcat_studio.model.links import TokenIndex
from madcat_studio.pages.marking import (
    leave_out,
    mark,
    mark_extra,
    mark_several,
    token_at,
    tokens_from_transcriptions,
)
from madcat_studio.pages.proposals import letter_size, propose
from madcat_studio.pages.writing import Writing
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["Fault", "Marking", "Statuses", "Step"]


_AT_ONCE = 8
"""From so many new outlines on they are looked up together."""


class Fault(StrEnum):
    """What a scribe can do wrong at a word."""

    MISSING = "missing"
    EXTRA = "extra"
    MISSPELT = "typo"


@dataclass(frozen=True, slots=True)
class Statuses:
    """The status values that stand for each fault; a file's status is free text."""

    missing: str = Fault.MISSING.value
    extra: str = Fault.EXTRA.value
    misspelt: str = Fault.MISSPELT.value


class Step(StrEnum):
    """What became of a token."""

    OPEN = "open"
    MARKED = "marked"
    MISSING = "missing"


class Marking:
    """One page being marked.

    Attributes:
        workspace: the document.
        page: which page of it, from 0.
        statuses: the values in use.
        tokens: all tokens of the document in text order.
        links: which token has which word.
        writing: what is written on the page, None until it was found (or where there is no scan).
    """

    def __init__(
        self,
        workspace: PageWorkspace,
        page: int,
        statuses: Statuses | None = None,
        execute: Callable[[Edit], bool] | None = None,
    ) -> None:
        """Begin at the first token of the page that has no word.

        Args:
            workspace: the document.
            page: which page.
            statuses: None for the usual values.
            execute: makes an edit and says whether it was made; None lets errors out.
        """
        self.workspace = workspace
        self.page = page
        self.statuses = statuses if statuses is not None else Statuses()
        self._execute = execute if execute is not None else self._plainly
        self.writing: Writing | None = None
        self._plan: dict[TokenIndex, tuple[int, ...]] = {}
        self._parts: tuple[int, ...] | None = None
        self._taken: dict[int, TokenIndex | None] = {}
        self._outlines: dict[tuple[int, ...], Polygon] = {}
        self._inside: dict[Polygon, tuple[int, ...]] = {}
        self._steps: dict[TokenIndex, Step] = {}
        self._left = 0
        self._letter: float | None = None
        self.tokens: list[TokenIndex] = []
        self.links = workspace.index
        self._at: int = 0
        self._read()
        self._at = self._first_open()

    def _plainly(self, edit: Edit) -> bool:
        self.workspace.execute(edit)
        return True

    # What is there

    @property
    def current(self) -> TokenIndex | None:
        """The token whose word comes next, None at the end."""
        return self.tokens[self._at] if self._at < len(self.tokens) else None

    @property
    def position(self) -> int:
        """How many tokens stand before the current one."""
        return self._at

    def token(self, place: TokenIndex) -> Token:
        """A token."""
        return token_at(self.workspace.document, place)

    def text(self, place: TokenIndex) -> str:
        """What a token says."""
        return self.token(place).source or ""

    def step(self, place: TokenIndex) -> Step:
        """What became of a token."""
        return self._steps[place]

    def left(self) -> int:
        """How many tokens have neither a word nor a reason for having none."""
        return self._left

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts of the writing that are proposed for the current token."""
        if self._parts is not None:
            return self._parts
        current = self.current
        if current is None or self.step(current) is Step.MARKED:
            return ()
        return self._plan.get(current, ())

    @property
    def proposal(self) -> Polygon:
        """The outline that is proposed for the current token; empty where there is none."""
        return self._outline(self.parts)

    def proposals_around(self, reach: int) -> list[Polygon]:
        """The outlines that are proposed for other tokens, so many before and after this one."""
        around = self.tokens[max(self._at - reach, 0) : self._at + reach + 1]
        return [
            outline
            for place in around
            if place != self.current
            and self.step(place) is Step.OPEN
            and (outline := self._outline(self._plan.get(place, ())))
        ]

    def _outline(self, parts: tuple[int, ...]) -> Polygon:
        if self.writing is None:
            return ()
        if parts not in self._outlines:
            self._outlines[parts] = self.writing.outline(parts)
        return self._outlines[parts]

    # Steps

    def make_tokens(self) -> bool:
        """Make tokens for segments that have only a transcription; False where none needs it."""
        edit = tokens_from_transcriptions(self.workspace.document)
        return edit is not None and self._execute(edit)

    def accept(self) -> bool:
        """Take what is proposed; False where nothing is, or the edit was refused."""
        polygon = self.proposal
        return bool(polygon) and self._mark(polygon)

    def accept_line(self) -> int:
        """Take what is proposed for the current token and for all that follow it in its line.

        Returns:
            How many words were marked, in one step; 0 where nothing is proposed.
        """
        writing, current = self.writing, self.current
        if writing is None or current is None or not self.parts:
            return 0
        line = writing.parts[self.parts[0]].line
        outlines = [(current, self.proposal)]
        for place in self.tokens[self._at + 1 :]:
            if self.step(place) is not Step.OPEN:
                continue
            planned = self._plan.get(place, ())
            if not planned or writing.parts[planned[0]].line != line:
                break
            outlines.append((place, self._outline(planned)))
        edit = mark_several(self.workspace.document, self.page, outlines)
        if not self._do(edit, forward=False):
            return 0
        self._go(self._next_open(self.tokens.index(outlines[-1][0]) + 1))
        return len(outlines)

    def draw(self, polygon: Polygon) -> bool:
        """Take an outline that was drawn."""
        return self._mark(polygon)

    def misspelt(self, polygon: Polygon | None, written: str) -> bool:
        """Take an outline, or what is proposed, for a word that is written wrongly.

        Where neither is there and the token has a word already, only its status changes.
        """
        outline = polygon if polygon is not None else self.proposal
        current = self.current
        there = self.links.word_of.get(current) if current is not None else None
        if there is not None and not outline:
            page, line, word = there
            outline = self.workspace.document.pages[page].lines[line].words[word].polygon
        return bool(outline) and self._mark(outline, self.statuses.misspelt, written)

    def missing(self) -> bool:
        """Say that the current word is not on the page, and go on."""
        current = self.current
        if current is None:
            return False
        edit = leave_out(self.workspace.document, current, self.statuses.missing)
        return self._do(edit, forward=True)

    def extra(self, polygon: Polygon, written: str) -> bool:
        """Mark a word that the text does not have; the current token stays the current one."""
        before = self._before_current()
        if before is None:
            return False
        edit = mark_extra(
            self.workspace.document,
            before,
            self.page,
            polygon,
            status=self.statuses.extra,
            written=written,
            index=self.links,
        )
        done = self._do(edit, forward=False)
        if done and self._at < len(self.tokens):
            self._at += 1  # over the token that was put in
        return done

    def skip(self) -> None:
        """Leave the current token as it is and go to the next one that is open, or to the end."""
        self._go(self._next_open(self._at + 1))

    def back(self) -> None:
        """To the token before, whatever became of it."""
        self._go(max(self._at - 1, 0))

    def choose(self, place: TokenIndex) -> None:
        """Make any token the current one."""
        if place in self.tokens:
            self._go(self.tokens.index(place))

    def to_first_open(self) -> None:
        """To the first token of the page that is open."""
        self._go(self._first_open())

    def reach(self, side: int, step: int) -> bool:
        """Let the proposal take in or leave out a part.

        Args:
            side: -1 for its left end, where the word ends; 1 for its right end.
            step: 1 takes in, -1 leaves out.
        """
        if self.writing is None or self.current is None:
            return False
        parts = self.parts
        if step < 0:
            if len(parts) < 2:
                return False
            self._parts = parts[:-1] if side < 0 else parts[1:]
            return True
        if not parts:
            start = self._where_to_begin()
            nearby = start if side < 0 else start - 1
        else:
            nearby = parts[-1] + 1 if side < 0 else parts[0] - 1
        there = self.writing.parts
        if not 0 <= nearby < len(there) or self._taken.get(nearby) is not None:
            return False
        if parts and there[nearby].line != there[parts[0]].line:
            return False
        self._parts = (*parts, nearby) if side < 0 else (nearby, *parts)
        return True

    # Following the document

    def found_writing(self, writing: Writing | None) -> None:
        """The writing of the page was found; proposals can be made."""
        self.writing = writing
        self._outlines, self._inside = {}, {}
        self._letter = None
        self._plan = {}
        self._parts = None
        self._take_stock()
        self._propose()

    def document_changed(self) -> None:
        """The document was edited, here or elsewhere."""
        before = self.tokens
        self._read()
        if self.tokens != before:
            self._plan = {}
        self._at = min(self._at, len(self.tokens))
        self._parts = None
        self._take_stock()
        if self._must_propose():
            self._propose()

    def _read(self) -> None:
        document = self.workspace.document
        self.links = self.workspace.index
        marked, missing = self.links.word_of, self.statuses.missing
        self._steps = steps = {}
        for s, section in enumerate(document.sections):
            for g, segment in enumerate(section.segments):
                for t, token in enumerate(segment.tokens):
                    place = (s, g, t)
                    steps[place] = (
                        Step.MARKED
                        if place in marked
                        else Step.MISSING
                        if token.status == missing
                        else Step.OPEN
                    )
        self.tokens = list(steps)
        self._left = sum(step is Step.OPEN for step in steps.values())

    def _mark(self, polygon: Polygon, status: str | None = None, written: str = "") -> bool:
        current = self.current
        if current is None:
            return False
        edit = mark(
            self.workspace.document,
            self.links,
            current,
            self.page,
            polygon,
            status=status,
            written=written,
            missing=self.statuses.missing,
        )
        return self._do(edit, forward=True)

    def _do(self, edit: Edit, *, forward: bool) -> bool:
        known = self.tokens
        if not self._execute(edit):
            return False
        if self.tokens is known:
            self.document_changed()  # nobody told us yet
        if forward:
            self._go(self._next_open(self._at + 1))
        return True

    def _go(self, position: int) -> None:
        self._at = min(max(position, 0), len(self.tokens))
        self._parts = None

    def _next_open(self, start: int) -> int:
        for number in range(start, len(self.tokens)):
            if self.step(self.tokens[number]) is Step.OPEN:
                return number
        return len(self.tokens)

    def _first_open(self) -> int:
        """The first open token that can be on this page: behind those of the pages before."""
        last = -1
        for number, place in enumerate(self.tokens):
            word = self.links.word_of.get(place)
            if word is not None and word[0] < self.page:
                last = number
        return self._next_open(last + 1)

    def _before_current(self) -> TokenIndex | None:
        current = self.current
        if current is not None:
            return current
        if not self.tokens:
            return None
        section, segment, token = self.tokens[-1]
        return section, segment, token + 1

    # Proposals

    def _take_stock(self) -> None:
        """Which parts of the writing lie in the outline of a word, and of which token's."""
        self._taken = {}
        writing = self.writing
        if writing is None:
            return
        page = self.workspace.document.pages[self.page]
        fresh = [word.polygon for word in page.words() if word.polygon not in self._inside]
        if len(fresh) > _AT_ONCE:
            owners = writing.within(fresh)
            found: dict[Polygon, list[int]] = {outline: [] for outline in fresh}
            for part, outline in enumerate(owners):
                if outline is not None:
                    found[fresh[outline]].append(part)
            self._inside.update({outline: tuple(parts) for outline, parts in found.items()})
        else:
            self._inside.update({outline: writing.inside(outline) for outline in fresh})
        for n, line in enumerate(page.lines):
            for k, word in enumerate(line.words):
                parts = self._inside[word.polygon]
                if parts:
                    tokens = self.links.tokens_of.get((self.page, n, k))
                    owner = tokens[0] if tokens else (-1, -1, -1)
                    self._taken.update(dict.fromkeys(parts, owner))

    def _must_propose(self) -> bool:
        """Whether something else became of the writing than what was proposed."""
        if self.writing is None:
            return False
        for place in self.tokens:
            planned = self._plan.get(place)
            if planned is None:
                return True
            step = self.step(place)
            if step is Step.OPEN and any(part in self._taken for part in planned):
                return True
            if step is not Step.OPEN and any(self._taken.get(part) != place for part in planned):
                return True
        return False

    def _propose(self) -> None:
        """Share out the free writing among the open tokens, between those that are marked."""
        writing = self.writing
        if writing is None:
            return
        plan: dict[TokenIndex, tuple[int, ...]] = dict.fromkeys(self.tokens, ())
        for part, owner in self._taken.items():
            if owner in plan:
                plan[owner] = (*plan[owner], part)
        run: list[TokenIndex] = []
        begin = 0
        for place in self.tokens:
            word = self.links.word_of.get(place)
            if word is None:
                if self.step(place) is Step.OPEN:
                    run.append(place)
                continue
            own = plan[place]
            if word[0] == self.page and own:
                self._propose_run(plan, run, begin, min(own), last=False)
                run, begin = [], max(own) + 1
            elif word[0] > self.page:
                self._propose_run(plan, run, begin, len(writing.parts), last=True)
                run, begin = [], len(writing.parts)
            elif word[0] < self.page:
                run = []
        self._propose_run(plan, run, begin, len(writing.parts), last=True)
        if self._letter is None:
            # The whole page tells it better than what is left of it later.
            self._letter = letter_size(writing, [(self.text(p), plan[p]) for p in self.tokens])
        self._plan = plan

    def _propose_run(
        self,
        plan: dict[TokenIndex, tuple[int, ...]],
        run: list[TokenIndex],
        begin: int,
        stop: int,
        *,
        last: bool,
    ) -> None:
        if self.writing is None or not run or begin >= stop:
            return
        pages = len(self.workspace.document.pages)
        proposals = propose(
            self.writing,
            [self.text(place) for place in run],
            taken=self._taken.keys(),
            first=begin,
            stop=stop,
            open_end=last and self.page + 1 < pages,
            letter=self._letter,
        )
        for place, proposal in zip(run, proposals, strict=True):
            plan[place] = proposal.parts

    def _where_to_begin(self) -> int:
        """The first part behind everything that tokens before the current one have."""
        behind = 0
        for place in self.tokens[: self._at]:
            for part in self._plan.get(place, ()):
                behind = max(behind, part + 1)
        return behind

"""Marking a page from its transcript, step by step, without a window.

The session knows which token comes next and what is proposed for it. Every step is an edit of the
page's workspace, so that undo, the journal and every view see it like any other; the session
follows whatever happens to the document meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

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
from madcat_studio.pages.reading import in_reading_order
from madcat_studio.pages.writing import Writing
from madcat_studio.workspace.markingplan import Plan, Step
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["Fault", "Marking", "Statuses", "Step"]


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


class Marking:
    """One page being marked.

    Attributes:
        workspace: the document.
        page: which page of it, from 0.
        statuses: the values in use.
        doubtful_only: whether to go from one word that is not sure to the next.
        tokens: all tokens of the document in text order.
        links: which token has which word.
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
        self._execute = execute if execute is not None else partial(_plainly, workspace)
        self.doubtful_only = False
        self._plan: Plan | None = None
        self._parts: tuple[int, ...] | None = None
        self._steps: dict[TokenIndex, Step] = {}
        self._left = 0
        self.tokens: list[TokenIndex] = []
        self.links = workspace.index
        self._at: int = 0
        self._read()
        self._at = self._first_open()

    # What is there

    @property
    def writing(self) -> Writing | None:
        """What is written on the page, None until it was found (or where there is no scan)."""
        return self._plan.writing if self._plan is not None else None

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

    @property
    def open_end(self) -> bool:
        """Whether the text may go on on another page."""
        return self.page + 1 < len(self.workspace.document.pages)

    def expected(self) -> list[str]:
        """What the tokens say that may have a word on this page."""
        found = []
        for place in self.tokens:
            word = self.links.word_of.get(place)
            if word is None:
                if self.step(place) is Step.OPEN:
                    found.append(self.text(place))
            elif word[0] == self.page:
                found.append(self.text(place))
            elif word[0] < self.page:
                found = []  # what is open before it stands on that page
            else:
                break
        return found

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
        return self._planned(current)

    @property
    def proposal(self) -> Polygon:
        """The outline that is proposed for the current token; empty where there is none."""
        return self._outline(self.parts)

    def proposals_around(self, reach: int) -> tuple[list[Polygon], list[Polygon]]:
        """The outlines that are proposed for other tokens, so many before and after this one.

        Returns:
            Those that are sure, and those that are not.
        """
        around = self.tokens[max(self._at - reach, 0) : self._at + reach + 1]
        found: tuple[list[Polygon], list[Polygon]] = ([], [])
        for place in around:
            if place != self.current and self.step(place) is Step.OPEN:
                outline = self._outline(self._planned(place))
                if outline:
                    found[not self.is_sure(place)].append(outline)
        return found

    def is_sure(self, place: TokenIndex | None) -> bool:
        """Whether what is proposed for a token needs no look."""
        return self._plan is not None and place is not None and self._plan.is_sure(place)

    def _planned(self, place: TokenIndex) -> tuple[int, ...]:
        return self._plan.parts(place) if self._plan is not None else ()

    def _outline(self, parts: tuple[int, ...]) -> Polygon:
        return self._plan.outline(parts) if self._plan is not None else ()

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
            planned = self._planned(place)
            if not planned or writing.parts[planned[0]].line != line:
                break
            outlines.append((place, self._outline(planned)))
        edit = mark_several(self.workspace.document, self.page, outlines)
        if not self._do(edit, forward=False):
            return 0
        self._go(self._next_open(self.tokens.index(outlines[-1][0]) + 1))
        return len(outlines)

    def sure(self) -> list[TokenIndex]:
        """The open tokens whose proposals need no look."""
        return [p for p in self.tokens if self.step(p) is Step.OPEN and self.is_sure(p)]

    def accept_sure(self) -> int:
        """Take all proposals of the page that need no look, in one step.

        Returns:
            How many words were marked. The current token is then the first that needs a look.
        """
        outlines = [(place, self._outline(self._planned(place))) for place in self.sure()]
        if not outlines:
            return 0
        edit = mark_several(self.workspace.document, self.page, outlines)
        if not self._do(edit, forward=False):
            return 0
        self._go(self._first_open())
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
        if not self.tokens:
            return False
        section, segment, token = self.current or self.tokens[-1]
        before = (section, segment, token + (self.current is None))
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
        plan, parts = self._plan, self.parts
        if plan is None or self.current is None:
            return False
        there = plan.writing.parts
        if step < 0:
            if len(parts) < 2:
                return False
            end = max(parts, key=lambda number: side * sum(there[number].span))
            self._parts = tuple(number for number in parts if number != end)
            return True
        nearby = _beside(plan.writing, parts, side) if parts else self._where_to_begin()
        if nearby is None or not 0 <= nearby < len(there):
            return False
        if plan.taken.get(nearby) is not None:
            return False
        self._parts = tuple(sorted((*parts, nearby)))
        return True

    # Following the document

    def found_writing(self, writing: Writing | None) -> None:
        """The writing of the page was found; proposals can be made."""
        self._plan = self._parts = None
        if writing is not None:
            in_order = in_reading_order(writing, self.expected(), open_end=self.open_end)
            self._plan = Plan(in_order, self.page, open_end=self.open_end)
            self._follow()

    def document_changed(self) -> None:
        """The document was edited, here or elsewhere."""
        before = self.tokens
        self._read()
        if self.tokens != before and self._plan is not None:
            self._plan.forget()
        self._at = min(self._at, len(self.tokens))
        self._parts = None
        self._follow()

    def _follow(self) -> None:
        if self._plan is not None:
            page = self.workspace.document.pages[self.page]
            self._plan.follow(self._steps, self.links, page, self.text)

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
            place = self.tokens[number]
            if self.step(place) is Step.OPEN and not (self.doubtful_only and self.is_sure(place)):
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

    def _where_to_begin(self) -> int:
        """The first part behind everything that tokens before the current one have."""
        before = (part for place in self.tokens[: self._at] for part in self._planned(place))
        return max(before, default=-1) + 1


def _plainly(workspace: PageWorkspace, edit: Edit) -> bool:
    workspace.execute(edit)
    return True


def _beside(writing: Writing, parts: tuple[int, ...], side: int) -> int | None:
    """The part of their line next to some parts at a side."""
    there = writing.parts
    edge = max(side * sum(there[number].span) for number in parts)
    beyond = {
        number: side * sum(part.span)
        for number, part in enumerate(there)
        if part.line == there[parts[0]].line and number not in parts
    }
    beyond = {number: place for number, place in beyond.items() if place > edge}
    return min(beyond, key=beyond.__getitem__, default=None)

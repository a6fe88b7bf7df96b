"""A long walk of edits of every kind: undone, the file is as it was, byte for byte."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.edits import (
    AddLine,
    AddRegion,
    AddSegment,
    AddToken,
    AddVertex,
    AddWord,
    CompositeEdit,
    DeleteVertices,
    Edit,
    LineValue,
    LinkToken,
    LockLines,
    MoveLine,
    MovePolygon,
    MoveToken,
    MoveVertex,
    MoveWord,
    Outline,
    RegionValue,
    RemoveLine,
    RemoveRegion,
    RemoveSegment,
    RemoveToken,
    RemoveWord,
    SegmentValue,
    SetBaseline,
    SetLineRegion,
    SetPageCount,
    SetPageFacts,
    SetPolygon,
    SetRegionKind,
    SetRegionOutline,
    SetScribeError,
    SetTokenStatus,
    SetTokenText,
    SetTranscription,
    SetTranslation,
    SetZoneRefs,
    TokenValue,
    WordValue,
    codec,
    merge_lines,
    merge_words,
)
from madcat_studio.edits.arranging import (
    add_line,
    add_word,
    move_words,
    order_lines,
    order_words,
    remove_lines,
    remove_words,
)
from madcat_studio.edits.layouting import add_region, split_region
from madcat_studio.edits.splitting import Part, split_line, split_word
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat_writer import write
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.geometry import bounding_box, fewer_vertices
from madcat_studio.model.links import link
from madcat_studio.workspace.page import PageWorkspace

DATA = Path(__file__).parent.parent / "data" / "madcat"
SAMPLE = "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
TEXTS = ("سلام", "", None, "a b", "line\nbreak", "«١٢»")


class Walker:
    """Makes up one edit after the other, of whatever the document has now."""

    def __init__(self, document: Document, seed: int) -> None:
        self.document = document
        self.dice = random.Random(seed)
        self.kinds: list[Callable[[], Edit]] = [
            getattr(self, name) for name in sorted(dir(self)) if name.startswith("make_")
        ]
        self.deck: list[Callable[[], Edit]] = []

    def next(self) -> Edit:
        return self.dice.choice(self.kinds)()

    def next_of_deck(self) -> Edit:
        """The same, but each kind comes once before any comes again."""
        if not self.deck:
            self.deck = self.dice.sample(self.kinds, len(self.kinds))
        return self.deck.pop()()

    def step(self, workspace: PageWorkspace) -> bool:
        """An edit, or some undone, or one made again; whether it could be done."""
        turn = self.dice.random()
        if turn < 0.2 and workspace.can_undo:
            back = self.dice.randint(1, min(3, workspace.position))
            workspace.go_to(workspace.position - back)
        elif turn < 0.3 and workspace.can_redo:
            workspace.redo()
        else:
            try:
                workspace.execute(self.next())
            except (InputError, IndexError):
                return False
        return True

    # What there is to choose from; an IndexError means that there is none

    def page(self) -> int:
        return self.dice.randrange(len(self.document.pages))

    def line(self) -> tuple[int, int]:
        page = self.page()
        return page, self.dice.choice(range(len(self.document.pages[page].lines)))

    def word(self) -> tuple[int, int, int]:
        page, line = self.line()
        words = self.document.pages[page].lines[line].words
        return page, line, self.dice.choice(range(len(words)))

    def token(self) -> tuple[int, int, int]:
        section = self.dice.choice(range(len(self.document.sections)))
        segments = self.document.sections[section].segments
        segment = self.dice.choice(range(len(segments)))
        return section, segment, self.dice.choice(range(len(segments[segment].tokens)))

    def outline(self) -> Outline:
        return Outline(*self.word()) if self.dice.random() < 0.7 else Outline(*self.line())

    def point(self) -> tuple[int, int]:
        return self.dice.randrange(5100), self.dice.randrange(6600)

    def box(self) -> Polygon:
        (x, y), w, h = self.point(), self.dice.randrange(400), self.dice.randrange(200)
        return ((x + w, y), (x, y), (x, y + h), (x + w, y + h))

    def across(self, polygon: Polygon) -> Polygon:
        left, top, right, bottom = bounding_box(polygon) or (0, 0, 9, 9)
        share = self.dice.random()
        if self.dice.random() < 0.8:
            x = left + share * (right - left)
            return ((x, top - 5), (x + self.dice.randrange(-9, 9), bottom + 5))
        y = top + share * (bottom - top)
        return ((left - 5, y), (right + 5, y + self.dice.randrange(-9, 9)))

    def text(self) -> str | None:
        return self.dice.choice(TEXTS)

    # One of each kind

    def make_set_polygon(self) -> Edit:
        return SetPolygon(self.outline(), self.box()[: self.dice.randrange(5)])

    def make_move_polygon(self) -> Edit:
        return MovePolygon(self.outline(), self.dice.randrange(-30, 30), self.dice.random())

    def make_move_vertex(self) -> Edit:
        outline = self.outline()
        size = len(outline.find(self.document).polygon)
        return MoveVertex(outline, self.dice.randrange(size + 1), self.point())

    def make_move_edge(self) -> Edit:
        outline = self.outline()
        edits = tuple(MoveVertex(outline, n, self.point()) for n in (0, 1))
        return CompositeEdit(edits, "Move an edge of a word")

    def make_add_vertex(self) -> Edit:
        outline = self.outline()
        size = len(outline.find(self.document).polygon)
        return AddVertex(outline, self.dice.randrange(size + 2), self.point())

    def make_delete_vertices(self) -> Edit:
        outline = self.outline()
        size = len(outline.find(self.document).polygon)
        return DeleteVertices(outline, tuple(self.dice.sample(range(size), min(size, 2))))

    def make_simplify(self) -> Edit:
        outline = self.outline()
        fewer = fewer_vertices(outline.find(self.document).polygon, self.dice.random() * 20)
        return CompositeEdit((SetPolygon(outline, fewer),), "Simplify a word")

    def make_draw_word(self) -> Edit:
        page, line = self.line()
        return add_word(self.document, page, self.box(), line)

    def make_draw_line(self) -> Edit:
        return add_line(self.document, self.page(), self.box())

    def make_split_word(self) -> Edit:
        place = self.word()
        word = self.document.pages[place[0]].lines[place[1]].words[place[2]]
        tokens = link(self.document).tokens_of.get(place, [])
        parts = {token: self.dice.choice((Part.FIRST, Part.SECOND)) for token in tokens}
        return split_word(self.document, *place, self.across(word.polygon), parts)

    def make_split_line(self) -> Edit:
        page, line = self.line()
        path = self.across(self.document.pages[page].lines[line].polygon)
        return split_line(self.document, page, line, path, self.dice.choice(list(Part)))

    def make_merge_words(self) -> Edit:
        page, line, word = self.word()
        count = len(self.document.pages[page].lines[line].words)
        words = {word, self.dice.randrange(count)}
        tokens = [t for k in words for t in link(self.document).tokens_of.get((page, line, k), [])]
        keep = self.dice.choice([None, *tokens])
        return merge_words(self.document, page, line, words, keep=keep)

    def make_merge_lines(self) -> Edit:
        page, line = self.line()
        other = self.dice.randrange(len(self.document.pages[page].lines))
        return merge_lines(self.document, page, {line, other})

    def make_give(self) -> Edit:
        page, line, word = self.word()
        other = self.dice.randrange(len(self.document.pages[page].lines))
        return move_words(self.document, page, [(line, word)], other)

    def make_order_words(self) -> Edit:
        page, line = self.line()
        order = list(range(len(self.document.pages[page].lines[line].words)))
        self.dice.shuffle(order)
        return order_words(self.document, page, line, order)

    def make_order_lines(self) -> Edit:
        page = self.page()
        order = list(range(len(self.document.pages[page].lines)))
        self.dice.shuffle(order)
        return order_lines(self.document, page, order)

    def make_remove_words(self) -> Edit:
        page, line, word = self.word()
        unlink = self.dice.random() < 0.5
        return remove_words(self.document, page, [(line, word)], unlink=unlink)

    def make_remove_lines(self) -> Edit:
        page, line = self.line()
        if len(self.document.pages[page].lines) < 4:
            return self.make_draw_line()
        return remove_lines(self.document, page, [line], unlink=self.dice.random() < 0.5)

    def make_lock(self) -> Edit:
        page, line = self.line()
        return LockLines(page, (line,), self.dice.random() < 0.3)

    def make_add_word(self) -> Edit:
        page, line = self.line()
        at = self.dice.randrange(len(self.document.pages[page].lines[line].words) + 1)
        return AddWord(page, line, at, WordValue(f"w{self.dice.randrange(999)}", self.box()))

    def make_remove_word(self) -> Edit:
        return RemoveWord(*self.word())

    def make_move_word(self) -> Edit:
        page, line, word = self.word()
        other = self.dice.randrange(len(self.document.pages[page].lines))
        return MoveWord(page, line, word, other, self.dice.randrange(4))

    def make_add_line(self) -> Edit:
        page = self.page()
        words = (WordValue("same", self.box()), WordValue(None, ()))
        line = LineValue(f"l{self.dice.randrange(99)}", "line", self.box(), words)
        at = self.dice.randrange(len(self.document.pages[page].lines) + 1)
        return AddLine(page, at, line)

    def make_remove_line(self) -> Edit:
        page, line = self.line()
        if len(self.document.pages[page].lines) < 4:
            return self.make_add_line()
        return RemoveLine(page, line)

    def make_move_line(self) -> Edit:
        page, line = self.line()
        return MoveLine(page, line, self.dice.randrange(len(self.document.pages[page].lines)))

    def make_token_text(self) -> Edit:
        return SetTokenText(*self.token(), self.text())

    def make_token_status(self) -> Edit:
        return SetTokenStatus(*self.token(), self.dice.choice(("", None, "typo")))

    def make_link(self) -> Edit:
        return LinkToken(*self.token(), self.dice.choice(("", None, "t3", "nowhere")))

    def make_scribe_error(self) -> Edit:
        return SetScribeError(*self.token(), self.dice.choice(("", "typo")), "a", "b")

    def make_add_token(self) -> Edit:
        section, segment, token = self.token()
        value = TokenValue(f"n{self.dice.randrange(99)}", "t1", "", self.text())
        return AddToken(section, segment, token, value)

    def make_remove_token(self) -> Edit:
        return RemoveToken(*self.token())

    def make_move_token(self) -> Edit:
        section, segment, token = self.token()
        count = len(self.document.sections[section].segments[segment].tokens)
        return MoveToken(section, segment, token, self.dice.randrange(count))

    def make_transcription(self) -> Edit:
        return SetTranscription(*self.token()[:2], self.text())

    def make_translation(self) -> Edit:
        return SetTranslation(*self.token()[:2], self.text())

    def make_zone_refs(self) -> Edit:
        refs = tuple(self.dice.sample(("z0", "z1", "z2", "z9"), self.dice.randrange(4)))
        return SetZoneRefs(*self.token()[:2], refs)

    def region(self) -> tuple[int, int]:
        page = self.page()
        return page, self.dice.choice(range(len(self.document.pages[page].regions)))

    def make_draw_region(self) -> Edit:
        return add_region(self.document, self.page(), self.box())

    def make_add_region(self) -> Edit:
        page = self.page()
        regions = self.document.pages[page].regions
        value = RegionValue(f"x{self.dice.randrange(10**6)}", "TextRegion", None, self.box())
        return AddRegion(page, self.dice.randrange(len(regions) + 1), value)

    def make_remove_region(self) -> Edit:
        return RemoveRegion(*self.region())

    def make_region_outline(self) -> Edit:
        return SetRegionOutline(*self.region(), self.box())

    def make_region_kind(self) -> Edit:
        page, region = self.region()
        kind = self.document.pages[page].regions[region].kind
        return SetRegionKind(page, region, kind, self.dice.choice(("heading", "caption", None)))

    def make_line_region(self) -> Edit:
        page, region = self.region()
        return SetLineRegion(*self.line(), self.document.pages[page].regions[region].id)

    def make_split_region(self) -> Edit:
        page, region = self.region()
        path = self.across(self.document.pages[page].regions[region].polygon)
        return split_region(self.document, page, region, path)

    def make_baseline(self) -> Edit:
        return SetBaseline(*self.line(), self.box()[2:][: self.dice.choice((0, 2))])

    def make_add_segment(self) -> Edit:
        section, segment, _ = self.token()
        token = TokenValue("n1", "t1", "", self.text())
        value = SegmentValue(f"s{self.dice.randrange(99)}", ("z1",), (token,), self.text())
        return AddSegment(section, segment, value)

    def make_remove_segment(self) -> Edit:
        section, segment, _ = self.token()
        if len(self.document.sections[section].segments) < 4:
            return self.make_add_segment()
        return RemoveSegment(section, segment)

    def make_page_facts(self) -> Edit:
        return SetPageFacts(self.page(), self.dice.randrange(9000), 6600, 600)

    def make_page_count(self) -> Edit:
        return SetPageCount(self.dice.choice((None, 1, 2)))


def walk(folder: Path, steps: int, seed: int, name: str = SAMPLE) -> None:
    """So many steps, saved now and then; then all the way back, and there again."""
    path = folder / name
    shutil.copy(DATA / name, path)
    original = path.read_bytes()
    workspace = PageWorkspace.open(path, folder=folder / "journals")
    try:
        walker = Walker(workspace.document, seed)
        made = 0
        seen: set[str] = set()
        while made < steps:
            try:
                edit = walker.next_of_deck()
                workspace.execute(edit)
            except (InputError, IndexError):
                continue  # such an edit makes no sense now, or there is nothing of its kind
            made += 1
            seen.add(type(edit).__name__)
            if made % max(steps // 4, 1) == 0:
                workspace.save()
        workspace.save()
        end = path.read_bytes()
        state = [(line.id, line.locked) for page in workspace.document.pages for line in page.lines]
        assert end != original
        assert seen == _edits() or steps < 600
        while workspace.can_undo:
            workspace.undo()
        assert write(workspace.document, workspace.source) == original
        workspace.save()
        assert path.read_bytes() == original
        assert not any(line.locked for page in workspace.document.pages for line in page.lines)
        while workspace.can_redo:
            workspace.redo()
        workspace.save()
        assert path.read_bytes() == end
        assert state == [
            (line.id, line.locked) for page in workspace.document.pages for line in page.lines
        ]
    finally:
        workspace.close()


def _edits() -> set[str]:
    """Every kind of edit that there is."""
    return set(codec._EDITS)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_walk_of_edits_is_undone_byte_for_byte(tmp_path: Path, seed: int) -> None:
    walk(tmp_path, 600, seed)


def test_a_walk_over_two_pages(tmp_path: Path) -> None:
    name = next(path.name for path in DATA.glob("groups*.madcat.xml"))
    walk(tmp_path, 150, 3, name)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(11, 15))
def test_a_walk_of_five_thousand_edits(tmp_path: Path, seed: int) -> None:
    walk(tmp_path, 5000, seed)

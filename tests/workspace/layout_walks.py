"""Walks of random edits over files of neighbours' formats, and the odd forms that these come in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from madcat_studio.edits import AddLine, Edit, LineValue, SetPolygon, SetRegionKind, WordValue
from madcat_studio.edits.arranging import add_line, joined_regions, order_lines, remove_lines
from madcat_studio.errors import InputError
from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Document
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_random_walk import Walker

__all__ = ["FORMS", "LayoutWalker", "walk_over"]

_NOT_HELD = {
    "make_translation", "make_token_status", "make_page_count", "make_page_facts",
    "make_line_region", "make_split_region", "make_add_segment", "make_remove_segment",
    "make_move_line",
}  # fmt: skip
"""Edits of what only MADCAT has, and orders that regions do not allow: saving in place refuses
them. Each has a test of its own."""


class LayoutWalker(Walker):
    """Makes edits that PAGE XML and ALTO have a place for."""

    def __init__(self, document: Document, seed: int) -> None:
        super().__init__(document, seed)
        self.kinds = [kind for kind in self.kinds if kind.__name__ not in _NOT_HELD]

    def make_order_lines(self) -> Edit:
        """As the window does it: what comes among the lines of another region joins it."""
        page = self.page()
        order = list(range(len(self.document.pages[page].lines)))
        at = self.dice.randrange(len(order))
        order.insert(self.dice.randrange(len(order)), order.pop(at))
        joins = joined_regions(self.document.pages[page], order)
        return order_lines(self.document, page, order, joins)

    def make_set_polygon(self) -> Edit:
        return SetPolygon(self.outline(), self.box())

    def make_draw_line(self) -> Edit:
        return add_line(self.document, self.page(), self.box(), by_lines=True)

    def make_remove_lines(self) -> Edit:
        page, line = self.line()
        if len(self.document.pages[page].lines) < 4:
            return self.make_draw_line()
        return remove_lines(self.document, page, [line], unlink=True, by_lines=True)

    def make_add_line(self) -> Edit:
        page = self.page()
        words = (WordValue("same", self.box()), WordValue(None, self.box()))
        line = LineValue(f"l{self.dice.randrange(99)}", "line", self.box(), words)
        at = self.dice.randrange(len(self.document.pages[page].lines) + 1)
        return AddLine(page, at, line)


class OldestWalker(LayoutWalker):
    """The same without baselines, which PAGE 2010 has not."""

    def __init__(self, document: Document, seed: int) -> None:
        super().__init__(document, seed)
        self.kinds = [kind for kind in self.kinds if kind.__name__ != "make_baseline"]

    def make_region_kind(self) -> Edit:
        """Only regions of text have the types that 2010 lists."""
        made = super().make_region_kind()
        if not isinstance(made, SetRegionKind) or made.kind != "TextRegion":
            raise IndexError
        return made


class AltoWalker(LayoutWalker):
    """The same without texts of lines beside those of their words, which ALTO has no place for."""

    def __init__(self, document: Document, seed: int) -> None:
        super().__init__(document, seed)
        apart = ("make_transcription", "make_zone_refs", "make_merge_lines", "make_split_line")
        self.kinds = [kind for kind in self.kinds if kind.__name__ not in apart]


class BoxWalker(AltoWalker):
    """The same without edits that leave another outline than a box, which ALTO 2 has not."""

    def __init__(self, document: Document, seed: int) -> None:
        super().__init__(document, seed)
        bent = (
            "make_move_vertex", "make_move_edge", "make_add_vertex", "make_delete_vertices",
            "make_split_word", "make_merge_words", "make_simplify",
        )  # fmt: skip
        self.kinds = [kind for kind in self.kinds if kind.__name__ not in bent]


def walk_over(path: Path, steps: int, seed: int) -> int:
    """So many edits of a file, saved now and then; then all the way back, and there again.

    Edits are taken back until the file can hold what is left, and the walk goes on.

    Returns:
        how many were taken back for what the format has no place for. Others left an outline out,
        or put lines into an order that their regions do not allow, which has a test of its own.
    """
    original = path.read_bytes()
    faults = _faults(original)
    workspace = PageWorkspace.open(path, folder=path.parent / "journals")
    assert workspace.path == path
    try:
        plain = original.replace(b"\0", b"")  # UTF-16 has one beside each of these letters
        kind = OldestWalker if b"pagecontent/2010" in plain else LayoutWalker
        kind = AltoWalker if b"<alto" in plain or b":alto" in plain else kind
        kind = BoxWalker if b"alto/ns-v2#" in plain else kind
        walker = kind(workspace.document, seed)
        made = refused = 0
        for _ in range(steps * 20):
            try:
                edit = walker.next_of_deck()
            except (InputError, LookupError, ValueError):
                continue  # there is nothing of its kind, or no room for it
            try:
                workspace.execute(edit)
            except (InputError, IndexError):
                continue  # such an edit makes no sense now
            made += 1
            if made % max(steps // 4, 1) == 0 or made == steps:
                while (code := _save(workspace, faults)) != "saved":
                    workspace.undo()
                    refused += code == "layout.cannot-hold"
            if made == steps:
                break
        assert workspace.position
        _save(workspace, faults)
        end, place = path.read_bytes(), workspace.position
        assert end != original
        while workspace.can_undo:
            workspace.undo()
        assert write(workspace.document, workspace.source) == original
        workspace.save()
        assert path.read_bytes() == original
        workspace.go_to(place)
        workspace.save()
        assert path.read_bytes() == end
        return refused
    finally:
        workspace.close(discard=True)


def _save(workspace: PageWorkspace, faults: set[str]) -> str:
    """Save, or tell why the file cannot hold what is there; saving adds nothing invalid."""
    try:
        workspace.save()
    except InputError as error:
        if error.code not in ("layout.cannot-hold", "layout.no-outline"):
            raise
        return "order" if "this order of lines" in error.reason else error.code
    data = workspace.path.read_bytes()
    assert _faults(data) <= faults
    again = read_document(Source(data, str(workspace.path), image=workspace.source.image))
    assert len(again.document.pages[0].lines) == len(workspace.document.pages[0].lines)
    return "saved"


def _faults(data: bytes) -> set[str]:
    return {violation.what for violation in violations(Source(data, "x"))}


# The forms that XML comes in


def _declared(text: str, encoding: str) -> str:
    body = re.sub(r"^<\?xml[^>]*\?>\s*", "", text)
    return f'<?xml version="1.0" encoding="{encoding}"?>\n{body}'


def _utf16(text: str) -> bytes:
    return b"\xff\xfe" + _declared(text, "UTF-16").encode("utf-16-le")


def _prefixed(text: str) -> bytes:
    text = re.sub(r"<(/?)(?=[A-Za-z])", r"<\1pc:", text)
    return text.replace(" xmlns=", " xmlns:pc=", 1).encode()


def _single_quotes(text: str) -> bytes:
    return re.sub(r'="([^"\']*)"', r"='\1'", text).encode()


def _entities(text: str) -> bytes:
    return re.sub(r"[^\x00-\x7f]", lambda match: f"&#x{ord(match.group()):X};", text).encode()


def _commented(text: str) -> bytes:
    return re.sub(
        r"(</Coords>|<Coords[^>]*/>|<TextEquiv>|<SP/>)",
        r"<!-- a <TextLine> --><?note id='x'?>\1<!-- b -->",
        text,
    ).encode()


def _one_line(text: str) -> bytes:
    return re.sub(r">\s+<", "><", text).encode()


FORMS: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "UTF-16": _utf16,
    "BOM": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "prefixes": _prefixed,
    "single quotes": _single_quotes,
    "entities": _entities,
    "comments": _commented,
    "one line": _one_line,
    "all at once": lambda text: _utf16(
        _single_quotes(_commented(_prefixed(text).decode()).decode()).decode().replace("\n", "\r")
    ),
    "windows-1256": lambda text: _declared(text, "windows-1256").encode(
        "cp1256", "xmlcharrefreplace"
    ),
}

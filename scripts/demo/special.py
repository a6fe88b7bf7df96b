"""Three pages for the annotator: unmarked words, bleeding lines, a second segmentation."""

from __future__ import annotations

from copy import deepcopy

from madcat_studio.model.document import Document, Line, Point, Polygon, Word
from scripts.demo.articles import article_passages
from scripts.demo.chance import generator
from scripts.demo.outlines import line_outline
from scripts.demo.written import Copy, write_copy

__all__ = ["bleeding_page", "second_segmentation", "twice_segmented_page", "unmarked_page"]

UNMARKED = 10
"""How many written words of the first page have no polygon."""

_CROWDING = 130


def _page(number: int, day: int, scribe: str, articles: tuple[int, ...], crowding: int = 0) -> Copy:
    passages = article_passages()
    return write_copy(
        base=f"DEMO_ARB_204802{day:02d}.{number:04d}_1_{scribe}",
        genre="newswire",
        scribe=scribe,
        segments=[
            (text.tokens, text.reference)
            for article in articles
            for text in passages[article].segments
        ],
        errors=[],
        crowding=crowding,
    )


def unmarked_page() -> Copy:
    """A page on which nobody has marked ten of the words yet: their tokens have no word."""
    copy = _page(5, 1, "SCR0002", (1, 4, 5))
    lines = copy.document.pages[0].lines
    words = [word for line in lines for word in line.words if len(line.words) > 3]
    step = len(words) // UNMARKED
    gone = {word.id for word in words[step // 2 :: step][:UNMARKED]}
    for line in lines:
        line.words = [word for word in line.words if word.id not in gone]
    for segment in copy.document.segments():
        for token in segment.tokens:
            if token.ref_id in gone:
                token.ref_id = ""
    return copy


def bleeding_page() -> Copy:
    """A page so crowded that lines' polygons take in parts of other lines' words."""
    return _page(6, 2, "SCR0004", (7, 10), _CROWDING)


def twice_segmented_page() -> Copy:
    """A page that a second annotator marked as well (`second_segmentation`)."""
    return _page(7, 3, "SCR0001", (8, 9, 24))


def second_segmentation(document: Document) -> Document:
    """The same page as a second annotator marked it.

    Every polygon lies a little differently; two words were taken for one, one word for two, and
    the last line was cut in two.
    """
    second = deepcopy(document)
    rng = generator("second", document.id)
    page = second.pages[0]
    for line in page.lines:
        for word in line.words:
            word.polygon = tuple(
                (x + round(rng.normal(0, 7)), y + round(rng.normal(0, 7))) for x, y in word.polygon
            )
    _join(second, page.lines[1], 2)
    _split(page.lines[2])
    last = page.lines[-1]
    half = len(last.words) // 2
    page.lines.append(Line(f"z{len(page.lines)}", "line", (), last.words[half:]))
    last.words = last.words[:half]
    for line in page.lines:
        words = [[(round(x), round(y)) for x, y in word.polygon] for word in line.words]
        line.polygon = tuple(line_outline(words, 12))
    return second


def _bounds(polygons: list[Polygon]) -> tuple[float, float, float, float]:
    xs = [x for polygon in polygons for x, _ in polygon]
    ys = [y for polygon in polygons for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def _join(document: Document, line: Line, place: int) -> None:
    """Words ``place`` and the next become one; both tokens refer to it."""
    one, other = line.words[place : place + 2]
    one.polygon = _box(*_bounds([one.polygon, other.polygon]))
    line.words.remove(other)
    for segment in document.segments():
        for token in segment.tokens:
            if token.ref_id == other.id:
                token.ref_id = one.id


def _split(line: Line) -> None:
    """The line's widest word becomes two; the token keeps the right-hand one."""
    boxes = [_bounds([word.polygon]) for word in line.words]
    place = max(range(len(boxes)), key=lambda i: boxes[i][2] - boxes[i][0])
    left, top, right, bottom = boxes[place]
    word = line.words[place]
    middle = round((left + right) / 2)
    word.polygon = _box(middle + 3, top, right, bottom)
    line.words.insert(place + 1, Word(f"{word.id}b", _box(left, top, middle - 3, bottom)))

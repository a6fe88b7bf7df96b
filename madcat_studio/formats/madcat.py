"""MADCAT XML: read liberally, keep everything, write back what was read except what changed.

There is no public specification; the shape below is what programs that read real files agree on.
Local names decide, whatever the namespace. Only the root must be right; anything else that is
odd becomes a problem with its place, and stays in the file.

    madcat(version) > doc(id src type nbpages) > writer(id)
      image > page(id width height dpi colordepth) > zone(id type)
        polygon > point(x y);  token-image(id) > polygon > point(x y)
      content > section(id type) > segment(id)
        zone_ref;  token(id ref_id status) > source;  transcription;  translation

What other formats have and MADCAT has not stands in a namespace of its own, where other programs do
not look: ``zone`` has ``layout:baseline``, ``layout:region`` and ``layout:custom``, and ``page``
holds ``layout:region(id kind type parent points custom traits)`` before its zones. ``page``,
``zone`` and ``token-image`` have ``layout:traits``.

Revisions: files without ``version`` occur and read the same; ``colordepth``, ``writer``, ``image``
and each text may be absent (system output and task inputs lack some by design).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from madcat_studio.errors import FormatError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.madcat_problems import (
    EXTENSION,
    FOREIGN,
    MOST,
    WHOLE_NUMBER,
    Noticing,
)
from madcat_studio.formats.numbers import plain_number, points_of
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.formats.xml import Element, has_doctype, parse_plain, too_deep
from madcat_studio.garbage import uncollected
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Point,
    Polygon,
    Region,
    Section,
    Segment,
    Token,
    Word,
)
from madcat_studio.model.names import label
from madcat_studio.model.problem import Severity

__all__ = ["KNOWN_SUFFIXES", "base_of", "read", "read_bytes", "read_point", "read_source"]

KNOWN_SUFFIXES = tuple(
    f"{kind}.madcat.xml"
    for kind in (".lineseg", ".wordseg", ".textseg", ".linesys", ".wordsys", ".transys", "")
)
"""What a document's file name may end in after its BASE, the longer ones first."""
_REGION = f"{{{EXTENSION}}}region"
_TRAITS = f"{{{EXTENSION}}}traits"


def base_of(path: Path | str) -> str:
    """BASE of a file name: without a known suffix. BASE itself contains dots.

    ``a.b_1_SCR.linesys.madcat.xml`` gives ``a.b_1_SCR``; a name without a known suffix loses
    only a final ``.xml``.
    """
    name = Path(path).name
    for suffix in KNOWN_SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name[:-4] if name.lower().endswith(".xml") else name


def read(path: Path | str) -> ReadDocument:
    """Read a MADCAT file.

    Returns:
        The document, its bytes and what reading noticed.

    Raises:
        InputError: there is no such file.
        WorldError: it cannot be read.
        FormatError: it is not MADCAT XML at all (see :func:`read_bytes`).
    """
    path = Path(path)
    return read_source(Source(read_file(path), str(path), path))


def read_bytes(data: bytes, name: str) -> ReadDocument:
    """Read a MADCAT file that is in memory; ``name`` is for messages.

    Raises:
        FormatError: ``madcat.wrong-root``, or what :func:`formats.xml.parse_plain` raises.
    """
    return read_source(Source(data, name))


def read_source(source: Source) -> ReadDocument:
    """Read a MADCAT file from its source; see :func:`read_bytes`."""
    reader = _Reader(source)
    try:
        with uncollected():
            document = reader.madcat(parse_plain(source))
    except RecursionError:
        raise too_deep(source.name) from None
    return ReadDocument(document, source, tuple(reader.problems))


def read_point(x: str | None, y: str | None) -> Point | None:
    """The point that two attributes give, None where one is missing or no number.

    Reading and writing share this rule: it decides which ``point`` elements a polygon has.
    """
    if x is None or y is None:
        return None
    try:
        return _coordinate(x), _coordinate(y)
    except ValueError:
        return None


def _coordinate(text: str) -> float:
    value = int(text) if WHOLE_NUMBER.match(text) else float(text)
    if not abs(value) < MOST:  # infinities, not-a-number and what no page can hold
        raise ValueError(text)
    return value


class _Reader(Noticing):
    """One pass over the tree in document order, counting elements for ``origin``."""

    def madcat(self, root: Element) -> Document:
        name = self.names[root.tag]
        if name != "madcat":
            raise FormatError(
                "madcat.wrong-root",
                f"this is not a MADCAT file: its root is “{name}”, not “madcat”",
                where=f"{self.source.name}:{self.source.line_of(0)}",
                remedy="Other page formats can be converted with `madcat-studio convert`",
            )
        self.ordinal = 0
        decoded = self.source.decoded
        if decoded.disagrees:
            self.note(
                "encoding-disagrees",
                Severity.WARNING,
                "XML declaration",
                f"the file declares {decoded.declared} but its bytes are {decoded.encoding}",
                f"read as {decoded.encoding}; kept so on saving",
                "Correct the declaration",
            )
        if has_doctype(decoded.text):
            self.note(
                "doctype-unread",
                Severity.NOTE,
                "document type",
                "the file names a document type",
                "kept in the file, not read",
            )
        version = self.attributes(root, "madcat", "madcat", ("version",)).get("version")
        document: Document | None = None
        for child in root:
            kind = self.names[child.tag]
            if kind == "doc" and document is None:
                document = self.doc(child)
            else:
                self.unknown_element(child, "madcat", "madcat")
        if document is None:
            self.note(
                "doc-missing",
                Severity.ERROR,
                "madcat",
                "the file has no “doc” element",
                "read as a document without pages and text",
                "Get a new copy of the file",
                0,
            )
            document = Document(None)
        document.version = version
        self.stray(root, "madcat", "madcat", 0)
        return document

    def doc(self, element: Element) -> Document:
        self.ordinal += 1
        origin = self.ordinal
        found = self.attributes(element, "doc", "doc", ("id", "src"))
        document = Document(
            found.get("id"),
            found.get("src"),
            found.get("type"),
            self.number("doc", "nbpages", found.get("nbpages")),
            origin=origin,
        )
        writers = 0
        for child in element:
            kind = self.names[child.tag]
            if kind == "writer" and not writers:
                writers += 1
                self.ordinal += 1
                document.scribe = self.attributes(child, "writer", "writer", ("id",)).get("id")
                for inner in child:
                    self.unknown_leaf(inner, "writer", "writer")
            elif kind == "image":
                self.image(child, document)
            elif kind == "page":  # some writers leave the wrapper out
                document.pages.append(self.page(child, len(document.pages)))
            elif kind == "content":
                self.content(child, document)
            else:
                self.unknown_element(child, "doc", "doc")
        self.stray(element, "doc", "doc", origin)
        return document

    def image(self, element: Element, document: Document) -> None:
        self.ordinal += 1
        origin = self.ordinal
        self.attributes(element, "image", "image")
        for child in element:
            kind = self.names[child.tag]
            if kind == "page":
                document.pages.append(self.page(child, len(document.pages)))
            else:
                self.unknown_element(child, "image", "image")
        self.stray(element, "image", "image", origin)

    def page(self, element: Element, index: int) -> Page:
        self.ordinal += 1
        origin = self.ordinal
        place = label("page", element.get("id"), index)
        found = self.attributes(element, "page", place, ("id", "width", "height", "dpi"))
        page = Page(
            found.get("id"),
            self.number(place, "width", found.get("width")),
            self.number(place, "height", found.get("height")),
            self.number(place, "dpi", found.get("dpi")),
            self.number(place, "colordepth", found.get("colordepth")),
            origin=origin,
            traits=found.get(_TRAITS),
        )
        lines = page.lines
        for child in element:
            kind = self.names[child.tag]
            if kind == "zone":
                lines.append(self.zone(child, place, len(lines)))
            elif child.tag == _REGION and not len(child):
                page.regions.append(self.region(child))
            else:
                self.unknown_element(child, "page", place)
        self.stray(element, "page", place, origin)
        return page

    def region(self, element: Element) -> Region:
        self.ordinal += 1
        return Region(
            element.get("id") or "",
            element.get("kind") or "",
            element.get("type"),
            points_of(element.get("points")),
            element.text,
            element.get("parent"),
            self.ordinal,
            element.get("custom"),
            element.get("traits"),
        )

    def zone(self, element: Element, above: str, index: int) -> Line:
        self.ordinal += 1
        origin = self.ordinal
        place = f"{above} {label('line', element.get('id'), index)}"
        found = self.attributes(element, "zone", place, ("id", "type"))
        line = Line(found.get("id"), found.get("type"), origin=origin)
        if len(found) > 2:
            line.baseline = points_of(found.get(f"{{{EXTENSION}}}baseline"))
            line.region = found.get(f"{{{EXTENSION}}}region")
            line.custom = found.get(f"{{{EXTENSION}}}custom")
            line.traits = found.get(_TRAITS)
        words = line.words
        polygon: Polygon | None = None
        for child in element:
            kind = self.names[child.tag]
            if kind == "token-image":
                words.append(self.token_image(child, place, len(words)))
            elif kind == "polygon" and polygon is None:
                polygon = self.polygon(child, (above, "line", line.id, index))
            else:
                self.unknown_element(child, "zone", place)
        if polygon is None:
            self.no_polygon("zone", place, origin)
        else:
            line.polygon = polygon
        self.stray(element, "zone", place, origin)
        return line

    def token_image(self, element: Element, above: str, index: int) -> Word:
        self.ordinal += 1
        origin = self.ordinal
        found = element.attrib
        identifier: str | None = found.get("id")
        where = (above, "word", identifier, index)
        if len(found) != 1 or identifier is None:
            self.attributes(element, "token-image", _place(*where), ("id",))
        word = Word(identifier, origin=origin, traits=found.get(_TRAITS))
        polygon: Polygon | None = None
        for child in element:
            if polygon is None and self.names[child.tag] == "polygon":
                polygon = self.polygon(child, where)
            else:
                self.unknown_element(child, "token-image", _place(*where))
        if polygon is None:
            self.no_polygon("token-image", _place(*where), origin)
        else:
            word.polygon = polygon
        text = element.text
        if text and not text.isspace():
            self.stray(element, "token-image", _place(*where), origin)
        return word

    def polygon(self, element: Element, where: tuple[str, str, str | None, int]) -> Polygon:
        """The points of an outline; ``where`` it is, is made a text if something is to be told."""
        self.ordinal += 1
        origin = self.ordinal
        if element.keys():
            self.attributes(element, "polygon", _place(*where))
        text = element.text
        if text and not text.isspace():
            self.stray(element, "polygon", _place(*where), origin)
        size = len(element)
        point = element[0].tag if size and self.names[element[0].tag] == "point" else None
        try:
            # This is most of a file: points that have two whole numbers and nothing else.
            points = [
                (plain_number(found["x"]), plain_number(found["y"]))
                for child in element
                if child.tag == point and len(found := child.attrib) == 2 and not len(child)
            ]
        except (KeyError, ValueError):
            return self.odd_polygon(element, _place(*where), origin)
        if len(points) != size:
            return self.odd_polygon(element, _place(*where), origin)
        self.ordinal += size
        return tuple(points)

    def odd_polygon(self, element: Element, place: str, origin: int) -> Polygon:
        """The points of an outline of which at least one is odd."""
        points: list[Point] = []
        fractions = 0
        for child in element:
            if self.names[child.tag] != "point":
                self.unknown_element(child, "polygon", place)
                continue
            self.ordinal += 1
            fractions += self.odd_point(child.attrib, points, place)
            for inner in child:
                self.unknown_leaf(inner, "point", place)
        if fractions:
            self.note(
                "point-fractional",
                Severity.WARNING,
                place,
                f"the polygon has {fractions} point{'s' * (fractions > 1)} with fractional "
                "coordinates",
                "kept as they are until they are moved",
                "Pixels are whole numbers",
                origin,
            )
        return tuple(points)

    def odd_point(self, found: Mapping[str, str], points: list[Point], place: str) -> bool:
        """Read a point, perhaps not of two whole numbers; tells whether it was fractional."""
        for key in found:
            if key not in ("x", "y") and not key.startswith(FOREIGN):
                self.unknown_attribute("point", key, place)
        x, y = found.get("x"), found.get("y")
        point = read_point(x, y)
        if point is None:
            lacks = " and ".join(k for k, v in (("x", x), ("y", y)) if v is None)
            said = f"has no {lacks}" if lacks else f"is not a pair of numbers ({x}, {y})"
            self.note(
                "point-unreadable",
                Severity.WARNING,
                place,
                f"a point of the polygon {said}",
                "left out of the polygon, kept in the file",
                "Correct or remove the point",
            )
            return False
        points.append(point)
        return not (isinstance(point[0], int) and isinstance(point[1], int))

    def content(self, element: Element, document: Document) -> None:
        self.ordinal += 1
        origin = self.ordinal
        self.attributes(element, "content", "content")
        loose: Section | None = None
        for child in element:
            kind = self.names[child.tag]
            if kind == "section":
                document.sections.append(self.section(child, len(document.sections)))
            elif kind == "segment":
                if loose is None:
                    # Its origin is that of `content`: the element that holds the segments.
                    loose = Section(None, None, [], origin)
                    document.sections.append(loose)
                    self.note(
                        "section-missing",
                        Severity.WARNING,
                        "content",
                        "segments stand outside a section",
                        "read as a section without id",
                        "Put them into a section",
                        self.ordinal + 1,
                    )
                loose.segments.append(self.segment(child, len(loose.segments)))
            else:
                self.unknown_element(child, "content", "content")
        self.stray(element, "content", "content", origin)

    def section(self, element: Element, index: int) -> Section:
        self.ordinal += 1
        origin = self.ordinal
        place = label("section", element.get("id"), index)
        found = self.attributes(element, "section", place, ("id",))
        section = Section(found.get("id"), found.get("type"), [], origin)
        for child in element:
            kind = self.names[child.tag]
            if kind == "segment":
                section.segments.append(self.segment(child, len(section.segments)))
            else:
                self.unknown_element(child, "section", place)
        self.stray(element, "section", place, origin)
        return section

    def segment(self, element: Element, index: int) -> Segment:
        self.ordinal += 1
        origin = self.ordinal
        place = label("segment", element.get("id"), index)
        segment = Segment(
            self.attributes(element, "segment", place, ("id",)).get("id"), origin=origin
        )
        tokens = segment.tokens
        for child in element:
            kind = self.names[child.tag]
            if kind == "token":
                tokens.append(self.token(child, place, len(tokens)))
            elif kind == "zone_ref":
                text = self.text(child, kind, place)
                if text != text.strip():
                    self.note(
                        "reference-blanks",
                        Severity.NOTE,
                        place,
                        f"zone_ref has blanks around “{text.strip()}”",
                        "read without them",
                        "Remove the blanks",
                    )
                segment.zone_refs.append(text.strip())
            elif kind == "transcription" and segment.transcription is None:
                segment.transcription = self.text(child, kind, place)
            elif kind == "translation" and segment.translation is None:
                segment.translation = self.text(child, kind, place)
            else:
                self.unknown_element(child, "segment", place)
        self.stray(element, "segment", place, origin)
        return segment

    def token(self, element: Element, above: str, index: int) -> Token:
        self.ordinal += 1
        origin = self.ordinal
        found = element.attrib
        identifier: str | None = found.get("id")
        where = (above, "token", identifier, index)
        if not (len(found) == 3 and "id" in found and "ref_id" in found and "status" in found):
            self.attributes(element, "token", _place(*where), ("id",))
        token = Token(identifier, found.get("ref_id"), found.get("status"), origin=origin)
        for child in element:
            if token.source is None and self.names[child.tag] == "source":
                if len(child) or child.keys():
                    token.source = self.text(child, "source", _place(*where))
                else:
                    self.ordinal += 1
                    token.source = child.text or ""
            else:
                self.unknown_element(child, "token", _place(*where))
        text = element.text
        if text and not text.isspace():
            self.stray(element, "token", _place(*where), origin)
        return token


def _place(above: str, kind: str, identifier: str | None, index: int) -> str:
    """What a user is told about where something is."""
    return f"{above} {label(kind, identifier, index)}"

"""GEDI, the ground-truthing tool of the programme: flat zones with boxes or polygons."""

from __future__ import annotations

import re

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.numbers import box_polygon, number, points_of, whole
from madcat_studio.formats.shapes import Places
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element, Names, parse_xml
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import turned
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.problem import Severity

__all__ = ["KIND", "LINE", "WORD", "read_gedi"]

_TEXTS = ("text_content", "contents", "content", "text", "transcription", "transcript")
"""Attributes that projects chose for text, letter case aside, the more telling ones first."""

WORD = re.compile(r"(?i)text$|word|token|paw")
LINE = re.compile(r"(?i)line")
KIND = re.compile(r"[A-Z]\w*Region")
"""A type of a zone that says of which kind its region is, in the words of PAGE XML."""

_OWN = {"region", "line", "baseline", "type", "custom", "traits"}
"""What our own writer says besides: what a zone lies in, by its id, and points."""
_BOX = {"id", "gedi_type", "col", "row", "width", "height", "polygon", "orientationD", "nextZoneID"}


def read_gedi(source: Source) -> ReadLayout:
    """Read a GEDI file. Its zones are flat: a word belongs to the line that holds its centre.

    What a zone lies in counts more, where the file says it as our own writer does.

    Raises:
        FormatError: ``gedi.wrong-root``, ``gedi.no-page``, or as ``parse_xml``.
    """
    root = parse_xml(source)
    names = Names()
    if names[root.tag] != "GEDI":
        raise FormatError(
            "gedi.wrong-root",
            "this is not GEDI: its root is not “GEDI”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    notes = Notes(source)
    survey = Survey(root)
    places = survey.ordinals
    pages = [_page(e, names, notes, places) for e in places if names[e.tag] == "DL_PAGE"]
    if not pages:
        raise FormatError(
            "gedi.no-page",
            "the file has no page",
            where=source.name,
            remedy="Get a new copy of the file",
        )
    zones = [e for e in root.iter("*") if names[e.tag] == "DL_ZONE"]
    text = {key for zone in zones for key in zone.attrib if key.lower() in _TEXTS}
    numbers = {"col", "row", "width", "height", "orientationD"}
    notes.tell_unreadable(survey, numbers, {"polygon", "baseline"})
    notes.tell_unheld(
        survey,
        {
            "GEDI": set(),
            "DL_DOCUMENT": {"src", "NrOfPages", "docTag"},
            "DL_PAGE": {"src", "width", "height", "pageID", "gedi_type", "traits"},
            "DL_ZONE": _BOX | _OWN | text,
        },
    )
    return ReadLayout(Layout(pages), tuple(notes.problems), source)


def _page(element: Element, names: Names, notes: Notes, places: dict[Element, int]) -> LayoutPage:
    page = LayoutPage(
        element.get("pageID"),
        element.get("src"),
        whole(element.get("width")),
        whole(element.get("height")),
        traits=element.get("traits"),
    )
    page.origin = places[element]
    region = LayoutRegion(None)
    regions: dict[str, LayoutRegion] = {}
    lines: dict[str, LayoutLine] = {}
    words: list[tuple[LayoutWord, str | None]] = []
    within: list[tuple[LayoutLine, str | None]] = []
    for zone in _in_order(
        [each for each in element if names[each.tag] == "DL_ZONE"], notes, places
    ):
        kind, name = zone.get("gedi_type") or "", zone.get("id")
        outline, text = _outline(zone, notes, places), _text(zone)
        if LINE.search(kind):
            line = LayoutLine(name, outline, points_of(zone.get("baseline")), text)
            line.custom, line.traits = zone.get("custom"), zone.get("traits")
            line.origin = places[zone]
            within.append((line, zone.get("region")))
            lines.setdefault(name or "", line)
        elif WORD.search(kind):
            word = LayoutWord(name, outline, text, places[zone], zone.get("traits"))
            words.append((word, zone.get("line")))
        else:
            what = kind if KIND.fullmatch(kind) else TEXT_REGION if text else "UnknownRegion"
            made = LayoutRegion(name, what, outline, text, origin=places[zone])
            made.type, made.custom = zone.get("type"), zone.get("custom")
            made.traits = zone.get("traits")
            made.parent = regions.get(zone.get("region") or "")
            regions.setdefault(name or "", made)
            page.regions.append(made)
    for line, home in within:
        regions.get(home or "", region).lines.append(line)
    places_of_lines = Places((line, line.polygon) for line, _ in within)
    for word, home in words:
        holder = lines.get(home) if home else None
        holder = holder or places_of_lines.around(word.polygon)
        if holder is None:
            notes.tell(
                "word-without-line",
                f"the word {word.id} is not in any line",
                origin=places[element],
                done="put into a line of its own",
            )
            holder = LayoutLine(None)
            region.lines.append(holder)
            within.append((holder, None))
        holder.words.append(word)
    for line, _ in within:
        if line.text is None:
            line.text = " ".join(word.text for word in line.words if word.text) or None
    if region.lines:
        page.regions.insert(0, region)
    return page


def _in_order(zones: list[Element], notes: Notes, places: dict[Element, int]) -> list[Element]:
    """The zones as each names the one that is read after it; otherwise as the file has them."""
    following: dict[str, Element] = {}
    behind: set[str] = set()
    by_id = {name: zone for zone in zones if (name := zone.get("id"))}
    for zone in zones:
        name, after = zone.get("id"), (zone.get("nextZoneID") or "").strip()
        if name is None or after in ("", "-1", "0", name):
            continue  # the last one of a chain
        if after not in by_id or after in behind:
            notes.tell(
                "zone-order-unclear",
                f"the zone {name} names “{after}” as the next one, but there is no such zone"
                if after not in by_id
                else f"two zones name {after} as the next one",
                origin=places[zone],
                done="left where it is",
            )
            continue
        following[name] = by_id[after]
        behind.add(after)
    ordered: list[Element] = []
    left = dict.fromkeys(zones)
    # Chains without a beginning go round; they are begun where the file has them.
    for zone in [*(one for one in zones if one.get("id") not in behind), *zones]:
        next_: Element | None = zone
        while next_ is not None and next_ in left:
            del left[next_]
            ordered.append(next_)
            next_ = following.get(next_.get("id") or "")
    return ordered


def _outline(zone: Element, notes: Notes, places: dict[Element, int]) -> Polygon:
    polygon = points_of(zone.get("polygon"))
    if polygon:
        return polygon
    box = box_polygon(*(number(zone.get(name)) for name in ("col", "row", "width", "height")))
    degrees = number(zone.get("orientationD"))
    if not box or not degrees or degrees % 360 == 0:
        return box
    notes.tell(
        "zone-turned",
        "a zone's box is rotated",
        origin=places[zone],
        done="read as rotated clockwise around its centre, by orientationD degrees",
        severity=Severity.NOTE,
    )
    return turned(box, degrees)


def _text(zone: Element) -> str | None:
    given = {key.lower(): value for key, value in zone.items()}
    return next((given[name] for name in _TEXTS if given.get(name)), None)

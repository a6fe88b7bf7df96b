"""What is done with each format: reading, writing, counting. The only list of its kind.

A new format has a module that reads it, one that counts it, perhaps one that writes it, a row here,
and a row of :data:`formats.kinds.TRAITS`; commands, window, checks and the manual's tables know it
by these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from madcat_studio.formats import counts
from madcat_studio.formats.abbyy import count_abbyy, read_abbyy
from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.coco import count_coco, read_coco, write_coco
from madcat_studio.formats.gedi import read_gedi
from madcat_studio.formats.gedi_writer import write_gedi
from madcat_studio.formats.hocr import read_hocr
from madcat_studio.formats.hocr_writer import write_hocr
from madcat_studio.formats.kinds import TRAITS, FileFormat, recognise
from madcat_studio.formats.labelme import count_labelme, read_labelme, write_labelme
from madcat_studio.formats.layouts import ReadLayout
from madcat_studio.formats.madcat import read_source
from madcat_studio.formats.mets import count_mets, read_mets
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import write_page_xml
from madcat_studio.formats.source import Source
from madcat_studio.formats.written import Written
from madcat_studio.formats.yolo import count_yolo, read_yolo, write_yolo
from madcat_studio.model.conversion import layout_of
from madcat_studio.model.layout import Layout

__all__ = ["RULES", "Rules", "read_layout"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is done with one format.

    Attributes:
        read: its bytes to pages.
        count: adds what a file holds to the counts of the ledger, and gives its texts.
        write: pages to bytes, for a name in messages and a version; None where it is only read.
            MADCAT has none: its writer takes documents.
    """

    read: Callable[[Source], ReadLayout]
    count: Callable[[Source, Counter[str]], Iterator[str]]
    write: Callable[[Layout, str, str], Written] | None = None


def _read_madcat(source: Source) -> ReadLayout:
    read = read_source(source)
    layout, lost = layout_of(read.document, source.name)
    return ReadLayout(layout, (*read.problems, *lost), source)


def _read_alto(source: Source) -> ReadLayout:
    return read_alto(source, source.image_size)


def _write_page(layout: Layout, name: str, version: str) -> Written:
    return Written(*write_page_xml(layout, name, version))


def _write_alto(layout: Layout, name: str, version: str) -> Written:
    data, lost = write_alto(layout, name, version)
    return Written([data], lost)


RULES = {
    FileFormat.MADCAT: Rules(_read_madcat, counts.count_madcat),
    FileFormat.PAGE: Rules(read_page_xml, counts.count_page, _write_page),
    FileFormat.ALTO: Rules(_read_alto, counts.count_alto, _write_alto),
    FileFormat.HOCR: Rules(read_hocr, counts.count_hocr, write_hocr),
    FileFormat.GEDI: Rules(read_gedi, counts.count_gedi, write_gedi),
    FileFormat.LABELME: Rules(read_labelme, count_labelme, write_labelme),
    FileFormat.COCO: Rules(read_coco, count_coco, write_coco),
    FileFormat.YOLO: Rules(read_yolo, count_yolo, write_yolo),
    FileFormat.METS: Rules(read_mets, count_mets),
    FileFormat.ABBYY: Rules(read_abbyy, count_abbyy),
}
"""Every format of :data:`formats.kinds.TRAITS`."""

assert RULES.keys() == TRAITS.keys()


def read_layout(source: Source) -> ReadLayout:
    """Read pages in any format; a page without a size has that of its image.

    Raises:
        FormatError: it is in none.
    """
    found = RULES[recognise(source)].read(source)
    for index, page in enumerate(found.layout.pages):
        if page.image and not (page.width and page.height):
            size = source.image_size(page.image, index)
            page.width, page.height = size or (page.width, page.height)
    return found

"""One frozen dataclass per edit of a document; no Qt, no XML."""

from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.facts import SetPageCount, SetPageFacts
from madcat_studio.edits.layout import (
    AddRegion,
    RemoveRegion,
    SetBaseline,
    SetLineRegion,
    SetRegionKind,
    SetRegionOutline,
)
from madcat_studio.edits.locks import LockLines
from madcat_studio.edits.merging import merge_lines, merge_words
from madcat_studio.edits.outlines import (
    AddVertex,
    DeleteVertices,
    MovePolygon,
    MoveVertex,
    SetPolygon,
)
from madcat_studio.edits.scribe import SetScribeError
from madcat_studio.edits.segments import AddSegment, RemoveSegment
from madcat_studio.edits.structure import (
    AddLine,
    AddWord,
    MoveLine,
    MoveWord,
    RemoveLine,
    RemoveWord,
)
from madcat_studio.edits.texts import (
    AddToken,
    LinkToken,
    MoveToken,
    RemoveToken,
    SetTokenStatus,
    SetTokenText,
    SetTranscription,
    SetTranslation,
    SetZoneRefs,
)
from madcat_studio.edits.values import LineValue, RegionValue, SegmentValue, TokenValue, WordValue

__all__ = [
    "AddLine",
    "AddRegion",
    "AddSegment",
    "AddToken",
    "AddVertex",
    "AddWord",
    "CompositeEdit",
    "DeleteVertices",
    "Edit",
    "LineValue",
    "LinkToken",
    "LockLines",
    "MoveLine",
    "MovePolygon",
    "MoveToken",
    "MoveVertex",
    "MoveWord",
    "Outline",
    "RegionValue",
    "RemoveLine",
    "RemoveRegion",
    "RemoveSegment",
    "RemoveToken",
    "RemoveWord",
    "SegmentValue",
    "SetBaseline",
    "SetLineRegion",
    "SetPageCount",
    "SetPageFacts",
    "SetPolygon",
    "SetRegionKind",
    "SetRegionOutline",
    "SetScribeError",
    "SetTokenStatus",
    "SetTokenText",
    "SetTranscription",
    "SetTranslation",
    "SetZoneRefs",
    "TokenValue",
    "WordValue",
    "merge_lines",
    "merge_words",
]

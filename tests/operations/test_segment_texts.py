"""A page of a kit with an editor's texts: the kit's own segments, and nothing else."""

from __future__ import annotations

from madcat_studio.model.outlines import SegmentLines
from madcat_studio.operations.pages.segment_lines import DocumentLines, page_of_texts
from madcat_studio.pages.passages import passages_of

ONE = ((0.0, 0.0), (100.0, 0.0), (100.0, 10.0), (0.0, 10.0))
TWO = ((0.0, 20.0), (100.0, 20.0), (100.0, 30.0), (0.0, 30.0))


def test_only_the_texts_of_the_page_are_set() -> None:
    found = DocumentLines(
        None,
        {
            "1": SegmentLines(0, (ONE, TWO)),
            "2": SegmentLines(1, (ONE,)),
            "not in the kit": SegmentLines(0, (TWO,)),
        },
    )
    document = page_of_texts(found, 0, {"1": "a b", "2": "c", "nowhere": "d"})
    passages = passages_of(document, 0)
    assert [(one.id, one.text, one.outlines) for one in passages.set] == [("1", "a b", (ONE, TWO))]
    assert (passages.unplaced, passages.untranslated, passages.unknown) == ((), (), ())
    assert [one.id for one in passages_of(page_of_texts(found, 1, {"2": "c"}), 0).set] == ["2"]

"""What MADCAT itself has no place for, in objects that a file did not have before."""

from __future__ import annotations

import pytest

from madcat_studio.edits.structure import AddLine
from madcat_studio.edits.values import LineValue, WordValue
from madcat_studio.formats.madcat import read_bytes
from madcat_studio.formats.madcat_problems import EXTENSION
from madcat_studio.formats.madcat_writer import write

BOX = ((0, 0), (90, 0), (90, 20), (0, 20))
LINE = LineValue("z9", polygon=BOX, words=(WordValue("w9", BOX),), baseline=((90, 18), (0, 18)))


@pytest.mark.parametrize(
    "declared", ["", f' xmlns:layout="{EXTENSION}"', f' xmlns:x="{EXTENSION}"']
)
@pytest.mark.parametrize("others", ["", '<zone id="z1" type="line"/>'])
def test_a_new_line_keeps_its_baseline_whatever_the_file_declares(
    declared: str, others: str
) -> None:
    before = (
        f'<madcat{declared}><doc id="D" src="D.tif"><image><page id="p1" width="90" height="90">'
        f"{others}</page></image></doc></madcat>"
    ).encode()
    found = read_bytes(before, "D.madcat.xml")
    AddLine(0, 0, LINE).apply(found.document)
    again = read_bytes(write(found.document, found.source), "D.madcat.xml")
    line = again.document.pages[0].lines[0]
    assert line.baseline == ((90, 18), (0, 18))
    assert [word.id for word in line.words] == ["w9"]

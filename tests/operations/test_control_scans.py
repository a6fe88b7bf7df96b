"""Control pages without scans among pages with scans show themselves: that is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.model.campaign import DataSet, Kit, KitItem
from madcat_studio.operations.checked import Checking
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.progress import SILENT
from madcat_studio.store import create_campaign
from tests.store.conftest import fill

CONTROL, OTHER = ("C.x_1_S1", "C.x_1_S2"), ("A.x_1_S1", "A.x_1_S2")


def warnings(folder: Path, scans: tuple[str, ...], *, shown: bool, practice: bool) -> list[str]:
    with create_campaign(folder, "x") as campaign:
        fill(campaign)
        contents = campaign.contents
        pattern = contents.document(OTHER[0])
        assert pattern is not None
        for base in CONTROL:
            old = replace(
                pattern, base=base, data_set=DataSet.CONTROL, passage="C", manuscript=base
            )
            contents.add_document(old, base.encode(), ())
        for base in scans:
            document = contents.document(base)
            assert document is not None
            content = contents.blob(document.sha256)
            contents.add_document(document, content, (), f"scan {base}".encode())
        campaign.set_options({"editing.show_page": shown})
        items = tuple(KitItem("Alpha", base) for base in (*CONTROL, *OTHER))
        checking = Checking(SILENT)
        warn_of_scans(campaign, [Kit("K", items, practice=practice)], checking)
    return [f"{one.code}: {one.what}" for one in checking.problems]


@pytest.mark.parametrize(
    ("scans", "words"),
    [
        (OTHER, "2 control pages without a scan"),
        ((*OTHER, CONTROL[0]), "1 control page without a scan"),
        (CONTROL, "only control pages with a scan"),
        ((*OTHER, *CONTROL), ""),
        ((), ""),
    ],
)
def test_control_pages_that_can_be_told_by_their_scans(
    tmp_path: Path, scans: tuple[str, ...], words: str
) -> None:
    found = warnings(tmp_path / "shown", scans, shown=True, practice=False)
    assert [one.split(": ")[0] for one in found] == ["plan.control-scans"] * bool(words)
    assert words in "".join(found)
    assert warnings(tmp_path / "hidden", scans, shown=False, practice=False) == []
    assert warnings(tmp_path / "practice", scans, shown=True, practice=True) == []

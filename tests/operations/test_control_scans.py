"""Control pages without scans among pages with scans show themselves: that is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.model.campaign import DataSet, Kit, KitItem, System
from madcat_studio.model.problem import Problem
from madcat_studio.operations.campaign.doctor import examine
from madcat_studio.operations.campaign.filling import set_options
from madcat_studio.operations.checked import Checking
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.progress import SILENT
from madcat_studio.store import create_campaign
from tests.store.conftest import fill

CONTROL, OTHER = ("C.x_1_S1", "C.x_1_S2"), ("A.x_1_S1", "A.x_1_S2")


def warnings(folder: Path, scans: tuple[str, ...], *, shown: bool, practice: bool) -> list[str]:
    """What is said by whoever looks at the plan, which is in the campaign from now on."""
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
        contents.add_system(System("Gamma", "T3"))
        for base in (*CONTROL, *OTHER):
            contents.add_output("Gamma", base, base.encode(), {})
        kits = [
            Kit(f"C{n}", tuple(KitItem("Gamma", base) for base in pair), practice=practice)
            for n, pair in enumerate(zip(CONTROL, OTHER, strict=True))
        ]
        for kit in kits:
            campaign.plans.plan_kit(kit)
        checking = Checking(SILENT)
        warn_of_scans(campaign, kits, checking)
    return [f"{one.code}: {one.what}" for one in checking.problems]


@pytest.mark.long
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


@pytest.mark.long
def test_who_shows_pages_after_planning_is_warned_as_well(tmp_path: Path) -> None:
    where = str(tmp_path / "later")
    assert warnings(tmp_path / "later", OTHER, shown=False, practice=False) == []
    said = [
        "there are 2 control pages without a scan: editors, who are shown the pages, can tell "
        "them from the others"
    ]

    def of_scans(problems: tuple[Problem, ...]) -> list[str]:
        return [one.what for one in problems if one.code == "plan.control-scans"]

    assert of_scans(examine(where)) == []
    assert of_scans(set_options(where, {"editing.show_page": True}).problems) == said
    assert of_scans(examine(where)) == said
    assert of_scans(set_options(where, {"editing.show_page": False}).problems) == []
    assert of_scans(examine(where)) == []

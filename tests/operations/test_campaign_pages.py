"""Pages of a campaign in the user's cache."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from madcat_studio.errors import InputError, UsageError
from madcat_studio.model.campaign import CampaignDocument, DataSet
from madcat_studio.operations.pages.campaign_pages import (
    fetch_page,
    fetch_scan,
    page_cache,
    sweep_pages,
)
from madcat_studio.operations.pages.segment_lines import fetch_lines
from madcat_studio.store import Campaign, create_campaign, open_campaign
from tests.gui.campaigns import make_campaign


def add(campaign: Campaign, base: str, scan: bytes | None) -> None:
    campaign.contents.add_document(
        CampaignDocument(
            base=base,
            source_document="d",
            passage="p",
            manuscript="m",
            page="1",
            scribe="s",
            exposure="exposed",
            data_set=DataSet.EVALUATION,
            track="",
            genre="newswire",
            sha256="",
            image_name="../../up.tif",
        ),
        f"<madcat>{base}</madcat>".encode(),
        [],
        scan,
    )


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with create_campaign(tmp_path / "c", "Pages") as made:
        add(made, "A", b"scan of A")
        add(made, "B", None)
        add(made, "C", b"scan of C")
        yield made


def hide(campaign: Campaign, monkeypatch: pytest.MonkeyPatch, base: str, *, whole: bool) -> None:
    """As a server does where a login may not see a document, or its scan, any more."""
    contents = campaign.contents
    kept = tuple(one for one in contents.scans() if one.base != base or not whole)
    scan = contents.scans(base)[0].sha256
    shown = contents.blob_hashes() - {scan}
    monkeypatch.setattr(
        contents,
        "scans",
        lambda wanted=None: tuple(one for one in kept if wanted in (None, one.base)),
    )
    monkeypatch.setattr(contents, "blob_hashes", lambda: shown)
    monkeypatch.setattr(contents, "has_blob", shown.__contains__)
    campaign.editor = "somebody"


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if file.is_file())


def test_a_page_and_its_scan_are_put_beside_each_other(campaign: Campaign, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    page = fetch_page(campaign, "A", cache)
    assert page.read_bytes() == b"<madcat>A</madcat>"
    assert (page.parent / "up.tif").read_bytes() == b"scan of A"
    assert files(cache) == ["A.madcat.xml", "up.tif"], "nothing climbs out by its name"
    assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    assert fetch_scan(campaign, "B", cache) is None
    assert fetch_page(campaign, "B", cache).parent != page.parent


def test_what_lies_in_the_cache_is_used_only_where_it_is_right(
    campaign: Campaign, tmp_path: Path
) -> None:
    scan = fetch_scan(campaign, "A", tmp_path)
    assert scan is not None
    before = scan.stat().st_mtime_ns
    assert fetch_scan(campaign, "A", tmp_path) == scan
    assert scan.stat().st_mtime_ns == before, "it is not fetched twice"
    scan.write_bytes(b"scan of X")
    assert fetch_scan(campaign, "A", tmp_path) == scan
    assert scan.read_bytes() == b"scan of A"


def test_an_older_scan_goes(campaign: Campaign, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fetch_scan(campaign, "A", cache)
    add(campaign, "A", b"a better scan of A")
    assert sweep_pages(campaign, cache) == 0
    assert files(cache) == []
    scan = fetch_scan(campaign, "A", cache)
    assert scan is not None
    assert scan.read_bytes() == b"a better scan of A"
    assert files(cache) == ["scan"], "its name may tell more than one may know"


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_page_that_may_not_be_seen_any_more_goes(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool, asked: bool
) -> None:
    cache = tmp_path / "cache"
    fetch_scan(campaign, "A", cache)
    fetch_scan(campaign, "C", cache)
    assert sweep_pages(campaign, cache) == 0
    hide(campaign, monkeypatch, "A", whole=whole)
    if asked:
        with pytest.raises(InputError) as refused:
            fetch_scan(campaign, "A", cache)
        why = "no-document" if whole else "not-shown"
        assert refused.value.code == f"campaign.{why}"
    assert sweep_pages(campaign, cache) == (0 if asked else 1)
    assert [file.read_bytes() for file in cache.rglob("scan")] == [b"scan of C"]


def test_each_login_has_its_own_pages(campaign: Campaign, tmp_path: Path) -> None:
    ours = fetch_page(campaign, "A", tmp_path)
    campaign.login = "../other"
    theirs = fetch_page(campaign, "A", tmp_path)
    assert ours.parents[2] != theirs.parents[2]
    assert ours.parents[3] == theirs.parents[3] == tmp_path / campaign.id
    assert sweep_pages(campaign, tmp_path / "nowhere") == 0
    assert page_cache().name == "pages"


def test_an_editor_of_a_folder_gets_the_scan_and_not_the_page(tmp_path: Path) -> None:
    """Whatever the campaign's own door refuses to an editor, the page's lines are there."""
    where = make_campaign(tmp_path / "seen", show_page=True)
    with open_campaign(where, for_editor=True) as campaign:
        sweep_pages(campaign, tmp_path / "cache")
        found = fetch_lines(campaign, "D_1_S1", tmp_path / "cache")
        assert found.scan is not None
        assert found.segments.keys() == {"s1"}
        assert sweep_pages(campaign, tmp_path / "cache") == 0
        assert found.scan.exists()
        with pytest.raises(UsageError) as refused:
            fetch_page(campaign, "D_1_S1", tmp_path / "cache")
        assert refused.value.code == "campaign.one-side"

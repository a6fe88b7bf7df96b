"""The pages of a folder and their names: by content, in every format that is saved in place."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.operations.pages.folder import page_base, page_file, page_name, pages_in

PAGES = {
    "a.madcat.xml": b"not even XML",
    "b.xml": b'<?xml version="1.0"?><PcGts xmlns="x"/>',
    "c.XML": '<?xml version="1.0" encoding="UTF-16"?><p:PcGts xmlns:p="x"/>'.encode("utf-16"),
    "d.alto.xml": b"<!-- a page --><alto/>",
    "e.xml": b"<madcat/>",
}
OTHERS = {
    "f.GEDI.xml": b"<GEDI/>",
    "g.xml": b"<html><div class='ocr_page'/></html>",
    "h.hocr": b"<div class='ocr_page'/>",
    "mets.xml": b"<mets:mets/>",
    "none.page.xml": b"",
    "x.txt": b"<alto/>",
}


def fill(folder: Path) -> None:
    for name, data in (PAGES | OTHERS).items():
        (folder / name).write_bytes(data)


def test_pages_are_told_by_what_they_hold(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / "below").mkdir()
    fill(tmp_path / "below")
    os.mkfifo(tmp_path / "pipe.xml")  # would hang whoever opens it
    assert pages_in(tmp_path) == [tmp_path / name for name in PAGES]
    below = [tmp_path / folder / name for folder in ("", "below") for name in PAGES]
    assert pages_in(tmp_path, below=True) == sorted(below)


def test_a_file_is_looked_at_again_where_it_was_changed(tmp_path: Path) -> None:
    page = tmp_path / "a.xml"
    page.write_bytes(b"<mets/>")
    assert pages_in(tmp_path) == []
    page.write_bytes(b"<PcGts/>")
    assert pages_in(tmp_path) == [page]


ENDINGS = st.sampled_from(["", ".madcat.xml", ".xml", ".XML", ".page.xml", ".xml.madcat.xml"])


@given(st.lists(st.tuples(st.sampled_from(["a", "b.c", "d_1_e"]), ENDINGS), max_size=12))
def test_a_pages_name_leads_back_to_its_file_and_is_its_own(parts: list[tuple[str, str]]) -> None:
    files = {Path("folder") / f"{stem}{ending or '.xml'}" for stem, ending in parts}
    assert {page_file(path.parent, page_name(path)) for path in files} == files
    assert len({page_name(path) for path in files}) == len(files)


def test_the_base_is_the_same_in_every_format() -> None:
    names = ("x.1.madcat.xml", "x.1.page.xml", "x.1.alto.xml", "x.1.xml", "x.1.hocr", "x.1.html")
    assert {page_base(name) for name in (*names, "x.1.hocr.html", "x.1.GEDI.xml".lower())} == {
        "x.1"
    }

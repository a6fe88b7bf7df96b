"""Each rule: a document that is right under it, and one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.checks import check
from madcat_studio.checks.findings import Finding
from madcat_studio.formats.madcat import read, read_source
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word

DATA = Path(__file__).parent.parent / "data" / "madcat"


def box(
    x: float, y: float, width: float = 50, height: float = 20
) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def document() -> Document:
    """Two lines of two words, one segment; nothing wrong."""
    lines = [
        Line(
            f"z{n}",
            "line",
            box(0, n * 40, 200, 30),
            [Word(f"t{n * 2}", box(100, n * 40 + 5)), Word(f"t{n * 2 + 1}", box(10, n * 40 + 5))],
        )
        for n in range(2)
    ]
    words = ["كتب", "الطالب", "الدرس", "أمس"]
    tokens = [Token(f"s1-{n}", f"t{n}", "", word) for n, word in enumerate(words)]
    segment = Segment("s1", [], tokens, " ".join(words), "The student wrote the lesson.")
    return Document(
        "B_1_S",
        "B_1_S.tif",
        "newswire",
        1,
        "S",
        "2008.1",
        [Page("p1", 200, 100, 300, 8, lines)],
        [Section("c", "tokenization", [segment])],
    )


def findings(found: Document, name: str = "B_1_S.madcat.xml") -> list[Finding]:
    every = check(read_source(Source(new_bytes(found), name)))
    return [finding for finding in every if finding.problem.code != "schema"]


def codes(found: Document, name: str = "B_1_S.madcat.xml") -> list[str]:
    return [finding.problem.code for finding in findings(found, name)]


def test_nothing_is_wrong_with_a_right_document() -> None:
    assert codes(document()) == []


@pytest.mark.parametrize(
    "name", sorted(p.name for p in DATA.glob("*.madcat.xml") if "0002_1" not in p.name)
)
def test_the_right_samples_have_no_errors(name: str) -> None:
    found = check(read(DATA / name), ImageFinder())
    assert not [f for f in found if f.problem.severity == "error"]
    if name.endswith("SCR0001.madcat.xml") or "SCR0005" in name or "SCR0002" in name:
        assert found == []


def test_the_defective_sample_has_every_defect_that_its_readme_lists() -> None:
    found = check(read(DATA / "ZZN_ARB_20991231.0002_1_SCR0004.madcat.xml"), ImageFinder())
    seen = [(f.problem.code, f.problem.where.line) for f in found]
    for expected in [
        ("count-differs", 3),
        ("image-missing", 3),
        ("polygon-few-points", 7),
        ("id-duplicate", 13),
        ("polygon-few-points", 14),
        ("polygon-self-crossing", 18),
        ("id-duplicate", 19),
        ("polygon-outside-page", 19),
        ("reference-dangling", 26),
        ("token-without-text", 28),
        ("token-without-text", 29),
        ("word-shared", 29),
        ("id-duplicate", 33),
        ("reference-dangling", 33),
        ("text-escaped-twice", 33),
        ("segment-empty", 40),
    ]:
        assert expected in seen
    assert seen.count(("schema", 2)) == 1
    assert len(seen) == 40
    assert seen == sorted(seen, key=lambda pair: pair[1] or 0)


def test_ids_may_restart_on_each_page_but_not_on_one() -> None:
    found = document()
    found.pages.append(document().pages[0])
    found.pages[1].id, found.nbpages = "p2", 2
    assert codes(found) == []  # the words of page two are copies of ids in use
    found.pages[1].id = "p1"
    found.pages[0].lines[1].id = "z0"
    found.pages[0].lines[0].words[0].id = "t1"
    found.sections[0].segments.append(Segment("s1", ["z0"], [], "كتب الطالب", "He wrote it."))
    found.sections[0].segments[0].tokens[1].id = "s1-0"
    assert codes(found).count("id-duplicate") == 5


def test_references() -> None:
    found = document()
    found.sections[0].segments[0].tokens[0].ref_id = "t9"
    found.sections[0].segments[0].zone_refs = ["z0", "z9"]
    assert sorted(codes(found)) == ["reference-dangling", "reference-dangling", "word-unlinked"]
    found.sections[0].segments[0].tokens[0].ref_id = ""
    found.sections[0].segments[0].zone_refs = []
    assert codes(found) == ["word-unlinked", "token-unlinked"]
    found.sections[0].segments[0].tokens[0].status = "missing"
    assert codes(found) == ["word-unlinked"]
    found.sections[0].segments[0].tokens[0].ref_id = "t1"
    assert sorted(codes(found)) == ["word-shared", "word-unlinked"]
    found.pages.clear()
    assert codes(found) == []  # without an image layer nothing can dangle


def test_counts_and_names() -> None:
    found = document()
    found.nbpages = 3
    wrong = findings(found, "C_1_S.madcat.xml")
    assert [f.problem.code for f in wrong] == ["count-differs", "base-differs"]
    assert [len(f.mend) for f in wrong] == [1, 0]


def test_outlines() -> None:
    found = document()
    words = found.pages[0].lines[0].words
    words[0].polygon = ((100, 5), (150, 5))
    words[1].polygon = ((10, 5), (60, 5), (10, 25), (60, 25))
    assert codes(found) == ["polygon-few-points", "polygon-self-crossing"]
    words[0].polygon, words[1].polygon = box(100, 5), box(-20, 5)
    assert codes(found) == ["polygon-outside-page", "word-outside-line"]
    words[1].polygon = box(150, 5, 50)  # its right edge is the page's
    assert codes(found) == []
    words[1].polygon = ()
    assert codes(found) == ["polygon-missing"]


def test_a_bow_tie_of_four_points_can_be_mended_and_one_of_five_cannot() -> None:
    found = document()
    word = found.pages[0].lines[0].words[1]
    word.polygon = ((10, 5), (60, 5), (10, 25), (60, 25))
    (finding,) = findings(found)
    finding.mend[0].apply(found)
    assert codes(found) == []
    assert set(word.polygon) == {(10, 5), (60, 5), (10, 25), (60, 25)}
    word.polygon = ((10, 5), (60, 5), (10, 25), (60, 25), (70, 15))
    assert [f.mend for f in findings(found)] == [()]


def test_a_line_that_covers_words_of_another_bleeds() -> None:
    found = document()
    found.pages[0].lines[0].polygon = box(0, 0, 200, 50)  # 5 of 20 pixels of the words below
    (finding,) = findings(found)
    assert finding.problem.code == "line-bleed"
    assert finding.problem.what == "the line covers 2 words (t2, t3) of line z1"
    found.pages[0].lines[0].polygon = box(0, 0, 200, 45.2)
    assert "line-bleed" not in codes(found)


def test_a_word_that_lies_in_another_line() -> None:
    found = document()
    lines = found.pages[0].lines
    lines[0].words.append(lines[1].words.pop())
    assert sorted(codes(found)) == ["line-bleed", "word-outside-line"]


def test_texts() -> None:
    found = document()
    segment = found.sections[0].segments[0]
    segment.transcription = "كتب الطالب الدرسَ أمس"
    (finding,) = findings(found)
    assert finding.problem.what == ("at word 3 the transcription has “الدرسَ”, the tokens “الدرس”")
    segment.transcription = "كتبالطالب الدرس أمس"  # only blanks differ
    assert codes(found) == []
    segment.tokens[3].status = "extra"
    segment.transcription = "كتب الطالب الدرس"
    assert codes(found) == []
    segment.transcription = "كتب الطالب"
    assert findings(found)[0].problem.what == (
        "at word 3 the transcription has nothing, the tokens “الدرس”"
    )
    segment.transcription, segment.translation = "R&amp;D كتب الطالب الدرس أمس", "  "
    assert sorted(codes(found)) == ["text-escaped-twice", "text-missing", "transcription-differs"]
    segment.tokens[0].source = " "
    assert "token-without-text" in codes(found)


def test_texts_that_a_task_withholds_are_not_missed() -> None:
    found = document()
    segment = found.sections[0].segments[0]
    segment.transcription = segment.translation = None
    for token in segment.tokens:
        token.source = None
    assert codes(found, "B_1_S.wordseg.madcat.xml") == []
    assert codes(found) == ["text-missing", "text-missing"]
    assert codes(found, "B_1_S.transys.madcat.xml") == ["text-missing"]


def test_scripts() -> None:
    found = document()
    segment = found.sections[0].segments[0]
    segment.transcription, segment.translation = segment.translation, segment.transcription
    segment.tokens.clear()
    assert codes(found) == ["script-wrong", "script-wrong"]
    segment.transcription, segment.translation = "BBC", "سلم"  # too short to judge
    assert codes(found) == []


def test_an_empty_segment_is_told_once() -> None:
    found = document()
    found.sections[0].segments.append(Segment("s2"))
    assert codes(found) == ["segment-empty"]


def test_the_schema_is_one_rule_among_others() -> None:
    found = document()
    found.pages[0].width = 0
    (finding,) = [
        f
        for f in check(read_source(Source(new_bytes(found), "B_1_S.madcat.xml")))
        if f.problem.code == "schema"
    ]
    assert finding.problem.severity == "warning"
    assert finding.problem.what == (
        "the file does not follow the schema: '0' is not a valid value of the atomic type "
        "'xs:positiveInteger'"
    )
    assert finding.problem.where.element == "page"
    for path in DATA.glob("*.madcat.xml"):
        assert bool(violations(read(path).source)) == ("0002_1" in path.name)


# Images


def saved(folder: Path, found: Document) -> Path:
    path = folder / "data" / "madcat" / "B_1_S.madcat.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(new_bytes(found))
    return path


def image_codes(path: Path) -> list[str]:
    codes = [f.problem.code for f in check(read(path), ImageFinder())]
    return [code for code in codes if code != "schema"]


def test_images(tmp_path: Path) -> None:
    found = document()
    path = saved(tmp_path, found)
    assert image_codes(path) == ["image-missing"]
    images = tmp_path / "data" / "images"
    images.mkdir()
    image = images / "B_1_S.tif"
    Image.new("1", (200, 100)).save(image, dpi=(300, 300), compression="group4")
    assert image_codes(path) == []
    Image.new("1", (201, 100)).save(image, dpi=(600, 600))
    assert image_codes(path) == ["image-size-differs", "image-resolution-differs"]
    image.write_bytes(b"II*\0 nonsense")
    assert image_codes(path) == ["image-unreadable"]
    image.unlink()
    Image.new("1", (200, 100)).save(images / "b_1_s.TIF", format="TIFF", dpi=(300, 300))
    assert image_codes(path) == ["image-name-differs"]


def test_a_page_is_its_frame(tmp_path: Path) -> None:
    found = document()
    found.nbpages = 2
    found.pages.append(Page("p2", 300, 100, 300, 8))
    path = saved(tmp_path, found)
    frames = [Image.new("L", (200, 100)), Image.new("L", (300, 100))]
    image = path.parent / "B_1_S.tif"
    frames[0].save(image, save_all=True, append_images=frames[1:], dpi=(300, 300))
    assert image_codes(path) == []
    frames[0].save(image, dpi=(300, 300))
    assert image_codes(path) == ["image-no-such-frame"]


def test_a_size_that_only_the_image_knows_can_be_filled_in(tmp_path: Path) -> None:
    found = document()
    found.pages[0].width = None
    path = saved(tmp_path, found)
    Image.new("1", (200, 100)).save(path.parent / "B_1_S.tif", dpi=(300, 300))
    found_now = check(read(path), ImageFinder())
    (finding,) = [f for f in found_now if f.mend]
    finding.mend[0].apply(found)
    assert (found.pages[0].width, found.pages[0].dpi) == (200, 300)

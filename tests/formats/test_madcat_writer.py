from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import ConflictError, FormatError, InputError, WorldError
from madcat_studio.formats.documents import save
from madcat_studio.formats.madcat import read, read_bytes
from madcat_studio.formats.madcat_writer import new_bytes, write
from madcat_studio.formats.source import ReadDocument
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document, Line, Segment, Token, Word
from tests.formats.documents import examples, files, polygons

DATA = Path(__file__).parent.parent / "data" / "madcat"
SAMPLES = sorted(DATA.glob("*.madcat.xml"))
NORMAL = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
DEFECTIVE = DATA / "ZZN_ARB_20991231.0002_1_SCR0004.madcat.xml"


def plain(document: Document) -> object:
    """A document without origins."""
    found = copy.deepcopy(document)
    objects: list[object] = [found, *found.pages, *found.sections]
    for page in found.pages:
        objects += [*page.lines, *page.words()]
    for segment in found.segments():
        objects += [segment, *segment.tokens]
    for each in objects:
        each.origin = None  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name[-40:])
def test_every_sample_comes_back_byte_for_byte(path: Path) -> None:
    found = read(path)
    assert write(found.document, found.source) == path.read_bytes()


@pytest.mark.long
@examples(60)
@given(files())
def test_what_was_not_edited_is_the_same_bytes(data: bytes) -> None:
    found = read_bytes(data, "f")
    assert write(found.document, found.source) == data


class Editor:
    """Random changes to a model, in place."""

    def __init__(self, document: Document, data: st.DataObject) -> None:
        self.document = document
        self.draw = data.draw

    def pick(self, items: list) -> int:  # type: ignore[type-arg]
        return self.draw(st.integers(0, len(items) - 1))

    def change(self) -> None:
        text = st.none() | st.text("ab س&<\n", max_size=6)
        names = ["doc"]
        names += ["page"] * bool(self.document.pages)
        names += ["section"] * bool(self.document.sections)
        match self.draw(st.sampled_from(names)):
            case "doc":
                self.document.scribe = self.draw(st.none() | st.just('S"1'))
                self.document.nbpages = self.draw(st.none() | st.just(7))
            case "page":
                self.page(text)
            case "section":
                section = self.document.sections[self.pick(self.document.sections)]
                self.members(section.segments, lambda: Segment("new", ["z1"], [Token("k")], "a"))
                if section.segments:
                    segment = section.segments[self.pick(section.segments)]
                    segment.translation = self.draw(text)
                    segment.transcription = self.draw(text)
                    segment.zone_refs = self.draw(st.lists(st.sampled_from("abc"), max_size=4))
                    self.members(segment.tokens, lambda: Token("n", "t", None, self.draw(text)))
                    if segment.tokens:
                        segment.tokens[self.pick(segment.tokens)].source = self.draw(text)

    def page(self, text: st.SearchStrategy[str | None]) -> None:
        page = self.document.pages[self.pick(self.document.pages)]
        page.width = self.draw(st.none() | st.just(77))
        self.members(page.lines, lambda: Line("new", "line", ((1, 2),), [Word("w")]))
        if page.lines:
            line = page.lines[self.pick(page.lines)]
            line.polygon = self.draw(polygons())
            self.members(line.words, lambda: Word("new", ((1, 2), (3, 4))))
            other = page.lines[self.pick(page.lines)]
            if line.words:
                other.words.append(line.words.pop(self.pick(line.words)))
                word = other.words[-1]
                word.polygon = (*word.polygon[1:], (5, 6))

    def members(self, items: list, make: object) -> None:  # type: ignore[type-arg]
        what = self.draw(st.sampled_from(["add", "remove", "move", "leave"]))
        if what == "add":
            items.insert(self.draw(st.integers(0, len(items))), make())  # type: ignore[operator]
        elif items and what == "remove":
            del items[self.pick(items)]
        elif items and what == "move":
            items.insert(self.pick(items), items.pop(self.pick(items)))


MARKS = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)


@pytest.mark.long
@examples(60)
@given(files(), st.data())
def test_any_edit_reads_back_and_undone_leaves_no_trace(data: bytes, draws: st.DataObject) -> None:
    found = read_bytes(data, "f")
    before = copy.deepcopy(found.document)
    kept = copy_document(found.document)
    for _ in range(draws.draw(st.integers(1, 3))):
        Editor(found.document, draws).change()
    out = write(found.document, found.source)
    # A copy of what was read stays what it was, and saves reading it again.
    assert kept == before
    found.source.keep_reading(kept)
    assert write(found.document, found.source) == out
    again = read_bytes(out, "g")
    assert plain(again.document) == plain(found.document)
    assert again.source.encoding == found.source.encoding
    assert again.source.decoded.bom == found.source.decoded.bom
    if "\r\n" in found.source.decoded.text:
        assert "\n" not in again.source.decoded.text.replace("\r\n", "")
    assert write(before, found.source) == data


@pytest.mark.long
@examples(60)
@given(files(), st.data())
def test_outside_a_moved_point_nothing_changes(data: bytes, draws: st.DataObject) -> None:
    found = read_bytes(data, "f")
    words = [w for page in found.document.pages for w in page.words() if w.polygon]
    if not words:
        return
    word = words[draws.draw(st.integers(0, len(words) - 1))]
    index = draws.draw(st.integers(0, len(word.polygon) - 1))
    x, y = word.polygon[index]
    word.polygon = (*word.polygon[:index], (31_337, y), *word.polygon[index + 1 :])
    out = read_bytes(write(found.document, found.source), "g").source.decoded.text
    assert out.count("31337") == 1
    assert out.replace("31337", str(x)) == found.source.decoded.text


def edited(text: str, old: str, new: str, edit: object) -> None:
    found = read_bytes(text.encode(), "f")
    edit(found.document)  # type: ignore[operator]
    assert text.count(old) == 1
    assert write(found.document, found.source).decode() == text.replace(old, new)


STRANGE = """<?xml version="1.0" encoding="UTF-8"?>
<!-- first --><?keep this?>
<madcat version="1" xmlns:e="urn:e">
 <doc id="a" src="a.tif" e:mark='1'><!-- in doc -->
  <image>
   <page  id = 'p1' width="10" height="10" dpi="600"	e:x=">">
    <zone id="z0" type="line" seen='yes'><e:note><point x="1" y="1"/></e:note>
     <polygon><point y="1" x="2"/> <point y="3"  x='4' e:w="9"/><!-- here --><point
      y="5" x="6"/></polygon>
     <token-image id="t0"  ><polygon><point
  x="1" y="1"/><point x="2.50" y="1"/></polygon ></token-image>
     <token-image id="t1"/>
    </zone>
   </page>
  </image>
  <content><section id="c"><segment id="s1"><token id="k1" ref_id="t0"
 ><source><![CDATA[a & b]]></source></token>
   <token id='k2' colour="blue"/><translation/></segment></section></content>
 </doc>
</madcat>
<!-- last -->"""


def test_a_vertex_takes_its_attribute_and_nothing_else() -> None:
    def edit(document: Document) -> None:
        line = document.pages[0].lines[0]
        line.polygon = (line.polygon[0], (44, 3), line.polygon[2])

    edited(STRANGE, "x='4'", "x='44'", edit)


def test_a_fraction_stays_until_it_moves_and_then_is_whole() -> None:
    def edit(document: Document) -> None:
        word = document.pages[0].lines[0].words[0]
        word.polygon = (word.polygon[0], (2.5, 7.5))

    edited(STRANGE, '<point x="2.50" y="1"/>', '<point x="2.50" y="8"/>', edit)


def test_a_vertex_comes_and_goes() -> None:
    def add(document: Document) -> None:
        line = document.pages[0].lines[0]
        line.polygon = (*line.polygon[:2], (8, 9), line.polygon[2])

    edited(STRANGE, "<!-- here -->", ' <point y="9" x="8"/><!-- here -->', add)

    def remove(document: Document) -> None:
        line = document.pages[0].lines[0]
        line.polygon = (line.polygon[0], line.polygon[2])

    edited(STRANGE, """ <point y="3"  x='4' e:w="9"/>""", "", remove)


def test_text_takes_its_element_and_nothing_else() -> None:
    def edit(document: Document) -> None:
        segment = next(document.segments())
        segment.tokens[0].source = "c > d"
        segment.translation = None

    found = read_bytes(STRANGE.encode(), "f")
    edit(found.document)
    out = write(found.document, found.source).decode()
    assert out == STRANGE.replace("<![CDATA[a & b]]>", "c &gt; d").replace("<translation/>", "")


def test_an_empty_tag_opens() -> None:
    def edit(document: Document) -> None:
        next(document.segments()).translation = "two\nlines"

    edited(STRANGE, "<translation/>", "<translation>two\nlines</translation>", edit)


def test_a_word_that_moves_takes_everything_along() -> None:
    found = read_bytes(STRANGE.encode(), "f")
    words = found.document.pages[0].lines[0].words
    words.append(words.pop(0))
    out = write(found.document, found.source).decode()
    start = STRANGE.index("     <token-image")
    middle = STRANGE.index("     <token-image", start + 9)
    end = STRANGE.index("    </zone>")
    assert out == STRANGE[:start] + STRANGE[middle:end] + STRANGE[start:middle] + STRANGE[end:]


def test_a_word_removed_and_put_back_is_the_same_file() -> None:
    found = read_bytes(STRANGE.encode(), "f")
    words = found.document.pages[0].lines[0].words
    words.insert(0, words.pop(0))
    assert write(found.document, found.source) == STRANGE.encode()


def test_attributes_come_change_and_go() -> None:
    found = read_bytes(STRANGE.encode(), "f")
    page, token = found.document.pages[0], next(found.document.segments()).tokens[1]
    page.id, page.dpi, page.colordepth = "it's", None, 8
    token.ref_id = 'a"b&<\n'
    out = write(found.document, found.source).decode()
    assert '<page  id = \'it&apos;s\' width="10" height="10"\te:x=">" colordepth="8">' in out
    assert '<token id=\'k2\' colour="blue" ref_id="a&quot;b&amp;&lt;&#10;"/>' in out


def test_what_the_encoding_cannot_hold_becomes_a_reference() -> None:
    data = (
        '<?xml version="1.0" encoding="windows-1256"?><madcat version="1"><doc id="a" src="b">'
        '<content><section id="c"><segment id="s"><translation>سلام</translation></segment>'
        "</section></content></doc></madcat>"
    ).encode("cp1256")
    found = read_bytes(data, "f")
    next(found.document.segments()).translation = "سلام 中"
    out = write(found.document, found.source)
    assert out == data.replace(
        "سلام".encode("cp1256"),
        "سلام &#20013;".encode("cp1256", "xmlcharrefreplace").replace(b"&#38;", b"&"),
    )
    assert next(read_bytes(out, "g").document.segments()).translation == "سلام 中"


@pytest.mark.parametrize("text", ["one\x0btwo", "\x04", "\x00", "\ud800", "\ufffe"])
def test_what_xml_cannot_hold_is_refused(text: str) -> None:
    found = read_bytes(STRANGE.encode(), "f")
    next(found.document.segments()).translation = text
    with pytest.raises(InputError) as caught:
        write(found.document, found.source)
    assert caught.value.code == "madcat.forbidden-character"


def test_the_defective_sample_is_edited_without_losing_a_defect() -> None:
    found = read(DEFECTIVE)
    found.document.pages[0].lines[0].words[3].polygon = ((1, 1), (1400, 410), (1700, 410))
    found.document.sections[0].segments[2].id = "s3"
    out = write(found.document, found.source).decode()
    expected = DEFECTIVE.read_bytes().decode()
    expected = expected.replace(
        '<point y="310" x="1700"/><point x="1400"/>', '<point y="1" x="1"/><point x="1400"/>'
    )
    assert out == expected.replace("<segment/>", '<segment id="s3"/>')


def test_a_copy_of_an_object_is_a_new_element() -> None:
    found = read_bytes(STRANGE.encode(), "f")
    words = found.document.pages[0].lines[0].words
    words.append(copy.copy(words[0]))
    again = read_bytes(write(found.document, found.source), "g")
    assert plain(again.document).pages[0].lines[0].words[2].id == "t0"  # type: ignore[attr-defined]


def test_a_file_without_doc_cannot_be_filled() -> None:
    found = read_bytes(b"<madcat version='1'/>", "f")
    found.document.id = "a"
    with pytest.raises(FormatError) as caught:
        write(found.document, found.source)
    assert caught.value.code == "madcat.no-doc"


# Saving


@pytest.fixture
def opened(tmp_path: Path) -> ReadDocument:
    path = tmp_path / "مشروع ١ – test" / NORMAL.name
    path.parent.mkdir()
    path.write_bytes(NORMAL.read_bytes())
    return read(path)


def test_saving_replaces_the_file_whole(opened: ReadDocument) -> None:
    path = opened.source.path
    assert path is not None
    path.chmod(0o640)
    next(opened.document.segments()).translation = "new"
    source = save(path, opened.document, opened.source, backup=True)
    assert next(read(path).document.segments()).translation == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.with_name(path.name + ".bak").read_bytes() == NORMAL.read_bytes()
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name, path.name + ".bak"]
    # Taken back after saving, the file is what it was.
    next(opened.document.segments()).translation = next(
        read(NORMAL).document.segments()
    ).translation
    save(path, opened.document, source)
    assert path.read_bytes() == NORMAL.read_bytes()


def test_nothing_changed_touches_nothing(opened: ReadDocument) -> None:
    path = opened.source.path
    assert path is not None
    before = path.stat()
    save(path, opened.document, opened.source, backup=True)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert len(list(path.parent.iterdir())) == 1


def test_a_file_changed_meanwhile_is_never_overwritten(opened: ReadDocument) -> None:
    path = opened.source.path
    assert path is not None
    path.write_bytes(b"theirs")
    next(opened.document.segments()).translation = "mine"
    with pytest.raises(ConflictError) as caught:
        save(path, opened.document, opened.source)
    assert caught.value.code == "madcat.changed-on-disk"
    assert path.read_bytes() == b"theirs"
    save(path, opened.document, opened.source, overwrite=True)
    assert next(read(path).document.segments()).translation == "mine"


def test_another_file_is_not_overwritten_either(opened: ReadDocument, tmp_path: Path) -> None:
    other = tmp_path / "other.madcat.xml"
    other.write_bytes(b"theirs")
    with pytest.raises(ConflictError) as caught:
        save(other, opened.document, opened.source)
    assert caught.value.code == "madcat.file-exists"
    assert other.read_bytes() == b"theirs"


def test_a_folder_that_is_not_there(opened: ReadDocument, tmp_path: Path) -> None:
    with pytest.raises(WorldError) as caught:
        save(tmp_path / "no" / "x.madcat.xml", opened.document, opened.source)
    assert caught.value.code == "file.cannot-write"


def test_a_link_stays_a_link(opened: ReadDocument, tmp_path: Path) -> None:
    path = opened.source.path
    assert path is not None
    link = tmp_path / "link.madcat.xml"
    link.symlink_to(path)
    found = read(link)
    next(found.document.segments()).translation = "new"
    save(link, found.document, found.source)
    assert link.is_symlink()
    assert next(read(path).document.segments()).translation == "new"


def test_a_new_document_is_saved_in_utf8(tmp_path: Path) -> None:
    document = Document("a", "a.tif", sections=[])
    source = save(tmp_path / "a.madcat.xml", document, None)
    assert source.data == new_bytes(document) == (tmp_path / "a.madcat.xml").read_bytes()

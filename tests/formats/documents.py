"""Documents made by hypothesis, as files in several encodings and layouts."""

from __future__ import annotations

import codecs

from hypothesis import settings
from hypothesis import strategies as st

from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Section,
    Segment,
    Token,
    Word,
)

# What cp1256 has, so that every encoding can hold every document.
LETTERS = "abc XYZ&<>\"'؟ابتثجحخدذرزسشصضطظعغفقكلمنهوي ًٌَُِّْ.،؛–’"
_texts = st.text(LETTERS, max_size=12)
_maybe_text = st.none() | _texts
_ids = st.none() | st.sampled_from(["z0", "z1", "t0", "t1", "s1", "p1", "a&b", 'q"q', ""])
_coordinates = st.integers(-50, 9000)


def polygons() -> st.SearchStrategy[Polygon]:
    return st.lists(st.tuples(_coordinates, _coordinates), max_size=6).map(tuple)


_words = st.builds(Word, _ids, polygons())
_lines = st.builds(
    Line,
    _ids,
    st.sampled_from(["line", "paragraph", None]),
    polygons(),
    st.lists(_words, max_size=4),
)
_pages = st.builds(
    Page,
    _ids,
    st.none() | st.integers(0, 9999),
    st.none() | st.integers(0, 9999),
    st.none() | st.integers(0, 600),
    st.none() | st.integers(0, 24),
    st.lists(_lines, max_size=4),
)
_tokens = st.builds(Token, _ids, _ids, st.none() | st.just("") | st.just("typo"), _maybe_text)
_segments = st.builds(
    Segment,
    _ids,
    st.lists(st.sampled_from(["z0", "z1", "z9"]), max_size=3),
    st.lists(_tokens, max_size=4),
    _maybe_text,
    _maybe_text,
)
_sections = st.builds(
    Section, _ids, st.none() | st.just("tokenization"), st.lists(_segments, max_size=3)
)
documents = st.builds(
    Document,
    st.just("BASE_1"),
    st.none() | st.just("BASE_1.tif"),
    st.none() | st.sampled_from(["newswire", "web"]),
    st.none() | st.integers(0, 3),
    st.none() | st.just("SCR1"),
    st.none() | st.just("2008.1"),
    st.lists(_pages, max_size=2),
    st.lists(_sections, max_size=2),
)

ENCODINGS = ["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be", "cp1256"]


def decorate(text: str, *, crlf: bool, compact: bool) -> str:
    """Things that no model holds: comments, instructions, unknown attributes and elements."""
    text = text.replace("<madcat", "<!-- made by ? -->\n<?tool keep?>\n<madcat", 1)
    text = text.replace("<doc", '<doc xmlns:e="urn:e" e:mark="1"', 1)
    text = text.replace("<zone ", "<!-- a > b --><e:note a='>'>x<e:y/></e:note>\n<zone  seen='1' ")
    text = text.replace("<token ", "<?here now?><token\n  colour = 'blue' ")
    text = text.replace("</segment>", "<note>a&amp;b</note></segment>")
    text = text.replace("</madcat>", "</madcat>\n<!-- end -->")
    if compact:
        text = text.replace("\n", " ").replace(">  ", ">")
    return text.replace("\n", "\r\n") if crlf else text


def encode(text: str, encoding: str) -> bytes:
    """A file in this encoding, rightly declared."""
    if encoding == "utf-8":
        return text.encode()
    if encoding == "utf-8-bom":
        return codecs.BOM_UTF8 + text.encode()
    if encoding == "cp1256":
        return text.replace("UTF-8", "windows-1256", 1).encode("cp1256")
    mark = codecs.BOM_UTF16_LE if encoding.endswith("le") else codecs.BOM_UTF16_BE
    return mark + text.replace("UTF-8", "UTF-16", 1).encode(encoding)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Bytes of a MADCAT file."""
    text = new_bytes(draw(documents)).decode()
    if draw(st.booleans()):
        text = decorate(text, crlf=draw(st.booleans()), compact=draw(st.booleans()))
    return encode(text, draw(st.sampled_from(ENCODINGS)))


def examples(number: int) -> settings:
    """So many examples in an ordinary run; as many as the profile says in a soak."""
    most = settings().max_examples
    return settings(max_examples=most if most > 100 else number)

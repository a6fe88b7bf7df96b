"""Each rule for system output: an output that is right under it, and one that is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from madcat_studio.checks.findings import OUTPUTS, FileKind
from madcat_studio.checks.outputs import ANSWERS, check_output
from madcat_studio.formats.madcat import read_source
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Word
from madcat_studio.model.problem import Problem, Severity

BOX = ((0, 0), (90, 0), (90, 20), (0, 20))
WORD = ((0, 0), (40, 0), (40, 20), (0, 20))


def document(*, texts: bool = True) -> Document:
    text = ("نص", "A text") if texts else (None, None)
    return Document(
        "B_1_S",
        "B_1_S.tif",
        "newswire",
        1,
        "S",
        "2008.1",
        [Page("p1", 200, 100, 300, 8, [Line("z0", "line", BOX, [Word("t0", WORD)])])],
        [
            Section("c1", None, [Segment("s1", ["z0"], [], *text)]),
            Section("c2", None, [Segment("s2", [], [], *text), Segment("s3", [], [], *text)]),
        ],
    )


def given() -> ReadDocument:
    return read_source(Source(new_bytes(document(texts=False)), "B_1_S.lineseg.madcat.xml"))


def found(
    change: Callable[[Document], object] = lambda output: None,
    kind: str = FileKind.LINESYS,
    encoding: str = "utf-8",
) -> list[Problem]:
    """What is told of an output that was changed in one way."""
    output = document()
    change(output)
    data = new_bytes(output)
    if encoding != "utf-8":
        data = data.decode().replace("UTF-8", encoding, 1).replace("utf-8", encoding, 1)
        data = data.encode(encoding)
    return check_output(read_source(Source(data, f"B_1_S{kind}.madcat.xml")), given())


def told(*arguments: object) -> list[tuple[str, Severity, str, str]]:
    return [
        (each.code, each.severity, each.where.element, each.what)
        for each in found(*arguments)  # type: ignore[arg-type]
    ]


def first(output: Document) -> Segment:
    return output.sections[0].segments[0]


def rest(output: Document) -> list[Segment]:
    return output.sections[1].segments


@pytest.mark.parametrize("kind", OUTPUTS)
def test_nothing_is_wrong_with_a_right_output(kind: str) -> None:
    assert found(kind=kind) == []


def test_each_input_has_an_output_that_answers_it() -> None:
    assert ANSWERS == {".lineseg": ".linesys", ".wordseg": ".wordsys", ".textseg": ".transys"}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_a_document_with_another_id_answers_another_input(kind: str) -> None:
    def change(output: Document) -> None:
        output.id = "C_1_S"

    assert told(change, kind) == [
        (
            "output-other-document",
            Severity.ERROR,
            "document C_1_S",
            "the document's id differs from its input's, “B_1_S”",
        )
    ]


def test_a_segment_that_is_missing_added_or_twice_is_told_where_it_is() -> None:
    assert told(lambda output: rest(output).pop(0)) == [
        (
            "output-segment-missing",
            Severity.ERROR,
            "document B_1_S",
            "segment s2 of the input is missing",
        )
    ]
    more = Segment("s9", [], [], "x", "y")
    assert told(lambda output: rest(output).append(more)) == [
        ("output-segment-added", Severity.ERROR, "segment s9", "the input has no such segment")
    ]
    again = Segment("s1", [], [], "x", "y")
    assert told(lambda output: rest(output).append(again)) == [
        (
            "output-segment-twice",
            Severity.ERROR,
            "segment s1",
            "the segment is answered more than once",
        )
    ]
    # The place is that of the second answer, which does not count, not of the first.
    [problem] = found(lambda output: rest(output).append(again))
    output = document()
    rest(output).append(again)
    lines = new_bytes(output).decode().splitlines()
    assert problem.where.line == max(n for n, line in enumerate(lines, 1) if 'id="s1"' in line)


def test_a_segment_under_another_name_is_missing_and_added() -> None:
    def change(output: Document) -> None:
        first(output).id = "s1 "

    assert [code for code, *_ in told(change)] == ["output-segment-missing", "output-segment-added"]


BOTH, TRANSLATION = ["transcription", "translation"], ["translation"]


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [(".linesys", BOTH), (".wordsys", BOTH), (".transys", TRANSLATION), (".lineseg", [])],
)
@pytest.mark.parametrize(
    ("text", "lacks", "severity"),
    [(None, "no", Severity.ERROR), ("", "an empty", Severity.WARNING)],
)
def test_a_text_that_is_missing_is_an_error_and_an_empty_one_a_warning(
    kind: str, wanted: list[str], text: str | None, lacks: str, severity: Severity
) -> None:
    def change(output: Document) -> None:
        for segment in (first(output), rest(output)[1]):
            segment.transcription = segment.translation = text

    assert told(change, kind) == [
        ("output-text-missing", severity, f"segment {name}", f"the segment has {lacks} {which}")
        for name in ("s1", "s3")
        for which in wanted
    ]


def test_a_text_of_blanks_is_empty() -> None:
    def change(output: Document) -> None:
        first(output).translation = " \n\t"

    assert [(code, severity) for code, severity, *_ in told(change)] == [
        ("output-text-missing", Severity.WARNING)
    ]


def move_word(output: Document) -> None:
    output.pages[0].lines[0].words[0].polygon = ((1, 0), *WORD[1:])


def move_line(output: Document) -> None:
    output.pages[0].lines[0].polygon = ((1, 0), *BOX[1:])


def drop_word(output: Document) -> None:
    output.pages[0].lines[0].words.clear()


def drop_line(output: Document) -> None:
    output.pages[0].lines.clear()


def rename_word(output: Document) -> None:
    output.pages[0].lines[0].words[0].id = "t9"


def rename_line(output: Document) -> None:
    output.pages[0].lines[0].id = "z9"


def rename_page(output: Document) -> None:
    output.pages[0].id = "p9"


@pytest.mark.parametrize("kind", OUTPUTS)
@pytest.mark.parametrize(
    "change",
    [move_word, move_line, drop_word, drop_line, rename_word, rename_line, rename_page],
)
def test_the_image_layer_comes_back_as_it_was_given(
    change: Callable[[Document], None], kind: str
) -> None:
    assert told(change, kind) == [
        (
            "output-image-layer",
            Severity.ERROR,
            "document B_1_S",
            "the image layer differs from the input's",
        )
    ]


@pytest.mark.parametrize("kind", OUTPUTS)
def test_only_text_translation_needs_no_image_layer(kind: str) -> None:
    missing = (
        "output-image-layer",
        Severity.ERROR,
        "document B_1_S",
        "the image layer of the input is missing",
    )
    assert told(lambda output: output.pages.clear(), kind) == (
        [] if kind == FileKind.TRANSYS else [missing]
    )


def test_what_the_page_says_of_its_size_may_differ() -> None:
    def change(output: Document) -> None:
        output.pages[0].width, output.pages[0].dpi = 999, None

    assert "output-image-layer" not in [code for code, *_ in told(change)]


def test_an_output_in_another_encoding_is_refused() -> None:
    assert told(lambda output: None, FileKind.LINESYS, "windows-1256") == [
        (
            "output-encoding",
            Severity.ERROR,
            "document B_1_S",
            "the file is in cp1256, not in UTF-8",
        )
    ]


def test_several_faults_are_told_in_one_order_each_with_a_remedy() -> None:
    def change(output: Document) -> None:
        output.id = "C_1_S"
        rest(output)[0].id = "s7"
        first(output).translation = ""
        drop_word(output)

    problems = found(change)
    assert [problem.code for problem in problems] == [
        "output-other-document",
        "output-segment-missing",
        "output-segment-added",
        "output-text-missing",
        "output-image-layer",
    ]
    assert all(problem.remedy for problem in problems)

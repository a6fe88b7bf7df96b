"""Alternatives, optional words and sclite's transcripts: counts equal to sclite's own.

``tests/data/sclite`` holds made transcripts and what sclite of Debian's sctk 2.4.10 counted in
them (``sclite -s -i rm``, half of them with ``-D``; for times ``-r two.stm stm -h two.ctm ctm``).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from madcat_ter.alternatives import network_of
from madcat_ter.errors import InputError, UsageError
from madcat_ter.options import WerOptions
from madcat_ter.signature import wer_signature
from madcat_ter.transcripts import by_segment, read_ctm, read_stm, read_trn
from madcat_ter.wer import WerResult, cer, wer, wer_corpus

DATA = Path(__file__).parent.parent / "data" / "sclite"
READ = WerOptions(nist=True, alternatives="read")
OPTIONAL = WerOptions(nist=True, alternatives="optional")


def counts(result: WerResult) -> list[int]:
    return [result.matches, result.substitutions, result.deletions, result.insertions]


@pytest.mark.long
@pytest.mark.parametrize("options", [READ, OPTIONAL], ids=["as they are", "-D"])
def test_two_thousand_pairs_are_counted_as_sclite_counts_them(options: WerOptions) -> None:
    text = (DATA / "alternatives.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    rows = [row for row in rows if row[2] == (options is OPTIONAL)]
    assert len(rows) == 1000
    corpus = wer_corpus([row[0] for row in rows], [row[1] for row in rows], options)
    assert [counts(one) for one in corpus.segments] == [row[3] for row in rows]
    assert corpus.words == sum(sum(row[3][:3]) for row in rows)


@pytest.mark.parametrize("options", [READ, OPTIONAL], ids=["as they are", "-D"])
def test_timed_words_go_to_the_segments_that_sclite_gives_them_to(options: WerOptions) -> None:
    expected = json.loads((DATA / "two.json").read_text(encoding="utf-8"))
    segments = read_stm((DATA / "two.stm").read_text(encoding="utf-8"))
    words = read_ctm((DATA / "two.ctm").read_text(encoding="utf-8"))
    found = {
        name: counts(wer(output, reference, options))
        for name, output, reference in by_segment(segments, words)
    }
    assert found == expected[str(options is OPTIONAL)]
    assert len(found) == 112
    assert sum(not segment.is_scored for segment in segments) == 8


def test_what_was_chosen_is_told() -> None:
    result = wer("the sofa went", "the { couch / (big) sofa / @ } went (uh)", OPTIONAL)
    assert result.pairs() == [
        ("the", "the"),
        ("", "big"),
        ("sofa", "sofa"),
        ("went", "went"),
        ("", "uh"),
    ]
    assert counts(result) == [5, 0, 0, 0]
    assert wer_corpus(["a x"], ["a (uh)"], OPTIONAL).confusions() == {("uh", "x"): 1}
    assert not wer_corpus(["a"], ["a (uh)"], OPTIONAL).confusions()


def test_texts_without_alternatives_are_counted_as_before() -> None:
    outputs, references = ["a b c", "x", ""], ["a c d", "x y", "z"]
    plain = wer_corpus(outputs, references, WerOptions(nist=True))
    assert wer_corpus(outputs, references, READ) == plain
    mixed = wer_corpus([*outputs, "b"], [*references, "{ a / b }"], READ)
    assert mixed.segments[:3] == plain.segments
    assert counts(mixed.segments[3]) == [1, 0, 0, 0]


def test_options_hold_for_each_alternative() -> None:
    folded = WerOptions(
        nist=True, alternatives="read", case_sensitive=False, remove_diacritics=True
    )
    assert wer("COLOUR كَتَبَ", "{ Color / Colour } { كتب / @ }", folded).edits == 0
    assert wer("COLOUR", "{ Color / Colour }", READ).edits == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a { b", "a brace is not closed"),
        ("a { b / { c }", "a brace is not closed"),
        ("{ }", "an alternation is empty"),
        ("{ / }", "an alternation is empty"),
        ("a } b", "a brace is inside “}”"),
        ("a{b / c}", "a brace is inside “a{b”"),
    ],
)
def test_braces_that_do_not_pair_are_told(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        wer("a", text, READ)
    assert caught.value.code == "scoring.alternatives"
    assert caught.value.remedy
    with pytest.raises(InputError):
        network_of(text)


def test_characters_are_not_counted_over_alternatives() -> None:
    assert cer("abc", "abd", READ).edits == 1
    with pytest.raises(InputError, match="characters cannot be counted with alternatives"):
        cer("abc", "{ abd / abc }", READ)


def test_the_weights_are_sclites_or_an_error() -> None:
    with pytest.raises(UsageError, match="weighed as sclite does"):
        WerOptions(alternatives="read")
    assert wer_signature(READ).endswith("|weights:nist|alternatives:read")
    assert wer_signature(OPTIONAL).endswith("|alternatives:optional")
    assert "alternatives" not in wer_signature(WerOptions(nist=True))


@pytest.mark.parametrize(
    ("read", "text", "where", "reason"),
    [
        (read_trn, "a b (s_1)\nc d\n", "f:2", "the line has no id"),
        (read_trn, "a (s_1)\nb (s_1)\n", "f", "the id s_1 occurs more than once"),
        (read_stm, ";; c\nf A s 0\n", "f:2", "the line has no file, channel, speaker and times"),
        (read_stm, "f A s 0 x a\n", "f:1", "“x” is not a time"),
        (read_stm, "f A s 0 nan a\n", "f:1", "“nan” is not a time"),
        (read_stm, "f A s 2 1 a\n", "f:1", "the segment ends at 1 before it begins"),
        (read_ctm, "f A 0 1\n", "f:1", "the line has no file, channel, times and word"),
        (read_ctm, "f A -1 1 a\n", "f:1", "“-1” is not a time"),
        (read_ctm, "f A * * <ALT>\n", "f:1", "<ALT> is in the wrong place"),
        (read_ctm, "f A * * <ALT_BEGIN>\nf A 0 1 a\n", "f:2", "<ALT_BEGIN> has no <ALT_END>"),
        (read_ctm, "f A * * <ALT_BEGIN>\nf A * * <ALT_END>\n", "f:2", "has no words"),
    ],
)
def test_a_transcript_that_is_none_is_told_with_its_line(read, text, where, reason) -> None:
    with pytest.raises(InputError) as caught:
        read(text, "f")
    assert caught.value.code == "scoring.transcript"
    assert (caught.value.where, reason in caught.value.reason) == (where, True)
    assert caught.value.remedy


def test_words_of_another_recording_are_no_words_of_this_one() -> None:
    segments = read_stm("f A s 0 1 a")
    with pytest.raises(InputError, match="the recording g B has words and no segments"):
        by_segment(segments, read_ctm("g B 0 1 a"))
    assert by_segment(segments, []) == [("s-000", "", "a")]

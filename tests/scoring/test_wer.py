"""WER and CER: jiwer's counts, sclite's counts, alignments, what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from kernels import KERNELS, records

from madcat_studio.errors import InputError
from madcat_studio.progress import Cancelled
from madcat_ter.kernel import python, python_text
from madcat_ter.options import WerOptions
from madcat_ter.wer import cer, wer, wer_corpus, wer_words

GOLDEN = records("wer_golden.jsonl.gz")


@pytest.mark.parametrize(("name", "nist"), [("jiwer", False), ("sclite", True)])
def test_golden_records(name: str, nist: bool) -> None:
    assert len(GOLDEN) == 386
    for kernel in KERNELS:
        ids = python_text.intern(
            [record["hyp"].split() for record in GOLDEN],
            [record["ref"].split() for record in GOLDEN],
        )
        counts, _, _ = kernel.wer_batch(*ids, nist)
        wanted = [[record[name][key] for key in ("cor", "sub", "del", "ins")] for record in GOLDEN]
        assert counts.tolist() == wanted


units = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.long
@given(st.lists(st.tuples(units, units), max_size=5), st.booleans())
def test_kernels_agree(pairs: list[tuple[list[str], list[str]]], nist: bool) -> None:
    ids = python_text.intern([one for one, _ in pairs], [two for _, two in pairs])
    counts, paths, ends = python.wer_batch(*ids, nist)
    for kernel in KERNELS:
        found = kernel.wer_batch(*ids, nist)
        assert found[0].tolist() == counts.tolist()
        assert found[1] == paths
        assert found[2].tolist() == ends.tolist()


longer = st.lists(st.sampled_from("abcde"), max_size=150)


@given(longer, longer)
def test_longer_texts(output: list[str], reference: list[str]) -> None:
    result = wer_words(output, reference)
    ids = python_text.intern([output], [reference])
    assert result.alignment == python.wer_batch(*ids, False)[1]
    nist = wer_words(output, reference, nist=True)
    weight = 4 * nist.substitutions + 3 * (nist.insertions + nist.deletions)
    assert weight <= 4 * result.substitutions + 3 * (result.insertions + result.deletions)
    assert nist.edits >= result.edits


@given(units, st.lists(st.sampled_from("abcd"), min_size=1, max_size=12))
def test_jiwer_agrees(output: list[str], reference: list[str]) -> None:
    theirs = jiwer.process_words(" ".join(reference), " ".join(output))
    ours = wer(" ".join(output), " ".join(reference))
    assert (ours.matches, ours.substitutions, ours.deletions, ours.insertions) == (
        theirs.hits,
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    )
    assert ours.rate == theirs.wer


def test_a_moved_block_is_no_shift() -> None:
    result = wer("d e f g h a b c", "a b c d e f g h")
    assert (result.edits, result.words) == (6, 8)


def test_segments_are_not_glued_together() -> None:
    corpus = wer_corpus(["a", "b c d"], ["a b", "c d"])
    assert (corpus.edits, corpus.words, corpus.rate) == (2, 4, 0.5)


def test_empties() -> None:
    assert wer("", "").rate == 0.0
    assert wer("a", "").rate is None
    assert (wer("", "a b").deletions, wer("", "a b").rate) == (2, 1.0)
    options = WerOptions(remove_diacritics=True)
    assert (wer("كتب", "\u064b", options).insertions, wer("كتب", "\u064b", options).rate) == (
        1,
        None,
    )


def test_pairs_and_confusions() -> None:
    corpus = wer_corpus(["a x c", "x"], ["a b c", "b d"])
    assert corpus.segments[0].pairs() == [("a", "a"), ("x", "b"), ("c", "c")]
    assert (None, "d") in corpus.segments[1].pairs() or (None, "b") in corpus.segments[1].pairs()
    assert corpus.confusions()["b", "x"] >= 1


def test_characters() -> None:
    result = cer("kitten", "sitting")
    assert (result.edits, result.words) == (3, 7)
    assert wer_corpus(["kitten"], ["sitting"], characters=True).edits == 3
    assert cer("a  b", "a b").edits == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: wer_words("a b", ["a"]),
        lambda: wer_corpus("ab", ["a", "b"]),
        lambda: wer_corpus(["a"], "b"),
    ],
)
def test_a_bare_string_is_refused(call: object) -> None:
    with pytest.raises(InputError, match=r"scoring\.bare-string"):
        call()  # type: ignore[operator]


def test_numbers_of_segments_differ() -> None:
    with pytest.raises(InputError, match=r"scoring\.unequal"):
        wer_corpus(["a"], ["a", "b"])


def test_a_corpus_has_the_sums_of_its_segments() -> None:
    corpus = wer_corpus(["a x c", "a b", "a b c d"], ["a b c", "a b c", "a b"])
    assert (corpus.insertions, corpus.deletions, corpus.substitutions) == (2, 1, 1)
    assert (corpus.matches, corpus.edits, corpus.words, corpus.rate) == (6, 4, 8, 0.5)
    first, second, third = corpus.segments
    assert first.pairs() == [("a", "a"), ("x", "b"), ("c", "c")]
    assert second.pairs() == [("a", "a"), ("b", "b"), (None, "c")]
    assert third.pairs() == [("a", "a"), ("b", "b"), ("c", None), ("d", None)]
    assert [one.alignment for one in corpus.segments] == [" S ", "  D", "  II"]
    assert (third.edits, third.matches, third.words, third.rate) == (2, 2, 2, 1.0)
    again = wer_corpus(["a x", "y b", "x", "x"], ["a b", "a b", "b", "x z"])
    assert again.confusions() == {("b", "x"): 2, ("a", "y"): 1}


def test_many_segments_are_computed_by_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = [f"a {number}" for number in range(5)]
    references = ["a 1 2"] * 5
    whole = wer_corpus(outputs, references)
    seen: list[tuple[int, int | None]] = []
    stop_at = 9

    class Watched:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            seen.append((done, total))

        def cancelled(self) -> bool:
            return len(seen) == stop_at

    monkeypatch.setattr("madcat_ter.wer._PORTION", 2)
    assert wer_corpus(outputs, references, progress=Watched()) == whole
    assert [one.edits for one in whole.segments] == [2, 1, 1, 2, 2]
    assert seen == [(2, 5), (4, 5), (5, 5)]
    seen.clear()
    stop_at = 1
    with pytest.raises(Cancelled):
        wer_corpus(outputs, references, progress=Watched())
    assert seen == [(2, 5)]
    assert wer_corpus([], []).segments == ()


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_texts_that_are_none(text: str) -> None:
    for call in (
        lambda: wer(text, "a"),
        lambda: wer("a", text),
        lambda: cer(text, "a"),
        lambda: cer("a", text),
        lambda: wer_corpus(["a"], [text]),
    ):
        with pytest.raises(InputError):
            call()


def test_options_reach_words_and_characters() -> None:
    nist = WerOptions(nist=True)
    # Two substitutions and an insertion weigh 11; two insertions, a deletion and a match 9.
    output, reference = "b a a", "c b"
    plain, weighed = wer(output, reference), wer(output, reference, nist)
    assert (plain.edits, weighed.edits) == (3, 3)
    assert (plain.substitutions, weighed.substitutions) == (2, 0)
    assert cer("baa", "cb").substitutions == 2
    assert cer("baa", "cb", nist).substitutions == 0
    assert wer_corpus([output], [reference], nist).substitutions == 0
    assert wer_words(["b", "a", "a"], ["c", "b"], nist=True).substitutions == 0
    assert wer("a.", "a .").edits == 2
    assert wer("a.", "a .", WerOptions(normalise=True)).edits == 0

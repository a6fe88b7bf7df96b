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
from madcat_studio.scoring.kernel import python, python_text
from madcat_studio.scoring.options import WerOptions
from madcat_studio.scoring.wer import cer, wer, wer_corpus, wer_words

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

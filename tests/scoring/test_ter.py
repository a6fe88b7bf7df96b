"""TER: results, several references, denominators, empties, options, what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import InputError, UsageError
from madcat_studio.progress import Cancelled
from madcat_studio.scoring.replay import StepKind, replay, replay_lines
from madcat_ter.options import Costs, TerOptions, WerOptions
from madcat_ter.signature import ter_signature, wer_signature
from madcat_ter.ter import (
    MOST_WORDS,
    ter,
    ter_corpus,
    ter_counts,
    ter_word_counts,
    ter_words,
)

RAW = TerOptions(normalise=False)


@pytest.mark.parametrize(
    ("output", "reference", "edits", "words", "shifts"),
    [
        # Sides are never swapped: the denominator is the reference's.
        ("", "hello world foo", 3, 3, 0),
        ("hello hello the a dog", "jumps dog lazy the", 5, 4, 2),
        # Rates above 100 % are not clipped.
        ("Crema per latticini", "Panna", 3, 1, 0),
        # Shifts are searched as tercom does.
        ("w3 w0 w2 w1", "w0 w1 w2 w3", 2, 4, 2),
        # A shift is one edit, however long the block.
        ("d e f g h a b c", "a b c d e f g h", 1, 8, 1),
        # A tab is a blank; a no-break space is none.
        ("a\tb", "a b", 0, 2, 0),
        ("a\u00a0b", "a b", 2, 2, 0),
        # Normalised once, not twice.
        ("foo's.", "foo's.", 0, 2, 0),
        ("a<skipped>b", "ab", 0, 1, 0),
        ("", "", 0, 0, 0),
        ("a b c", "", 3, 0, 0),
    ],
)
def test_numbers(output: str, reference: str, edits: float, words: float, shifts: int) -> None:
    result = ter(output, [reference])
    assert (result.edits, result.words, result.shift_count) == (edits, words, shifts)
    assert result.insertions + result.deletions + result.substitutions + shifts == edits


def test_rates() -> None:
    assert ter("", [""]).rate == 0.0
    assert ter("a", [""]).rate is None
    assert ter("Crema per latticini", ["Panna"]).rate == 3.0


def test_a_long_omission_costs_more_with_the_beam() -> None:
    reference = [f"w{number}" for number in range(60)]
    output = reference[:5] + reference[26:]
    assert ter_words(output, [reference]).edits == 23
    assert ter_words(output, [reference], TerOptions(beam=None)).edits == 21
    assert ter_words(output, [reference], TerOptions(beam=200)).edits == 21
    # At an end the beam does not act.
    assert ter_words(reference[21:], [reference]).edits == 21


@pytest.mark.parametrize(
    ("distance", "late", "edits"),
    [(49, True, 1), (49, False, 1), (50, True, 2), (50, False, 1), (51, True, 2), (51, False, 2)],
)
def test_how_far_a_word_moves(distance: int, late: bool, edits: int) -> None:
    words = [f"w{number}" for number in range(60)]
    output = list(words)
    there = 4 + distance
    if late:
        output.insert(there, output.pop(4))
    else:
        output.insert(4, output.pop(there))
    assert ter_words(output, [words]).edits == edits


def test_a_block_of_eleven_words_is_two_shifts() -> None:
    words = [f"w{number}" for number in range(40)]
    output = words[11:25] + words[:11] + words[25:]
    assert ter_words(output, [words]).shift_count == 2


def test_the_reference_with_the_fewest_edits_counts_and_lengths_are_averaged() -> None:
    output = "a b c d e f g h"
    short, long = "a b c", "a b c d" + " x" * 20
    alone = [ter(output, [text], RAW) for text in (short, long)]
    both = ter(output, [short, long], RAW)
    assert both.reference_index == 0
    assert both.edits == min(one.edits for one in alone)
    assert both.words == (3 + 24) / 2
    assert ter("x", ["y", "z"], RAW).reference_index == 0


def test_lengths_replace_the_denominator() -> None:
    result = ter("a b", ["a c"], RAW, lengths=["1 2 3 4 5", "1 2 3"])
    assert (result.edits, result.words) == (1, 4.0)
    assert result.rate == 0.25


def test_costs() -> None:
    halved = TerOptions(normalise=False, costs=Costs(substitution=0.5))
    assert ter("a x", ["a b"], halved).edits == 0.5
    # Against nothing words are counted, whatever they cost.
    assert ter("a x", [""], TerOptions(costs=Costs(insertion=5))).edits == 2
    assert ter_counts(["a x"], [[""]], TerOptions(costs=Costs(insertion=5))).edits.tolist() == [2]


@pytest.mark.parametrize("cost", [-1.0, math.nan, math.inf])
def test_costs_that_are_none(cost: float) -> None:
    with pytest.raises(UsageError, match=r"scoring\.cost"):
        Costs(deletion=cost)


def test_free_shifts_are_refused_where_they_never_end() -> None:
    free = TerOptions(costs=Costs(shift=0))
    result = ter("c d a b", ["a b c d"], free)
    assert (result.edits, result.shift_count) == (0, 1)
    with pytest.raises(UsageError, match=r"never end.*scoring\.endless"):
        ter("a a b", ["a b b"], free)
    with pytest.raises(UsageError, match=r"never end.*scoring\.endless"):
        ter_counts(["c d a b", "a a b"], [["a b c d"], ["a b b"]], free)


def test_a_negative_beam_is_refused() -> None:
    with pytest.raises(UsageError, match=r"scoring\.beam"):
        TerOptions(beam=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ter("a", "good night moon"),
        lambda: ter("a", ["b"], lengths="c"),
        lambda: ter_words("a b", [["a"]]),
        lambda: ter_words(["a"], ["a b"]),
        lambda: ter_corpus("ab", [["a"], ["b"]]),
        lambda: ter_corpus(["a"], "b"),
        lambda: ter_corpus(["a"], ["b"]),
        lambda: ter_counts(["a"], ["b"]),
        lambda: ter_word_counts(["a b"], [["a"]]),
        lambda: ter_word_counts("ab", [["a"]]),
    ],
)
def test_a_bare_string_is_refused(call: object) -> None:
    with pytest.raises(InputError, match=r"scoring\.bare-string"):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "code"), [("a\0b", "nul"), ("a\ud800b", "lone-surrogate"), (b"ab", "not-text")]
)
def test_texts_that_are_none(text: str, code: str) -> None:
    for call in (
        lambda: ter(text, ["a"]),
        lambda: ter("a", [text]),
        lambda: ter_corpus(["x", text], [["a"], ["b"]]),
        lambda: ter_counts(["x", "y"], [["a"], [text]]),
    ):
        with pytest.raises(InputError, match=f"scoring.{code}"):
            call()


def test_no_reference() -> None:
    for call in (lambda: ter("a", []), lambda: ter_corpus(["a"], [[]])):
        with pytest.raises(InputError, match=r"scoring\.no-reference"):
            call()


def test_numbers_of_segments_differ() -> None:
    with pytest.raises(InputError, match="2 outputs and 1 references"):
        ter_corpus(["a", "b"], [["a"]])
    with pytest.raises(InputError, match=r"scoring\.unequal"):
        ter_word_counts([["a"], ["b"]], [["a"]])


def test_a_segment_that_is_too_long() -> None:
    text = "a " * (MOST_WORDS + 1)
    for call in (lambda: ter(text, ["a"]), lambda: ter_counts(["a"], [[text]])):
        with pytest.raises(InputError, match=r"scoring\.too-long"):
            call()


def test_a_corpus_is_its_segments() -> None:
    outputs = ["d e f g h a b c", "x", "", "1 2", "the end ."]
    references = [["a b c d e f g h"], ["y z", "x z"], ["gone"], [""], ["the end", "an end ."]]
    corpus = ter_corpus(outputs, references)
    singles = [ter(one, two) for one, two in zip(outputs, references, strict=True)]
    assert list(corpus.segments) == singles
    counts = ter_counts(outputs, references, jobs=2)
    assert counts.edits.tolist() == [one.edits for one in singles]
    assert counts.words.tolist() == [one.words for one in singles]
    assert counts.reference_index.tolist() == [one.reference_index for one in singles]
    assert counts.counts.tolist() == [
        [one.insertions, one.deletions, one.substitutions, one.shift_count, one.shifted_words]
        for one in singles
    ]
    assert corpus.rate == counts.rate == corpus.edits / corpus.words
    assert ter_counts([], []).rate == 0.0


def test_the_segments_of_a_corpus_are_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made when they are asked for, over the borders of the portions, and equal each time."""
    monkeypatch.setattr("madcat_ter.ter._PORTION", 2)
    outputs = ["d e f g h a b c", "x", "", "1 2", "the end ."]
    references = [["a b c d e f g h"], ["y z", "x z"], ["gone"], [""], ["the end", "an end ."]]
    segments = ter_corpus(outputs, references).segments
    singles = [ter(one, two) for one, two in zip(outputs, references, strict=True)]
    assert len(segments) == 5
    assert [segments[place] for place in range(5)] == singles
    assert [segments[place] for place in range(-5, 0)] == singles
    assert segments[1:4] == tuple(singles[1:4])
    assert segments[::-2] == tuple(singles[::-2])
    assert segments == singles
    assert segments != singles[:-1]
    assert segments != singles[::-1]
    assert segments != "abcde"
    assert segments != 5
    for place in (5, -6):
        with pytest.raises(IndexError):
            segments[place]
    assert not ter_corpus([], []).segments


def test_the_rate_of_a_corpus_is_no_mean_of_rates() -> None:
    corpus = ter_corpus(["x", "a b c d e f g h i"], [["y"], ["a b c d e f g h i"]])
    assert corpus.rate == 1 / 10


def test_words_that_are_split_already() -> None:
    counts = ter_word_counts([["a", "x"], []], [["a", "b"], ["c"]])
    assert counts.edits.tolist() == [1, 1]
    assert counts.words.tolist() == [2, 1]
    assert np.issubdtype(counts.counts.dtype, np.integer)


def test_cancelling() -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            raise AssertionError("nothing is done yet")

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        ter_corpus(["a"], [["a"]], progress=Stop())


def test_cancelling_one_long_segment() -> None:
    class Stop:
        asked = 0

        def advance(self, done: int, total: int | None, text: str = "") -> None:
            raise AssertionError("it was to be stopped")

        def cancelled(self) -> bool:
            self.asked += 1
            return self.asked > 2  # before the segment, then within it

    # Long enough that the search asks some fifty times on a quick machine.
    words = [f"w{number}" for number in range(3000)]
    output = [words[at + (k + 3) % 10] for at in range(0, 3000, 10) for k in range(10)]
    with pytest.raises(Cancelled):
        ter_counts([" ".join(output)], [[" ".join(words)]], progress=Stop())


words = st.lists(st.sampled_from("abcde"), max_size=10)


@given(words, words)
def test_a_replay_ends_at_the_reference(output: list[str], reference: list[str]) -> None:
    result = ter_words(output, [reference])
    steps = replay(result)
    assert [edit.reference for edit in steps.edits if edit.reference is not None] == reference
    left = tuple(edit.output for edit in steps.edits if edit.output is not None)
    assert left == result.shifted_output
    assert sorted(left) == sorted(output)
    for before, after in zip(steps.shifts, steps.shifts[1:], strict=False):
        assert before.after == after.before
    for step in steps.shifts:
        block = step.before[step.start : step.start + step.length]
        assert step.after[step.to : step.to + step.length] == block == step.shift.words
    for edit in steps.edits:
        assert (edit.output == edit.reference) == (edit.kind is StepKind.MATCH)
        if edit.origin is not None:
            assert output[edit.origin] == edit.output
    assert sum(len(edit.shifts) for edit in steps.edits) == result.shifted_words


def test_a_replay_as_lines() -> None:
    assert replay_lines(ter("d e f g h a b c x", ["a b c d e f g h"])) == [
        "output     d e f g h a b c x",
        "shift 1    [a b c] d e f g h x   (3 words, 5 left)",
        "reference  a b c d e f g h *",
        "output     a b c d e f g h x",
        "edits      1 1 1           I",
        "1 insertions, 0 deletions, 0 substitutions, 1 shifts",
    ]


@given(words, words)
def test_edits_never_fall_below_the_difference_in_length(
    output: list[str], reference: list[str]
) -> None:
    result = ter_words(output, [reference])
    assert result.edits >= abs(len(output) - len(reference))
    assert result.edits <= max(len(output), len(reference))
    assert (result.edits == 0) == (output == reference)


def test_signatures_tell_every_option() -> None:
    plain = ter_signature(TerOptions())
    assert plain.startswith("TER|version:")
    assert "like:tercom-0.7.25|refs:1|case:kept|norm:tercom-N|punct:kept|fold:no|beam:20" in plain
    changed = [
        TerOptions(case_sensitive=False),
        TerOptions(normalise=False),
        TerOptions(no_punctuation=True),
        TerOptions(remove_diacritics=True),
        TerOptions(remove_tatweel=True),
        TerOptions(fold_alef=True),
        TerOptions(fold_yeh=True),
        TerOptions(fold_teh_marbuta=True),
        TerOptions(fold_digits=True),
        TerOptions(nfkc=True),
        TerOptions(beam=None),
        TerOptions(beam=5),
        TerOptions(max_shift_distance=3),
        TerOptions(costs=Costs(shift=0.5)),
    ]
    signatures = {ter_signature(options) for options in changed}
    assert len(signatures | {plain}) == len(changed) + 1
    assert ter_signature(TerOptions(), extra={"tie": "a|b\nc"}).endswith("|tie:a b c")
    assert wer_signature(WerOptions()) != wer_signature(WerOptions(nist=True))
    assert wer_signature(WerOptions(), metric="CER").startswith("CER|")


def test_a_corpus_has_the_sums_of_its_segments() -> None:
    corpus = ter_corpus(
        # Two shifted words; one substitution; two insertions; one deletion.
        ["c d a b", "a x", "a b c d", "a"],
        [["a b c d"], ["a b"], ["a b"], ["a b"]],
    )
    assert (corpus.insertions, corpus.deletions, corpus.substitutions) == (2, 1, 1)
    assert (corpus.shift_count, corpus.shifted_words) == (1, 2)
    assert (corpus.edits, corpus.words, corpus.rate) == (5, 10, 0.5)
    assert [one.matches for one in corpus.segments] == [4, 1, 2, 1]
    assert [one.shifted_words for one in corpus.segments] == [2, 0, 0, 0]
    counts = ter_counts(["c d a b", "a x"], [["a b c d"], ["a b"]])
    assert counts.counts.tolist() == [[0, 0, 0, 1, 2], [0, 0, 1, 0, 0]]


def test_no_segments_have_no_rows() -> None:
    for counts in (ter_counts([], []), ter_word_counts([], [])):
        assert counts.counts.shape == (0, 5)
        assert counts.edits.shape == counts.words.shape == counts.reference_index.shape == (0,)
    assert len(ter_corpus([], []).segments) == 0


def test_every_text_may_be_as_long_as_the_limit_and_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("madcat_ter.ter.MOST_WORDS", 3)
    most, more = ["a", "b", "c"], ["a", "b", "c", "d"]
    text, longer = " ".join(most), " ".join(more)
    calls: list[Callable[[list[str], list[str]], object]] = [
        lambda one, other: ter(" ".join(one), [" ".join(other)]),
        lambda one, other: ter_words(one, [["x"], other]),
        lambda one, other: ter_counts(["x", " ".join(one)], [["x"], [" ".join(other)]]),
        lambda one, other: ter_word_counts([["x"], one], [["x"], other]),
    ]
    for call in calls:
        call(most, most)
        for pair in ((more, most), (most, more)):
            with pytest.raises(InputError, match=r"a segment has 4 words") as caught:
                call(*pair)
            assert caught.value.remedy == "Split it: at most 3 words can be scored as one segment"
    assert ter(text, [longer[:-2]]).edits == 0


def test_many_segments_are_computed_by_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = [f"a {number}" for number in range(5)]
    references = [["a b c", "a 4"] if number == 3 else ["a 1"] for number in range(5)]
    whole = ter_corpus(outputs, references)
    seen: list[tuple[int, int | None]] = []

    class Watched:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            seen.append((done, total))

        def cancelled(self) -> bool:
            return False

    monkeypatch.setattr("madcat_ter.ter._PORTION", 2)
    assert ter_corpus(outputs, references, progress=Watched()) == whole
    assert seen == [(2, 5), (4, 5), (5, 5)]
    counts = ter_counts(outputs, references, progress=Watched())
    assert counts.edits.tolist() == [one.edits for one in whole.segments] == [1, 0, 1, 1, 1]
    assert counts.words.tolist() == [2, 2, 2, 2.5, 2]
    assert counts.reference_index.tolist() == [0, 0, 0, 1, 0]
    assert (counts.rate, whole.rate) == (4 / 10.5, 4 / 10.5)


def test_lengths_replace_the_denominators_of_many() -> None:
    outputs, references = ["a b", "a"], [["a c"], ["a"]]
    lengths = [["1 2 3 4 5", "1 2 3"], ["1 2"]]
    assert ter_counts(outputs, references, RAW, lengths).words.tolist() == [4, 2]
    assert [one.words for one in ter_corpus(outputs, references, RAW, lengths).segments] == [4, 2]
    assert ter_words(["a"], [["a"]], lengths=[1, 4]).words == 2.5


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: ter("a", ["a"], lengths=[]), "no-reference"),
        (lambda: ter_counts(["a"], [["a"]], lengths=[[]]), "no-reference"),
        (lambda: ter_counts(["a"], [["a"]], lengths=["a"]), "bare-string"),
        (lambda: ter_counts(["a"], [["a"]], lengths="a"), "bare-string"),
        (lambda: ter_counts(["a"], [["a"]], lengths=[["a"], ["b"]]), "unequal"),
        (lambda: ter_word_counts([["a"]], "a"), "bare-string"),
    ],
)
def test_lengths_that_are_none(call: Callable[[], object], code: str) -> None:
    with pytest.raises(InputError, match=rf"scoring\.{code}"):
        call()


@pytest.mark.parametrize("jobs", [0, -1])
def test_nobody_to_compute_is_refused(jobs: int) -> None:
    with pytest.raises(UsageError, match=r"scoring\.jobs"):
        ter_counts(["a"], [["a"]], jobs=jobs)


def test_costs_of_many() -> None:
    costs = Costs(insertion=5, deletion=3, substitution=0.5)
    assert costs.values() == (0, 1, 5, 3, 0.5)
    outputs = ["a x", "", "", "a", "b", "a b", "a"]
    references = [[""], ["a b c"], [""], ["b"], ["b"], ["a"], ["a b"]]
    options = TerOptions(costs=costs)
    # Against nothing words are counted; else each edit has its cost.
    wanted = [2, 3, 0, 0.5, 0, 5, 3]
    assert ter_counts(outputs, references, options).edits.tolist() == wanted
    assert [one.edits for one in ter_corpus(outputs, references, options).segments] == wanted
    single = [ter(one, two, options) for one, two in zip(outputs, references, strict=True)]
    assert [one.edits for one in single] == wanted


def test_a_beam_of_nothing_is_a_beam() -> None:
    assert TerOptions(beam=0).beam == 0
    assert ter("a b", ["a b"], TerOptions(beam=0)).edits == 0

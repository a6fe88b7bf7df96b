"""Every kernel against the golden records, against each other and against the textbook."""

from __future__ import annotations

import itertools
import random
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from kernels import KERNELS, compiled, compiled_text, number, records, textbook

from madcat_ter.kernel import python, python_text
from madcat_ter.options import TerOptions
from madcat_ter.text import normalise_and_split, words

UNIT = (0.0, 1.0, 1.0, 1.0, 1.0)
GOLDEN = records("tercom_golden.jsonl.gz")
# The twin takes a minute for all of them; those over 60 words are left to the soak, but for some.
LONG = 60

by_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-8:])


def test_number_of_golden_records() -> None:
    assert len(GOLDEN) == 3022


@pytest.mark.long
@by_kernel
def test_golden_records(kernel: ModuleType) -> None:
    """Counts, path and every shift of the original program."""
    short = [record for record in GOLDEN if len(record["hyp"]) < 6 * LONG]
    long = [record for record in GOLDEN if len(record["hyp"]) >= 6 * LONG]
    medium = [record for record in long if len(record["hyp"]) < 15 * LONG]
    assert golden_differences(kernel, short + (medium[::12] if kernel is python else long)) == []


@pytest.mark.soak
def test_soak_golden_records_in_python() -> None:
    assert golden_differences(python, GOLDEN) == []


def golden_differences(kernel: ModuleType, golden: list[dict[str, Any]]) -> list[str]:
    different = []
    for record in golden:
        wanted = record["options"]
        assert wanted["beam"] == 20
        assert wanted["max_shift_dist"] == 50
        options = TerOptions(
            case_sensitive=wanted["case_sensitive"],
            normalise=wanted["normalize"],
            no_punctuation=wanted["no_punct"],
        )
        output = words(record["hyp"], options)
        found = [
            kernel.align(*number(output, words(reference, options))) for reference in record["refs"]
        ]
        cost, path, shifts = min(found, key=lambda one: one[0])
        counts = [path.count(kind) for kind in "IDS"]
        if (cost, path, [list(shift) for shift in shifts], counts) != (
            record["numer"],
            record["align"] or "",
            record["shifts"] or [],
            [record["ins"], record["del"], record["sub"]],
        ):
            different.append(record["id"])
    return different


def random_pair(rng: random.Random, mean: float, vocabulary: int) -> tuple[list[int], list[int]]:
    """Geometric lengths; half of the outputs are the reference with blocks moved and lost."""
    stop = 1 / (mean + 1)

    def length() -> int:
        count = 0
        while rng.random() > stop:
            count += 1
        return min(count, 400)

    reference = [rng.randrange(vocabulary) for _ in range(length())]
    if rng.random() < 0.5:
        output = [rng.randrange(vocabulary) for _ in range(length())]
    else:
        output = list(reference)
        for _ in range(rng.randrange(6)):
            if not output:
                break
            start = rng.randrange(len(output))
            kind = rng.random()
            if kind < 0.5:
                block = output[start : start + 1 + rng.randrange(12)]
                del output[start : start + len(block)]
                to = rng.randrange(len(output) + 1)
                output[to:to] = block
            elif kind < 0.7:
                del output[start : start + rng.choice([1, 2, 25])]
            elif kind < 0.85:
                output[start] = rng.randrange(vocabulary)
            else:
                output.insert(start, rng.randrange(vocabulary))
    hyp, ref = number([str(word) for word in output], [str(word) for word in reference])
    return hyp, ref


def random_settings(
    rng: random.Random, small: bool
) -> tuple[tuple[float, float, float, float, float], int, int]:
    costs = UNIT
    if small and rng.random() < 0.15:
        costs = (
            rng.choice([0.0, 0.0, 0.3, 1.0]),
            rng.choice([0.3, 0.5, 1.0, 2.0]),
            *(rng.choice([0.0, 0.3, 0.5, 1.0, 2.0]) for _ in range(3)),
        )  # type: ignore[assignment]
    return costs, rng.choice([20, 20, 20, 0, 1, 5, -1]), rng.choice([50, 50, 50, 0, 1, 3, 10])


def assert_equal_on_random_pairs(seed: int, pairs: int, mean: float, oracle: bool) -> None:
    rng = random.Random(seed)
    for _ in range(pairs):
        vocabulary = rng.choice([1, 2, 4, 8, 20, 100] if mean <= 12 else [20, 100, 1000])
        hyp, ref = random_pair(rng, mean, vocabulary)
        costs, beam, far = random_settings(rng, len(hyp) + len(ref) < 30)
        first = python.align(hyp, ref, costs, beam, far)
        for kernel in compiled():
            assert kernel.align(hyp, ref, costs, beam, far) == first, (hyp, ref, costs, beam, far)
        if oracle and len(hyp) + len(ref) < 40:
            assert textbook(hyp, ref, costs, beam, far) == first, (hyp, ref, costs, beam, far)


@pytest.mark.long
def test_random_pairs() -> None:
    assert_equal_on_random_pairs(1, 500, 12, oracle=True)


@pytest.mark.long
def test_longer_random_pairs() -> None:
    assert_equal_on_random_pairs(2, 40, 70, oracle=False)


def long_pair(rng: random.Random) -> tuple[list[int], list[int]]:
    """150 words or more, with a long omission, so that the beam acts."""
    reference = [rng.randrange(500) for _ in range(rng.randrange(150, 260))]
    output = list(reference)
    start = rng.randrange(5, len(output) - 45)
    del output[start : start + rng.randrange(15, 40)]
    for _ in range(rng.randrange(8)):
        output[rng.randrange(len(output))] = rng.randrange(500)
        at, to = rng.randrange(len(output)), rng.randrange(len(output))
        output.insert(to, output.pop(at))
    return number([str(word) for word in output], [str(word) for word in reference])


def assert_equal_on_long_pairs(seed: int, pairs: int) -> int:
    rng = random.Random(seed)
    raised = 0
    for _ in range(pairs):
        hyp, ref = long_pair(rng)
        first = python.align(hyp, ref)
        for kernel in compiled():
            assert kernel.align(hyp, ref) == first, (hyp, ref)
            raised += first[0] > kernel.align(hyp, ref, beam=-1)[0]
    return raised


@pytest.mark.long
def test_long_pairs_where_the_beam_acts() -> None:
    raised = assert_equal_on_long_pairs(3, 6)
    assert raised > 0 or not compiled()


def pair_under_a_narrow_beam(rng: random.Random, longest: int) -> tuple[list[int], list[int], int]:
    """More words than one word of bits, few kinds, and a beam that often raises the cost."""
    kinds, length = rng.choice([4, 8, 20]), rng.randrange(66, longest)
    reference = [rng.randrange(kinds) for _ in range(length)]
    output = [rng.randrange(kinds) for _ in range(length)]
    if rng.random() < 0.6:
        output = list(reference)
        for _ in range(rng.randrange(3, 9)):
            start = rng.randrange(len(output))
            block = output[start : start + rng.randrange(1, 14)]
            del output[start : start + len(block)]
            to = rng.randrange(len(output) + 1)
            output[to:to] = block
        start = rng.randrange(len(output) - 20)
        del output[start : start + rng.randrange(20)]
    hyp, ref = number([str(word) for word in output], [str(word) for word in reference])
    return hyp, ref, rng.choice([1, 2, 3, 5])


def assert_equal_under_narrow_beams(seed: int, pairs: int, longest: int) -> None:
    rng = random.Random(seed)
    raised = 0
    for _ in range(pairs):
        hyp, ref, beam = pair_under_a_narrow_beam(rng, longest)
        first = python.align(hyp, ref, beam=beam)
        for kernel in compiled():
            assert kernel.align(hyp, ref, beam=beam) == first, (hyp, ref, beam)
            raised += first[0] > kernel.align(hyp, ref, beam=-1)[0]
    assert raised > pairs // 2 or not compiled()


@pytest.mark.long
def test_shifts_where_the_beam_has_raised_the_cost() -> None:
    assert_equal_under_narrow_beams(6, 7, 80)


@pytest.mark.soak
def test_soak_where_the_beam_has_raised_the_cost() -> None:
    assert_equal_under_narrow_beams(13, 400, 200)


@pytest.mark.long
def test_beams_of_every_width_agree() -> None:
    """The compiled kernels among themselves; the widest beams are searched in another way."""
    if len(compiled()) < 2:
        pytest.skip("one compiled kernel or none")
    rng = random.Random(8)
    for beam in (0, 1, 7, 20, 33, 49, 50, 51, 90):
        kinds = rng.choice([5, 20, 60])
        output, reference = ([str(rng.randrange(kinds)) for _ in range(220)] for _ in range(2))
        hyp, ref = number(output, reference)
        one, other = (kernel.align(hyp, ref, beam=beam) for kernel in compiled())
        assert one == other


@pytest.mark.soak
def test_soak_random_pairs() -> None:
    assert_equal_on_random_pairs(11, 100_000, 12, oracle=False)


@pytest.mark.soak
def test_soak_long_pairs() -> None:
    assert_equal_on_long_pairs(12, 200)


small = st.lists(st.integers(0, 3), max_size=9)


@settings(max_examples=150, deadline=None)
@given(small, small, st.sampled_from([0, 1, 20, -1]), st.sampled_from([0, 1, 2, 50]))
def test_textbook(output: list[int], reference: list[int], beam: int, far: int) -> None:
    hyp, ref = number([str(word) for word in output], [str(word) for word in reference])
    wanted = textbook(hyp, ref, UNIT, beam, far)
    for kernel in KERNELS:
        assert kernel.align(hyp, ref, UNIT, beam, far) == wanted


Spanned = list[tuple[int, tuple[int, int]]]
span = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))
spanned = st.lists(st.tuples(st.integers(0, 3), span), min_size=1, max_size=8)


@settings(max_examples=80, deadline=None)
@given(spanned, spanned, st.booleans())
def test_spans(output: Spanned, reference: Spanned, move: bool) -> None:
    hyp, ref = number([str(word) for word, _ in output], [str(word) for word, _ in reference])
    one, two = [span for _, span in output], [span for _, span in reference]
    wanted = python.align(hyp, ref, UNIT, 20, 50, one, two, spans_move=move)
    for kernel in compiled():
        assert kernel.align(hyp, ref, UNIT, 20, 50, one, two, spans_move=move) == wanted


@by_kernel
def test_spans_are_put_back_after_a_shift(kernel: ModuleType) -> None:
    """``c b`` against ``a a a b``: in the original, and with spans that go along."""
    spans = [(2, 3), (0, 0)], [(0, 3), (3, 4), (1, 2), (2, 5)]
    pair = [2, 1], [0, 0, 0, 1]
    cost, path, shifts = kernel.align(*pair, UNIT, 20, 50, *spans)
    assert (cost, path, len(shifts)) == (5.0, "SDD ", 2)
    cost, path, shifts = kernel.align(*pair, UNIT, 20, 50, *spans, spans_move=True)
    assert (cost, path, len(shifts)) == (5.0, "SDDS", 1)


@by_kernel
def test_spans_forbid_a_match(kernel: ModuleType) -> None:
    near = kernel.align([0], [0], UNIT, 20, 50, [(0, 1)], [(1, 2)])
    far = kernel.align([0], [0], UNIT, 20, 50, [(0, 1)], [(2, 3)])
    assert near == (0.0, " ", [])
    assert far[0] == 2.0
    assert sorted(far[1]) == ["D", "I"]


@by_kernel
def test_a_batch_is_its_pairs(kernel: ModuleType) -> None:
    rng = random.Random(5)
    pairs = [random_pair(rng, 12, 8) for _ in range(120)]
    flat = (
        np.array([word for hyp, _ in pairs for word in hyp], np.int32),
        np.cumsum([len(hyp) for hyp, _ in pairs]).astype(np.int64),
        np.array([word for _, ref in pairs for word in ref], np.int32),
        np.cumsum([len(ref) for _, ref in pairs]).astype(np.int64),
    )
    counts, costs, paths, path_ends, shifts, shift_ends = kernel.align_batch(
        *flat, UNIT, 20, 50, 3, True
    )
    for index, (hyp, ref) in enumerate(pairs):
        cost, path, moved = kernel.align(hyp, ref)
        begin = path_ends[index - 1] if index else 0
        first = shift_ends[index - 1] if index else 0
        assert costs[index] == cost
        assert paths[begin : path_ends[index]] == path
        assert [tuple(row) for row in shifts[first : shift_ends[index]].tolist()] == moved
        assert counts[index].tolist() == [
            path.count("I"),
            path.count("D"),
            path.count("S"),
            len(moved),
            sum(end - start + 1 for start, end, _, _ in moved),
        ]
    plain = kernel.align_batch(*flat, UNIT, 20, 50, 1, False)
    assert len(plain) == 2
    assert (plain[0] == counts).all()


@by_kernel
def test_free_shifts_end_or_are_refused(kernel: ModuleType) -> None:
    """Where the original would go round for ever; all short pairs, against the textbook."""
    free = (0.0, 0.0, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="would never end"):
        kernel.align([0, 0, 1], [0, 1, 1], free)
    ended = 0
    for output in itertools.product(range(3), repeat=3):
        for reference in itertools.product(range(2), repeat=4):
            try:
                found = kernel.align(list(output), list(reference), free)
            except ValueError:
                with pytest.raises(RuntimeError, match="rounds"):
                    textbook(output, reference, free, 20, 50, most_rounds=60)
            else:
                ended += len(found[2]) > 0
                assert found == textbook(output, reference, free, 20, 50)
    assert ended > 100


@by_kernel
def test_poll_can_end_a_search(kernel: ModuleType) -> None:
    class StopIt(Exception):
        pass

    def stop() -> None:
        raise StopIt

    rng = random.Random(3)
    output, reference = ([rng.randrange(20) for _ in range(2000)] for _ in range(2))
    with pytest.raises(StopIt):
        kernel.align(output, reference, UNIT, 20, 50, None, None, stop)


@pytest.mark.parametrize("kernel", compiled(), ids=lambda kernel: kernel.__name__[-8:])
@pytest.mark.parametrize(
    ("output", "reference", "costs"),
    [
        ([7], [0], UNIT),
        ([-1], [0], UNIT),
        ([0], [2_000_000_000], UNIT),
        ([0], [0], (0.0, 1.0, float("nan"), 1.0, 1.0)),
        ([0], [0], (0.0, 1.0, -1.0, 1.0, 1.0)),
    ],
)
def test_compiled_refuses_what_it_cannot_hold(
    kernel: ModuleType, output: list[int], reference: list[int], costs: tuple[float, ...]
) -> None:
    with pytest.raises(ValueError, match="must be"):
        kernel.align(output, reference, costs)


@pytest.mark.parametrize("kernel", compiled(), ids=lambda kernel: kernel.__name__[-8:])
def test_compiled_refuses_ends_outside_the_ids(kernel: ModuleType) -> None:
    ids = np.zeros(2, np.int32)
    for ends in ([3], [-1], [2, 1]):
        right = np.array([1] * len(ends), np.int64)
        with pytest.raises(ValueError, match="must rise"):
            kernel.align_batch(ids, np.array(ends, np.int64), ids, right, UNIT, 20, 50)


@settings(max_examples=60, deadline=None)
@given(small, small)
def test_nist_path(output: list[int], reference: list[int]) -> None:
    wanted = python.nist_path(output, reference)
    for kernel in compiled():
        assert kernel.nist_path(output, reference) == wanted


# The text work.

TEXT_MODULES = [python_text, *compiled_text()]
SYMBOLS = set('{|}~[\\]^_`!"#$%&()*+:;<=>?@/')

pieces = st.lists(
    st.sampled_from(
        [
            *"ab7 .,-'s\"!?():;/&<>\t\n\r\x0b\x0c\x1f\x85\u00a0\u2028\u0628\u0663\U0001f600",
            *("'s ", "<skipped>", "&amp;", "&lt;", "&quot;", "-\n"),
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(pieces, st.booleans(), st.booleans())
def test_compiled_splitting(text: str, normalise: bool, no_punctuation: bool) -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    wanted = python_text.split(text, normalise, no_punctuation)
    assert module.split(text, normalise, no_punctuation) == wanted


BLANKS = sorted(
    {chr(point) for point in (*range(0xA0), 0x180E, 0x200B, 0x2060, 0xFEFF)}
    | set(re.findall(r"\s", "".join(map(chr, range(0x110000)))))
)


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_every_blank_and_control_character(blank: str) -> None:
    """Compiled and in Python: each beside every character that a rule names."""
    module = pytest.importorskip("madcat_ter.kernel._text")
    around = ("'s", "s", ".", ",", "-", "5", "(", "x", "&amp;", "<", "'", blank, "")
    for before, after in itertools.product(around, repeat=2):
        for text in (f"it{before}{blank}{after}ok", f"{before}{blank}{after}"):
            for switches in itertools.product((False, True), repeat=2):
                wanted = python_text.split(text, *switches)
                assert module.split(text, *switches) == wanted, (text, switches)


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_only_a_space_splits_the_possessive(blank: str) -> None:
    """A space of the text, or one that ``-N`` puts in: a line feed, around a symbol, at the end."""
    for module in TEXT_MODULES:
        words = module.split(f"it's{blank}ok", True, False)
        if blank in " \n" or blank in SYMBOLS:
            assert words[:2] == ["it", "'s"]
        else:
            assert words[0].startswith("it's")
        assert module.split("it's", True, False) == ["it", "'s"]


def random_text(rng: random.Random) -> str:
    """Few words, many blanks of every kind, and what the rules name."""
    parts = ["a", "b", "it's", "U.S.", "1,200", "3-4", "'s", "x", "(", "&amp;", ".", "كتب"]
    text = ""
    for _ in range(rng.randrange(18)):
        text += rng.choice(parts) + (rng.choice(BLANKS) if rng.random() < 0.5 else " ")
    return text


def assert_texts_are_scored_alike(seed: int, pairs: int) -> None:
    """From the text to the shifts: every kernel, and the plain search."""
    (module,) = compiled_text() or [python_text]
    rng = random.Random(seed)
    for _ in range(pairs):
        output, reference = random_text(rng), random_text(rng)
        switches = rng.random() < 0.7, rng.random() < 0.3
        ids = python_text.prepare([output], [reference], *switches)
        other = module.prepare([output], [reference], *switches)
        assert [one.tolist() for one in ids] == [one.tolist() for one in other], (output, reference)
        hyp, ref = ids[0].tolist(), ids[2].tolist()
        wanted = python.align(hyp, ref)
        for kernel in compiled():
            assert kernel.align(hyp, ref) == wanted, (output, reference)
        if hyp and ref and compiled():
            spans = [(0, 0)] * len(hyp), [(0, 0)] * len(ref)  # all may meet: the plain search
            assert compiled()[0].align(hyp, ref, UNIT, 20, 50, *spans) == wanted


@pytest.mark.long
def test_random_texts() -> None:
    assert_texts_are_scored_alike(9, 800)


@pytest.mark.soak
def test_soak_random_texts() -> None:
    assert_texts_are_scored_alike(14, 100_000)


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(pieces, pieces), max_size=4), st.booleans(), st.booleans())
def test_compiled_preparation(
    pairs: list[tuple[str, str]], normalise: bool, no_punctuation: bool
) -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    outputs, references = [one for one, _ in pairs], [two for _, two in pairs]
    got = module.prepare(outputs, references, normalise, no_punctuation)
    wanted = python_text.prepare(outputs, references, normalise, no_punctuation)
    for mine, other in zip(got, wanted, strict=True):
        assert mine.tolist() == other.tolist()
        assert mine.dtype == other.dtype


@pytest.mark.long
def test_compiled_splitting_of_golden_texts() -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    for record in GOLDEN:
        for text in (record["hyp"], *record["refs"]):
            for no_punctuation in (False, True):
                normalise = record["options"]["normalize"]
                assert (
                    module.split(text, normalise, no_punctuation)
                    == normalise_and_split(text.strip(), normalise, no_punctuation)
                    or text != text.strip()
                )


@settings(max_examples=200, deadline=None)
@given(
    st.floats(0, 1e9)
    | st.integers(0, 2000).map(float)
    | st.tuples(st.integers(0, 400), st.integers(1, 400)).map(lambda pair: pair[0] / pair[1])
)
def test_java_doubles(value: float) -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    arguments = ["a", "é"], [value, 2.0], [3.0, value]
    assert module.ter_lines(*arguments) == python_text.ter_lines(*arguments)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (3.0, "3.0"),
        (0.17647058823529413, "0.17647058823529413"),
        (0.00095, "9.5E-4"),
        (0.001, "0.001"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (12345678.5, "1.23456785E7"),
        (0.0, "0.0"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (-1.5, "-1.5"),
        (-1e-5, "-1.0E-5"),
    ],
)
def test_doubles_as_java_writes_them(value: float, written: str) -> None:
    assert python_text.java_double(value) == written


@pytest.mark.parametrize(
    ("outputs", "references", "usual"),
    [
        (b"a b (1)\n\nc (2)", b"c (2)\na (1)\n", True),
        (b"a b (1)\n\nc (2)", b"a (1)\nc (2)\n", True),
        (b"a (1)\nb (1)\n", b"a (1)\nb (2)\n", False),
        (b"a (1)\n", b"a (1)\nb (2)\n", False),
        (b"a (1)\nb (2)\n", b"a (1)\n", False),
        (b"a (1)\nb (1)\n", b"a (1)\n", False),
        (b"a (1)\n", b"a (1)\nb (1)\n", False),
        (b"a (d:1)\n", b"a (d:1)\n", False),
        (b"a\n", b"a (1)\n", False),
        (b"a (1)\r\n", b"a (1)\n", False),
        ("a\u2028 (1)\n".encode(), b"a (1)\n", False),
        (b"a (1) b\n", b"a (1)\n", False),
        (b"a (1))\n", b"a (1)\n", False),
        (b"a ()\n", b"a ()\n", False),
    ],
)
def test_pairs_of_trans_files(outputs: bytes, references: bytes, usual: bool) -> None:
    assert python_text.trans_pairs(outputs, references, True, False) is None
    module = pytest.importorskip("madcat_ter.kernel._text")
    found = module.trans_pairs(outputs, references, True, False)
    assert (found is not None) == usual
    if found is not None:
        names, ids, scored = found
        wanted = python_text.prepare(["a b", "c"], ["a", "c"], True, False)
        assert names == ["1", "2"]
        assert scored == 2
        assert [one.tolist() for one in ids] == [one.tolist() for one in wanted]


def test_a_bare_string_is_no_list_of_words() -> None:
    for module in (python_text, pytest.importorskip("madcat_ter.kernel._text")):
        with pytest.raises(TypeError, match="list"):
            module.intern(["a b"], [["a"]])


class Shouting(str):
    """A word that says of itself what is not so."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True


def test_words_are_told_apart_by_their_letters_however_they_come() -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    joined = ["".join(["s", "ea"]), "ملك", "\ud800", "", "m" * 40]  # equal, but other objects
    again = ["".join(word) for word in joined]
    found = module.intern(
        [tuple(again), (word for word in "ba"), [Shouting("a"), Shouting("c")]],
        [joined + joined, ["a", "b"], ["a", Shouting("b")]],
    )
    ids, ends, reference_ids, reference_ends = (part.tolist() for part in found)
    assert ids == [0, 1, 2, 3, 4, 1, 0, 0, 2]
    assert reference_ids == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 0, 1]
    assert (ends, reference_ends) == ([5, 7, 9], [10, 12, 14])
    with pytest.raises(TypeError, match="str"):
        module.intern([["a", 1]], [["a"]])


def test_numbers_of_words_grow_with_the_text() -> None:
    module = pytest.importorskip("madcat_ter.kernel._text")
    rng = random.Random(4)
    sizes = [3, 40, 700, 5, 90]
    texts = [[[str(rng.randrange(size)) for _ in range(size)] for size in sizes] for _ in range(2)]
    found, wanted = module.intern(*texts), python_text.intern(*texts)
    assert [one.tolist() for one in found] == [one.tolist() for one in wanted]


@pytest.mark.parametrize("width", range(1, 10))
def test_columns_of_any_number_of_words_are_right(width: int) -> None:
    """Each group of four words of a column is computed at once, and what is left over."""
    rng = random.Random(width)
    size = 64 * width + rng.choice([-1, 0, 1])
    reference = [str(rng.randrange(size)) for _ in range(size)]
    output = [word if rng.random() > 0.1 else str(rng.randrange(size)) for word in reference]
    output[5:5] = output[-4:]  # a shift of few words over nearly all
    pair = number(output[:-4], reference)
    wanted = python.align(*pair, max_distance=size)
    assert wanted[0] > width
    for kernel in compiled():
        assert kernel.align(*pair, max_distance=size) == wanted

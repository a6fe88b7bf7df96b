"""TER as a metric of sacrebleu: its own numbers to the last digit, and tercom's."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import TER as SacrebleuTER  # noqa: N811
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.significance import PairedTest

from madcat_ter.errors import InputError, UsageError
from madcat_ter.kernel import python_text
from madcat_ter.options import TerOptions
from madcat_ter.sacrebleu_metric import TER
from madcat_ter.ter import ter_corpus
from tests.scoring.kernels import KERNELS, compiled

WORDS = [
    *("the", "cat", "sat", "on", "a", "mat", ",", "dogs'", "it's", "10-year", "3.5", '"Yes!"'),
    *("said", "&amp;", "foo's", "(bar)", "Bar", "你好", "世界。", "ここ"),
]


def made(count: int, seed: int, longest: int = 14) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randrange(longest))) for _ in range(count)]


OUTPUTS = made(60, 1)
REFERENCES = [made(60, 2), [text or None for text in made(60, 3)]]


SWITCHES = list(itertools.product((False, True), repeat=4))


@pytest.mark.parametrize("switches", SWITCHES)
def test_every_option_of_sacrebleu_gives_its_number(switches: tuple[bool, ...]) -> None:
    theirs, ours = SacrebleuTER(*switches), TER(*switches, compat="sacrebleu")
    wanted = theirs.corpus_score(OUTPUTS, REFERENCES, n_bootstrap=20)
    found = ours.corpus_score(OUTPUTS, REFERENCES, n_bootstrap=20)
    assert (found.score, found.num_edits, found.ref_length) == (
        wanted.score,
        wanted.num_edits,
        wanted.ref_length,
    )
    assert str(found) == str(wanted)  # with the interval of the bootstrap
    assert str(ours.get_signature()) == str(theirs.get_signature())


CAREFUL = ["'s", "&amp;", "quot;", " '", *".,-1a &\n\t/?(~Σ你ぁァㇰ。！㈠㌀"]
CAREFUL += ["\u00a0", "\u3000", "\x1c", "\u2028"]


@given(
    st.lists(st.sampled_from(CAREFUL), max_size=12).map("".join),
    st.sampled_from(SWITCHES),
)
def test_texts_are_cut_into_words_as_sacrebleu_does(text: str, switches: tuple[bool, ...]) -> None:
    wanted = SacrebleuTER(*switches)._preprocess_segment(text)
    assert TER(*switches, compat="sacrebleu")._preprocess_segment(text) == wanted


few = st.lists(st.sampled_from("abcd"), max_size=40)


def edits(one: object, pairs: list[tuple[list[str], list[str]]]) -> list[int]:
    ids = python_text.intern([output for output, _ in pairs], [other for _, other in pairs])
    found: list[int] = one.like_sacrebleu_batch(*ids).tolist()  # type: ignore[attr-defined]
    return found


@pytest.mark.long
@given(st.lists(st.tuples(few, few), max_size=4))
def test_kernels_search_as_sacrebleu_does(pairs: list[tuple[list[str], list[str]]]) -> None:
    wanted = [translation_edit_rate(output, reference)[0] for output, reference in pairs]
    for one in KERNELS:
        assert edits(one, pairs) == wanted


@pytest.mark.long
@pytest.mark.kernel
@pytest.mark.parametrize(
    ("output", "reference", "kinds"),
    [
        (20, 90, 30),  # the lengths are far apart: the band runs aslant
        (90, 20, 30),
        (3, 200, 30),  # so far that the band is wider
        (60, 60, 4),  # over a thousand shifts
        (75, 75, 60),  # more edits than the band is wide
    ],
)
def test_where_the_band_matters_and_where_the_search_gives_up(
    output: int, reference: int, kinds: int
) -> None:
    rng = random.Random(output)
    pair = tuple([f"w{rng.randrange(kinds)}" for _ in range(n)] for n in (output, reference))
    wanted = [translation_edit_rate(*pair)[0]]
    for one in compiled():
        assert edits(one, [pair]) == wanted


@pytest.mark.kernel
def test_a_long_omission_that_the_band_cuts_off() -> None:
    reference = [f"w{number}" for number in range(90)]
    output = reference[:5] + reference[65:]
    wanted = translation_edit_rate(output, reference)[0]
    assert [edits(one, [(output, reference)]) for one in compiled()] == [[wanted]] * len(compiled())


def test_tercoms_numbers_are_those_of_the_engine() -> None:
    metric = TER(normalized=True, case_sensitive=True, jobs=2)
    found = metric.corpus_score(OUTPUTS, REFERENCES)
    texts = [[text for text in row if text is not None] for row in zip(*REFERENCES, strict=True)]
    corpus = ter_corpus(OUTPUTS, texts, TerOptions())
    assert corpus.rate is not None
    assert (found.score, found.num_edits) == (100 * corpus.rate, int(corpus.edits))
    signature = str(metric.get_signature())
    assert "like:tercom-0.7.25|engine:madcat-ter-" in signature
    assert "norm:yes" in signature


def test_both_differ_where_the_original_and_sacrebleu_do() -> None:
    reference = " ".join(f"w{number}" for number in range(60))
    output = " ".join(f"w{number}" for number in range(60) if not 20 <= number < 41)
    ours = TER().sentence_score(output, [reference])
    theirs = TER(compat="sacrebleu").sentence_score(output, [reference])
    assert (ours.num_edits, theirs.num_edits) == (23, 21)  # docs/engine.md has the original's 23


def test_paired_tests_of_sacrebleu_take_it() -> None:
    systems = [("one", OUTPUTS), ("other", made(60, 4))]

    def tested(metric: SacrebleuTER, kind: str) -> object:
        _, found = PairedTest(systems, {"TER": metric}, [REFERENCES[0]], kind, n_samples=50)()
        return [vars(result) for result in found["TER"]]

    for kind in ("bs", "ar"):
        assert tested(TER(compat="sacrebleu"), kind) == tested(SacrebleuTER(), kind)
        assert tested(TER(), kind)


def test_references_are_kept() -> None:
    metric = TER(references=REFERENCES)
    assert metric.corpus_score(OUTPUTS, None).score == TER().corpus_score(OUTPUTS, REFERENCES).score


def test_a_script_without_blanks() -> None:
    score = TER(tokenize="zh").sentence_score("你好世界", ["你好世人"])
    assert (score.num_edits, score.ref_length) == (1, 4)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"compat": "terp"}, "scoring.compat"),
        ({"asian_support": True}, "scoring.asian-support"),
        ({"tokenize": "klingon"}, "scoring.tokenize"),
        ({"tokenize": "zh", "compat": "sacrebleu"}, "scoring.tokenize"),
    ],
)
def test_refused_options(options: dict[str, object], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        TER(**options)  # type: ignore[arg-type]
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("name", "lacks", "wanted"),
    [
        ("ja-mecab", "MeCab", "sacrebleu[ja]"),
        ("ko-mecab", "mecab_ko", "sacrebleu[ko]"),
        ("flores200", "sentencepiece", "sentencepiece"),
    ],
)
def test_a_tokeniser_that_is_not_installed_says_how_to_get_it(
    name: str, lacks: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, lacks, None)
    for module in ("ja_mecab", "ko_mecab", "spm"):
        monkeypatch.delitem(sys.modules, f"sacrebleu.tokenizers.tokenizer_{module}", raising=False)
    with pytest.raises(UsageError) as caught:
        TER(tokenize=name)
    assert caught.value.code == "scoring.no-tokenizer"
    assert caught.value.remedy == f"Install it with: pip install '{wanted}'"


def test_refused_texts() -> None:
    with pytest.raises(InputError, match="2 outputs and 1 references"):
        TER().corpus_score(["a", "b"], [["a"]])
    with pytest.raises(InputError, match="no reference to compare"):
        TER().corpus_score(["a"], None)
    with pytest.raises(InputError, match="half a character"):
        TER(compat="sacrebleu").sentence_score("a \ud800", ["a"])


def test_without_sacrebleu_it_says_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['sacrebleu'] = None\n"
        "from madcat_ter.errors import UsageError\n"
        "try: import madcat_ter.sacrebleu_metric\n"
        "except UsageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'madcat-ter[sacrebleu]'" in done.stdout, done.stderr


def test_ids_that_are_no_ids_are_refused() -> None:
    wrong = np.array([5], np.int32), np.array([1]), np.array([0], np.int32), np.array([1])
    for one in compiled():
        with pytest.raises(ValueError, match="word ids"):
            one.like_sacrebleu_batch(*wrong)


@pytest.mark.soak
@pytest.mark.kernel
@pytest.mark.parametrize(
    "switches", SWITCHES, ids=["".join("ny"[one] for one in s) for s in SWITCHES]
)
def test_soak_a_hundred_thousand_pairs_as_sacrebleu(
    switches: tuple[bool, ...], record_property: Callable[[str, object], None]
) -> None:
    """A sixteenth of them by one set of options: all lengths, near and far, few and many words.

    The set's name says yes or no to normalized, no_punct, asian_support, case_sensitive.
    """
    rng = random.Random(str(switches))
    theirs, ours = SacrebleuTER(*switches), TER(*switches, compat="sacrebleu")
    taken, wrong = [0.0, 0.0], []
    for _ in range(25):
        pairs = [_texts(rng) for _ in range(250)]
        outputs, references = [output for output, _ in pairs], [[text for _, text in pairs]]
        start = time.process_time()
        wanted = theirs._extract_corpus_statistics(outputs, references)
        middle = time.process_time()
        found = ours._extract_corpus_statistics(outputs, references)
        taken[0] += middle - start
        taken[1] += time.process_time() - middle
        wrong += [pair for pair, a, b in zip(pairs, wanted, found, strict=True) if a != b]
    record_property("pairs", 25 * 250)
    record_property("times as fast", round(taken[0] / taken[1]))
    assert wrong == []
    assert taken[0] > 100 * taken[1]


def _texts(rng: random.Random) -> tuple[str, str]:
    output, reference = _pair(rng)
    # Words of the list for some of the words that are numbered.
    of_list = [rng.choice(WORDS) if rng.random() < 0.4 else f"W{n}" for n in range(200)]
    texts = (" ".join(of_list[int(word[1:])] for word in words) for words in (output, reference))
    return next(texts), next(texts)


def _pair(rng: random.Random) -> tuple[list[str], list[str]]:
    vocabulary = [f"w{number}" for number in range(rng.choice([2, 5, 20, 200]))]
    # Few long ones: sacrebleu takes a fifth of a second for each.
    lengths = [5, 10, 20, 30] if rng.random() < 0.98 else [60, 90]
    reference = rng.choices(vocabulary, k=rng.randrange(rng.choice(lengths)))
    if rng.random() < 0.4:
        return rng.choices(vocabulary, k=rng.randrange(rng.choice(lengths))), reference
    output = list(reference)
    for _ in range(rng.randrange(6)):
        at = rng.randrange(len(output) + 1)
        block = output[at : at + rng.randrange(1, 9)]
        del output[at : at + len(block)]
        to = rng.randrange(len(output) + 1)
        output[to:to] = rng.choice([block, rng.choices(vocabulary, k=len(block)), []])
    return output, reference

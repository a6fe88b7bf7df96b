"""The coach: what it finds, what it leaves alone, and that its sums are the engine's."""

from __future__ import annotations

import random

import pytest

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import Advice, AdviceKind, applied
from madcat_studio.errors import InputError
from madcat_studio.progress import Cancelled
from madcat_ter.options import TerOptions
from tests.coach.made import careless, judged, share_found

AGREED, REWORDING = AdviceKind.AGREED, AdviceKind.REWORDING
SHIFT, CHARACTER = AdviceKind.SHIFT, AdviceKind.CHARACTER


def said(output: str, text: str, reference: str, **options: bool) -> tuple[Advice, ...]:
    return coach(output, text, reference, TerOptions(**options)).advice


@pytest.mark.parametrize(
    ("output", "text", "reference", "kind", "old", "new", "saved", "followed"),
    [
        # The output agreed with the reference: a word changed, put in, left out, moved.
        ("the old man slept", "the aged man slept", "an old man slept",
         AGREED, "aged", "old", 1, "the old man slept"),
        ("he said it works", "he said that it works", "so he said it works",
         AGREED, "that", "", 1, "he said it works"),
        ("he said that it works", "he said it works", "so he said that it works",
         AGREED, "", "that", 1, "he said that it works"),
        ("on Monday the bridge opened", "the bridge opened on Monday", "on Monday the bridge shut",
         AGREED, "on Monday", "on Monday", 1,
         "on Monday the bridge opened"),
        ("the visit of the minister ended", "the minister's visit ended",
         "the visit of the minister came to an end",
         AGREED, "the minister's visit", "the visit of the minister", 3,
         "the visit of the minister ended"),
        # Another of the same words would have to move there for the reference.
        ("the end of week and the holiday of spring", "the end in week and the holiday of spring",
         "the end of the week and the spring holiday",
         AGREED, "in", "of", 1, "the end of week and the holiday of spring"),
        # Who bit whom stays as it is; the word is the output's and the reference's.
        ("the man bit the dog", "the dog bites the man", "the dog bit the man",
         AGREED, "bites", "bit", 1, "the dog bit the man"),
        # The reference has the output's words, elsewhere.
        ("quickly he ran home", "fast he ran home", "he ran to his home quickly",
         REWORDING, "fast", "quickly", 1, "quickly he ran home"),
        # Left out here, put in there in another form.
        ("he also went to the market", "he went to the market too", "he went to the market also",
         SHIFT, "too", "also", 1, "he went to the market also"),
        ("he said it works yesterday", "Yesterday he said it works", "yesterday it was said",
         SHIFT, "Yesterday", "yesterday", 1, "yesterday he said it works"),
        # Quotes, dashes and blanks.
        ('he said "no" to it', "he said “no” to it", "he refused",
         CHARACTER, "“ … ”", '" … "', 3, 'he said "no" to it'),
        ("it’s late", "it's late", "it has become late",
         CHARACTER, "'", "’", 2, "it’s late"),
        ("don't go", "don’t go", "do not leave", CHARACTER, "’", "'", 1, "don't go"),
        ("from 1-2 on", "from 1–2 on", "after some time", CHARACTER, "–", "-", 3, "from 1-2 on"),
        ("well -- he left", "well — he left", "in the end he went",
         CHARACTER, "—", "--", 1, "well -- he left"),
        ("10 km away", "10\u00a0km away", "ten km off", CHARACTER, "\u00a0", " ", 2, "10 km away"),
        ("10\u00a0km away", "10 km away", "ten off",
         CHARACTER, "10 km", "10\u00a0km", 2, "10\u00a0km away"),
        ("the end", "the \u200eend", "a stop", CHARACTER, "\u200e", "", 1, "the end"),
        # Places are counted in characters, however many units Qt needs for one.
        ("😀 the 𝒷𝑜 old man 😀", "😀 the 𝒷𝑜 aged man 😀", "😀 the 𝒷𝑜 old man",
         AGREED, "aged", "old", 1, "😀 the 𝒷𝑜 old man 😀"),
        ("the \u202bكتاب\u202c old book", "the \u202bكتاب\u202c aged book", "one old book",
         AGREED, "aged", "old", 1, "the \u202bكتاب\u202c old book"),
    ],
)  # fmt: skip
def test_what_could_be_spared_is_told(
    output: str,
    text: str,
    reference: str,
    kind: AdviceKind,
    old: str,
    new: str,
    saved: float,
    followed: str,
) -> None:
    (one,) = said(output, text, reference)
    assert (one.kind, one.old, one.new, one.saved) == (kind, old, new, saved)
    assert one.apply(text) == followed


@pytest.mark.parametrize(
    ("output", "text", "reference"),
    [
        ("the old man", "the old man", "an aged man"),  # nothing was changed
        ("the old man", "the aged man", "the aged man"),  # the reference asked for it
        ("the old man", "the young man", "the tall man"),  # the reference has neither
        ("the dog the dog ran", "the dog ran", "the dog ran"),  # the text has it already
        ("he left", "he left home early", "he left school early"),  # nothing shows it needless
        ("every one left", "everyone left", "everyone left"),  # the blank is another word
        # A sentence begins there now.
        ("and the minister left", "The minister left", "our minister left the hall"),
        ("", "words of my own", "words"),  # there was nothing to edit
        ("the output", "", "the output"),
    ],
)
def test_what_the_reference_asks_for_is_left_alone(output: str, text: str, reference: str) -> None:
    assert said(output, text, reference) == ()


def test_what_stands_where_is_told_from_the_most_to_the_least() -> None:
    output = 'The minister said that "all" talks had failed today.'
    text = "The minister stated that “all” discussions had failed today."
    told = coach(output, text, "The minister said that all talks failed.", TerOptions())
    assert [(one.kind, one.old, one.new, one.saved) for one in told.advice] == [
        (CHARACTER, "“ … ”", '" … "', 3),
        (AGREED, "stated", "said", 1),
        (AGREED, "discussions", "talks", 1),
    ]
    assert [text[one.start : one.end] for one in told.advice] == ["“all”", "stated", "discussions"]
    assert (told.edits, told.avoidable) == (5, 5)
    assert applied([each for one in told.advice for each in one.splices], text) == output


def test_the_campaigns_own_options_decide() -> None:
    output, text = "he said it works yesterday", "Yesterday he said it works"
    (one,) = said(output, text, "")
    assert one.kind is SHIFT
    assert said(output, text, "", case_sensitive=False) == ()  # it is one shift as it stands
    assert said("a, b", "a b", "a, b", no_punctuation=True) == ()
    assert [one.new for one in said("a, b", "a b", "a, b")] == [","]


def test_what_stands_between_is_as_it_was() -> None:
    """Two changes with a word between that nobody touched are two pieces of advice."""
    told = said("a b c d e", "a x c y e", "a b c d e f")
    assert [(one.old, one.new) for one in told] == [("x", "b"), ("y", "d")]
    (one,) = said("a b c d e", "a x y d e", "a b c d e f")
    assert (one.old, one.new, one.saved) == ("x y", "b c", 2)


def test_what_cannot_be_scored_is_an_error() -> None:
    with pytest.raises(InputError) as raised:
        coach("a b", "a \ud800", "a", TerOptions())
    assert raised.value.code == "scoring.lone-surrogate"


def test_it_ends_when_nobody_waits_for_it() -> None:
    class Gone:
        def advance(self, done: int, total: int | None, text: str = "") -> None: ...

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        coach("the old man", "the aged man", "the old man", TerOptions(), progress=Gone())


OPTIONS = (
    TerOptions(),
    TerOptions(case_sensitive=False, normalise=False),
    TerOptions(no_punctuation=True, nfkc=True, remove_format_characters=True),
    TerOptions(beam=None, max_shift_distance=3),
)


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS)
def test_each_sum_is_what_the_engine_counts(options: TerOptions) -> None:
    choice = random.Random(20261128)
    found = [judged(*careless(choice, choice.randint(1, 50)), options) for _ in range(60)]
    assert sum(one.said for one in found) > 100
    assert sum(one.wrong for one in found) == 0
    # Whoever follows everything gains by each.
    assert sum(one.idle + one.costly for one in found) == 0


@pytest.mark.long
@pytest.mark.parametrize("kind", AdviceKind)
def test_what_was_planted_is_found(kind: AdviceKind) -> None:
    assert share_found(kind, 150, seed=7) >= 0.9

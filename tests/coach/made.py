"""Made segments, and what the coach says of them held against the engine.

Each sum is counted anew, and each edit that was planted is looked for. The benchmark of the coach
does so as well, with more of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import Advice, AdviceKind, applied
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter, ter_counts

COMMON = "the of and to in a said that on for with he it was at by from".split()  # noqa: SIM905
_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo".split()  # noqa: SIM905
RARE = [one + two + three for one in _SYLLABLES for two in _SYLLABLES for three in ("r", "st", "n")]
STRANGE = ["quxa", "quxe", "quxi", "quxo", "quxu", "quxy"]
"""Words that no output and no reference has."""


def word(choice: random.Random) -> str:
    return choice.choice(COMMON) if choice.random() < 0.45 else choice.choice(RARE)


def changed(choice: random.Random, words: list[str], share: float) -> list[str]:
    """Words with a share of them replaced, left out, put in or moved."""
    words = list(words)
    for _ in range(round(share * len(words))):
        at = choice.randrange(len(words))
        what = choice.random()
        if what < 0.45:
            words[at] = word(choice)
        elif what < 0.65 and len(words) > 3:
            del words[at]
        elif what < 0.85:
            words.insert(at, word(choice))
        else:
            words.insert(choice.randrange(len(words)), words.pop(at))
    return words


@dataclass(frozen=True, slots=True)
class Made:
    """A segment; where in the text an edit was planted, and the text without it."""

    output: str
    text: str
    reference: str
    planted: tuple[int, int]
    without: str


def careless(choice: random.Random, length: int, share: float = 0.25) -> tuple[str, str, str]:
    """Output, text and reference: the text changes a share of words that nobody had to change."""
    output, text, reference = segment(choice, length)
    text = changed(choice, text, share)
    rare = sorted(set(text) & set(output) - set(COMMON))
    for one in choice.sample(rare, min(length // 10, len(rare))):
        before, after = choice.choice(_FORMS)
        output = [before.format(one, one) if each == one else each for each in output]
        text = [after.format(one, one) if each == one else each for each in text]
    return " ".join(output), " ".join(text), " ".join(reference)


def segment(choice: random.Random, length: int) -> tuple[list[str], list[str], list[str]]:
    """Output, text and reference: the text puts about half of what is wrong right."""
    reference = [word(choice) for _ in range(length)]
    text = changed(choice, reference, 0.12)
    return changed(choice, text, 0.2), text, reference


def _place(words: list[str], at: int) -> tuple[int, int]:
    start = sum(len(one) + 1 for one in words[:at])
    return start, start + len(words[at])


def _agreed(output: list[str], text: list[str], reference: list[str]) -> list[int]:
    """Places of the text whose word, with its neighbours, is the same in all three."""

    def triples(words: list[str]) -> list[tuple[str, ...]]:
        padded = ["", *words, ""]
        return [tuple(padded[at : at + 3]) for at in range(len(words))]

    own, theirs = triples(output), triples(reference)
    return [
        at
        for at, three in enumerate(triples(text))
        if own.count(three) == 1 and theirs.count(three) == 1
    ]


def plant(kind: AdviceKind, choice: random.Random, length: int) -> Made:
    """A segment with one edit that could be spared; made anew until the engine says so."""
    while True:
        made = _PLANTED[kind](choice, *segment(choice, length))
        if made is not None and _spared(made, shift=kind is AdviceKind.SHIFT):
            return made


def _spared(made: Made, *, shift: bool) -> bool:
    counts = ter_counts([made.output] * 2, [[made.text], [made.without]])
    edits, shifts = counts.edits.tolist(), counts.counts[:, 3].tolist()
    return bool(edits[1] < edits[0] and (not shift or shifts[1] > shifts[0]))


def _made(
    output: list[str], text: list[str], reference: list[str], at: int, without: list[str]
) -> Made:
    return Made(
        " ".join(output), " ".join(text), " ".join(reference), _place(text, at), " ".join(without)
    )


def _plant_agreed(
    choice: random.Random, output: list[str], text: list[str], reference: list[str]
) -> Made | None:
    places = _agreed(output, text, reference)
    if not places:
        return None
    at, before = choice.choice(places), list(text)
    what = choice.randrange(3)
    if what == 0:
        text[at] = choice.choice(STRANGE)
    elif what == 1:
        text.insert(at, choice.choice(STRANGE))
    else:
        del text[at]
        at = min(at, len(text) - 1)
    return _made(output, text, reference, at, before)


def _once(words: list[str]) -> set[str]:
    return {one for one in words if words.count(one) == 1}


def _plant_rewording(
    choice: random.Random, output: list[str], text: list[str], reference: list[str]
) -> Made | None:
    """A word that the reference has elsewhere is replaced, though the output had it here."""
    known = sorted(_once(output) & _once(text) & _once(reference))
    agreed = {text[at] for at in _agreed(output, text, reference)}
    movable = [one for one in known if one in agreed]
    if len(movable) < 2:
        return None
    one = choice.choice(movable)
    reference.remove(one)
    reference.insert(choice.randrange(len(reference) + 1), one)
    at = text.index(one)
    if reference == text or one in {text[place] for place in _agreed(output, text, reference)}:
        return None
    before, text[at] = list(text), choice.choice(STRANGE)
    return _made(output, text, reference, at, before)


def _plant_shift(
    choice: random.Random, output: list[str], text: list[str], reference: list[str]
) -> Made | None:
    """A word is left out here and put in there, where the reference has it, in another form."""
    agreed = [text[at] for at in _agreed(output, text, reference)]
    known = [one for one in agreed if one in _once(output) & _once(text) & _once(reference)]
    if not known:
        return None
    one = choice.choice(known)
    text.remove(one)
    reference.remove(one)
    common = [at for at in range(1, len(text)) if text[at - 1 : at + 1] in _pairs(reference)]
    if not common:
        return None
    at = choice.choice(common)
    there = _pairs(reference).index(text[at - 1 : at + 1]) + 1
    if _pairs(output).count([text[at - 1], one]) or _pairs(output).count([one, text[at]]):
        return None
    reference.insert(there, one)
    better = [*text[:at], one, *text[at:]]
    text.insert(at, choice.choice((one.capitalize(), one + "s", choice.choice(STRANGE))))
    return _made(output, text, reference, at, better)


def _pairs(words: list[str]) -> list[list[str]]:
    return [words[at : at + 2] for at in range(len(words) - 1)]


_FORMS = (("it's", "it’s"), ('"{}"', "“{}”"), ("{}--{}", "{}—{}"), ("{}-{}", "{}–{}"))


def _plant_character(
    choice: random.Random, output: list[str], text: list[str], reference: list[str]
) -> Made | None:
    """A quote, a dash or a blank in another form than the output's."""
    places = _agreed(output, text, reference)
    if not places:
        return None
    at = choice.choice(places)
    here = output.index(text[at])
    if output.count(text[at]) != 1:
        return None
    before, after = choice.choice(_FORMS)
    better = list(text)
    if choice.random() < 0.2 and output[here + 1 : here + 2] == text[at + 1 : at + 2] != []:
        text[at : at + 2] = ["\u00a0".join(text[at : at + 2])]
    else:
        words = (text[at], text[at])
        output[here], text[at] = before.format(*words), after.format(*words)
        if choice.random() < 0.3:
            output[here], text[at] = text[at], output[here]
        better[at] = output[here]
    return _made(output, text, reference, at, better)


_PLANTED = {
    AdviceKind.AGREED: _plant_agreed,
    AdviceKind.REWORDING: _plant_rewording,
    AdviceKind.SHIFT: _plant_shift,
    AdviceKind.CHARACTER: _plant_character,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What was said of one text.

    Attributes:
        said: pieces of advice.
        wrong: sums that the engine does not count.
        idle: pieces that save nothing when all others are followed.
        costly: pieces that cost edits when all others are followed.
    """

    said: int
    wrong: int
    idle: int
    costly: int


def judged(output: str, text: str, reference: str, options: TerOptions) -> Judged:
    """Count everything that the coach says of a text once more, one text at a time."""
    said = coach(output, text, reference, options)

    def edits(advice: Sequence[Advice]) -> float:
        followed = applied([splice for one in advice for splice in one.splices], text)
        return ter(output, [followed], options).edits

    before, together = edits(()), edits(said.advice)
    wrong = sum(before - edits([one]) != one.saved or one.saved <= 0 for one in said.advice)
    wrong += before != said.edits or before - together != said.avoidable
    without = [edits([*said.advice[:at], *said.advice[at + 1 :]]) for at in range(len(said.advice))]
    return Judged(
        len(said.advice),
        wrong,
        sum(one == together for one in without),
        sum(one < together for one in without),
    )


def found(made: Made, kind: AdviceKind) -> bool:
    """Whether the coach tells of what was planted, at its place and as what it is."""
    start, end = made.planted
    return any(
        one.kind is kind and splice.start <= end + 1 and splice.end >= start - 1
        for one in coach(made.output, made.text, made.reference, TerOptions()).advice
        for splice in one.splices
    )


def share_found(kind: AdviceKind, segments: int, seed: int) -> float:
    """Of segments with one edit planted the share that is found."""
    choice = random.Random(f"{kind} {seed}")
    made = [plant(kind, choice, choice.randint(8, 45)) for _ in range(segments)]
    return sum(found(one, kind) for one in made) / segments

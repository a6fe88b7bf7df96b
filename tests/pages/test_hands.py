"""Proposals on pages of many hands and papers, whose words are known by their ink."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.ink_truth import RIGHT, TruePage, shares
from benchmarks.made_hands import ARABIC_HANDS
from madcat_studio.images.ink import Ink, level_ink
from madcat_studio.pages.proposals import Proposal, propose
from madcat_studio.pages.reading import find_writing, in_reading_order
from madcat_studio.pages.writing import Writing
from tests.handwriting import make


def looked_at(image: Image.Image, texts: list[str], dpi: int = 150) -> Writing:
    def ink_of(quarter: int | None) -> Ink:
        return level_ink(image, dpi, quarter)

    return find_writing(ink_of, texts)


def shot(name: str, seed: int = 0, lines: int = 6) -> tuple[list[float], list[Proposal], Writing]:
    """The share of ink that each word's first proposal has, the proposals, the writing."""
    page = make(name, seed, dpi=150, lines=lines)
    writing = looked_at(page.image, page.texts)
    proposals = propose(writing, page.texts)
    truth = TruePage(page.texts, Path(), page.labels != 0, labels=page.labels.clip(0))
    return shares(truth, [proposal.polygon for proposal in proposals]), proposals, writing


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "least", "lines"),
    [
        ("clean", 0.97, 6),
        ("tight", 0.97, 6),
        ("dense", 0.97, 6),
        ("ruled", 0.97, 6),
        ("shadow", 0.97, 6),
        ("noise", 0.95, 6),
        ("bleed", 0.97, 6),
        ("border", 0.97, 6),
        ("columns", 0.95, 9),
        ("latin", 0.95, 6),
        ("slant", 0.95, 6),
        ("stains", 0.9, 6),
        ("fanned", 0.95, 8),
        ("touching", 0.9, 5),
        ("squared", 0.9, 8),
        ("turned", 0.85, 6),
        ("curved", 0.85, 6),
        ("scripts", 0.95, 8),
        ("crossed", 0.85, 6),
        ("inserted", 0.9, 8),
    ],
)
def test_the_first_shot_is_right(name: str, least: float, lines: int) -> None:
    found, proposals, _ = shot(name, lines=lines)
    right = [share >= RIGHT for share in found]
    assert np.mean(right) >= least
    wrong = sum(p.sure and not good for p, good in zip(proposals, right, strict=True))
    assert wrong <= 0.05 * len(found)


@pytest.mark.long
def test_a_page_on_its_side_is_read_from_the_right_side() -> None:
    for seed, turn in ((0, 270), (1, 90)):
        writing = shot("turned", seed)[2]
        assert writing.ink.turn == pytest.approx(turn, abs=1)


@pytest.mark.long
def test_columns_are_read_one_after_the_other() -> None:
    writing = shot("columns", lines=9)[2]
    assert writing.columns
    assert len(writing.slopes) == 18
    middle = writing.ink.mask.shape[1] / 2
    sides = [np.mean(part.span) > middle for part in writing.parts]
    assert sides == sorted(sides, reverse=True)


@pytest.mark.long
def test_a_text_from_left_to_right_is_read_so() -> None:
    writing = shot("latin")[2]
    first = [part for part in writing.parts if part.line == 0]
    assert not writing.right_to_left
    assert sum(first[0].span) < sum(first[-1].span)


@pytest.mark.long
def test_what_was_put_in_the_order_of_its_text_stays_in_it() -> None:
    """Whoever marks a page asks for the order again; from the paper's it would lead elsewhere."""
    found, _, writing = shot("scripts", lines=8)
    assert min(found) >= RIGHT
    texts = make("scripts", lines=8).texts
    assert in_reading_order(writing, texts).parts == writing.parts


@pytest.mark.parametrize("shade", [255, 128, 0])
def test_a_page_of_one_shade_has_no_proposals(shade: int) -> None:
    writing = looked_at(Image.new("L", (600, 800), shade), ["كلمة", "word"])
    assert writing.parts == ()
    assert [p.parts for p in propose(writing, ["كلمة", "word"])] == [(), ()]


@pytest.mark.long
def test_words_beyond_the_ink_get_nothing_and_are_not_sure() -> None:
    page = make("clean", dpi=150, lines=4)
    texts = page.texts + page.texts
    proposals = propose(looked_at(page.image, texts), texts)
    given = sum(bool(proposal.parts) for proposal in proposals)
    assert len(page.texts) <= given < len(texts)
    assert not any(proposal.sure for proposal in proposals if not proposal.parts)
    # Half of the transcript has no ink: hardly anything can be sure.
    assert sum(p.sure for p in proposals) < 0.5 * len(texts)


def test_without_a_transcript_there_are_lines_still() -> None:
    page = make("clean", dpi=150, lines=4)
    writing = looked_at(page.image, [])
    assert len(writing.slopes) == 4
    assert propose(writing, []) == []


def test_the_same_seed_is_the_same_page() -> None:
    one, other = (make("stains", 3, hand=ARABIC_HANDS[0], dpi=60, lines=2) for _ in range(2))
    assert one.texts == other.texts
    assert one.image.tobytes() == other.image.tobytes()
    assert make("stains", 4, dpi=60, lines=2).image.tobytes() != one.image.tobytes()


@pytest.mark.long
def test_touching_words_of_another_text_are_not_said_to_be_sure() -> None:
    page = make("touching", dpi=150, lines=4)
    other = list(reversed(page.texts))
    proposals = propose(looked_at(page.image, other), other)
    assert np.mean([proposal.sure for proposal in proposals]) < 0.15


@pytest.mark.long
def test_words_that_touch_are_cut_between_them() -> None:
    """Nine letters without a gap: only their shapes say where a word ends."""
    _, proposals, writing = shot("touching", lines=4)
    begins = [part.begins for part in writing.parts]
    assert begins[0] is True
    assert sum(1 for each in begins if each) == len(proposals)
    for proposal in proposals:
        assert [writing.parts[part].begins for part in proposal.parts] == [
            True,
            *[False] * (len(proposal.parts) - 1),
        ]


def test_a_letter_that_no_face_has_is_no_fault() -> None:
    page = make("touching", dpi=150, lines=3)
    texts = ["\u4e00" + text for text in page.texts]
    assert len(propose(looked_at(page.image, texts), texts)) == len(texts)

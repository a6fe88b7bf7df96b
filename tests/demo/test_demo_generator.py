"""The generator: the committed tables are what it makes; its parts do what they promise."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from madcat_studio import paths
from madcat_studio.errors import FormatError, InputError
from madcat_studio.model.campaign import TeamText
from madcat_ter.hter import score_segment
from scripts.demo import pages
from scripts.demo.build import build_earlier, build_further, build_tables
from scripts.demo.editing import final_text
from scripts.demo.hands import HANDS, Hand
from scripts.demo.ink import Ink
from scripts.demo.markup import Span, parse, render
from scripts.demo.outlines import close_outline, fits, line_outline, slanted_box
from scripts.demo.outputs import system_text
from scripts.demo.plan import ASSIGNMENTS, KITS
from scripts.demo.recognition import misread

DEMO = paths.resources() / "demo"


def test_committed_tables_are_what_the_generator_makes(tmp_path: Path) -> None:
    build_tables(tmp_path)
    build_earlier(tmp_path / "earlier")
    build_further(tmp_path / "further")
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 7 + 4 + 2 * 12 + 4 + 4 + 2 * (4 + 4)
    for path in made:
        assert (tmp_path / path).read_bytes() == (DEMO / path).read_bytes(), path


def test_both_systems_lie_between_15_and_45_and_differ() -> None:
    """With every kit finished, which the second system's are not in edits.tsv."""
    teams = defaultdict(list)
    for assignment in ASSIGNMENTS:
        teams[assignment.kit].append(assignment.team)
    edits: dict[str, float] = defaultdict(float)
    words: dict[str, float] = defaultdict(float)
    for kit in KITS:
        for copy in kit.manuscripts:
            for number, text in enumerate(copy.passage.segments, 1):
                finals = [
                    TeamText(team, None, final_text(text, kit.system, copy, team, number))
                    for team in teams[kit.name]
                ]
                output = system_text(text, kit.system, copy.number)
                choice = score_segment(output, text.reference, finals).choice()
                edits[kit.system] += choice.edits
                words[kit.system] += choice.words
    rates = {system: edits[system] / words[system] for system in edits}
    assert all(0.15 < rate < 0.45 for rate in rates.values())
    assert rates["tamarisk"] - rates["juniper"] > 0.1
    assert 0.15 < sum(edits.values()) / sum(words.values()) < 0.45


@st.composite
def masks(draw: st.DrawFn) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    height, width = draw(st.integers(4, 40)), draw(st.integers(4, 60))
    seed = draw(st.integers(0, 2**32 - 1))
    mask = np.random.default_rng(seed).random((height, width)) < draw(st.floats(0.02, 0.9))
    mask[draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))] = True
    return mask


def holds_all_ink(outline: Polygon, mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> bool:
    y, x = np.nonzero(mask)
    shapely.prepare(outline)
    return bool(shapely.covers(outline, shapely.box(x, y, x + 1, y + 1)).all())


@pytest.mark.long
@given(masks(), st.floats(-0.2, 0.2), st.floats(-0.3, 0.3))
def test_a_slanted_box_holds_all_ink(
    mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]], angle: float, lean: float
) -> None:
    outline = Polygon(slanted_box(mask, 0, 0, angle, lean))
    assert outline.is_valid
    assert holds_all_ink(outline, mask)


@pytest.mark.long
@given(masks(), st.integers(4, 8))
def test_a_close_outline_holds_all_ink(
    mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]], corners: int
) -> None:
    outline = Polygon(close_outline(mask, 0, 0, corners))
    assert outline.is_valid
    assert holds_all_ink(outline, mask)


def test_a_line_holds_its_words() -> None:
    words = [
        [(900, 100), (700, 110), (690, 220), (905, 230)],
        [(650, 60), (500, 140), (480, 260), (640, 200)],
        [(300, 150), (100, 160), (100, 200), (300, 210)],
    ]
    outline = line_outline(words, 12)
    assert fits(outline, words)
    assert not fits(outline, [*words, [(2000, 0), (2100, 0), (2100, 50)]])


@pytest.fixture
def strokes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are plain strokes as long as their text, so that no face is needed."""

    def write(text: str, hand: Hand, angle: float, rng: np.random.Generator) -> Ink:
        return Ink(np.ones((int(rng.integers(60, 200)), 90 * len(text)), dtype=np.bool_), 80)

    monkeypatch.setattr(pages, "write_word", write)


@pytest.mark.usefixtures("strokes")
@pytest.mark.parametrize("scribe", HANDS)
def test_composed_lines_hold_their_words_and_clear_each_other(scribe: str) -> None:
    texts = ["وزارة", "،", "من", "الحديدية", "خط", "."] * 12
    made = pages.compose(texts, HANDS[scribe], np.random.default_rng(7), lines_on_first_page=4)
    assert len(made) == 2
    assert len(made[0].lines) == 4
    order = [word.index for page in made for line in page.lines for word in line.words]
    assert order == list(range(len(texts)))
    for page in made:
        for line, following in pairwise(page.lines):
            assert not Polygon(line.outline).intersects(Polygon(following.outline))
        for line in page.lines:
            assert fits(line.outline, [word.outline for word in line.words])
            assert texts[line.words[0].index] not in "،."
            lefts = [min(x for x, _ in word.outline) for word in line.words]
            assert lefts == sorted(lefts, reverse=True)


@pytest.mark.usefixtures("strokes")
def test_crowded_lines_bleed() -> None:
    texts = ["الحديدية"] * 30
    page = pages.compose(texts, HANDS["SCR0001"], np.random.default_rng(7), crowding=280)[0]
    assert any(
        Polygon(line.outline).intersects(Polygon(following.outline))
        for line, following in pairwise(page.lines)
    )


@pytest.mark.usefixtures("strokes")
def test_a_full_page_is_refused() -> None:
    with pytest.raises(InputError, match="does not fit"):
        pages.compose(["الحديدية"] * 400, HANDS["SCR0001"], np.random.default_rng(7))


def test_marks_are_read() -> None:
    parts = parse("The {#02:cat|dog|كلب>قلب} {~ran|walked} home{!, fast|}.")
    spans = [part for part in parts if isinstance(part, Span)]
    assert spans == [
        Span("cat", ("dog",), manuscripts=frozenset({0, 2}), misread=("كلب", "قلب")),
        Span("ran", ("walked",), harmless=True),
        Span(", fast", ("",), certain=True),
    ]
    assert render(parts, lambda _, span: span.wrong) == "The cat ran home, fast."
    assert render(parts, lambda _, span: span.right[0]) == "The dog walked home."


@pytest.mark.parametrize("text", ["{wrong}", "{#0:a|b}", "{a|b|c>d}", "open {a|b", "shut a|b}"])
def test_bad_marks_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse(text)


def test_misreadings_change_one_word() -> None:
    assert misread("أحمد", 1) != "أحمد"
    assert misread("ومن", 1) == misread("ومن", 1)
    assert misread("١٤", 1) == "١٤"

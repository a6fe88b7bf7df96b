"""Texts in frames: as large as they fit, in their direction, and what does not fit is told."""

from __future__ import annotations

import io

import numpy as np
import pypdf
import pytest
from PySide6.QtGui import QFontDatabase

from madcat_studio.errors import UsageError
from madcat_studio.gui.rendering.typesetting import fit
from madcat_studio.pages.lettering import Style
from madcat_studio.pages.passages import Frame, Passage

pytestmark = pytest.mark.usefixtures("qapp")

TEXT = "The ministry opened the new railway line on Sunday after four years of work."
ARABIC = "افتتحت الوزارة أمس الأحد خط السكة الحديدية الجديد بعد أربع سنوات من العمل."


def passage(text: str, *, rows: int = 2, length: float = 700, angle: float = 0.0) -> Passage:
    frames = [Frame((400, 60 + 60 * n), length, 40, angle) for n in range(rows)]
    return Passage("s1", text, tuple(frames), ())


PLAIN = Style()


def painted(one: Passage, style: Style = PLAIN, shape: tuple[int, ...] = (400, 800)):
    fitted = fit([one], style)
    pixels = np.full(shape, 255, dtype=np.uint8)
    fitted.paint(pixels)
    return fitted, pixels


def test_a_text_fills_its_rows_as_large_as_it_fits() -> None:
    fitted, pixels = painted(passage(TEXT))
    (found,) = fitted.texts
    assert " ".join(found.rows) == TEXT
    assert len(found.rows) == 2
    assert found.left == ""
    ink = np.argwhere(pixels < 128)
    assert ink[:, 1].min() >= 50 - 3
    assert ink[:, 1].max() <= 750 + 3
    # A row is as tall as its frame has room for: larger would not fit.
    larger = fit([passage(TEXT, length=1400)], Style()).texts[0]
    assert larger.size >= found.size
    longer = fit([passage(TEXT + " " + TEXT)], Style()).texts[0]
    assert longer.size < found.size
    assert longer.left == ""


@pytest.mark.parametrize(("text", "side"), [("short", "left"), ("قصير", "right")])
def test_each_text_begins_on_its_own_side(text: str, side: str) -> None:
    _, pixels = painted(passage(text, rows=1))
    columns = np.argwhere(pixels < 128)[:, 1]
    if side == "left":
        assert columns.min() < 65
        assert columns.max() < 400
    else:
        assert columns.max() > 735
        assert columns.min() > 400
    _, turned = painted(passage(text, rows=1), Style(right_to_left=side == "left"))
    assert (np.argwhere(turned < 128)[:, 1].mean() > 400) == (side == "left")


def test_what_does_not_fit_is_cut_with_an_ellipsis_and_told() -> None:
    text = " ".join(f"word{number}" for number in range(400))
    fitted, _ = painted(passage(text, rows=1), Style(least=12))
    (found,) = fitted.texts
    assert found.size == 12
    assert found.rows[-1].endswith("…")
    shown = " ".join(found.rows).removesuffix("…").strip()
    assert f"{shown} {found.left}" == text or f"{shown}{found.left}" == text
    # A word that is longer than its frame is never let out of it.
    one, pixels = painted(passage("x" * 300, rows=1), Style(least=20))
    assert one.texts[0].left
    assert np.argwhere(pixels < 128)[:, 1].max() <= 752


def test_texts_of_a_page_have_about_one_size() -> None:
    short = [Passage(f"s{n}", "Short.", passage("", rows=2).frames, ()) for n in range(2)]
    long = [Passage(f"l{n}", TEXT * 2, passage("", rows=2).frames, ()) for n in range(3)]
    sizes = {one.id: one.size for one in fit([*short, *long], Style()).texts}
    assert sizes["s0"] == sizes["s1"] <= 1.1 * sizes["l0"] + 1


def test_colour_is_laid_on_and_nothing_beside_the_letters_changes() -> None:
    grey = np.full((400, 800, 3), (250, 240, 200), dtype=np.uint8)
    fitted = fit([passage("Il", rows=1)], Style(colour=(20, 30, 120)))
    before = grey.copy()
    fitted.paint(grey)
    changed = (grey != before).any(axis=2)
    assert 50 < changed.sum() < 2000
    darkest = grey[changed][grey[changed].sum(axis=1).argmin()]
    assert np.abs(darkest.astype(int) - (20, 30, 120)).max() <= 40


def test_a_leaning_line_has_a_leaning_text() -> None:
    level, _ = painted(passage(TEXT, rows=1))
    _, pixels = painted(passage(TEXT, rows=1, angle=5))
    ys, xs = np.nonzero(pixels < 128)
    slope = np.polyfit(xs, ys, 1)[0]
    assert slope == pytest.approx(np.tan(np.radians(5)), abs=0.02)
    assert level.texts[0].left == ""


def test_a_page_at_its_edge_is_painted_as_far_as_it_goes() -> None:
    one = Passage("s", TEXT, (Frame((-20, 5), 300, 40, 0.0), Frame((790, 398), 300, 40, 0.0)), ())
    fitted, pixels = painted(one)
    assert (pixels < 128).any()
    assert fitted.texts[0].size >= 12


def test_characters_that_no_font_has_are_named() -> None:
    fitted, _ = painted(passage("plain \u0378 text"))
    assert fit([passage(ARABIC)], Style()).missing == ()
    assert fitted.missing == ("\u0378",)


def test_a_font_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="font “Nothing Of That Name” is not installed"):
        fit([passage(TEXT)], Style(family="Nothing Of That Name"))
    installed = QFontDatabase.families()[0]
    named = fit([passage(TEXT)], Style(family=installed.upper()))
    assert named.families[0] == installed


@pytest.mark.parametrize("text", [TEXT, ARABIC])
def test_a_pdf_has_the_size_of_the_paper_and_text_that_can_be_searched(text: str) -> None:
    fitted = fit([passage(text)], Style())
    pixels = np.full((400, 800), 230, dtype=np.uint8)
    (page,) = pypdf.PdfReader(io.BytesIO(fitted.pdf(pixels, 100))).pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(
        (576, 288), abs=1
    )
    if text == TEXT:
        assert " ".join(page.extract_text().split()) == TEXT
    else:
        assert page.extract_text().strip()
    assert len(page.images) == 1

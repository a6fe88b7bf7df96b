"""``madcat-studio render``: pages with their translations, and everything that can be wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from madcat_studio.cli.app import main
from madcat_studio.cli.window import Window
from madcat_studio.formats.madcat import read
from madcat_studio.gui.rendering.alone import fit_alone
from madcat_studio.operations.pages.convert import convert_file
from madcat_studio.operations.pages.rendering import RenderOptions, render_files
from madcat_studio.progress import Cancelled
from tests.gui.helpers import TWO_PAGES, copy_sample
from tests.gui.rendering.made import DPI, HEIGHT, WIDTH, written_page

pytestmark = pytest.mark.usefixtures("qapp")

TEXTS = ["The first text of the page.", "النص الثاني من الصفحة."]


def run(*arguments: object) -> int:
    return main(["render", *map(str, arguments)], window=Window(lambda *_: 0, fit_alone))


def lines_of(folder: Path) -> list[dict]:
    text = (folder / "rendered.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_page_is_shown_with_its_translations(tmp_path: Path, capsys) -> None:
    page = written_page(tmp_path, TEXTS)
    out = tmp_path / "out"
    assert run(page, "--out", out, "--pictures", "png,pdf") == 0
    assert capsys.readouterr().out.split() == [str(out / "page.png"), str(out / "page.pdf")]
    there = np.asarray(Image.open(page.with_name("page.tif")))
    with Image.open(out / "page.png") as image:
        assert image.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1)
        made = np.asarray(image)
    assert made.shape == (HEIGHT, WIDTH)
    changed = made != there
    # Only in the four lines' outlines, which end at 224, and where their letters reach.
    assert changed.any()
    assert not changed[240:].any()
    assert (out / "page.pdf").read_bytes().startswith(b"%PDF")
    (line,) = lines_of(out)
    assert line["output_file"] == "page.png"
    assert [one["text"] for one in line["regions"]] == TEXTS
    assert line["regions"][0]["bbox"] == [50, 40, 740, 84]
    assert " ".join(line["regions"][0]["rows"]) == TEXTS[0]


def test_the_list_is_a_submission_of_the_page_scorecard(tmp_path: Path) -> None:
    page = written_page(tmp_path, ["The first text.", "The second text of the page."])
    out = tmp_path / "out"
    assert run(page, "--out", out) == 0
    scored = tmp_path / "scored"
    submission = [page, out / "rendered.jsonl", "--pair", "ar-en"]
    more = ["--out", scored, "--format", "json"]
    assert main(["scorecard", "ltb", *map(str, [*submission, *more])]) == 0
    value = json.loads((scored / "ltb.json").read_text("utf-8"))
    assert value["systems"][0]["pairs"][0]["ltb_100"] == pytest.approx(100.0)


@pytest.mark.parametrize("target", ["page.page.xml", "page.alto.xml"])
def test_page_and_alto_take_their_texts_from_a_table(tmp_path: Path, target: str) -> None:
    made = written_page(tmp_path, TEXTS)
    page = tmp_path / target
    convert_file(made, page)
    made.unlink()
    table = tmp_path / "texts.tsv"
    table.write_text("segment\ttext\nz0\tThe first line.\nz2\tThe third line.\n", "utf-8")
    out = tmp_path / "out"
    assert run(page, "--out", out, "--texts", table) == 0
    (line,) = lines_of(out)
    assert [one["rows"] for one in line["regions"]] == [["The first line."], ["The third line."]]


def test_texts_of_edits_are_those_of_a_team_and_its_review(tmp_path: Path, capsys) -> None:
    page = written_page(tmp_path, TEXTS)
    table = tmp_path / "edits.tsv"
    rows = [
        ("T1", "first", "draft of one"),
        ("T1", "review", "final of one"),
        ("T2", "review", "of the other"),
    ]
    written = "".join(
        f"K\t{team}\t{at}\tx\tpage/s0\tconfirmed\t{text}\n" for team, at, text in rows
    )
    table.write_text(f"kit\tteam\tpass\teditor\tsegment\tstate\ttext\n{written}", "utf-8")
    assert run(page, "--out", tmp_path / "a", "--texts", table) == 2
    assert "[render.text-twice]" in capsys.readouterr().err
    assert run(page, "--out", tmp_path / "a", "--texts", table, "--team", "T1") == 0
    (line,) = lines_of(tmp_path / "a")
    assert [one["text"] for one in line["regions"]] == ["final of one"]
    assert "the writing stays: s1" in capsys.readouterr().err


def test_a_systems_documents_give_their_texts(tmp_path: Path) -> None:
    page = written_page(tmp_path, TEXTS)
    system = tmp_path / "system"
    system.mkdir()
    other = page.read_text("utf-8").replace(TEXTS[0], "What the system says.")
    (system / "page.linesys.madcat.xml").write_text(other, "utf-8")
    out = tmp_path / "out"
    assert run(page, "--out", out, "--texts", system) == 0
    assert lines_of(out)[0]["regions"][0]["text"] == "What the system says."


def test_what_is_not_there_as_a_whole_is_listed(tmp_path: Path, capsys) -> None:
    page = written_page(tmp_path, ["word " * 600, "with \u0378 inside"], lines=1)
    out = tmp_path / "out"
    assert run(page, "--out", out, "--format", "json", "--fail-on-loss") == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert not found["whole"]
    cut, missing = found["notes"]
    assert cut.startswith("segment s0: the text does not fit at 7 pixels; not shown: “")
    assert "U+0378" in missing
    assert lines_of(out)[0]["regions"][0]["left"]


def no_outlines(folder: Path) -> Path:
    return written_page(folder, TEXTS, outlines=False)


def no_texts(folder: Path) -> Path:
    return written_page(folder, [None, " "])


def another_size(folder: Path) -> Path:
    return written_page(folder, TEXTS, width=WIDTH + 1)


def no_image(folder: Path) -> Path:
    page = written_page(folder, TEXTS)
    page.with_name("page.tif").unlink()
    return page


@pytest.mark.parametrize(
    ("spoil", "code", "told"),
    [
        (no_outlines, "render.no-outlines", "no text has an outline"),
        (no_texts, "render.no-texts", "no segment on the page has a translation"),
        (another_size, "render.size-differs", "851 x 600 pixels and its image 850 x 600"),
        (no_image, "image.not-found", "“page.tif” cannot be found"),
    ],
)
def test_a_page_that_cannot_be_rendered_is_told_and_the_others_are(
    tmp_path: Path, spoil, code: str, told: str, capsys
) -> None:
    good = tmp_path / "good"
    good.mkdir()
    whole = written_page(good, TEXTS, name="whole")
    bad = spoil(tmp_path)
    out = tmp_path / "out"
    assert run(bad, whole, "--out", out) == 2
    error = capsys.readouterr().err
    assert f"[{code}]" in error
    assert told in error
    assert str(bad) in error
    assert sorted(one.name for one in out.iterdir()) == ["rendered.jsonl", "whole.png"]


@pytest.mark.long
def test_a_page_without_texts_beside_one_with_is_left_out_and_told(tmp_path: Path, capsys) -> None:
    page = copy_sample(TWO_PAGES, tmp_path)
    document = read(page).document
    first = next(one for one in document.segments() if one.translation)
    table = tmp_path / "texts.tsv"
    table.write_text(f"segment\ttext\n{first.id}\tOne text.\nnobody\tNowhere.\n", "utf-8")
    out = tmp_path / "out"
    assert run(page, "--out", out, "--texts", table) == 0
    told = capsys.readouterr()
    assert told.out.split() == [str(out / f"{TWO_PAGES}.png")]
    assert "page 2 is left out: no segment on the page has a translation" in told.err
    assert "does not have, so not shown: nobody" in told.err


@pytest.mark.long
def test_wrong_words_leave_nothing_behind(tmp_path: Path, capsys) -> None:
    page = written_page(tmp_path, TEXTS)
    out = tmp_path / "out"
    assert run(page, "--out", out, "--pictures", "png,bmp") == 2
    assert "[render.picture]" in capsys.readouterr().err
    assert run(page, "--out", out, "--font", "Nothing Of That Name") == 2
    assert "[render.no-font]" in capsys.readouterr().err
    assert not out.exists()
    assert run(page, "--out", out) == 0
    before = (out / "page.png").read_bytes()
    assert run(page, "--out", out, "--font", "") == 2
    assert "[render.file-exists]" in capsys.readouterr().err
    assert run(page, "--out", out, "--overwrite") == 0
    assert (out / "page.png").read_bytes() == before
    shutil.rmtree(out)
    assert main(["render", str(page), "--out", str(out)]) == 2
    assert "[window.not-here]" in capsys.readouterr().err


def test_the_list_has_the_pages_that_were_done_before_a_stop(tmp_path: Path) -> None:
    pages = [written_page(tmp_path, TEXTS, name=name) for name in ("a", "b")]
    out = tmp_path / "out"

    class AfterOne:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            pass

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        list(render_files(pages, out, fit_alone(), RenderOptions(), progress=AfterOne()))
    assert [line["output_file"] for line in lines_of(out)] == [
        one.name for one in out.glob("*.png")
    ]
    assert len(lines_of(out)) == 1

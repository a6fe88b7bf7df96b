"""RapidOCR as an extra: told where it is not there, and asked as its package wants it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.operations.scorecards import recognising_rapid
from madcat_studio.operations.scorecards.recognising import Engine, reader_for
from tests.operations.test_scorecard_next import rendered, rows, scored
from tests.operations.test_scorecards import run

__all__ = ["rendered"]

PACKAGE = """
from pathlib import Path

class Output:
    def __init__(self, txts):
        self.txts = txts

class RapidOCR:
    def __init__(self, params=None):
        assert params == {"Global.log_level": "critical"}

    def __call__(self, picture):
        text = Path(picture).with_suffix(".txt")
        if not text.exists():
            raise ValueError("cannot read")
        return Output(tuple(text.read_text().split("\\n")) if text.stat().st_size else None)
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    recognising_rapid._engine.cache_clear()
    monkeypatch.delitem(sys.modules, "rapidocr", raising=False)
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None):
    """A package in its place, which reads page.png in page.txt."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "rapidocr.py").write_text(PACKAGE)
    (site / "onnxruntime.py").write_text("")
    about = site / "rapidocr-3.99.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: rapidocr\nVersion: 3.99\n")
    monkeypatch.syspath_prepend(str(site))
    yield
    recognising_rapid._engine.cache_clear()


def test_pages_are_read_by_it(package, rendered, tmp_path: Path, monkeypatch) -> None:
    truth, system = rendered
    (system / "doc_2.txt").write_text("")
    # Tesseract is not looked for.
    monkeypatch.setenv("PATH", str(tmp_path))
    value = scored(tmp_path, truth, system, "--ocr", "rapidocr")
    assert [one["ocr"] for one in rows(value, "v02-documents")] == [100.0, 0.0]
    assert "|ocr:rapidocr-3.99|" in value["signatures"]["LTB-100 v0.2 (preview)"]


def test_a_picture_that_it_cannot_read_is_one_problem(package, rendered, tmp_path: Path) -> None:
    truth, system = rendered
    (system / "doc_1.txt").unlink()
    value = scored(tmp_path, truth, system, "--ocr", "rapidocr")
    assert [one["document"] for one in rows(value, "v02-documents")] == ["doc_2"]
    assert "RapidOCR could not read the picture (ValueError)" in " ".join(value["warnings"])


@pytest.mark.parametrize("language", ["ar", "ur", "ru", "th", "ko", "vi", "xx"])
def test_a_language_that_its_models_do_not_know_is_refused(package, language: str) -> None:
    with pytest.raises(WorldError, match=f"do not know “{language}”") as told:
        reader_for(language, Engine.RAPIDOCR)
    assert told.value.code == "ocr.no-language"
    assert "Tesseract" in str(told.value.remedy)


def test_without_the_package_it_is_told_how_to_get_it(
    fresh, rendered, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(recognising_rapid, "find_spec", lambda name: None)
    assert run("scorecard", "ltb", *rendered, "--preview", "--ocr", "rapidocr") == 2
    told = capsys.readouterr().err
    assert "[ocr.no-rapidocr]" in told
    assert "pip install 'madcat-studio[rapidocr]'" in told
    assert "none for Arabic" in told


def test_another_reader_is_refused(rendered, capsys) -> None:
    assert run("scorecard", "ltb", *rendered, "--preview", "--ocr", "eyes") == 2
    assert "[scorecards.ocr]" in capsys.readouterr().err

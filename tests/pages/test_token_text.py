from __future__ import annotations

import pytest

from madcat_studio.pages.token_text import token_spans

TEXT = "وصل الوفد  إلى\nالعاصمة"


def found(texts: list[str | None], transcription: str | None = TEXT) -> list[str | None]:
    spans = token_spans(transcription, texts)
    return [None if span is None else (transcription or "")[slice(*span)] for span in spans]


def test_tokens_that_agree_are_found_in_order() -> None:
    assert found(["وصل", "الوفد", "إلى", "العاصمة"]) == ["وصل", "الوفد", "إلى", "العاصمة"]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["وصل", "زائد", "الوفد", "إلى", "العاصمة"], ["وصل", None, "الوفد", "إلى", "العاصمة"]),
        (["وصل", "الوقد", "إلى", "العاصمة"], ["وصل", "الوفد", "إلى", "العاصمة"]),
        (["وصل", "العاصمة"], ["وصل", "العاصمة"]),
        (["x", None, "العاصمة", ""], [None, None, "العاصمة", None]),
        ([], []),
    ],
)
def test_others_do_not_disturb_them(texts: list[str | None], words: list[str | None]) -> None:
    assert found(texts) == words


@pytest.mark.parametrize("transcription", [None, "", "  "])
def test_without_a_transcription_there_are_no_places(transcription: str | None) -> None:
    assert token_spans(transcription, ["a"]) == [None]


def test_doubled_words_are_told_apart_by_their_place() -> None:
    assert token_spans("و و و", ["و", "و", "و"]) == [(0, 1), (2, 3), (4, 5)]

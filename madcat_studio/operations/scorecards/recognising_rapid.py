"""The text of a picture as RapidOCR reads it: an extra that brings its models with it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version as version_of
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from madcat_studio.errors import WorldError

__all__ = ["RAPID_LANGUAGES", "RapidReader", "rapid_version"]

RAPID_LANGUAGES = frozenset({"de", "en", "es", "fr", "id", "it", "ja", "ms", "uz", "zh", "zh-tw"})
"""Languages whose letters the models that come with it know: Latin, Chinese and Japanese."""


class RapidReader:
    """Reads pictures in one language.

    Raises:
        WorldError: ``ocr.no-rapidocr``; ``ocr.no-language``: no model that comes with it knows it.
    """

    def __init__(self, language: str) -> None:
        if language not in RAPID_LANGUAGES:
            raise WorldError(
                "ocr.no-language",
                f"the models of RapidOCR do not know “{language}”",
                remedy="Leave --ocr out: Tesseract reads it, on Debian with the package of that "
                "language",
            )
        self._engine = _engine()

    def read(self, picture: Path) -> str:
        """The text of a picture, a line for each line that was found.

        Raises:
            WorldError: ``ocr.failed``.
        """
        try:
            found = self._engine(str(picture))
        except Exception as error:
            raise WorldError(
                "ocr.failed",
                f"RapidOCR could not read the picture ({type(error).__name__})",
                where=picture,
                remedy="Check the picture, or leave --ocr out: Tesseract may read it",
            ) from error
        return "\n".join(found.txts or ())


def rapid_version() -> str:
    """What it is."""
    return f"rapidocr {version_of('rapidocr')}"


@cache
def _engine() -> Any:
    """The engine; loading its models takes seconds."""
    if find_spec("rapidocr") is None or find_spec("onnxruntime") is None:
        raise WorldError(
            "ocr.no-rapidocr",
            "the package rapidocr is not installed",
            remedy="Install it with: pip install 'madcat-studio[rapidocr]'; it brings models for "
            "Latin, Chinese and Japanese, none for Arabic",
        )
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical"})

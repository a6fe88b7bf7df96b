"""The text of a picture as a program reads it, for the round trip of a rendered page."""

from __future__ import annotations

import os
import shutil
import subprocess
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Protocol

from madcat_studio.errors import WorldError
from madcat_studio.operations.scorecards.recognising_rapid import RapidReader, rapid_version

__all__ = ["LANGUAGES", "Engine", "Reader", "Recogniser", "reader_for", "version"]


class Engine(StrEnum):
    """Who reads."""

    TESSERACT = "tesseract"
    RAPIDOCR = "rapidocr"


class Reader(Protocol):
    """Reads pictures in one language."""

    def read(self, picture: Path) -> str:
        """The text of a picture."""


PROGRAM = "tesseract"

LANGUAGES = {
    "ar": "ara", "de": "deu", "en": "eng", "es": "spa", "fr": "fra", "id": "ind", "it": "ita",
    "ja": "jpn", "kk": "kaz", "ko": "kor", "ms": "msa", "ru": "rus", "th": "tha", "ur": "urd",
    "uz": "uzb", "vi": "vie", "zh": "chi_sim", "zh-tw": "chi_tra",
}  # fmt: skip
"""Languages as pairs name them, and Tesseract's name for its data."""

_SECONDS = 300


class Recogniser:
    """Reads pictures in one language.

    Raises:
        WorldError: ``ocr.no-tesseract``; ``ocr.no-language``: its data is not installed.
    """

    def __init__(self, language: str) -> None:
        self.language = LANGUAGES.get(language, "")
        self._program = _program()
        if self.language not in _about(self._program)[1]:
            package = self.language.replace("_", "-") or language
            raise WorldError(
                "ocr.no-language",
                f"Tesseract has no data for “{language}”",
                remedy=f"Install it, on Debian: apt install tesseract-ocr-{package}"
                if self.language
                else "Give pages in a language that Tesseract reads",
            )

    def read(self, picture: Path, *, block: bool = False) -> str:
        """The text of a picture.

        Args:
            picture: any image file that Tesseract takes.
            block: whether it is one block of lines, so that columns are not looked for.

        Raises:
            WorldError: ``ocr.failed``.
        """
        command = [self._program, str(picture), "stdout", "-l", self.language]
        command += ["--psm", "6" if block else "3"]
        try:
            done = _run(command)
        except (OSError, subprocess.SubprocessError) as error:
            raise _failed(picture, str(error)) from error
        if done.returncode:
            raise _failed(picture, done.stderr.strip().splitlines()[-1:] or ["no reason given"])
        return done.stdout


def reader_for(language: str, engine: Engine = Engine.TESSERACT) -> Reader:
    """Who reads a language.

    Raises:
        WorldError: ``ocr.no-tesseract``, ``ocr.no-rapidocr``, ``ocr.no-language``.
    """
    return RapidReader(language) if engine is Engine.RAPIDOCR else Recogniser(language)


def version(engine: Engine = Engine.TESSERACT) -> str:
    """What it says that it is.

    Raises:
        WorldError: ``ocr.no-tesseract``.
    """
    return rapid_version() if engine is Engine.RAPIDOCR else _about(_program())[0]


def _program() -> str:
    found = shutil.which(PROGRAM)
    if found is None:
        raise WorldError(
            "ocr.no-tesseract",
            "Tesseract, which reads rendered pages, is not installed",
            remedy="Install it, on Debian: apt install tesseract-ocr",
        )
    return found


def _failed(picture: Path, why: object) -> WorldError:
    said = why[0] if isinstance(why, list) else why
    return WorldError(
        "ocr.failed",
        f"Tesseract could not read the picture ({said})",
        where=picture,
        remedy="Look at the picture, and at whether Tesseract works: tesseract --list-langs",
    )


@cache
def _about(program: str) -> tuple[str, frozenset[str]]:
    """Its version and the languages that it has data for."""
    said = _run([program, "--version"]).stdout.splitlines()[:1]
    languages = _run([program, "--list-langs"]).stdout.splitlines()[1:]
    return (said[0] if said else ""), frozenset(name.strip() for name in languages)


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    # One thread: several pages may be read at once, and threads would only wait for each other.
    surroundings = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    return subprocess.run(
        command,
        check=False,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_SECONDS,
    )

"""Fonts for Arabic and English; Arabic is never blank."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from madcat_studio.gui.settings import (
    ARABIC_FONT,
    ARABIC_SIZE,
    ENGLISH_FONT,
    ENGLISH_SIZE,
    Settings,
)
from madcat_studio.paths import resources

__all__ = ["arabic", "arabic_families", "english"]

_PREFERRED = (
    "Noto Naskh Arabic",
    "Amiri",
    "Scheherazade New",
    "Geeza Pro",
    "Arabic Typesetting",
    "Traditional Arabic",
    "Noto Sans Arabic",
)


@cache
def arabic_families() -> tuple[str, ...]:
    """The Arabic faces to try, the best first; our own is loaded where none of them is there.

    Without a face that has Arabic letters Qt draws nothing and says nothing, so one is always
    named here.
    """
    installed = set(QFontDatabase.families(QFontDatabase.WritingSystem.Arabic))
    found = [family for family in _PREFERRED if family in installed]
    if not found:
        for path in sorted((resources() / "fonts").glob("*.ttf")):
            number = QFontDatabase.addApplicationFont(str(path))
            found += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return tuple(found)


def arabic(settings: Settings, *, scale: float = 1.0) -> QFont:
    """The font for Arabic text."""
    font = QFont()
    own = settings.get(ARABIC_FONT)
    font.setFamilies([*([own] if own else []), *arabic_families()])
    font.setPixelSize(round(settings.get(ARABIC_SIZE) * scale))
    return font


def english(settings: Settings, *, scale: float = 1.0) -> QFont:
    """The font for English text. Arabic names within it fall back to the Arabic faces."""
    font = QFont()
    own = settings.get(ENGLISH_FONT)
    # By its real name: an alias such as “Sans” in a list would lose to the Arabic faces.
    font.setFamilies([own or QFontInfo(font).family(), *arabic_families()])
    font.setPixelSize(round(settings.get(ENGLISH_SIZE) * scale))
    return font

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase, QFontMetrics, QRawFont

from madcat_studio.gui import fonts
from madcat_studio.gui.settings import ARABIC_FONT, ARABIC_SIZE, Settings
from madcat_studio.paths import resources


@pytest.fixture
def _no_arabic_installed(monkeypatch, qapp):
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: [])
    fonts.arabic_families.cache_clear()
    yield
    fonts.arabic_families.cache_clear()


@pytest.mark.usefixtures("_no_arabic_installed")
def test_where_no_arabic_face_is_installed_ours_is_taken() -> None:
    assert fonts.arabic_families() == ("Noto Naskh Arabic",)
    (file,) = (resources() / "fonts").glob("*.ttf")
    face = QRawFont(str(file), 20)
    assert face.familyName() == "Noto Naskh Arabic"
    assert all(face.glyphIndexesForString("ش٣ﻻ"))


def test_arabic_has_its_own_font_and_size(qapp) -> None:
    settings = Settings()
    before = QFontMetrics(fonts.arabic(settings)).height()
    settings.set(ARABIC_SIZE, 40)
    settings.set(ARABIC_FONT, "Amiri")
    font = fonts.arabic(settings)
    assert font.families()[0] == "Amiri"
    assert QFontMetrics(font).height() > before
    assert fonts.english(settings).pixelSize() == 14

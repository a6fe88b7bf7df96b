"""Every visible text goes through :func:`tr`; texts in declarations are marked with :func:`mark`.

One context serves the whole window, so that the same English text is translated once.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from madcat_studio.paths import resources

__all__ = ["CONTEXT", "install", "mark", "tr"]

CONTEXT = "MADCAT Studio"


def tr(text: str, **values: object) -> str:
    """The text in the user's language; ``{name}`` is replaced by the value of that name."""
    translated = QCoreApplication.translate(CONTEXT, text)
    return translated.format(**values) if values else translated


def mark(text: str) -> str:
    """A text that is translated later, where it is shown."""
    return text


def install(application: QCoreApplication) -> None:
    """Load the translation for the user's language, if there is one."""
    folder = resources() / "translations"
    if not folder.is_dir():
        return
    translator = QTranslator(application)
    if translator.load(QLocale(), "madcat_studio", "_", str(folder)):
        application.installTranslator(translator)

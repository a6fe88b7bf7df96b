"""Every visible text goes through :func:`tr`, and through :func:`tr_count` where it counts.

One context serves the whole window, so that the same English text is translated once. Texts in
declarations are marked with :func:`mark` and translated where they are shown. The texts are written
out in these calls: ``python3 run.py texts`` finds them by reading the code.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QLibraryInfo,
    QLocale,
    Qt,
    QTime,
    QTranslator,
)
from PySide6.QtGui import QGuiApplication

from madcat_studio.gui import figures
from madcat_studio.gui.sentences import counted, fitting, translations

__all__ = [
    "CONTEXT",
    "install",
    "mark",
    "speak",
    "tr",
    "tr_clauses",
    "tr_count",
    "tr_day",
    "tr_figure",
    "tr_joined",
    "tr_minute",
    "tr_moment",
    "tr_number",
    "tr_report",
    "tr_word",
]

CONTEXT = "MADCAT Studio"

_FRACTION = 100
"""Qt's plurals are of whole numbers; a fraction takes the form of a round one."""

_ISOLATED = "\u2068{}\u2069"
"""A name in another script than its sentence turns nothing beside it round."""

_LATIN_FIRST = re.compile(r"(?:\u2068[^\u2069]*\u2069|[^A-Za-z\u0590-\u08ff])*[A-Za-z]")
_LATIN = re.compile("[A-Za-z]")
_ARABIC = re.compile(r"[\u0600-\u06ff]")
_VALUES_ALONE = re.compile(
    # An Arabic comma or semicolon says no direction, as a Latin one does not.
    r"(?=.*\u2068)(?:\u2068[^\u2069]*\u2069|[^A-Za-z\u0590-\u08ff]|[\u060c\u061b])+"
)

_logger = logging.getLogger(__name__)


class _Spoken:
    """How the window's language writes numbers and days: as English until another is spoken."""

    locale: QLocale | None = None


def tr(text: str, **values: str | Path) -> str:
    """The text in the user's language; ``{name}`` is replaced by the value of that name.

    A value is no number: what is counted goes through :func:`tr_count`, which knows its plural, and
    what is only numbered (a line, a segment) is written by :func:`tr_number`.
    """
    return _anchored(_filled(_translated(text), text, values))


def tr_count(one: str, many: str, count: float, **values: str | Path) -> str:
    """The text for a count, which stands in it as ``{count}``: one form of two in English.

    Other languages have more forms; the translation of ``many`` holds them all.
    """
    english = one if count == 1 else many
    translated = _translated(many, int(count) if count == int(count) else _FRACTION)
    form = english if translated == many else translated
    return _anchored(_filled(form, english, {"count": tr_number(count), **values}))


def tr_number(value: float) -> str:
    """A number as it stands in a text, without the zeros of a fraction that is none."""
    return tr_figure(f"{int(value):,}" if value == int(value) else f"{value:g}")


def tr_figure(text: str) -> str:
    """A number that is written out in English, such as ``1,234.5 %`` or ``2:07``, as it is shown.

    Only what is shown: what is written into files is English everywhere.
    """
    locale = _Spoken.locale
    return text if locale is None else figures.written(locale, text)


def tr_day(moment: datetime) -> str:
    """The day of a moment, in local time."""
    local, locale = moment.astimezone(), _Spoken.locale
    if locale is None:
        return local.strftime("%Y-%m-%d")
    return figures.day(locale, QDate(local.year, local.month, local.day))


def tr_moment(moment: datetime) -> str:
    """The day and the minute of a moment, in local time."""
    return f"{tr_day(moment)} {tr_minute(moment)}"


def tr_minute(moment: datetime) -> str:
    """The minute of a moment, in local time."""
    local, locale = moment.astimezone(), _Spoken.locale
    if locale is None:
        return local.strftime("%H:%M")
    return figures.minute(locale, QTime(local.hour, local.minute))


def tr_report(text: str, code: str = "") -> str:
    """A text that a room made which knows no window: a report's title, a finding, an edit's name.

    What such a room puts together while it runs is known again by its form, and said with the same
    values; what nobody has translated stays English.

    Args:
        text: the English.
        code: of the error that says it, where it is one's.
    """
    whole, locale = QCoreApplication.translate(CONTEXT, text), _Spoken.locale
    if locale is None:
        return whole
    if whole != text:
        return _anchored(figures.in_form(locale, whole))
    for form, values in fitting(text, code):
        if (translated := _translated(form)) != form:
            told = {name: _told_value(name, value) for name, value in values.items()}
            return _anchored(_filled(translated, form, told))
    small = text[:1].lower() + text[1:]
    if small != text and (translated := tr_report(small, code)) != small:
        return translated[:1].upper() + translated[1:]  # a clause that begins a sentence here
    return text


def tr_word(text: str) -> str:
    """What stands alone, in a cell or in a drawing: a word, a sentence, a number or a range."""
    return _told_value("", text)


def _told_value(name: str, value: str) -> str:
    """A number, one with its noun as the language counts, a list, a sentence in it; else a name."""
    if (
        _Spoken.locale is not None
        and (figure := figures.in_value(_Spoken.locale, name, value)) is not None
    ):
        return figure
    found = counted(value)
    if found is not None:
        return tr_count(*found)
    parts = re.split(r"(, | or )", value)
    if len(parts) == 1 or not all(fitting(part) for part in parts[::2]):
        return tr_report(value)
    told = tr_report(parts[0])
    for between, part in zip(parts[1::2], parts[2::2], strict=True):
        if between == ", ":
            told = tr("{before}, {last}", before=told, last=tr_report(part))
        else:
            told = tr("{before} or {last}", before=told, last=tr_report(part))
    return told


def tr_clauses(texts: Iterable[str]) -> str:
    """Texts of rooms which know no window, as the clauses of one sentence."""
    return tr_joined(map(tr_report, texts))


def tr_joined(told: Iterable[str]) -> str:
    """Clauses in the window's language, parted as it parts them."""
    return tr("; ").join(told)


def mark(text: str) -> str:
    """A text that is translated later, where it is shown."""
    return text


def _translated(text: str, count: int = -1) -> str:
    return QCoreApplication.translate(CONTEXT, text, None, count)


def _anchored(text: str) -> str:
    """A text of a language from right to left, held to its direction where its letters do not say.

    Qt takes the direction of a text from its first letter: of "Ctrl+Enter ..." the full stop would
    stand before it, and an arrow between two values would lead from the second to the first.
    """
    locale = _Spoken.locale
    if locale is None or locale.textDirection() is not Qt.LayoutDirection.RightToLeft:
        return text
    latin_first = _LATIN_FIRST.match(text) and _ARABIC.search(text)
    return f"\u200f{text}" if latin_first or _VALUES_ALONE.fullmatch(text) else text


def _filled(translated: str, english: str, values: Mapping[str, str | Path]) -> str:
    locale = _Spoken.locale
    if locale is not None and (translated != english or not _LATIN.search(english)):
        translated = figures.in_form(locale, translated)
    if not values:
        return translated
    if locale is not None and locale.textDirection() is Qt.LayoutDirection.RightToLeft:
        values = {name: _ISOLATED.format(value) for name, value in values.items()}
    try:
        return translated.format(**values)
    except (KeyError, IndexError, ValueError):
        # A mistake in a translation costs its own words, not the window.
        _logger.warning("the translation %r does not fit %r", translated, english)
        return english.format(**values)


def install(
    application: QCoreApplication, locale: QLocale | None = None, folder: Path | None = None
) -> bool:
    """Load the translation for the user's language; whether there is one."""
    translator = QTranslator(application)
    where = folder or translations()
    if not translator.load(locale or QLocale(), "madcat_studio", "_", str(where)):
        return False
    return application.installTranslator(translator)


def _install_qt(application: QCoreApplication, locale: QLocale) -> None:
    """Load Qt's own texts too: the buttons of dialogs, the menus of boxes, the file dialog."""
    where = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    translator = QTranslator(application)
    if translator.load(locale, "qtbase", "_", where):
        application.installTranslator(translator)
    else:
        translator.deleteLater()
        _logger.warning("Qt has no translation for %s in %s", locale.name(), where)


def speak(application: QGuiApplication, language: str) -> None:
    """Show the window in a language, and mirrored where that runs from right to left.

    Args:
        application: of the window.
        language: ``en``, another one's code, or ``system`` for that of the user's surroundings.
    """
    surroundings = QLocale()
    # The user's own country, where the language is that of the surroundings.
    own = language in ("system", QLocale.languageToCode(surroundings.language()))
    locale = surroundings if own else QLocale(language)
    _Spoken.locale = None
    if language != "en" and install(application, locale):
        _install_qt(application, locale)
        application.setLayoutDirection(locale.textDirection())
        _Spoken.locale = locale

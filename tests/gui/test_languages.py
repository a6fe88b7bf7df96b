"""The window in other languages: drafts that fit their English, mirrored, with room for more."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtGui import QGuiApplication, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QDialogButtonBox,
)

from madcat_studio.gui.coordinator.pictures import drawn_texts
from madcat_studio.gui.coordinator.plantree import PlanTree
from madcat_studio.gui.coordinator.tablemodel import ReportTableModel, shown_cell
from madcat_studio.gui.editor.kitside import clock_text
from madcat_studio.gui.figures import in_form, in_value
from madcat_studio.gui.icons import pixmap
from madcat_studio.gui.settings import LANGUAGE
from madcat_studio.gui.translation import (
    CONTEXT,
    tr,
    tr_clauses,
    tr_day,
    tr_figure,
    tr_moment,
    tr_number,
    tr_report,
)
from madcat_studio.reports.tables import CellKind, Column
from scripts.texts import (
    DRAFT,
    TRANSLATIONS,
    Text,
    drafts,
    fill,
    told_elsewhere,
    update,
)
from tests.gui.campaigns import make_campaign
from tests.gui.helpers import found_texts

LANGUAGES = ("ar", "es", "fr")
GUI = Path(__file__).resolve().parents[2] / "madcat_studio" / "gui"
_VALUE = re.compile(r"\{(\w*)\}")


def test_there_is_a_draft_for_each_language_that_can_be_chosen() -> None:
    chosen = {value for value, _ in LANGUAGE.choices} - {"system", "en"}
    assert chosen == set(LANGUAGES) == set(drafts())
    heads = {row.count("\t") for row in DRAFT.read_text("utf-8").splitlines()}
    assert heads == {3}


MAY_BE_MISSING = 0.02
"""The share of texts that may wait for their drafts: a new text needs no translator at once."""

SAID = 0.98
"""The share of sentences of rooms without a window that have drafts; the others stay English."""


def test_texts_have_their_drafts(capsys: pytest.CaptureFixture[str]) -> None:
    known, elsewhere = set(found_texts()), set(told_elsewhere())
    for language, draft in drafts().items():
        missing, stale = sorted(known - set(draft)), sorted(set(draft) - known - elsewhere)
        said = elsewhere & set(draft)
        with capsys.disabled():
            print(f"\n{language}: {len(known)} texts, {len(missing)} without a draft {missing[:9]}")
            print(f"{language}: {len(said)} of {len(elsewhere)} sentences of other rooms have one")
            print(f"{language}: {len(stale)} drafts of texts that are gone {stale[:9]}")
        assert len(known) > 2300
        assert len(missing) <= MAY_BE_MISSING * len(known)
        assert len(stale) <= MAY_BE_MISSING * len(known)
        assert len(said) >= SAID * len(elsewhere)


FORMS = {"ar": ("zero", "one", "two", "few", "many", "other"), "es": ("one", "other")}
FORMS["fr"] = FORMS["es"]


def misfits(language: str, text: Text, forms: tuple[str, ...]) -> list[str]:
    """In what a draft does not fit its English: values, plural forms, menu keys, patterns."""
    wanted = FORMS[language] if text.one is not None else ("other",)
    if len(forms) != len(wanted):
        return [f"{len(forms)} forms instead of {len(wanted)}"]
    found = []
    values = sorted(_VALUE.findall(text.source))
    allowed = [values] if text.one is None else [values, sorted(_VALUE.findall(text.one))]
    for name, form in zip(wanted, forms, strict=True):
        held = sorted(_VALUE.findall(form))
        if name in ("zero", "one", "two") and "count" in values and "count" not in held:
            held = sorted([*held, "count"])  # a form of one number alone may say it as a word
        if held not in allowed:
            found.append(f"{name}: values {held}")
        if form.count("&") != text.source.count("&"):
            found.append(f"{name}: the key of a menu")
        if re.findall(r"\(\*[^)]*\)", form) != re.findall(r"\(\*[^)]*\)", text.source):
            found.append(f"{name}: patterns of files")
        if form.strip() == "" or form.count("\n") != text.source.count("\n"):
            found.append(f"{name}: empty, or with other lines")
        if form.startswith(" ") != text.source.startswith(" "):
            found.append(f"{name}: its blank before")
        if text.source.endswith("…") and not form.endswith("…"):
            found.append(f"{name}: its dots")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_draft_fits_its_english(language: str) -> None:
    known = told_elsewhere() | found_texts()
    found = {
        english: misfits(language, known[english], forms)
        for english, forms in drafts()[language].items()
        if english in known
    }
    assert {english: said for english, said in found.items() if said} == {}


@pytest.mark.parametrize(
    ("source", "one", "forms"),
    [
        ("&File", None, ("Fichier",)),
        ("{name} is saved.", None, ("{nom} est enregistré.",)),
        ("{name} is saved.", None, ("{name} {name}",)),
        ("{count} lines", "{count} line", ("{count} lignes",)),
        ("{count} lines", "{count} line", ("une ligne", "des lignes")),
        ("Pages (*.xml)", None, ("Pages (*.xm)",)),
        ("Open…", None, ("Ouvrir",)),
        (" px", None, ("px",)),
        ("File", None, ("",)),
    ],
)
def test_a_draft_that_does_not_fit_is_found(
    source: str, one: str | None, forms: tuple[str, ...]
) -> None:
    assert misfits("fr", Text(source, one), forms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_with_the_program_is_the_draft(language: str, qapp: QCoreApplication) -> None:
    loaded = QTranslator(qapp)
    assert loaded.load(str(TRANSLATIONS / f"madcat_studio_{language}.qm"))
    for english, forms in drafts()[language].items():
        counts = {1: (-1,), 2: (1, 2), 6: (0, 1, 2, 3, 11, 100)}[len(forms)]
        said = tuple(loaded.translate(CONTEXT, english, None, n) for n in counts)
        assert said == forms


def test_a_file_for_a_translator_holds_every_text_with_its_draft(tmp_path: Path) -> None:
    known = {english: text for english, text in found_texts().items() if text.one or "{" in english}
    (file,) = update(["ar"], tmp_path, known)
    draft = drafts()["ar"]
    fill(file, draft)
    tree = ElementTree.parse(file).getroot()
    assert (tree.tag, tree.get("language")) == ("TS", "ar")
    messages = {one.findtext("source"): one for one in tree.iter("message")}
    assert set(messages) == set(known)
    for english, one in messages.items():
        translation = one.find("translation")
        assert translation is not None
        assert translation.get("type") == "unfinished", "a translator has not seen it"
        assert (one.get("numerus") == "yes") == (known[english].one is not None)
        forms = [form.text for form in translation.findall("numerusform")] or [translation.text]
        if english in draft:
            assert tuple(forms) == draft[english]


def test_arabic_is_mirrored_and_french_is_not(
    spoken: Callable[[str], None], qapp: QGuiApplication
) -> None:
    spoken("en")
    assert (tr("&File"), qapp.layoutDirection()) == ("&File", Qt.LayoutDirection.LeftToRight)
    spoken("fr")
    assert (tr("&File"), qapp.layoutDirection()) == ("&Fichier", Qt.LayoutDirection.LeftToRight)
    undrafted = "A text without a draft"
    assert QCoreApplication.translate(CONTEXT, undrafted) == undrafted
    spoken("ar")
    assert (tr("&File"), qapp.layoutDirection()) == ("&ملف", Qt.LayoutDirection.RightToLeft)


def test_the_mirrored_window_has_its_rail_at_the_right(
    spoken: Callable[[str], None], make_window, qtbot
) -> None:
    spoken("ar")
    window = make_window()

    def right() -> int:
        return window.rail.mapTo(window, window.rail.rect().topLeft()).x() + window.rail.width()

    qtbot.waitUntil(lambda: right() == window.width())
    assert window.rail.buttons["home"].text() == "البداية"


@pytest.mark.long
def test_english_runs_from_left_to_right_in_a_mirrored_window(
    spoken: Callable[[str], None], make_window, tmp_path: Path, qtbot
) -> None:
    spoken("ar")
    window = make_window()
    window.open(str(make_campaign(tmp_path / "pilot")), view="kit", target={"editor": "red1"})
    qtbot.waitUntil(lambda: bool(window.view("kit").desk_page.buttons))
    page = window.view("kit").kit_page
    window.show_view("plan")
    tree = window.view("plan").findChild(PlanTree)
    left = Qt.LayoutDirection.LeftToRight
    for one in (page.pane.changes, page.pane.first, page.side.list, tree):
        assert one.layoutDirection() is left
    assert page.box.document().defaultTextOption().textDirection() is left
    assert window.layoutDirection() is Qt.LayoutDirection.RightToLeft


MOMENT = datetime(2048, 11, 8, 14, 5).astimezone()


@pytest.mark.parametrize(
    ("language", "number", "figure", "day", "moment"),
    [
        ("en", "1,234", "1,234.5 %", "2048-11-08", "2048-11-08 14:05"),
        ("fr", "1\u202f234", "1\u202f234,5 %", "08/11/2048", "08/11/2048 14:05"),
        ("es", "1.234", "1.234,5 %", "8/11/48", "8/11/48 14:05"),
        ("ar", "١٬٢٣٤", "١٬٢٣٤٫٥ %", "٨\u200f/١١\u200f/٢٠٤٨", "٨\u200f/١١\u200f/٢٠٤٨ ٢:٠٥ م"),
    ],
)
def test_numbers_and_days_are_written_as_in_the_language(
    spoken: Callable[[str], None],
    language: str,
    number: str,
    figure: str,
    day: str,
    moment: str,
) -> None:
    spoken(language)
    assert tr_number(1234) == number
    assert tr_figure("1,234.5 %") == figure
    assert tr_day(MOMENT) == day
    assert tr_moment(MOMENT) == moment


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ["HTER of a segment", "20 %"]), ("ar", ["HTER المقطع", "٢٠ %"])],
)
def test_what_stands_in_a_drawing_is_said_in_the_language(
    spoken: Callable[[str], None], language: str, said: list[str]
) -> None:
    spoken(language)
    texts = ("HTER of a segment", "20 %", "maple &amp; 1a")
    svg = "".join(f'<text x="1">{text}</text>' for text in texts)
    found = re.findall(">([^<>]+)</text>", drawn_texts(svg))
    assert [one.strip("\u200f") for one in found] == [*said, "maple &amp; 1a"]


@pytest.mark.parametrize(
    ("value", "ar", "fr"),
    [
        ("1,234", "١٬٢٣٤", "1\u202f234"),
        ("20.4", "٢٠٫٤", "20,4"),
        ("[\u22120.4, 2.8]", "[\u2212٠٫٤, ٢٫٨]", "[\u22120,4\u00a0; 2,8]"),
        ("3\u20135", "٣\u2013٥", "3\u20135"),
        ("5/32", "٥/٣٢", "5/32"),
        ("p < 0.001", "p < ٠٫٠٠١", "p < 0,001"),
        ("9.8 % [4.2 %, 3 %]", "٩٫٨ % [٤٫٢ %, ٣ %]", "9,8 % [4,2 %\u00a0; 3 %]"),
        ("2048-11-08 14:05", "٨\u200f/١١\u200f/٢٠٤٨ ٢:٠٥ م", "08/11/2048 14:05"),
        ("0007", None, None),
        ("0.7.25", None, None),
        ("K1.02", None, None),
    ],
)
def test_a_value_that_is_a_number_is_written_as_in_the_language(
    value: str, ar: str | None, fr: str | None
) -> None:
    assert in_value(QLocale("ar"), "count", value) == ar
    assert in_value(QLocale("fr"), "count", value) == fr
    assert in_value(QLocale("ar"), "kit", value) is None, "a name stays as it is"


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("مجال 95 % من 1,000", "مجال ٩٥ % من ١٬٠٠٠"),
        ("من {n2} إلى 2", "من {n2} إلى ٢"),
        ("اضغط F9 أو Ctrl+1", "اضغط F9 أو Ctrl+1"),
        ("ملف UTF-8 أو PAGE 2019 أو plato_1", "ملف UTF-8 أو PAGE 2019 أو plato_1"),
        ("مثل \u2068--jobs 2\u2069 و0..1", "مثل \u2068--jobs 2\u2069 و0..1"),
    ],
)
def test_numbers_of_a_translation_are_in_the_digits_of_the_language(form: str, wanted: str) -> None:
    assert in_form(QLocale("ar"), form) == wanted
    assert in_form(QLocale("ar_MA"), form) == form, "where these digits are not used"


def test_files_keep_english_numbers(spoken: Callable[[str], None]) -> None:
    column = Column("hter", "HTER", CellKind.RATE)
    spoken("ar")
    model = ReportTableModel()
    model.show_table([column], [(0.1234,)])
    assert model.index(0, 0).data() == "١٢٫٣٤\u202f%"
    assert model.index(0, 0).data(ReportTableModel.VALUE) == 0.1234
    assert CellKind.RATE.shown(0.1234) == "12.34\u202f%"


def test_a_name_turns_nothing_round_in_arabic(spoken: Callable[[str], None]) -> None:
    spoken("ar")
    assert tr("{name} is saved.", name="a.xml") == "حُفظ \u2068a.xml\u2069."
    spoken("fr")
    assert tr("{name} is saved.", name="a.xml") == "a.xml est enregistré."


def test_an_arrow_between_two_values_leads_to_the_second(spoken: Callable[[str], None]) -> None:
    """It is turned, so the text runs from right to left, though no letter says so."""
    spoken("ar")
    values = {"before": "50 %", "after": "1 %"}
    assert tr("{before} → {after}", **values) == "\u200f\u206850 %\u2069 ← \u20681 %\u2069"
    assert tr("{kit}: {before} → {after}", kit="K2", **values).startswith("\u200f\u2068K2")
    assert tr("← →") == "← →", "keys are where they are"
    spoken("fr")
    assert tr("{before} → {after}", **values) == "50 % → 1 %"


def test_a_text_that_begins_with_a_latin_word_runs_as_its_language(
    spoken: Callable[[str], None], qapp: QGuiApplication
) -> None:
    english = "TER, BLEU, chrF++ and scores from tables, compared with HTER"
    spoken("ar")
    said = tr(english)
    assert said.startswith("\u200fTER")
    for kept in ("&File", "{name} is saved."):
        assert not tr(kept, **({"name": "a.xml"} if "{" in kept else {})).startswith("\u200f")
    spoken("fr")
    assert not tr(english).startswith("\u200f")


TWICE = re.compile(r"\b(\w+ \w+) \1\b|\b(\w{4,}) \2\b")
"""A word, or two, that was written twice; in Arabic some are meant so, such as line by line."""


@pytest.mark.parametrize("language", ["es", "fr"])
def test_no_word_stands_twice(language: str) -> None:
    texts = [form for forms in drafts()[language].values() for form in forms]
    assert [text for text in texts if TWICE.search(text)] == []


def test_clauses_are_parted_as_the_language_parts_them(spoken: Callable[[str], None]) -> None:
    told = {}
    for language in ("en", *LANGUAGES):
        spoken(language)
        said = tr_clauses(["3 documents imported", "all pairs"])
        told[language] = re.sub("[\u2068\u2069]", "", said)
    assert told == {
        "en": "3 documents imported; all pairs",
        "ar": "استُورد ٣ مستندات؛ كل الأزواج",
        "es": "3 documentos importados; todos los pares",
        "fr": "3 documents importés\u00a0; toutes les paires",
    }


def test_a_list_runs_as_its_language(spoken: Callable[[str], None]) -> None:
    """Its commas stand outside the values, and say nothing of the direction themselves."""
    spoken("ar")
    told = tr_report("nothing stands out by genre, scribe or length")
    assert "\u2068\u200f\u2068" in told
    layout = QTextLayout(told)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    at = [line.cursorToX(told.index(word))[0] for word in (tr("genre"), tr("scribe"), tr("length"))]
    assert at == sorted(at, reverse=True)


def test_no_window_parts_clauses_as_english_does() -> None:
    found = [
        path.name
        for path in sorted(GUI.rglob("*.py"))
        if re.search(r'"; "\.join\(map|\+= "; "', path.read_text("utf-8"))
    ]
    assert found == []


def test_what_is_digits_and_marks_alone_keeps_its_order(spoken: Callable[[str], None]) -> None:
    """The hours of a time first, and the full stop of a place in the ranking last."""
    spoken("ar")
    assert clock_text(7620) == "\u2068٢:٠٧\u2069 س"
    assert tr("{place}.", place=tr_figure("1–2")) == "\u200f\u2068١–٢\u2069."


NOTE = (
    "A day such as 2048-11-18 (until its end), or a moment such as 2048-11-18 10:00, in local "
    "time. What comes before its date is refused, in the window, in commands, in kits as files "
    "and on a server."
)


def places(text: str, *parts: str) -> list[float]:
    """Where the second letters of parts of a text begin, from the left, if shown in Arabic.

    The first letter's place may be told as the end of what is written before it.
    """
    layout = QTextLayout(text)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(100_000)
    layout.endLayout()
    return [line.cursorToX(text.index(part) + 1)[0] for part in parts]


def test_a_date_in_an_arabic_text_is_read_from_its_year(
    spoken: Callable[[str], None], qapp: QGuiApplication
) -> None:
    spoken("ar")
    shown = tr(NOTE)
    assert shown != NOTE
    year, month, day = places(shown, "2048", "11-", "18")
    assert year < month < day
    year, day = places(re.sub("[\u2068\u2069]", "", shown), "2048", "18")
    assert day < year, "without isolating it is reversed"


TURNED = re.compile(r"\d-\d|(?<![\w-])--?[A-Za-z]")
"""What an Arabic text around it would turn round: a date, an option of a command."""


def test_dates_and_options_are_isolated_in_arabic() -> None:
    turned = {
        english: form
        for english, forms in drafts()["ar"].items()
        for form in forms
        if TURNED.search(re.sub("\u2068[^\u2069]*\u2069", "", form))
    }
    assert turned == {}


STANDARD = [
    one for one in QDialogButtonBox.StandardButton if one.value and not one.name.endswith("Button")
]
SAME = {"es": {"No", "No to All"}, "fr": {"OK"}}
"""What is the same word in English; of "No to All" only the menu key is compared otherwise."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standard_buttons_of_dialogs_are_said_in_the_language(
    spoken: Callable[[str], None], qapp: QGuiApplication, language: str
) -> None:
    def said() -> dict[str, str]:
        box = QDialogButtonBox()
        return {one.name: box.addButton(one).text().replace("&", "") for one in STANDARD}

    spoken("en")
    english = said()
    assert {"Save", "Cancel", "Close", "Yes", "No"} <= set(english.values())
    spoken(language)
    same = {text for name, text in said().items() if text == english[name]}
    assert same <= SAME.get(language, set())


@pytest.mark.parametrize(("language", "genre"), [("en", "genre"), ("fr", "genre"), ("ar", "نوع")])
def test_the_words_of_a_report_are_said_in_the_language(
    spoken: Callable[[str], None], language: str, genre: str
) -> None:
    """What a table calls its own groups is translated; a name from the campaign is not."""
    spoken(language)
    words = {shown_cell(Column("by", "By"), one) for one in ("scribe", "implement", "length")}
    assert (words == {"scribe", "implement", "length"}) is (language == "en")
    assert shown_cell(Column("name", "Worst group"), "scribe") == "scribe"
    assert genre in shown_cell(Column("by", "By"), "genre")


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_icons_that_point_along_the_text_turn_with_the_window(
    qapp: QGuiApplication, ratio: float
) -> None:
    plain = {name: pixmap(name, "#000000", 20, ratio).toImage() for name in ("next", "turn-left")}
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        turned = {name: pixmap(name, "#000000", 20, ratio) for name in plain}
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert turned["next"].devicePixelRatio() == ratio
    assert turned["next"].toImage() == plain["next"].flipped(Qt.Orientation.Horizontal)
    assert turned["next"].toImage() != plain["next"]
    assert turned["turn-left"].toImage() == plain["turn-left"], "the page is not mirrored"

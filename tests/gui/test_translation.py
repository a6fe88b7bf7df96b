"""Every visible text can be translated: it goes through tr, is found, and counts by plurals."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.settings import SETTINGS
from madcat_studio.gui.translation import install, tr, tr_count, tr_number
from madcat_studio.gui.views import VIEWS
from scripts.texts import compile_translations, main, told_elsewhere, update
from tests.gui.helpers import found_texts

GUI = Path(__file__).resolve().parents[2] / "madcat_studio" / "gui"
THROUGH = {"tr", "tr_count", "tr_report", "mark"}

# Methods and classes that show their text, whatever it says.
SHOWING = re.compile(
    r"""(?:^|\.)(?:
        set(?:Text|ToolTip|WindowTitle|Title|AccessibleName|AccessibleDescription|PlaceholderText
            |StatusTip|WhatsThis|InformativeText|Prefix|Suffix)
        |Q(?:Label|PushButton|ToolButton|CheckBox|RadioButton|GroupBox|Action)
        |add(?:Tab|Item|Row|Action|Menu|Button) | insert(?:Tab|Item)
        |hint\.emit | notice\.emit | messages\.(?:info|warning|error) | _?complain
    )$""",
    re.VERBOSE,
)
# What takes words that nobody sees in the window, or that are no words of a language.
UNSEEN = re.compile(
    r"""(?:^|\.)(?:
        _logger\.\w+ | \w*Error | cast | TypeVar | SystemExit | RuntimeError
        |drop_gesture | leave_gesture | startswith | endswith | setStyleSheet
    )$""",
    re.VERBOSE,
)
# Edits are named in the journals, in English; the window translates their names where it can.
NAMING = re.compile(r"(?:^|\.)(?:CompositeEdit|_named|\w*Edit)$")
PHRASE = re.compile(r"[A-Za-z]{2,}[,:;.]? (?:\S+ )*?[a-z]{2,}")
NOT_WORDS = re.compile(r"^(?:Noto|Traditional|Arabic|Scheherazade|Geeza)\b|[<>{}\\]|^\*\.")


def _missed(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module that are shown and do not go through tr."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    documents = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in documents
            and _is_missed(node, node.value, parents)
        ):
            yield node.lineno, node.value


def _is_missed(node: ast.expr, text: str, parents: dict[ast.AST, ast.AST]) -> bool:
    if not re.search("[A-Za-z]{2,}", text) or NOT_WORDS.search(text):
        return False
    shown = bool(PHRASE.search(text))
    if isinstance(parents.get(node), ast.JoinedStr):
        node = parents[node]
    above: ast.AST = node
    while above in parents:
        below, above = above, parents[above]
        if isinstance(above, ast.Raise | ast.Assert) or (
            isinstance(above, ast.Expr) and not isinstance(below, ast.Call)
        ):
            return False  # errors are told elsewhere; a sentence alone describes an attribute
        if isinstance(above, ast.Call):
            called = ast.unparse(above.func)
            if called in THROUGH or UNSEEN.search(called) or NAMING.search(called):
                return False
            # A key, a value or a level may follow the text; a tab's page stands before it.
            at = 1 if called.endswith(("addTab", "insertTab")) else 0
            shown |= below is node and below in above.args[at : at + 1] and shows(called)
    return shown


def shows(called: str) -> bool:
    return bool(SHOWING.search(called))


@pytest.mark.long
def test_every_visible_text_goes_through_tr() -> None:
    missed = [
        f"{path.relative_to(GUI)}:{line}: {text!r}"
        for path in sorted(GUI.rglob("*.py"))
        for line, text in _missed(ast.parse(path.read_text("utf-8")))
        if (path.name, text) not in ALLOWED
    ]
    assert missed == []


ALLOWED = {
    ("changesgrid.py", "teams compared"),  # names of figures, by which they are told apart
    ("changesgrid.py", "missed by"),
    ("planside.py", "x missed by"),
    ("outlineedits.py", "an edge"),  # a part of an edit's name
    ("proposals.py", "Derive a line from words"),  # names of edits
    ("proposals.py", "Derive lines from words"),
    ("mainwindow.py", "MADCAT Studio"),
    ("welcome.py", "MADCAT Studio"),
    ("readinglabel.py", "margin: 0; white-space: pre-wrap"),
}


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("label.setText('Done')", ["Done"]),
        ("label.setText(tr('Done'))", []),
        ("label.setText(f'{n} words')", [" words"]),
        ("QLabel('Done', self)", ["Done"]),
        ("self.tabs.addTab(page, tr('Done'))", []),
        ("what = 'the whole page'", ["the whole page"]),
        ("raise InputError('a.b', 'the whole page')", []),
        ("commands['page.undo'].trigger()", []),
    ],
)
def test_a_text_without_tr_is_found(code: str, wanted: list[str]) -> None:
    assert [text for _line, text in _missed(ast.parse(code))] == wanted


# -- counts ---------------------------------------------------------------------------------------

# The type of tr already refuses numbers; this finds those that were made into texts before.
COUNTED = re.compile(
    r"\{\w+\} (?:[a-z-]+ )?(?!is\b|was\b|has\b|its\b|as\b|this\b)[a-z]{2,}s\b|\(s\)"
)
NOT_COUNTED = {
    "{token} stays with the right-hand (or upper) part",
    "{token} stays with the left-hand (or lower) part",
    "{who} holds kit {kit}. What is saved stays; another editor of the team can continue. Why "
    "do you release it?",
    "Team {team} counts: {told}",
    "Click where {what} begins; arrow keys and Space do the same",
    "The image is {width} × {height} pixels, the file says {page_width} × {page_height}. "
    "The outlines are shown where the file puts them.",
    "from here move {number} took its words",
    "Look {number} begins",
    "{documents}, {segments}, {words}, {images} with images",
    "Press the key {key} to go to the next word. The key {back} goes back.",
    "{key} confirms the segment and shows the next one.",
    "Here are all segments. When all are confirmed, {key} hands the kit over. {manual} explains "
    "this view.",
    "{next} goes to the next place that looks wrong, {mend} mends it. {manual} explains this "
    "view; {find} finds any action.",
    "Kits, people and guidelines. Propose makes kits and gives them to teams; nothing is written "
    "until you accept the plan. {manual} explains more.",
}


def test_what_is_counted_has_plural_forms() -> None:
    found = found_texts(GUI)
    counted = {text for text in found if found[text].one is None and COUNTED.search(text)}
    assert counted - NOT_COUNTED == set()
    assert len([text for text in found.values() if text.one is not None]) > 30


@pytest.mark.long
def test_both_forms_of_a_count_take_the_same_values() -> None:
    for text in found_texts(GUI).values():
        if text.one is not None:
            of_one, of_many = (
                set(re.findall(r"\{(\w+)\}", form)) - {"count"} for form in (text.one, text.source)
            )
            assert of_one == of_many, text


@pytest.mark.parametrize(
    ("count", "wanted"),
    [(0, "0 edits"), (1, "1 edit"), (2, "2 edits"), (1.0, "1 edit"), (1.5, "1.5 edits")],
)
def test_english_counts_by_two_forms(count: float, wanted: str) -> None:
    assert tr_count("{count} edit", "{count} edits", count) == wanted


def test_large_numbers_are_written_out() -> None:
    assert (tr_number(1_234_567), tr_number(2_000_000.0)) == ("1,234,567", "2,000,000")


# -- extraction, compiling, loading ---------------------------------------------------------------


@pytest.fixture(scope="module")
def arabic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All texts, translated as «text» or, counted, as «text|form», compiled for Arabic."""
    folder = tmp_path_factory.mktemp("translations")
    (file,) = update(["ar"], folder, told_elsewhere() | found_texts())
    tree = ElementTree.parse(file)
    for message in tree.iter("message"):
        source, translation = message.findtext("source"), message.find("translation")
        assert translation is not None
        del translation.attrib["type"]
        forms = translation.findall("numerusform")
        for number, form in enumerate(forms):
            form.text = f"«{source}|{number}»"
        if not forms:
            translation.text = f"«{source}»"
    tree.write(file, encoding="utf-8", xml_declaration=True)
    compile_translations([file])
    return folder


@pytest.fixture
def in_arabic(arabic: Path, qapp: QCoreApplication) -> Iterator[None]:
    before = set(qapp.findChildren(QTranslator))
    assert install(qapp, QLocale("ar_EG"), arabic)
    yield
    for translator in set(qapp.findChildren(QTranslator)) - before:
        qapp.removeTranslator(translator)
        translator.deleteLater()


def test_a_filled_translation_shows_its_texts(in_arabic: None) -> None:
    assert tr("&Undo: {what}", what="x") == "«&Undo: x»"
    forms = [tr_count("{count} word", "{count} words", n) for n in (0, 1, 2, 3, 11, 100)]
    assert forms == [
        "«0 words|0»",
        "«1 words|1»",
        "«2 words|2»",
        "«3 words|3»",
        "«11 words|4»",
        "«100 words|5»",
    ]


@pytest.mark.long
def test_every_declared_text_is_translated(
    in_arabic: None, make_window: Callable[[], QWidget]
) -> None:
    window = make_window()
    declared = [action.title for action in window.commands.declared()]
    declared += [action.hint for action in window.commands.declared() if action.hint]
    declared += [view.title for view in VIEWS]
    declared += [text for one in SETTINGS for text in (one.title, one.help) if text]
    assert len(declared) > 250
    assert [text for text in declared if tr(text) != f"«{text}»"] == []


def test_the_window_opens_translated(in_arabic: None, make_window: Callable[[], QWidget]) -> None:
    menus = [action.text() for action in make_window().menuBar().actions()]
    assert menus
    assert all(text.startswith("«") and text.endswith("»") for text in menus)


def test_a_translation_that_does_not_fit_costs_its_own_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        "madcat_studio.gui.translation._translated", lambda text, _count=-1: "{nom} {0} {"
    )
    assert tr("{name} is saved.", name="a.xml") == "a.xml is saved."
    assert "does not fit" in caplog.text


def test_without_a_translation_it_stays_english(qapp: QCoreApplication, tmp_path: Path) -> None:
    assert not install(qapp, QLocale("fr_FR"), tmp_path)


@pytest.mark.long
def test_what_was_translated_stays_when_texts_are_collected_again(
    arabic: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "madcat_studio_ar.ts"
    file.write_bytes((arabic / file.name).read_bytes())
    assert main(["--folder", str(tmp_path), "fr"]) == 0
    assert f"{file}: 0 to translate" in capsys.readouterr().out
    assert (tmp_path / "madcat_studio_fr.qm").is_file()

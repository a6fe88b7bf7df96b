"""Sentences of rooms without a window are known again, and said in the window's language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.errors import InputError, StudioError, WorldError
from madcat_studio.gui import translation
from madcat_studio.gui.corpus.panes import told_quota
from madcat_studio.gui.errorwords import tr_error, tr_failure
from madcat_studio.gui.failures import as_message
from madcat_studio.gui.sentences import Counted, Fit, counted, fitting, values_of
from madcat_studio.gui.translation import tr_report
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.planning.quotas import quotas_table
from madcat_studio.planning.quotas import Factor, Quota, Standing
from madcat_studio.reports.verdict import Duel
from madcat_studio.scoring.resampling import Interval
from scripts.sentences import ANYWHERE, COUNT, sentences, unread
from scripts.texts import told_elsewhere

_VALUE = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")


def filled(form: str) -> tuple[str, dict[str, str]]:
    values = {name: f"‹{name}›" for name in _VALUE.findall(form)}
    return form.format(**values), values


def test_every_sentence_gives_back_the_values_that_were_put_in() -> None:
    forms = [text.source for text in told_elsewhere().values() if text.one is None]
    assert len(forms) > 1600
    wrong, side_by_side = [], 0
    for form in forms:
        sentence, values = filled(form)
        found = values_of(form, sentence)
        if "}{" in form:  # where one ends and the next begins is not to be known
            side_by_side += 1
            assert found is not None
            assert form.format(**found) == sentence
        elif found != values:
            wrong.append((form, found))
    assert wrong == []
    assert side_by_side < 60


def test_a_sentence_is_known_by_its_most_exact_form() -> None:
    for text in list(told_elsewhere().values())[::9]:
        code = text.places[0]
        sentence, values = filled(text.source)
        if text.one is None and "}{" not in text.source:
            best = fitting(sentence, code)[0]
            assert best.form.format(**best.values) == sentence
            assert Fit(text.source, values) in fitting(sentence, code)


@pytest.mark.parametrize(
    ("form", "sentence", "values"),
    [
        ("there is no {what}", "there is no page", {"what": "page"}),
        ("there is no {what}", "There is no page", None),
        ("there is no {what}", "there is no page: {x}\nat all", {"what": "page: {x}\nat all"}),
        ("{one} and {one}", "a and a", {"one": "a"}),
        ("{one} and {one}", "a and b", None),
        ("{{count}} is {n}", "{count} is 3", {"n": "3"}),
        ("a.b (c)?", "a.b (c)?", {}),
        ("a.b", "axb", None),
    ],
)  # fmt: skip
def test_values_are_taken_out(form: str, sentence: str, values: dict[str, str] | None) -> None:
    assert values_of(form, sentence) == values


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("3 documents", Counted("{count} document", "{count} documents", 3)),
        ("1 document", Counted("{count} document", "{count} documents", 1)),
        ("1,200 passes", Counted("{count} pass", "{count} passes", 1200)),
        ("3 wishes", None),
        ("documents", None),
    ],
)
def test_a_number_with_its_noun_is_known(value: str, wanted: Counted | None) -> None:
    assert counted(value) == wanted


# -- in the window's language ---------------------------------------------------------------------


def _missing(tmp_path: Path) -> StudioError:
    with pytest.raises(StudioError) as refused:
        open_document(tmp_path / "none.madcat.xml")
    return refused.value


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "There is no such file. Check the name and the folder."),
        ("fr", "Ce fichier n'existe pas. Vérifiez le nom et le dossier."),
        ("es", "No existe ese archivo. Compruebe el nombre y la carpeta."),
        ("ar", "لا يوجد ملف بهذا الاسم. تحقق من الاسم والمجلد."),
    ],
)
def test_an_error_is_said_in_the_language(
    spoken: Callable[[str], None], language: str, wanted: str, tmp_path: Path
) -> None:
    spoken(language)
    error = _missing(tmp_path)
    message = as_message(error)
    assert (message.text, message.code) == (wanted, "file.not-found")
    assert message.detail == f"{tmp_path / 'none.madcat.xml'}\nfile.not-found"
    after = wanted[:1].lower() + wanted[1:]  # its place stands before it
    assert tr_failure(error) == f"{tmp_path / 'none.madcat.xml'}: {after} [file.not-found]"
    assert str(error).startswith(f"{tmp_path}"), "what is raised stays English"
    assert "There is no such file" not in str(error)


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_an_error_that_nobody_knows_stays_english(
    spoken: Callable[[str], None], language: str
) -> None:
    spoken(language)
    planted = InputError("planted.code", "the {braces} of %s \\1 stay", remedy="Leave (it] {0}")
    assert tr_error(planted) == ("the {braces} of %s \\1 stay", "Leave (it] {0}")
    assert as_message(planted).text == "The {braces} of %s \\1 stay. Leave (it] {0}."
    assert tr_failure(ValueError("a fault")) == "a fault"
    assert tr_report("") == ""


def test_a_reason_of_many_lines_is_one_sentence() -> None:
    error = WorldError("planted.code", "the server\n  said:  no")
    assert as_message(error).text == "The server said: no."


def test_values_are_said_with_the_sentence(
    spoken: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count as the language counts, a sentence in a sentence, and a name as it is."""
    spoken("fr")
    drafts = {
        "{documents} imported": "pris : {documents}",
        "{count} documents": "{count} pièces",
        "kits without two teams: {bare}": "sans : {bare}",
    }
    monkeypatch.setattr(translation, "_translated", lambda text, count=-1: drafts.get(text, text))
    assert tr_report("3 documents imported") == "pris : 3 pièces"
    assert tr_report("some imported") == "pris : some"
    assert tr_report("kits without two teams: 3 documents imported") == "sans : pris : 3 pièces"


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (
            "fr",
            "maple et willow ne peuvent pas être distingués : 1,2 points de HTER "
            "[\u22120,4 ; 2,8], p = 0,140 après Holm, sur 6 documents sources ; il faudrait "
            "environ 45 documents de plus. (Sur 6 documents sources, un intervalle à 95 % contient "
            "la vraie valeur dans environ {often} cas sur 100.)",
        ),
        (
            "es",
            "maple y willow no se pueden distinguir: 1,2 puntos de HTER [\u22120,4; 2,8], p = "
            "0,140 tras Holm, en 6 documentos de origen; harían falta unos 45 documentos más. (En "
            "6 documentos de origen un intervalo al 95 % contiene el valor verdadero en unos "
            "{often} de 100 casos.)",
        ),
    ],
)
def test_the_verdict_is_said_in_the_language(
    spoken: Callable[[str], None], language: str, wanted: str
) -> None:
    spoken(language)
    duel = Duel("maple", "willow", 6, Interval(0.012, -0.004, 0.028), 0.14, more=43)
    told = tr_report(duel.sentence).replace("\u00a0", " ")
    often = re.findall(r"about (\d+) of 100", duel.sentence)[0]
    assert told == wanted.format(often=often)
    assert tr_report(Duel("maple", "willow", 1).sentence) != Duel("maple", "willow", 1).sentence
    better = Duel("maple", "willow", 400, Interval(0.012, 0.004, 0.028), 0.001)
    assert "willow" in tr_report(better.sentence)
    assert tr_report(better.sentence) != better.sentence


@pytest.mark.parametrize(
    ("english", "wanted"),
    [
        (
            "maple (evaluation): 22 of 69 segments with the final text of one team only",
            "maple (evaluación): 22 de 69 segmentos con el texto final de un solo equipo",
        ),
        (
            "maple (evaluation): 2 of 9 segments with the final text of one team only; "
            "1 of 9 segments without a final text, not in the sums",
            "maple (evaluación): 2 de 9 segmentos con el texto final de un solo equipo; "
            "1 de 9 segmentos sin texto final, fuera de las sumas",
        ),
        (
            "maple is worst in genre newswire (20.0 %; elsewhere 9.5 %), "
            "length 1–9 words (31.0 %; elsewhere 8.0 %)",
            "maple es peor en género newswire (20,0 %; en lo demás 9,5 %), "
            "longitud 1–9 palabras (31,0 %; en lo demás 8,0 %)",
        ),
        (
            "nothing stands out by genre, scribe or length",
            "nada destaca por género, escriba o longitud",
        ),
        ("by north, south or west", "by north, south or west"),
        ("add 4 passages of newswire", "añada 4 pasajes de newswire"),
        ("implement", "instrumento de escritura"),
        ("Move a word", "Mover (palabra)"),
        ("Move an edge of a line", "Mover un borde de un contorno (línea)"),
        ("Move 3 outlines", "Mover 3 contornos"),
        ("Simplify a line", "Simplificar un contorno (línea)"),
    ],
)
def test_words_within_sentences_are_said_in_the_language(
    spoken: Callable[[str], None], english: str, wanted: str
) -> None:
    spoken("es")
    assert tr_report(english) == wanted


def test_a_quota_is_told_in_the_language(spoken: Callable[[str], None]) -> None:
    standing = Standing(Quota(DataSet.TRAINING, Factor.PASSAGES, "newswire", 9), 9, 5, 4)
    [row] = quotas_table([("", standing)]).rows
    spoken("fr")
    told = told_quota(row[2:])
    assert told[0] == "passages"
    assert told[-1] == "ajoutez 4 passages de newswire"
    spoken("es")
    assert told_quota(row[2:])[0] == "pasajes"
    assert told_quota(row[2:])[1:-1] == row[3:-1], "names and figures stay"


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "22 of 69 segments without a final text, not in the sums"),
        ("fr", "22 sur 69 segments sans texte final, hors des sommes"),
        ("ar", "٢٢ من ٦٩ مقطعًا بلا نص نهائي، وليست في المجاميع"),
    ],
)
def test_all_numbers_of_a_sentence_are_written_in_one_way(
    spoken: Callable[[str], None], language: str, wanted: str
) -> None:
    spoken(language)
    told = tr_report("maple (control): 22 of 69 segments without a final text, not in the sums")
    assert re.sub("[\u2068\u2069\u200f]", "", told).partition(": ")[2] == wanted


NAMED_ELSEWHERE = {
    "alignments.py: word",  # tables and columns of other kinds
    "columns.py: last_shift[word]",
    "columns.py: outputs[word]",
    "tables.py: tuple((name for name in names if name in wanted))",
    "cards.py: _text(one['note'])",  # as the file of a result says
    "cards.py: _text(one['title'])",
    "cards.py: _text(value['note'])",
    "cards.py: _text(value['title'])",
    "cards_imtbench.py: part.replace('s_', 'S ')",  # names of figures
    "cards_imtbench.py: part.replace('s_', 'S ').strip()",
    "cards_ltb_comet.py: name",
    "significance.py: metric",
    "charts.py: note",  # where they are made they are read
    "charts.py: title",
    "corpus_report.py: plan.sentences()[1]",
    "effort.py: note",
    "evaluation.py: way.title",
}


@pytest.mark.long
def test_what_reports_call_their_tables_and_drawings_can_be_translated() -> None:
    """A title or a note that is put together is read all the same, or it would stay English."""
    assert set(unread()) == NAMED_ELSEWHERE


# -- found in the code ----------------------------------------------------------------------------


def test_sentences_are_found_in_every_shape(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "kit.py").write_text(
        "class KitError(StudioError): ...\n"
        "_ASK = 'Ask {whom}'\n"
        "def one(path, kits, n):\n"
        "    noun = 'kit' if n == 1 else 'kits'\n"
        "    raise KitError('kit.taken', f'{path.name} has {n} {noun}', remedy=_ASK)\n"
        "def two(kits):\n"
        "    raise KitError('kit.gone', f'{len(kits)} gone of {kits}: {kits!r}')\n"
        "def three(why, *, then):\n"
        "    raise KitError('kit.no', why, remedy=then)\n"
        "three('it is locked', then='Unlock' + ' it')\n"
        "three(f'{unknown}', then='')\n"
        "def four(a):\n"
        "    raise KitError('kit.odd', ('open' if a else f'{a}') + ' it' + ', too' * bool(a))\n"
        "raise KitError(error.code, 'passed on')\n"
        "raise ValueError('not.ours', 'a fault')\n"
    )
    (tmp_path / "told.py").write_text("def told(n):\n    return f\"{counted(n, 'kit')} free\"\n")
    found = {(one.code, one.text, one.one) for one in sentences(tmp_path)}
    assert found == {
        ("kit.taken", "{name} has {n} kit", ""),
        ("kit.taken", "{name} has {n} kits", ""),
        ("kit.taken", "Ask {{whom}}", ""),
        ("kit.gone", "{kits_count} gone of {kits}: {kits}", ""),
        ("kit.no", "it is locked", ""),
        ("kit.no", "Unlock it", ""),
        ("kit.odd", "open it", ""),
        ("kit.odd", "open it, too", ""),
        ("kit.odd", "{a} it", ""),
        ("kit.odd", "{a} it, too", ""),
        (ANYWHERE, "passed on", ""),
        (ANYWHERE, "{kits} free", ""),
        (COUNT, "{count} kits", "{count} kit"),
    }

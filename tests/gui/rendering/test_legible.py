"""Rendered pages are legible and right: Tesseract reads the text back from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from rapidfuzz.distance import Levenshtein

from madcat_studio.gui.rendering.alone import fit_alone
from madcat_studio.model.document import Document, Line, Page, Section, Segment
from madcat_studio.operations.pages.rendering import RenderOptions, render_page, save_picture
from madcat_studio.operations.scorecards.recognising import LANGUAGES, Recogniser
from tests.soak.needs import need

ENGLISH = (
    "The old library stood at the end of a quiet street where few people walked after dark. Every "
    "morning the keeper opened the tall doors, lit the lamps and put the books of the day before "
    "back on their shelves. He knew each of them by its colour, and most by the small marks that "
    "readers had left at the edges of their pages. In winter the rooms were cold, and those who "
    "came sat close to the stove with their coats on. In summer they took their chairs out to the "
    "garden behind the house, where a fig tree gave shade until late in the afternoon. One day a "
    "young woman asked for a book that nobody had wanted for thirty years. The keeper climbed his "
    "ladder, looked along the highest shelf and came down without it. He searched the cellar, the "
    "cases by the window and the drawers of his own table, and at last he found it under the bell "
    "that he rang every evening. It had kept the bell from shaking all that time. She thanked "
    "him, sat down beside the stove and read until the lamps were put out. The next morning she "
    "came again, and the bell rang with another sound."
)
FRENCH = (
    "La vieille bibliothèque se trouvait au bout d'une rue tranquille où peu de gens passaient la "
    "nuit. Chaque matin le gardien ouvrait les hautes portes, allumait les lampes et remettait "
    "sur les rayons les livres de la veille. Il connaissait chacun par sa couleur, et la plupart "
    "par les petites marques que les lecteurs avaient laissées au bord des pages. En hiver les "
    "salles étaient froides, et ceux qui venaient s'asseyaient près du poêle avec leur manteau. "
    "En été ils portaient leur chaise dans le jardin derrière la maison, où un figuier donnait de "
    "l'ombre jusque tard dans la journée. Un jour une jeune femme demanda un livre que personne "
    "ne voulait depuis trente ans. Le gardien monta sur son échelle, regarda le plus haut rayon "
    "et descendit sans rien. Il chercha dans la cave, près de la fenêtre et dans les tiroirs de "
    "sa propre table, et le trouva enfin sous la cloche qu'il sonnait chaque soir. Le livre "
    "l'avait empêchée de trembler tout ce temps. Elle le remercia, prit place à côté du poêle et "
    "lut jusqu'à ce que les lampes fussent éteintes. Le lendemain matin elle revint, et la cloche "
    "avait un autre son. Le gardien sourit, ferma la porte et remit le vieux livre à sa place sur "
    "le plus haut rayon."
)
ARABIC = (
    "كانت المكتبة القديمة في آخر شارع هادئ لا يمر به إلا القليل من الناس بعد الغروب. وفي كل صباح "
    "كان الحارس يفتح الأبواب العالية ويضيء المصابيح ويعيد كتب الأمس إلى رفوفها. كان يعرف كل كتاب "
    "من لونه، ويعرف أكثرها من العلامات الصغيرة التي تركها القراء على حواف الصفحات. وفي الشتاء "
    "كانت الغرف باردة، فيجلس الزوار قرب الموقد وهم يلبسون معاطفهم. أما في الصيف فكانوا يحملون "
    "الكراسي إلى الحديقة خلف البيت، حيث كانت شجرة التين تعطي ظلا حتى آخر النهار. وفي يوم من "
    "الأيام طلبت شابة كتابا لم يطلبه أحد منذ ثلاثين سنة. صعد الحارس على السلم ونظر في أعلى الرفوف "
    "ثم نزل ولم يجد شيئا. بحث في القبو وقرب النافذة وفي أدراج مكتبه، ووجده أخيرا تحت الجرس الذي "
    "كان يدقه كل مساء. كان الكتاب يمنع الجرس من الاهتزاز طوال ذلك الوقت. شكرته الشابة وجلست بجانب "
    "الموقد وقرأت حتى أطفئت المصابيح. وفي الصباح التالي عادت مرة أخرى، وكان للجرس صوت آخر. ابتسم "
    "الحارس وأغلق الباب وأعاد الكتاب القديم إلى مكانه في أعلى رف من رفوف المكتبة. ومنذ ذلك اليوم "
    "صار الناس يأتون إلى المكتبة في كل مساء ليسمعوا صوت الجرس الجديد، ثم يجلسون قليلا ويقرأون بعض "
    "الصفحات قبل أن يعودوا إلى بيوتهم. وكانت الشابة تأتي معهم كل يوم وتحكي للأطفال قصصا من الكتب "
    "القديمة، فصار الشارع الهادئ مليئا بالحياة والضحك. وقال الحارس لأصدقائه إن الكتاب كان ينتظر "
    "قارئا واحدا فقط، وإن كل كتاب في العالم ينتظر قارئه كما ينتظر المسافر من يستقبله عند الباب."
)


@pytest.mark.soak
@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("fr", FRENCH), ("ar", ARABIC)])
def test_a_rendered_page_is_read_back(
    language: str, text: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    need("tesseract")
    assert len(text.split()) >= 200
    reader = Recogniser(language)
    assert reader.language == LANGUAGES[language]
    width, height, dpi = 2480, 3508, 300
    lines = [
        Line(f"z{n}", polygon=((200, y), (2280, y), (2280, y + 66), (200, y + 66)))
        for n, y in enumerate(range(250, 250 + 26 * 110, 110))
    ]
    segment = Segment("s1", [line.id or "" for line in lines], translation=text)
    page = Page("p1", width, height, dpi, lines=lines)
    document = Document("clean", pages=[page], sections=[Section("s", segments=[segment])])
    paper = Image.new("L", (width, height), 255)
    made = render_page(document, 0, paper, fit_alone(), RenderOptions())
    assert made.is_whole
    save_picture(made, tmp_path / "page.png")
    read = " ".join(reader.read(tmp_path / "page.png", block=True).split())
    rate = Levenshtein.distance(read, text) / len(text)
    record_property("characters read wrongly, in per cent", round(100 * rate, 2))
    assert rate <= 0.02, read

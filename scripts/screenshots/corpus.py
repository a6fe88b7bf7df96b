"""The pictures of a corpus that is planned: quotas, scribes, overlap, passages chosen."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.corpus.view import CorpusView
    from scripts.screenshots.studio import Studio

__all__ = ["choose", "overlap", "page", "quotas", "scribes"]


def _tables(folder: Path) -> None:
    """Candidates for the plan's evaluation set, its 24 scribes, and the pilot's TER."""
    chance = random.Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    columns = ("passage", "source_document", "genre", "tokens", "edits", "words", "text")
    for name, count, prefix in (("candidates", 230, "E"), ("pilot", 60, "P")):
        rows = ["\t".join(columns)]
        for number in range(count):
            genre = ("newswire", "web")[number % 2]
            tokens = round(chance.gauss(125, 9))
            words = round(1.3 * tokens)
            edits = round(words * min(0.9, max(0.1, chance.gauss(0.4, 0.12))))
            passage = f"{prefix}{number + 1:03}"
            row = (
                passage,
                f"ARB_20480{number % 9 + 1}.{prefix}{number:03}",
                genre,
                tokens,
                edits,
                words,
            )
            rows.append("\t".join([*map(str, row), f"كتب الولد الدرس {prefix}{number}"]))
        (folder / f"{name}.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    people = [f"SCR{n:04}\t{'exposed' if n % 2 else 'unexposed'}" for n in range(1, 25)]
    (folder / "scribes.tsv").write_text("\n".join(["scribe\texposure", *people]) + "\n", "utf-8")


def _corpus(studio: Studio) -> CorpusView:
    """An evaluation set that is assigned; most of its copies have come in."""
    from madcat_studio.gui.corpus.orderdialog import OrderWish
    from madcat_studio.gui.corpus.view import CorpusView
    from madcat_studio.operations.planning.choosing import choose_passages, write_chosen
    from madcat_studio.operations.planning.corpus import read_planned

    folder = studio.home / "evaluation set"
    studio.window.show_view("corpus")
    view = studio.window.view("corpus")
    assert isinstance(view, CorpusView)
    if not view.is_planned:
        _tables(folder)
        chosen = choose_passages(folder / "candidates.tsv", count=76, per_genre=True)
        write_chosen(chosen, folder)
        tables = folder / "passages.tsv", folder / "scribes.tsv"
        view.make(OrderWish(*tables, None, None, "evaluation", "go-no-go", None, 1))
        studio.wait(lambda: view.is_open)
        view.assign()
        studio.wait(lambda: view.is_planned)
        view.save_into(folder)
        studio.wait(lambda: not view.job.busy)
        scans = studio.home / "scans"
        scans.mkdir()
        plan = read_planned(folder)
        for number, one in enumerate(plan.manuscripts):
            if number % 17:
                (scans / f"{one.base}.tif").touch()
        view.copying.look_into(scans)
        studio.wait(lambda: view.copying.arrivals is not None and not view.job.busy)
    return view


def quotas(studio: Studio) -> None:
    """Quotas with what is missing, and what would do."""
    view = _corpus(studio)
    view.tabs.setCurrentWidget(view.quotas)


def page(studio: Studio) -> Path:
    """The plan of a corpus as a page, as a browser shows it."""
    from madcat_studio.operations.planning.corpus import read_planned
    from madcat_studio.operations.planning.corpus_report import corpus_page

    view = _corpus(studio)
    folder = studio.home / "corpus page"
    folder.mkdir(exist_ok=True)
    plan = read_planned(studio.home / "evaluation set")
    files = corpus_page(plan, view.copying.arrivals, folder)
    return next(one for one in files if one.suffix == ".html")


def scribes(studio: Studio) -> None:
    """What each scribe copies, and what is still to come."""
    view = _corpus(studio)
    view.tabs.setCurrentWidget(view.scribes)


def overlap(studio: Studio) -> None:
    """How many passages each pair of scribes shares."""
    view = _corpus(studio)
    view.tabs.setCurrentWidget(view.overlap)


def choose(studio: Studio) -> QWidget:
    """Passages chosen by length and by the pilot's TER."""
    from madcat_studio.gui.corpus.choosedialog import ChooseDialog

    view = _corpus(studio)
    folder = studio.home / "evaluation set"
    dialog = ChooseDialog(studio.window, view)
    dialog.candidates.field.setText(str(folder / "candidates.tsv"))
    dialog.scores.field.setText(str(folder / "pilot.tsv"))
    dialog.earlier.add([str(folder / "pilot.tsv")])
    dialog.count.setValue(60)
    dialog.within.setValue(15)
    dialog.start()
    studio.wait(lambda: dialog.chosen is not None, 60)
    for field in (dialog.candidates.field, dialog.scores.field):
        field.setText(field.text().replace(str(studio.home), "~"))
    item = dialog.earlier.list.item(0)
    assert item is not None
    item.setText(item.text().replace(str(studio.home), "~"))
    return dialog

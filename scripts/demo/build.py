"""Writes the whole demo campaign into a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.tables import write_table
from madcat_studio.model.document import Document
from scripts.demo.defective import spoil
from scripts.demo.earlier import SYSTEM as EARLIER_SYSTEM
from scripts.demo.earlier import earlier_pages
from scripts.demo.further import (
    FURTHER_KITS,
    further_assignments,
    further_pages,
    newer_output,
    plain_document,
)
from scripts.demo.outputs import line_output, text_output, word_output
from scripts.demo.plan import (
    ASSIGNMENTS,
    KITS,
    SCRIBE_ERRORS,
    SYSTEMS,
    TEAMS,
    Manuscript,
    manuscripts,
)
from scripts.demo.progress_of_kits import EDITS_COLUMNS, edit_rows
from scripts.demo.special import (
    bleeding_page,
    second_segmentation,
    twice_segmented_page,
    unmarked_page,
)
from scripts.demo.written import Copy, save_scan, write_copy

__all__ = ["build", "build_earlier", "build_further", "build_tables", "save_copy"]

_OUTPUTS: dict[str, Callable[[Document, Manuscript, str], Document]] = {
    "linesys": line_output,
    "wordsys": word_output,
    "transys": text_output,
}

_CORPUS = "base source_document passage manuscript page scribe exposure set track"


def build(folder: Path, say: Callable[[str], None]) -> None:
    """Make every file of the demo campaign in ``folder``; ``say`` hears of each step."""
    build_tables(folder)
    build_earlier(folder / "earlier")
    build_further(folder / "further")
    lines: list[Document] = []
    for copy in manuscripts():
        say(copy.base)
        written = _written(copy)
        lines.append(line_output(written.document, copy, SYSTEMS[0]))
        save_copy(written, folder / "reference")
        for system in SYSTEMS:
            for kind, output in _OUTPUTS.items():
                target = folder / "systems" / f"{system}_1" / f"{copy.base}.{kind}.madcat.xml"
                _save(target, new_bytes(output(written.document, copy, system)))
    for document in spoil(lines):
        target = folder / "defective" / f"{SYSTEMS[0]}_2" / f"{document.id}.linesys.madcat.xml"
        _save(target, new_bytes(document))
    for special in (unmarked_page(), bleeding_page(), twice_segmented_page()):
        say(str(special.document.id))
        save_copy(special, folder / "pages")
    second = Copy(second_segmentation(special.document), special.scans)
    save_copy(second, folder / "pages" / "second")


def _written(copy: Manuscript) -> Copy:
    return write_copy(
        base=copy.base,
        genre=copy.passage.genre,
        scribe=copy.scribe,
        segments=[(text.tokens, text.reference) for text in copy.passage.segments],
        errors=copy.errors,
        scale=copy.scale,
        lines_on_first_page=copy.lines_on_first_page,
    )


def save_copy(written: Copy, folder: Path) -> None:
    """Write a copy's MADCAT file and scan into ``folder``."""
    base = written.document.id
    _save(folder / f"{base}.madcat.xml", new_bytes(written.document))
    save_scan(written.scans, folder / f"{base}.tif")


def build_tables(folder: Path) -> None:
    """Make the campaign's tables in ``folder``."""
    copies = manuscripts()
    _table(
        folder / "corpus.tsv",
        _CORPUS,
        (copy.corpus_row("evaluation", "go-no-go") for copy in copies),
    )
    _table(
        folder / "teams.tsv",
        "team editor name",
        ((team, *editor) for team, editors in TEAMS.items() for editor in editors),
    )
    _table(
        folder / "kits.tsv",
        "kit system base",
        ((kit.name, kit.system, copy.base) for kit in KITS for copy in kit.manuscripts),
    )
    _table(
        folder / "assignments.tsv",
        "kit team first reviewer",
        ((a.kit, a.team, a.first, a.reviewer) for a in ASSIGNMENTS),
    )
    _table(folder / "edits.tsv", " ".join(EDITS_COLUMNS), edit_rows())
    by_place = {(copy.passage.key, copy.scribe): copy for copy in copies}
    _headless(
        folder / "scribe_errors.standoff.tsv",
        (
            (
                by_place[e.passage, e.scribe].base,
                f"s{e.segment}",
                # An extra word is a token of its own, after the one that it repeats.
                f"s{e.segment}-{e.token + (e.error == 'extra')}",
                e.error,
                e.written,
                e.intended,
            )
            for e in SCRIBE_ERRORS
        ),
    )
    _headless(
        folder / "writing_conditions.tab",
        ((copy.base, copy.scribe, "1", copy.conditions) for copy in copies),
    )


def build_earlier(folder: Path) -> None:
    """Make the earlier phase's files in ``folder``."""
    pages = list(earlier_pages())
    for page in pages:
        base = page.copy.base
        _save(folder / "reference" / f"{base}.madcat.xml", new_bytes(page.document()))
        target = folder / "systems" / f"{EARLIER_SYSTEM}_1" / f"{base}.linesys.madcat.xml"
        _save(target, new_bytes(page.old_output()))
    _table(folder / "corpus.tsv", _CORPUS, (page.corpus_row() for page in pages))
    _table(
        folder / "finals.tsv",
        "system segment team first reviewer first_text final_text",
        (
            (EARLIER_SYSTEM, f"{page.copy.base}/s1", *texts)
            for page in pages
            for texts in page.texts
        ),
    )
    _table(
        folder / "hter.tsv",
        "system base passage genre edits words hter",
        (page.hter_row() for page in pages),
    )
    _headless(folder / "sequestered.txt", ((p.copy.passage.name,) for p in pages if p.sequestered))


def build_further(folder: Path) -> None:
    """Make what belongs to the second track, to practice and to progress in ``folder``."""
    pages = further_pages()
    for page in pages:
        base = page.copy.base
        _save(folder / "reference" / f"{base}.madcat.xml", new_bytes(plain_document(page.copy)))
        for system in SYSTEMS:
            target = folder / "systems" / f"{system}_1" / f"{base}.linesys.madcat.xml"
            _save(target, new_bytes(page.output(system)))
    for old in earlier_pages():
        for system in SYSTEMS if old.sequestered else ():
            target = folder / "systems" / f"{system}_1" / f"{old.copy.base}.linesys.madcat.xml"
            _save(target, new_bytes(newer_output(old, system)))
    _table(folder / "corpus.tsv", _CORPUS, (page.corpus_row() for page in pages))
    _headless(
        folder / "writing_conditions.tab",
        ((page.copy.base, page.copy.scribe, "1", page.conditions) for page in pages),
    )
    _table(
        folder / "kits.tsv",
        "kit system base",
        ((kit.name, *item) for kit in FURTHER_KITS for item in kit.items),
    )
    _table(folder / "assignments.tsv", "kit team first reviewer", further_assignments())


def _table(path: Path, columns: str, rows: Iterable[Sequence[str]]) -> None:
    _save(path, write_table(columns.split(), rows))


def _headless(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """A table without the row of column names."""
    _save(path, "".join("\t".join(row) + "\n" for row in rows).encode())


def _save(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(data)
    beside.replace(path)

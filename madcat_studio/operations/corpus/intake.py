"""From files to a campaign's values: corpus table, reference documents, system outputs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats import madcat
from madcat_studio.formats.tables import Row, Table, read_plain_rows, read_table
from madcat_studio.model.campaign import CampaignDocument, CampaignSegment, DataSet, ScribeError
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.outlines import segment_lines, segment_names, spell_lines
from madcat_studio.operations.checked import Checking
from madcat_studio.operations.corpus.from_names import (
    CORPUS_COLUMNS,
    REFERENCE_SUFFIX,
    reference_files,
)

__all__ = [
    "Intake",
    "campaign_segments",
    "check_row",
    "mostly_arabic",
    "output_texts",
    "read_conditions",
    "read_corpus",
    "read_standoff",
    "segment_pages",
    "tidy",
    "track_name",
]

_SEEN = (DataSet.TRAINING, DataSet.DEVELOPMENT)
"""Sets whose pages systems may have learned from."""

_CONDITIONS = re.compile(r"[IP][UL][NFC]\Z")


@dataclass(frozen=True, slots=True)
class Intake:
    """A document that was read and checked, ready to be added."""

    document: CampaignDocument
    segments: tuple[CampaignSegment, ...]
    file: Path
    image: Path | None


def campaign_segments(document: Document, first_page: str) -> tuple[CampaignSegment, ...]:
    """The segments of a reference document, each on the page of its first token.

    Args:
        document: as read.
        first_page: what the corpus table calls the document's page.
    """
    segments = list(document.segments())
    pages = segment_pages(document, first_page)
    lines = segment_lines(document)
    return tuple(
        CampaignSegment(
            name=name,
            page=page,
            transcription=tidy(segment.transcription),
            reference=tidy(segment.translation),
            transcription_words=len(tidy(segment.transcription).split()),
            reference_words=len(tidy(segment.translation).split()),
            lines=spell_lines(lines.get(name)),
        )
        for name, segment, page in zip(segment_names(segments), segments, pages, strict=True)
    )


def segment_pages(document: Document, first_page: str) -> list[str]:
    """What the page of each segment is called, as for :func:`campaign_segments`."""
    segments = list(document.segments())
    if len(document.pages) < 2:
        return [first_page] * len(segments)
    return [_page_label(first_page, index) for index in _pages_of(document, segments)]


def _pages_of(document: Document, segments: Sequence[Segment]) -> list[int]:
    """The index of each segment's page.

    Ids may restart on every page. Tokens stand in the order of the text, and a word is written
    once: so each token takes the first word of its name that no token before it has taken.
    """
    places: dict[str, list[int]] = {}
    lines: dict[str, list[int]] = {}
    for index, page in enumerate(document.pages):
        for line in page.lines:
            if line.id:
                lines.setdefault(line.id, []).append(index)
        for word in page.words():
            if word.id:
                places.setdefault(word.id, []).append(index)
    found = []
    page_before = 0
    for segment in segments:
        page_found: int | None = None
        for token in segment.tokens:
            left = places.get(token.ref_id or "")
            if left:
                taken = left.pop(0)
                if page_found is None:
                    page_found = taken
        if page_found is None:
            candidates = [index for ref in segment.zone_refs[:1] for index in lines.get(ref, ())]
            later = [index for index in candidates if index >= page_before]
            page_found = (later or candidates or [page_before])[0]
        page_before = page_found
        found.append(page_found)
    return found


def _page_label(first_page: str, index: int) -> str:
    if index == 0:
        return first_page
    return str(int(first_page) + index) if first_page.isdigit() else f"{first_page}+{index}"


def tidy(text: str | None) -> str:
    """Line breaks and tabs as blanks, runs of blanks as one: layout of the XML, not text."""
    if not text:
        return ""
    if "  " in text or "\n" in text or "\t" in text or "\r" in text:
        text = " ".join(re.split(r"[ \t\r\n]+", text))
    return text.strip(" ")


def output_texts(document: Document) -> list[tuple[str, str | None]]:
    """(name, translation) of the segments of a system's output, None without the element."""
    segments = list(document.segments())
    return [
        (name, None if segment.translation is None else tidy(segment.translation))
        for name, segment in zip(segment_names(segments), segments, strict=True)
    ]


# -- the corpus table and what belongs to it --------------------------------------------------


def read_corpus(
    corpus: Path | Table,
    documents: Path,
    images: Path | None,
    sequestered: frozenset[str],
    conditions: dict[str, str],
    checking: Checking,
    training_scribes: frozenset[str] | None = None,
) -> list[Intake]:
    """Read the corpus table (unless it is one) and every document that it names; check them.

    Raises:
        StudioError: the table itself cannot be read; anything less is told to ``checking``.
    """
    table = corpus if isinstance(corpus, Table) else read_table(corpus, required=CORPUS_COLUMNS)
    checking.problems.extend(table.problems)
    if not documents.is_dir():
        checking.error(
            "corpus.no-folder", documents, "there is no such folder", "Name the documents' folder"
        )
        return []
    files = reference_files(documents)
    pictures = _Pictures(images)
    found: list[Intake] = []
    seen: set[str] = set()
    for number, row in enumerate(table.rows):
        base, where = row["base"], table.where(row)
        checking.step(number, len(table.rows), base)
        if base in seen:
            checking.error("corpus.base-twice", where, f"{base} is in the table twice")
            continue
        seen.add(base)
        data_set = check_row(row, where, checking)
        if data_set is None:
            continue
        file = files.get(base)
        if file is None:
            checking.error(
                "corpus.no-document",
                where,
                f"{documents / (base + REFERENCE_SUFFIX)} is not there",
                "Put the file there, or take the row out",
            )
            continue
        hidden = data_set is DataSet.PROGRESS or row["passage"] in sequestered
        one = _take_in(row, file, data_set, hidden, conditions.get(base, ""), pictures, checking)
        if one is not None:
            found.append(one)
    _check_listed(table, files, conditions, seen, checking)
    _check_passages(table, sequestered, checking)
    _check_tracks(table, checking)
    if training_scribes is not None:
        _check_exposure(table, training_scribes, checking)
    return found


def check_row(row: Row, where: str, checking: Checking) -> DataSet | None:
    """The set that a row names; None where it names none, and its document cannot be taken in."""
    for column in ("base", "source_document", "passage", "manuscript", "page"):
        if not row[column].strip():
            checking.error("corpus.empty", where, f"the column {column} is empty")
    if row["exposure"] not in ("exposed", "unexposed"):
        checking.error(
            "corpus.exposure",
            where,
            f"the exposure is {row['exposure']!r}",
            "Write exposed or unexposed",
        )
    try:
        return DataSet(row["set"])
    except ValueError:
        checking.error(
            "corpus.set", where, f"the set is {row['set']!r}", "Write one of " + ", ".join(DataSet)
        )
        return None


def _take_in(
    row: Row,
    file: Path,
    data_set: DataSet,
    sequestered: bool,
    conditions: str,
    pictures: _Pictures,
    checking: Checking,
) -> Intake | None:
    """A row's document with its segments and picture; None where the file cannot be read."""
    try:
        read = madcat.read(file)
    except StudioError as error:
        checking.failed(error, file)
        return None
    document = read.document
    segments = campaign_segments(document, row["page"])
    _check_document(file, row["base"], document, segments, row["scribe"], checking)
    return Intake(
        CampaignDocument(
            base=row["base"],
            source_document=row["source_document"],
            passage=row["passage"],
            manuscript=row["manuscript"],
            page=row["page"],
            scribe=row["scribe"],
            exposure=row["exposure"],
            data_set=data_set,
            track=track_name(row),
            genre=(document.genre or "").strip() or "unknown",
            sha256=read.source.sha256,
            image_name=document.src or "",
            conditions=conditions,
            sequestered=sequestered,
        ),
        segments,
        file,
        pictures.find(document.src, file, checking),
    )


def track_name(row: Row) -> str:
    """The track of a row of the corpus table, as it is kept."""
    return unicodedata.normalize("NFC", row["track"]).strip()


def _check_tracks(table: Table, checking: Checking) -> None:
    """Tracks have data of their own: no passage is in two, and no two look alike."""
    alike: dict[str, str] = {}
    of_passage: dict[str, str] = {}
    for row in table.rows:
        track = track_name(row)
        seen = "".join(letter for letter in track.casefold() if letter.isalnum())
        before = alike.setdefault(seen, track)
        if before != track:
            checking.error(
                "corpus.track-alike",
                table.where(row),
                f"the track {track!r} looks like {before!r}, which other rows have",
                "Write one track in one way",
            )
        before = of_passage.setdefault(row["passage"], track)
        if before != track:
            checking.error(
                "corpus.passage-tracks",
                table.where(row),
                f"passage {row['passage']} is in the tracks {before!r} and {track!r}",
                "The data of tracks are separate: put every copy of a passage into one",
            )


def _check_listed(
    table: Table,
    files: Mapping[str, Path],
    conditions: Mapping[str, str],
    seen: Set[str],
    checking: Checking,
) -> None:
    """Tell of documents, and of writing conditions, that the table does not name."""
    for base, file in files.items():
        if base not in seen:
            checking.warn(
                "corpus.not-listed",
                file,
                f"the corpus table {table.path} does not name it",
                "left out",
            )
    for base in conditions:
        if base not in seen:
            checking.warn(
                "conditions.not-listed",
                base,
                "the writing conditions name a document that is not in the corpus table",
                "left out",
            )


def _check_exposure(table: Table, training_scribes: frozenset[str], checking: Checking) -> None:
    """A scribe is exposed where training data has the same hand: the list of scribes decides."""
    told: set[str] = set()
    for row in table.rows:
        scribe, exposed = row["scribe"], row["scribe"] in training_scribes
        if scribe in told or (row["exposure"] == "exposed") == exposed:
            continue
        told.add(scribe)
        checking.error(
            "corpus.exposure-list",
            table.where(row),
            f"scribe {scribe} is {row['exposure']} by the table, and the list of training "
            f"scribes {'has' if exposed else 'does not have'} the name",
            "Correct the table or the list",
        )
    known = {row["scribe"] for row in table.rows}
    if training_scribes and not training_scribes & known:
        checking.warn(
            "corpus.exposure-none",
            table.path,
            "none of the training scribes wrote a page here",
            remedy="Check that both name scribes alike",
        )


def _check_document(
    file: Path,
    base: str,
    document: Document,
    segments: Sequence[CampaignSegment],
    scribe: str,
    checking: Checking,
) -> None:
    if document.id and document.id != base:
        checking.warn(
            "document.other-id", file, f"it calls itself {document.id}", f"taken as {base}"
        )
    if document.scribe and scribe and document.scribe != scribe:
        checking.warn(
            "document.other-scribe",
            file,
            f"it names the scribe {document.scribe}, the corpus table {scribe}",
            "the table is followed",
        )
    if not segments:
        checking.error("document.no-segments", file, "it has no segments", "Check the file")
    for segment in segments:
        place = f"{file}: segment {segment.name}"
        if not segment.reference:
            checking.warn("document.no-reference", place, "its reference translation is empty")
        elif mostly_arabic(segment.reference):
            checking.warn(
                "document.wrong-script",
                place,
                "its reference translation is in Arabic script",
                remedy="Check whether transcription and translation were exchanged",
            )
        if segment.transcription and not _arabic(segment.transcription):
            checking.warn("document.wrong-script", place, "its transcription has no Arabic letter")
        if "#" in segment.name:
            checking.warn(
                "document.segment-id",
                place,
                "its id is missing or doubled",
                f"it is called {segment.name} here",
            )


def mostly_arabic(text: str) -> bool:
    """Whether a text that should be English is in Arabic script."""
    return _arabic(text) > len(text) / 4


def _arabic(text: str) -> int:
    return sum(1 for letter in text if unicodedata.name(letter, "").startswith("ARABIC LETTER"))


def _check_passages(table: Table, sequestered: frozenset[str], checking: Checking) -> None:
    passages: dict[str, set[str]] = {}
    manuscripts: dict[str, tuple[str, str]] = {}
    for row in table.rows:
        where = table.where(row)
        passages.setdefault(row["passage"], set()).add(row["set"])
        copy = (row["passage"], row["scribe"])
        if manuscripts.setdefault(row["manuscript"], copy) != copy:
            checking.error(
                "corpus.manuscript",
                where,
                f"manuscript {row['manuscript']} is of two passages or two scribes",
                "A manuscript is one scribe's copy of one passage",
            )
    progress = {name for name, sets in passages.items() if DataSet.PROGRESS in sets}
    for passage in sorted(sequestered | progress):
        sets = passages.get(passage, set())
        open_sets = sorted(sets - {DataSet.PROGRESS.value})
        if open_sets:
            checking.error(
                "corpus.sequestered",
                table.path,
                f"passage {passage} is sequestered, and copies of it are in: "
                + ", ".join(open_sets),
                "Every copy by any scribe must be in the progress set only",
            )
    for passage in sorted(sequestered - set(passages)):
        checking.warn(
            "corpus.sequestered-absent", table.path, f"it has no sequestered passage {passage}"
        )
    for passage, sets in passages.items():
        if sets & {one.value for one in _SEEN} and DataSet.EVALUATION in sets:
            checking.warn(
                "corpus.seen-passage",
                table.path,
                f"passage {passage} is in the evaluation and also in training or development",
                remedy="Systems may have seen its text",
            )


class _Pictures:
    """Finds the images of documents, whatever the case of their names."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files = (
            {}
            if folder is None or not folder.is_dir()
            else {file.name.casefold(): file for file in folder.iterdir() if file.is_file()}
        )

    def find(self, name: str | None, file: Path, checking: Checking) -> Path | None:
        """The image that a document names, or None; missing ones are told."""
        if self._folder is None:
            return None
        # Files from elsewhere may name a path of a machine of long ago.
        plain = re.split(r"[\\/]", name or "")[-1]
        found = self._files.get(plain.casefold())
        if found is None:
            checking.warn(
                "document.no-image",
                file,
                f"its image {plain or '(without a name)'} is not in {self._folder}",
                "taken in without it",
                "Put it there and run the command again",
            )
        return found


def read_conditions(path: Path | None, checking: Checking) -> dict[str, str]:
    """BASE -> code of ``writing_conditions.tab``.

    Raises:
        StudioError: the table cannot be read.
    """
    found: dict[str, str] = {}
    if path is None:
        return found
    for line, row in read_plain_rows(path):
        if len(row) < 4 or not _CONDITIONS.match(row[3].strip()):
            checking.warn(
                "conditions.code",
                f"{path}:{line}",
                "the row has no code such as IUN in its fourth column",
                "left out",
            )
            continue
        found[row[0].strip()] = row[3].strip()
    return found


def read_standoff(
    path: Path | None, segments: dict[str, frozenset[str]] | None, checking: Checking
) -> list[ScribeError]:
    """The scribe errors of the stand-off file, for segments (BASE -> names) of the campaign.

    With None for the segments all that it names are taken.

    Raises:
        StudioError: the table cannot be read.
    """
    found: list[ScribeError] = []
    if path is None:
        return found
    for line, row in read_plain_rows(path):
        if len(row) < 2:
            checking.error(
                "standoff.columns",
                f"{path}:{line}",
                "the row has no segment",
                "Write BASE, segment, token, error, written, intended, with tabs between",
            )
            continue
        base, segment, token, error, written, intended = (*row, "", "", "", "")[:6]
        if segments is not None and segment not in segments.get(base, frozenset()):
            checking.warn(
                "standoff.unknown",
                f"{path}:{line}",
                f"the campaign has no segment {base}/{segment}",
                "left out",
            )
            continue
        found.append(ScribeError(base, segment, token, error, written, intended))
    return found

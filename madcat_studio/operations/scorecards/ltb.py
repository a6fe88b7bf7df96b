"""Score submissions of translated pages: from JSON lines, or from MADCAT documents."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path

from madcat_studio.errors import InputError, UsageError
from madcat_studio.formats import madcat
from madcat_studio.formats.json_lines import read_json
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Line, Polygon
from madcat_studio.model.geometry import Shape, bounding_box, iou, shapes_of
from madcat_studio.operations.gather import gather
from madcat_studio.operations.scorecards.files import hash_of, located, new_name, now, values_in
from madcat_studio.operations.scorecards.ltb_comet import CometOptions, with_comet
from madcat_studio.operations.scorecards.ltb_judged import with_judgements
from madcat_studio.operations.scorecards.ltb_next import PreviewOptions, with_preview
from madcat_studio.operations.scorecards.ltb_truth import GroundTruth, read_json_truth
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb import ltb_report
from madcat_studio.reports.cards_ltb_comet import OutputKey
from madcat_studio.reports.cards_ltb_next import Rendered
from madcat_studio.scoring.scorecards.layout import Box
from madcat_studio.scoring.scorecards.ltb import (
    Options,
    Prediction,
    Region,
    Submission,
    SubmissionScore,
    TruthDocument,
    TruthRegion,
    score,
)
from madcat_studio.scoring.scorecards.ltb_board import (
    HELD_OUT_DAYS,
    DroppedReference,
    Manifest,
    SystemResult,
    check_references,
    held_out,
    read_manifest,
)
from madcat_studio.scoring.scorecards.ltb_read import read_predictions

__all__ = ["Beside", "Split", "read_ground_truth", "read_submission", "score_pages"]

_XML = ".madcat.xml"
_DEFAULT_PAIR = "ar-en"


class Split(StrEnum):
    """Which documents are scored."""

    ALL = "all"
    PUBLIC = "public"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the scores of version 0.1.

    Attributes:
        preview: how version 0.2 is previewed, of the pages that the systems rendered; None: not.
        comet: models beside chrF; None: without.
        judgements: tables of what people said of the outputs.
        lower: their columns in which less is better.
    """

    preview: PreviewOptions | None = None
    comet: CometOptions | None = None
    judgements: Sequence[Path] = ()
    lower: Collection[str] = ()


@dataclass(slots=True)
class _Found:
    """What reading noticed, counted."""

    without_lines: int = 0
    names: list[str] = field(default_factory=list)
    pictures: dict[str, tuple[str, int]] = field(default_factory=dict)

    def note(self, segment: str) -> None:
        self.without_lines += 1
        if len(self.names) < 3:
            self.names.append(segment)

    def warnings(self, what: str, consequence: str) -> list[str]:
        if not self.without_lines:
            return []
        return [
            f"{self.without_lines} segments of {what} have no line with a polygon "
            f"(such as {', '.join(self.names)}): {consequence}."
        ]


def _is_madcat(path: Path) -> bool:
    if path.is_dir():
        return any(one.name.lower().endswith(_XML) for one in path.rglob("*.xml"))
    return path.suffix.lower() == ".xml"


def read_ground_truth(path: Path, pair: str = _DEFAULT_PAIR) -> GroundTruth:
    """The ground truth at ``path``.

    Args:
        path: see :func:`read_json_truth`; or MADCAT documents: segments are regions, their
            translations references.
        pair: of MADCAT documents.

    Raises:
        StudioError: it cannot be read, or is not what it should be.
    """
    if _is_madcat(path):
        files = gather([path])
        found = _Found()
        documents = [page for file in files for page in _truth_pages(file, pair, found)]
        warnings = found.warnings("the ground truth", "they are left out")
        return GroundTruth(tuple(documents), tuple(files), tuple(warnings), pictures=found.pictures)
    return read_json_truth(path)


def _scans_of(files: Sequence[Path]) -> dict[str, tuple[Path, int]]:
    """The scan of each page and which frame it is, by the page's name."""
    finder = ImageFinder()
    found: dict[str, tuple[Path, int]] = {}
    for file in files:
        document = madcat.read(file).document
        scan = finder.find(document.src or "", file)
        if scan is None:
            continue
        for number in range(len(document.pages)):
            found[_page_name(madcat.base_of(file), document, number)] = scan, number
    return found


def read_submission(
    path: Path, pair: str | None = None, kind: str = ""
) -> tuple[str, Manifest, Submission, list[Path], list[str]]:
    """One system's submission: its name, manifest, predictions, files and warnings.

    Args:
        path: a folder with a file for each pair, named ``en-es.jsonl``, and ``manifest.json``; or
            one such file; or MADCAT documents with the system's translations.
        pair: of MADCAT documents, or of a file that is not named by its pair.
        kind: what names of MADCAT documents have before ``.madcat.xml``, such as ``linesys``:
            needed where a folder has several files for a document.

    Raises:
        StudioError: it cannot be read, or is not what it should be.
    """
    manifest_file = (path if path.is_dir() else path.parent) / "manifest.json"
    manifest = read_manifest({})
    files: list[Path] = []
    if manifest_file.is_file() and manifest_file != path:
        value = read_json(manifest_file)
        if not isinstance(value, dict):
            raise InputError(
                "scorecards.manifest", "the manifest is not an object", where=manifest_file
            )
        manifest = read_manifest(value, str(manifest_file))
        files.append(manifest_file)
    name = manifest.name or _named_by(path)
    warnings: list[str] = []
    if _is_madcat(path):
        found = _Found()
        documents = gather([path], f".{kind}{_XML}" if kind else _XML)
        predictions = _predictions_of(documents, found)
        submission = Submission({(pair or _DEFAULT_PAIR).casefold(): predictions})
        files += documents
        warnings = found.warnings(name, "they have no box and count by their id alone")
    else:
        lines = located(path, (".jsonl",))
        submission = Submission(_predictions_by_pair(lines, path, pair))
        files += lines
    return name, manifest, submission, files, warnings


def _named_by(path: Path) -> str:
    """A system without a manifest: its folder's name, or its file's."""
    if path.is_dir():
        return path.name
    own = path.name.split(".")[0]
    # `render` calls its file so for every system.
    return path.resolve().parent.name if own == "rendered" else own


def _predictions_of(documents: Sequence[Path], found: _Found) -> dict[str, Prediction]:
    """What MADCAT documents hold, by document."""
    predictions: dict[str, Prediction] = {}
    for file in documents:
        for page in _predicted_pages(file, found):
            if page.id in predictions:
                raise InputError(
                    "scorecards.document-twice",
                    f"a second file for the document “{page.id}”",
                    where=file,
                    remedy="Name one kind of them, such as --kind linesys",
                )
            predictions[page.id] = page
    return predictions


def _predictions_by_pair(
    lines: Sequence[Path], path: Path, pair: str | None
) -> dict[str, dict[str, Prediction]]:
    """What files of JSON lines hold, by the pair of languages that they are named by."""
    pairs: dict[str, dict[str, Prediction]] = {}
    for file in lines:
        own = file.name.removesuffix(file.suffix)
        if pair is not None and not path.is_dir():
            own = pair
        elif "-" not in own:
            raise UsageError(
                "scorecards.pair",
                "the file is not named by its language pair",
                where=file,
                remedy="Name it such as en-es.jsonl, or give --pair",
            )
        own = own.casefold()  # as the references' pairs
        if own in pairs:
            raise InputError(
                "scorecards.pair",
                f"a second file for the pair {own}",
                where=file,
                remedy="Leave one of them",
            )
        pairs[own] = read_predictions(values_in(file))
    return pairs


def _lines_of(document: Document) -> dict[str, tuple[int, Line]]:
    """Lines by id, with the number of their page."""
    return {
        line.id: (number, line)
        for number, page in enumerate(document.pages)
        for line in page.lines
        if line.id is not None
    }


def _page_name(base: str, document: Document, page: int) -> str:
    return base if len(document.pages) <= 1 else f"{base}#{page + 1}"


@dataclass(slots=True)
class _Placed:
    """A segment on its page: the page of its first line with a polygon.

    ``page`` is None without such a line: its id may match on any page.
    """

    page: int | None
    id: str
    box: Box
    polygons: list[Polygon]
    source: str
    translation: str | None
    order: int


_NO_BOX = Box(0, 0, 0, 0)


def _placed(
    base: str, document: Document, found: _Found, *, keep_unplaced: bool = False
) -> list[_Placed]:
    """The document's segments on their pages; those without a place only if ``keep_unplaced``."""
    lines = _lines_of(document)
    placed: list[_Placed] = []
    order: dict[int | None, int] = {}
    for number, segment in enumerate(document.segments(), 1):
        name = segment.id or f"#{number}"
        own = [lines[ref] for ref in segment.zone_refs if ref in lines]
        if not segment.zone_refs:
            # Lines are also reached through the words that the tokens point to.
            wanted = {token.ref_id for token in segment.tokens if token.ref_id}
            own = [
                (page, line)
                for page, line in lines.values()
                if any(word.id in wanted for word in line.words)
            ]
        own = [(page, line) for page, line in own if len(line.polygon) >= 3]
        page = own[0][0] if own else None
        polygons = [line.polygon for at, line in own if at == page]
        whole = bounding_box(tuple(point for polygon in polygons for point in polygon))
        box = _NO_BOX
        if whole is not None and whole[2] > whole[0] and whole[3] > whole[1]:
            box = Box(whole[0], whole[1], whole[2] - whole[0], whole[3] - whole[1])
        else:
            found.note(f"{base}/{name}")
            if not keep_unplaced:
                continue
        placed.append(
            _Placed(
                page,
                name,
                box,
                polygons,
                segment.transcription or "",
                segment.translation,
                order.get(page, 0),
            )
        )
        order[page] = order.get(page, 0) + 1
    return placed


def _truth_pages(path: Path, pair: str, found: _Found) -> list[TruthDocument]:
    document = madcat.read(path).document
    base = madcat.base_of(path)
    pair = pair.casefold()
    placed = _placed(base, document, found)
    if document.src:
        for number in range(len(document.pages)):
            found.pictures[_page_name(base, document, number)] = document.src, number
    return [
        TruthDocument(
            _page_name(base, document, number),
            tuple(
                TruthRegion(
                    one.id,
                    one.box,
                    one.source,
                    one.order,
                    one.polygons,
                    references={} if one.translation is None else {pair: one.translation},
                )
                for one in placed
                if one.page == number
            ),
            (page.width, page.height) if page.width and page.height else None,
            document.genre or "",
        )
        for number, page in enumerate(document.pages)
    ]


def _predicted_pages(path: Path, found: _Found) -> list[Prediction]:
    document = madcat.read(path).document
    base = madcat.base_of(path)
    placed = _placed(base, document, found, keep_unplaced=True)
    return [
        Prediction(
            _page_name(base, document, number),
            tuple(
                Region(one.id, one.box, one.translation or "", one.order, one.polygons)
                for one in placed
                if one.page in (number, None)
            ),
        )
        for number in range(max(1, len(document.pages)))
    ]


class _PolygonOverlap:
    """Overlap of the unions of lines' polygons; of the boxes where a region has no polygons."""

    def __init__(self) -> None:
        self._shapes: dict[int, tuple[Region, Shape]] = {}

    def __call__(self, truth: Region, predicted: Region) -> float:
        return iou(self._shape(truth), self._shape(predicted))

    def _shape(self, region: Region) -> Shape:
        known = self._shapes.get(id(region))
        if known is None:
            polygons = region.shape
            if not isinstance(polygons, list) or not polygons:
                x, y, width, height = region.box
                polygons = [((x, y), (x + width, y), (x + width, y + height), (x, y + height))]
            shapes = shapes_of(polygons)
            whole = shapes[0]
            for shape in shapes[1:]:
                whole = whole.union(shape)
            # The region is kept too: its id() must not be given to another.
            known = self._shapes[id(region)] = (region, whole)
        return known[1]


def _without(submission: Submission, left_out: Set[str]) -> Submission:
    """A submission without the documents that do not count."""
    if not left_out:
        return submission
    return Submission(
        {
            own: {key: value for key, value in lines.items() if key not in left_out}
            for own, lines in submission.pairs.items()
        }
    )


def _without_reference(
    name: str, submission: Submission, truth: Sequence[TruthDocument], options: Options
) -> list[str]:
    """A warning of pairs that a system attempted and nothing can be scored of."""
    unreferenced = [
        own
        for own in submission.pairs
        if not any(one.has_reference(own, options.profile) for one in truth)
    ]
    if not unreferenced:
        return []
    return [
        f"The ground truth has no reference for {', '.join(unreferenced)}, which {name} "
        "attempted: nothing of it is scored."
    ]


def _scored(
    path: Path,
    truth: Sequence[TruthDocument],
    submission: Submission,
    options: Options,
    polygons: bool,
    progress: Progress,
) -> SubmissionScore:
    """One submission's scores; an error names its file."""
    try:
        if polygons:
            return score(truth, submission, options, overlap=_PolygonOverlap(), progress=progress)
        return score(truth, submission, options, progress=progress)
    except InputError as error:
        raise InputError(
            error.code, error.reason, where=error.where or path, remedy=error.remedy
        ) from error


def score_pages(
    truth_path: Path,
    submissions: Sequence[Path],
    *,
    options: Options | None = None,
    pair: str | None = None,
    kind: str = "",
    polygons: bool = False,
    check_scripts: bool = True,
    split: Split = Split.ALL,
    secret: str = "",
    today: date | None = None,
    beside: Beside = Beside(),
    title: str = "",
    progress: Progress = SILENT,
) -> CardReport:
    """Score submissions against a ground truth and make their report.

    Args:
        truth_path: see :func:`read_ground_truth`.
        submissions: see :func:`read_submission`.
        options: profile and choices; the usual ones by default.
        pair: for MADCAT documents and files without a pair in their name.
        kind: of the submissions' MADCAT documents.
        polygons: overlap of lines' polygons instead of boxes, where there are polygons.
        check_scripts: drop references in the wrong script first.
        split: which documents count.
        secret: what the held-out split is drawn with.
        today: the day of the held-out split.
        beside: what stands beside version 0.1.
        title: of the report.
        progress: may cancel.

    Raises:
        StudioError: a file cannot be read, or is not what it should be.
        Cancelled: the user stopped it.
    """
    options = options or Options()
    ground = read_ground_truth(truth_path, pair or _DEFAULT_PAIR)
    truth, warnings = list(ground.documents), list(ground.warnings)
    if not truth:
        raise InputError(
            "scorecards.no-documents", "the ground truth has no documents", where=truth_path
        )
    dropped: list[DroppedReference] = []
    if check_scripts:
        truth, dropped = check_references(truth)
        if dropped:
            warnings.append(
                f"{len(dropped)} references are in the wrong script and were dropped; their "
                "regions stay for layout and order."
            )
    left_out, drawn_by = _left_out(ground, truth, split, today, secret)
    if split is not Split.ALL:
        truth = [one for one in truth if one.id not in left_out]
        warnings.append(
            f"Only the {split} documents are scored: {len(truth)} of {len(truth) + len(left_out)}."
        )
    empty = sum(not one.regions for one in truth)
    if empty:
        warnings.append(f"{empty} pages of the ground truth have no region and cannot be scored.")
    hashes = {"ground truth": hash_of(ground.files)}
    systems: list[tuple[SystemResult, Submission]] = []
    for number, path in enumerate(submissions):
        progress.advance(number, len(submissions), f"scoring {path.name}")
        name, manifest, submission, files, noticed = read_submission(path, pair, kind)
        warnings += noticed
        submission = _without(submission, left_out)
        name = new_name(name, [one.name for one, _ in systems])
        warnings += _without_reference(name, submission, truth, options)
        hashes[name] = hash_of(files)
        scored = _scored(path, truth, submission, options, polygons, progress)
        systems.append((SystemResult(name, manifest, scored), submission))
    report = ltb_report(
        title=title or truth_path.name.removesuffix(truth_path.suffix),
        made=now(),
        truth=truth,
        systems=systems,
        dropped=dropped,
        options=options,
        overlap="polygon" if polygons else "box",
        split=drawn_by,
        hashes=hashes,
        warnings=warnings,
        pictures=ground.pictures,
        show_texts=split is not Split.HELD_OUT,
    )
    sources = _scans_of(ground.files) if _is_madcat(truth_path) else ground.sources
    folders = [path if path.is_dir() else path.parent for path in submissions]
    show = split is not Split.HELD_OUT
    return _with(report, systems, folders, truth, sources, beside, show, progress)


def _with(
    report: CardReport,
    systems: Sequence[tuple[SystemResult, Submission]],
    folders: Sequence[Path],
    truth: Sequence[TruthDocument],
    sources: Mapping[str, tuple[Path, int]],
    beside: Beside,
    show: bool,
    progress: Progress,
) -> CardReport:
    """The report with what stands beside the scores of version 0.1."""
    rendered: list[Rendered] = []
    if beside.preview is not None:
        report, rendered = with_preview(
            report, systems, folders, truth, sources, beside.preview, show, progress
        )
    others: dict[str, dict[OutputKey, float]] = {}
    if beside.comet is not None:
        report, others = with_comet(report, systems, truth, beside.comet, progress)
    if not beside.judgements:
        return report
    return with_judgements(
        report,
        [one for one, _ in systems],
        rendered,
        others,
        beside.judgements,
        beside.lower,
        progress=progress,
    )


def _left_out(
    ground: GroundTruth,
    truth: Sequence[TruthDocument],
    split: Split,
    today: date | None,
    secret: str,
) -> tuple[set[str], str]:
    """The ids that do not count, and what the signature says of the split."""
    if split is Split.ALL:
        return set(), str(split)
    held, how = _held_out(ground, truth, today or date.today(), secret)  # noqa: DTZ011 - the user's day
    left_out = {one.id for one in truth if (one.id in held) is (split is Split.PUBLIC)}
    return left_out, f"{split},{how}"


def _held_out(
    ground: GroundTruth, truth: Sequence[TruthDocument], today: date, secret: str
) -> tuple[frozenset[str], str]:
    """The ids that are held out, and what the signature says of how they were chosen.

    Raises:
        UsageError: ``scorecards.split-without-secret``.
    """
    if ground.held_out is not None:
        return ground.held_out, "by-the-data-set"
    if not secret:
        raise UsageError(
            "scorecards.split-without-secret",
            "the split is drawn with a secret, but none was given",
            remedy="Set the variable MADCAT_STUDIO_SPLIT_SECRET; without one anybody can tell "
            "which documents are held out",
        )
    digest = hashlib.sha256(secret.encode()).hexdigest()[:8]
    period = today.toordinal() // HELD_OUT_DAYS
    begins = date.fromordinal(period * HELD_OUT_DAYS)
    return frozenset(held_out(truth, today, secret)), f"from{begins},secret-sha256:{digest}"

"""Make run cards of runs in files or of a campaign's systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from madcat_studio.errors import FormatError, UsageError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.tables import read_table
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.scorecards.files import hash_of, new_name, now, values_in
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_rosetta import rosetta_report
from madcat_studio.reports.table import some_of
from madcat_studio.scoring.scorecards import rosetta
from madcat_studio.scoring.scorecards.analyser import Analyser
from madcat_studio.scoring.scorecards.models import (
    comet_scorer,
    packaged_semantic_model,
    semantic_scorer,
)
from madcat_studio.scoring.scorecards.rosetta_invented import SHARES
from madcat_studio.scoring.scorecards.rosetta_read import (
    TABLE_COLUMNS,
    read_run,
    read_table_run,
)
from madcat_studio.scoring.scorecards.rosetta_run import contradict
from madcat_studio.scoring.scorecards.rosetta_text import SourceLanguage, read_glossary
from madcat_ter.options import TerOptions
from madcat_ter.signature import ter_signature

__all__ = ["CardOptions", "campaign_runs", "read_runs", "score_runs"]

_APART = (DataSet.CONTROL, DataSet.PROGRESS)


@dataclass(frozen=True, slots=True)
class CardOptions:
    """What is to be computed beyond the supplied values.

    Attributes:
        source, target: language codes; empty if unknown.
        code_switching: whether to compute it; needs languages of different scripts, or words.
        source_words: a file with a word of the source language a line.
        glossary: a table with the columns ``source`` and ``target``.
        analyser: a ``.hfstol`` file.
        semantic: whether to compare meanings; only where the target is English.
        semantic_model: the folder of another sentence model, for another target.
        comet: a COMET checkpoint.
        planned: whether to compute TER, length ratio and consistency.
        compare: whether to test all pairs of runs.
        hallucination: whether to compute its rate from signs that need no model.
    """

    source: str = ""
    target: str = ""
    code_switching: bool = False
    source_words: Path | None = None
    glossary: Path | None = None
    analyser: Path | None = None
    semantic: bool = False
    semantic_model: Path | None = None
    comet: Path | None = None
    planned: bool = True
    compare: bool = True
    hallucination: bool = False


def read_runs(path: Path) -> list[rosetta.Run]:
    """The run in a file of JSON, JSON lines or a table (``.tsv``).

    Raises:
        StudioError: it cannot be read, or is not what it should be.
    """
    name = path.name.removesuffix(path.suffix)
    if path.suffix.lower() == ".tsv":
        table = read_table(path, required=TABLE_COLUMNS[:4], optional=TABLE_COLUMNS[4:])
        rows = ((table.where(row), row.fields) for row in table.rows)
        return [read_table_run(name, rows)]
    values = list(values_in(path))
    return [read_run(name, values)]


def campaign_runs(campaign: str) -> list[rosetta.Run]:
    """A run for each system of a campaign: transcription, reference, system's output.

    Segments without output are entries with an empty output. The control and progress sets, and
    outputs of an earlier phase, are left out: they are never in a system's score.

    Raises:
        StudioError: no campaign there, damaged, newer, server away.
    """
    from madcat_studio.store import open_campaign

    runs: list[rosetta.Run] = []
    with open_campaign(campaign, read_only=True) as opened:
        contents = opened.contents
        for system in contents.systems():
            if system.earlier:
                continue
            entries: list[rosetta.Entry] = []
            for base in contents.documents_of(system.name):
                document = contents.document(base)
                if document is None or document.data_set in _APART:
                    continue
                outputs = contents.outputs(system.name, base)
                entries += [
                    rosetta.Entry(
                        f"{base}/{segment.name}",
                        segment.transcription,
                        segment.reference,
                        outputs.get(segment.name) or "",
                        provenance=document.genre or None,
                    )
                    for segment in contents.segments(base)
                ]
            runs.append(rosetta.Run(system.name, tuple(entries), about={"campaign": opened.name}))
    return runs


def score_runs(
    paths: Sequence[Path],
    *,
    campaign: str = "",
    options: CardOptions | None = None,
    title: str = "",
    progress: Progress = SILENT,
) -> CardReport:
    """Make the run cards of some runs and their report.

    Args:
        paths: a run each.
        campaign: a campaign whose systems are runs too.
        options: what to compute.
        title: of the report.
        progress: may cancel.

    Raises:
        StudioError: a file cannot be read, or is not what it should be; an extra is missing.
        Cancelled: the user stopped it.
    """
    options = options or CardOptions()
    tools, settings, hashes = _tools(options)
    runs: list[rosetta.Run] = []
    for path in paths:
        found = read_runs(path)
        runs += found
        for run in found:
            hashes[run.name] = hash_of([path])
    if campaign:
        runs += campaign_runs(campaign)
    if not runs:
        raise UsageError(
            "scorecards.no-runs", "no run is named", remedy="Name files of runs, or a campaign"
        )
    runs = _named_apart(runs)
    cards = []
    for number, run in enumerate(runs):
        progress.advance(number, len(runs), f"scoring {run.name}")
        cards.append(rosetta.card(run, tools, progress=progress))
    comparisons = []
    if options.compare:
        for first, second in combinations(runs, 2):
            if contradict(first.entries, second.entries):
                continue  # a difference of two data sets is none of two systems
            progress.advance(0, None, f"comparing {first.name} and {second.name}")
            tests, told = rosetta.compare(first, second)
            comparisons.append((first.name, second.name, tests, told))
    return rosetta_report(
        title=title or (campaign if campaign and not paths else some_of([r.name for r in runs])),
        made=now(),
        cards=cards,
        comparisons=comparisons,
        settings=settings,
        hashes=hashes,
        warnings=_language_warnings(options),
    )


def _named_apart(runs: Sequence[rosetta.Run]) -> list[rosetta.Run]:
    """Runs whose names differ: a second one of the same name gets a number."""
    taken: set[str] = set()
    named: list[rosetta.Run] = []
    for run in runs:
        name = new_name(run.name, taken)
        taken.add(name)
        named.append(replace(run, name=name))
    return named


def _language_warnings(options: CardOptions) -> list[str]:
    if options.code_switching and not _language(options).usable:
        return [
            "The code-switching rate is not computed: the languages share a script, or are not "
            "known, and no word list of the source language is given."
        ]
    return []


def _language(options: CardOptions) -> SourceLanguage:
    words: frozenset[str] = frozenset()
    if options.source_words is not None:
        try:
            text = read_file(options.source_words).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError(
                "scorecards.word-list",
                f"byte {error.start} is not UTF-8",
                where=options.source_words,
                remedy="Save the list as UTF-8, one word a line",
            ) from None
        words = frozenset(line.strip().lower() for line in text.splitlines() if line.strip())
    return SourceLanguage(options.source, options.target, words)


def _tools(
    options: CardOptions,
) -> tuple[rosetta.Tools, dict[str, object], dict[str, str]]:
    """What is computed with, what the signature says of it, and hashes of its files."""
    settings: dict[str, object] = {}
    hashes: dict[str, str] = {}
    language = glossary = accepts = semantic = comet = None
    if options.code_switching:
        language = _language(options)
        settings["code-switching"] = "script" + ("+words" if language.words else "")
        if options.source_words is not None:
            hashes["source words"] = hash_of([options.source_words])
    if options.hallucination:
        settings["hallucination"] = "signs:" + ",".join(
            f"{name}-{share:g}" for name, share in SHARES.items()
        )
    if options.glossary is not None:
        table = read_table(options.glossary, required=("source", "target"))
        glossary = read_glossary([(row["source"], row["target"]) for row in table.rows])
        settings["glossary"] = len(glossary.terms)
        hashes["glossary"] = hash_of([options.glossary])
    if options.analyser is not None:
        accepts = Analyser(options.analyser).accepts
        settings["analyser"] = options.analyser.name
        hashes["analyser"] = hash_of([options.analyser])
    if options.semantic or options.semantic_model is not None:
        if options.semantic_model is None and options.target.lower().split("-")[0] != "en":
            raise UsageError(
                "scorecards.semantic-language",
                "the packaged sentence model knows English only, and the target is not English",
                remedy="Give --target en, or a model for the target with --semantic-model",
            )
        folder = options.semantic_model or packaged_semantic_model()
        semantic = semantic_scorer(folder)
        settings["semantic"] = folder.name
    if options.comet is not None:
        comet = comet_scorer(options.comet)
        settings["comet"] = options.comet.name
        hashes["COMET checkpoint"] = hash_of([options.comet])
    ter_options = TerOptions() if options.planned else None
    if ter_options is not None:
        settings["ter"] = "sacrebleu-corpus-ter,defaults"
        settings["ter-tercom"] = ter_signature(ter_options).replace("|", ";")
    return (
        rosetta.Tools(
            ter=options.planned,
            ter_tercom=ter_options,
            length_ratio=options.planned,
            consistency=options.planned,
            language=language,
            glossary=glossary,
            accepts=accepts,
            semantic=semantic,
            comet=comet,
            comet_model=options.comet.name if options.comet is not None else "",
            target=options.target or None,
            hallucination=options.hallucination,
        ),
        settings,
        hashes,
    )

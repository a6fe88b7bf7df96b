"""Evidence: a campaign as files that tercom itself can score, with the numbers it must give.

Files are in tercom's Trans form, one segment a line, ``text (id)``. For each set and system:

* ``SET.SYSTEM.hyp``: the output;
* ``SET.SYSTEM.chosen.ref``: the final text that counts, the denominator being its words;
* ``SET.SYSTEM.chosen-reference.ref``: the one that counts over the reference's words, to be
  scored with ``-a SET.SYSTEM.reference.ref``;
* ``SET.SYSTEM.listed-1.ref``, ``listed-2.ref``: the finals of the team listed first, second, for
  segments that it edited, with ``.hyp`` files of the same segments;
* ``SET.SYSTEM.reference.ref``: the gold references.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from madcat_studio.model.control import set_of
from madcat_studio.reports.files import prepare_folder, replacing
from madcat_studio.reports.results import CampaignResults, ScoredSegment
from madcat_studio.reports.tables import plain
from madcat_ter.hter import Choice, Denominator, Outcome
from madcat_ter.options import TerOptions

__all__ = ["Evidence", "segment_id", "write_evidence"]

# What tercom's reader of Trans lines cannot take within a line.
_DROPPED = re.compile("[\u0085\u2028\u2029]")
_BREAKS = re.compile("\r\n|[\r\n\v\f]")


def segment_id(kit: str, base: str, segment: str) -> str:
    """An id that tercom takes as it is: no brackets, no colon, no blank.

    >>> segment_id("k1", "D(1)", "s:1")
    'k1/D%281%29/s%3A1'
    """
    return "/".join(urllib.parse.quote(part, safe="._-") for part in (kit, base, segment))


def _line(text: str, name: str, options: TerOptions) -> str:
    if options.normalise:
        text = text.replace("-\n", "")  # -N joins such words; a line of its own cannot hold it
    return f"{_BREAKS.sub(' ', text)} ({name})\n"


@dataclass(slots=True)
class _Sums:
    segments: int = 0
    edits: float = 0.0
    words: float = 0.0

    def add(self, edits: float, words: float) -> None:
        self.segments += 1
        self.edits += edits
        self.words += words


@dataclass(slots=True)
class Evidence:
    """What was written.

    Attributes:
        files: all of them.
        expected: reference file -> (hypothesis file, lengths file or "", segments, edits, words).
        dropped: ids of segments with a character at which tercom drops the line.
        preliminary: what is still missing in the campaign, a sentence each.
        events: lines of the log of visits, from which the report's effort comes.
    """

    files: list[Path] = field(default_factory=list)
    expected: dict[str, tuple[str, str, int, float, float]] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    preliminary: tuple[str, ...] = ()
    events: int = 0


class _Files:
    """Open files by name, each put in its place when all is written."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._open: dict[str, IO[str]] = {}

    def __getitem__(self, name: str) -> IO[str]:
        if name not in self._open:
            beside = self._stack.enter_context(replacing(self._folder / name))
            stream = beside.open("w", encoding="utf-8", newline="\n")
            self._open[name] = self._stack.enter_context(stream)
        return self._open[name]

    def paths(self) -> list[Path]:
        return [self._folder / name for name in self._open]


def write_evidence(
    results: CampaignResults, folder: Path, options: TerOptions, preliminary: Sequence[str] = ()
) -> Evidence:
    """Write the files into ``folder`` (made if need be), with a README and ``expected.tsv``.

    Open segments, which no team has finished, are in no file; the README says what is missing.

    Raises:
        WorldError: ``report.folder-not-writable``, ``report.cannot-write``.
    """
    prepare_folder(folder)
    evidence = Evidence(preliminary=tuple(preliminary))
    sums: dict[str, _Sums] = {}
    with ExitStack() as stack:
        files = _Files(folder, stack)
        for scored in results.segments:
            _write_segment(scored, files, sums, evidence, options)
        for name in list(sums):
            own = sums[name]
            stem, _, kind = name.removesuffix(".ref").rpartition(".")
            hypothesis = f"{stem}.{kind}.hyp" if kind.startswith("listed") else f"{stem}.hyp"
            lengths = f"{stem}.reference.ref" if kind == "chosen-reference" else ""
            evidence.expected[name] = (hypothesis, lengths, own.segments, own.edits, own.words)
        files["expected.tsv"].write(_expected(evidence))
        files["README.txt"].write(_readme(evidence, options))
        evidence.files = files.paths()
    return evidence


def _write_segment(
    scored: ScoredSegment,
    files: _Files,
    sums: dict[str, _Sums],
    evidence: Evidence,
    options: TerOptions,
) -> None:
    record, score = scored.record, scored.score
    choice = score.choice(Denominator.CHOSEN)
    if choice.outcome is Outcome.OPEN:
        return
    stem = f"{set_of(record)}.{urllib.parse.quote(record.system, safe='._-')}"
    name = segment_id(record.kit, record.base, record.segment)
    texts = [record.output, record.reference]
    texts += [text for team in record.teams for text in (team.final,) if text]
    if any(_DROPPED.search(text) for text in texts):
        evidence.dropped.append(name)
    files[f"{stem}.hyp"].write(_line(record.output, name, options))
    files[f"{stem}.reference.ref"].write(_line(record.reference, name, options))
    for kind, denominator in (
        ("chosen", Denominator.CHOSEN),
        ("chosen-reference", Denominator.REFERENCE),
    ):
        own = score.choice(denominator)
        files[f"{stem}.{kind}.ref"].write(_line(_chosen_text(scored, own), name, options))
        sums.setdefault(f"{stem}.{kind}.ref", _Sums()).add(own.edits, own.words)
    for number, (team, text) in enumerate(zip(score.teams, record.teams, strict=True), start=1):
        final = record.reference if score.no_output is not None else text.final
        if team.final is None or final is None:
            continue
        files[f"{stem}.listed-{number}.hyp"].write(_line(record.output, name, options))
        files[f"{stem}.listed-{number}.ref"].write(_line(final, name, options))
        sums.setdefault(f"{stem}.listed-{number}.ref", _Sums()).add(
            team.final.edits, team.final.words
        )


def _chosen_text(scored: ScoredSegment, choice: Choice) -> str:
    if choice.team is None:
        return scored.record.reference
    return scored.record.teams[choice.team].final or ""


def _expected(evidence: Evidence) -> str:
    lines = ["hypothesis\treference\tlengths\tsegments\tedits\twords\tter\n"]
    for name, (hypothesis, lengths, segments, edits, words) in evidence.expected.items():
        ter = "n/a" if words <= 0 else repr(edits / words)
        lines.append(
            f"{hypothesis}\t{name}\t{lengths}\t{segments}\t{plain(edits)}\t{plain(words)}\t{ter}\n"
        )
    return "".join(lines)


def _switches(options: TerOptions) -> str:
    switches = []
    if options.case_sensitive:
        switches.append("-s")
    if options.normalise:
        switches.append("-N")
    if options.no_punctuation:
        switches.append("-P")
    if options.beam is not None and options.beam != 20:
        switches.append(f"-b {options.beam}")
    if options.max_shift_distance != 50:
        switches.append(f"-d {options.max_shift_distance}")
    return " ".join(switches)


def _readme(evidence: Evidence, options: TerOptions) -> str:
    lines = [
        "Files for tercom 0.7.25 that reproduce a campaign's HTER.",
        "",
        "Run Java with -Dfile.encoding=UTF-8. The last line of each output, Total TER, must give",
        "the edits and words of expected.tsv; the .ter file gives them segment by segment.",
        "",
    ]
    for name, (hypothesis, lengths, *_rest) in evidence.expected.items():
        more = f" -a {lengths}" if lengths else ""
        switches = _switches(options)
        stem = name.removesuffix(".ref")
        lines.append(
            f"java -Dfile.encoding=UTF-8 -jar tercom.7.25.jar {switches} -h {hypothesis} "
            f"-r {name}{more} -n {stem}"
        )
    lines += ["", *(f"Preliminary: {sentence}." for sentence in evidence.preliminary)]
    lines += ["Ids are kit/document/segment, with special characters as %XX.", ""]
    if options.beam is None or options.nfkc or options.translation():
        lines.append(
            "The campaign was scored with options that tercom does not have: its numbers differ."
        )
    if evidence.dropped:
        lines.append(
            "These segments hold U+0085, U+2028 or U+2029, at which tercom drops a line: "
            + ", ".join(evidence.dropped)
        )
    return "\n".join(lines) + "\n"

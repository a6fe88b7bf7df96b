"""The original's command: read a hypothesis and a reference file, score, write its files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from madcat_studio.errors import InputError, StudioError, UsageError
from madcat_studio.formats.tercom_files import Entry, Kind, TercomFile, read_tercom_file
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.files import replacing
from madcat_studio.reports.tercom_listings import (
    FORMATS,
    Listing,
    Row,
    java_double,
    write_listing,
)
from madcat_studio.scoring import kernel
from madcat_studio.scoring.ter import (
    Costs,
    TerOptions,
    TerResult,
    ter,
    ter_corpus,
    ter_words,
)
from madcat_studio.scoring.text import words

__all__ = ["TercomStop", "TercomTask", "parse_arguments", "run_tercom"]


class TercomStop(StudioError):
    """The original would stop here with exit status 1, after what it has said on its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TercomTask:
    """What the command line asks for.

    Attributes:
        reference: the file of ``-r``.
        hypothesis: the file of ``-h``.
        lengths: the file of ``-a``, or None.
        spans: the prefix of ``-S``, or None.
        outputs: which files to write.
        prefix: of their names; None: no file.
        options: how to score.
    """

    reference: str
    hypothesis: str
    lengths: str | None = None
    spans: str | None = None
    outputs: tuple[str, ...] = tuple(FORMATS)
    prefix: str | None = None
    options: TerOptions = field(
        default_factory=lambda: TerOptions(case_sensitive=False, normalise=False)
    )


_USAGE = (
    "usage: madcat-studio tercom -r REF -h HYP [-N] [-s] [-P] [-b BEAM] [-d DISTANCE] "
    "[-a LENGTHS] [-S SPANS] [-o sum,pra,pra_more,xml,ter,sum_nbest -n PREFIX] "
    "[-M COST] [-T COST] [-I COST] [-D COST] [-B COST]"
)
_COSTS = {
    "M": "match",
    "T": "shift",
    "I": "insertion",
    "D": "deletion",
    "B": "substitution",
}


def parse_arguments(arguments: Sequence[str]) -> TercomTask:
    """Understand a command line as the original does: by the first letter after the hyphen.

    Raises:
        TercomStop: with the usage, where the original prints its own.
        UsageError: a number that is none.
    """
    values: dict[str, str] = {}
    switches: set[str] = set()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        letter = argument[1:2]
        if not argument.startswith("-"):
            raise TercomStop("tercom.usage", _USAGE)
        if letter in ("N", "s", "P"):
            switches.add(letter)
        elif letter and letter in "rhbdaSonMTIDB":
            if not rest or rest[0].startswith("-"):
                raise TercomStop("tercom.usage", _USAGE)
            values[letter] = rest.pop(0)
    if "r" not in values or "h" not in values:
        raise TercomStop("tercom.usage", _USAGE)
    costs = replace(
        Costs(),
        **{name: _number(values[key], key) for key, name in _COSTS.items() if key in values},
    )
    outputs = tuple(FORMATS)
    if "o" in values:
        outputs = tuple(name for name in FORMATS if name in values["o"].split(","))
    return TercomTask(
        reference=values["r"],
        hypothesis=values["h"],
        lengths=values.get("a"),
        spans=values.get("S"),
        outputs=outputs,
        prefix=values.get("n"),
        options=TerOptions(
            case_sensitive="s" in switches,
            normalise="N" in switches,
            no_punctuation="P" in switches,
            beam=_whole(values.get("b", "20"), "b"),
            max_shift_distance=_whole(values.get("d", "50"), "d"),
            costs=costs,
        ),
    )


def _number(text: str, letter: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _not_a_number(text, letter, "a number") from None


def _whole(text: str, letter: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _not_a_number(text, letter, "a whole number") from None


def _not_a_number(text: str, letter: str, what: str) -> UsageError:
    return UsageError("tercom.number", f"-{letter} {text} is not {what}")


def run_tercom(
    task: TercomTask,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    *,
    strict: bool = False,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> None:
    """Do what the original does.

    Args:
        task: what to do.
        say: takes each line of the original's standard output. The two counters of its search
            (calls, shifts tried) are left out, for this search makes fewer.
        warn: takes what the original drops without a word.
        strict: make that an error.
        jobs: how many threads compute.
        progress: told how many hypotheses are done.

    Raises:
        TercomStop: where the original exits with status 1.
        InputError: with ``strict``, something would be dropped.
    """
    hypotheses = read_tercom_file(Path(task.hypothesis))
    references = read_tercom_file(Path(task.reference))
    lengths = None if task.lengths is None else read_tercom_file(Path(task.lengths))
    _tell_kinds(task, hypotheses, references, lengths, say)
    if (hypotheses.kind is Kind.TRANS) != (references.kind is Kind.TRANS):
        say("** Error: Both hypothesis and reference have to be in the SAME format")
        raise TercomStop(
            "tercom.formats",
            f"{task.hypothesis} is {hypotheses.kind.value} and {task.reference} is "
            f"{references.kind.value}",
            remedy="Give both as Trans lines, or both as SGML or XML",
        )
    _tell_losses(task, hypotheses, references, lengths, warn, strict)
    if hypotheses.kind is Kind.TRANS:
        say("** Warning: XML ouput may not have correct doc id for Trans format inputs")
    wanted = hypotheses.by_id()
    known = references.by_id()
    known_lengths = None if lengths is None else lengths.by_id()

    found: list[tuple[str, str, Entry, list[Entry]]] = []
    missing: str | None = None
    for name, entries in wanted.items():
        segment, rank = _split_rank(name)
        if segment not in known:
            missing = segment
            break
        found.append((segment, rank, entries[0], known[segment]))

    results = _score(task, found, known_lengths, jobs, progress)
    for segment, rank, _, _ in found:
        say(f"Processing {segment}:{rank}")
        if known_lengths is not None and segment not in known_lengths:
            say("Warning: NO reference length can be found for hyp: []")
            warn(f"{task.lengths} has no segment {segment}: its references give the length")
    if missing is not None:
        for name in task.outputs if task.prefix is not None else ():
            _write(f"{task.prefix}.{name}", "")
        say(f"***ERROR*** No reference for segment {missing}")
        raise TercomStop(
            "tercom.no-reference",
            f"segment {missing} has no reference",
            where=task.reference,
            remedy="Every segment of the hypotheses needs one; an id is cut at its last colon",
        )
    rows = [_row(task, *one, result) for one, result in zip(found, results, strict=True)]
    if task.prefix is not None:
        listing = Listing(
            task.hypothesis,
            task.reference,
            task.lengths or task.reference,
            rows,
            hypotheses.attributes,
            task.options.case_sensitive,
        )
        for name in task.outputs:
            _write(f"{task.prefix}.{name}", write_listing(listing, name))
    edits = words_ = 0.0
    for result in results:
        edits += result.edits
        words_ += result.words
    total = edits / words_ if words_ else (float("inf") if edits else float("nan"))
    say(f"Total TER: {java_double(total)} ({java_double(edits)}/{java_double(words_)})")
    scored = sum(
        bool(_folded(entry.text, task)) and bool(_folded(reference.text, task))
        for _, _, entry, others in found
        for reference in others
    )
    say(f"Number of segments scored: {scored}")


def _tell_kinds(
    task: TercomTask,
    hypotheses: TercomFile,
    references: TercomFile,
    lengths: TercomFile | None,
    say: Callable[[str], None],
) -> None:
    """What each file was taken for; the original takes Trans lines up last."""
    files = [(task.hypothesis, hypotheses), (task.reference, references)]
    if task.lengths is not None and lengths is not None:
        files.append((task.lengths, lengths))
    for path, read in sorted(files, key=lambda one: one[1].kind is Kind.TRANS):
        for line in read.invalid_lines:
            say(f"Warning, Invalid line: {line}")
        say(f'"{path}" was successfully parsed as {read.kind.value}')


def _tell_losses(
    task: TercomTask,
    hypotheses: TercomFile,
    references: TercomFile,
    lengths: TercomFile | None,
    warn: Callable[[str], None],
    strict: bool,
) -> None:
    losses: list[str] = []
    for path, read in (
        (task.hypothesis, hypotheses),
        (task.reference, references),
        (task.lengths, lengths),
    ):
        if read is not None:
            losses += [
                f"{path}{f':{one.line}' if one.line else ''}: {one.what}" for one in read.dropped
            ]
    for name, entries in hypotheses.by_id().items():
        if len(entries) > 1:
            losses.append(f"{task.hypothesis}: only the first of {len(entries)} texts of {name}")
    scored = {_split_rank(name)[0] for name in hypotheses.by_id()}
    unused = [name for name in references.by_id() if name not in scored]
    if unused:
        shown = ", ".join(unused[:5]) + (" …" if len(unused) > 5 else "")
        losses.append(f"{task.reference}: {len(unused)} segments without hypothesis ({shown})")
    if losses and strict:
        raise InputError(
            "tercom.dropped",
            f"{len(losses)} parts of the input would not be scored as they stand: "
            + "; ".join(losses[:10])
            + ("; …" if len(losses) > 10 else ""),
            remedy="Mend the files, or leave out --strict",
        )
    for loss in losses:
        warn(f"not scored as it stands: {loss}")


_RANKED = re.compile(r"[ \t\n\v\f\r]*(.*):([^ \t\n\v\f\r]+)")


def _split_rank(name: str) -> tuple[str, str]:
    """The segment and the rank of a hypothesis: the part after the last colon is the rank."""
    if ":" in name and (parts := _RANKED.fullmatch(name)):
        return parts[1], parts[2]
    return name, "1"


def _folded(text: str, task: TercomTask) -> str:
    return text if task.options.case_sensitive else text.lower()


def _score(
    task: TercomTask,
    found: Sequence[tuple[str, str, Entry, list[Entry]]],
    lengths: dict[str, list[Entry]] | None,
    jobs: int,
    progress: Progress,
) -> list[TerResult]:
    outputs = [entry.text.replace("\0", "\ufffd") for _, _, entry, _ in found]
    references = [
        [other.text.replace("\0", "\ufffd") for other in others] for _, _, _, others in found
    ]
    if task.spans is not None:
        return _score_with_spans(task, found, outputs, references)
    results = list(
        ter_corpus(outputs, references, task.options, jobs=jobs, progress=progress).segments
    )
    if lengths is not None:
        for index, (segment, _, _, _) in enumerate(found):
            if segment in lengths:
                texts = [entry.text for entry in lengths[segment]]
                mean = ter("", texts, task.options).words
                results[index] = replace(results[index], words=mean)
    return results


def _score_with_spans(
    task: TercomTask,
    found: Sequence[tuple[str, str, Entry, list[Entry]]],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
) -> list[TerResult]:
    spans = []
    for suffix in ("hyp", "ref"):
        path = Path(f"{task.spans}.{suffix}")
        spans.append({name: entries[0] for name, entries in read_tercom_file(path).by_id().items()})
    results: list[TerResult] = []
    for (segment, _, entry, _), output, texts in zip(found, outputs, references, strict=True):
        if len(texts) != 1:
            raise UsageError(
                "tercom.spans",
                f"segment {segment} has {len(texts)} references",
                where=task.reference,
                remedy="-S works with one reference for each segment",
            )
        hyp, ref = words(output, task.options), words(texts[0], task.options)
        results.append(
            ter_words(
                hyp,
                [ref],
                task.options,
                spans=(
                    _spans(spans[0].get(entry.id), len(hyp), f"{task.spans}.hyp", entry.id),
                    _spans(spans[1].get(segment), len(ref), f"{task.spans}.ref", segment),
                ),
            )
        )
    return results


def _spans(entry: Entry | None, count: int, path: str, name: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for part in entry.text.split() if entry is not None else ():
        first, _, last = part.partition(":")
        if not (first.isdecimal() and last.isdecimal()):
            raise UsageError("tercom.spans", f"{part!r} of segment {name} is no span", where=path)
        found.append((int(first), int(last)))
    if len(found) != count:
        raise UsageError(
            "tercom.spans",
            f"segment {name} has {count} words and {len(found)} spans",
            where=path,
            remedy="Give one first:last for each word, and the segment's (id) after them",
        )
    return found


def _row(
    task: TercomTask,
    segment: str,
    rank: str,
    entry: Entry,
    references: Sequence[Entry],
    result: TerResult,
) -> Row:
    best = references[result.reference_index]
    return Row(
        id=f"{segment}:{rank}",
        result=result,
        reference_system=best.system,
        document=entry.document,
        segment=entry.segment if entry.document or entry.segment.isdecimal() else segment,
        rank=rank,
        null=not entry.text or not best.text,
        states=lambda: _states(result, task.options),
    )


def _states(result: TerResult, options: TerOptions) -> list[str]:
    """The path after each shift."""
    unshifted = replace(options, max_shift_distance=0)
    current = list(result.output_words)
    paths: list[str] = []
    for shift in result.shifts[:-1]:
        current = kernel.move(current, shift.start, shift.end, shift.newloc)
        paths.append(ter_words(current, [result.reference_words], unshifted).alignment)
    return [*paths, result.alignment]


def _write(path: str, text: str) -> None:
    with replacing(Path(path)) as beside:
        beside.write_text(text, encoding="utf-8", newline="")

"""The original's command: read a hypothesis and a reference file, score, write its files."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from pathlib import Path

import numpy as np

from madcat_studio.errors import InputError, UsageError, WorldError
from madcat_studio.formats.java import java_int
from madcat_studio.formats.tercom_files import TercomFile, TextFormat, read_tercom_file
from madcat_studio.operations.scores.tercom_task import TercomStop, TercomTask
from madcat_studio.progress import SILENT, Progress, stopper
from madcat_studio.reports.files import replacing
from madcat_studio.reports.tercom_listings import Listing, Row, one_sided, write_listing
from madcat_studio.scoring.duration import long_segments, long_texts
from madcat_ter import kernel
from madcat_ter.kernel.python_text import Ids, java_double
from madcat_ter.options import TerOptions
from madcat_ter.ter import (
    TerResult,
    ter,
    ter_corpus,
    ter_counts,
    ter_id_counts,
    ter_words,
)
from madcat_ter.text import words

__all__ = ["run_tercom"]


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
    if _run_plain_case(task, say, warn, strict, jobs, progress):
        return
    quick = kernel.text.trans_lines
    hypotheses = read_tercom_file(Path(task.hypothesis), quick)
    references = read_tercom_file(Path(task.reference), quick)
    lengths = None if task.lengths is None else read_tercom_file(Path(task.lengths), quick)
    _tell_kinds(task, hypotheses, references, lengths, say)
    _refuse_two_formats(task, hypotheses, references, say)
    wanted, known = hypotheses.by_id(), references.by_id()
    ranked = {name: _split_rank(name) if ":" in name else (name, "1") for name in wanted}
    losses = _losses(task, hypotheses, references, lengths)
    losses += _unused(task, wanted, known, {segment for segment, _ in ranked.values()})
    if losses and strict:
        raise _strict(losses)
    for loss in losses:
        warn(f"not scored as it stands: {loss}")
    if hypotheses.kind is TextFormat.TRANS:
        say(_NO_DOC_IDS)
    task = _without_refused(task, say, warn, strict)
    known_lengths = None if lengths is None else (lengths, lengths.by_id())

    found, missing = _found(wanted, known, ranked)
    _warn_of_long(task, found, hypotheses, references, warn)
    scored = _score(
        task, found, hypotheses, references, known_lengths, warn, strict, jobs, progress
    )
    ids = [f"{segment}:{rank}" for segment, rank, _, _ in found]
    rows = _rows(task, found, ids, scored, hypotheses, references)
    one_sided_of = one_sided if "pra_more" in _wanted(task) else _none
    for place, (name, (segment, _, _, _)) in enumerate(zip(ids, found, strict=True)):
        say(f"Processing {name}")
        for _ in range(one_sided_of(rows[place]) if rows else 0):
            say("unexpected empty")
        if known_lengths is not None and segment not in known_lengths[1]:
            say("Warning: NO reference length can be found for hyp: []")
            warn(f"{task.lengths} has no segment {segment}: its references give the length")
    if missing is not None:
        raise _no_reference(task, missing, say)
    if task.prefix is not None:
        listing = Listing(
            task.hypothesis,
            task.reference,
            task.lengths or task.reference,
            ids,
            scored.edits,
            scored.words,
            rows,
            hypotheses.attributes,
            task.options.case_sensitive,
        )
        # All of them are made before the first takes its place.
        for name, text in [(name, write_listing(listing, name)) for name in task.outputs]:
            _write(f"{task.prefix}.{name}", text)
    pairs = sum(
        len(others) - [references.texts[other] for other in others].count("")
        for _, _, index, others in found
        if hypotheses.texts[index]
    )
    _say_totals(scored.edits, scored.words, pairs, say)


def _refuse_two_formats(
    task: TercomTask, hypotheses: TercomFile, references: TercomFile, say: Callable[[str], None]
) -> None:
    if (hypotheses.kind is TextFormat.TRANS) != (references.kind is TextFormat.TRANS):
        say("** Error: Both hypothesis and reference have to be in the SAME format")
        raise TercomStop(
            "tercom.formats",
            f"{task.hypothesis} is {hypotheses.kind.value} and {task.reference} is "
            f"{references.kind.value}",
            remedy="Give both as Trans lines, or both as SGML or XML",
        )


def _found(
    wanted: Mapping[str, Sequence[int]],
    known: Mapping[str, list[int]],
    ranked: Mapping[str, tuple[str, str]],
) -> tuple[list[_Found], str | None]:
    """The texts with their references, up to the first segment without one, and that segment."""
    found: list[_Found] = []
    for name, indices in wanted.items():
        segment, rank = ranked[name]
        others = known.get(segment)
        if others is None:
            return found, segment
        found.append((segment, rank, indices[0], others))
    return found, None


def _no_reference(task: TercomTask, segment: str, say: Callable[[str], None]) -> TercomStop:
    """The original's end where a segment has no reference: its files are there and empty."""
    for name in _wanted(task):
        _write(f"{task.prefix}.{name}", "")
    say(f"***ERROR*** No reference for segment {segment}")
    return TercomStop(
        "tercom.no-reference",
        f"segment {segment} has no reference",
        where=task.reference,
        remedy="Every segment of the hypotheses needs one; an id is cut at its last colon",
    )


def _warn_of_long(
    task: TercomTask,
    found: Sequence[_Found],
    hypotheses: TercomFile,
    references: TercomFile,
    warn: Callable[[str], None],
) -> None:
    for told in long_texts(
        [segment for segment, _, _, _ in found],
        [hypotheses.texts[index] for _, _, index, _ in found],
        [[references.texts[other] for other in others] for _, _, _, others in found],
        task.options,
        spans=task.spans is not None,
    ):
        warn(told)


def _numbered(names: Sequence[str], ids: Ids) -> Iterator[tuple[str, list[int], list[int]]]:
    """The longer pairs of words that are numbers already."""
    outputs, output_ends, references, reference_ends = ids
    sizes = np.diff(output_ends, prepend=0) * np.diff(reference_ends, prepend=0)
    for place in np.flatnonzero(sizes > _FEW_CELLS).tolist():
        a, b = (ends[place - 1] if place else 0 for ends in (output_ends, reference_ends))
        yield (
            names[place],
            outputs[a : output_ends[place]].tolist(),
            references[b : reference_ends[place]].tolist(),
        )


_FEW_CELLS = 20_000
"""Words times words that are never long."""


def _wanted(task: TercomTask) -> tuple[str, ...]:
    """The files to write."""
    return task.outputs if task.prefix is not None else ()


def _none(_row: Row) -> int:
    return 0


_OPENED = ("xml", "pra", "pra_more", "ter", "sum", "sum_nbest")
"""The order in which the original opens its files, before it scores."""


def _without_refused(
    task: TercomTask, say: Callable[[str], None], warn: Callable[[str], None], strict: bool
) -> TercomTask:
    """The task without the files that cannot be written: the original names them and goes on."""
    refused = set()
    for name in _OPENED:
        path = f"{task.prefix}.{name}"
        reason = _refusal(Path(path)) if name in _wanted(task) else None
        if reason is None:
            continue
        refused.add(name)
        if strict:
            raise WorldError(
                "tercom.cannot-write",
                f"the file cannot be written ({reason})",
                where=path,
                remedy="Name an existing folder where you can write, or leave out --strict",
            )
        say(f"java.io.FileNotFoundException: {path} ({reason})")
        warn(f"not written: {path} ({reason})")
    return replace(task, outputs=tuple(name for name in task.outputs if name not in refused))


def _refusal(path: Path) -> str | None:
    """Why no file can be written there, in the words of the system."""
    import tempfile

    if path.is_dir():
        return os.strerror(errno.EISDIR)
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            return None
    except OSError as error:
        return error.strerror or str(error)


def _run_plain_case(
    task: TercomTask,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    strict: bool,
    jobs: int,
    progress: Progress,
) -> bool:
    """The usual case at the kernel's own pace: Trans lines, one reference each, ``.ter`` at most.

    Returns:
        False where the case is another one; then nothing was said or written.
    """
    options = task.options
    if task.lengths is not None or task.spans is not None or not options.case_sensitive:
        return False
    if task.prefix is not None and task.outputs != ("ter",):
        return False
    try:
        data = [Path(path).read_bytes() for path in (task.hypothesis, task.reference)]
        for one in data:
            one.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if any(b"<" in one or b"\0" in one for one in data):
        return False
    pairs = kernel.text.trans_pairs(
        *data, options.normalise, options.no_punctuation, stopper(progress)
    )
    if pairs is None:
        return False
    names, ids, scored = pairs
    for told in long_segments(_numbered(names, ids), options):
        warn(told)
    numbers = ter_id_counts(ids, options, jobs=jobs, progress=progress)
    edits, words_ = numbers.edits.tolist(), numbers.words.tolist()
    for path in (task.hypothesis, task.reference):
        say(f'"{path}" was successfully parsed as {TextFormat.TRANS.value}')
    say(_NO_DOC_IDS)
    task = _without_refused(task, say, warn, strict)
    shown = [f"{name}:1" for name in names]
    if shown:
        # In one piece: a line each would take longer than the scores of short segments.
        say("\n".join(f"Processing {name}" for name in shown))
    if _wanted(task):
        listing = Listing(
            task.hypothesis, task.reference, task.reference, shown, edits, words_, [], {}, True
        )
        _write(f"{task.prefix}.ter", write_listing(listing, "ter"))
    _say_totals(edits, words_, scored, say)
    return True


_NO_DOC_IDS = "** Warning: XML ouput may not have correct doc id for Trans format inputs"


def _say_totals(
    edits: Sequence[float], words_: Sequence[float], scored: int, say: Callable[[str], None]
) -> None:
    # One after the other, as the original adds; Python's sum() is more exact.
    all_edits, all_words = reduce(add, edits, 0.0), reduce(add, words_, 0.0)
    nothing = float("inf") if all_edits else float("nan")
    total = all_edits / all_words if all_words else nothing
    numbers = f"{java_double(all_edits)}/{java_double(all_words)}"
    say(f"Total TER: {java_double(total)} ({numbers})")
    say(f"Number of segments scored: {scored}")


_Found = tuple[str, str, int, list[int]]  # segment, rank, its text, its references


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
    for path, read in sorted(files, key=lambda one: one[1].kind is TextFormat.TRANS):
        for line in read.invalid_lines:
            say(f"Warning, Invalid line: {line}")
        say(f'"{path}" was successfully parsed as {read.kind.value}')


def _losses(
    task: TercomTask,
    hypotheses: TercomFile,
    references: TercomFile,
    lengths: TercomFile | None,
) -> list[str]:
    """What reading the files has lost."""
    return [
        f"{path}{f':{one.line}' if one.line else ''}: {one.what}"
        for path, read in (
            (task.hypothesis, hypotheses),
            (task.reference, references),
            (task.lengths, lengths),
        )
        if read is not None
        for one in read.dropped
    ]


def _unused(
    task: TercomTask,
    wanted: Mapping[str, Sequence[int]],
    known: Mapping[str, Sequence[int]],
    scored: Set[str],
) -> list[str]:
    """Texts that no score comes from."""
    losses = [
        f"{task.hypothesis}: only the first of {len(indices)} texts of {name}"
        for name, indices in wanted.items()
        if len(indices) > 1
    ]
    unused = [name for name in known if name not in scored]
    if unused:
        shown = ", ".join(unused[:5]) + (" …" if len(unused) > 5 else "")
        losses.append(f"{task.reference}: {len(unused)} segments without hypothesis ({shown})")
    return losses


def _strict(losses: Sequence[str]) -> InputError:
    return InputError(
        "tercom.dropped",
        f"{len(losses)} parts of the input would not be scored as they are: "
        + "; ".join(losses[:10])
        + ("; …" if len(losses) > 10 else ""),
        remedy="Mend the files, or leave out --strict",
    )


_RANKED = re.compile(r"[ \t\n\v\f\r]*(.*):([^ \t\n\v\f\r]+)")


def _split_rank(name: str) -> tuple[str, str]:
    """The segment and the rank of a hypothesis: the part after the last colon is the rank."""
    parts = _RANKED.fullmatch(name)
    return (parts[1], parts[2]) if parts is not None else (name, "1")


@dataclass(frozen=True, slots=True)
class _Scored:
    """Numbers of all hypotheses side by side; alignments only where a file shows them."""

    counts: list[list[int]]
    edits: list[float]
    words: list[float]
    results: Sequence[TerResult] | None
    spans: Sequence[_Spans] | None = None


_Spans = tuple[kernel.Spans, kernel.Spans]


def _score(
    task: TercomTask,
    found: Sequence[_Found],
    hypotheses: TercomFile,
    references: TercomFile,
    lengths: tuple[TercomFile, dict[str, list[int]]] | None,
    warn: Callable[[str], None],
    strict: bool,
    jobs: int,
    progress: Progress,
) -> _Scored:
    # A NUL is no blank to the original, and nothing else either; any other character will do.
    output_texts, reference_texts = (
        [text.replace("\0", "\ufffd") for text in file.texts] if file.has_nul else file.texts
        for file in (hypotheses, references)
    )
    outputs = [output_texts[index] for _, _, index, _ in found]
    grouped = [[reference_texts[other] for other in others] for _, _, _, others in found]
    means: dict[int, float] = {}
    if lengths is not None:
        file, by_id = lengths
        for place, (segment, _, _, _) in enumerate(found):
            if segment in by_id:
                texts = [file.texts[index] for index in by_id[segment]]
                means[place] = ter("", texts, task.options).words
    if task.spans is None and not _ALIGNED.intersection(_wanted(task)):
        numbers = ter_counts(outputs, grouped, task.options, jobs=jobs, progress=progress)
        words_ = numbers.words.tolist()
        for place, mean in means.items():
            words_[place] = mean
        return _Scored(numbers.counts.tolist(), numbers.edits.tolist(), words_, None)
    spans: list[_Spans] | None = None
    if task.spans is not None:
        spans = []
        results = []
        for place, told in enumerate(_read_spans(task, found, hypotheses)):
            words_of = [words(text, task.options) for text in (outputs[place], *grouped[place])]
            spans.append(_spans_of_words(task, told, words_of, warn, strict))
            results.append(
                ter_words(
                    words_of[0],
                    words_of[1:],
                    task.options,
                    spans=spans[-1],
                    spans_move=task.spans_move,
                    progress=progress,
                )
            )
            progress.advance(len(results), len(found))
    else:
        corpus = ter_corpus(outputs, grouped, task.options, jobs=jobs, progress=progress)
        results = list(corpus.segments)
    for place, mean in means.items():
        results[place] = replace(results[place], words=mean)
    counts = [
        [one.insertions, one.deletions, one.substitutions, one.shift_count, one.shifted_words]
        for one in results
    ]
    return _Scored(
        counts, [one.edits for one in results], [one.words for one in results], results, spans
    )


def _rows(
    task: TercomTask,
    found: Sequence[_Found],
    ids: Sequence[str],
    scored: _Scored,
    hypotheses: TercomFile,
    references: TercomFile,
) -> list[Row]:
    if not _wanted(task) or task.outputs == ("ter",):
        return []
    trans = hypotheses.kind is TextFormat.TRANS
    rows: list[Row] = []
    for place, (segment, rank, index, others) in enumerate(found):
        numbers = scored.counts[place], scored.edits[place], scored.words[place]
        if scored.results is None:
            rows.append(Row(ids[place], *numbers))
            continue
        result = scored.results[place]
        best = others[result.reference_index]
        origin = None if trans else hypotheses.origins[index]
        rows.append(
            Row(
                ids[place],
                *numbers,
                result,
                reference_system="" if trans else references.origins[best].system,
                document="" if origin is None else origin.document,
                segment=segment if origin is None else origin.segment,
                rank=rank,
                null=not hypotheses.texts[index] or not references.texts[best],
                states=partial(
                    _states,
                    result,
                    task.options,
                    None if scored.spans is None else scored.spans[place],
                    task.spans_move,
                ),
            )
        )
    return rows


_ALIGNED = frozenset({"pra", "pra_more", "xml"})
"""Files that show alignments; the others need numbers only."""


@dataclass(frozen=True, slots=True)
class _TextSpans:
    """The spans that the files of ``-S`` give to one segment, as texts, and where these stand."""

    output: str
    reference: str
    output_at: str
    reference_at: str


def _read_spans(
    task: TercomTask, found: Sequence[_Found], hypotheses: TercomFile
) -> Iterator[_TextSpans]:
    texts = []
    for suffix in ("hyp", "ref"):
        file = read_tercom_file(Path(f"{task.spans}.{suffix}"))
        texts.append({name: file.texts[indices[0]] for name, indices in file.by_id().items()})
    for segment, _, index, others in found:
        if len(others) != 1:
            raise UsageError(
                "tercom.spans",
                f"segment {segment} has {len(others)} references",
                where=task.reference,
                remedy="-S works with one reference for each segment",
            )
        name = hypotheses.ids[index]
        yield _TextSpans(
            texts[0].get(name, ""),
            texts[1].get(segment, ""),
            f"{task.spans}.hyp: segment {name}",
            f"{task.spans}.ref: segment {segment}",
        )


_ANYWHERE = (-(2**31), 2**31 - 1)
"""The span of a word that has none: it overlaps all others."""


def _spans_of_words(
    task: TercomTask,
    told: _TextSpans,
    words_of: Sequence[Sequence[str]],
    warn: Callable[[str], None],
    strict: bool,
) -> _Spans:
    spans: list[list[tuple[int, int]]] = []
    for text, where, count in (
        (told.output, told.output_at, len(words_of[0])),
        (told.reference, told.reference_at, len(words_of[1])),
    ):
        read = []
        for part in text.split():
            first, _, last = part.partition(":")
            span = java_int(first), java_int(last)
            if span[0] is None or span[1] is None:
                raise UsageError("tercom.spans", f"{part!r} is not a span", where=where)
            read.append((span[0], span[1]))
        if len(read) != count:
            # The original goes on, whatever their number.
            problem = f"there are {count} words and {len(read)} spans"
            if strict:
                raise UsageError(
                    "tercom.spans",
                    problem,
                    where=where,
                    remedy="Give one first:last for each word, and the segment's (id) after them",
                )
            warn(f"{where}: {problem}; words without a span may meet any other")
        spans.append([*read, *[_ANYWHERE] * (count - len(read))][:count])
    return spans[0], spans[1]


def _states(
    result: TerResult, options: TerOptions, spans: _Spans | None, spans_move: bool
) -> list[str]:
    """The path after each shift."""
    unshifted = replace(options, max_shift_distance=0)
    current = list(result.output_words)
    paths: list[str] = []
    for shift in result.shifts[:-1]:
        place = shift.start, shift.end, shift.newloc
        current = kernel.move(current, *place)
        moved = None if spans is None else (kernel.move(list(spans[0]), *place), spans[1])
        found = ter_words(current, [result.reference_words], unshifted, spans=moved)
        paths.append(found.alignment)
        spans = moved if spans_move else spans
    return [*paths, result.alignment]


def _write(path: str, text: str) -> None:
    with replacing(Path(path)) as beside:
        beside.write_text(text, encoding="utf-8", newline="")

"""The files that tercom 0.7.25 writes, byte for byte: ter, sum, sum_nbest, pra, pra_more, xml."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from madcat_ter import kernel
from madcat_ter.kernel.python_text import java_double
from madcat_ter.ter import Shift, TerResult

__all__ = ["FORMATS", "Listing", "Row", "fixed", "one_sided", "score", "write_listing"]


@dataclass(frozen=True, slots=True)
class Row:
    """One scored hypothesis.

    Attributes:
        id: with its rank, such as ``s1:1``.
        counts: insertions, deletions, substitutions, shifts, shifted words.
        edits: their cost.
        words: the denominator.
        result: the alignment; what pra, pra_more and xml need.
        reference_system: the ``sysid`` of the reference that counts.
        document: the ``docid``, "" in Trans.
        segment: the segment as the XML names it.
        rank: of the hypothesis.
        null: whether one side was empty.
        states: path after each shift, for the steps of pra_more.
    """

    id: str
    counts: Sequence[int]
    edits: float
    words: float
    result: TerResult | None = None
    reference_system: str = ""
    document: str = ""
    segment: str = ""
    rank: str = "1"
    null: bool = False
    states: Callable[[], Sequence[str]] = tuple


@dataclass(frozen=True, slots=True)
class Listing:
    """All that the files tell.

    Attributes:
        hypothesis_file: the path as the user gave it.
        reference_file: likewise.
        length_file: the file of ``-a``, or the reference file.
        ids: of the rows, with their ranks.
        edits: of the rows.
        words: of the rows.
        rows: in the order of the output; ``ter`` alone does without.
        attributes: ``setid``, ``srclang``, ``trglang``.
        case_sensitive: whether case counted.
    """

    hypothesis_file: str
    reference_file: str
    length_file: str
    ids: list[str]
    edits: list[float]
    words: list[float]
    rows: Sequence[Row]
    attributes: Mapping[str, str]
    case_sensitive: bool


def fixed(value: float, places: int) -> str:
    """A double as Java's ``%.nf`` writes it: half up on the shortest decimal form."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    unit = Decimal(1).scaleb(-places)
    return str(Decimal(repr(value)).quantize(unit, rounding=ROUND_HALF_UP))


def score(edits: float, words: float) -> float:
    """tercom's own rate: edits of nothing are 1.0."""
    if words <= 0:
        return 1.0 if edits > 0 else 0.0
    return edits / words


def _ter(listing: Listing) -> Iterable[str]:
    yield f"Hypothesis File: {listing.hypothesis_file}\n"
    yield f"Reference File: {listing.reference_file}\n"
    yield kernel.text.ter_lines(listing.ids, listing.edits, listing.words)


_RULE = "-" * 85 + "\n"
_SUM_HEAD = (
    f"{'Sent Id':<19} | Ins  | Del  | Sub  | Shft | WdSh | NumEr  | {'NumWd':<8} | {'TER':<8}\n"
)


def _row(row: Row, between: str) -> str:
    cells = [
        f"{row.id:<19}",
        *(f"{count:>4}" for count in row.counts),
        f"{fixed(row.edits, 1):>6}",
        f"{fixed(row.words, 3):>8}",
        f"{fixed(score(row.edits, row.words) * 100, 3):>8}",
    ]
    return between.join(cells) + "\n"


def _sum(listing: Listing) -> Iterable[str]:
    yield f"Hypothesis File: {listing.hypothesis_file}\n"
    yield f"Reference File: {listing.reference_file}\n"
    yield f"Ave-Reference File: {listing.length_file}\n"
    yield _SUM_HEAD
    yield _RULE
    totals = [0, 0, 0, 0, 0]
    # The original adds in floats of 32 bits, and its rounding shows.
    edits, words = np.float32(0), np.float32(0)
    for row in listing.rows:
        yield _row(row, " | ")
        totals = [one + two for one, two in zip(totals, row.counts, strict=True)]
        edits = np.float32(float(edits) + row.edits)
        words = np.float32(float(words) + row.words)
    yield _RULE
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = float(np.float64(edits) / np.float64(words) * 100)
    cells = [
        f"{'TOTAL':<19}",
        *(f"{count:<4}" for count in totals),
        f"{fixed(float(edits), 1):<6}",
        f"{fixed(float(words), 3):<8}",
        f"{fixed(rate, 3):<8}",
    ]
    yield " | ".join(cells) + "\n"


def _sum_nbest(listing: Listing) -> Iterable[str]:
    for row in listing.rows:
        yield _row(row, " ")


def _aligned(row: Row) -> TerResult:
    if row.result is None:
        raise ValueError(f"row {row.id} has no alignment to show")
    return row.result


def _pra(listing: Listing) -> Iterable[str]:
    for row in listing.rows:
        result = _aligned(row)
        yield f"Sentence ID: {row.id}\n"
        yield f"Original Ref: {' '.join(result.reference_words)}\n"
        yield f"Original Hyp: {' '.join(result.output_words)}\n"
        yield f"Hyp After Shift: {' '.join(result.shifted_output)}\n"
        if result.alignment:
            yield f"Alignment: ({result.alignment})\n"
        yield f"NumShifts: {result.shift_count}\n"
        for shift in result.shifts:
            place = f"[{shift.start}, {shift.end}, {shift.moveto}/{shift.newloc}]"
            yield f"  {place} ([{', '.join(shift.words)}])\n"
        edits, words = result.edits, result.words
        rate = java_double(score(edits, words))
        yield f"Score: {rate} ({java_double(edits)}/{java_double(words)})\n\n"


def _width(text: str) -> int:
    """The length in UTF-16, which the original pads by."""
    return len(text) + sum(character > "\uffff" for character in text)


def one_sided(row: Row) -> int:
    """How many substitutions of or by an empty word the columns of pra_more show.

    The original says each time that it did not expect it.
    """
    result = _aligned(row)
    if "" not in result.reference_words and "" not in result.output_words:
        return 0
    found = 0
    outputs = [result.shifted_output]
    paths = [result.alignment]
    if result.shifts and not row.null:
        current = list(result.output_words)
        for shift in result.shifts:
            current = kernel.move(current, shift.start, shift.end, shift.newloc)
            outputs.append(tuple(current))
        paths += row.states()
    for output, path in zip(outputs, paths, strict=True):
        i = j = 0
        for step in path:
            found += step == "S" and not (result.reference_words[i] and output[j])
            i += step != "I"
            j += step != "D"
    return found


def _columns(
    reference: Sequence[str],
    output: Sequence[str],
    path: str,
    marks: Sequence[_Word],
) -> tuple[str, str, str, str]:
    """REF, HYP, EVAL and SHFT over one another; ``marks`` of each output word."""
    lines: tuple[list[str], ...] = ([], [], [], [])

    def column(ref: str, hyp: str, kind: str, shifts: str) -> None:
        # The letter of a step has no width of its own: an empty word's column is as wide as it.
        width = max(map(_width, (ref, hyp, shifts)))
        if kind == "I":
            ref = "*" * width
        for line, cell in zip(lines, (ref, hyp, kind, shifts), strict=True):
            line.append(" " + cell + " " * (width - _width(cell)))

    i = j = 0
    for step in path:
        if step == "D":
            column(reference[i], "*" * _width(reference[i]), "D", "")
            i += 1
            continue
        word = marks[j]
        for number in word.sources:
            column("", "@", "", str(number))
        for number in word.opened:
            column("", "[", "", str(number))
        within = ",".join(map(str, word.within))
        if step == "I":
            column("", output[j], "I", within)
        elif step == "S":
            column(reference[i], output[j], "S", within)
            i += 1
        else:
            column(reference[i], output[j], "", "")
            i += 1
        for number in word.closed:
            column("", "]", "", str(number))
        j += 1
    return "".join(lines[0]), "".join(lines[1]), "".join(lines[2]), "".join(lines[3])


class _Word:
    """The marks that an output word carries: numbers of shifts."""

    def __init__(self) -> None:
        self.sources: list[int] = []  # whose blocks once stood before it
        self.opened: list[int] = []  # whose blocks begin with it
        self.closed: list[int] = []  # whose blocks end with it
        self.within: list[int] = []  # whose blocks it is in, shown if it is wrong all the same


def _marks(words: int, shifts: Sequence[Shift]) -> list[_Word]:
    """Where each shift's block came from and where it is, as later shifts carry the words on."""
    marked = [_Word() for _ in range(words)]
    for number, shift in enumerate(shifts, 1):
        behind = shift.end + 1
        if not _goes_left(shift) and behind < words:
            marked[behind].sources.append(number)
        # A block that goes over the end is taken to stand there; its last marks are lost.
        over = max(0, behind + shift.newloc - shift.start - words) if _overlaps(shift) else 0
        marked += [_Word() for _ in range(over)]
        marked = kernel.move(marked, shift.start, shift.end, shift.newloc)[:words]
        if _goes_left(shift) and behind < words:
            marked[behind].sources.append(number)
        first, _ = _landing(shift)
        last = first + shift.end - shift.start
        if first < words:
            marked[first].opened.append(number)
        if last < words:
            marked[last].closed.append(number)
        for word in marked[first : last + 1]:
            word.within.append(number)
    return marked


def _overlaps(shift: Shift) -> bool:
    """Whether the block is to go behind a word of its own; it goes right then."""
    return shift.start <= shift.newloc <= shift.end


def _goes_left(shift: Shift) -> bool:
    """Which way the original takes the block to go: by where its end was."""
    return shift.newloc < shift.end


def _landing(shift: Shift) -> tuple[int, int]:
    """Where the original takes the block to stand now, and how many words it went to the right.

    Of a block that goes behind a word of its own neither is so.
    """
    if _goes_left(shift):
        return shift.newloc + 1, shift.newloc + 1 - shift.start
    return shift.newloc - (shift.end - shift.start), shift.newloc - shift.end


def _way(shift: Shift) -> str:
    _, distance = _landing(shift)
    return f"{-distance} words left" if _goes_left(shift) else f"{distance} words right"


def _pra_more(listing: Listing) -> Iterable[str]:
    for row in listing.rows:
        result = _aligned(row)
        reference, output = result.reference_words, result.output_words
        marks = _marks(len(output), result.shifts)
        lines = _columns(reference, result.shifted_output, result.alignment, marks)
        yield f"Sentence ID: {row.id}\n"
        yield f"Best Ref: {' '.join(reference)}\n"
        yield f"Orig Hyp: {' '.join(output)}\n\n"
        for name, line in zip(("REF: ", "HYP: ", "EVAL:", "SHFT:"), lines, strict=True):
            yield f"{name}{line}\n"
        rate = fixed(score(result.edits, result.words) * 100, 2)
        yield (f"TER Score: {rate:>6} ({fixed(result.edits, 1):>5}/{fixed(result.words, 1):>5})\n")
        if row.null:
            yield "\n\n"
            continue
        yield "\n"
        current = list(output)
        states = row.states() if result.shifts else ()
        for shift, path in zip(result.shifts, states, strict=True):
            marks = _marks(len(current), [shift])
            current = kernel.move(current, shift.start, shift.end, shift.newloc)
            ref, hyp, _, _ = _columns(reference, current, path, marks)
            yield f"Shift [{', '.join(shift.words)}] {_way(shift)}\n REF: {ref}\n HYP: {hyp}\n\n"
        yield "\n\n"


def _xml(listing: Listing) -> Iterable[str]:
    attributes = listing.attributes
    date = datetime.now().astimezone().strftime("%a %b %d %H:%M:%S %Z %Y")
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f'<system title="Byblos" hyp_fname="{listing.hypothesis_file}" '
        f'ref_fname="{listing.reference_file}" creation_date="{date}" '
        f'case_sense="{int(listing.case_sensitive)}">\n'
    )
    yield (
        f'<tstset setid="{attributes.get("setid", "")}" '
        f'srclang="{attributes.get("srclang", "")}" trglang="{attributes.get("trglang", "")}">\n'
    )
    document = segment = None
    for row in listing.rows:
        # Further hypotheses of a segment follow on the same line. The original forgets the first
        # segment of a named document, so that its second hypothesis opens it again.
        if row.document != document:
            if document is not None:
                yield "\n    </seg>\n  </doc>\n"
            yield f'  <doc docid="{row.document}">\n    <seg segid="{row.segment}">\n'
            document = row.document
            if not document:
                segment = row.segment
        elif row.segment != segment:
            yield f'\n    </seg>\n    <seg segid="{row.segment}">\n'
            segment = row.segment
        result = _aligned(row)
        yield (
            f'      <hyp id="{row.rank}" refid="{row.reference_system}" '
            f'wrd_cnt="{java_double(result.words)}" num_errs="{java_double(result.edits)}">'
        )
        if result.alignment:
            yield "\n"
        yield from _xml_words(result)
        yield "      </hyp>"
    if document is not None:
        yield "\n    </seg>\n  </doc>\n"
    yield "</tstset>\n</system>"


def _xml_words(result: TerResult) -> Iterable[str]:
    # The distance stands where the block came to stand, whatever was shifted after it.
    distances: dict[int, int] = {}
    for shift in result.shifts:
        length = shift.end - shift.start + 1
        first, distance = _landing(shift)
        for place in range(first, first + length):
            distances.setdefault(place, distance)
    output, reference = result.shifted_output, result.reference_words
    i = j = 0
    for step in result.alignment:
        ref = hyp = ""
        distance = 0
        if step != "I":
            ref = reference[i]
            i += 1
        if step != "D":
            hyp = output[j]
            distance = distances.get(j, 0) if step == " " else 0
            j += 1
        # Nothing is escaped: the original does not either.
        yield f'        "{ref}","{hyp}",{"C" if step == " " else step},{distance}\n'


FORMATS: dict[str, Callable[[Listing], Iterable[str]]] = {
    "ter": _ter,
    "sum": _sum,
    "sum_nbest": _sum_nbest,
    "pra": _pra,
    "pra_more": _pra_more,
    "xml": _xml,
}
"""What writes each file, by its suffix."""


def write_listing(listing: Listing, name: str) -> str:
    """The text of one file."""
    return "".join(FORMATS[name](listing))

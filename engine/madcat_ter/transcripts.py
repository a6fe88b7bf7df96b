"""The transcripts that recognisers and NIST's sclite exchange: TRN, STM and CTM.

A TRN file has one utterance a line, its id in parentheses at the end. An STM file has segments of
recordings with their times, a CTM file the words that were recognised, each with its time; the
words go to the segments by the middle of their time. Alternatives and optional words stay in the
texts, for :mod:`madcat_ter.alternatives`.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from madcat_ter.errors import InputError

__all__ = ["TimedSegment", "TimedWord", "by_segment", "read_ctm", "read_stm", "read_trn"]

_TRN = re.compile(r"(.*)\(([^()\s]+)\)\s*")
_IGNORED = ("IGNORE_TIME_SEGMENT_IN_SCORING", "IGNORETIMESEGMENTINSCORING")
_BEGIN, _OR, _END = "<ALT_BEGIN>", "<ALT>", "<ALT_END>"


@dataclass(frozen=True, slots=True)
class TimedSegment:
    """A segment of an STM file.

    Attributes:
        id: as sclite names it: the speaker, and which of his segments it is, from 000.
        recording: file and channel.
        begin, end: in seconds.
        text: what was said, with its alternatives.
        is_scored: False where the file says that nothing counts there.
    """

    id: str
    recording: tuple[str, str]
    begin: float
    end: float
    text: str
    is_scored: bool = True


@dataclass(frozen=True, slots=True)
class TimedWord:
    """A word of a CTM file, or an alternation of words.

    Attributes:
        recording: file and channel.
        begin: in seconds.
        middle: in seconds; of an alternation the latest of its words'.
        text: the word, or ``{ a b / c }``.
    """

    recording: tuple[str, str]
    begin: float
    middle: float
    text: str


def read_trn(text: str, name: str = "TRN") -> list[tuple[str, str]]:
    """The utterances of a TRN file: id and text.

    Args:
        text: what the file holds; lines that begin with ``;;`` are comments.
        name: of the file, for messages.

    Raises:
        InputError: ``scoring.transcript``: a line without an id, or an id twice.
    """
    found: list[tuple[str, str]] = []
    for where, line in _lines(text, name):
        match = _TRN.fullmatch(line)
        if match is None:
            raise _fault(where, "the line has no id", "End each line in (speaker-number)")
        found.append((match[2], match[1].strip()))
    _once([utterance for utterance, _ in found], name)
    return found


def read_stm(text: str, name: str = "STM") -> list[TimedSegment]:
    """The segments of an STM file, recording by recording, by time.

    Raises:
        InputError: ``scoring.transcript``: a line is not
            ``FILE CHANNEL SPEAKER BEGIN END [<LABEL>] TEXT``.
    """
    rows = []
    for where, line in _lines(text, name):
        parts = line.split(None, 5)
        if len(parts) < 5:
            raise _fault(where, "the line has no file, channel, speaker and times", _AS_STM)
        # Single precision, as sclite reads the times of segments, but not those of words.
        begin, end = array("f", [_seconds(part, where) for part in parts[3:5]])
        if end < begin:
            raise _fault(where, f"the segment ends at {end:g} before it begins", _AS_STM)
        said = parts[5] if len(parts) > 5 else ""
        if said.startswith("<") and (label := said.partition(">"))[1]:
            said = label[2].strip()
        rows.append(((parts[0], parts[1]), begin, end, parts[2], said))
    rows.sort(key=lambda row: (row[0], row[1]))
    heard: Counter[str] = Counter()
    segments = []
    for recording, begin, end, speaker, said in rows:
        is_scored = not any(mark in said for mark in _IGNORED)
        segments.append(
            TimedSegment(
                f"{speaker}-{heard[speaker]:03}" if is_scored else "",
                recording,
                begin,
                end,
                said,
                is_scored,
            )
        )
        heard[speaker] += is_scored
    return segments


def read_ctm(text: str, name: str = "CTM") -> list[TimedWord]:
    """The words of a CTM file, in its order.

    Raises:
        InputError: ``scoring.transcript``: a line is not
            ``FILE CHANNEL BEGIN DURATION WORD [CONFIDENCE]``, or an alternation does not end.
    """
    found: list[TimedWord] = []
    ways: list[list[TimedWord]] | None = None
    where = name
    for where, line in _lines(text, name):
        parts = line.split()
        if len(parts) < 5:
            raise _fault(where, "the line has no file, channel, times and word", _AS_CTM)
        recording, word = (parts[0], parts[1]), parts[4]
        tag = word.upper()
        if tag == _BEGIN and ways is None:
            ways = [[]]
        elif tag == _OR and ways is not None:
            ways.append([])
        elif tag == _END and ways is not None:
            found.append(_alternation(recording, ways, where))
            ways = None
        elif tag in (_BEGIN, _OR, _END):
            raise _fault(where, f"{tag} is in the wrong place", _AS_CTM)
        else:
            begin, long = (_seconds(part, where) for part in parts[2:4])
            one = TimedWord(recording, begin, begin + long / 2, word)
            (found if ways is None else ways[-1]).append(one)
    if ways is not None:
        raise _fault(where, f"{_BEGIN} has no {_END}", _AS_CTM)
    return found


def by_segment(
    segments: Sequence[TimedSegment], words: Sequence[TimedWord], name: str = "CTM"
) -> list[tuple[str, str, str]]:
    """The words of each scored segment: id, what was recognised, what was said.

    A word goes to the first segment of its recording that ends after the word's middle, or else to
    the last one, as with sclite; those of segments that are not scored are dropped.

    Raises:
        InputError: ``scoring.transcript``: words of a recording that has no segments.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for number, segment in enumerate(segments):
        places.setdefault(segment.recording, []).append(number)
    heard: dict[tuple[str, str], list[TimedWord]] = {}
    for word in words:
        heard.setdefault(word.recording, []).append(word)
    for recording in heard.keys() - places.keys():
        reason = f"the recording {' '.join(recording)} has words and no segments"
        raise _fault(name, reason, "Give the STM file of the same recordings")
    said: dict[int, list[str]] = {}
    for recording, numbers in places.items():
        at = 0
        for word in sorted(heard.get(recording, []), key=lambda one: one.begin):
            while at < len(numbers) - 1 and word.middle >= segments[numbers[at]].end:
                at += 1
            said.setdefault(numbers[at], []).append(word.text)
    return [
        (segment.id, " ".join(said.get(number, [])), segment.text)
        for number, segment in enumerate(segments)
        if segment.is_scored
    ]


_AS_STM = "Write FILE CHANNEL SPEAKER BEGIN END [<LABEL>] TEXT, times in seconds"
_AS_CTM = "Write FILE CHANNEL BEGIN DURATION WORD [CONFIDENCE], times in seconds"


def _alternation(
    recording: tuple[str, str], ways: Sequence[Sequence[TimedWord]], where: str
) -> TimedWord:
    every = [word for way in ways for word in way]
    if not every:
        raise _fault(where, "an alternation has no words", _AS_CTM)
    text = " / ".join(" ".join(word.text for word in way) or "@" for way in ways)
    return TimedWord(
        recording,
        min(word.begin for word in every),
        max(word.middle for word in every),
        f"{{ {text} }}",
    )


def _lines(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The lines that say something, each with its place."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line and not line.startswith(";;"):
            yield f"{name}:{number}", line


def _seconds(text: str, where: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found < 0:
        raise _fault(where, f"“{text}” is not a time", "Write times in seconds, such as 12.34")
    return found


def _once(ids: Sequence[str], name: str) -> None:
    double = [each for each, times in Counter(ids).items() if times > 1]
    if double:
        reason = f"the id {double[0]} occurs more than once"
        raise _fault(name, reason, "Give every utterance its own id")


def _fault(where: str, reason: str, remedy: str) -> InputError:
    return InputError("scoring.transcript", reason, where=where, remedy=remedy)

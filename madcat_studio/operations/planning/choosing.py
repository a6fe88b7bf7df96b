"""Passages of a new set, chosen by length and by TER, and none that was used before."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError, UsageError
from madcat_studio.formats.files import make_folder, write_atomically
from madcat_studio.formats.tables import Row, Table, read_table, table_bytes
from madcat_studio.model.naming import natural_key
from madcat_studio.operations.checked import counted
from madcat_studio.operations.planning.corpus import read_passages
from madcat_studio.operations.planning.selection import (
    Selected,
    read_scores,
    scores_of,
    write_selection,
)
from madcat_studio.planning.corpus import Passage
from madcat_studio.planning.quotas import TOKENS_WITHIN
from madcat_studio.planning.selection import Candidate, select

__all__ = ["TOKENS", "Chosen", "choose_passages", "write_chosen"]

TOKENS = 125
"""Arabic tokens of a passage by the evaluation plan."""

_EARLIER = "were in an earlier set"
_SAME_TEXT = "have the text of one in an earlier set"
_SAME_DOCUMENT = "are of a document in an earlier set"
_NO_SCORE = "have no score"
_LENGTH = "are shorter or longer"
_REASONS = (_EARLIER, _SAME_TEXT, _SAME_DOCUMENT, _NO_SCORE, _LENGTH)
"""Why a passage cannot be chosen, in the order in which it is told."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Passages that were chosen.

    Attributes:
        passages: by genre, then by name.
        told: how many there were, and why some could not be taken.
        selected: how well their scores match; None where no scores were to be matched.
        columns, rows: of the table of candidates, with all that it says of them.
    """

    passages: tuple[Passage, ...]
    told: str
    selected: Selected | None
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def sentences(self) -> tuple[str, ...]:
        """What was chosen from what, and how well it matches, a sentence each."""
        if self.selected is not None:
            return (self.told, *self.selected.sentences())
        genres = Counter(one.genre for one in self.passages)
        each = ", ".join(f"{count} of {genre}" for genre, count in sorted(genres.items()))
        return (self.told, f"{counted(len(self.passages), 'passage')} chosen: {each}")


def choose_passages(
    candidates: Path,
    *,
    count: int,
    per_genre: bool = False,
    tokens: float = TOKENS,
    within: float = TOKENS_WITHIN,
    earlier_scores: Path | None = None,
    not_in: Sequence[Path] = (),
    same_documents: bool = False,
    measure: str = "TER",
    seed: int = 1,
) -> Chosen:
    """Choose the passages of a set from candidates.

    Args:
        candidates: a table with ``passage source_document genre tokens``, perhaps ``text``, and
            ``edits words`` where scores are matched.
        count: how many; of each genre where ``per_genre``.
        tokens: how long a passage should be; ``within``: the share by which it may be otherwise.
        earlier_scores: a table with ``passage genre edits words``: the scores of those that are
            chosen are distributed as its scores are, and none of its passages is chosen. Without
            it the length alone decides.
        not_in: tables of earlier sets, with a column ``passage``: none of these passages is
            chosen, nor one with the same text (``text``), nor another of the same document
            (``source_document``).
        same_documents: whether other passages of their documents may be chosen.
        measure: what the scores are called.
        seed: the same seed gives the same choice.

    Raises:
        InputError: too few are left: of which genre, how many, and what would do.
        UsageError: a number makes no sense.
        StudioError: a table cannot be read.
    """
    if count < 1 or tokens <= 0 or not 0 <= within < 1:
        raise UsageError(
            "choose.numbers",
            f"{count} passages of {tokens:g} tokens within {within:g} cannot be chosen",
            remedy="Give a count of 1 or more, tokens above 0, and a share below 1",
        )
    table = read_table(
        candidates, required=("passage", "source_document", "genre", "tokens"), others=True
    )
    passages = read_passages(candidates)
    rows = {row["passage"].strip(): row for row in table.rows}
    scores = _scores(candidates, table, rows) if earlier_scores is not None else {}
    target = read_scores(earlier_scores) if earlier_scores is not None else []
    before = _Before([one.passage for one in target], not_in, same_documents)
    reasons = Counter(dict.fromkeys(_REASONS, 0))
    free: list[Passage] = []
    for one in passages:
        if why := before.why_not(one):
            reasons[why] += 1
        elif earlier_scores is not None and one.name not in scores:
            reasons[_NO_SCORE] += 1
        else:
            free.append(one)
    fit = [one for one in free if abs(one.tokens - tokens) <= within * tokens + 1e-9]
    reasons[_LENGTH] = len(free) - len(fit)
    told = f"{counted(len(passages), 'candidate')}, {len(fit)} can be chosen"
    if why := ", ".join(f"{number} {reason}" for reason, number in reasons.items() if number):
        told = f"{told}: {why}"
    genres = sorted({one.genre for one in (target or free)})
    wanted = dict.fromkeys(genres, count) if per_genre else count
    _demand(wanted, fit, free, tokens, told)
    selected = None
    if earlier_scores is not None:
        pool = [scores[one.name] for one in fit]
        found = select(pool, target, wanted, seed=seed)
        basis = f"{measure} of {candidates.name} against {earlier_scores.name}"
        selected = Selected(None, measure, found, len(pool), basis)
        names = {one.passage for one in found.chosen}
    else:
        names = _drawn(wanted, fit, seed)
    own = sorted(
        (one for one in fit if one.name in names),
        key=lambda one: (one.genre, natural_key(one.name)),
    )
    columns = table.columns
    kept = tuple(tuple(rows[one.name][column] for column in columns) for one in own)
    return Chosen(tuple(own), told, selected, columns, kept)


class _Before:
    """What earlier sets hold."""

    def __init__(self, names: Iterable[str], paths: Iterable[Path], same_documents: bool) -> None:
        self._names = set(names)
        self._documents: set[str] = set()
        self._texts: set[str] = set()
        for path in paths:
            for row in read_table(path, required=("passage",), others=True).rows:
                self._names.add(row["passage"].strip())
                if text := _plain(row.get("text")):
                    self._texts.add(text)
                document = row.get("source_document").strip()
                if document and not same_documents:
                    self._documents.add(document)

    def why_not(self, one: Passage) -> str:
        """Why a passage cannot be chosen, or ""."""
        if one.name in self._names:
            return _EARLIER
        if _plain(one.text) in self._texts:
            return _SAME_TEXT
        if one.source_document in self._documents:
            return _SAME_DOCUMENT
        return ""


def _plain(text: str) -> str:
    return " ".join(text.split())


def _scores(path: Path, table: Table, rows: Mapping[str, Row]) -> dict[str, Candidate]:
    if missing := [name for name in ("edits", "words") if name not in table.columns]:
        raise InputError(
            "choose.no-scores",
            (
                f"The candidates have no column {' and '.join(missing)}, so there are no "
                "scores to match"
            ),
            where=path,
            remedy="Add edits and words of a translation of each passage, or leave the scores out",
        )
    found = scores_of(table, [row for row in rows.values() if row["edits"] or row["words"]])
    return {one.passage: one for one in found}


def _demand(
    wanted: int | Mapping[str, int],
    fit: Sequence[Passage],
    free: Sequence[Passage],
    tokens: float,
    told: str,
) -> None:
    """Refuse what there is too little of, and say what would do."""
    for genre, number in wanted.items() if not isinstance(wanted, int) else (("", wanted),):
        there = sum(genre in ("", one.genre) for one in fit)
        if there >= number:
            continue
        off = sorted(abs(one.tokens - tokens) / tokens for one in free if genre in ("", one.genre))
        of = f" of {genre}" if genre else ""
        fewer = f", or choose {there}" if there else ""
        share = -(-off[number - 1] * 100 // 1) / 100 if len(off) >= number else None
        wider = (
            ""
            if share is None
            else f", or allow lengths within {share:.0%} (--tolerance {share:g})"
        )
        raise InputError(
            "choose.too-few",
            f"{number} passages{of} are wanted but only {there} can be chosen: "
            f"{number - there} too few ({told})",
            remedy=f"Add {number - there} candidates{of} of that length{fewer}{wider}",
        )


def _drawn(wanted: int | Mapping[str, int], fit: Sequence[Passage], seed: int) -> set[str]:
    chance = random.Random(seed)
    names: set[str] = set()
    for genre, number in wanted.items() if not isinstance(wanted, int) else (("", wanted),):
        own = sorted(one.name for one in fit if genre in ("", one.genre))
        names |= set(chance.sample(own, number))
    return names


def write_chosen(chosen: Chosen, folder: Path) -> tuple[Path, ...]:
    """Write the table of passages, and how well their scores match, into a folder.

    Raises:
        StudioError: the folder cannot be made or written.
    """
    make_folder(folder)
    path = folder / "passages.tsv"
    write_atomically(path, table_bytes(path, chosen.columns, chosen.rows))
    if chosen.selected is None:
        return (path,)
    return (path, *write_selection(chosen.selected, folder))

"""Saved results of LayoutTranslateBench: read, sorted by data set, and held against each other.

Two forms are read: what ``scorecard ltb`` writes as JSON, and what the public scorer writes. Of
the latter older files lack intervals (0 to 0), the type of the system and parser failures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from madcat_studio.errors import FormatError, InputError
from madcat_studio.scoring.scorecards.draws import resamples
from madcat_studio.scoring.scorecards.fields import listed, mapping, number, scaled, text, whole
from madcat_studio.scoring.scorecards.intervals import REPLICATES, Interval, percentile_interval
from madcat_studio.scoring.scorecards.ltb import WEIGHTS
from madcat_studio.scoring.scorecards.ltb_board import read_manifest
from madcat_studio.scoring.scorecards.ltb_values import Means

__all__ = [
    "Duel",
    "OtherVersion",
    "SavedPair",
    "SavedResult",
    "by_data_set",
    "duels",
    "is_public_result",
    "read_saved",
]

SEED = 42
"""Of the resampling, as the document has it."""


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A pair of languages in a saved result: its means, and LTB-100 of each of its documents."""

    pair: str
    means: Means
    documents: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A score by another version's formula that the same file has, over its own documents.

    Attributes:
        label: of the version, as the file has it.
        ltb: the mean over pairs; None where a part of it is missing.
        pairs, documents: how many it is over.
    """

    label: str
    ltb: float | None
    pairs: int
    documents: int


@dataclass(frozen=True, slots=True)
class SavedResult:
    """What a file tells of one system.

    Attributes:
        name: of the system.
        rules: version of the benchmark, weights and what else decides the numbers, as one line.
        system_type: whether it was given the boxes.
        missing: what its manifest lacks; anything makes it "unverified".
        means: over all pairs.
        pairs: those that the system attempted, in the file's order.
        where: the file.
        version: of the benchmark, as the file has it.
        data_version: of the data set, where the system's manifest tells; else "".
        others: what the file has by other versions.
    """

    name: str
    rules: str
    system_type: str
    missing: tuple[str, ...]
    means: Means
    pairs: tuple[SavedPair, ...]
    where: str
    version: str = ""
    data_version: str = ""
    others: tuple[OtherVersion, ...] = ()


def is_public_result(value: object) -> bool:
    """Whether a JSON value is a result of the public scorer."""
    return isinstance(value, dict) and {"system", "per_lang_pair", "weights"} <= value.keys()


def read_saved(value: object, where: str, label: str = "") -> list[SavedResult]:
    """The systems that a result tells of: one of the public scorer, any number of our own.

    Args:
        value: the file's JSON value.
        where: the file's name.
        label: what the file's name says beyond the system's, such as ``comet``: the public scorer
            writes scores by another text metric into the fields of chrF, and nothing in the file
            tells.

    Raises:
        FormatError: ``scorecards.not-a-result``.
        InputError: a field is not as it should be.
    """
    if is_public_result(value):
        return [_public(mapping(value, where), where, label)]
    if isinstance(value, dict) and value.get("format") == "madcat-studio-ltb":
        return list(_own(value, where))
    raise FormatError(
        "scorecards.not-a-result",
        "this is not a result of LayoutTranslateBench",
        where=where,
        remedy="Give what `scorecard ltb` or the public scorer wrote as JSON",
    )


def _public(value: Mapping[str, Any], where: str, label: str) -> SavedResult:
    manifest = read_manifest(mapping(value["system"], where, "system"), where)
    weights = mapping(value["weights"], where, "weights")
    shares = [
        number(weights.get(key), key, where) for key in ("chrf", "layout_iou", "reading_order_tau")
    ]
    version = f"v{text(value, 'benchmark_version', where, '0.1')}"
    rules = [version, _told(shares), label]
    documents: dict[str, dict[str, float]] = {}
    for one in listed(value, "per_doc", where):
        row = mapping(one, where, "per_doc")
        name, pair = text(row, "doc_id", where), text(row, "lang_pair", where)
        _put(documents, pair, name, _score(row, "ltb_100", where), where)
    pairs = []
    for one in listed(value, "per_lang_pair", where):
        row = mapping(one, where, "per_lang_pair")
        pair, count = text(row, "lang_pair", where), whole(row, "n_docs", where)
        if count == 0:
            continue  # never attempted; the file has zeros there
        own = documents.get(pair, {})
        if len(own) != count:
            raise InputError(
                "scorecards.other-documents",
                f"{pair} should have {count} documents, but {len(own)} are listed",
                where=where,
                remedy="Score again: the file is incomplete",
            )
        pairs.append(SavedPair(pair, _means(row, "", "ltb_100", where), own))
    return SavedResult(
        text(manifest.fields, "system_name", where),
        " ".join(filter(None, rules)),
        manifest.system_type,
        manifest.missing,
        _means(value, "overall_", "overall_ltb_100", where),
        tuple(pairs),
        where,
        version=" ".join(filter(None, (version, label))),
        data_version=text(manifest.fields, "manifest_version", where, ""),
    )


def _means(row: Mapping[str, Any], before: str, ltb: str, where: str) -> Means:
    low = scaled(row, f"{ltb}_ci_low", where, 0, 100)
    high = scaled(row, f"{ltb}_ci_high", where, 0, 100)
    if low == high == 0:
        low = high = None  # older files have no interval
    point = _score(row, ltb, where)
    return Means(
        scaled(row, f"{before}chrf", where, 0, 100),
        # A sum of weighted shares may exceed 1 by its rounding.
        scaled(row, f"{before}layout_iou", where, 0, 1 + 1e-9),
        scaled(row, f"{before}reading_order_tau", where, 0, 1 + 1e-9),
        point,
        Interval(point, low, high),
    )


def _own(value: Mapping[str, Any], where: str) -> Iterator[SavedResult]:
    profile = text(value, "profile", where)
    signatures = mapping(value.get("signatures"), where, "signatures")
    parts = text(signatures, "LTB-100", where).split("|")
    # What decides the numbers; of whom and from how many resamples is no matter of comparing.
    chosen = [
        part
        for part in parts[1:]
        if part.partition(":")[0] in ("iou", "parser-failures", "references", "split", "gate")
    ]
    rules = " ".join(["v0.1", _told(WEIGHTS), profile, *chosen])
    previews = _previews(value, where)
    for one in listed(value, "systems", where):
        system = mapping(one, where, "systems")
        documents: dict[str, dict[str, float]] = {}
        for row in listed(system, "documents", where):
            own = mapping(row, where, "documents")
            pair, name = text(own, "pair", where), text(own, "document", where)
            _put(documents, pair, name, _score(own, "ltb_100", where), where)
        yield SavedResult(
            text(system, "system", where),
            rules,
            read_manifest({"system_type": system.get("system_type")}, where).system_type,
            tuple(map(str, listed(system, "manifest_missing", where))),
            _own_means(mapping(system.get("overall"), where, "overall"), where),
            tuple(
                SavedPair(
                    text(row, "pair", where),
                    _own_means(row, where),
                    documents.get(text(row, "pair", where), {}),
                )
                for row in listed(system, "pairs", where)
            ),
            where,
            version="v0.1",
            others=tuple(previews.get(text(system, "system", where), ())),
        )


_PREVIEWED = {"ltb_next": "v0.2, a preview", "ltb_ssim": "v0.2 with SSIM, a preview"}


def _previews(value: Mapping[str, Any], where: str) -> dict[str, list[OtherVersion]]:
    """What a result with the preview of version 0.2 has by its formulas, by system."""
    by_system: dict[str, list[dict[str, Any]]] = {}
    for one in listed(value, "tables", where):
        table = mapping(one, where, "tables")
        if table.get("name") != "v02":
            continue
        keys = [
            text(mapping(column, where, "columns"), "key", where)
            for column in listed(table, "columns", where)
        ]
        for cells in listed(table, "rows", where):
            if not isinstance(cells, list) or len(cells) != len(keys):
                raise InputError(
                    "scorecards.field", "a row of the table v02 is incomplete", where=where
                )
            row = dict(zip(keys, cells, strict=True))
            by_system.setdefault(text(row, "system", where), []).append(row)
    return {
        system: [
            _preview(label, [scaled(row, key, where, 0, 100 + 1e-9) for row in rows], rows, where)
            for key, label in _PREVIEWED.items()
        ]
        for system, rows in by_system.items()
    }


def _preview(
    label: str, values: Sequence[float | None], rows: Sequence[Mapping[str, Any]], where: str
) -> OtherVersion:
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if len(known) == len(values) else None
    documents = sum(whole(row, "documents", where) for row in rows)
    return OtherVersion(label, mean, len(rows), documents)


def _own_means(row: Mapping[str, Any], where: str) -> Means:
    point = scaled(row, "ltb_100", where, 0, 100 + 1e-9)
    interval = mapping(row.get("confidence_interval"), where, "confidence_interval")
    ends = [scaled(interval, end, where, 0, 100 + 1e-9) for end in ("low", "high")]
    return Means(
        scaled(row, "chrf", where, 0, 100 + 1e-9),
        scaled(row, "layout_iou", where, 0, 1 + 1e-9),
        scaled(row, "tau", where, 0, 1 + 1e-9),
        point,
        Interval(point, *ends),
    )


def _score(row: Mapping[str, Any], name: str, where: str) -> float:
    value = scaled(row, name, where, 0, 100 + 1e-9)
    if value is None:
        raise InputError("scorecards.field", f"“{name}” is missing", where=where)
    return value


def _put(
    documents: dict[str, dict[str, float]], pair: str, name: str, value: float, where: str
) -> None:
    own = documents.setdefault(pair, {})
    if name in own:
        raise InputError(
            "scorecards.document-twice",
            f"“{name}” is listed twice for {pair}",
            where=where,
            remedy="Score again: the file is damaged",
        )
    own[name] = value


def _told(weights: Sequence[float]) -> str:
    return "/".join(f"{100 * weight:g}" for weight in weights)


def by_data_set(results: Sequence[SavedResult]) -> list[list[SavedResult]]:
    """Results that may stand on one board: the same rules, and the same documents of each pair.

    A pair that one of two systems did not attempt does not divide them. Results without a list of
    documents (of a held-out split) stand with others of the same rules.
    """
    sets: list[list[SavedResult]] = []
    for result in results:
        for known in sets:
            if all(_comparable(result, other) for other in known):
                known.append(result)
                break
        else:
            sets.append([result])
    return sets


def _comparable(one: SavedResult, other: SavedResult) -> bool:
    if one.rules != other.rules:
        return False
    theirs = {pair.pair: pair.documents.keys() for pair in other.pairs}
    return all(
        pair.documents.keys() == theirs[pair.pair]
        for pair in one.pairs
        if theirs.get(pair.pair) and pair.documents
    )


@dataclass(frozen=True, slots=True)
class Duel:
    """Two systems on the same documents of a pair, by a paired bootstrap.

    Attributes:
        pair: of languages.
        first, second: the systems' names.
        documents: how many.
        first_ltb, second_ltb: mean LTB-100 over them.
        difference: first - second, with its 95 % interval; one document is its own interval.
        p_value: the share of resamples whose difference has the other sign or is 0; 1 where
            there is no difference.
    """

    pair: str
    first: str
    second: str
    documents: int
    first_ltb: float
    second_ltb: float
    difference: Interval
    p_value: float


def duels(results: Sequence[SavedResult]) -> list[Duel]:
    """Each two systems of one data set and one type, pair by pair.

    Systems that were given the boxes are never held against those that find them.
    """
    found: list[Duel] = []
    for one, other in combinations(results, 2):
        if one.system_type != other.system_type:
            continue
        theirs = {pair.pair: pair.documents for pair in other.pairs}
        found += (
            _duel(pair.pair, one.name, other.name, pair.documents, theirs[pair.pair])
            for pair in one.pairs
            if pair.documents and theirs.get(pair.pair)
        )
    return found


def _duel(
    pair: str, first: str, second: str, one: Mapping[str, float], other: Mapping[str, float]
) -> Duel:
    names = sorted(one)
    mine = np.array([one[name] for name in names])
    theirs = np.array([other[name] for name in names])
    differences = mine - theirs
    delta = float(differences.mean())
    drawn = differences[resamples(SEED, len(names), REPLICATES)].mean(axis=1)
    against = drawn <= 0 if delta > 0 else drawn >= 0
    p_value = float(against.mean()) if delta else 1.0
    return Duel(
        pair,
        first,
        second,
        len(names),
        float(mine.mean()),
        float(theirs.mean()),
        Interval(delta, *percentile_interval(drawn)),
        p_value,
    )

"""The page scorecard's JSON values as documents and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from madcat_studio.errors import InputError
from madcat_studio.scoring.scorecards import fields
from madcat_studio.scoring.scorecards.layout import Box
from madcat_studio.scoring.scorecards.ltb import (
    Prediction,
    Region,
    TruthDocument,
    TruthRegion,
)

__all__ = ["read_predictions", "read_truth"]


def read_truth(values: Iterable[tuple[str, object]]) -> list[TruthDocument]:
    """The ground truth from (place, value) pairs, one document each.

    Raises:
        InputError: ``scorecards.field``, ``scorecards.box-without-size``,
            ``scorecards.region-twice``.
    """
    documents: list[TruthDocument] = []
    for where, value in values:
        document = fields.mapping(value, where)
        name = fields.text(document, "doc_id", where)
        place = f"{where}, {name}"
        regions = tuple(
            _truth_region(region, place) for region in fields.listed(document, "regions", place)
        )
        size = document.get("page_size")
        if size is not None and not (isinstance(size, list) and len(size) == 2):
            raise InputError("scorecards.field", "“page_size” is not [width, height]", where=place)
        documents.append(
            TruthDocument(
                name,
                regions,
                None
                if size is None
                else (
                    fields.number(size[0], "page_size", place),
                    fields.number(size[1], "page_size", place),
                ),
                fields.text(document, "category", place, ""),
                _grade(document, place),
            )
        )
    return documents


def _grade(document: Mapping[str, Any], where: str) -> str:
    """Where the references come from, in one spelling."""
    provenance = fields.mapping(document.get("provenance") or {}, where, "provenance")
    grade = fields.text(provenance, "grade", where, "")
    return "-".join(grade.replace("_", " ").replace("-", " ").casefold().split())


def _truth_region(value: object, where: str) -> TruthRegion:
    region = fields.mapping(value, where, "a region")
    name = fields.text(region, "region_id", where)
    place = f"{where}, {name}"
    order = fields.whole(region, "reading_order", place)
    if order < 0:
        raise InputError("scorecards.field", "“reading_order” is below 0", where=place)
    references = fields.mapping(region.get("references") or {}, place, "references")
    if len({pair.casefold() for pair in references}) < len(references):
        raise InputError(
            "scorecards.pair",
            "two references are for the same pair, spelled in two ways",
            where=place,
            remedy="Leave one of them",
        )
    # A pair is one pair in any case: en-zh-TW is en-zh-tw.
    texts = {pair.casefold(): _texts(references, pair, place) for pair in references}
    return TruthRegion(
        name,
        Box(*fields.box(region.get("bbox"), "bbox", place)),
        fields.text(region, "text", place, ""),
        order,
        references={pair: own[0] for pair, own in texts.items() if own},
        further={pair: own[1:] for pair, own in texts.items() if len(own) > 1},
    )


def _texts(references: Mapping[str, Any], pair: str, where: str) -> tuple[str, ...]:
    """One text, or those of a list that are not blank."""
    value = references[pair]
    if not isinstance(value, list):
        return (fields.text(references, pair, where, ""),)
    texts = [fields.text({pair: one}, pair, where, "") for one in value]
    return tuple(text for text in texts if text.strip())


def read_predictions(values: Iterable[tuple[str, object]]) -> dict[str, Prediction]:
    """One pair's predictions from (place, value) pairs, one document each.

    Raises:
        InputError: ``scorecards.field``; ``scorecards.document-twice``: two lines for one document.
    """
    predictions: dict[str, Prediction] = {}
    for where, value in values:
        line = fields.mapping(value, where)
        name = fields.text(line, "doc_id", where)
        place = f"{where}, {name}"
        if name in predictions:
            raise InputError(
                "scorecards.document-twice",
                f"a second line for the document “{name}”",
                where=where,
                remedy="Leave one of them",
            )
        regions: list[Region] = []
        for position, item in enumerate(fields.listed(line, "regions", place)):
            region = fields.mapping(item, place, "a region")
            regions.append(
                Region(
                    fields.text(region, "region_id", place, ""),
                    Box(*fields.box(region.get("bbox"), "bbox", place)),
                    fields.text(region, "text", place, ""),
                    fields.whole(region, "reading_order", place, position),
                )
            )
        output = fields.text(line, "output_file", place, "")
        predictions[name] = Prediction(name, tuple(regions), output)
    return predictions

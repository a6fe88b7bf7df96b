"""Samples of translated images from JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from madcat_studio.errors import InputError
from madcat_studio.scoring.scorecards import fields
from madcat_studio.scoring.scorecards.imtbench import SCENARIOS, Sample

__all__ = ["SampleFiles", "read_samples"]


@dataclass(frozen=True, slots=True)
class SampleFiles:
    """A sample with what its scores are computed from. Empty texts and names are not there.

    Attributes:
        sample: what is scored already.
        where: its place in the file.
        source_text, reference_text, output_text: for COMET and for the judge.
        source_image, reference_image, output_image: names of files, as given.
        boxes: of the text in reference and output image, [x, y, width, height].
        source_texts, target_texts: the annotations of source and reference image, for the filter;
            by default the one source and reference text.
    """

    sample: Sample
    where: str
    source_text: str = ""
    reference_text: str = ""
    output_text: str = ""
    source_image: str = ""
    reference_image: str = ""
    output_image: str = ""
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    source_texts: tuple[str, ...] = ()
    target_texts: tuple[str, ...] = ()


def read_samples(values: Iterable[tuple[str, object]]) -> list[SampleFiles]:
    """Samples from (place, value) pairs.

    Raises:
        InputError: ``scorecards.field``, ``scorecards.sample-twice``, ``scorecards.scenario``.
    """
    samples: list[SampleFiles] = []
    seen: set[str] = set()
    for where, value in values:
        row = fields.mapping(value, where)
        name = fields.text(row, "sample_id", where)
        place = f"{where}, {name}"
        if name in seen:
            raise InputError("scorecards.sample-twice", f"a second sample “{name}”", where=where)
        seen.add(name)
        judge_raw = row.get("judge_raw")
        samples.append(
            SampleFiles(
                Sample(
                    name,
                    _scenario(fields.text(row, "scenario", place), place),
                    fields.text(row, "src_lang", place),
                    fields.text(row, "tgt_lang", place),
                    fields.optional_number(row, "comet", place),
                    fields.scaled(row, "mask_lpips", place),
                    None if judge_raw is None else fields.text(row, "judge_raw", place),
                    fields.text(row, "judge_error", place, "") or None,
                    fields.scaled(row, "naturalness", place, most=10.0),
                    fields.scaled(row, "alignment", place, most=10.0),
                ),
                place,
                source_text=fields.text(row, "source_text", place, ""),
                reference_text=fields.text(row, "reference_text", place, ""),
                output_text=fields.text(row, "output_text", place, ""),
                source_image=fields.text(row, "source_image", place, ""),
                reference_image=fields.text(row, "reference_image", place, ""),
                output_image=fields.text(row, "output_image", place, ""),
                boxes=tuple(
                    fields.box(one, key, place)
                    for key in ("reference_boxes", "output_boxes")
                    for one in fields.listed(row, key, place)
                ),
                source_texts=_texts(row, "source_texts", "source_text", place),
                target_texts=_texts(row, "target_texts", "reference_text", place),
            )
        )
    return samples


_ALIASES = {
    "documents": "document",
    "webpage": "web",
    "web page": "web",
    "scene text": "scene",
    "powerpoint": "ppt",
    "pptx": "ppt",
    "slide": "ppt",
    "slides": "ppt",
    "presentation": "ppt",
}


def _scenario(name: str, where: str) -> str:
    """One of :data:`SCENARIOS`: several spellings of one would each weigh as a scenario."""
    folded = " ".join(name.replace("-", " ").replace("_", " ").casefold().split())
    found = _ALIASES.get(folded, folded)
    if found not in SCENARIOS:
        raise InputError(
            "scorecards.scenario",
            f"“{name}” is not one of the benchmark's scenarios",
            where=where,
            remedy=f"Name one of {', '.join(SCENARIOS)} (or PowerPoint for ppt), in any case",
        )
    return found


def _texts(row: Mapping[str, Any], several: str, single: str, where: str) -> tuple[str, ...]:
    listed = fields.listed(row, several, where)
    if listed:
        return tuple(str(one) for one in listed)
    one = fields.text(row, single, where, "")
    return (one,) if one else ()

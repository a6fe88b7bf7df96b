"""Rules for documents: one rule a function, used by commands and windows alike."""

from __future__ import annotations

from madcat_studio.checks import identity, outlines, scans, shape, texts
from madcat_studio.checks.findings import Checked, Finding, Rule
from madcat_studio.formats.source import ReadDocument
from madcat_studio.images.reading import ImageFinder

__all__ = ["RULES", "Finding", "check"]

RULES: tuple[Rule, ...] = (
    identity.duplicate_ids,
    identity.dangling_references,
    identity.shared_words,
    identity.words_without_token,
    identity.tokens_without_word,
    identity.count_of_pages,
    identity.base_differs,
    outlines.small_polygons,
    outlines.outside_page,
    outlines.crossing_polygons,
    outlines.words_outside_line,
    outlines.baselines_outside_line,
    outlines.bleeding_lines,
    texts.empty_segments,
    texts.missing_texts,
    texts.tokens_without_text,
    texts.transcription_differs,
    texts.region_text_differs,
    texts.wrong_script,
    texts.double_escapes,
    scans.page_images,
    shape.schema,
)
"""All rules, in the order in which they are asked."""


def check(read: ReadDocument, images: ImageFinder | None = None) -> list[Finding]:
    """Everything that is wrong with a document: what reading noticed and what the rules find.

    Args:
        read: the document as it was read (and perhaps edited since).
        images: finds page images; None leaves them alone.

    Returns:
        The findings in the order of the file; what has no line comes first.
    """
    checked = Checked(read, images)
    findings = [Finding(problem) for problem in outlines.not_rounded_yet(checked)]
    for rule in RULES:
        findings += rule(checked)
    return sorted(findings, key=lambda f: (f.problem.where.line or 0, f.problem.where.origin or 0))

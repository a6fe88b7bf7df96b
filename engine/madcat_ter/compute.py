"""One call with ``predictions`` and ``references``, as the metrics of evaluate are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from madcat_ter.errors import InputError, UsageError
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.progress import SILENT, Progress
from madcat_ter.tables import lists_of, texts_of
from madcat_ter.ter import rate, scored_words, ter_counts
from madcat_ter.wer import wer_corpus

__all__ = ["METRICS", "compute"]

METRICS = ("ter", "wer", "cer")


def compute(
    *,
    predictions: Any,
    references: Any,
    metric: str = "ter",
    options: TerOptions | WerOptions | None = None,
    bounded: bool = False,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> dict[str, float | None]:
    """The rate of a corpus.

    Args:
        predictions: one text a segment; a list, or a column of pandas, polars, Arrow or numpy.
        references: one text a segment, or a list of texts a segment (of TER; the best counts).
        metric: ``ter``, ``wer`` or ``cer``.
        options: :class:`~madcat_ter.options.TerOptions` for TER,
            :class:`~madcat_ter.options.WerOptions` for the others; left out, the defaults.
        bounded: divide by the longer of both texts instead of the reference, segment by segment,
            so that the rate lies between 0 and 1.
        jobs: threads, for TER.
        progress: told how far it is.

    Returns:
        ``score`` (the rate in percent, None for edits of nothing), ``num_edits`` and
        ``ref_length``, the denominator.

    Raises:
        UsageError: an unknown metric, or options of another one.
        InputError: a row that is no text, or sides of different length.
        Cancelled: ``progress`` said so.

    >>> compute(predictions=["d e f g h a b c"], references=["a b c d e f g h"])
    {'score': 12.5, 'num_edits': 1.0, 'ref_length': 8.0}
    """
    if metric not in METRICS:
        raise UsageError(
            "scoring.metric",
            f"there is no metric {metric!r}",
            remedy=f"Choose one of {', '.join(METRICS)}",
        )
    kind = TerOptions if metric == "ter" else WerOptions
    if options is not None and not isinstance(options, kind):
        raise UsageError(
            "scoring.options",
            f"the options are {type(options).__name__}",
            remedy=f"Pass {kind.__name__} for {metric}",
        )
    outputs = texts_of(predictions, "predictions")
    texts = lists_of(references, "references")
    if len(outputs) != len(texts):
        raise InputError(
            "scoring.unequal",
            f"there are {len(outputs)} predictions and {len(texts)} references",
            remedy="Give one row of references for each prediction, in the same order",
        )
    if isinstance(options, WerOptions) or metric != "ter":
        edits, words, own = _of_recognition(
            outputs, texts, options or WerOptions(), metric == "cer", progress
        )
    else:
        options = options or TerOptions()
        counts = ter_counts(outputs, texts, options, jobs=jobs, progress=progress)
        edits, words = counts.edits, counts.words
        own = [len(scored_words(text, options)) for text in outputs] if bounded else []
    if bounded:
        # Edits with the beam may be more than the words of the longer text; then these are it.
        words = np.maximum(words, np.array(own, np.float64))
        edits = np.minimum(edits, words)
    found = rate(float(edits.sum()), float(words.sum()))
    return {
        "score": None if found is None else 100 * found,
        "num_edits": float(edits.sum()),
        "ref_length": float(words.sum()),
    }


def _of_recognition(
    outputs: list[str],
    texts: list[list[str]],
    options: Any,
    characters: bool,
    progress: Progress,
) -> tuple[Any, Any, list[int]]:
    for number, row in enumerate(texts, 1):
        if len(row) != 1:
            raise InputError(
                "scoring.one-reference",
                f"row {number} of references has {len(row)} texts",
                remedy="A recognition is compared with one text",
            )
    corpus = wer_corpus(
        outputs, [row[0] for row in texts], options, characters=characters, progress=progress
    )
    edits = np.array([one.edits for one in corpus.segments], np.float64)
    words = np.array([one.words for one in corpus.segments], np.float64)
    return edits, words, [len(one.output_words) for one in corpus.segments]

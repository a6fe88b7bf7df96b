"""The reply to the benchmark's inference prompt (B): one JSON object with the translated image.

Nothing is guessed: a reply that is not as the prompt asks is an error of a named kind.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from madcat_studio.scoring.scorecards.filter_reply import bare_reply

__all__ = ["ImageReply", "read_image_reply"]

_KEY = "render_image"


@dataclass(frozen=True, slots=True)
class ImageReply:
    """A reply that was read.

    Attributes:
        image: the file's bytes, of whatever kind; None with an error.
        warnings: ``markdown_fence``, ``data_prefix``, ``extra_keys``: what the prompt forbids and
            does no harm.
        error: None, or ``empty_response``, ``not_json``, ``not_an_object``,
            ``missing_render_image``, ``bad_render_image`` (no text, or an empty one),
            ``not_base64``.
    """

    image: bytes | None = None
    warnings: tuple[str, ...] = ()
    error: str | None = None


def read_image_reply(text: str) -> ImageReply:
    """Read the content of a model's reply; never raises."""
    text, noticed = bare_reply(text)
    warnings = list(noticed)
    if not text:
        return ImageReply(error="empty_response")

    def failed(error: str) -> ImageReply:
        return ImageReply(None, tuple(warnings), error)

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return failed("not_json")
    if not isinstance(value, dict):
        return failed("not_an_object")
    if _KEY not in value:
        return failed(f"missing_{_KEY}")
    if len(value) > 1:
        warnings.append("extra_keys")
    encoded = value[_KEY]
    if not isinstance(encoded, str) or not encoded.strip():
        return failed(f"bad_{_KEY}")
    if encoded.lstrip().startswith("data:"):
        warnings.append("data_prefix")
        encoded = encoded.partition(",")[2]
    try:
        image = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError):
        return failed("not_base64")
    return ImageReply(image, tuple(warnings)) if image else failed(f"bad_{_KEY}")

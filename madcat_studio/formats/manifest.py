"""``manifest.json`` of a submission: the site and the rules that it declares to have kept."""

from __future__ import annotations

import json

from madcat_studio.errors import FormatError
from madcat_studio.model.declarations import Declaration, Manifest

__all__ = ["MANIFEST", "read_manifest", "write_manifest"]

MANIFEST = "manifest.json"
"""Its name in the submission's folder."""

_FORMAT, _VERSION = "madcat-studio-submission", 1
_MOST_BYTES = 100_000


def write_manifest(manifest: Manifest) -> bytes:
    """The manifest as a file: what is declared with the sentence that it stands for."""
    declared = {one.value: one.sentence for one in Declaration if one in manifest.declared}
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "site": manifest.site,
        "declared": declared,
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_manifest(data: bytes, where: str) -> Manifest:
    """The manifest of a submission.

    Raises:
        FormatError: ``submission.manifest``: it is none, or declares what is no rule.
    """
    try:
        if len(data) > _MOST_BYTES:
            raise ValueError("too large")
        value = json.loads(data.decode("utf-8-sig"))
        if value["format"] != _FORMAT or value["version"] != _VERSION:
            raise ValueError("another format or version")
        site, declared = value["site"], value["declared"]
        if not isinstance(site, str) or not isinstance(declared, dict):
            raise TypeError("site and declared")
        given = frozenset(Declaration(name) for name in declared)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(
            "submission.manifest",
            f"this is not a submission's manifest ({error})",
            where=where,
            remedy=f"Leave it out, or pack with --site and --declare of {', '.join(Declaration)}",
        ) from None
    return Manifest(" ".join(site.split()), tuple(one for one in Declaration if one in given))

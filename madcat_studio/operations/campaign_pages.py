"""Pages of a campaign as files: to look at, never to edit in place."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from madcat_studio.errors import InputError, WorldError
from madcat_studio.formats.files import write_atomically
from madcat_studio.model.campaign import CampaignDocument
from madcat_studio.store import Campaign

__all__ = ["fetch_page", "fetch_scan", "page_cache"]


def page_cache() -> Path:
    """Where pages of campaigns are put to look at them; it may be emptied at any time."""
    return platformdirs.user_cache_path("madcat-studio", appauthor=False) / "pages"


def fetch_page(campaign: Campaign, base: str, folder: Path | None = None) -> Path:
    """Write a document of a campaign and its scan into a folder, unless they are there.

    The folder inside is named by the document's hash, so that a changed reference is another file.

    Args:
        campaign: the campaign that holds both.
        base: BASE of the document.
        folder: by default the user's cache.

    Returns:
        The path of the document. Its scan lies beside it, where the campaign has it.

    Raises:
        InputError: the campaign has no such document.
        WorldError: the folder cannot be written, the campaign cannot be read.
    """
    document = _document(campaign, base)
    place = (folder or page_cache()) / document.sha256[:16]
    path = place / f"{base}.madcat.xml"
    wanted = [(path, document.sha256)]
    if document.image_sha256 is not None:
        wanted.append((place / Path(document.image_name).name, document.image_sha256))
    _put(campaign, place, wanted)
    return path


def fetch_scan(
    campaign: Campaign, base: str, folder: Path | None = None
) -> tuple[CampaignDocument, Path | None]:
    """Write a document's scan, and nothing else of it, into a folder.

    Args:
        campaign, base, folder: as for :func:`fetch_page`.

    Returns:
        What the campaign knows of the document, and the scan's path; None where it has no scan.

    Raises:
        InputError, WorldError: as :func:`fetch_page`.
    """
    document = _document(campaign, base)
    if document.image_sha256 is None:
        return document, None
    place = (folder or page_cache()) / document.image_sha256[:16]
    path = place / Path(document.image_name).name
    _put(campaign, place, [(path, document.image_sha256)])
    return document, path


def _document(campaign: Campaign, base: str) -> CampaignDocument:
    document = campaign.contents.document(base)
    if document is None:
        raise InputError(
            "campaign.no-document",
            "The campaign has no such document",
            where=base,
            remedy="Check the name; `campaign status` lists what there is",
        )
    return document


def _put(campaign: Campaign, place: Path, wanted: list[tuple[Path, str]]) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorldError(
            "campaign.cannot-fetch",
            f"The page cannot be put there to look at it ({error.strerror})",
            where=place,
            remedy="Make room on the disk, or give the right to write there",
        ) from error
    for target, sha256 in wanted:
        if not target.exists():
            write_atomically(target, campaign.contents.blob(sha256))
